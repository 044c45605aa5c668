//! Refiners: what a spurious counterexample teaches an abstraction. One module per kind of
//! formula that is learnt.

pub mod bdd;
pub mod interpolation;
pub mod selection;
