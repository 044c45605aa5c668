//! The configurable framework: which domain, refiner and search make up an engine (Hajdu, Tóth,
//! Vörös, Majzik, FORTE 2016, section 5). The paper's six configurations come first, then those for
//! programs; each is an engine.
//!
//! Files: [`knobs`] (the parts that a user can exchange), [`choose`](mod@choose) (which configurations
//! suit a system), [`selecting`] (which predicates are kept).

pub mod choose;
pub mod knobs;
pub mod selecting;

pub use knobs::KNOBS;

use crate::around::after;
use crate::ideal;
pub use crate::ideal::Integers;
use crate::options::Knobs;
use crate::tree::{self, Order, Prune};
use crate::{Settings, by_name};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tamis_cegar::{Context, Domain, Given, Outcome, Pieces};
use tamis_domains::{Accuracy, Granularity, Learn, Predicates, Product, Start, Tracked};
use tamis_ir::blocks::Size;
use tamis_ir::passes::EQUATIONS;
use tamis_ir::{BlockGraph, PointId, Program, PropertyId};
use tamis_refiners::interpolation::{self, Minimise, PathRefiner, Strategy, Wanted};
use tamis_refiners::selection::{Select, Selector, Source};
use tamis_solver::interpolation::portfolio::{self, Choice, Portfolio};
use tamis_term::Terms;
use tamis_witness::Verdict;

/// All parts of an engine.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// What machine integers are taken for.
    pub integers: Integers,
    /// Whether linear equations are found ahead and assumed.
    pub equations: bool,
    /// The variables to track from the beginning.
    pub track: Tracked,
    /// The predicates to begin with.
    pub start: Start,
    /// What refutations add.
    pub learn: Learn,
    /// How much abstract states say about predicates.
    pub accuracy: Accuracy,
    /// Whether states that differ only in predicates are one state with several cases.
    pub together: bool,
    /// Where a predicate counts.
    pub granularity: Granularity,
    /// What of an interpolant becomes a predicate.
    pub pieces: Pieces,
    /// How many values a tracked variable may have among the successors of a state.
    pub bound: usize,
    /// Where to look for a reason why a counterexample is spurious.
    pub strategy: Strategy,
    /// What is made of the reason.
    pub minimise: Minimise,
    /// Which predicates are kept; if nobody says, all, and the tree grows with them.
    pub select: Option<Select>,
    /// Who finds interpolants.
    pub sources: portfolio::Config,
    /// How the tree grows.
    pub tree: tree::Config,
}

/// Predicate abstraction: no predicates at first; states are split one by one, and the search goes
/// on from the first that was split (section 4.5).
#[must_use]
pub fn predicate(strategy: Strategy) -> Configuration {
    Configuration {
        integers: Integers::Machine,
        equations: false,
        track: Tracked::Nothing,
        start: Start::Empty,
        learn: Learn::Predicates,
        accuracy: Accuracy::Boolean,
        together: false,
        granularity: Granularity::State,
        pieces: Pieces::Whole,
        bound: 50,
        strategy,
        minimise: Minimise::Refutations,
        select: None,
        sources: portfolio::Config { choice: Choice::Learned, ..portfolio::Config::default() },
        tree: tree::Config { blocks: Size::Large, order: Order::Depth, prune: Prune::Lazily, counterexamples: 1 },
    }
}

/// Explicit values: the variables of the property are visible at first. A new one changes all
/// states, so nothing of the search is kept.
#[must_use]
pub fn explicit(strategy: Strategy) -> Configuration {
    Configuration {
        track: Tracked::Property,
        learn: Learn::Variables,
        tree: tree::Config { prune: Prune::Fully, ..predicate(strategy).tree },
        ..predicate(strategy)
    }
}

/// Predicates, and the values of the variables that select what happens.
#[must_use]
pub fn combined(strategy: Strategy) -> Configuration {
    Configuration { track: Tracked::Selectors, ..predicate(strategy) }
}

/// Lazy predicate abstraction of programs in large blocks (Beyer, Keremoglu, Wendler, FMCAD 2010):
/// predicates belong to locations.
#[must_use]
pub fn lazy() -> Configuration {
    Configuration {
        integers: Integers::Ideal,
        equations: true,
        together: true,
        granularity: Granularity::Location,
        pieces: Pieces::Atoms,
        // The source that comes first drops what the rest does not need by itself.
        minimise: Minimise::Nothing,
        sources: portfolio::Config { literals_first: true, ..portfolio::Config::default() },
        tree: tree::Config { order: Order::Breadth, ..predicate(Strategy::Sequence).tree },
        ..predicate(Strategy::Sequence)
    }
}

/// Explicit values of programs in large blocks (Beyer, Löwe, FASE 2013).
#[must_use]
pub fn value_analysis() -> Configuration {
    Configuration {
        track: Tracked::Selectors,
        integers: Integers::Machine,
        learn: Learn::VariablesFirst,
        granularity: Granularity::Global,
        bound: 10,
        tree: tree::Config { prune: Prune::Fully, ..lazy().tree },
        ..lazy()
    }
}

/// Predicates and the values of what selects, for programs in large blocks.
#[must_use]
pub fn lazy_combined() -> Configuration {
    Configuration { integers: Integers::Machine, track: Tracked::Selectors, ..lazy() }
}

