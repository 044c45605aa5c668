//! Interpolating solvers as processes, each with commands of its own.

use crate::problems::{Problem, Shape, for_a_while, random, shapes};
use fastrand::Rng;
use std::time::{Duration, Instant};
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts, Validity, external::External, qe, valid};
use tamis_solver::{Answer, Chosen, Error, Limit, Solvers};
use tamis_term::{Sort, Term, Terms};
use tamis_testing::find;
use tamis_testing::tools::CVC5;

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

/// A solver that leaves a contradiction to the other parts wherever they have one.
const LAZY: &str = r#"
while IFS= read -r line; do
    case $line in
    *'(get-interpolant '*) name=${line#*'(get-interpolant '}; name=${name%% *} ;;
    esac
    case $line in
    *'(get-interpolant '*false*) echo "(define-fun $name () Bool true)" ;;
    *'(get-interpolant '*) echo "(define-fun $name () Bool false)" ;;
    '(echo '*) mark=${line#*\"}; echo "${mark%%\"*}" ;;
    esac
done
"#;

#[test]
fn parts_do_not_leave_the_contradiction_to_each_other() {
    let mut terms = Terms::new();
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let parts = Parts { formulas: vec![no, no, yes, yes], parents: vec![2, 3, 3] };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lazy-cvc5.sh");
    std::fs::write(&path, LAZY).unwrap();
    let found = External::new(solvers(format!("sh {}", path.display()))).interpolate(&mut terms, &parts);
    assert_eq!(found, Ok(Interpolation::Interpolants(vec![yes, no, yes])));
}

/// How many answers are wanted of a solver for each theory, and how many it must give. The
/// searches of cvc5 are long where there are many numbers.
const WANTED: usize = 10;
const LEAST: &[(&str, usize)] =
    &[("Bool", WANTED), ("bit-vectors", WANTED), ("arrays", WANTED), ("mixed", WANTED), ("Int", 5), ("Real", 2)];

/// How long a question may take, and all questions of a theory.
const PATIENCE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(6)];

/// Small problems of a theory.
fn problems(theory: &str) -> impl Iterator<Item = Problem> {
    let shapes: Vec<Shape> = shapes(theory)
        .into_iter()
        .map(|mut shape| {
            if ["Int", "Real"].contains(&theory) {
                shape.state.truncate(1);
            }
            Shape { nodes: (2, 3), ..shape }
        })
        .collect();
    (0..20).flat_map(move |seed| {
        shapes.clone().into_iter().filter_map(move |shape| random(&mut Rng::with_seed(seed), &shape))
    })
}

/// How many questions a solver answers. Every answer is right.
fn answers(command: &str, theory: &str) -> usize {
    let [limit, patience] = PATIENCE;
    let (start, mut asked, mut valids, mut undecided) = (Instant::now(), 0, 0, 0);
    for Problem { mut terms, parts } in problems(theory) {
        if valids == WANTED || start.elapsed() > patience {
            break;
        }
        asked += 1;
        let limit = Limit { time: Some(limit), steps: None };
        let solvers = Solvers { limit, ..solvers(command.to_owned()) };
        match External::new(solvers).interpolate(&mut terms, &parts) {
            Ok(Interpolation::Interpolants(found)) => {
                let mut solver = for_a_while(patience).fresh(&terms, &parts.formulas).unwrap();
                match valid(&mut terms, &parts, &found, solver.as_mut()).unwrap() {
                    Validity::Valid => valids += 1,
                    Validity::Undecided(_) => undecided += 1,
                    Validity::Invalid(why) => {
                        let show = |formulas: &[Term]| -> Vec<String> {
                            formulas.iter().map(|term| terms.smtlib(*term).to_string()).collect()
                        };
                        let (of, found) = (show(&parts.formulas), show(&found));
                        panic!("{theory}: {why}: {found:#?} of {of:#?} below {:?}", parts.parents);
                    }
                }
            }
            Ok(Interpolation::Satisfiable) => panic!("{theory}: the parts contradict each other: {:?}", parts.formulas),
            Ok(Interpolation::Unknown(why)) => println!("{theory}: {why}"),
            // Some say that they do not support a question, and end.
            Err(error) => println!("{theory}: {error}"),
        }
    }
    println!("{theory}: of {asked} questions {valids} have valid answers, {undecided} undecided ones");
    valids
}

/// The solver is cvc5, or the command that the variable names. Of others it is not known which
/// theories they have.
#[test]
fn a_solver_at_hand_interpolates() {
    let named = std::env::var("TAMIS_TEST_INTERPOLATOR").ok();
    let all = named.is_none();
    let Some(command) = named.or_else(|| Some(find(&CVC5)?.display().to_string())) else { return };
    let enough = LEAST.iter().filter(|(theory, least)| {
        let found = answers(&command, theory);
        assert!(found >= *least || !all, "{command} answers {found} questions about {theory} only");
        found >= *least
    });
    assert!(enough.count() > 0, "{command} answers hardly any question");
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
