//! The circuit: gates with complemented edges, each distinct gate once.
//!
//! And-inverter graphs (Kuehlmann, Paruthi, Krohm, Ganai, IEEE TCAD 2002), with exclusive or,
//! multiplexer, majority and wide conjunction as gates of their own, because their clauses
//! propagate better than those of their translation. Constants never enter a gate.

use crate::Error;
use crate::meter::Meter;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::ops::Not;
use std::sync::Arc;

/// A gate's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GateId(u32);

impl GateId {
    /// Gates are numbered from zero, arguments before the gates that take them.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A gate's output or its complement. Complements are neighbours in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge(u32);

impl Edge {
    /// The constant false.
    pub const FALSE: Edge = Edge(0);
    /// The constant true.
    pub const TRUE: Edge = Edge(1);

    /// A constant.
    #[must_use]
    #[inline]
    pub fn constant(value: bool) -> Edge {
        Edge(u32::from(value))
    }

    /// Whether it is a constant.
    #[must_use]
    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// The gate.
    #[must_use]
    #[inline]
    pub fn gate(self) -> GateId {
        GateId(self.0 >> 1)
    }

    /// Whether it is the complement of the gate's output.
    #[must_use]
    #[inline]
    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    /// The complement if `flip`, else the edge itself.
    fn flip_if(self, flip: bool) -> Edge {
        Edge(self.0 ^ u32::from(flip))
    }
}

impl Not for Edge {
    type Output = Edge;

    #[inline]
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// A total function of other edges. The arguments are in a normal form, so that equal gates
/// are equal data: ordered where order does not matter, complements moved to the output.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// The constant; only gate 0.
    False,
    /// A free bit.
    Input,
    /// Where both hold.
    And(Edge, Edge),
    /// Where exactly one holds.
    Xor(Edge, Edge),
    /// The second where the first holds, else the third.
    Mux(Edge, Edge, Edge),
    /// At least two of three: the carry of an adder.
    Majority(Edge, Edge, Edge),
    /// The conjunction of three or more.
    All(Arc<[Edge]>),
}

impl Gate {
    /// Hands each argument to `visit`.
    pub fn for_each_input(&self, mut visit: impl FnMut(Edge)) {
        match self {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => [*a, *b].into_iter().for_each(visit),
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => [*a, *b, *c].into_iter().for_each(visit),
            Gate::All(edges) => edges.iter().for_each(|edge| visit(*edge)),
        }
    }
}

/// What a gate costs, with its entry in the table.
const GATE_BYTES: usize = 96;

/// All gates of one circuit.
#[derive(Debug)]
pub struct Gates {
    nodes: Vec<Gate>,
    table: FxHashMap<Gate, GateId>,
    pub(crate) meter: Meter,
}

impl Gates {
    /// A circuit of nothing but the constant, paid for by `meter`.
    #[must_use]
    pub fn new(meter: Meter) -> Gates {
        Gates { nodes: vec![Gate::False], table: FxHashMap::default(), meter }
    }

    /// How many gates there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the constant.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// What pays for the gates.
    #[must_use]
    #[inline]
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// What pays for the gates, to charge it for what is built on them.
    #[inline]
    pub fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// What a gate computes.
    #[must_use]
    #[inline]
    pub fn gate(&self, id: GateId) -> &Gate {
        &self.nodes[id.index()]
    }

    /// Appends a gate.
    fn add(nodes: &mut Vec<Gate>, meter: &mut Meter, gate: Gate) -> Result<GateId, Error> {
        let id = u32::try_from(nodes.len()).ok().filter(|id| *id < 1 << 31).ok_or(Error::OutOfMemory)?;
        meter.charge(GATE_BYTES)?;
        nodes.push(gate);
        Ok(GateId(id))
    }

