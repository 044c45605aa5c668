//! And-inverter graphs (Kuehlmann, Paruthi, Krohm, Ganai, IEEE TCAD 2002): conjunctions of two signals
//! with free complements, each distinct one once, simplified over two levels when they are made
//! (Brummayer, Biere, *Local Two-Level And-Inverter Graph Minimization without Blowup*, MEMICS 2006).

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A node's output or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Signal(u32);

/// The number of a node: what a node reads is numbered before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

/// What a node computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// The constant; only node 0.
    False,
    /// A free bit: a latch or an input.
    Leaf,
    /// Where both hold.
    And(Signal, Signal),
}

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn signal(self) -> Signal {
        Signal(self.0 << 1)
    }
}

impl Signal {
    pub(crate) const FALSE: Signal = Signal(0);
    pub(crate) const TRUE: Signal = Signal(1);

    pub(crate) fn constant(value: bool) -> Signal {
        Signal(u32::from(value))
    }

    pub(crate) fn node(self) -> NodeId {
        NodeId(self.0 >> 1)
    }

    pub(crate) fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn flip_if(self, flip: bool) -> Signal {
        Signal(self.0 ^ u32::from(flip))
    }
}

impl Not for Signal {
    type Output = Signal;

    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// All nodes of a circuit.
#[derive(Clone, Debug)]
pub(crate) struct Aig {
    nodes: Vec<Node>,
    table: FxHashMap<(Signal, Signal), NodeId>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig { nodes: vec![Node::False], table: FxHashMap::default() }
    }
}

impl Aig {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// All nodes in their order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (NodeId, Node)> + '_ {
        self.nodes_from(0)
    }

    /// All but the first nodes.
    pub(crate) fn nodes_from(&self, first: usize) -> impl Iterator<Item = (NodeId, Node)> + '_ {
        let number = u32::try_from(first).expect("the number of a node");
        (number..).map(NodeId).zip(self.nodes[first..].iter().copied())
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("the circuit was made within a memory limit"));
        self.nodes.push(node);
        id
    }

    /// A new free bit.
    pub(crate) fn leaf(&mut self) -> NodeId {
        self.push(Node::Leaf)
    }

    fn operands(&self, signal: Signal) -> Option<(Signal, Signal)> {
        match self.node(signal.node()) {
            Node::And(a, b) => Some((a, b)),
            Node::False | Node::Leaf => None,
        }
    }

    pub(crate) fn and(&mut self, a: Signal, b: Signal) -> Signal {
        let (mut a, mut b) = (a, b);
        loop {
            if a == Signal::FALSE || b == Signal::FALSE || a == !b {
                return Signal::FALSE;
            }
            if a == Signal::TRUE || a == b {
                return b;
            }
            if b == Signal::TRUE {
                return a;
            }
            match self.simpler(a, b).or_else(|| self.simpler(b, a)).or_else(|| self.resolved(a, b)) {
                Some(Simpler::Is(signal)) => return signal,
                // Each round replaces a signal by one that the other reads, so this ends.
                Some(Simpler::And(x, y)) => (a, b) = (x, y),
                None => break,
            }
        }
        let key = (a.min(b), a.max(b));
        if let Some(id) = self.table.get(&key) {
            return id.signal();
        }
        let id = self.push(Node::And(key.0, key.1));
        self.table.insert(key, id);
        id.signal()
    }

    /// What `a ∧ b` is where `b` reads `a`, or both read the same.
    fn simpler(&self, a: Signal, b: Signal) -> Option<Simpler> {
        let (x, y) = self.operands(b)?;
        if b.is_complement() {
            if a == !x || a == !y {
                return Some(Simpler::Is(a));
            }
            if a == x {
                return Some(Simpler::And(a, !y));
            }
            if a == y {
                return Some(Simpler::And(a, !x));
            }
            // `(x ∧ ..) ∧ ¬(x ∧ y) = (x ∧ ..) ∧ ¬y`, and nothing is left of the second if it has `¬x`.
            let (left, right) = self.operands(a).filter(|_| !a.is_complement())?;
            if left == !x || right == !x || left == !y || right == !y {
                return Some(Simpler::Is(a));
            }
            if left == x || right == x {
                return Some(Simpler::And(a, !y));
            }
            if left == y || right == y {
                return Some(Simpler::And(a, !x));
            }
            None
        } else {
            if a == x || a == y {
                return Some(Simpler::Is(b));
            }
            if a == !x || a == !y {
                return Some(Simpler::Is(Signal::FALSE));
            }
            let (left, right) = self.operands(a).filter(|_| !a.is_complement())?;
            (left == !x || left == !y || right == !x || right == !y).then_some(Simpler::Is(Signal::FALSE))
        }
    }

    /// `¬(x ∧ y) ∧ ¬(x ∧ ¬y) = ¬x`.
    fn resolved(&self, a: Signal, b: Signal) -> Option<Simpler> {
        if !a.is_complement() || !b.is_complement() {
            return None;
        }
        let ((x, y), (left, right)) = (self.operands(a)?, self.operands(b)?);
        let rest = [(x, y, left, right), (x, y, right, left), (y, x, left, right), (y, x, right, left)];
        let common = rest.into_iter().find(|(own, rest, other, negated)| own == other && *rest == !*negated);
        common.map(|(own, ..)| Simpler::Is(!own))
    }

    pub(crate) fn or(&mut self, a: Signal, b: Signal) -> Signal {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let (left, right) = (self.and(a, !b), self.and(!a, b));
        self.or(left, right)
    }

    pub(crate) fn iff(&mut self, a: Signal, b: Signal) -> Signal {
        !self.xor(a, b)
    }

    pub(crate) fn mux(&mut self, condition: Signal, then: Signal, otherwise: Signal) -> Signal {
        let (left, right) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(left, right)
    }

    /// Marks, by node, what the roots depend on.
    pub(crate) fn cone(&self, roots: impl IntoIterator<Item = Signal>) -> Vec<bool> {
        let mut marks = vec![false; self.nodes.len()];
        for root in roots {
            marks[root.node().index()] = true;
        }
        for at in (0..self.nodes.len()).rev() {
            if let (true, Node::And(a, b)) = (marks[at], self.nodes[at]) {
                marks[a.node().index()] = true;
                marks[b.node().index()] = true;
            }
        }
        marks
    }
}

