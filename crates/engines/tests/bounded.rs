//! The bounded search finds errors at their depth, and proves only what ends. Random programs are
//! compared in `fuzz`.

use std::sync::Arc;
use tamis_cegar::Context;
use tamis_engines::driver::{Options, answer};
use tamis_engines::{Settings, by_name};
use tamis_ir::Sources;
use tamis_witness::{Reason, Verdict};

/// What the engine says about a program in C, up to a depth. Evidence is checked on the way.
fn verdict(text: &str, depth: u64) -> Verdict {
    let mut ctx = Context::default();
    let mut sources = Sources::new();
    let file = sources.add("program.c", text);
    let lowered = tamis_frontends::by_name("c").unwrap().lower_one(&mut ctx.terms, Arc::new(sources), file);
    let program = lowered.unwrap_or_else(|refused| panic!("{:?}", refused.errors)).program;
    let settings = Settings::from_iter([("bound", depth.to_string())]);
    let passes = vec![&tamis_ir::passes::PRUNE, &tamis_ir::passes::SLICE];
    let options = Options { engine: by_name("bounded").unwrap(), passes, settings };
    answer(&mut ctx, &options, &program, program.default.unwrap()).unwrap().verdict
}

/// The error is found at the depth, and not before.
fn found_at(text: &str, depth: u64) {
    let found = verdict(text, depth);
    assert!(matches!(found, Verdict::Unsafe(_)), "expected an error at depth {depth}: {found:?}");
    if let Some(less) = depth.checked_sub(1) {
        let found = verdict(text, less);
        assert!(matches!(&found, Verdict::Unknown(Reason::Bounded(k)) if *k == less), "expected a bound: {found:?}");
    }
}

const NONDET: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

fn c(body: &str) -> String {
    format!("{NONDET}{body}")
}

#[test]
fn an_input_is_computed() {
    found_at(
        &c("int main(void) { unsigned x = __VERIFIER_nondet_int(); if (x * 7 + 3 == 1000001) reach_error(); }"),
        0,
    );
}

#[test]
fn rounds_of_a_loop_are_the_depth() {
    let loops =
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; if (i == 5) reach_error(); }";
    found_at(&c(loops), 5);
}

#[test]
fn rounds_of_all_loops_count() {
    let loops = "int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = 0, j = 0;
        while (i < n) i++; while (j < m) j++; if (i == 3 && j == 2) reach_error(); }";
    found_at(&c(loops), 5);
}

#[test]
fn many_branches_are_one_question() {
    let branch = |k: u32| format!("if (__VERIFIER_nondet_int()) s += {}; else s ^= {};", 1 << (k % 30), k * 77);
    let branches: String = (0..60).map(branch).collect();
    let text = format!("int main(void) {{ unsigned s = 0; {branches} if (s % 1024 == 77) reach_error(); }}");
    found_at(&c(&text), 0);
}

#[test]
fn recursive_calls_count_and_return() {
    let text = "unsigned f(unsigned n) { if (n == 0) return 0; unsigned r = f(n - 1); return r + n; }
        int main(void) { unsigned n = __VERIFIER_nondet_int(); if (f(n) == 10) reach_error(); }";
    found_at(&c(text), 5);
}

#[test]
fn activations_keep_their_own_variables() {
    let text = "int g; void f(int n) { int own = n; g++; if (n > 0) f(n - 1); if (own != n) reach_error(); }
        int main(void) { f(__VERIFIER_nondet_int() & 3); if (g > 4) reach_error(); }";
    assert!(!matches!(verdict(&c(text), 6), Verdict::Unsafe(_)), "own keeps its value");
}

#[test]
fn memory_at_computed_addresses() {
    let text = "int a[1000]; int main(void) { unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
        if (i >= 1000 || j >= 1000) return 0; a[i] = 7; a[j] = 9; if (a[i] + a[j] == 16 && i > j + 500) reach_error(); }";
    found_at(&c(text), 0);
    let safe = "int a[1000]; int main(void) { for (;;) {
        unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
        if (i >= 1000 || j >= 1000 || i == j) continue; a[i] = 7; a[j] = 9; if (a[i] != 7) reach_error(); } }";
    let found = verdict(&c(safe), 2);
    assert!(matches!(found, Verdict::Unknown(Reason::Bounded(2))), "other cells stay: {found:?}");
}

#[test]
fn what_ends_is_proved() {
    for text in [
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 3) reach_error(); }",
        "int main(void) { int i = 0, s = 0; while (i < 4) { s += 2; i++; } if (s != 8) reach_error(); }",
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n > 3) n = 3;
            while (i < n) i++; if (i > 3) reach_error(); }",
    ] {
        let found = verdict(&c(text), 20);
        assert!(matches!(found, Verdict::Safe(_)), "expected a proof: {found:?}\n{text}");
    }
}

#[test]
fn what_does_not_end_is_no_proof() {
    let text = "int main(void) { unsigned i = 0; while (__VERIFIER_nondet_int()) i += 2; if (i == 7) reach_error(); }";
    let found = verdict(&c(text), 6);
    assert!(matches!(found, Verdict::Unknown(Reason::Bounded(6))), "{found:?}");
}
