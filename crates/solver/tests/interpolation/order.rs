//! The portfolio: what it tries, and what it does not believe.

use crate::problems::{Problem, THEORIES, random, shapes};
use fastrand::Rng;
use std::time::Duration;
use tamis_solver::interpolation::portfolio::{Choice, Config};
use tamis_solver::interpolation::{
    Interpolation, Interpolator, Parts, Portfolio, Sorts, Source, Validity, by_name, valid,
};
use tamis_solver::{Error, Solvers, StopSignal, Why};
use tamis_term::{Sort, Term, Terms};

/// Claims that the parts can be true together.
struct Optimist;
/// Has no reason for its interpolants.
struct Liar;
/// Breaks.
struct Wreck;

impl Interpolator for Optimist {
    fn name(&self) -> &'static str {
        "optimist"
    }
    fn interpolate(&mut self, _: &mut Terms, _: &Parts) -> Result<Interpolation, Error> {
        Ok(Interpolation::Satisfiable)
    }
}

/// Is right, and says more than it must.
struct Wordy;

impl Interpolator for Wordy {
    fn name(&self) -> &'static str {
        "wordy"
    }
    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        let shared = parts.shared(terms);
        let first = parts.formulas[0];
        let mut more = Vec::new();
        for vars in shared {
            let also: Vec<Term> = vars.into_iter().map(|var| terms.var(var)).collect();
            let also = terms.or(&also);
            more.push(terms.and(&[first, also]));
        }
        more.pop();
        Ok(Interpolation::Interpolants(more))
    }
}

static WORDY: Source = Source { name: "wordy", about: "", paper: "", sorts: Sorts::Any, make: |_| Box::new(Wordy) };

impl Interpolator for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }
    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        Ok(Interpolation::Interpolants(vec![terms.bool(false); parts.parents.len()]))
    }
}

impl Interpolator for Wreck {
    fn name(&self) -> &'static str {
        "wreck"
    }
    fn interpolate(&mut self, _: &mut Terms, _: &Parts) -> Result<Interpolation, Error> {
        Err(Error::Backend("it sank".to_owned()))
    }
}

static OPTIMIST: Source =
    Source { name: "optimist", about: "", paper: "", sorts: Sorts::Any, make: |_| Box::new(Optimist) };
static LIAR: Source = Source { name: "liar", about: "", paper: "", sorts: Sorts::Any, make: |_| Box::new(Liar) };
static WRECK: Source = Source { name: "wreck", about: "", paper: "", sorts: Sorts::Any, make: |_| Box::new(Wreck) };

/// `x`, then `x` again, then not `x`.
fn simple() -> (Terms, Parts) {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::Bool);
    let x = terms.var(x);
    let not = terms.not(x);
    (terms, Parts::chain(vec![x, x, not]))
}

#[test]
fn what_is_wrong_falls_through() {
    let (mut terms, parts) = simple();
    let order = vec![&OPTIMIST, &LIAR, &WRECK, by_name("proof").unwrap()];
    let config = Config { order, ..Config::default() };
    let mut portfolio = Portfolio::new(config, Solvers::default());
    let found = portfolio.interpolate(&mut terms, &parts).unwrap();
    assert_eq!(found, Interpolation::Interpolants(vec![parts.formulas[0]; 2]));
    let counts: Vec<_> = portfolio.tallies().iter().map(|t| (t.name, t.asked, t.answered, t.refuted)).collect();
    assert_eq!(counts, [("optimist", 1, 0, 1), ("liar", 1, 0, 1), ("wreck", 1, 0, 0), ("proof", 1, 1, 0)]);
}

/// `x`, then not `x`, each with something beside it that does not matter.
fn with_irrelevant_parts() -> (Terms, Parts) {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.declare(name, Sort::Bool)).map(|var| terms.var(var));
    let [not_x, not_z] = [x, z].map(|term| terms.not(term));
    let [one, other] = [[y, z], [y, not_z]].map(|pair| terms.or(&pair));
    let (first, last) = (terms.and(&[x, one]), terms.and(&[not_x, other]));
    (terms, Parts::chain(vec![first, last]))
}

