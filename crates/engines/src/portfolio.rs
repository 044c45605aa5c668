//! A race: engines run side by side, and the first verdict counts. Either with or without
//! abstraction a pushdown system may be checked faster by orders of magnitude (Kiefer 2005,
//! section 6.5), and nothing tells beforehand which. The same goes for the search from the error
//! back, which joins a little later: where few states lead to the error, it is through at once.

use crate::{Engine, Settings, by_name};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tamis_cegar::{Context, Observer, Outcome, Progress, Reached, Reuse, Rounds, Statistics, Stop};
use tamis_ir::{Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::{Reason, Verdict};

/// Who races.
const RACERS: [Racer<'_>; 3] =
    [Racer::new("pushdown-cegar", Duration::ZERO), Racer::new("pushdown", Duration::ZERO), BACKWARD];

/// The search from the error back: what takes the others a moment is not slowed down by it, and
/// where it fills the memory it gives up while there is enough for them.
pub(crate) const BACKWARD: Racer<'_> =
    Racer { share: 2, ..Racer::new("pushdown-backward", Duration::from_millis(200)) };

/// Whether an engine races.
#[must_use]
pub fn races(engine: &Engine) -> bool {
    RACERS.iter().any(|racer| racer.name == engine.name)
}

/// How often the limits are looked at while the racers run.
const TICK: Duration = Duration::from_millis(20);

/// As much stack as an engine has that runs alone. It is only reserved.
const STACK: usize = 256 << 20;

/// Who takes part in a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Racer<'r> {
    /// The engine's name.
    pub name: &'r str,
    /// How long after the one before it starts, unless that has given up earlier.
    pub after: Duration,
    /// The share of the memory beyond which it gives up, as a divisor: the others need the rest.
    pub share: u64,
    /// How long it may take.
    pub most: Duration,
}

impl<'r> Racer<'r> {
    /// A racer with all of the memory and the time.
    #[must_use]
    pub const fn new(name: &'r str, after: Duration) -> Racer<'r> {
        Racer { name, after, share: 1, most: Duration::MAX }
    }
}

/// What a racer comes back with. Its arena extends the one that it was given, so terms of
/// the program keep their meaning.
struct Result {
    /// Which one it is, in order.
    number: usize,
    outcome: Outcome<Verdict>,
    terms: Terms,
    statistics: Statistics,
    reuse: Reuse,
}

/// Races the engines for pushdown systems.
///
/// # Errors
/// If no racer has a verdict: the first one's reason.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    staggered(ctx, &RACERS, program, property, settings)
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
    handicap(ctx, racers, Duration::ZERO, program, property, settings)
}

/// Races the engines of these names, where each starts a while after the one before, or when that
/// has given up: what the first finds soon is not delayed by the others.
///
/// # Errors
/// If no racer has a verdict: the first one's reason.
pub fn handicap(
    ctx: &mut Context,
    racers: &[&str],
    while_alone: Duration,
    program: &Program,
    property: PropertyId,
    settings: &Settings,
) -> Outcome<Verdict> {
    let mut racers: Vec<Racer> = racers.iter().map(|name| Racer::new(name, while_alone)).collect();
    if let Some(first) = racers.first_mut() {
        first.after = Duration::ZERO;
    }
    staggered(ctx, &racers, program, property, settings)
}

/// Races engines of which each has its own start and its own share of the memory.
///
/// # Errors
/// If no racer has a verdict: the first one's reason.
pub fn staggered(
    ctx: &mut Context,
    racers: &[Racer<'_>],
    program: &Program,
    property: PropertyId,
    settings: &Settings,
) -> Outcome<Verdict> {
    let over = Arc::new(AtomicBool::new(false));
    let _end = SetOnDrop(over.clone());
    let (sender, results) = channel();
    let program = Arc::new(program.clone());
    ctx.budget.racers = racers.len() as u64;
    let engine =
        |racer: &Racer| by_name(racer.name).ok_or_else(|| Stop::Failed(format!("{} is not registered", racer.name)));
    let entries = racers.iter().enumerate().map(|(number, racer)| Ok((number, *racer, engine(racer)?)));
    let mut waiting = entries.collect::<Outcome<VecDeque<(usize, Racer, &'static Engine)>>>()?;
    let heard = Heard::new(racers.len());
    // Those who have not started hold the line open.
    let mut sender = Some(sender);
    let mut due = Instant::now();
    // The reason of the first in order of those that gave up.
    let mut first: Option<(usize, Reason)> = None;
    let lost = loop {
        while due <= Instant::now()
            && let Some(line) = &sender
        {
            if let Some((number, racer, engine)) = waiting.pop_front() {
                let entry = Entry { number, racer, engine };
                start(ctx, &entry, &program, property, engine.chosen(settings), &heard, &over, line.clone());
            }
            match waiting.front() {
                Some((_, next, _)) => due = Instant::now() + next.after,
                None => sender = None,
            }
        }
        let pause = if sender.is_some() { TICK.min(due.saturating_duration_since(Instant::now())) } else { TICK };
        match results.recv_timeout(pause) {
            Ok(Result {
                outcome: Ok(verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_))),
                terms,
                statistics,
                reuse,
                ..
            }) => {
                (ctx.terms, ctx.statistics, ctx.reuse) = (terms, statistics, reuse);
                return Ok(verdict);
            }
            Ok(Result { outcome: Err(Stop::Failed(error)), .. }) => return Err(Stop::Failed(error)),
            Ok(Result {
                outcome: Ok(Verdict::Unknown(reason)) | Err(Stop::GaveUp(reason)),
                number,
                statistics,
                ..
            }) => {
                heard.gave_up(number, statistics, reason.clone());
                if first.as_ref().is_none_or(|(known, _)| number < *known) {
                    first = Some((number, reason));
                }
                due = Instant::now();
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Err(limit) = ctx.budget.check() {
                    break Stop::from(limit);
                }
                ctx.observer.tell(&Progress { statistics: ctx.statistics, ..Progress::default() });
            }
            Err(RecvTimeoutError::Disconnected) => {
                // All may have stopped at a limit that is seen only now.
                if let Err(limit) = ctx.budget.check() {
                    break Stop::from(limit);
                }
                let broken = || Stop::Failed("all engines of the race broke down".to_owned());
                break first.map_or_else(broken, |(_, reason)| Stop::GaveUp(reason));
            }
        }
    };
    ctx.reached.extend(heard.tell(racers.iter().map(engine).collect::<Outcome<Vec<_>>>()?));
    Err(lost)
}

/// What was heard of each racer, by number: nothing before its start.
#[derive(Clone)]
struct Heard(Arc<Mutex<Vec<Last>>>);

/// What was heard of a racer last, and why it gave up.
type Last = (Option<Statistics>, Option<Reason>);

impl Heard {
    fn new(racers: usize) -> Heard {
        Heard(Arc::new(Mutex::new(vec![(None, None); racers])))
    }

    /// Who tells of a racer while it runs.
    fn observer(&self, number: usize) -> Observer {
        let heard = self.clone();
        heard.counted(number, Statistics::default());
        Observer::new(move |progress| heard.counted(number, progress.statistics))
    }

    fn counted(&self, number: usize, statistics: Statistics) {
        // A racer that broke down in between left a number at most.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)[number].0 = Some(statistics);
    }

    fn gave_up(&self, number: usize, statistics: Statistics, reason: Reason) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)[number] = (Some(statistics), Some(reason));
    }

    fn tell(&self, engines: Vec<&'static Engine>) -> Vec<Reached> {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let told = engines.into_iter().zip(heard);
        told.map(|(engine, (statistics, reason))| Reached { engine: engine.name, statistics, reason }).collect()
    }
}

