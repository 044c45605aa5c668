//! TRACER's figures 5 to 9 (Jaffar, Navas, Santosa): programs that are bad for abstraction refinement
//! and good for abstraction learning, and one that is the other way round.
//!
//! Files in order of reading: [`families`] (the programs), [`curves`] (sizes, engines, claims). How
//! curves are measured and told is in [`growth`](crate::growth).

pub mod curves;
pub mod families;

pub use curves::{CURVES, names};
