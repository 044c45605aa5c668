//! Random transition systems against breadth-first search.
//!
//! Files: [`generate`] (random machines), [`search`] (all their states, by evaluation),
//! [`compare`] (every configuration against that), [`prefixes`] (what is said about paths).

pub mod compare;
pub mod generate;
pub mod prefixes;
pub mod search;
