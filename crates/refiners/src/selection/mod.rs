//! Which of many predicates to keep (Chaki, Clarke, Groce, Strichman, *Predicate Abstraction with Minimum
//! Predicates*, CHARME 2003): as few as eliminate every spurious trace seen so far.
//!
//! A *candidate* is a choice that brings predicates with it: a branch of the program with its weakest
//! preconditions, or a piece of an interpolant. A set of candidates eliminates a trace if the abstraction by
//! their predicates has no trace along the same arcs. More candidates eliminate more.
//!
//! Files in order of reading: [`candidates`] (`PredInfer`, section 2.1), [`elimination`] (trace elimination,
//! section 2.4), [`select`] (the strategies), `hitting` (the minimum by implicit hitting sets), `enumerate`
//! (the minimum as in the paper), `greedy` (Figure 6, and keeping everything), [`refiner`] (the last line of
//! Sample-and-Eliminate, Figure 5).

pub mod candidates;
pub mod elimination;
mod enumerate;
mod greedy;
mod hitting;
pub mod refiner;
pub mod select;
#[cfg(test)]
mod tests;

pub use candidates::{Candidate, branches};
pub use elimination::{Elimination, Eliminator, Test};
pub use refiner::{Selecting, Selection, Source};
pub use select::{Select, Selector};
