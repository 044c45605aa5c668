//! Thinking in ideal integers, certifying in machine arithmetic: an engine runs on the program with
//! unbounded integers, and what it says counts if the evidence, brought back to words, is accepted.

use crate::around::brought_back;
use std::time::Instant;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::passes::ideal::{Mode, ideal};
use tamis_ir::{Program, PropertyId};
use tamis_term::Sort;
use tamis_witness::{Check, Reason, Verdict, check};

/// What machine integers are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Words.
    Machine,
    /// Unbounded integers, about which predicates generalise, in half of the time; and words, if the
    /// evidence shows that machine arithmetic differs.
    Ideal,
}

/// What an engine finds about ideal integers and holds of words too. Nothing if there are no words,
/// or if half of the time was not enough, or if machine arithmetic differs.
pub(crate) fn run(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    ask: impl FnOnce(&mut Context, &Program) -> Outcome<Verdict>,
) -> Outcome<Option<Verdict>> {
    let mut vars = program.vars();
    if !vars.any(|var| matches!(ctx.terms.var_sort(var), Sort::BitVec(_) | Sort::Array(_))) {
        return Ok(None);
    }
    let deadline = ctx.budget.deadline;
    let half = deadline.map(|end| end.saturating_duration_since(Instant::now()) / 2);
    ctx.budget.deadline = half.and_then(|time| Instant::now().checked_add(time)).or(deadline);
    let found = on_integers(ctx, program, property, ask);
    ctx.budget.deadline = deadline;
    match found {
        Err(Stop::GaveUp(Reason::Interrupted)) => Err(Stop::GaveUp(Reason::Interrupted)),
        Err(Stop::GaveUp(_)) => {
            ctx.budget.check()?;
            Ok(None)
        }
        found => found,
    }
}

fn on_integers(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    ask: impl FnOnce(&mut Context, &Program) -> Outcome<Verdict>,
) -> Outcome<Option<Verdict>> {
    let (integers, back) = ideal(&mut ctx.terms, program, property, Mode::Ideal);
    let verdict = ask(ctx, &integers)?;
    let verdict = brought_back(&mut ctx.terms, &*back, verdict);
    let stop = ctx.budget.watch().stop;
    let holds = check(&mut ctx.terms, program, property, &verdict, &stop) == Check::Accepted;
    Ok(Some(verdict).filter(|verdict| holds && !matches!(verdict, Verdict::Unknown(_))))
}
