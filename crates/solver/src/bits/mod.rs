//! The bit-level backend: every term of a finite sort becomes a circuit (`tamis_circuit`),
//! every gate a few clauses for a SAT solver.
//!
//! Files in order of reading: `cnf` (gates to clauses, and the SAT solver), `audit` (the SAT
//! solver's contradictions, checked), `solver` (scopes, checks, cores), `model`.
//!
//! **Why this can be trusted.** A gate is a *total function* of its inputs, and its clauses
//! (Tseitin, 1968) define a fresh variable as that function. There are no side conditions:
//! definitions never constrain the inputs, so a half-encoded formula, or one that was
//! popped, constrains nothing. What is asserted are facts and nothing else. Whatever is
//! abandoned half-way is an `Err`, which cannot be stored, so no partial word is ever reused.

mod audit;
mod cnf;
mod model;
mod solver;

use crate::Why;

pub use solver::{Bits, Effort};

/// What the bit-level backend may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// About how many bytes the solver may hold before it answers [`crate::Why::OutOfMemory`].
    pub memory: usize,
    /// The most bits of one array that is spelled out cell by cell; larger ones are
    /// [`crate::Why::Unsupported`].
    pub array_bits: u64,
    /// What [`crate::Answer::Unsat`] rests on.
    pub contradictions: Contradictions,
}

/// What a contradiction rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradictions {
    /// The SAT solver's word.
    Trusted,
    /// A proof, each step of which was checked as it was made. Long searches take about five
    /// times as long; questions that need little search cost little more.
    Audited,
}

impl Default for Config {
    /// Two gibibytes, arrays of up to 2^16 bits, and no audit.
    fn default() -> Config {
        Config { memory: 2 << 30, array_bits: 1 << 16, contradictions: Contradictions::Trusted }
    }
}

impl From<tamis_circuit::Error> for Why {
    fn from(error: tamis_circuit::Error) -> Why {
        match error {
            tamis_circuit::Error::Interrupted => Why::Interrupted,
            tamis_circuit::Error::OutOfMemory => Why::OutOfMemory,
            tamis_circuit::Error::Unsupported(what) => Why::Unsupported(what),
        }
    }
}
