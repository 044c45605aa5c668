//! What terms promise, checked on random terms, on all small ones, and on corner cases.
//!
//! Files in order of reading: `world` (random terms and environments), `laws` (of building,
//! substituting, printing and reading), `rules` (every simplification on small arguments),
//! `values` (bit-vectors, arrays, packing), `corners` (concrete facts of SMT-LIB), `text`
//! (printing and reading), `hostile` (input made to break the reader), `deep` (terms a
//! million levels deep), `substitution` (against ordinary maps), `c` (C expressions, compiled and
//! run), `solver` (Z3 as judge).

mod c;
mod corners;
mod deep;
mod hostile;
mod laws;
mod rules;
mod solver;
mod substitution;
mod text;
mod values;
mod world;
