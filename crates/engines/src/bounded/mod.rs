//! Bounded symbolic execution: looks for errors that few rounds of loops and few calls of
//! recursive procedures lead to, then for those that take one more, and so on.
//!
//! King, *Symbolic Execution and Program Testing* (CACM 1976), with states merged where they meet
//! as bounded model checkers of programs do (Clarke, Kroening, Lerda, *A Tool for Checking ANSI-C
//! Programs*, TACAS 2004). Recursion and loops are unrolled on demand, all of them together: the
//! depth of a state is the number of rounds and of recursive calls on the way to it. One question
//! to a solver asks for all errors of a depth; states that no run comes to are dropped.
//!
//! Files in order of reading: `order` (which place comes first), `guard` (when a state is
//! reached), `state` (values, merging), `trace` (what was unrolled, and the way back), `unroll`
//! (the execution), `reads` (memory without arrays), `ask` (questions), `proof` (if all paths end),
//! this file (the search).

mod ask;
mod guard;
mod order;
mod proof;
mod reads;
mod state;
mod trace;
mod unroll;

use crate::options::{Knob, Knobs};
use ask::{Asker, Found};
use rustc_hash::FxHashSet;
use tamis_cegar::{Context, Outcome, Progress};
use tamis_ir::{Program, PropertyId, Trace};
use tamis_solver::Limit;
use tamis_term::Term;
use tamis_witness::{Reason, Verdict};
use unroll::Unroller;

/// The depth that ends a search without a time limit.
const DEPTH: u64 = 100;

/// How many places end a search without a time limit.
const PLACES: usize = 100_000;

/// How many steps of a solver it may take to see that no run comes to a state.
const STEPS: u64 = 10_000_000;

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// How many rounds of loops and recursive calls are followed at most.
    pub bound: Option<u64>,
}

/// What can be chosen.
pub const OPTIONS: &Knobs<Config> = &Knobs {
    default: Config::default,
    knobs: &[Knob {
        name: "bound",
        about: "how many rounds of loops and recursive calls are followed at most",
        values: || format!("a number, {UNBOUNDED}"),
        get: |config| config.bound.map_or_else(|| UNBOUNDED.to_owned(), |bound| bound.to_string()),
        set: |config, bound| {
            config.bound = if bound == UNBOUNDED { None } else { Some(bound.parse().ok()?) };
            Some(())
        },
    }],
};

/// Until the budget is used up.
const UNBOUNDED: &str = "none";

/// Searches for an error until the budget is used up, or up to the depth that the user set.
///
/// # Errors
/// If it gives up: nothing was found up to a bound, a limit was reached, or a solver has no answer.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    ctx.watched(|ctx| search(ctx, program, property, config))
}

fn search(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    let errors = &program.property(property).locs;
    let mut unroller = Unroller::new(&mut ctx.terms, program, errors);
    let mut asker = Asker::new(ctx, program)?;
    let mut possible = FxHashSet::default();
    for depth in 0_u64.. {
        let reached = unroller.round(ctx)?;
        if let Some(trace) = error(ctx, program, property, &unroller, &mut asker, &reached)? {
            return Ok(Verdict::Unsafe(trace));
        }
        prune(ctx, &mut unroller, &mut asker, &mut possible)?;
        let statistics = ctx.statistics;
        ctx.observer.tell(&Progress { statistics, frontier: unroller.frontier.len() as u64, counterexample: None });
        if unroller.frontier.is_empty() {
            return proof::prove(ctx, program, property).map(Verdict::Safe);
        }
        let tired = ctx.budget.deadline.is_none() && (depth >= DEPTH || unroller.history.len() > PLACES);
        if config.bound.map_or(tired, |bound| depth >= bound) {
            return Err(Reason::Bounded(depth).into());
        }
    }
    unreachable!("the loop has no end")
}

/// A run into one of the errors of this depth.
fn error(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    unroller: &Unroller<'_>,
    asker: &mut Asker,
    reached: &[Term],
) -> Outcome<Option<Trace>> {
    let question = ctx.terms.or(reached);
    if ctx.terms.is_false(question) {
        return Ok(None);
    }
    let goals = &program.property(property).locs;
    let found = asker.ask(&mut ctx.terms, question, ctx.solvers.limit, |terms, value| {
        unroller.history.trace(terms, program, goals, value)
    })?;
    match found {
        Found::Possible(trace) => trace.map(Some),
        Found::Impossible => Ok(None),
        Found::Open(why) => Err(why.into()),
    }
}

/// Drops the states that no run comes to.
fn prune(
    ctx: &mut Context,
    unroller: &mut Unroller<'_>,
    asker: &mut Asker,
    possible: &mut FxHashSet<Term>,
) -> Outcome<()> {
    let limit = Limit { steps: Some(STEPS), ..ctx.solvers.limit };
    for (place, mut waiting) in std::mem::take(&mut unroller.frontier) {
        let Some(state) = unroller.merged(&mut ctx.terms, waiting.states) else { continue };
        let guard = unroller.reached(state.guard);
        if !ctx.terms.is_true(guard) && !possible.contains(&guard) {
            match asker.ask(&mut ctx.terms, guard, limit, |_, _| ())? {
                Found::Possible(()) => _ = possible.insert(guard),
                Found::Impossible => continue,
                // Whether a run comes there is open.
                Found::Open(_) => ctx.budget.check()?,
            }
        }
        waiting.states = vec![state];
        unroller.frontier.insert(place, waiting);
    }
    Ok(())
}
