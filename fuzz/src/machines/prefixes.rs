//! The laws of sliced path prefixes, on random paths of random machines: each prefix is weaker than
//! the path, each is contradictory, and its interpolants refute the path; where there is none, the
//! path is real.

use super::generate::machine;
use fastrand::Rng;
use std::rc::Rc;
use std::sync::Arc;
use tamis_cegar::{Context, Path, State};
use tamis_ir::blocks::{ArcId, Size};
use tamis_ir::passes::PLAIN;
use tamis_ir::passes::pipeline;
use tamis_ir::{BlockGraph, PointId, Sources};
use tamis_refiners::interpolation::{Config, PathRefiner, Sliced, Strategy};
use tamis_solver::interpolation::portfolio::{self, Portfolio};
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts, Validity, valid};
use tamis_solver::{Answer, Solvers};
use tamis_term::{Sort, Term, Terms, Value, Var};

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Paths that can be followed.
    pub real: u64,
    /// Paths that cannot.
    pub spurious: u64,
    /// Paths with several contradictory beginnings.
    pub several: u64,
    /// Beginnings whose interpolants were validated on the path.
    pub refuted: u64,
}

/// Examines some paths of the machine of a seed.
///
/// # Errors
/// Says which law does not hold.
pub fn examine(seed: u64, tally: &mut Seen) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let mut ctx = Context::default();
    let machine = machine(&mut ctx.terms, seed);
    let program = machine.program(&mut ctx.terms, Arc::new(Sources::new()));
    let property = program.default.ok_or("the program has no property")?;
    let (program, _) = pipeline(&mut ctx.terms, &program, property, PLAIN);
    let size = if rng.bool() { Size::Single } else { Size::Large };
    let graph = Rc::new(BlockGraph::new(&mut ctx.terms, &program, property, size)?);
    let interpolator = Box::new(Portfolio::new(portfolio::Config::default(), Solvers::default()));
    let mut refiner = PathRefiner::new(&ctx, &program, &graph, Config::plain(Strategy::Prefixes), interpolator);
    for _ in 0..3 {
        let length = rng.usize(1..=5);
        if let Some(arcs) = arcs(&mut rng, &graph, length) {
            examine_path(&mut ctx, &mut rng, &mut refiner, &graph, arcs, tally)?;
        }
    }
    Ok(())
}

fn examine_path(
    ctx: &mut Context,
    rng: &mut Rng,
    refiner: &mut PathRefiner<'_>,
    graph: &BlockGraph,
    arcs: Vec<ArcId>,
    tally: &mut Seen,
) -> Result<(), String> {
    let points = arcs.iter().filter_map(|arc| graph.to(*arc));
    let states = points.map(|point| state(&mut ctx.terms, rng, graph, point)).collect();
    let path = Path { states, arcs };
    let formulas = refiner.formulas(ctx, &path);
    let contradictory = is_contradictory(&ctx.terms, &formulas)?;
    let prefixes = match refiner.sliced(ctx, &path).map_err(|stop| stop.to_string())? {
        Sliced::Real(_) if contradictory => return Err("a trace of a path that cannot be followed".into()),
        Sliced::Real(_) => {
            tally.real += 1;
            return Ok(());
        }
        Sliced::Prefixes(_) if !contradictory => return Err("a reason against a path that can be followed".into()),
        Sliced::Prefixes(found) if found.is_empty() => return Err("no reason against a path".into()),
        Sliced::Prefixes(found) => found,
    };
    tally.spurious += 1;
    tally.several += u64::from(prefixes.len() > 1);
    prefixes.into_iter().try_for_each(|prefix| examine_prefix(&mut ctx.terms, &formulas, prefix, tally))
}

fn examine_prefix(terms: &mut Terms, path: &[Term], prefix: Vec<Term>, tally: &mut Seen) -> Result<(), String> {
    if !is_contradictory(terms, &prefix)? {
        return Err("a prefix that is not contradictory".into());
    }
    for (at, (strong, weak)) in path.iter().zip(&prefix).enumerate() {
        let not = terms.not(*weak);
        if !is_contradictory(terms, &[*strong, not])? {
            return Err(format!("formula {at} of a prefix does not follow from that of the path"));
        }
    }
    // A formula that is false at sight mentions nothing any more that interpolants could speak about.
    if path.iter().any(|formula| terms.is_false(*formula)) {
        return Ok(());
    }
    let parts = Parts::chain(prefix);
    let found = Portfolio::new(portfolio::Config::default(), Solvers::default()).interpolate(terms, &parts);
    let Interpolation::Interpolants(mut found) = found.map_err(|error| error.to_string())? else { return Ok(()) };
    // Behind the prefix there is nothing left.
    let falsity = terms.bool(false);
    found.resize(path.len() - 1, falsity);
    let mut solver = Solvers::default().fresh(terms, path).map_err(|error| error.to_string())?;
    match valid(terms, &Parts::chain(path.to_vec()), &found, &mut *solver).map_err(|error| error.to_string())? {
        Validity::Valid => tally.refuted += 1,
        Validity::Invalid(why) => return Err(format!("interpolants of a prefix do not refute the path: {why}")),
        Validity::Undecided(_) => {}
    }
    Ok(())
}

fn is_contradictory(terms: &Terms, formulas: &[Term]) -> Result<bool, String> {
    let mut solver = Solvers::default().fresh(terms, formulas).map_err(|error| error.to_string())?;
    match solver.check(terms, formulas).map_err(|error| error.to_string())? {
        Answer::Sat(_) => Ok(false),
        Answer::Unsat(_) => Ok(true),
        Answer::Unknown(why) => Err(why.to_string()),
    }
}

/// A way along arcs from the start through so many cut points to an error, if a random walk finds
/// one.
fn arcs(rng: &mut Rng, graph: &BlockGraph, length: usize) -> Option<Vec<ArcId>> {
    let mut arcs = vec![rng.choice(graph.starts()).copied()?];
    while arcs.len() < length {
        let at = graph.point(graph.to(*arcs.last()?)?);
        arcs.push(rng.choice(&at.out).copied()?);
    }
    // Only some cut points have an arc to an error.
    for _ in 0..graph.points.len() {
        let at = graph.point(graph.to(*arcs.last()?)?);
        match rng.choice(&at.bad) {
            Some(error) => {
                arcs.push(*error);
                return Some(arcs);
            }
            None => arcs.push(rng.choice(&at.out).copied()?),
        }
    }
    None
}

/// A state at a cut point, with a value of some variable that may be wrong.
fn state(terms: &mut Terms, rng: &mut Rng, graph: &BlockGraph, at: PointId) -> State {
    let mut values = Vec::new();
    let live: Vec<Var> = graph.point(at).live.iter().copied().collect();
    if let Some(var) = rng.choice(&live).filter(|_| rng.bool()) {
        let value = match terms.var_sort(*var) {
            Sort::Bool => Value::Bool(rng.bool()),
            Sort::BitVec(width) => Value::bv(*width, rng.u64(0..1 << (*width).min(3))),
            Sort::Int => Value::int(rng.i64(0..=super::generate::LIMIT)),
            Sort::Real | Sort::Array(_) => Value::default_of(terms.var_sort(*var)),
        };
        let (own, value) = (terms.var(*var), terms.constant(value));
        values.push(terms.eq(own, value));
    }
    State::new(terms, at, &values, &[])
}
