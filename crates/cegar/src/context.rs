//! What every engine is handed: terms, limits, statistics, and someone who watches.

use crate::budget::Budget;
use crate::reuse::Reuse;
use crate::round::Rounds;
use std::fmt;
use std::time::Duration;
use tamis_ir::Refusal;
use tamis_options::Unfit;
use tamis_solver::{Solvers, Why};
use tamis_term::Terms;
use tamis_witness::{Reason, Resource};

/// The surroundings of a run.
#[derive(Debug, Default)]
pub struct Context {
    /// The terms of the problem.
    pub terms: Terms,
    /// The limits.
    pub budget: Budget,
    /// Which solvers answer, as the user chose.
    pub solvers: Solvers,
    /// What was counted so far.
    pub statistics: Statistics,
    /// Who is told about progress.
    pub observer: Observer,
    /// Who is shown rounds of refinement.
    pub rounds: Rounds,
    /// The precision to begin with, and the one at the end.
    pub reuse: Reuse,
    /// What became of the engines of a race that nobody won.
    pub reached: Vec<Reached>,
}

/// How far an engine of a race came that had no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The engine.
    pub engine: &'static str,
    /// What it had counted when it was last heard of; nothing if it never started.
    pub statistics: Option<Statistics>,
    /// Why it gave up, if it did so by itself.
    pub reason: Option<Reason>,
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Statistics { states, rounds, predicates, .. }) = self.statistics else {
            return write!(f, "{}: not started", self.engine);
        };
        write!(f, "{}: {states} states", self.engine)?;
        if rounds > 0 {
            write!(f, ", {rounds} refinements, {predicates} predicates")?;
        }
        match &self.reason {
            Some(reason) => write!(f, ", {reason}"),
            None => write!(f, ", stopped"),
        }
    }
}

/// What a run counts. The names are those of the JSON report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Refinements.
    pub rounds: u64,
    /// The largest list of predicates at any location.
    pub predicates: u64,
    /// Abstract states or tree nodes explored.
    pub states: u64,
    /// Nodes of decision diagrams, at the peak.
    pub nodes: u64,
    /// Time spent on building abstractions.
    pub abstraction: Duration,
    /// Time spent on exploring them.
    pub saturation: Duration,
    /// Time spent on examining counterexamples.
    pub refinement: Duration,
}

/// What live progress shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The statistics so far.
    pub statistics: Statistics,
    /// States that wait to be explored.
    pub frontier: u64,
    /// The length of the counterexample under examination.
    pub counterexample: Option<u64>,
}

/// Someone who watches a run; by default nobody does.
#[derive(Default)]
pub struct Observer(Option<Watch>);

type Watch = Box<dyn FnMut(&Progress) + Send>;

impl Observer {
    /// An observer that calls `watch`.
    pub fn new(watch: impl FnMut(&Progress) + Send + 'static) -> Observer {
        Observer(Some(Box::new(watch)))
    }

    /// Tells the observer.
    pub fn tell(&mut self, progress: &Progress) {
        if let Some(watch) = &mut self.0 {
            watch(progress);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Observer({})", if self.0.is_some() { "watching" } else { "nobody" })
    }
}

impl Context {
    /// Carries out work whose solvers stop when the budget is used up.
    ///
    /// # Errors
    /// Those of the work.
    pub fn watched<T>(&mut self, work: impl FnOnce(&mut Context) -> Outcome<T>) -> Outcome<T> {
        let watch = self.budget.watch();
        let outer = std::mem::replace(&mut self.solvers.stop, watch.stop.clone());
        let result = work(self);
        self.solvers.stop = outer;
        match result {
            // A solver that was stopped knows nothing; why it was stopped is the reason.
            Err(Stop::GaveUp(Reason::SolverUnknown(why))) => {
                Err(Stop::GaveUp(watch.reason().unwrap_or(Reason::SolverUnknown(why))))
            }
            result => result,
        }
    }
}

/// Why a part of an engine did not finish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It gave up: the verdict is `Unknown` with this reason.
    GaveUp(Reason),
    /// Something is broken: never a verdict.
    Failed(String),
}

impl Stop {
    /// The interpreter refused a run that an engine found: a fault of the engine, unless the run is
    /// too much for the interpreter.
    #[must_use]
    pub fn refused(what: &str, refusal: &Refusal) -> Stop {
        if *refusal == Refusal::TooLong {
            Stop::GaveUp(Reason::Unsupported(format!("a run with long numbers: {refusal}")))
        } else {
            Stop::Failed(format!("{what}: {refusal}"))
        }
    }
}

/// A solver that broke leaves a question open; it is no fault of the engine.
impl From<tamis_solver::Error> for Stop {
    fn from(error: tamis_solver::Error) -> Stop {
        Stop::GaveUp(Reason::SolverUnknown(error.to_string()))
    }
}

/// Whoever was to be configured did nothing, and says why.
impl From<Unfit> for Stop {
    fn from(Unfit(why): Unfit) -> Stop {
        Stop::GaveUp(Reason::Unsupported(why))
    }
}

/// What a solver may hold is a share of what the user allows, so it is the memory that is low.
impl From<Why> for Stop {
    fn from(why: Why) -> Stop {
        Stop::GaveUp(match why {
            Why::OutOfMemory => Reason::OutOfBudget(Resource::Memory),
            Why::Interrupted | Why::Unsupported(_) | Why::GaveUp(_) => Reason::SolverUnknown(why.to_string()),
        })
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::GaveUp(reason)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::GaveUp(reason) => write!(f, "gave up: {reason}"),
            Stop::Failed(error) => write!(f, "internal error: {error}"),
        }
    }
}

impl std::error::Error for Stop {}

/// A result that may have been given up.
pub type Outcome<T> = Result<T, Stop>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_without_memory_is_no_fault_of_the_solver() {
        assert_eq!(Stop::from(Why::OutOfMemory), Stop::GaveUp(Reason::OutOfBudget(Resource::Memory)));
        let fault = Stop::from(Why::GaveUp("incomplete".into()));
        assert!(matches!(fault, Stop::GaveUp(Reason::SolverUnknown(_))), "{fault:?}");
    }
}
