//! Corrupted interpolants: what brute force refutes is rejected.

use crate::brute;
use crate::problems::{Problem, formula, random, shapes};
use fastrand::Rng;
use tamis_solver::Solvers;
use tamis_solver::interpolation::{Interpolation, Parts, Validity, by_name, valid};
use tamis_term::{Sort, Term, Terms};

/// Changes one interpolant, or exchanges two.
fn corrupt(random: &mut Rng, terms: &mut Terms, parts: &Parts, interpolants: &mut Vec<Term>) {
    let at = random.usize(..interpolants.len());
    let shared: Vec<Term> = parts.shared(terms)[at].iter().map(|var| terms.var(*var)).collect();
    let other = formula(random, terms, &shared, 1);
    let old = interpolants[at];
    match random.u8(..7) {
        0 => interpolants[at] = terms.not(old),
        1 => {
            let foreign = terms.declare("foreign", Sort::Bool);
            let foreign = terms.var(foreign);
            interpolants[at] = terms.and(&[old, foreign]);
        }
        2 => {
            let next = (at + 1) % interpolants.len();
            interpolants.swap(at, next);
        }
        3 => interpolants[at] = terms.or(&[old, other]),
        4 => interpolants[at] = terms.and(&[old, other]),
        5 => interpolants[at] = terms.bool(random.bool()),
        _ => {
            interpolants.remove(at);
        }
    }
}

#[test]
fn what_brute_force_refutes_is_rejected() {
    let (mut accepted, mut rejected) = (0, 0);
    for theory in ["Bool", "bit-vectors", "arrays"] {
        for (shape, seed) in shapes(theory).iter().flat_map(|shape| (0..25).map(move |seed| (shape, seed))) {
            let mut rng = Rng::with_seed(seed);
            let Some(Problem { mut terms, parts }) = random(&mut rng, shape) else { continue };
            let solvers = Solvers::default();
            let source = by_name("proof").unwrap();
            let found = (source.make)(&solvers).interpolate(&mut terms, &parts).unwrap();
            let Interpolation::Interpolants(good) = found else { panic!("{theory} {seed}: {found:?}") };
            for _ in 0..8 {
                let mut bad = good.clone();
                corrupt(&mut rng, &mut terms, &parts, &mut bad);
                let Some(expected) = brute::valid(&mut terms, &parts, &bad) else { continue };
                let mut solver = solvers.fresh(&terms, &parts.formulas).unwrap();
                let verdict = valid(&mut terms, &parts, &bad, solver.as_mut()).unwrap();
                assert_eq!(verdict == Validity::Valid, expected, "{theory}, seed {seed}: {verdict:?}");
                accepted += usize::from(expected);
                rejected += usize::from(!expected);
            }
        }
    }
    assert!(accepted > 20 && rejected > 500, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn what_is_no_formula_is_rejected() {
    let mut terms = Terms::new();
    let (yes, no, number) = (terms.bool(true), terms.bool(false), terms.int(3));
    let parts = Parts::pair(yes, no);
    let mut ask = |interpolants: &[Term]| {
        let mut solver = Solvers::default().fresh(&terms, &parts.formulas).unwrap();
        valid(&mut terms, &parts, interpolants, solver.as_mut()).unwrap()
    };
    assert_eq!(ask(&[yes]), Validity::Valid);
    assert!(matches!(ask(&[number]), Validity::Invalid(_)));
    assert!(matches!(ask(&[no]), Validity::Invalid(_)));
    assert!(matches!(ask(&[yes, no]), Validity::Invalid(_)));
    assert!(matches!(ask(&[]), Validity::Invalid(_)));
}
