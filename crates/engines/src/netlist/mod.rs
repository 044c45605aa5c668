//! Circuits for the engines that think in bits: latches, inputs, and conjunctions between them.
//!
//! Files in order of reading: `aig` (the gates), this one (what a circuit is), `build` (from a
//! program), `simulate`, `cnf` (its clauses, loaded on demand), `reduce` (what is constant or equal is
//! merged), `equal` (which latches and gates are equal), `evidence` (the way back: invariants and runs
//! of the circuit as proofs and traces of the program).

mod aig;
mod build;
mod cnf;
mod equal;

mod evidence;
#[cfg(test)]
pub(crate) mod random;
mod reduce;

mod simulate;

pub(crate) use aig::{Aig, Node, NodeId, Signal};
pub(crate) use build::Built;
pub(crate) use cnf::{Cnf, Plan};
pub(crate) use evidence::Frame;
pub(crate) use simulate::Valuation;

/// A circuit with a question: does `bad` become true?
#[derive(Clone, Debug)]
pub(crate) struct Netlist {
    pub(crate) aig: Aig,
    pub(crate) latches: Vec<Latch>,
    /// Inputs, each with the number of the input of the original circuit that it is.
    pub(crate) inputs: Vec<(NodeId, usize)>,
    /// What holds in initial states besides the values of latches: over latches.
    pub(crate) start: Signal,
    /// What holds in every state.
    pub(crate) constraint: Signal,
    /// When a step can be taken.
    pub(crate) step: Signal,
    pub(crate) bad: Signal,
}

/// A bit of the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latch {
    pub(crate) node: NodeId,
    pub(crate) next: Signal,
    /// The initial value, unless it is arbitrary.
    pub(crate) reset: Option<bool>,
    /// The number of the latch of the original circuit that it is.
    pub(crate) origin: usize,
}

impl Netlist {
    /// What the engines ask about.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Signal> + '_ {
        let nexts = self.latches.iter().map(|latch| latch.next);
        nexts.chain([self.constraint, self.step, self.bad, self.start])
    }
}
