//! How the engines for C grow: generated programs in several sizes, and what is claimed of each.
//!
//! Files in order of reading: [`families`] (the programs), [`curves`] (sizes, engines, claims).
//! How curves are measured and told is in [`growth`](crate::growth).

pub mod curves;
pub mod families;

pub use curves::{CURVES, names};
