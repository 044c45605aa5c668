//! Random circuits: front end, engine, evidence and translations against the independent
//! simulator of `tamis-hardware`.
//!
//! Files: [`generate`] (random BTOR2), [`compare`] (what must agree).

pub mod compare;
pub mod generate;
