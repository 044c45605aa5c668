//! The abstractor: builds the Boolean program, has it checked exactly, and reads the answer as a
//! proof or a suspect of the program.

use super::abstraction::{Abstraction, Boolean};
use super::path::Step;
use super::precision::Lists;
use super::proof;
use super::skeleton::Skeleton;
use crate::{explicit, pushdown};
use std::time::Instant;
use tamis_cegar::{Abstractor, Context, Exploration, Outcome, Stop};
use tamis_ir::{Action, Trace};
use tamis_witness::{Reason, Resource, Verdict};

/// Where no more truth values than this are chosen at once, states are explored one by one first.
const FEW: usize = 6;

/// How many of them.
const SMALL: u64 = 100_000;

pub(super) struct Explorer<'s, 'p> {
    pub skeleton: &'s Skeleton<'p>,
    pub abstraction: Abstraction,
    /// The last Boolean program.
    pub last: Option<Boolean>,
    /// Whether it is for people to read.
    pub read: bool,
}

impl Abstractor for Explorer<'_, '_> {
    type Precision = Lists;
    type Suspect = Vec<Step>;

    fn explore(&mut self, ctx: &mut Context, precision: &Lists) -> Outcome<Exploration<Vec<Step>>> {
        loop {
            let start = Instant::now();
            let boolean = self.abstraction.build(ctx, self.skeleton, precision)?;
            ctx.statistics.abstraction += start.elapsed();
            let boolean = self.last.insert(boolean);
            if self.read {
                self.abstraction.annotate(&mut ctx.terms, self.skeleton, precision, boolean);
            }
            match check(ctx, boolean)? {
                Verdict::Safe(found) => {
                    let proof = proof::concrete(ctx, self.skeleton, &mut self.abstraction, precision, boolean, &found);
                    return Ok(Exploration::Safe(proof));
                }
                Verdict::Unsafe(trace) => {
                    if !self.abstraction.tighten(ctx, boolean, &trace)? {
                        return Ok(Exploration::Suspect(steps(boolean, &trace)));
                    }
                }
                Verdict::Unknown(reason) => return Err(Stop::GaveUp(reason)),
            }
        }
    }
}

/// An exact verdict about the Boolean program.
fn check(ctx: &mut Context, boolean: &Boolean) -> Outcome<Verdict> {
    let before = std::mem::take(&mut ctx.statistics.states);
    let found = few_or_many(ctx, boolean);
    ctx.statistics.states += before;
    found
}

fn few_or_many(ctx: &mut Context, boolean: &Boolean) -> Outcome<Verdict> {
    let allowed = ctx.budget.states;
    if boolean.widest <= FEW {
        ctx.budget.states = Some(allowed.map_or(SMALL, |states| states.min(SMALL)));
        let found = explicit::run(ctx, &boolean.program, boolean.property);
        ctx.budget.states = allowed;
        match found {
            Err(Stop::GaveUp(Reason::OutOfBudget(Resource::States))) if allowed.is_none_or(|most| most > SMALL) => {}
            // Too many bits for one state.
            Err(Stop::GaveUp(Reason::Unsupported(_))) => {}
            found => return found,
        }
    }
    pushdown::run(ctx, &boolean.program, boolean.property, pushdown::Traces::Shortest)
}

/// The moves of a trace.
fn steps(boolean: &Boolean, trace: &Trace) -> Vec<Step> {
    let step = |action: &Action| match action {
        Action::Take { edge, .. } => boolean.moves.get(edge).map(|id| Step::Move(*id)),
        Action::Return => Some(Step::Return),
    };
    trace.steps.iter().filter_map(|taken| step(&taken.action)).collect()
}