    fn intern(&mut self, gate: Gate) -> Result<Edge, Error> {
        let id = match self.table.entry(gate) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let id = Gates::add(&mut self.nodes, &mut self.meter, entry.key().clone())?;
                *entry.insert(id)
            }
        };
        Ok(Edge(id.0 << 1))
    }

    /// A new free bit.
    ///
    /// # Errors
    /// If the meter says so, as for every function that makes gates.
    pub fn input(&mut self) -> Result<Edge, Error> {
        Ok(Edge(Gates::add(&mut self.nodes, &mut self.meter, Gate::Input)?.0 << 1))
    }

    /// Conjunction.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn and(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        let (mut a, mut b) = (a, b);
        loop {
            if a == Edge::FALSE || b == Edge::FALSE || a == !b {
                return Ok(Edge::FALSE);
            }
            if a == Edge::TRUE || a == b {
                return Ok(b);
            }
            if b == Edge::TRUE {
                return Ok(a);
            }
            match self.absorb(a, b).or_else(|| self.absorb(b, a)) {
                Some(Absorbed::Into(edge)) => return Ok(edge),
                // Each round replaces a gate by one of its arguments, so this ends.
                Some(Absorbed::Retry(x, y)) => (a, b) = (x, y),
                None => return self.intern(Gate::And(a.min(b), a.max(b))),
            }
        }
    }

    /// What `a ∧ b` simplifies to where `b` is itself a conjunction, or the complement of one.
    fn absorb(&self, a: Edge, b: Edge) -> Option<Absorbed> {
        let Gate::And(x, y) = *self.gate(b.gate()) else { return None };
        if b.is_complement() {
            if a == !x || a == !y {
                Some(Absorbed::Into(a))
            } else if a == x {
                Some(Absorbed::Retry(a, !y))
            } else {
                (a == y).then_some(Absorbed::Retry(a, !x))
            }
        } else if a == x || a == y {
            Some(Absorbed::Into(b))
        } else {
            (a == !x || a == !y).then_some(Absorbed::Into(Edge::FALSE))
        }
    }

    /// Disjunction.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn or(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        Ok(!self.and(!a, !b)?)
    }

    /// Where exactly one holds.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn xor(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        let flip = a.is_complement() != b.is_complement();
        let (a, b) = (a.flip_if(a.is_complement()), b.flip_if(b.is_complement()));
        if a == b {
            return Ok(Edge::constant(flip));
        }
        let (a, b) = (a.min(b), a.max(b));
        if a == Edge::FALSE {
            return Ok(b.flip_if(flip));
        }
        // `a ⊕ (a ⊕ y) = y`; arguments are older than their gate, so only `b` can hold `a`.
        if let Gate::Xor(x, y) = *self.gate(b.gate()) {
            if x == a {
                return Ok(y.flip_if(flip));
            }
            if y == a {
                return Ok(x.flip_if(flip));
            }
        }
        Ok(self.intern(Gate::Xor(a, b))?.flip_if(flip))
    }

    /// Whether `a` and `b` are equal.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn iff(&mut self, a: Edge, b: Edge) -> Result<Edge, Error> {
        Ok(!self.xor(a, b)?)
    }

    /// `then` where `condition` holds, else `otherwise`.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn mux(&mut self, condition: Edge, then: Edge, otherwise: Edge) -> Result<Edge, Error> {
        let (c, t, e) =
            if condition.is_complement() { (!condition, otherwise, then) } else { (condition, then, otherwise) };
        if c == Edge::FALSE || t == e {
            return Ok(e);
        }
        if t == !e {
            return self.iff(c, t);
        }
        if t == Edge::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Edge::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == Edge::FALSE || e == c {
            return self.and(c, t);
        }
        if e == Edge::TRUE || e == !c {
            return self.or(!c, t);
        }
        let flip = t.is_complement();
        Ok(self.intern(Gate::Mux(c, t.flip_if(flip), e.flip_if(flip)))?.flip_if(flip))
    }

    /// Whether at least two of the three hold.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn majority(&mut self, a: Edge, b: Edge, c: Edge) -> Result<Edge, Error> {
        let mut edges = [a, b, c];
        edges.sort_unstable();
        let [a, b, c] = edges;
        // Equal and complementary edges are neighbours now, and constants come first.
        if a == b || b == c {
            return Ok(b);
        }
        if a == !b {
            return Ok(c);
        }
        if b == !c {
            return Ok(a);
        }
        if a == Edge::FALSE {
            return self.and(b, c);
        }
        if a == Edge::TRUE {
            return self.or(b, c);
        }
        // Majority is self-dual.
        let flip = edges.iter().filter(|edge| edge.is_complement()).count() >= 2;
        let gate = Gate::Majority(a.flip_if(flip), b.flip_if(flip), c.flip_if(flip));
        Ok(self.intern(gate)?.flip_if(flip))
    }

    /// The conjunction of any number of edges.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn all(&mut self, mut edges: Vec<Edge>) -> Result<Edge, Error> {
        self.meter.work(edges.len())?;
        edges.retain(|edge| *edge != Edge::TRUE);
        edges.sort_unstable();
        edges.dedup();
        if edges.first() == Some(&Edge::FALSE) || edges.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Ok(Edge::FALSE);
        }
        match edges.as_slice() {
            [] => Ok(Edge::TRUE),
            [only] => Ok(*only),
            [a, b] => self.and(*a, *b),
            _ => {
                self.meter.charge(4 * edges.len())?;
                self.intern(Gate::All(edges.into()))
            }
        }
    }

    /// The disjunction of any number of edges.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn any(&mut self, edges: impl IntoIterator<Item = Edge>) -> Result<Edge, Error> {
        Ok(!self.all(edges.into_iter().map(|edge| !edge).collect())?)
    }

    /// How many gates the edges depend on.
    ///
    /// # Errors
    /// As for [`Gates::input`].
    pub fn cone_size(&mut self, roots: impl IntoIterator<Item = Edge>) -> Result<usize, Error> {
        let mut seen = vec![false; self.len()];
        let mut open: Vec<GateId> = roots.into_iter().map(Edge::gate).collect();
        let mut count = 0;
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                count += 1;
                self.gate(id).for_each_input(|edge| open.push(edge.gate()));
                self.meter.work(1)?;
            }
        }
        Ok(count)
    }
}

