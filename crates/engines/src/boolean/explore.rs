//! The abstractor: builds the Boolean program, has it checked exactly, and reads the answer as a
//! proof or a counterexample of the program. Where SLAM calls Bebop (Ball, Rajamani, *Bebop: A
//! Symbolic Model Checker for Boolean Programs*, SPIN 2000), an exact engine of ours is called.

use super::abstraction::{Abstraction, Boolean};
use super::path::Step;
use super::precision::Lists;
use super::proof;
use super::skeleton::Skeleton;
use crate::explicit::{self, Found, Outlined};
use crate::pushdown;
use std::time::Instant;
use tamis_cegar::{Abstractor, Context, Exploration, Outcome, Stop};
use tamis_ir::{Action, Trace};
use tamis_witness::{Reason, Resource, Verdict};

/// Where no more truth values than this are chosen at once, states are explored one by one first.
const FEW: usize = 6;

/// How many of them.
const SMALL: u64 = 100_000;

/// Of a longer run only the outline is examined, once: calls that return make runs exponentially
/// long, and what matters of them often fits into few predicates.
const LONG: u64 = 500;

pub(super) struct Explorer<'s, 'p> {
    pub skeleton: &'s Skeleton<'p>,
    pub abstraction: Abstraction,
    /// The last Boolean program.
    pub last: Option<Boolean>,
    /// Whether it is for people to read.
    pub read: bool,
    /// The last outline. If it comes back, all of the run is needed.
    pub outline: Vec<Step>,
}

impl Abstractor for Explorer<'_, '_> {
    type Precision = Lists;
    type Counterexample = Vec<Step>;

    fn explore(&mut self, ctx: &mut Context, precision: &Lists) -> Outcome<Exploration<Vec<Step>>> {
        loop {
            let start = Instant::now();
            let boolean = self.abstraction.build(ctx, self.skeleton, precision)?;
            ctx.statistics.abstraction += start.elapsed();
            let boolean = self.last.insert(boolean);
            if self.read {
                self.abstraction.annotate(&mut ctx.terms, self.skeleton, precision, boolean);
            }
            let found = match check(ctx, boolean, LONG)? {
                Found::Outline(outline) => {
                    let steps = outlined(boolean, &outline);
                    if self.outline != steps {
                        self.outline.clone_from(&steps);
                        return Ok(Exploration::Counterexample(steps));
                    }
                    check(ctx, boolean, u64::MAX)?
                }
                Found::Verdict(verdict) => Found::Verdict(verdict),
            };
            let verdict = match found {
                Found::Verdict(verdict) => verdict,
                Found::Outline(_) => return Err(Stop::Failed("no run is that long".into())),
            };
            match verdict {
                Verdict::Safe(found) => {
                    let proof = proof::concrete(ctx, self.skeleton, &mut self.abstraction, precision, boolean, &found);
                    return Ok(Exploration::Safe(proof));
                }
                Verdict::Unsafe(trace) => {
                    if !self.abstraction.tighten(ctx, boolean, &trace)? {
                        return Ok(Exploration::Counterexample(steps(boolean, &trace)));
                    }
                }
                Verdict::Unknown(reason) => return Err(Stop::GaveUp(reason)),
            }
        }
    }
}

/// Bebop: an exact verdict about the Boolean program, or the outline of a run that is longer than that.
fn check(ctx: &mut Context, boolean: &Boolean, longest: u64) -> Outcome<Found> {
    let before = std::mem::take(&mut ctx.statistics.states);
    let found = few_or_many(ctx, boolean, longest);
    ctx.statistics.states += before;
    found
}

fn few_or_many(ctx: &mut Context, boolean: &Boolean, longest: u64) -> Outcome<Found> {
    let allowed = ctx.budget.states;
    if boolean.widest <= FEW {
        ctx.budget.states = Some(allowed.map_or(SMALL, |states| states.min(SMALL)));
        let found = explicit::run_outlined(ctx, &boolean.program, boolean.property, longest);
        ctx.budget.states = allowed;
        match found {
            Err(Stop::GaveUp(Reason::OutOfBudget(Resource::States))) if allowed.is_none_or(|most| most > SMALL) => {}
            // Too many bits for one state.
            Err(Stop::GaveUp(Reason::Unsupported(_))) => {}
            found => return found,
        }
    }
    pushdown::run(ctx, &boolean.program, boolean.property, pushdown::Traces::Shortest).map(Found::Verdict)
}

/// The moves of an outline.
fn outlined(boolean: &Boolean, outline: &[Outlined]) -> Vec<Step> {
    let step = |outlined: &Outlined| match outlined {
        Outlined::Take(edge) => boolean.moves.get(edge).map(|id| Step::Move(*id)),
        Outlined::Skip(edge) => boolean.moves.get(edge).map(|id| Step::Skip(*id)),
    };
    outline.iter().filter_map(step).collect()
}

/// The moves of a trace.
fn steps(boolean: &Boolean, trace: &Trace) -> Vec<Step> {
    let step = |action: &Action| match action {
        Action::Take { edge, .. } => boolean.moves.get(edge).map(|id| Step::Move(*id)),
        Action::Return => Some(Step::Return),
    };
    trace.steps.iter().filter_map(|taken| step(&taken.action)).collect()
}
