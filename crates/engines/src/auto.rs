//! What a user gets who names no engine: small programs state by state, which gives shortest
//! traces and the same answer every time; larger ones by the race.

use crate::{Settings, explicit, portfolio};
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::{Program, PropertyId};
use tamis_witness::{Reason, Resource, Verdict};

/// A program with no more states than this is small: they are explored in a moment.
const SMALL: u64 = 200_000;

/// Explores the states if they are few, and races if not.
///
/// # Errors
/// If no engine has a verdict.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    let allowed = ctx.budget.states;
    ctx.budget.states = Some(allowed.map_or(SMALL, |states| states.min(SMALL)));
    let first = explicit::run(ctx, program, property);
    ctx.budget.states = allowed;
    let is_large = |states: u64| states > SMALL;
    match first {
        Err(Stop::GaveUp(Reason::OutOfBudget(Resource::States))) if allowed.is_none_or(is_large) => {
            ctx.statistics = tamis_cegar::Statistics::default();
            portfolio::run(ctx, program, property, settings)
        }
        // Too many bits for one state, say.
        Err(Stop::GaveUp(Reason::Unsupported(_))) => portfolio::run(ctx, program, property, settings),
        answer => answer,
    }
}
