//! The experiments of Kiefer's *Abstraction Refinement for Pushdown Systems* (2005, chapter 6),
//! run again: the same programs, the numbers that the thesis prints, and how ours compare.
//!
//! Rounds and predicates are facts about the algorithm and are judged, from both sides; times are
//! facts about a machine, so only ratios of times of the same run are judged by readers.
//!
//! Files in order of reading: [`programs`] and [`bytecode`] (the programs, in any size),
//! [`judge`] (what counts as held), [`experiments`] (the table), [`effects`] (what options bring), [`speed`] (with and without abstraction), [`growth`] (what grows
//! with what), [`text`] and [`json`] (how it is told).
//! Nothing here writes: functions return values and text.

pub mod bytecode;
pub mod effects;
pub mod experiments;
pub mod growth;
pub mod json;
pub mod judge;
pub mod programs;
pub mod speed;
pub mod text;

pub use experiments::{EXPERIMENTS, Experiment, Found, by_name};
pub use growth::CURVES;
pub use judge::{Outcome, Printed};
pub use speed::{CASES, Case, Comparison};
