//! Random formulas over few bits: the answer, the model and the core against brute force.

use crate::garden::{Dice, Garden};
use crate::support::{Truth, backends, check_against};
use proptest::prelude::*;
use tamis_solver::{Answer, Limit, Why};
use tamis_term::Sort;

/// At most ten bits of variables each.
fn sorts() -> Vec<Vec<Sort>> {
    let (bit, two, three) = (Sort::BitVec(1), Sort::BitVec(2), Sort::BitVec(3));
    let nested = Sort::array(Sort::Bool, Sort::array(bit.clone(), bit.clone()));
    vec![
        vec![Sort::Bool, Sort::Bool, Sort::Bool, Sort::Bool],
        vec![Sort::Bool, three.clone(), three.clone()],
        vec![Sort::BitVec(5), Sort::BitVec(5)],
        vec![bit.clone(), two.clone(), Sort::BitVec(4), two.clone()],
        vec![Sort::BitVec(3), Sort::BitVec(3), Sort::BitVec(3)],
        vec![Sort::array(two.clone(), two.clone()), two.clone()],
        vec![Sort::array(bit.clone(), two.clone()), Sort::array(bit.clone(), two.clone()), bit.clone()],
        vec![Sort::array(Sort::Bool, Sort::Bool), Sort::array(three, Sort::Bool)],
        vec![nested.clone(), nested, bit],
        // Arrays that are read with arrays.
        vec![Sort::array(Sort::array(Sort::Bool, Sort::Bool), Sort::Bool), Sort::array(Sort::Bool, Sort::Bool), two],
    ]
}

fn agree(which: usize, rolls: Vec<u32>) {
    let mut garden = Garden::new(&sorts()[which]);
    let mut dice = Dice::new(rolls);
    let (facts, assumptions) = (dice.below(4), dice.below(5));
    while !dice.is_empty() {
        garden.grow(&mut dice);
    }
    let booleans = garden.booleans();
    let mut last = booleans.iter().rev().copied();
    let facts: Vec<_> = last.by_ref().take(facts).collect();
    let assumptions: Vec<_> = last.take(assumptions).collect();
    let truth = Truth::new(&garden.terms, &garden.vars, booleans);
    // Z3 does not always have a constant for an array that is read with arrays.
    let nested = |sort: &Sort| matches!(sort, Sort::Array(array) if matches!(array.index, Sort::Array(_)));
    let count = if sorts()[which].iter().any(nested) { 2 } else { 3 };
    for mut solver in backends().into_iter().take(count) {
        for fact in &facts {
            solver.assert(&garden.terms, *fact).unwrap();
        }
        check_against(&truth, &garden.terms, solver.as_mut(), &facts, &assumptions);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn answers_agree_with_brute_force(
        which in 0..sorts().len(),
        rolls in prop::collection::vec(any::<u32>(), 20..160),
    ) {
        agree(which, rolls);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Formulas that are too wide for brute force but have a known solution: claiming that
    /// there is none would be the worst error of all.
    #[test]
    fn what_has_a_solution_is_satisfiable(
        seeds in prop::collection::vec(any::<u64>(), 3),
        rolls in prop::collection::vec(any::<u32>(), 100..300),
    ) {
        let sorts = [Sort::BitVec(12), Sort::BitVec(12), Sort::array(Sort::BitVec(2), Sort::BitVec(12))];
        let mut garden = Garden::new(&sorts[..2]);
        garden.max_width = 16;
        let array = garden.terms.declare("a", sorts[2].clone());
        garden.vars.push(array);
        let array = garden.terms.var(array);
        garden.pool.push(array);
        let mut dice = Dice::new(rolls);
        while !dice.is_empty() {
            garden.grow(&mut dice);
        }
        let vars = garden.vars.clone();
        let plan = |var: tamis_term::Var| {
            let place = vars.iter().position(|v| *v == var).unwrap();
            crate::support::planted(&sorts[place], seeds[place])
        };
        let mut backends = backends();
        for fact in garden.booleans() {
            let holds = garden.terms.eval(fact, plan).as_bool();
            let fact = if holds { fact } else { garden.terms.not(fact) };
            for solver in &mut backends {
                solver.assert(&garden.terms, fact).unwrap();
            }
        }
        let [mut bits, mut diagrams, mut z3] = backends;
        prop_assert!(crate::support::is_sat(bits.as_mut(), &garden.terms, &[]));
        z3.limit(Limit { time: None, steps: Some(1_000_000) });
        prop_assert!(!matches!(z3.check(&garden.terms, &[]), Ok(Answer::Unsat(_))));
        match diagrams.check(&garden.terms, &[]).unwrap() {
            // Products of wide words have no small diagram.
            Answer::Sat(_) | Answer::Unknown(Why::OutOfMemory) => {}
            answer @ (Answer::Unsat(_) | Answer::Unknown(_)) => panic!("{answer:?}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// Formulas that are too wide for brute force: two backends that share nothing agree.
    #[test]
    fn bits_and_z3_agree(
        count in 1..6_usize,
        rolls in prop::collection::vec(any::<u32>(), 100..300),
    ) {
        let mut garden = Garden::new(&[Sort::BitVec(10), Sort::BitVec(10), Sort::BitVec(10), Sort::Bool]);
        garden.max_width = 12;
        let mut dice = Dice::new(rolls);
        while !dice.is_empty() {
            garden.grow(&mut dice);
        }
        let booleans = garden.booleans();
        let question = &booleans[booleans.len().saturating_sub(count)..];
        let [mut bits, _, mut z3] = backends();
        let [one, other] = [&mut bits, &mut z3].map(|solver| {
            solver.limit(Limit { time: None, steps: Some(1_000_000) });
            match solver.check(&garden.terms, question).unwrap() {
                Answer::Sat(_) => Some(true),
                Answer::Unsat(_) => Some(false),
                Answer::Unknown(_) => None,
            }
        });
        prop_assert!(one == other || one.is_none() || other.is_none(), "{one:?} and {other:?}");
    }
}
