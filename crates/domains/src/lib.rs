//! Domains of abstract states at cut points (Hajdu, Tóth, Vörös, Majzik, *A Configurable
//! CEGAR Framework with Interpolation-Based Refinements*, FORTE 2016, section 4.1): predicates,
//! values of visible variables, and both at once.
//!
//! Files in order of reading: `tree` and [`predicates`] (predicate abstraction), [`product`] (with
//! explicit values, and how abstract states are found), [`start`] (the precision to begin with),
//! [`selected`] (a precision that somebody else chooses).

pub mod predicates;
pub mod product;
pub mod selected;
pub mod start;
mod tree;

pub use predicates::{Granularity, Predicates};
pub use product::{Accuracy, Learn, Product};
pub use selected::{Chosen, Selected};
pub use start::{Start, Tracked, is_discrete};
