//! Interpolating solvers as processes, each with commands of its own.

use crate::problems::{Problem, random, shapes};
use fastrand::Rng;
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts, Validity, external::External, qe, valid};
use tamis_solver::{Answer, Chosen, Error, Solvers};
use tamis_term::{Sort, Terms};

fn solvers(command: String) -> Solvers {
    Solvers { chosen: Chosen::Command(command), ..Solvers::default() }
}

#[test]
fn every_dialect_is_spoken() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.declare(name, Sort::Bool)).map(|var| terms.var(var));
    let (forth, not_z) = (terms.implies(y, z), terms.not(z));
    let parts = Parts::chain(vec![terms.and(&[x, y]), forth, not_z]);
    let script = include_str!("fake.sh");
    for name in ["smtinterpol", "opensmt", "mathsat", "cvc5", "z3"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("fake-{name}.sh"));
        std::fs::write(&path, script).unwrap();
        let found = External::new(solvers(format!("sh {}", path.display()))).interpolate(&mut terms, &parts);
        assert_eq!(found, Ok(Interpolation::Interpolants(vec![y, z])), "{name}");
    }
}

#[test]
fn whoever_cannot_interpolate_says_so() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::Bool);
    let x = terms.var(x);
    let parts = Parts::pair(x, terms.not(x));
    let mut ask = |solvers: Solvers| External::new(solvers).interpolate(&mut terms, &parts);
    assert!(matches!(ask(Solvers::default()), Ok(Interpolation::Unknown(_))));
    assert!(matches!(ask(solvers("yices-smt2 --incremental".to_owned())), Ok(Interpolation::Unknown(_))));
    assert!(matches!(ask(solvers("no-such-mathsat".to_owned())), Err(Error::Backend(_))));
    assert!(matches!(ask(solvers("echo cvc5".to_owned())), Err(Error::Backend(_))));
}

/// Where an interpolating solver is at hand, this variable names its command.
#[test]
fn a_solver_at_hand_interpolates() {
    let Ok(command) = std::env::var("TAMIS_TEST_INTERPOLATOR") else { return };
    for theory in ["Bool", "bit-vectors", "Int", "Real", "arrays"] {
        let (mut asked, mut valids, mut wrong) = (0, 0, 0);
        for shape in shapes(theory) {
            for seed in 0..20 {
                let Some(mut problem) = random(&mut Rng::with_seed(seed), &shape) else { continue };
                let Problem { terms, parts } = &mut problem;
                asked += 1;
                let found = External::new(solvers(command.clone())).interpolate(terms, parts);
                let Ok(Interpolation::Interpolants(found)) = found else { continue };
                let mut solver = Solvers::default().fresh(terms, &[]).unwrap();
                match valid(terms, parts, &found, solver.as_mut()).unwrap() {
                    Validity::Valid => valids += 1,
                    Validity::Invalid(_) | Validity::Undecided(_) => wrong += 1,
                }
            }
        }
        println!("{theory}: of {asked} questions {valids} have valid answers, {wrong} have wrong ones");
    }
}

/// Formulas, what is eliminated, and what remains in other words.
const ELIMINATED: &[(&str, &str, &str)] = &[
    ("(and (< x y) (< y z))", "y", "(< (+ x 1) z)"),
    ("(= x (* 2 y))", "y", "(= (mod x 2) 0)"),
    ("(and (< p q) (< q r))", "q", "(< p r)"),
    ("(= u (bvmul v #b010))", "v", "(= ((_ extract 0 0) u) #b0)"),
    ("(or (and b (< x y)) (and (not b) (< y x)))", "b", "(distinct x y)"),
    ("(< x y)", "z", "(< x y)"),
    ("(< x y)", "x", "true"),
];

#[test]
fn what_is_eliminated_leaves_the_rest() {
    let mut terms = Terms::new();
    for (names, sort) in [("xyz", Sort::Int), ("pqr", Sort::Real), ("uv", Sort::BitVec(3)), ("b", Sort::Bool)] {
        for name in names.chars() {
            terms.declare(&name.to_string(), sort.clone());
        }
    }
    for (formula, var, expected) in ELIMINATED {
        let (formula, expected) = (terms.read(formula).unwrap(), terms.read(expected).unwrap());
        let var = terms.find_var(var).unwrap();
        let found = qe::eliminate(&mut terms, &Solvers::default(), formula, &[var]).unwrap();
        let Some(found) = found else { panic!("{}", terms.smtlib(formula)) };
        let differ = terms.xor(found, expected);
        let mut solver = Solvers::default().fresh(&terms, &[differ]).unwrap();
        let answer = solver.check(&terms, &[differ]).unwrap();
        assert!(matches!(answer, Answer::Unsat(_)), "{}", terms.smtlib(found));
    }
}
