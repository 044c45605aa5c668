//! A circuit as clauses, loaded on demand: what no question reads is not there.
//!
//! Conjunctions that only one other reads become part of it, and the usual shapes of exclusive or and
//! multiplexers become one definition (Eén, Mishchenko, Sörensson, *Applying Logic Synthesis for Speeding
//! Up SAT*, SAT 2007, in its simplest form): fewer variables, and clauses that propagate more.

use super::{Aig, Node, NodeId, Signal};
use std::borrow::Borrow;
use tamis_solver::sat::{Lit, Sat};
use tamis_solver::{StopSignal, Why};

/// How the clauses define each node. One plan serves many solvers.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    shapes: Vec<Shape>,
    /// What conjunctions read, one after another.
    parts: Vec<Signal>,
    /// By node: how many read it.
    readers: Vec<u32>,
}

/// How a node is defined.
#[derive(Clone, Copy, Debug)]
enum Shape {
    False,
    Leaf,
    /// A conjunction of the parts from the first up to the second number.
    And(u32, u32),
    /// Where exactly one holds.
    Xor(Signal, Signal),
    /// The second where the first holds, else the third.
    Mux(Signal, Signal, Signal),
}

/// Wider conjunctions are split.
const WIDEST: usize = 32;

impl Plan {
    /// A plan for a circuit of which only these signals are asked about.
    pub(crate) fn new(aig: &Aig, roots: impl IntoIterator<Item = Signal>) -> Plan {
        let mut plan = Plan::default();
        plan.extend(aig, roots);
        plan
    }

    /// The plan for more nodes of a circuit that grows, and for what will be read of them later.
    fn extend(&mut self, aig: &Aig, roots: impl IntoIterator<Item = Signal>) {
        let first = self.shapes.len();
        self.readers.resize(aig.len(), 0);
        for root in roots {
            // What is asked about keeps its name.
            self.readers[root.node().index()] += 2;
        }
        for (_, node) in aig.nodes_from(first) {
            if let Node::And(a, b) = node {
                self.readers[a.node().index()] += 1;
                self.readers[b.node().index()] += 1;
            }
        }
        for (id, node) in aig.nodes_from(first) {
            let shape = match node {
                Node::False => Shape::False,
                Node::Leaf => Shape::Leaf,
                Node::And(a, b) => choice(aig, a, b).unwrap_or_else(|| self.conjunction(aig, id)),
            };
            self.shapes.push(shape);
        }
    }

    fn conjunction(&mut self, aig: &Aig, id: NodeId) -> Shape {
        let start = self.parts.len();
        let mut open = vec![id.signal()];
        while let Some(signal) = open.pop() {
            let inner = !signal.is_complement() && (signal.node() == id || self.readers[signal.node().index()] == 1);
            let width = self.parts.len() - start + open.len();
            match aig.node(signal.node()) {
                Node::And(a, b) if inner && width < WIDEST && (signal.node() == id || choice(aig, a, b).is_none()) => {
                    open.extend([b, a]);
                }
                Node::And(..) | Node::Leaf | Node::False => self.parts.push(signal),
            }
        }
        let number = |at: usize| u32::try_from(at).expect("fewer than 2^32 nodes");
        Shape::And(number(start), number(self.parts.len()))
    }

    fn shape(&self, id: NodeId) -> Shape {
        self.shapes[id.index()]
    }

    fn reads(&self, id: NodeId, mut visit: impl FnMut(Signal)) {
        match self.shape(id) {
            Shape::False | Shape::Leaf => {}
            Shape::And(from, to) => self.parts[from as usize..to as usize].iter().for_each(|part| visit(*part)),
            Shape::Xor(a, b) => [a, b].into_iter().for_each(visit),
            Shape::Mux(a, b, c) => [a, b, c].into_iter().for_each(visit),
        }
    }
}

/// Whether `a ∧ b` is a multiplexer or an exclusive or: `¬(x ∧ y) ∧ ¬(¬x ∧ z)` is `¬y` where `x` holds,
/// else `¬z`.
fn choice(aig: &Aig, a: Signal, b: Signal) -> Option<Shape> {
    let operands = |signal: Signal| match aig.node(signal.node()) {
        Node::And(x, y) if signal.is_complement() => Some((x, y)),
        Node::And(..) | Node::Leaf | Node::False => None,
    };
    let ((x, y), (left, right)) = (operands(a)?, operands(b)?);
    let ways = [(x, y, left, right), (x, y, right, left), (y, x, left, right), (y, x, right, left)];
    let (condition, then, _, otherwise) = ways.into_iter().find(|(own, _, other, _)| *own == !*other)?;
    // `¬y` where `x` holds and `y` elsewhere.
    Some(if then == !otherwise { Shape::Xor(condition, then) } else { Shape::Mux(condition, !then, !otherwise) })
}

