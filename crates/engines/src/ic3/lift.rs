//! Lifting: of a state with inputs that makes some signals true, the values that matter. It is walked
//! back from the signals; where one of two operands suffices, the one that takes fewer latches is kept
//! (Ravi, Somenzi, *Minimal Assignments for Bounded Model Checking*, TACAS 2004, on the circuit).
//!
//! All states of the cube that is found make the signals true with the same inputs.

use super::cube::{Bit, Cube};
use crate::netlist::{Netlist, Node, NodeId, Signal};
use rustc_hash::FxHashMap;

/// Finds out what matters. Keeps its tables from one time to the next.
pub(super) struct Lifter<'n> {
    netlist: &'n Netlist,
    latches: FxHashMap<NodeId, usize>,
    /// By node, while it works: whether it is in the cone, its value, what it takes, whether it matters.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Default)]
struct Mark {
    inside: bool,
    value: bool,
    needed: bool,
    cost: u32,
}

impl<'n> Lifter<'n> {
    pub(super) fn new(netlist: &'n Netlist) -> Lifter<'n> {
        let latches = netlist.latches.iter().enumerate().map(|(at, latch)| (latch.node, at)).collect();
        Lifter { netlist, latches, marks: vec![Mark::default(); netlist.aig.len()] }
    }

    /// The cube of the latches that matter for the roots, all of which are true under the values of latches
    /// and inputs. With `all`, every latch that they depend on.
    pub(super) fn lift(&mut self, roots: &[Signal], value: impl Fn(Signal) -> bool, all: bool) -> Cube {
        let order = self.cone(roots);
        for id in &order {
            self.evaluate(*id, &value);
        }
        for root in roots {
            debug_assert!(self.value(*root), "it was found to be true");
            self.marks[root.node().index()].needed = true;
        }
        let mut bits = Vec::new();
        for id in order.iter().rev() {
            let mark = std::mem::take(&mut self.marks[id.index()]);
            if !mark.needed && !all {
                continue;
            }
            match self.netlist.aig.node(*id) {
                Node::False => {}
                Node::Leaf => bits.extend(self.latches.get(id).map(|latch| Bit::new(*latch, mark.value))),
                Node::And(a, b) if mark.value => {
                    self.marks[a.node().index()].needed = true;
                    self.marks[b.node().index()].needed = true;
                }
                Node::And(a, b) => {
                    let chosen = self.false_one(a, b);
                    self.marks[chosen.node().index()].needed = true;
                }
            }
        }
        Cube::new(bits)
    }

    /// What the roots depend on, in order.
    fn cone(&mut self, roots: &[Signal]) -> Vec<NodeId> {
        let mut found: Vec<NodeId> = Vec::new();
        let mut open: Vec<NodeId> = roots.iter().map(|root| root.node()).collect();
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.marks[id.index()].inside, true) {
                continue;
            }
            found.push(id);
            if let Node::And(a, b) = self.netlist.aig.node(id) {
                open.extend([a.node(), b.node()]);
            }
        }
        found.sort_unstable();
        found
    }

    fn value(&self, signal: Signal) -> bool {
        self.marks[signal.node().index()].value != signal.is_complement()
    }

    fn evaluate(&mut self, id: NodeId, value: &impl Fn(Signal) -> bool) {
        let (holds, cost) = match self.netlist.aig.node(id) {
            Node::False => (false, 0),
            Node::Leaf => (value(id.signal()), u32::from(self.latches.contains_key(&id))),
            Node::And(a, b) => {
                let cost = |signal: Signal| self.marks[signal.node().index()].cost;
                if self.value(a) && self.value(b) {
                    (true, cost(a).saturating_add(cost(b)))
                } else {
                    (false, cost(self.false_one(a, b)))
                }
            }
        };
        let mark = &mut self.marks[id.index()];
        (mark.value, mark.cost) = (holds, cost);
    }

    /// Of two operands, one that is false: what matters anyway, or takes less.
    fn false_one(&self, a: Signal, b: Signal) -> Signal {
        let mark = |signal: Signal| &self.marks[signal.node().index()];
        match (self.value(a), self.value(b)) {
            (false, true) => a,
            (true, false) => b,
            (true, true) => unreachable!("a conjunction of what holds does"),
            (false, false) if mark(a).needed != mark(b).needed => {
                if mark(a).needed {
                    a
                } else {
                    b
                }
            }
            (false, false) => {
                if mark(a).cost <= mark(b).cost {
                    a
                } else {
                    b
                }
            }
        }
    }
}
