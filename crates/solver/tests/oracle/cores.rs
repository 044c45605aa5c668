//! Cores where the assumptions are awkward.

use crate::support::finite_backends;
use tamis_solver::Answer;
use tamis_term::{Fun, Sort, Term, Terms};

/// Facts and assumptions over Boolean `x` and `y` and a four-bit `n`.
struct World {
    terms: Terms,
    x: Term,
    not_x: Term,
    y: Term,
    n: Term,
}

fn world() -> World {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.declare(name, Sort::Bool)).map(|var| terms.var(var));
    let n = terms.declare("n", Sort::BitVec(4));
    let n = terms.var(n);
    let not_x = terms.not(x);
    World { terms, x, not_x, y, n }
}

/// The core that all backends find.
fn core(terms: &Terms, facts: &[Term], assumptions: &[Term]) -> Vec<Term> {
    let [one, other] = finite_backends().map(|mut solver| {
        for fact in facts {
            solver.assert(terms, *fact).unwrap();
        }
        match solver.check(terms, assumptions).unwrap() {
            Answer::Unsat(core) => core.assumptions().to_vec(),
            answer @ (Answer::Sat(_) | Answer::Unknown(_)) => panic!("{answer:?}"),
        }
    });
    assert_eq!(one, other);
    one
}

#[test]
fn contradictory_facts_need_no_assumption() {
    let World { terms, x, not_x, y, .. } = world();
    assert_eq!(core(&terms, &[x, not_x], &[y]), []);
}

#[test]
fn a_false_fact_needs_no_assumption() {
    let World { mut terms, y, .. } = world();
    let no = terms.bool(false);
    assert_eq!(core(&terms, &[no], &[y]), []);
}

#[test]
fn a_false_assumption_is_a_core() {
    let World { mut terms, x, y, .. } = world();
    let no = terms.bool(false);
    assert_eq!(core(&terms, &[x], &[y, no, no]), [no]);
}

#[test]
fn an_assumption_that_folds_to_false_is_a_core() {
    let World { mut terms, n, y, .. } = world();
    let differs = terms.raw_app(Fun::BvUlt, &[n, n]).unwrap();
    assert_eq!(core(&terms, &[], &[y, differs]), [differs]);
}

#[test]
fn true_assumptions_are_never_needed() {
    let World { mut terms, x, not_x, .. } = world();
    let yes = terms.bool(true);
    assert_eq!(core(&terms, &[x], &[yes, not_x, yes]), [not_x]);
}

#[test]
fn repeated_assumptions_are_named_once() {
    let World { terms, x, not_x, y, .. } = world();
    assert_eq!(core(&terms, &[x], &[y, not_x, y, not_x]), [not_x]);
}

#[test]
fn different_terms_of_one_literal_are_named_once() {
    let World { mut terms, x, not_x, y, .. } = world();
    let twice = terms.raw_app(Fun::And, &[not_x, not_x]).unwrap();
    assert_ne!(twice, not_x);
    assert_eq!(core(&terms, &[x], &[y, twice, not_x]), [twice]);
}

#[test]
fn opposite_assumptions_are_both_needed() {
    let World { terms, x, not_x, y, .. } = world();
    assert_eq!(core(&terms, &[], &[x, y, not_x]), [x, not_x]);
}

#[test]
fn an_assumption_that_the_facts_refute_stands_alone() {
    let World { mut terms, x, y, n, .. } = world();
    let (three, eight) = (terms.bv(4, 3), terms.bv(4, 8));
    let (small, large) = (terms.bvult(n, three), terms.bvule(eight, n));
    assert_eq!(core(&terms, &[small], &[x, y, large]), [large]);
}

#[test]
fn facts_in_scopes_are_no_part_of_a_core() {
    let World { terms, x, not_x, y, .. } = world();
    for mut solver in finite_backends() {
        solver.push();
        solver.assert(&terms, y).unwrap();
        solver.push();
        solver.assert(&terms, x).unwrap();
        match solver.check(&terms, &[y, not_x]).unwrap() {
            Answer::Unsat(core) => assert_eq!(core.assumptions(), [not_x]),
            answer @ (Answer::Sat(_) | Answer::Unknown(_)) => panic!("{answer:?}"),
        }
    }
}
