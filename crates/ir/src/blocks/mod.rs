//! Programs as blocks: cut points, and the code without loops between them as formulas (Beyer,
//! Cimatti, Griggio, Keremoglu, Sebastiani, *Software Model Checking via Large-Block Encoding*,
//! FMCAD 2009).
//!
//! Calls are not part of blocks: who has calls makes both ends of each a cut point.
//!
//! Files in order of reading: `cuts` (where states are), `block` (what happens between them),
//! `graph` (both together), `back` (evidence).

mod back;
mod block;
mod cuts;
mod graph;
#[cfg(test)]
mod tests;

pub use back::Taken;
pub use block::{Arc, Block, Walker};
pub use cuts::Cuts;
pub use graph::{ArcId, BlockGraph, Point, PointId};

/// How much code lies between two cut points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// All of it that has no loop.
    Large,
    /// All of it that has no choice: ways part and meet at cut points.
    Branches,
    /// One statement.
    Single,
}
