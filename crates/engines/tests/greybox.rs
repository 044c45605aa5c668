//! Guessed runs find what guessing can find, and say nothing about the rest.

use std::sync::Arc;
use tamis_cegar::Context;
use tamis_engines::driver::{Options, answer};
use tamis_engines::{Settings, by_name};
use tamis_ir::Sources;
use tamis_witness::{Reason, Verdict};

/// What an engine says about a program in Remopla.
fn verdict(engine: &str, text: &str) -> Verdict {
    verdict_in("remopla", engine, text)
}

/// What an engine says about a program. Evidence is checked on the way.
fn verdict_in(language: &str, engine: &str, text: &str) -> Verdict {
    let mut ctx = Context::default();
    let mut sources = Sources::new();
    let file = sources.add("program", text);
    let language = tamis_frontends::by_name(language).unwrap();
    let lowered = language.lower_one(&mut ctx.terms, Arc::new(sources), file);
    let program = lowered.unwrap_or_else(|refused| panic!("{:?}", refused.errors)).program;
    let property = program.find_property("error").unwrap_or_else(|| program.default.unwrap());
    let options = Options { engine: by_name(engine).unwrap(), passes: vec![], settings: Settings::default() };
    answer(&mut ctx, &options, &program, property).unwrap().verdict
}

fn check(text: &str, found: bool) {
    match verdict("greybox", text) {
        Verdict::Unsafe(_) => assert!(found, "there is no error"),
        Verdict::Unknown(Reason::Bounded(_)) => assert!(!found, "the error is not found"),
        verdict @ (Verdict::Safe(_) | Verdict::Unknown(_)) => panic!("{verdict:?}"),
    }
}

#[test]
fn a_constant_of_the_program_is_tried() {
    let text = "int x(32); init main;
        module void main() { x = undef; if :: x == 123456789 -> goto error; :: else -> skip; fi; goto end;
        error: skip; end: skip; }";
    check(text, true);
    assert!(matches!(verdict("auto", text), Verdict::Unsafe(_)), "auto guesses wide inputs");
}

#[test]
fn conditions_one_after_the_other_are_met_one_by_one() {
    let step = |value: u32| format!("x = undef; if :: x == {value} -> skip; :: else -> goto end; fi; ");
    let steps: String = [77_777, 1_234, 999_999, 31_337, 5_555_555].map(step).concat();
    let text = format!("int x(32); init main; module void main() {{ {steps} error: skip; end: skip; }}");
    check(&text, true);
}

#[test]
fn long_runs_get_the_steps_they_need() {
    let text = "int n(32); init main;
        module void main() { n = 0; do :: n < 20000 -> n = n + 1; :: else -> break; od; error: skip; }";
    check(text, true);
}

#[test]
fn recursion_is_followed() {
    let text = "int g(32); init main;
        module void down(int n(8)) { if :: n == 0 -> g = g + 1; :: else -> down(n - 1); fi; }
        module void main() { g = 0; down(200); if :: g == 1 -> goto error; :: else -> skip; fi; goto end;
        error: skip; end: skip; }";
    check(text, true);
}

#[test]
fn without_an_error_nothing_is_claimed() {
    let text = "int x(32); init main;
        module void main() { x = undef; if :: x != x -> goto error; :: else -> skip; fi; goto end;
        error: skip; end: skip; }";
    check(text, false);
}

#[test]
fn numbers_that_grow_without_bound_end_a_run() {
    let text = "main process squares {
        var x : int
        init loc A
        loc B
        error loc E
        A -> B { havoc x }
        B -> B { x := x * x + 2 }
        B -> E { assume x * x = x + 1 }
    }";
    let verdict = verdict_in("theta-cfa", "greybox", text);
    assert!(matches!(verdict, Verdict::Unknown(Reason::Bounded(_))), "{verdict:?}");
}
