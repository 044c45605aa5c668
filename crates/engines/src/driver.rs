//! From a question to a checked answer: passes, the engine, the way back, the check.
//!
//! A verdict whose evidence fails is never shown: it becomes `Unknown(EvidenceRejected)`.

use crate::{Engine, Settings};
use std::time::{Duration, Instant};
use tamis_cegar::{Context, Stop};
use tamis_ir::passes::{Pass, pipeline};
use tamis_ir::{Program, PropertyId};
use tamis_witness::{Check, Reason, Verdict, check};

/// An answer with what is known about it.
#[derive(Debug)]
pub struct Answer {
    /// The verdict; its evidence, if it has one, was accepted.
    pub verdict: Verdict,
    /// How long the engine ran, passes included.
    pub engine_time: Duration,
    /// How long the check took.
    pub check_time: Duration,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The engine.
    pub engine: &'static Engine,
    /// The passes that the program goes through first, in the order of the table of passes.
    pub passes: Vec<&'static Pass>,
    /// What the user chose about engines.
    pub settings: Settings,
}

/// Asks an engine whether `property` holds, and checks what it says on the program as given.
///
/// # Errors
/// If the engine fails for a reason that is no verdict: a bug.
pub fn answer(ctx: &mut Context, options: &Options, program: &Program, property: PropertyId) -> Result<Answer, String> {
    let start = Instant::now();
    let (passed, back) = pipeline(&mut ctx.terms, program, property, &options.passes);
    let verdict = match (options.engine.run)(ctx, &passed, property, &options.settings) {
        Ok(Verdict::Safe(proof)) => Verdict::Safe(back.proof(&mut ctx.terms, proof)),
        Ok(Verdict::Unsafe(trace)) => Verdict::Unsafe(back.trace(&ctx.terms, trace)),
        Ok(Verdict::Unknown(reason)) => Verdict::Unknown(reason),
        Err(Stop::GaveUp(reason)) => Verdict::Unknown(reason),
        Err(Stop::Failed(error)) => return Err(error),
    };
    let (engine_time, start) = (start.elapsed(), Instant::now());
    let watch = ctx.budget.watch();
    let verdict = match check(&mut ctx.terms, program, property, &verdict, &watch.stop) {
        Check::Accepted => verdict,
        Check::Rejected(why) => Verdict::Unknown(Reason::EvidenceRejected(why)),
        Check::Undecided(why) => Verdict::Unknown(watch.reason().unwrap_or(Reason::SolverUnknown(why))),
    };
    Ok(Answer { verdict, engine_time, check_time: start.elapsed() })
}
