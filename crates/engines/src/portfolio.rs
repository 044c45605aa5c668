//! A race: engines run side by side, and the first verdict counts. Either with or without
//! abstraction a pushdown system may be checked faster by orders of magnitude (Kiefer 2005,
//! section 6.5), and nothing tells beforehand which.

use crate::{Run, Settings, by_name};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;
use tamis_cegar::{Context, Outcome, Progress, Statistics, Stop};
use tamis_ir::{Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::Verdict;

/// Who races. Rounds of refinement are shown by the first one.
const RACERS: [&str; 2] = ["pushdown-cegar", "pushdown"];

/// How often the limits are looked at while the racers run.
const TICK: Duration = Duration::from_millis(20);

/// What a racer comes back with. Its arena extends the one that it was given, so terms of
/// the program keep their meaning.
struct Result {
    outcome: Outcome<Verdict>,
    terms: Terms,
    statistics: Statistics,
}

/// Races the engines for pushdown systems.
///
/// # Errors
/// If no racer has a verdict: the first one's reason.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    race(ctx, &RACERS, program, property, settings)
}

/// Races the engines of these names.
///
/// # Errors
/// If no racer has a verdict: the first one's reason.
pub fn race(
    ctx: &mut Context,
    racers: &[&str],
    program: &Program,
    property: PropertyId,
    settings: &Settings,
) -> Outcome<Verdict> {
    let over = Arc::new(AtomicBool::new(false));
    let _end = SetOnDrop(over.clone());
    let (sender, results) = channel();
    let program = Arc::new(program.clone());
    ctx.budget.racers = racers.len() as u64;
    for name in racers {
        let engine = by_name(name).ok_or_else(|| Stop::Failed(format!("{name} is not registered")))?;
        start(ctx, engine.run, &program, property, settings.clone(), &over, sender.clone());
    }
    drop(sender);
    let mut first: Option<Stop> = None;
    loop {
        match results.recv_timeout(TICK) {
            Ok(Result { outcome: Ok(verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_))), terms, statistics }) => {
                (ctx.terms, ctx.statistics) = (terms, statistics);
                return Ok(verdict);
            }
            Ok(Result { outcome: Ok(Verdict::Unknown(reason)), .. }) => {
                first.get_or_insert(Stop::GaveUp(reason));
            }
            Ok(Result { outcome: Err(Stop::Failed(error)), .. }) => return Err(Stop::Failed(error)),
            Ok(Result { outcome: Err(stop @ Stop::GaveUp(_)), .. }) => {
                first.get_or_insert(stop);
            }
            Err(RecvTimeoutError::Timeout) => {
                ctx.budget.check()?;
                ctx.observer.tell(&Progress { statistics: ctx.statistics, ..Progress::default() });
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(first.unwrap_or_else(|| Stop::Failed("all engines of the race broke down".to_owned())));
            }
        }
    }
}

/// Starts a racer. It is not waited for: once the race is over it stops at its next look
/// at its limits.
fn start(
    ctx: &mut Context,
    engine: Run,
    program: &Arc<Program>,
    property: PropertyId,
    settings: Settings,
    over: &Arc<AtomicBool>,
    sender: Sender<Result>,
) {
    let (terms, program, solvers) = (ctx.terms.clone(), program.clone(), ctx.solvers.clone());
    let rounds = std::mem::take(&mut ctx.rounds);
    let mut budget = ctx.budget.clone();
    budget.interrupted = over.clone();
    std::thread::spawn(move || {
        let mut ctx = Context { terms, budget, rounds, solvers, ..Context::default() };
        let outcome = engine(&mut ctx, &program, property, &settings);
        // If nobody listens any more, another racer has won.
        let _ = sender.send(Result { outcome, terms: ctx.terms, statistics: ctx.statistics });
    });
}

/// Ends the race however its function is left.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
