//! Random small programs against the reference semantics.
//!
//! Files in order of reading: [`generate`] (random programs), [`search`] (what the
//! interpreter finds within bounds), [`compare`] (all engines against that and against each
//! other), [`corrupt`] (evidence that must be refused), [`shrink`] (a small program that
//! still shows a disagreement), [`campaign`] (all of this, seed by seed), [`round_trip`]
//! (printed as Remopla and read again, a program means the same), [`systems`] (random pushdown
//! systems), [`laws`] (what must hold of abstraction refinement on them), [`machines`] (random
//! transition systems against breadth-first search), [`hardware`] (random circuits), [`damage`]
//! (texts that are no longer what they were), [`replay`] (traces of C programs, compiled and run).

pub mod c;
pub mod campaign;
pub mod compare;
pub mod corrupt;
pub mod damage;
pub mod generate;
pub mod hardware;
pub mod laws;
pub mod machines;
#[cfg(unix)]
pub mod replay;
pub mod round_trip;
pub mod search;
pub mod shrink;
pub mod systems;