/// The clauses of one solver.
#[derive(Debug)]
pub(crate) struct Cnf<P> {
    plan: P,
    pub(crate) sat: Sat,
    /// By node: its literal, once it is loaded.
    literals: Vec<Option<Lit>>,
    /// By node: the last domain that it was put in.
    stamps: Vec<u32>,
    stamp: u32,
    /// The variables of the domain of the next question.
    domain: Vec<Lit>,
}

impl Cnf<Plan> {
    /// The circuit has more nodes, of which these will be read later.
    pub(crate) fn extend(&mut self, aig: &Aig, roots: impl IntoIterator<Item = Signal>) {
        self.plan.extend(aig, roots);
        self.literals.resize(aig.len(), None);
        self.stamps.resize(aig.len(), 0);
    }
}

impl<P: Borrow<Plan>> Cnf<P> {
    pub(crate) fn new(plan: P, stop: StopSignal, memory: usize) -> Cnf<P> {
        let nodes = plan.borrow().shapes.len();
        Cnf {
            plan,
            sat: Sat::new(stop, memory),
            literals: vec![None; nodes],
            stamps: vec![0; nodes],
            stamp: 0,
            domain: Vec::new(),
        }
    }

    /// The literal of a signal. What it depends on is loaded.
    pub(crate) fn literal(&mut self, root: Signal) -> Lit {
        let mut open = vec![root.node()];
        while let Some(id) = open.last().copied() {
            if self.literals[id.index()].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            let literals = &self.literals;
            self.plan.borrow().reads(id, |signal| {
                if literals[signal.node().index()].is_none() {
                    open.push(signal.node());
                }
            });
            if open.len() == before {
                open.pop();
                self.define(id);
            }
        }
        self.known(root)
    }

    fn known(&self, signal: Signal) -> Lit {
        self.literals[signal.node().index()].expect("it is loaded").flip_if(signal.is_complement())
    }

    /// The literal of a signal, if it is loaded.
    pub(crate) fn loaded(&self, signal: Signal) -> Option<Lit> {
        self.literals[signal.node().index()].map(|literal| literal.flip_if(signal.is_complement()))
    }

    /// Defines a node whose arguments are defined.
    fn define(&mut self, id: NodeId) {
        let gate = self.sat.variable();
        self.literals[id.index()] = Some(gate);
        match self.plan.borrow().shape(id) {
            Shape::False => self.sat.clause(&[!gate]),
            Shape::Leaf => {}
            Shape::And(from, to) => {
                let parts = &self.plan.borrow().parts[from as usize..to as usize];
                let mut all = vec![gate];
                for part in parts {
                    let part = self.known(*part);
                    self.sat.clause(&[!gate, part]);
                    all.push(!part);
                }
                self.sat.clause(&all);
            }
            Shape::Xor(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                for clause in [[!gate, a, b], [!gate, !a, !b], [gate, !a, b], [gate, a, !b]] {
                    self.sat.clause(&clause);
                }
            }
            Shape::Mux(c, t, e) => {
                let (c, t, e) = (self.known(c), self.known(t), self.known(e));
                let clauses = [[!c, !t, gate], [!c, t, !gate], [c, !e, gate], [c, e, !gate]];
                for clause in clauses.into_iter().chain([[!t, !e, gate], [t, e, !gate]]) {
                    self.sat.clause(&clause);
                }
            }
        }
    }

    /// The domain of the next question is empty.
    pub(crate) fn open_domain(&mut self) {
        self.stamp += 1;
        self.domain.clear();
    }

    /// The next question is about a signal, too, and so about all that it depends on.
    pub(crate) fn concern(&mut self, root: Signal) {
        self.literal(root);
        let mut open = vec![root.node()];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.stamps[id.index()], self.stamp) == self.stamp {
                continue;
            }
            self.domain.extend(self.literals[id.index()]);
            self.plan.borrow().reads(id, |signal| open.push(signal.node()));
        }
    }

    /// How many variables the next question is about.
    pub(crate) fn concerned(&self) -> usize {
        self.domain.len()
    }

    /// Asks within the domain.
    pub(crate) fn ask(&mut self, assumptions: &[Lit], only: &[Lit]) -> Result<bool, Why> {
        self.sat.solve(assumptions, only, Some(&self.domain))
    }

    /// The value of a signal in the model; false if it does not matter.
    pub(crate) fn holds(&self, signal: Signal) -> bool {
        self.loaded(signal).is_some_and(|literal| self.sat.value(literal) == Some(true))
    }
}
