//! The experiments of Kiefer's *Abstraction Refinement for Pushdown Systems* (2005, chapter 6),
//! run again: the same programs, the numbers that the thesis prints, and bands in which ours
//! must lie.
//!
//! Rounds and predicates are facts about the algorithm and have bands; times are facts about
//! a machine, so only ratios of times of the same run are judged by readers.
//!
//! Files in order of reading: [`programs`] and [`bytecode`] (the programs, in any size),
//! [`experiments`] (the table), [`speed`] (with and without abstraction), [`growth`] (what grows
//! with what), [`text`] and [`json`] (how it is told).
//! Nothing here writes: functions return values and text.

pub mod bytecode;
pub mod experiments;
pub mod growth;
pub mod json;
pub mod programs;
pub mod speed;
pub mod text;

pub use experiments::{EXPERIMENTS, Experiment, Found, by_name};
pub use growth::CURVES;
pub use speed::{CASES, Case, Comparison};
