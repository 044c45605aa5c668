//! Random sequences of assertions, scopes and checks against brute force.

use crate::garden::{Dice, Garden};
use crate::support::{Truth, audited, backends, check_against, is_sat};
use proptest::prelude::*;
use tamis_solver::{Solver, scoped};
use tamis_term::{Sort, Term, Terms};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn scopes_agree_with_brute_force(
        growth in prop::collection::vec(any::<u32>(), 50..300),
        steps in prop::collection::vec(any::<u32>(), 50..300),
    ) {
        let two = Sort::BitVec(2);
        let mut garden = Garden::new(&[Sort::BitVec(3), two.clone(), Sort::array(Sort::Bool, two), Sort::Bool]);
        let mut dice = Dice::new(growth);
        while !dice.is_empty() {
            garden.grow(&mut dice);
        }
        let booleans = garden.booleans();
        let truth = Truth::new(&garden.terms, &garden.vars, booleans.clone());
        for mut solver in backends() {
            run(&garden, &booleans, &truth, solver.as_mut(), Dice::new(steps.clone()));
        }
    }
}

/// Asserts, opens and closes scopes, and checks, as the dice say.
fn run(garden: &Garden, booleans: &[Term], truth: &Truth, solver: &mut dyn Solver, mut dice: Dice) {
    let mut scopes: Vec<Vec<Term>> = vec![Vec::new()];
    while !dice.is_empty() {
        match dice.below(8) {
            0 | 1 => {
                let fact = booleans[dice.below(booleans.len())];
                solver.assert(&garden.terms, fact).unwrap();
                scopes.last_mut().unwrap().push(fact);
            }
            2 | 3 => {
                solver.push();
                scopes.push(Vec::new());
            }
            4 if scopes.len() > 1 => {
                solver.pop();
                scopes.pop();
            }
            _ => {
                let count = dice.below(5);
                let assumptions: Vec<Term> = (0..count).map(|_| booleans[dice.below(booleans.len())]).collect();
                check_against(truth, &garden.terms, solver, &scopes.concat(), &assumptions);
            }
        }
    }
}

#[test]
fn what_was_popped_is_forgotten() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::Bool);
    let x = terms.var(x);
    let not_x = terms.not(x);
    for mut solver in backends() {
        solver.assert(&terms, x).unwrap();
        let inside = scoped(solver.as_mut(), |solver| {
            solver.assert(&terms, not_x).unwrap();
            is_sat(solver, &terms, &[])
        });
        assert!(!inside);
        assert!(is_sat(solver.as_mut(), &terms, &[]));
        assert!(!is_sat(solver.as_mut(), &terms, &[not_x]));
    }
}

/// Each question leaves its circuit behind; the solver must neither keep them all nor lose
/// the facts when it drops them.
#[test]
fn old_questions_are_dropped_and_facts_are_not() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::BitVec(16));
    let x = terms.var(x);
    let (limit, three) = (terms.bv(16, 100), terms.bv(16, 3));
    let (small, large) = (terms.bvult(x, limit), terms.bvult(three, x));
    let mut solver = audited();
    solver.assert(&terms, small).unwrap();
    solver.push();
    solver.assert(&terms, large).unwrap();
    let mut most = 0;
    for i in 0..200_u64 {
        let (factor, product) = (terms.bv(16, 2 * i + 1), terms.bv(16, (2 * i + 1) * 7));
        let multiple = terms.bvmul(x, factor);
        let seven = terms.eq(multiple, product);
        let (is_three, is_seven) = (terms.eq(x, three), {
            let seven = terms.bv(16, 7);
            terms.eq(x, seven)
        });
        assert!(is_sat(&mut solver, &terms, &[seven]));
        // An odd factor can be divided by, so x must be seven.
        let not_seven = terms.not(is_seven);
        assert!(!is_sat(&mut solver, &terms, &[seven, not_seven]));
        assert!(!is_sat(&mut solver, &terms, &[is_three]));
        most = most.max(solver.effort().defined);
    }
    assert!(most < 5000, "{most} gates were kept");
    solver.pop();
    let is_three = terms.eq(x, three);
    assert!(is_sat(&mut solver, &terms, &[is_three]));
}
