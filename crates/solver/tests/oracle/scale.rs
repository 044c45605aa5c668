//! Terms that are large: no recursion, no quadratic steps.

use crate::support::{audited, finite_backends, is_sat};
use tamis_solver::diagrams::{self, Order};
use tamis_solver::{Diagrams, Solver, StopSignal};
use tamis_term::{Sort, Term, Terms};

#[test]
fn a_million_deep() {
    let mut terms = Terms::new();
    let vars = [0; 3].map(|_| terms.declare("x", Sort::Bool));
    let vars = vars.map(|var| terms.var(var));
    let mut term = vars[0];
    for i in 0..500_000 {
        let both = terms.and(&[term, vars[1 + i % 2]]);
        term = terms.xor(both, vars[(i + 1) % 2]);
    }
    for mut solver in finite_backends() {
        solver.assert(&terms, term).unwrap();
        is_sat(solver.as_mut(), &terms, &[]);
        assert!(is_sat(solver.as_mut(), &terms, &[term]));
    }
}

#[test]
fn a_hundred_thousand_wide() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..100_000)
        .map(|_| {
            let var = terms.declare("x", Sort::Bool);
            terms.var(var)
        })
        .collect();
    let (all, any) = (terms.and(&vars), terms.or(&vars));
    let (some_fails, none) = (terms.not(all), terms.not(any));
    let first_fails = terms.not(vars[0]);
    let roomy = diagrams::Config { nodes: 1 << 21, cache: 1 << 16 };
    let roomy = Diagrams::new(roomy, StopSignal::never(), Order::default());
    let backends: [Box<dyn Solver>; 2] = [Box::new(audited()), Box::new(roomy)];
    for mut solver in backends {
        solver.assert(&terms, any).unwrap();
        assert!(is_sat(solver.as_mut(), &terms, &[some_fails]));
        assert!(!is_sat(solver.as_mut(), &terms, &[none]));
        solver.assert(&terms, all).unwrap();
        assert!(!is_sat(solver.as_mut(), &terms, &[some_fails]));
        assert!(!is_sat(solver.as_mut(), &terms, &[first_fails]));
    }
}

/// A decision diagram for "the number of true variables is odd or divisible by three".
#[test]
fn diagrams_stay_linear() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..300)
        .map(|_| {
            let var = terms.declare("x", Sort::Bool);
            terms.var(var)
        })
        .collect();
    let diagram = |terms: &mut Terms, order: &[Term]| {
        let mut layer: Vec<Term> = (0..6).map(|n| terms.bool(n % 2 == 1 || n % 3 == 0)).collect();
        for var in order {
            layer = (0..6).map(|n| terms.ite(*var, layer[(n + 1) % 6], layer[n])).collect();
        }
        layer[0]
    };
    let (one, other) = (diagram(&mut terms, &vars), diagram(&mut terms, &vars));
    let differ = terms.raw_app(tamis_term::Fun::Xor, &[one, other]).unwrap();
    let mut solver = audited();
    assert!(!is_sat(&mut solver, &terms, &[differ]));
    assert!(is_sat(&mut solver, &terms, &[one]));
    assert!(solver.effort().gates < 6 * 300 + 301);
}
