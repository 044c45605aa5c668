//! Verdict lines, exit codes, traces and JSON on small programs.

use crate::{Place, run, workspace};

const UNSAFE: &str = "\
decl g;

bool flip(x)
begin
  decl y;
  y := !x;
  return y;
end

void main()
begin
  decl a, b;
  a := g;
  b := flip(a);
  assert(a = b);
end
";

fn safe() -> String {
    UNSAFE.replace("a = b", "a != b")
}

#[test]
fn the_last_line_is_the_verdict() {
    for (text, code, verdict) in [(UNSAFE, 10, "false(unreach-call)"), (&safe(), 0, "true")] {
        for passes in ["none", "prune", "slice", "inline", "inline,prune,slice"] {
            let ran = run("a.bp", text, &format!("verify FILE --passes {passes}"));
            assert_eq!(ran.ends(code, &["evidence accepted"]).out, format!("{verdict}\n"));
            let ran = run("a.bp", text, &format!("verify FILE --quiet --passes {passes}"));
            assert_eq!((ran.out, ran.err), (format!("{verdict}\n"), String::new()));
        }
    }
}

#[test]
fn a_trace_reads_like_the_source() {
    let ran = run("a.bp", UNSAFE, "verify FILE --color never");
    let expected = "\
the error is reached in 6 steps with 1 input:
         start           g = false (input)
a.bp:13  a := g;         a = false
a.bp:14  b := flip(a);   > flip(x = false)
a.bp:6     y := !x;      y = true
a.bp:7     return y;     return = true
a.bp:14  b := flip(a);   < b = true
a.bp:15  assert(a = b);  [a != b]  ERROR: an assertion fails
";
    assert!(ran.ends(10, &[]).err.starts_with(expected), "{}", ran.err);
    let ran = run("a.bp", UNSAFE, "verify FILE --trace none");
    assert!(!ran.ends(10, &[]).err.contains("start"), "{ran:#?}");
    let ran = run("a.bp", UNSAFE, "verify FILE --color always");
    assert!(ran.err.contains("\x1b[") && !ran.out.contains("\x1b["));
}

#[test]
fn the_keys_of_the_report_are_frozen() {
    let unsafe_keys = "engine evidence file memory_mb nodes phases predicates property reason rounds states time_s trace verdict version";
    let safe_keys = "engine evidence file memory_mb nodes phases predicates proof property reason rounds states time_s verdict version";
    for (text, verdict, keys) in [(UNSAFE, "false(unreach-call)", unsafe_keys), (&safe(), "true", safe_keys)] {
        let ran = run("a.bp", text, "verify FILE --json");
        let json = ran.json();
        let found: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(found.join(" "), keys);
        assert_eq!((&json["verdict"], &json["reason"]), (&verdict.into(), &serde_json::Value::Null));
        assert_eq!((&json["property"], &json["engine"]), (&"assert".into(), &"auto".into()));
        assert_eq!((&json["file"], &json["evidence"]["accepted"]), (&"a.bp".into(), &true.into()));
        for key in ["rounds", "predicates", "states"] {
            assert!(json[key].is_u64(), "{key}");
        }
        for number in [&json["time_s"], &json["memory_mb"], &json["evidence"]["time_s"]] {
            assert!(number.is_f64());
        }
        assert_eq!(ran.out.lines().count(), 1);
    }
}

#[test]
fn labels_can_be_asked_for() {
    let text = "void main() begin goto A; B: skip; A: skip; end";
    run("a.bp", text, "verify FILE --label A").ends(10, &["label A is reached"]);
    run("a.bp", text, "verify FILE --label B").ends(0, &["true"]);
}

#[test]
fn too_few_states_is_unknown_with_advice() {
    let ran = run("a.bp", UNSAFE, "verify FILE --states 1");
    assert_eq!(ran.ends(5, &["hint: allow more states"]).last(), "unknown(out of states)");
    let json = run("a.bp", UNSAFE, "verify FILE --states 1 --json").json();
    assert_eq!((&json["verdict"], &json["reason"]), (&"unknown".into(), &"out of states".into()));
    assert!(json["evidence"].is_null());
}

#[test]
fn an_engine_that_knows_no_calls_names_who_recurses() {
    let text = "decl g;\nvoid main() begin g := F; if (*) then main(); g := !g; fi assert(!g); end";
    let ran = run("a.bp", text, "verify FILE --engine predicate");
    ran.ends(5, &["procedure main is recursive", "--engine boolean"]);
    run("a.bp", text, "verify FILE --engine boolean").ends(10, &[]);
}

/// The examples, each with the verdict that its first line announces.
fn examples() -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(workspace("examples")).expect("the folder of examples") {
        let path = entry.expect("an example").path();
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("an example is text");
        let verdict = text.lines().next().and_then(|line| line.split_once("expect: "));
        if let Some((_, verdict)) = verdict {
            let verdict = if verdict.trim() == "true" { "true" } else { "false(unreach-call)" }.to_owned();
            found.push((name, text, verdict));
        }
    }
    assert!(found.len() >= 4, "{found:?}");
    found
}

#[test]
fn the_examples_have_the_verdicts_that_they_announce() {
    for (name, text, verdict) in examples() {
        let ran = run(&name, &text, "verify FILE --quiet");
        assert_eq!(ran.out.trim(), verdict, "{name}: {ran:#?}");
    }
}

#[test]
fn a_translation_to_remopla_has_the_same_verdict() {
    for (name, text, verdict) in examples() {
        let place = Place::new(&[(&name, &text)]);
        place.run(&format!("translate {name} --to remopla -o there.rem")).ends(0, &[]);
        let ran = place.run("verify there.rem --quiet --label error");
        assert_eq!(ran.out.trim(), verdict, "{name}: {ran:#?}\n{}", place.read("there.rem"));
        place.run(&format!("translate {name} --to dot")).ends(0, &["digraph"]);
    }
}

#[test]
fn a_remopla_trace_shows_recursion() {
    let (_, text, _) = examples().into_iter().find(|(name, _, _)| name == "power.rem").expect("the example");
    let ran = run("power.rem", &text, "verify FILE");
    ran.ends(10, &["> power(base = ", "    half = power(base, exponent / 2);", "ERROR: label error is reached"]);
}
