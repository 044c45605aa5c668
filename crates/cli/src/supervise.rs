//! The work runs on a thread of its own, with a large stack. The main thread watches: it
//! shows progress, and ends a run that does not heed its limits or the user.
//!
//! Engines ask their budget and stop by themselves; a front end that reads, a pass, or one
//! huge allocation does not. Whoever is late by more than a grace is not waited for: the
//! verdict is unknown with the same reason, and the process ends.

use crate::options::Limits;
use crate::output::{Ending, Exit};
use crate::progress::{Display, Gauge};
use crate::trouble::{Manner, Trouble};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tamis_cegar::{Budget, Observer};
use tamis_witness::{Reason, Resource};

/// Deep terms and deep syntax are walked without recursion where they can be arbitrarily
/// deep; this is for what remains.
const STACK: usize = 256 << 20;

/// How often the watcher looks.
const LOOK: Duration = Duration::from_millis(5);

/// How late the work may be.
const GRACE: Duration = Duration::from_millis(1500);

/// How long writing down what is settled may take, if it goes beyond the limits.
const WRITING: Duration = Duration::from_secs(8);

/// How many bytes beyond its limit the work may have, at least.
const SLACK: u64 = 64 << 20;

/// What the work is handed.
pub struct Job {
    /// Its limits.
    pub budget: Budget,
    quiet: bool,
    gauge: Arc<Gauge>,
    messages: Sender<Message>,
}

enum Message {
    Say(String),
    Settled(Option<Box<Ending>>),
    Done(Box<Result<Ending, Trouble>>),
}

/// How the work ended.
pub enum Outcome {
    /// By itself.
    Done(Box<Result<Ending, Trouble>>),
    /// It was not waited for.
    Forced(Reason),
}

impl Outcome {
    /// Tells the user; `forced` says what about a run that was not waited for.
    pub fn end(self, manner: &Manner, forced: impl FnOnce(Reason) -> Ending) -> Exit {
        match self {
            Outcome::Forced(reason) => forced(reason).write(),
            Outcome::Done(result) => match *result {
                Ok(ending) => ending.write(),
                Err(Trouble::GaveUp(reason)) => forced(reason).write(),
                Err(trouble) => trouble.report(Some(manner)),
            },
        }
    }
}

impl Job {
    /// Says something on standard error, unless the user wants quiet.
    pub fn say(&self, text: String) {
        if !self.quiet {
            // If the watcher is gone, so is the process.
            let _ = self.messages.send(Message::Say(text));
        }
    }

    /// Says that the answer is known: what remains is to write it down. If that takes long
    /// beyond the limits, or the user interrupts it, `instead` is written, if there is one.
    pub fn settle(&self, instead: Option<Ending>) {
        let _ = self.messages.send(Message::Settled(instead.map(Box::new)));
    }

    /// Names what is being done now.
    pub fn stage(&self, name: &'static str) {
        self.gauge.stage(name);
    }

    /// An observer that feeds the display.
    pub fn observer(&self) -> Observer {
        let gauge = self.gauge.clone();
        Observer::new(move |progress| gauge.take(progress))
    }
}

/// Carries out `work` within the limits.
pub fn supervise(
    limits: Limits,
    quiet: bool,
    gauge: &Arc<Gauge>,
    work: impl FnOnce(&Job) -> Result<Ending, Trouble> + Send + 'static,
) -> Outcome {
    let budget = Budget { memory: Some(limits.memory), allocated: crate::allocated, ..Budget::default() };
    let budget = budget.with_time(limits.time);
    watch_signals(&budget);
    let (messages, inbox) = mpsc::channel();
    let job = Job { budget: budget.clone(), quiet, gauge: gauge.clone(), messages };
    let run = move || {
        let result = work(&job);
        let _ = job.messages.send(Message::Done(Box::new(result)));
    };
    if let Err(why) = thread::Builder::new().name("work".into()).stack_size(STACK).spawn(run) {
        return Outcome::Done(Box::new(Err(Trouble::Internal(format!("no thread can be started: {why}")))));
    }
    watch(&budget, &inbox, Display::new(quiet), gauge)
}