/// The outcome of [`Gates::absorb`].
enum Absorbed {
    Into(Edge),
    Retry(Edge, Edge),
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_term::StopSignal;

    /// What an edge is under all valuations of four inputs, one bit each.
    fn table(gates: &Gates, tables: &[u16], edge: Edge) -> u16 {
        assert!(edge.gate().index() < gates.len());
        tables[edge.gate().index()] ^ if edge.is_complement() { u16::MAX } else { 0 }
    }

    /// The tables of all gates, by their definition.
    fn simulate(gates: &Gates) -> Vec<u16> {
        let mut inputs = [0xaaaa, 0xcccc, 0xf0f0, 0xff00].into_iter();
        let mut tables: Vec<u16> = Vec::new();
        for gate in &gates.nodes {
            let of = |edge: &Edge| table(gates, &tables, *edge);
            let value = match gate {
                Gate::False => 0,
                Gate::Input => inputs.next().expect("four inputs"),
                Gate::And(a, b) => of(a) & of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Mux(c, t, e) => (of(c) & of(t)) | (!of(c) & of(e)),
                Gate::Majority(a, b, c) => (of(a) & of(b)) | (of(a) & of(c)) | (of(b) & of(c)),
                Gate::All(edges) => edges.iter().fold(u16::MAX, |all, edge| all & of(edge)),
            };
            tables.push(value);
        }
        tables
    }

    #[test]
    fn simplification_keeps_the_function() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..3000 {
            let mut gates = Gates::new(Meter::new(StopSignal::never(), usize::MAX));
            // Pairs of an edge and the table that it should have.
            let mut made = vec![(Edge::FALSE, 0_u16)];
            for table in [0xaaaa, 0xcccc, 0xf0f0, 0xff00] {
                made.push((gates.input().unwrap(), table));
            }
            for _ in 0..40 {
                let mut pick = || {
                    let (edge, table) = made[random.usize(..made.len())];
                    if random.bool() { (!edge, !table) } else { (edge, table) }
                };
                let ((a, ta), (b, tb), (c, tc)) = (pick(), pick(), pick());
                let new = match random.u8(..5) {
                    0 => (gates.and(a, b).unwrap(), ta & tb),
                    1 => (gates.xor(a, b).unwrap(), ta ^ tb),
                    2 => (gates.mux(a, b, c).unwrap(), (ta & tb) | (!ta & tc)),
                    3 => (gates.majority(a, b, c).unwrap(), (ta & tb) | (ta & tc) | (tb & tc)),
                    _ => (gates.all(vec![a, b, c, a]).unwrap(), ta & tb & tc),
                };
                made.push(new);
            }
            let tables = simulate(&gates);
            for (edge, expected) in made {
                assert_eq!(table(&gates, &tables, edge), expected);
            }
            let constant = |edge: &Edge| edge.is_constant();
            for gate in &gates.nodes {
                gate.for_each_input(|edge| assert!(!constant(&edge), "constants never enter a gate"));
            }
        }
    }

    #[test]
    fn equal_functions_share_a_gate() {
        let mut gates = Gates::new(Meter::new(StopSignal::never(), usize::MAX));
        let [a, b, c] = [(); 3].map(|()| gates.input().unwrap());
        assert_eq!(gates.and(a, b).unwrap(), gates.and(b, a).unwrap());
        assert_eq!(gates.xor(a, !b).unwrap(), !gates.xor(b, a).unwrap());
        assert_eq!(gates.mux(!a, b, c).unwrap(), gates.mux(a, c, b).unwrap());
        assert_eq!(gates.majority(!a, !b, c).unwrap(), !gates.majority(a, !c, b).unwrap());
        assert_eq!(gates.all(vec![a, b, c]).unwrap(), gates.all(vec![c, Edge::TRUE, a, b, b]).unwrap());
    }
}
