//! Circuits: every term of a finite sort is a word of Boolean functions, every function a few
//! gates. The SAT backend turns gates into clauses, the decision diagrams into diagrams.
//!
//! Files in order of reading: `meter` (when to give up), `gates` (the circuit), `words`
//! (bit-vector arithmetic as circuits), `division`, `arrays`, `encode` (terms to words).
//!
//! ```
//! use tamis_circuit::{Edge, Encoder, Gates, Meter};
//! use tamis_term::{Sort, StopSignal, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.declare("x", Sort::BitVec(8));
//! let x = terms.var(x);
//! let (difference, zero) = (terms.bvsub(x, x), terms.bv(8, 0));
//! let same = terms.eq(difference, zero);
//! let mut encoder = Encoder::new(Gates::new(Meter::new(StopSignal::never(), 1 << 20)), 1 << 16);
//! assert_eq!(encoder.truth(&terms, same)?, Edge::TRUE);
//! # Ok::<(), tamis_circuit::Error>(())
//! ```
//!
//! **Invariants**
//! - A gate is a total function of gates that are older than it, and each distinct gate exists
//!   once. Constants never enter a gate.
//! - Whatever is abandoned half-way is an [`Error`], which cannot be stored, so no partial
//!   word is ever reused; what was built before it stays usable.

mod arrays;
mod division;
mod encode;
mod gates;
mod meter;
mod words;

use std::fmt;

pub use encode::Encoder;
pub use gates::{Edge, Gate, GateId, Gates};
pub use meter::Meter;

/// Why there is no circuit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The stop signal was set.
    Interrupted,
    /// The memory limit is reached.
    OutOfMemory,
    /// The term uses what circuits do not express: a phrase that names it.
    Unsupported(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Interrupted => f.write_str("interrupted"),
            Error::OutOfMemory => f.write_str("the circuit's memory limit is reached"),
            Error::Unsupported(what) => write!(f, "circuits do not handle {what}"),
        }
    }
}

impl std::error::Error for Error {}
