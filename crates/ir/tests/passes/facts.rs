//! Constants and copies: what is known, where it is lost, and that weak proofs come back.

use crate::build::{build, error};
use crate::explicit;
use tamis_ir::Proof;
use tamis_ir::passes::propagate::propagate;

/// Expects the program after propagation, as text.
fn check(text: &str, expected: &str) {
    let mut built = build(text);
    let (new, back) = propagate(&mut built.terms, &built.program, error());
    assert_eq!(built.show(&new).trim(), expected.trim());
    // Control does not get to the error any more, and nothing else has to be said.
    let (always, homes) = (built.terms.bool(true), explicit::homes(&new));
    let mut proof = Proof::default();
    proof.invariants.extend(homes.keys().map(|loc| (*loc, always)));
    proof.summaries.extend(new.procs().map(|(id, _)| (id, always)));
    let proof = back.proof(&mut built.terms, proof);
    assert_eq!(explicit::check(&built.terms, &built.program, error(), &proof), Ok(()));
}

// What the parameter is does not matter, so nothing is kept of it.
#[test]
fn a_global_that_a_callee_keeps_is_known_after_the_call() {
    check(
        "globals (g)
         proc main() locals (x)
         entry -> a: g := true
         a -> b: x := call f(g)
         b -> error: assume !g
         b -> exit: assume g
         proc f(p) returns (r) locals ()
         entry -> exit: r := p",
        "globals (g)
proc main() returns () locals (main::x)
  0 -> 4: g := true
  4 -> 5: main::x := call f(true)
  5 -> 1: assume true
proc f(f::p) returns (f::r) locals ()
  2 -> 3: f::r := f::p",
    );
}

#[test]
fn a_result_is_known_after_the_call() {
    check(
        "globals (g)
         proc main() locals (x y)
         entry -> a: x := call f()
         a -> b: y := x
         b -> error: assume !y
         proc f() returns (r)
         entry -> exit: r g := true g",
        "globals (g)
proc main() returns () locals (main::x main::y)
  0 -> 4: main::x := call f()
  4 -> 5: main::y := true
proc f() returns (f::r) locals ()
  2 -> 3: f::r g := true g",
    );
}

#[test]
fn a_condition_tells_what_it_says_until_the_variable_is_written() {
    check(
        "proc main() locals (x y)
         entry -> a: assume x
         a -> b: y := x
         b -> c: havoc x
         c -> error: assume !y
         c -> exit: assume x",
        "globals ()
proc main() returns () locals (main::x main::y)
  0 -> 2: assume main::x
  2 -> 3: main::y := true
  3 -> 4: havoc main::x
  4 -> 1: assume main::x",
    );
}
