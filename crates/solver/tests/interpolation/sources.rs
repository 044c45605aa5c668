//! Every source on every theory: what it answers is valid.

use crate::brute;
use crate::problems::{Problem, THEORIES, declare, for_a_while, random, shapes};
use fastrand::Rng;
use std::time::Duration;
use tamis_solver::interpolation::proof::{Proof, System};
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts, SOURCES, Source, Validity, valid};
use tamis_solver::{Solvers, StopSignal, Why};
use tamis_term::{Sort, Terms};

/// How long a source, and a validation, may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a source answered.
#[derive(Default)]
struct Tally {
    asked: usize,
    answered: usize,
}

/// Asks a source, and validates what it answers by a solver and by brute force.
fn check(source: &Source, problem: &mut Problem, tally: &mut Tally, what: &str) {
    let solvers = for_a_while(PATIENCE);
    let Problem { terms, parts } = problem;
    tally.asked += 1;
    let mut interpolator = (source.make)(&solvers);
    assert_eq!(interpolator.name(), source.name);
    match interpolator.interpolate(terms, parts).unwrap() {
        Interpolation::Interpolants(found) => {
            tally.answered += 1;
            let mut solver = for_a_while(PATIENCE).fresh(terms, &parts.formulas).unwrap();
            let answer = valid(terms, parts, &found, solver.as_mut()).unwrap();
            let texts: Vec<String> = found.iter().map(|term| terms.smtlib(*term).to_string()).collect();
            match answer {
                Validity::Valid => {}
                // Questions about infinite arrays may be hard.
                Validity::Undecided(Why::Interrupted) => {}
                Validity::Invalid(_) | Validity::Undecided(_) => panic!("{what}: {answer:?}: {texts:#?}"),
            }
            assert_ne!(brute::valid(terms, parts, &found), Some(false), "{what}: {texts:#?}");
        }
        Interpolation::Satisfiable => panic!("{what}: the parts contradict each other"),
        Interpolation::Unknown(why) => println!("{what}: {why}"),
    }
}

/// Asks all sources about random problems of a theory.
fn survey(theory: &str, count: u64) {
    let mut tallies: Vec<Tally> = SOURCES.iter().map(|_| Tally::default()).collect();
    for (at, shape) in shapes(theory).iter().enumerate() {
        for seed in 0..count {
            let Some(mut problem) = random(&mut Rng::with_seed(seed), shape) else { continue };
            for (source, tally) in SOURCES.iter().zip(&mut tallies) {
                let what = format!("{} on {theory}, shape {at}, seed {seed}", source.name);
                check(source, &mut problem, tally, &what);
            }
        }
    }
    for (source, tally) in SOURCES.iter().zip(tallies) {
        let handles = shapes(theory)[0].state.iter().all(|sort| source.sorts.include(sort));
        println!("{theory:12} {:16} {} of {}", source.name, tally.answered, tally.asked);
        assert!(tally.asked > 0, "{theory}: no problem was found");
        let has_solver = source.name != "external";
        assert!(!handles || !has_solver || tally.answered > 0, "{} answers nothing on {theory}", source.name);
    }
}

#[test]
fn interpolants_of_booleans_are_valid() {
    survey(THEORIES[0], 60);
}

#[test]
fn interpolants_of_bit_vectors_are_valid() {
    survey(THEORIES[1], 15);
}

#[test]
fn interpolants_of_arrays_are_valid() {
    survey(THEORIES[2], 15);
}

#[test]
fn interpolants_of_integers_are_valid() {
    survey(THEORIES[3], 30);
}

#[test]
fn interpolants_of_reals_are_valid() {
    survey(THEORIES[4], 30);
}

#[test]
fn interpolants_of_mixed_sorts_are_valid() {
    survey(THEORIES[5], 6);
}

/// Two words that take the same steps in different ways, and differ in the end.
fn twins(width: u32, steps: usize) -> Problem {
    let mut terms = Terms::new();
    let sort = Sort::BitVec(width);
    let mut now = declare(&mut terms, "s0_", &[sort.clone(), sort.clone()]);
    let mut formulas = vec![terms.eq(now[0], now[1])];
    for step in 1..=steps {
        let input = declare(&mut terms, &format!("i{step}_"), std::slice::from_ref(&sort))[0];
        let next = declare(&mut terms, &format!("s{step}_"), &[sort.clone(), sort.clone()]);
        let three = terms.bv(width, 3);
        let sum = terms.bvadd(now[0], input);
        let one = terms.bvmul(sum, three);
        let (product, other) = (terms.bvmul(now[1], three), terms.bvmul(input, three));
        let other = terms.bvadd(product, other);
        let (one, other) = (terms.eq(next[0], one), terms.eq(next[1], other));
        formulas.push(terms.and(&[one, other]));
        now = next;
    }
    formulas.push(terms.distinct(now[0], now[1]));
    Problem { terms, parts: Parts::chain(formulas) }
}

#[test]
fn proofs_with_forgotten_lemmas_are_checked() {
    let Problem { mut terms, parts } = twins(4, 5);
    let mut proof = Proof::new(System::McMillan, StopSignal::never());
    let found = proof.interpolate(&mut terms, &parts).unwrap();
    let Interpolation::Interpolants(found) = found else { panic!("{found:?}") };
    assert!(proof.effort().learnt > 8000, "the search forgets nothing: {:?}", proof.effort());
    let mut solver = Solvers::default().fresh(&terms, &parts.formulas).unwrap();
    assert_eq!(valid(&mut terms, &parts, &found, solver.as_mut()), Ok(Validity::Valid));
    let sizes: Vec<usize> = found.iter().map(|term| terms.dag_size(*term)).collect();
    assert!(sizes.iter().all(|size| *size < 50), "that both are equal is short: {sizes:?}");
}

#[test]
fn what_is_no_tree_is_refused() {
    let mut terms = Terms::new();
    let (yes, number) = (terms.bool(true), terms.int(1));
    for source in SOURCES {
        for (formulas, parents) in [(vec![], vec![]), (vec![yes; 2], vec![0]), (vec![yes, number], vec![1])] {
            let parts = Parts { formulas, parents };
            assert!((source.make)(&Solvers::default()).interpolate(&mut terms, &parts).is_err(), "{}", source.name);
        }
    }
}

#[test]
fn whoever_must_stop_stops() {
    let Problem { mut terms, parts } = twins(8, 8);
    for source in SOURCES {
        let found = (source.make)(&for_a_while(Duration::from_millis(200))).interpolate(&mut terms, &parts).unwrap();
        match found {
            Interpolation::Unknown(_) | Interpolation::Interpolants(_) => {}
            Interpolation::Satisfiable => panic!("{}: they contradict each other", source.name),
        }
    }
}
