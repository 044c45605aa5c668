//! Programs in the notations of other tools. The answers of the command `z3` about them are compared
//! with the verdicts of the corpus.

use crate::{Place, Ran, run, workspace};
use std::path::{Path, PathBuf};
use std::process::Command;
use tamis_testing::tools::Z3;
use tamis_testing::{files, find};

const LOCK: &str = "\
main process lock {
    var held : bool
    var count : int
    init loc A
    loc B
    error loc E
    A -> B { held := false }
    B -> E { assume held }
    B -> B { held := held and count mod 2 = 0  havoc count }
}
";

#[test]
fn horn_clauses_follow_the_locations() {
    let expected = "\
; Horn clauses for the property error: sat means that it holds.
(set-logic HORN)
(declare-fun error () Bool)
; in main, lock.cfa:1
(declare-fun main@0 (Int) Bool)
; in main, B, lock.cfa:5
(declare-fun main@3 (Bool Int) Bool)
(assert (forall ((count Int)) (=> true (main@0 count))))
(assert (forall ((count Int) (held.1 Bool)) (=> (and (main@0 count) (not held.1)) (main@3 held.1 count))))
(assert (forall ((held Bool) (count Int)) (=> (and (main@3 held count) held) error)))
(assert (forall ((held Bool) (count Int) (held.1 Bool) (count.1 Int)) \
(=> (and (main@3 held count) (= held.1 (and held (= (mod count 2) 0)))) (main@3 held.1 count.1))))
(assert (forall ((unused Bool)) (=> (and error true) false)))
(check-sat)
";
    assert_eq!(run("lock.cfa", LOCK, "translate FILE --to chc").ends(0, &[]).out, expected);
}

