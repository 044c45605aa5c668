//! Circuits of AIGER and BTOR2: what is wrong with them, evidence for other tools and of other
//! tools, translations.

use crate::{Place, run, workspace};

/// A folder with the circuits of the examples.
fn examples() -> Place {
    let place = Place::new(&[]);
    for name in ["arbiter.aag", "queue.btor2"] {
        place.write(name, &std::fs::read(workspace("examples").join(name)).expect("an example"));
    }
    place
}

#[test]
fn evidence_for_hardware_tools_is_accepted() {
    let place = examples();
    place.run("verify arbiter.aag --hardware-witness proof.aig").ends(0, &[]);
    assert_eq!(place.run("check arbiter.aag proof.aig").ends(0, &[]).out, "accepted\ntrue\n");
    place.run("verify queue.btor2 --hardware-witness run.wit").ends(10, &[]);
    assert_eq!(place.run("check queue.btor2 run.wit").ends(0, &[]).out, "accepted\nfalse(unreach-call)\n");
    let json = place.run("check queue.btor2 run.wit --json").ends(0, &[]).json();
    assert_eq!((&json["verdict"], &json["property"]), (&"false(unreach-call)".into(), &"b0".into()));
    place.run("verify queue.btor2 --hardware-witness run.wit").ends(2, &["run.wit"]);
}

#[test]
fn wrong_evidence_of_hardware_tools_is_rejected() {
    let place = examples();
    place.write("short.wit", b"sat\nb0\n#0\n@0\n0 1\n1 0\n.\n");
    place.run("check queue.btor2 short.wit").ends(5, &["rejected(bad condition 0 is not true in the last step)"]);
    place.write("none.wit", b"unsat\n");
    place.run("check queue.btor2 none.wit").ends(2, &["cannot be used", "sat"]);
    place.write("run.wit", b"1\nb0\n000\n11\n.\n");
    place.run("check arbiter.aag run.wit").ends(5, &["rejected(bad signal 0 is not true in the last step)"]);
    // The property is inductive, so the model is a certificate of itself.
    let model = place.read("arbiter.aag");
    let symbols: String = model
        .lines()
        .map(|line| match line.split_once(' ') {
            Some(("i0", _)) => "i0 = 2\n".to_owned(),
            Some(("i1", _)) => "i1 = 4\n".to_owned(),
            Some(("l0", _)) => "l0 = 6\n".to_owned(),
            Some(("l1", _)) => "l1 = 8\n".to_owned(),
            Some(("l2", _)) => "l2 = 10\n".to_owned(),
            _ => format!("{line}\n"),
        })
        .collect();
    place.write("own.aag", symbols.as_bytes());
    place.run("check arbiter.aag own.aag").ends(0, &["accepted"]);
    place.write("own.aag", symbols.replace("\n6 14\n", "\n6 14 1\n").as_bytes());
    place.run("check arbiter.aag own.aag").ends(5, &["rejected(the condition reset does not hold)"]);
}

#[test]
fn hardware_witnesses_are_about_circuits() {
    let program = "void main() begin skip; end\n";
    run("a.bp", program, "verify FILE --label x --hardware-witness w").ends(2, &["AIGER and BTOR2"]);
}

#[test]
fn malformed_circuits_are_located() {
    run("a.aag", "aag 1 0 1 x 0\n", "verify FILE").ends(2, &["a.aag:1:11", "this should be O, a number"]);
    run("a.btor2", "1 sort bitvec 1\n2 not 1 7\n", "verify FILE").ends(2, &["a.btor2:2:9", "line 7"]);
    let place = Place::new(&[]);
    place.write("a.aig", b"aig 1 0 0 1 1\n2\n\x00\x00");
    place.run("verify a.aig").ends(2, &["a.aig:1:1", "at byte 16", "reads itself"]);
    place.write("a.aig", b"\x7fELF\x00\xff");
    place.run("verify a.aig").ends(2, &["this is no AIGER file"]);
    run("a.aag", "aag 0 0 0 0 0\n", "verify FILE").ends(2, &["nothing to check"]);
}

#[test]
fn circuits_are_translated() {
    let place = examples();
    place.run("translate arbiter.aag --to btor2 -o arbiter.btor2").ends(0, &[]);
    place.run("verify arbiter.btor2").ends(0, &["true"]);
    for name in ["queue.aag", "queue.aig"] {
        place.run(&format!("translate queue.btor2 --to aiger -o {name}")).ends(0, &[]);
        place.run(&format!("verify {name} --hardware-witness {name}.wit")).ends(10, &["false(unreach-call)"]);
        place.run(&format!("check {name} {name}.wit")).ends(0, &["accepted"]);
    }
    assert!(place.run("translate queue.btor2 --to aiger").ends(0, &[]).out.starts_with("aag "));
}
