//! Verdicts, and the independent check of their evidence. This crate sees no engine.
//!
//! Files: `verdict`, `check` (the door), `replay` (traces) with `taint` (what they depend on),
//! `induction` (proofs) with `passage` (ways that a proof passes over), `judge` (who answers the questions of a proof), `hints` (what helps to
//! answer them).

#[cfg(test)]
mod agreement;
mod check;
mod hints;
mod induction;
mod judge;
mod passage;
mod replay;
mod steps;
mod taint;
mod verdict;

pub use check::{Check, check};
pub use taint::{dependence, depends, tainted};
pub use tamis_solver::StopSignal;
pub use verdict::{Reason, Resource, Verdict};