#[test]
fn transition_systems_are_written_as_vmt() {
    let text = "specification S { property safe : { var x : int var free : bool invariant x < 9 initial x = 0
        transition if free then x' = x + 1 else x' = 0 } models G(x /= 3) }";
    let expected = "\
; A transition system for the property safe.
(declare-fun x () Int)
(declare-fun |x'| () Int)
(define-fun $state0 () Int (! x :next |x'|))
(declare-fun free () Bool)
(declare-fun |free'| () Bool)
(define-fun $state1 () Bool (! free :next |free'|))
(define-fun $init () Bool (! (= x 0) :init true))
(define-fun $trans () Bool (! (and (< x 9) (ite free (= |x'| (+ x 1)) (= |x'| 0))) :trans true))
(define-fun $property () Bool (! (or (not (< x 9)) (not (= x 3))) :invar-property 0))
";
    assert_eq!(run("a.system", text, "translate FILE --to vmt").ends(0, &[]).out, expected);
}

#[test]
fn a_bounded_question_is_written_as_smtlib() {
    let text =
        "specification S { property safe : { var x : int initial x = 0 transition x' = x + 1 } models G(x /= 1) }";
    let expected = "\
; sat means that safe is violated after 1 steps of this system.
(set-logic ALL)
(define-fun $init ((x Int)) Bool (= x 0))
(define-fun $invariant ((x Int)) Bool true)
(define-fun $trans ((x Int) (|x'| Int)) Bool (= |x'| (+ x 1)))
(define-fun $bad ((x Int)) Bool (= x 1))
; state 0
(declare-fun x@0 () Int)
(assert ($init x@0))
(assert ($invariant x@0))
; state 1
(declare-fun x@1 () Int)
(assert ($trans x@0 x@1))
(assert ($invariant x@1))
(assert ($bad x@1))
(check-sat)
";
    assert_eq!(run("a.system", text, "translate FILE --to smt2 --bound 1").ends(0, &[]).out, expected);
}

#[test]
fn a_property_can_be_named_and_what_is_no_system_is_refused() {
    run("lock.cfa", LOCK, "translate FILE --to chc --label B").ends(0, &["property B"]);
    run("lock.cfa", LOCK, "translate FILE --to vmt --property C").ends(2, &["no property C", "known are"]);
    let recursive = "decl g; void f() begin if (*) then f(); fi; g := !g; end void main() begin f(); assert(g); end";
    run("f.bp", recursive, "translate FILE --to vmt").ends(2, &["procedure f is recursive", "--to chc"]);
    run("f.bp", recursive, "translate FILE --to chc").ends(0, &["(set-logic HORN)"]);
    run("lock.cfa", LOCK, "translate FILE --to vmt --bound 3").ends(2, &["--bound is for --to smt2"]);
    let silent = "main process p { init loc A }";
    run("a.cfa", silent, "translate FILE --to chc").ends(2, &["nothing to check", "--label"]);
}

#[test]
fn what_is_not_modelled_is_told_and_written_down() {
    let text = "extern void reach_error(void);\nfloat half(float x) { return x / 2; }\n\
                int main(void) { float f = 3; if (half(f) > 2) reach_error(); return 0; }\n";
    let place = Place::new(&[("a.c", text), ("b.c", "int main(void) { return 1 / 1; }\n")]);
    let comment = "An error that is found here may not be one of the program. Not modelled: floating-point arithmetic";
    for (notation, mark) in [("chc", "; "), ("vmt", "; "), ("smt2", "; "), ("btor2", "; "), ("remopla", "# ")] {
        let ran = place.run(&format!("translate a.c --to {notation}"));
        ran.ends(0, &["warning", "a.c:2", "not modelled: floating-point arithmetic"]);
        assert!(ran.out.starts_with(&format!("{mark}{comment}\n")), "{notation}: {}", ran.out);
        assert_eq!(place.run(&format!("translate a.c --to {notation} --quiet")).ends(0, &[]).err, "");
    }
    let circuit = place.run("translate a.c --to aiger");
    assert!(circuit.ends(0, &["warning"]).out.ends_with(&format!("\nc\n{comment}\n")), "{}", circuit.out);
    for exact in ["translate b.c --to chc", "translate b.c --to aiger", "translate a.c --to dot"] {
        let ran = place.run(exact);
        assert!(!ran.ends(0, &[]).out.contains("may not be") && ran.err.is_empty(), "{exact}: {ran:#?}");
    }
}

/// The programs of the corpus with what is expected of them and how it is asked for.
fn corpus() -> Vec<(PathBuf, bool, String)> {
    // Programs that are run elsewhere.
    let elsewhere = ["runs", "differential"].map(|name| workspace("tests/corpus/c").join(name));
    let mut found = Vec::new();
    for path in files(&workspace("tests/corpus"), &[]) {
        if elsewhere.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let Some(line) = text.lines().find_map(|line| line.split_once("expect: ")) else { continue };
        let mut words = line.1.split_whitespace();
        let expected = match words.next() {
            Some("true") => true,
            Some("false") => false,
            _ => continue,
        };
        let names = ["label=", "property=", "ask="];
        let asked = words.find_map(|word| names.iter().find_map(|name| word.strip_prefix(name)));
        found.push((path, expected, asked.map_or(String::new(), |name| format!(" --property {name}"))));
    }
    found
}

/// What Z3 says about the text of a run within some seconds.
fn ask(z3: &Path, ran: &Ran, more: &str) -> String {
    let place = Place::new(&[("text.smt2", &format!("{}{more}", ran.out))]);
    // The slicing of Z3 4.8 is not sound.
    let output = Command::new(z3)
        .args(["-T:5", "fp.xform.slice=false", "text.smt2"])
        .current_dir(place.0.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("(error"), "{said}\n{}", ran.out);
    said.lines().find(|line| ["sat", "unsat"].contains(line)).unwrap_or("unknown").to_owned()
}

fn translated(file: &Path, arguments: &str) -> Ran {
    Place::new(&[]).run(&format!("translate -q {} {arguments}", file.display()))
}

#[test]
fn z3_agrees_about_the_horn_clauses_of_the_corpus() {
    let Some(z3) = find(&Z3) else { return };
    let mut answers = 0;
    for (file, expected, asked) in corpus() {
        let ran = translated(&file, &format!("--to chc{asked}"));
        ran.ends(0, &["(check-sat)"]);
        let said = ask(&z3, &ran, "");
        answers += usize::from(said != "unknown");
        let wrong = if expected { "unsat" } else { "sat" };
        assert_ne!(said, wrong, "{}", file.display());
    }
    assert!(answers > 80, "only {answers} answers");
}

#[test]
fn z3_agrees_about_the_systems_of_the_corpus() {
    let Some(z3) = find(&Z3) else { return };
    let mut systems = 0;
    for (file, expected, asked) in corpus() {
        let name = file.display().to_string();
        let is_system = ["theta", "aiger", "btor2"].iter().any(|folder| name.contains(&format!("corpus/{folder}")));
        if !is_system {
            continue;
        }
        let mut reached = false;
        for bound in 0..12 {
            let said = ask(&z3, &translated(&file, &format!("--to smt2 --bound {bound}{asked}")), "");
            reached |= said == "sat";
            if bound == 0 {
                let vmt = translated(&file, &format!("--to vmt{asked}"));
                let mark = if vmt.out.contains("$$init") { "$$" } else { "$" };
                let start = format!("(assert {mark}init)(assert (not {mark}property))(check-sat)");
                assert_eq!(ask(&z3, &vmt, &start), said, "{name}");
            }
            if reached {
                break;
            }
        }
        assert_eq!(!reached, expected, "{name}");
        systems += 1;
    }
    assert!(systems > 20, "only {systems} systems");
}

/// The Boolean program of each round reads back, and its verdict is that of the abstraction: the
/// last one of a safe program is safe, and those before are not.
#[test]
fn boolean_programs_of_rounds_read_back() {
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (id(n) != n) reach_error(); return 0; }";
    let place = Place::new(&[("a.c", text)]);
    place.run("translate a.c --to bp -o first.bp --rounds 0").ends(0, &[]);
    place.run("verify first.bp").ends(10, &[]);
    place.run("translate a.c --to bp -o last.bp").ends(0, &[]);
    place.run("verify last.bp").ends(0, &[]);
    place.run("translate a.c --to dot --rounds 1").ends(2, &["--rounds is for --to bp"]);
}