/// What BLAST does: every statement is a block, predicates belong to locations and are seen one by
/// one (Ball, Podelski, Rajamani's Cartesian abstraction, TACAS 2001), the search goes down first, and
/// a refutation cuts the tree where it makes a difference.
#[must_use]
pub fn blast() -> Configuration {
    Configuration {
        equations: false,
        accuracy: Accuracy::Cartesian,
        together: false,
        tree: tree::Config { blocks: Size::Single, order: Order::Depth, ..lazy().tree },
        ..lazy()
    }
}

/// What ARMC does: the same abstraction, whose fixpoint is computed from scratch with the new
/// predicates, in breadth.
///
/// ARMC abstracts *transition constraints*, by predicates that may relate values before and after.
/// For reachability these come to the same: the constraints behind a state on a path mention no
/// value before it, so no interpolant does. They matter for termination, which is not asked here.
#[must_use]
pub fn armc() -> Configuration {
    Configuration { tree: tree::Config { order: Order::Breadth, prune: Prune::Fully, ..blast().tree }, ..blast() }
}

/// Runs the configuration of an engine with some parts exchanged.
///
/// # Errors
/// If there are no such parts, the program is no transition system, or a part gives up.
pub fn run_named(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    name: &str,
    default: fn() -> Configuration,
    settings: &Settings,
) -> Outcome<Verdict> {
    let given =
        ctx.reuse.given.as_ref().filter(|given| by_name(&given.engine).is_some_and(|engine| engine.name == name));
    let mut chosen: Settings = given.map(|given| given.parts.clone()).unwrap_or_default().into_iter().collect();
    chosen.list.extend_from_slice(&settings.list);
    let configuration = Knobs { default, knobs: KNOBS }.configured(&chosen)?;
    let verdict = run(ctx, program, property, &configuration);
    if let Some(found) = &mut ctx.reuse.found {
        name.clone_into(&mut found.engine);
    }
    verdict
}

/// Runs a configuration.
///
/// # Errors
/// If the program is no transition system, or a part gives up.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, parts: &Configuration) -> Outcome<Verdict> {
    if parts.equations {
        let parts = Configuration { equations: false, ..parts.clone() };
        return after(&EQUATIONS, ctx, program, property, |ctx, program| run(ctx, program, property, &parts));
    }
    if parts.integers == Integers::Machine {
        return run_as_is(ctx, program, property, parts);
    }
    if let Some(verdict) = ideal::run(ctx, program, property, |ctx, program| run_as_is(ctx, program, property, parts))?
    {
        return Ok(verdict);
    }
    let verdict = run_as_is(ctx, program, property, parts);
    if let Some(found) = &mut ctx.reuse.found {
        found.parts.push(("integers".into(), "machine".into()));
    }
    verdict
}

fn run_as_is(ctx: &mut Context, program: &Program, property: PropertyId, parts: &Configuration) -> Outcome<Verdict> {
    if let Some(select) = parts.select {
        let selector = Selector::new(select, selecting::MAXSUB, selecting::MAXELM, 0);
        let source = Source::Interpolants(parts.pieces);
        return selecting::run(ctx, program, property, parts, source, &[], &selector).0;
    }
    let domain = |terms: &Terms, graph: &BlockGraph, given: &Given| domain(terms, program, graph, parts, given);
    let refiner = |ctx: &Context, graph: &Rc<BlockGraph>| {
        Box::new(path_refiner(ctx, program, graph, parts)) as Box<tree::Examiner>
    };
    let mut config = parts.tree;
    if parts.strategy == Strategy::RelativelyComplete {
        // What it adds does not belong to states of the path.
        config.prune = Prune::Fully;
    }
    tree::run(ctx, program, property, config, &domain, &refiner)
}

/// Who examines single paths.
fn path_refiner<'r>(
    ctx: &Context,
    program: &'r Program,
    graph: &Rc<BlockGraph>,
    parts: &Configuration,
) -> PathRefiner<'r> {
    let interpolator = Box::new(Portfolio::new(parts.sources.clone(), ctx.solvers.clone()));
    let wanted = match parts.learn {
        Learn::Predicates => Wanted::Formulas,
        Learn::Variables => Wanted::Variables,
        Learn::VariablesFirst => Wanted::Both,
    };
    let config = interpolation::Config { strategy: parts.strategy, minimise: parts.minimise, wanted };
    PathRefiner::new(ctx, program, graph, config, interpolator)
}

fn domain(
    terms: &Terms,
    program: &Program,
    graph: &BlockGraph,
    parts: &Configuration,
    given: &Given,
) -> Result<Box<dyn Domain>, String> {
    let mut visible = parts.track.vars(terms, graph)?;
    visible.extend(&given.tracked);
    let initial = parts.start.predicates(terms, graph);
    let predicates = Predicates::new(terms, parts.granularity, parts.pieces, initial)
        .with_given(terms, &given.predicates)
        .with_procedures(procedures(program, graph));
    Ok(Box::new(Product {
        visible,
        predicates,
        accuracy: parts.accuracy,
        together: parts.together,
        learn: parts.learn,
        bound: parts.bound,
        tried: BTreeSet::new(),
    }))
}

/// For each cut point, the first of the same procedure.
fn procedures(program: &Program, graph: &BlockGraph) -> BTreeMap<PointId, PointId> {
    let mut first: BTreeMap<&str, PointId> = BTreeMap::new();
    let procedure = |loc| program.body(program.main, loc);
    graph.points.iter().map(|point| (point.id, *first.entry(procedure(point.loc)).or_insert(point.id))).collect()
}