/// What a conjunction simplifies to.
enum Simpler {
    Is(Signal),
    And(Signal, Signal),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function of a signal over four leaves as its table.
    fn table(tables: &[u16], signal: Signal) -> u16 {
        let table = tables[signal.node().index()];
        if signal.is_complement() { !table } else { table }
    }

    #[test]
    fn every_simplification_keeps_the_function() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..300 {
            let mut aig = Aig::default();
            let mut made: Vec<(Signal, u16)> = vec![(Signal::FALSE, 0)];
            for table in [0xaaaa, 0xcccc, 0xf0f0, 0xff00] {
                made.push((aig.leaf().signal(), table));
            }
            for _ in 0..40 {
                let mut pick = || {
                    let (signal, table) = made[random.usize(..made.len())];
                    if random.bool() { (!signal, !table) } else { (signal, table) }
                };
                let ((a, ta), (b, tb), (c, tc)) = (pick(), pick(), pick());
                made.push(match random.u8(..4) {
                    0 => (aig.xor(a, b), ta ^ tb),
                    1 => (aig.mux(a, b, c), (ta & tb) | (!ta & tc)),
                    _ => (aig.and(a, b), ta & tb),
                });
            }
            let leaves = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
            let mut tables: Vec<u16> = Vec::new();
            for (id, node) in aig.nodes() {
                tables.push(match node {
                    Node::False => 0,
                    Node::Leaf => leaves[id.index() - 1],
                    Node::And(a, b) => table(&tables, a) & table(&tables, b),
                });
            }
            for (signal, expected) in made {
                assert_eq!(table(&tables, signal), expected);
            }
        }
    }

    #[test]
    fn the_cone_is_what_is_read() {
        let mut aig = Aig::default();
        let [a, b, c] = [(); 3].map(|()| aig.leaf().signal());
        let (read, other) = (aig.and(a, b), aig.and(b, c));
        let cone = aig.cone([!read]);
        let is_in = |signal: Signal| cone[signal.node().index()];
        assert!(is_in(a) && is_in(b) && is_in(read));
        assert!(!is_in(c) && !is_in(other));
    }
}
