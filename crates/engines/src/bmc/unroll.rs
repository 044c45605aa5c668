//! The circuit of all steps: a copy of every gate per step, over the inputs of that step and the latches'
//! values after the one before. Only what a question depends on becomes clauses.

use crate::netlist::{Aig, Cnf, Frame, Netlist, Node, NodeId, Plan, Signal};
use std::collections::BTreeMap;
use tamis_solver::{StopSignal, Why};

/// A circuit and its copies.
pub(super) struct Unrolled<'n> {
    netlist: &'n Netlist,
    aig: Aig,
    cnf: Cnf<Plan>,
    /// By latch: its value after the last step.
    latches: Vec<Signal>,
    /// By latch: the free bit that its initial value is.
    start: Vec<(usize, NodeId)>,
    /// By step: the free bits that its inputs are.
    inputs: Vec<Vec<(usize, NodeId)>>,
    /// Of the last step: when it can be taken, and that there is an error.
    step: Signal,
    bad: Signal,
}

impl<'n> Unrolled<'n> {
    /// The initial states.
    pub(super) fn new(netlist: &'n Netlist, stop: StopSignal, memory: usize) -> Unrolled<'n> {
        let mut aig = Aig::default();
        let (mut latches, mut start) = (Vec::new(), Vec::new());
        for latch in &netlist.latches {
            latches.push(latch.reset.map_or_else(
                || {
                    let leaf = aig.leaf();
                    start.push((latch.origin, leaf));
                    leaf.signal()
                },
                Signal::constant,
            ));
        }
        let cnf = Cnf::new(Plan::default(), stop, memory);
        Unrolled { netlist, aig, cnf, latches, start, inputs: Vec::new(), step: Signal::TRUE, bad: Signal::FALSE }
    }

    /// Takes a step to where the next error may be seen, the first to the initial states. Returns whether any
    /// run goes so far.
    pub(super) fn advance(&mut self) -> Result<bool, Why> {
        let first = self.inputs.is_empty();
        if !self.demand(self.step)? {
            return Ok(false);
        }
        let mut map = vec![Signal::FALSE; self.netlist.aig.len()];
        let image = |map: &[Signal], signal: Signal| map[signal.node().index()].flip_if(signal.is_complement());
        for (latch, value) in self.netlist.latches.iter().zip(&self.latches) {
            map[latch.node.index()] = *value;
        }
        let mut inputs = Vec::new();
        for (node, number) in &self.netlist.inputs {
            let leaf = self.aig.leaf();
            map[node.index()] = leaf.signal();
            inputs.push((*number, leaf));
        }
        for (id, node) in self.netlist.aig.nodes() {
            if let Node::And(a, b) = node {
                map[id.index()] = self.aig.and(image(&map, a), image(&map, b));
            }
        }
        self.latches = self.netlist.latches.iter().map(|latch| image(&map, latch.next)).collect();
        self.inputs.push(inputs);
        (self.step, self.bad) = (image(&map, self.netlist.step), image(&map, self.netlist.bad));
        let (constraint, start) = (image(&map, self.netlist.constraint), image(&map, self.netlist.start));
        let read = [self.step, self.bad, constraint, start];
        self.cnf.extend(&self.aig, self.latches.iter().copied().chain(read));
        Ok(self.demand(constraint)? && (!first || self.demand(start)?))
    }

    /// From now on, a signal is true. Returns whether it can be.
    fn demand(&mut self, signal: Signal) -> Result<bool, Why> {
        if signal == Signal::TRUE {
            return Ok(true);
        }
        let literal = self.cnf.literal(signal);
        self.cnf.sat.clause(&[literal]);
        self.cnf.sat.solve(&[], &[], None)
    }

    /// Whether there is an error after the last step. If not, that is remembered.
    pub(super) fn is_bad(&mut self) -> Result<bool, Why> {
        if self.bad == Signal::FALSE {
            return Ok(false);
        }
        let bad = self.cnf.literal(self.bad);
        if self.cnf.sat.solve(&[bad], &[], None)? {
            return Ok(true);
        }
        self.cnf.sat.clause(&[!bad]);
        Ok(false)
    }

    /// The run that was found.
    pub(super) fn run(&self) -> (BTreeMap<usize, bool>, Vec<Frame>) {
        let holds = |leaf: &NodeId| self.cnf.holds(leaf.signal());
        let start = self.start.iter().map(|(latch, leaf)| (*latch, holds(leaf))).collect();
        let frame = |inputs: &Vec<(usize, NodeId)>| {
            let mut frame: Frame = inputs.iter().filter(|(_, leaf)| holds(leaf)).map(|(number, _)| *number).collect();
            frame.sort_unstable();
            frame
        };
        (start, self.inputs.iter().map(frame).collect())
    }
}
