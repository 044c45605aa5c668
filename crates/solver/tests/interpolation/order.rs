//! The portfolio: what it tries, and what it does not believe.

use crate::problems::{Problem, THEORIES, random, shapes};
use fastrand::Rng;
use std::time::Duration;
use tamis_solver::interpolation::portfolio::Config;
use tamis_solver::interpolation::{
    Interpolation, Interpolator, Parts, Portfolio, Sorts, Source, Validity, by_name, valid,
};
use tamis_solver::{Error, Solvers, StopSignal, Why};
use tamis_term::{Sort, Terms};

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
