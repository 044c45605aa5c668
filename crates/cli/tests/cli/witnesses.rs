//! Witness files: written, checked, refused when corrupted, and never overwritten.

use crate::Place;

const UNSAFE: &str = "decl g;\nvoid main() begin\n  decl a;\n  a := !g;\n  assert(a);\nend\n";
const SAFE: &str = "\
decl g;
bool same(x) begin return x; end
void main() begin
  decl a;
  a := same(g);
  while (*) do a := same(a); od
  assert(a = g);
end
";

fn written(text: &str, passes: &str) -> Place {
    let place = Place::new(&[("a.bp", text)]);
    let ran = place.run(&format!("verify a.bp --witness w.json --passes {passes}"));
    assert!(matches!(ran.code, Some(0 | 10)), "{ran:#?}");
    place
}

#[test]
fn what_verify_writes_check_accepts() {
    for passes in ["none", "prune,slice", "inline", "inline,prune,slice"] {
        let ran = written(UNSAFE, passes).run("check a.bp w.json");
        assert_eq!(ran.ends(0, &[]).out, "accepted\nfalse(unreach-call)\n");
        let place = written(SAFE, passes);
        assert_eq!(place.run("check a.bp w.json").ends(0, &[]).out, "accepted\ntrue\n", "{}", place.read("w.json"));
        let json = place.run("check a.bp w.json --json").ends(0, &[]).json();
        assert_eq!((&json["verdict"], &json["evidence"]["accepted"]), (&"true".into(), &true.into()));
    }
}

#[test]
fn wrong_evidence_is_rejected() {
    let place = written(UNSAFE, "none");
    let text = place.read("w.json");
    // The start value of g decides whether the assertion fails.
    let start = text.find("[\"g\", \"true\"]").expect("g starts true");
    let mut broken = text.clone();
    broken.replace_range(start..start + 13, "[\"g\", \"false\"]");
    place.write("w.json", broken.as_bytes());
    let ran = place.run("check a.bp w.json");
    assert!(ran.ends(5, &[]).last().starts_with("rejected("), "{ran:#?}");
    let json = place.run("check a.bp w.json --json").ends(5, &[]).json();
    assert_eq!((&json["verdict"], &json["evidence"]["accepted"]), (&"rejected".into(), &false.into()));

    let place = written(SAFE, "none");
    let text = place.read("w.json");
    let weaker = text.lines().map(|line| match line.split_once("\"formula\": ") {
        Some((head, _)) => format!("{head}\"formula\": \"true\"}}{}\n", if line.ends_with(',') { "," } else { "" }),
        None => format!("{line}\n"),
    });
    place.write("w.json", weaker.collect::<String>().as_bytes());
    assert!(place.run("check a.bp w.json").ends(5, &[]).last().starts_with("rejected("));
}

#[test]
fn what_is_no_witness_of_this_program_is_an_input_error() {
    let place = written(SAFE, "none");
    let text = place.read("w.json");
    for (old, new, expected) in [
        ("tamis-witness", "other", "its format is"),
        ("\"version\": 1", "\"version\": 99", "version 99"),
        ("\"property\": \"assert\"", "\"property\": \"nope\"", "no property"),
        ("\"sha256\": \"", "\"sha256\": \"f", "another program"),
        ("\"location\": ", "\"location\": 4294967", "no location"),
        ("\"formula\": \"", "\"formula\": \"(((", "in the"),
        ("{", "[", "no witness file"),
    ] {
        place.write("broken.json", text.replacen(old, new, 1).as_bytes());
        place.run("check a.bp broken.json").ends(2, &["broken.json cannot be used", expected]);
    }
    place.run("check a.bp nowhere.json").ends(2, &["no such file"]);
    place.run("check a.bp a.bp").ends(2, &["no witness file"]);
    place.write("deep.json", "[".repeat(1_000_000).as_bytes());
    place.run("check a.bp deep.json").ends(2, &["no witness file"]);
    place.run("check a.bp w.json --property assert@7").ends(2, &["the witness is about assert"]);
    place.run("check a.bp w.json --property nope").ends(2, &["no property nope"]);
}

#[test]
fn an_existing_file_is_kept() {
    let place = Place::new(&[("a.bp", UNSAFE), ("w.json", "mine")]);
    place.run("verify a.bp --witness w.json").ends(2, &["w.json exists", "--force"]);
    assert_eq!(place.read("w.json"), "mine");
    place.run("verify a.bp --witness w.json --force").ends(10, &[]);
    place.run("check a.bp w.json").ends(0, &["accepted"]);
    place.run("verify a.bp --witness a.bp --force").ends(2, &["a.bp is an input"]);
    place.run("verify a.bp --witness no/w.json").ends(2, &["folder does not exist"]);
    assert_eq!(place.read("a.bp"), UNSAFE);
    place.run("verify a.bp --states 1 --witness none.json").ends(5, &[]);
    assert!(!place.path("none.json").exists(), "unknown has no evidence");
}
