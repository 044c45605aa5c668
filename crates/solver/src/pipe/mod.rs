//! Any SMT-LIB 2 solver as a child process: cvc5, bitwuzla, yices-smt2, mathsat, z3, …
//!
//! Files in order of reading: `command` (what is run), `process` (the child, and how it ends),
//! `conversation` (which answer belongs to which question), `idle` (processes that are used again),
//! `session` (what a solver was told, and what it says about that), `solver` (scopes, checks,
//! evidence).
//!
//! **Why this can be trusted.** A solver's contradictions are believed. Its models are read as
//! values and evaluated, and one under which a fact is not true is no answer. Every answer is
//! followed by a mark that we asked for, so that no answer is taken for that of another
//! question; whatever else the solver says, or does not say, ends the conversation, and the
//! process with it. The next check begins a new one.

mod command;
mod conversation;
mod idle;
mod process;
mod session;
mod solver;

pub(crate) use command::Command;
pub(crate) use conversation::{Conversation, End};
pub(crate) use session::explain;
pub use solver::Pipe;