/// How often two sources were asked and answered when there were so many questions, about
/// counterexamples of these lengths.
fn asked(lengths: &[usize]) -> [usize; 2] {
    let (mut terms, parts) = with_irrelevant_parts();
    let order = vec![&WORDY, by_name("literals").unwrap()];
    let mut portfolio =
        Portfolio::new(Config { order, choice: Choice::Learned, ..Config::default() }, Solvers::default());
    for length in lengths {
        portfolio.begin_round(*length);
        let found = portfolio.interpolate(&mut terms, &parts).unwrap();
        assert!(matches!(found, Interpolation::Interpolants(_)), "{found:?}");
    }
    let asked = |name| portfolio.tallies().iter().find(|tally| tally.name == name).map_or(0, |tally| tally.asked);
    ["wordy", "literals"].map(asked)
}

#[test]
fn who_says_less_goes_first_from_then_on() {
    // Both are asked at the first, the second and the fourth question.
    assert_eq!(asked(&[5; 5]), [3, 5]);
}

#[test]
fn who_excludes_one_round_of_a_loop_at_a_time_goes_back() {
    let (before, after) = (asked(&[3, 4, 5, 6]), asked(&[3, 4, 5, 6, 7, 8]));
    // From the fifth question on, the other one is asked.
    assert_eq!([after[0] - before[0], after[1] - before[1]], [2, 0]);
}

#[test]
fn failures_are_told() {
    let (mut terms, parts) = simple();
    let config = Config { order: vec![&LIAR, &WRECK], ..Config::default() };
    let found = Portfolio::new(config, Solvers::default()).interpolate(&mut terms, &parts).unwrap();
    let Interpolation::Unknown(Why::GaveUp(reason)) = found else { panic!("{found:?}") };
    assert!(reason.contains("liar: the interpolant of part 0 does not follow"), "{reason}");
    assert!(reason.contains("wreck: the solver broke: it sank"), "{reason}");
}

#[test]
fn what_is_satisfiable_is_said_to_be() {
    let (mut terms, mut parts) = simple();
    parts.formulas[2] = terms.bool(true);
    let found = Portfolio::new(Config::default(), Solvers::default()).interpolate(&mut terms, &parts).unwrap();
    assert_eq!(found, Interpolation::Satisfiable);
}

#[test]
fn sources_are_chosen_by_name() {
    let names = |text: &str| Config::named(text).map(|config| config.order.iter().map(|s| s.name).collect::<Vec<_>>());
    assert_eq!(names("proof, newton"), Ok(vec!["proof", "newton"]));
    assert_eq!(names(""), Ok(vec![]));
    assert!(matches!(names("proof,bones"), Err(Error::Backend(message)) if message.contains("bones")));
}

#[test]
fn a_portfolio_that_must_stop_stops() {
    let (mut terms, parts) = simple();
    let solvers = Solvers { stop: StopSignal::when(|| true), ..Solvers::default() };
    let found = Portfolio::new(Config::default(), solvers).interpolate(&mut terms, &parts).unwrap();
    assert_eq!(found, Interpolation::Unknown(Why::Interrupted));
    let hurried = Config { time: Duration::ZERO, ..Config::default() };
    let found = Portfolio::new(hurried, Solvers::default()).interpolate(&mut terms, &parts).unwrap();
    assert!(matches!(found, Interpolation::Unknown(Why::GaveUp(_)) | Interpolation::Interpolants(_)), "{found:?}");
}

#[test]
fn the_portfolio_answers_what_some_source_answers() {
    let mut asked = 0;
    for theory in THEORIES {
        for (shape, seed) in shapes(theory).iter().flat_map(|shape| (100..105).map(move |seed| (shape, seed))) {
            let Some(Problem { mut terms, parts }) = random(&mut Rng::with_seed(seed), shape) else { continue };
            let solvers = Solvers::default();
            let config = Config { time: Duration::from_secs(1), ..Config::default() };
            let mut portfolio = Portfolio::new(config, solvers.clone());
            asked += 1;
            match portfolio.interpolate(&mut terms, &parts).unwrap() {
                Interpolation::Interpolants(found) => {
                    let mut solver = solvers.fresh(&terms, &parts.formulas).unwrap();
                    assert_eq!(valid(&mut terms, &parts, &found, solver.as_mut()), Ok(Validity::Valid));
                }
                // Infinite sorts have no source that answers everything.
                Interpolation::Unknown(_) if matches!(theory, "Int" | "Real" | "mixed") => {}
                other @ (Interpolation::Satisfiable | Interpolation::Unknown(_)) => panic!("{theory}: {other:?}"),
            }
        }
    }
    assert!(asked > 60, "{asked} problems");
}