/// A racer at its start.
struct Entry<'r> {
    number: usize,
    racer: Racer<'r>,
    engine: &'static Engine,
}

/// Starts a racer. It is not waited for: once the race is over it stops at its next look
/// at its limits.
#[expect(clippy::too_many_arguments, reason = "what a racer is given, and what all racers share")]
fn start(
    ctx: &mut Context,
    entry: &Entry,
    program: &Arc<Program>,
    property: PropertyId,
    settings: Settings,
    heard: &Heard,
    over: &Arc<AtomicBool>,
    sender: Sender<Result>,
) {
    let (terms, program, solvers) = (ctx.terms.clone(), program.clone(), ctx.solvers.clone());
    // There is one viewer: it sees the rounds of the first racer that has some.
    let rounds = if entry.engine.can.rounds { std::mem::take(&mut ctx.rounds) } else { Rounds::default() };
    let reuse = ctx.reuse.clone();
    let mut budget = ctx.budget.clone();
    budget.interrupted = over.clone();
    budget.memory = budget.memory.map(|bytes| bytes / entry.racer.share.max(1));
    let end = Instant::now().checked_add(entry.racer.most);
    budget.deadline = budget.deadline.into_iter().chain(end).min();
    let (number, engine, spare) = (entry.number, entry.engine, sender.clone());
    let observer = heard.observer(number);
    let work = move || {
        let mut ctx = Context { terms, budget, rounds, solvers, reuse, observer, ..Context::default() };
        let outcome = (engine.run)(&mut ctx, &program, property, &settings);
        let Context { terms, statistics, reuse, .. } = ctx;
        // If nobody listens any more, another racer has won.
        let _ = sender.send(Result { number, outcome, terms, statistics, reuse });
    };
    if let Err(why) = std::thread::Builder::new().stack_size(STACK).spawn(work) {
        let outcome = Err(Stop::Failed(format!("no thread can be started: {why}")));
        let Context { terms, statistics, reuse, .. } = Context::default();
        let _ = spare.send(Result { number, outcome, terms, statistics, reuse });
    }
}

