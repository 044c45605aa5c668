//! One run of a way of choosing on a program.

use super::Way;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tamis_cegar::{Budget, Context, Observer, Stop};
use tamis_engines::magic::{Config, Needed, measured};
use tamis_ir::passes::{EXPAND, PRUNE, SLICE, pipeline};
use tamis_ir::{Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::{Check, Reason, Verdict, check};

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How was chosen.
    pub way: &'static str,
    /// `true`, `false`, or why there is no verdict.
    pub verdict: String,
    /// Whether the verdict is the right one; none if there is no verdict.
    pub right: Option<bool>,
    /// Rounds through the loop, the last of which needs no refinement.
    pub rounds: u64,
    /// The predicates.
    pub needed: Needed,
    /// How long passes and engine took.
    pub time: Duration,
    /// The most memory that was allocated for it, in bytes.
    pub memory: u64,
}

impl Measured {
    /// Whether there is a verdict and it is right.
    #[must_use]
    pub fn solved(&self) -> bool {
        self.right == Some(true)
    }
}

/// Runs the engine on a program.
#[must_use]
pub fn measure(
    budget: &Budget,
    time: Duration,
    terms: Terms,
    program: &Program,
    property: PropertyId,
    safe: bool,
    way: &Way,
) -> Measured {
    let before = (budget.allocated)();
    let (peak, allocated) = (Arc::new(AtomicU64::new(before)), budget.allocated);
    let seen = peak.clone();
    let observer = Observer::new(move |_| _ = seen.fetch_max(allocated(), Ordering::Relaxed));
    let mut ctx = Context { terms, budget: budget.clone().with_time(time), observer, ..Context::default() };
    let start = Instant::now();
    let (simpler, back) = pipeline(&mut ctx.terms, program, property, &[&EXPAND, &PRUNE, &SLICE]);
    let config = Config { select: way.select, ..Config::default() };
    let (verdict, needed) = measured(&mut ctx, &simpler, property, &config);
    let time = start.elapsed();
    let verdict = match verdict {
        Ok(Verdict::Safe(proof)) => Verdict::Safe(back.proof(&mut ctx.terms, proof)),
        Ok(Verdict::Unsafe(trace)) => Verdict::Unsafe(back.trace(&ctx.terms, trace)),
        Ok(Verdict::Unknown(reason)) | Err(Stop::GaveUp(reason)) => Verdict::Unknown(reason),
        Err(Stop::Failed(why)) => Verdict::Unknown(Reason::Unsupported(format!("internal error: {why}"))),
    };
    let stop = budget.watch().stop;
    let verdict = match check(&mut ctx.terms, program, property, &verdict, &stop) {
        Check::Accepted => verdict,
        Check::Rejected(why) => Verdict::Unknown(Reason::EvidenceRejected(why)),
        Check::Undecided(why) => Verdict::Unknown(Reason::SolverUnknown(why)),
    };
    let (verdict, right) = match verdict {
        Verdict::Safe(_) => ("true".to_owned(), Some(safe)),
        Verdict::Unsafe(_) => ("false".to_owned(), Some(!safe)),
        Verdict::Unknown(reason) => (reason.to_string(), None),
    };
    Measured {
        way: way.name,
        verdict,
        right,
        rounds: ctx.statistics.rounds + 1,
        needed: needed.unwrap_or_default(),
        time,
        memory: peak.load(Ordering::Relaxed).saturating_sub(before),
    }
}
