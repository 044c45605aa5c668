//! The configurable framework: which domain, refiner and search make up an engine (Hajdu, Tóth,
//! Vörös, Majzik, FORTE 2016, section 5). Each of its six configurations is a row of
//! [`CONFIGURATIONS`].
//!
//! Files: [`knobs`] (the parts that a user can exchange), [`choose`](mod@choose) (which
//! configurations suit a system).

pub mod choose;
pub mod knobs;

pub use knobs::{KNOBS, Knob, adjust};

use crate::tree::{self, Order, Prune};
use tamis_cegar::{Context, Domain, Outcome, Stop};
use tamis_domains::{Accuracy, Granularity, Learn, Pieces, Predicates, Product, Start, Tracked};
use tamis_ir::{Extracted, Program, PropertyId};
use tamis_refiners::interpolation::{PathRefiner, Strategy};
use tamis_solver::interpolation::portfolio::{self, Portfolio};
use tamis_term::Terms;
use tamis_witness::{Reason, Verdict};

/// All parts of an engine.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// The variables to track from the beginning.
    pub track: Tracked,
    /// The predicates to begin with.
    pub start: Start,
    /// What refutations add.
    pub learn: Learn,
    /// How much abstract states say about predicates.
    pub accuracy: Accuracy,
    /// Where a predicate counts.
    pub granularity: Granularity,
    /// What of an interpolant becomes a predicate.
    pub pieces: Pieces,
    /// How many values a tracked variable may have among the successors of a state.
    pub bound: usize,
    /// Where to look for a reason why a suspect is spurious.
    pub strategy: Strategy,
    /// Who finds interpolants.
    pub sources: portfolio::Config,
    /// How the tree grows.
    pub tree: tree::Config,
}

/// A row of the table of configurations.
#[derive(Debug)]
pub struct Row {
    /// The engine's name.
    pub name: &'static str,
    /// The parts.
    pub make: fn() -> Configuration,
}

/// The configurations of the paper.
pub const CONFIGURATIONS: &[Row] = &[
    Row { name: "predicate-craig", make: || predicate(Strategy::Craig) },
    Row { name: "predicate-sequence", make: || predicate(Strategy::Sequence) },
    Row { name: "explicit-craig", make: || explicit(Strategy::Craig) },
    Row { name: "explicit-sequence", make: || explicit(Strategy::Sequence) },
    Row { name: "combined-craig", make: || combined(Strategy::Craig) },
    Row { name: "combined-sequence", make: || combined(Strategy::Sequence) },
];

/// The configuration of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<Configuration> {
    CONFIGURATIONS.iter().find(|row| row.name == name).map(|row| (row.make)())
}

/// Predicate abstraction: no predicates at first; states are split one by one, and the search goes
/// on from the first that was split (section 4.5).
fn predicate(strategy: Strategy) -> Configuration {
    Configuration {
        track: Tracked::Nothing,
        start: Start::Empty,
        learn: Learn::Predicates,
        accuracy: Accuracy::Boolean,
        granularity: Granularity::State,
        pieces: Pieces::Whole,
        bound: 50,
        strategy,
        sources: portfolio::Config::default(),
        tree: tree::Config { order: Order::Depth, prune: Prune::Lazily, suspects: 1 },
    }
}

/// Explicit values: the variables of the property are visible at first. A new one changes all
/// states, so nothing of the search is kept.
fn explicit(strategy: Strategy) -> Configuration {
    Configuration {
        track: Tracked::Property,
        learn: Learn::Variables,
        tree: tree::Config { order: Order::Depth, prune: Prune::Fully, suspects: 1 },
        ..predicate(strategy)
    }
}

/// Predicates, and the values of the variables that select what happens.
fn combined(strategy: Strategy) -> Configuration {
    Configuration { track: Tracked::Selectors, ..predicate(strategy) }
}

/// Runs a configuration of the table with some parts exchanged.
///
/// # Errors
/// If there are no such parts, the program is no transition system, or a part gives up.
pub fn run_named(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    name: &str,
    parts: &[(String, String)],
) -> Outcome<Verdict> {
    let mut configuration = by_name(name).ok_or_else(|| Stop::Failed(format!("no configuration {name}")))?;
    adjust(&mut configuration, parts).map_err(Reason::Unsupported)?;
    run(ctx, program, property, &configuration)
}

/// Runs a configuration.
///
/// # Errors
/// If the program is no transition system, or a part gives up.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, parts: &Configuration) -> Outcome<Verdict> {
    let domain = |terms: &Terms, extracted: &Extracted| domain(terms, extracted, parts);
    let refiner = |ctx: &mut Context, extracted: &Extracted| {
        let interpolator = Box::new(Portfolio::new(parts.sources.clone(), ctx.solvers.clone()));
        Box::new(PathRefiner::new(ctx, program, extracted, parts.strategy, interpolator)) as _
    };
    tree::run(ctx, program, property, parts.tree, &domain, &refiner)
}

fn domain(terms: &Terms, extracted: &Extracted, parts: &Configuration) -> Result<Box<dyn Domain>, String> {
    let system = &extracted.system;
    let mut visible = parts.track.vars(terms, system)?;
    // Where control is tells most states apart.
    if parts.track == Tracked::Selectors || parts.granularity == Granularity::Location {
        visible.extend(extracted.control);
    }
    let initial = parts.start.predicates(terms, system);
    Ok(Box::new(Product {
        visible,
        predicates: Predicates::new(parts.granularity, parts.pieces, initial),
        accuracy: parts.accuracy,
        learn: parts.learn,
        bound: parts.bound,
    }))
}
