//! Verdicts. A claim carries its evidence; giving up carries its reason.

use std::fmt;
use tamis_ir::{Proof, Trace};

/// The answer to a question about a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No error location of the property can be reached.
    Safe(Proof),
    /// The trace reaches one.
    Unsafe(Trace),
    /// Neither was established.
    Unknown(Reason),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A limit was reached.
    OutOfBudget(Resource),
    /// The user interrupted the run.
    Interrupted,
    /// No error was found up to this bound; beyond it nothing is known.
    Bounded(u64),
    /// The solver had no answer to a question that matters.
    SolverUnknown(String),
    /// The same counterexample came back although the precision did not grow.
    RefinementStuck,
    /// The input uses something that the engine cannot handle.
    Unsupported(String),
    /// The independent check refused the evidence: a bug of the engine.
    EvidenceRejected(String),
}

/// What a budget limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Wall-clock time.
    Time,
    /// Memory.
    Memory,
    /// States that an engine stores.
    States,
    /// Rounds of refinement.
    Rounds,
}

/// The words inside `unknown(...)`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::OutOfBudget(Resource::Time) => write!(f, "out of time"),
            Reason::OutOfBudget(Resource::Memory) => write!(f, "out of memory"),
            Reason::OutOfBudget(Resource::States) => write!(f, "out of states"),
            Reason::OutOfBudget(Resource::Rounds) => write!(f, "out of rounds"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Bounded(bound) => write!(f, "bounded: {bound}"),
            Reason::SolverUnknown(why) => write!(f, "solver: {why}"),
            Reason::RefinementStuck => write!(f, "refinement stuck"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::EvidenceRejected(why) => write!(f, "evidence rejected: {why}"),
        }
    }
}

impl Reason {
    /// What the user can try next.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Reason::OutOfBudget(Resource::Time) => "allow more time with --time, or try another engine",
            Reason::OutOfBudget(Resource::Memory) => "allow more memory with --memory, or try another engine",
            Reason::OutOfBudget(Resource::States) => {
                "allow more states with --states, use narrower variables, or try another engine"
            }
            Reason::OutOfBudget(Resource::Rounds) => "allow more rounds, or try another refinement",
            Reason::Interrupted => "run it again, with --time to bound it",
            Reason::Bounded(_) => {
                "raise the bound if you set one with --with bound=K, or try an engine that can prove safety"
            }
            Reason::SolverUnknown(_) => {
                "allow more time, try another solver, or see whether the one you named can be run"
            }
            Reason::RefinementStuck => "try another engine or other parts: `tamis engines` lists them",
            Reason::Unsupported(_) => "try another engine, or rewrite that part of the input",
            Reason::EvidenceRejected(_) => "please report this with the input: it is a bug",
        }
    }
}
