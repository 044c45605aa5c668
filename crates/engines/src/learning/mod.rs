//! Abstraction learning: begin with the concrete program, and forget what turns out to be irrelevant
//! (Jaffar, Navas, Santosa, *TRACER*; the algorithm Minimax of section 5; interpolants by weakest
//! preconditions as in *Lazy Annotation for Program Testing and Verification*, CAV 2010).
//!
//! Symbolic execution spreads a tree over the block graph. A state is a sequence of constraints. When
//! everything below a node is finished, what was needed of its constraints for that (`max(G, v)`) is
//! its interpolant: it goes to the memo, where it subsumes other states. A loop is closed where a state
//! comes back to its *looping parent*: the parent's constraints that the way does not preserve are
//! deleted (*min*), and the parent is explored again without them. If that leads to an error that the
//! deleted constraints exclude, this is a *conflict*: those that are needed are locked, and the search
//! restarts at the looping parent that deleted the latest of them, whose loop is then unrolled.
//!
//! **Where this differs from the seed.** There, what one successor deletes stays deleted for its
//! siblings, and what one needs cannot be deleted by the others, so what comes first decides. Here a
//! deletion belongs to the looping parent and counts for all that is below it, and for nothing else:
//! when it deletes one more constraint, it is explored again from the beginning. At the end no
//! constraint is both deleted and needed, whatever the order was.
//!
//! **Why this is sound.** Let a looping parent be *closed* when everything below it was explored with
//! the constraints that it has now, and each way back to it was seen to preserve all of them. Three
//! things are kept:
//!
//! 1. What is memoised of a node inside a loop that is not closed depends on what its looping
//!    ancestors delete at that time: ways back end with the promise that the ancestor's constraints
//!    hold again. Such an entry can be used only below these ancestors, because the search is depth-first
//!    and leaves an ancestor when it is closed.
//! 2. When an ancestor deletes or locks a constraint, it restarts, and everything that was made since its
//!    `push_system` is void: nodes, memo entries, and thereby all states that they subsume. So every
//!    entry was made under the deletions that are current, and no state relies on one that was taken
//!    back. This is the care that [`Care::Void`] names; a test switches it off and sees the check of the
//!    evidence refuse what comes out.
//! 3. Which of its constraints a closed looping parent needs (`max`) is the least set that contains
//!    what is needed below it outside ways back, and with each constraint what preserves it on every way
//!    back. If other nodes inside the loop have interpolants, which promise more, it is explored once
//!    more with only these.
//!
//! So the interpolants of all nodes that are left say: from a state in one of them, each arc leads to a
//! state in the interpolant of a successor, or of the node that subsumes it, or of the looping parent,
//! or it cannot be taken; and no arc leads to an error. That is an inductive invariant, which is
//! checked like every other proof.
//!
//! Files in order of reading: `steps` (constraints of an arc), `state` (sequences of constraints, their
//! annotations), `ask` (questions, `interpolate`), `project` and `weakest` (what is learned, about
//! variables), `slacken` (what loops may keep), `memo`, `tree` (what is left), `minimax` (the search),
//! `looping` (`invariant`, conflicts), `picture` (the tree for reports), [`knobs`] (options), this file (the engine).

mod ask;
pub mod knobs;
mod looping;
mod memo;
mod minimax;
mod picture;
mod project;
mod slacken;
mod state;
mod steps;
#[cfg(test)]
mod tests;
mod tree;
mod weakest;

pub use knobs::{Care, Config, Interpolants, Invariants, OPTIONS, Order, Slackening};

use crate::around::after;
use crate::ideal::{self, Integers};
use std::rc::Rc;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::passes::EQUATIONS;
use tamis_ir::{BlockGraph, Program, PropertyId};
use tamis_witness::{Reason, Verdict};

/// Checks the property by abstraction learning.
///
/// # Errors
/// If it gives up: the program has calls, a limit was reached, or a solver does not know.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    if config.equations {
        let config = Config { equations: false, ..config.clone() };
        return after(&EQUATIONS, ctx, program, property, |ctx, program| run(ctx, program, property, &config));
    }
    if config.integers == Integers::Ideal
        && let Some(verdict) =
            ideal::run(ctx, program, property, |ctx, program| run_as_is(ctx, program, property, config))?
    {
        return Ok(verdict);
    }
    if config.integers == Integers::Ideal && ctx.rounds.wanted() {
        // The last tree over integers was shown, too: those over words are numbered behind it.
        ctx.statistics.rounds += 1;
    }
    run_as_is(ctx, program, property, config)
}

fn run_as_is(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    let unsupported = |why: String| Stop::GaveUp(Reason::Unsupported(why));
    ctx.watched(|ctx| {
        let graph = BlockGraph::new(&mut ctx.terms, program, property, config.blocks).map_err(unsupported)?;
        minimax::Minimax::new(ctx, program, Rc::new(graph), config.clone()).run(ctx)
    })
}
