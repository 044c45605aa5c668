//! Random transition systems against breadth-first search.
//!
//! Files: [`generate`] (random machines), [`search`] (all their states, by evaluation),
//! [`compare`] (every configuration against that).

pub mod compare;
pub mod generate;
pub mod search;