/// Ends the race however its function is left.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_ir::{Op, Property, Sources, Span};

    /// One step into the error, with nothing that the engines for systems refuse.
    fn one_step(ctx: &mut Context, calls: bool) -> Program {
        let mut program = Program::new(Sources::new().into());
        let main = program.add_proc("main", Span::default());
        let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
        let [called, error] = [0, 1].map(|_| program.add_loc(Span::default()));
        let always = ctx.terms.bool(true);
        let op = if calls { Op::Call { callee: main, args: vec![], results: vec![] } } else { Op::Assume(always) };
        program.add_edge(main, entry, called, op, Span::default());
        program.add_edge(main, entry, exit, Op::Assume(always), Span::default());
        program.add_edge(main, called, error, Op::Assume(always), Span::default());
        program.default = Some(program.add_property(Property::new("error", "the error is reached", vec![error])));
        program
    }

    fn verdict(racers: &[&str], calls: bool) -> Outcome<Verdict> {
        let mut ctx = Context::default();
        let program = one_step(&mut ctx, calls);
        let property = program.default.expect("a property");
        // Nobody waits that long: the second starts when the first has given up.
        let long = Duration::from_secs(1_000_000);
        handicap(&mut ctx, racers, long, &program, property, &Settings::default())
    }

    #[test]
    fn the_next_starts_when_the_one_before_gave_up() {
        assert!(matches!(verdict(&["predicate-craig", "explicit"], true), Ok(Verdict::Unsafe(_))));
    }

    #[test]
    fn the_first_may_end_alone() {
        assert!(matches!(verdict(&["explicit", "pushdown"], false), Ok(Verdict::Unsafe(_))));
    }

    #[test]
    fn who_has_no_verdict_says_how_far_it_came() {
        let mut ctx = Context::default();
        let program = one_step(&mut ctx, true);
        let racers = ["predicate-craig", "predicate-sequence"].map(|name| Racer::new(name, Duration::ZERO));
        let property = program.default.expect("a property");
        let stop = staggered(&mut ctx, &racers, &program, property, &Settings::default());
        assert!(matches!(stop, Err(Stop::GaveUp(_))), "{stop:?}");
        let told: Vec<(&str, bool)> =
            ctx.reached.iter().map(|reached| (reached.engine, reached.reason.is_some())).collect();
        assert_eq!(told, [("predicate-craig", true), ("predicate-sequence", true)]);
    }

    #[test]
    fn the_first_in_order_says_why() {
        let stop = verdict(&["predicate-craig", "predicate-sequence"], true).unwrap_err();
        assert!(matches!(stop, Stop::GaveUp(_)), "{stop:?}");
    }
}