fn watch(budget: &Budget, inbox: &Receiver<Message>, mut display: Display, gauge: &Gauge) -> Outcome {
    let mut overdue = Overdue { since: None };
    let mut settled: Option<(Instant, Option<Box<Ending>>)> = None;
    loop {
        match inbox.recv_timeout(LOOK) {
            Ok(Message::Say(text)) => display.say(&text),
            Ok(Message::Settled(instead)) => settled = Some((Instant::now(), instead)),
            Ok(Message::Done(result)) => {
                display.clear();
                return Outcome::Done(result);
            }
            Err(RecvTimeoutError::Disconnected) => {
                display.clear();
                return Outcome::Done(Box::new(Err(panicked())));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        display.show(gauge);
        let Some(reason) = overdue.look(budget) else { continue };
        match &mut settled {
            None => {
                display.clear();
                return Outcome::Forced(reason);
            }
            Some((since, instead)) if since.elapsed() > WRITING || reason == Reason::Interrupted => {
                if let Some(ending) = instead.take() {
                    display.clear();
                    return Outcome::Done(Box::new(Ok(*ending)));
                }
            }
            Some(_) => {}
        }
    }
}

/// Finds out whether the work should have stopped by itself.
struct Overdue {
    /// Since when a limit is known to be exceeded.
    since: Option<Instant>,
}

impl Overdue {
    fn look(&mut self, budget: &Budget) -> Option<Reason> {
        let Err(reason) = budget.check() else {
            self.since = None;
            return None;
        };
        let since = *self.since.get_or_insert_with(Instant::now);
        let burst =
            budget.memory.is_some_and(|limit| (budget.allocated)() > limit.saturating_add(SLACK.max(limit / 8)));
        if burst {
            return Some(Reason::OutOfBudget(Resource::Memory));
        }
        (since.elapsed() > GRACE).then_some(reason)
    }
}

/// The first interrupt asks the run to end; the second ends the process.
fn watch_signals(budget: &Budget) {
    let interrupted = budget.interrupted.clone();
    let handler = move || {
        if interrupted.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // Where no handler can be set, the system's default action stands: the process ends.
    let _ = ctrlc::set_handler(handler);
}

/// What the last panic said.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps what panics say for a short report instead of a backtrace.
pub fn catch_panics() {
    std::panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let payload = info.payload();
        let what = payload.downcast_ref::<&str>().copied();
        let what = what.or(payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic");
        let place = info.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
        let trace = Backtrace::capture();
        let captured = trace.status() == BacktraceStatus::Captured;
        let trace = if captured { format!("\n{trace}") } else { String::new() };
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(format!("{what}{place}{trace}"));
        }
    }));
}

/// The last panic as trouble.
pub fn panicked() -> Trouble {
    let said = PANIC.lock().ok().and_then(|mut last| last.take());
    Trouble::Internal(said.unwrap_or_else(|| "the work ended without a result".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(time: Duration, memory: u64, work: impl FnOnce(&Job) + Send + 'static) -> Outcome {
        let work = move |job: &Job| {
            work(job);
            Ok(Ending { err: String::new(), out: String::new(), exit: Exit::Safe })
        };
        supervise(Limits { time, memory }, true, &Arc::default(), work)
    }

    const LONG: Duration = Duration::from_secs(100);

    #[test]
    fn work_that_ends_is_done() {
        assert!(matches!(run(LONG, 1 << 40, |_| ()), Outcome::Done(result) if result.is_ok()));
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let Outcome::Done(result) = run(LONG, 1 << 40, |_| panic!("on purpose")) else { panic!("it ends") };
        assert!(matches!(*result, Err(Trouble::Internal(_))));
    }

    #[test]
    fn work_that_does_not_look_at_the_clock_is_ended() {
        let outcome = run(Duration::from_millis(50), 1 << 40, |_| thread::sleep(LONG));
        assert!(matches!(outcome, Outcome::Forced(Reason::OutOfBudget(Resource::Time))));
    }

    #[test]
    fn a_burst_of_memory_is_ended_at_once() {
        let start = Instant::now();
        let outcome = run(LONG, 1 << 20, |_| {
            let burst = vec![1_u8; 300 << 20];
            thread::sleep(LONG);
            drop(burst);
        });
        assert!(matches!(outcome, Outcome::Forced(Reason::OutOfBudget(Resource::Memory))));
        assert!(start.elapsed() < LONG / 2);
    }

    #[test]
    fn what_is_settled_may_take_its_time() {
        let outcome = run(Duration::ZERO, 1 << 40, |job| {
            job.settle(Some(Ending { err: String::new(), out: "instead".into(), exit: Exit::Safe }));
            thread::sleep(2 * GRACE);
        });
        assert!(
            matches!(outcome, Outcome::Done(result) if (*result).as_ref().is_ok_and(|ending| ending.out.is_empty()))
        );
    }

    #[test]
    fn what_is_settled_is_not_written_forever() {
        let outcome = run(Duration::ZERO, 1 << 40, |job| {
            job.settle(Some(Ending { err: String::new(), out: "instead".into(), exit: Exit::Safe }));
            thread::sleep(LONG);
        });
        assert!(
            matches!(outcome, Outcome::Done(result) if (*result).as_ref().is_ok_and(|ending| ending.out == "instead"))
        );
    }
}
