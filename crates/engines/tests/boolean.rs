//! Abstraction to Boolean programs: recursion over machine integers is proved without a bound, with
//! summaries, and the Boolean programs say what they should.

use std::path::Path;
use std::sync::Arc;
use tamis_cegar::{Budget, Context};
use tamis_engines::boolean::boolean_program;
use tamis_engines::driver::{Options, answer};
use tamis_engines::{Settings, by_name, explicit};
use tamis_frontends::by_extension;
use tamis_ir::passes::{PRUNE, SLICE};
use tamis_ir::{Program, Sources, validate};
use tamis_witness::Verdict;

/// More refinements than any of these programs needs: a loop that does not end is found.
const ROUNDS: u64 = 30;

fn lower(ctx: &mut Context, text: &str) -> Program {
    let mut sources = Sources::new();
    let id = sources.add_bytes("test.c".to_owned(), text.as_bytes().to_vec());
    let lowered = by_extension("c").expect("C is known").lower_one(&mut ctx.terms, Arc::new(sources), id);
    lowered.unwrap_or_else(|refused| panic!("{:?}", refused.errors)).program
}

fn verdict(text: &str) -> (Program, Verdict) {
    let budget = Budget { rounds: Some(ROUNDS), ..Budget::default() };
    let mut ctx = Context { budget, ..Context::default() };
    let program = lower(&mut ctx, text);
    let property = program.default.expect("something is asked");
    let engine = by_name("boolean").expect("registered");
    let options = Options { engine, passes: vec![&PRUNE, &SLICE], settings: Settings::default() };
    let verdict = answer(&mut ctx, &options, &program, property).expect("it does not fail").verdict;
    (program, verdict)
}

/// The program is proved, and the proof has summaries of these procedures.
fn proved(text: &str, procedures: &[&str]) {
    match verdict(text) {
        (program, Verdict::Safe(proof)) => {
            for (id, proc) in program.procs().filter(|(_, proc)| procedures.contains(&proc.name.as_str())) {
                assert!(proof.summaries.contains_key(&id), "the proof needs a summary of {}", proc.name);
            }
        }
        (_, other) => panic!("expected a proof, and not {other:?}, of\n{text}"),
    }
}

fn source(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn a_recursive_sum_is_proved() {
    proved(&source("tests/corpus/c/recursive_sum.c"), &["sum"]);
}

#[test]
fn mccarthy_91_is_proved() {
    proved(&source("examples/mccarthy_91.c"), &["f91"]);
}

#[test]
fn mutual_recursion_is_proved() {
    proved(&source("tests/corpus/c/even_odd.c"), &["even", "odd"]);
}

#[test]
fn ackermann_is_proved() {
    proved(&source("tests/corpus/c/ackermann.c"), &["ackermann"]);
}

const DOWN: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    int g;
    void down(int x) { if (x > 0) { g = g + 1; down(x - 1); } }
    int main(void) { int n = __VERIFIER_nondet_int(); g = 0; down(n); if (BAD) reach_error(); return 0; }";

#[test]
fn globals_are_part_of_summaries() {
    proved(&DOWN.replace("BAD", "n <= 0 && g != 0"), &["down"]);
}

#[test]
fn an_error_behind_calls_that_returned_is_found() {
    let (_, verdict) = verdict(&DOWN.replace("BAD", "g == 3"));
    assert!(matches!(verdict, Verdict::Unsafe(_)), "expected a trace, and not {verdict:?}");
}

#[test]
fn an_error_in_calls_that_do_not_return_is_found() {
    let (_, verdict) = verdict(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
         void down(int x) { if (x == 7) reach_error(); if (x > 7) down(x - 1); }
         int main(void) { down(__VERIFIER_nondet_int()); return 0; }",
    );
    assert!(matches!(verdict, Verdict::Unsafe(_)), "expected a trace, and not {verdict:?}");
}

#[test]
fn what_callees_need_to_know_of_callers_is_found() {
    proved(
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
         void down(int x) { if (x < 0) reach_error(); if (x > 0) down(x - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n >= 0) down(n); return 0; }",
        &[],
    );
}

/// Procedures that call the next one twice, and the last one turns a variable.
fn chain(procedures: usize, bad: &str) -> String {
    let calls = |number: usize| format!("void p{number}(void) {{ p{next}(); p{next}(); }}\n", next = number + 1);
    let calls: String = (0..procedures - 1).rev().map(calls).collect();
    let last = procedures - 1;
    format!(
        "extern void reach_error(void); int g;\nvoid p{last}(void) {{ g = !g; }}\n{calls}\
         int main(void) {{ g = 0; p0(); if ({bad}) reach_error(); return 0; }}"
    )
}

#[test]
fn runs_of_exponential_length_are_refined_in_outline() {
    proved(&chain(40, "g != 0"), &["p0", "p39"]);
}

#[test]
fn an_error_at_the_end_of_a_long_run_is_found() {
    let (_, verdict) = verdict(&chain(9, "g == 0"));
    assert!(matches!(verdict, Verdict::Unsafe(_)), "expected a trace, and not {verdict:?}");
}

#[test]
fn what_a_call_leaves_alone_needs_no_look_into_it() {
    let text = chain(40, "x != 3").replace("g = 0;", "int x = 3; g = 0;");
    proved(&text, &[]);
}

/// The Boolean program after some rounds is a valid one, and safe only when it is precise enough.
#[test]
fn boolean_programs_of_rounds_can_be_had() {
    let text = source("tests/corpus/c/recursive_sum.c");
    for (rounds, safe) in [(0, false), (ROUNDS, true)] {
        let budget = Budget { rounds: Some(rounds), ..Budget::default() };
        let mut ctx = Context { budget, ..Context::default() };
        let program = lower(&mut ctx, &text);
        let property = program.default.expect("something is asked");
        let (program, property) = boolean_program(&mut ctx, &program, property).expect("there is a first round");
        assert_eq!(validate::validate(&ctx.terms, &program), Ok(()));
        let verdict = explicit::run(&mut ctx, &program, property).expect("it is small");
        assert_eq!(matches!(verdict, Verdict::Safe(_)), safe, "after at most {rounds} rounds");
    }
}
