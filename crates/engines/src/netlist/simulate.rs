//! Simulation: 64 runs at once, a bit of a word for each.

use super::{Aig, Netlist, Node, NodeId, Signal};

/// The values of all nodes in 64 runs.
#[derive(Clone, Debug)]
pub(crate) struct Valuation {
    words: Vec<u64>,
}

impl Valuation {
    /// All leaves are false, and nothing is computed yet.
    pub(crate) fn new(aig: &Aig) -> Valuation {
        Valuation { words: vec![0; aig.len()] }
    }

    pub(crate) fn set(&mut self, leaf: NodeId, word: u64) {
        self.words[leaf.index()] = word;
    }

    pub(crate) fn get(&self, signal: Signal) -> u64 {
        let word = self.words[signal.node().index()];
        if signal.is_complement() { !word } else { word }
    }

    /// The value in the first run.
    pub(crate) fn holds(&self, signal: Signal) -> bool {
        self.get(signal) & 1 == 1
    }

    /// Computes all nodes from the leaves.
    pub(crate) fn compute(&mut self, aig: &Aig) {
        for (id, node) in aig.nodes() {
            if let Node::And(a, b) = node {
                self.words[id.index()] = self.get(a) & self.get(b);
            }
        }
    }

    /// Goes on by one step; inputs keep their values until they are set.
    pub(crate) fn step(&mut self, netlist: &Netlist) {
        let next: Vec<u64> = netlist.latches.iter().map(|latch| self.get(latch.next)).collect();
        for (latch, word) in netlist.latches.iter().zip(next) {
            self.set(latch.node, word);
        }
    }
}
