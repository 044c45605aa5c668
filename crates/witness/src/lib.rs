//! Verdicts, and the independent check of their evidence. This crate sees no engine.
//!
//! Files: `verdict`, `check` (the door), `replay` (traces), `induction` (proofs).

mod check;
mod induction;
mod replay;
mod verdict;

pub use check::{Check, check};
pub use tamis_solver::StopSignal;
pub use verdict::{Reason, Resource, Verdict};
