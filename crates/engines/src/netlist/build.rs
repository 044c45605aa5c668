//! From a program to a circuit: the transition system that the program is, its values as words of
//! bits, and of those only what the question depends on.

use super::{Aig, Latch, Netlist, NodeId, Signal};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_circuit::{Edge, Encoder, Error, Gate, GateId, Gates, Meter};
use tamis_ir::{Encoding, Program, PropertyId, encode};
use tamis_solver::Why;
use tamis_term::{StopSignal, Term, Terms, Var};
use tamis_witness::Reason;

/// How much memory the words may take.
const BYTES: usize = 1 << 30;
/// Larger arrays are not spelled out.
const ARRAY_BITS: u64 = 1 << 16;

/// A circuit, and which program it comes from.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) netlist: Netlist,
    pub(crate) encoding: Encoding,
    /// The bits of the system's state variables: the variable, and which of its bits.
    pub(crate) state: Vec<(Var, u32)>,
    /// Those of its inputs.
    pub(crate) inputs: Vec<(Var, u32)>,
}

impl Built {
    /// The circuit that a program is for a property.
    ///
    /// # Errors
    /// If it has calls or values that are no bits, or there is no room.
    pub(crate) fn new(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Built> {
        let unsupported = |why: String| Stop::GaveUp(Reason::Unsupported(why));
        let encoding = encode(&mut ctx.terms, program, property).map_err(unsupported)?;
        let stop = ctx.solvers.stop.clone();
        match Built::blasted(&mut ctx.terms, encoding, stop) {
            Ok(built) => Ok(built),
            Err(Error::Unsupported(what)) => Err(unsupported(format!("{what} in a circuit"))),
            Err(error @ (Error::Interrupted | Error::OutOfMemory)) => {
                ctx.budget.check()?;
                Err(Why::from(error).into())
            }
        }
    }

    fn blasted(terms: &mut Terms, encoding: Encoding, until: StopSignal) -> Result<Built, Error> {
        let system = &encoding.system;
        let mut encoder = Encoder::new(Gates::new(Meter::new(until, BYTES)), ARRAY_BITS);
        let mut leaves: FxHashMap<GateId, Leaf> = FxHashMap::default();
        let (mut state, mut inputs, mut nexts) = (Vec::new(), Vec::new(), Vec::new());
        for (var, _) in &system.state {
            for (bit, edge) in (0..).zip(word(terms, &mut encoder, *var)?) {
                leaves.insert(edge.gate(), Leaf::Latch(state.len()));
                state.push((*var, bit));
            }
        }
        for var in &system.inputs {
            for (bit, edge) in (0..).zip(word(terms, &mut encoder, *var)?) {
                leaves.insert(edge.gate(), Leaf::Input(inputs.len()));
                inputs.push((*var, bit));
            }
        }
        for next in &system.next {
            nexts.extend_from_slice(encoder.word(terms, *next)?);
        }
        let mut truth = |term: Term| encoder.truth(terms, term);
        let (start, bad) = (truth(system.start)?, truth(system.bad)?);
        let (constraint, step) = (truth(system.invariant)?, truth(system.step)?);
        let mut resets = vec![None; state.len()];
        let mut at = 0;
        let fixed: FxHashMap<Var, Term> = system.init.iter().copied().collect();
        for (var, _) in &system.state {
            let width = encoder.var_word(*var).map_or(0, <[Edge]>::len);
            if let Some(value) = fixed.get(var) {
                let word = encoder.word(terms, *value)?;
                for (reset, edge) in resets[at..at + width].iter_mut().zip(word) {
                    *reset = edge.is_constant().then_some(*edge == Edge::TRUE);
                }
            }
            at += width;
        }
        let mut copy =
            Copy { gates: encoder.gates(), leaves, aig: Aig::default(), known: FxHashMap::default(), read: Vec::new() };
        let mut netlist = Netlist {
            aig: Aig::default(),
            latches: Vec::new(),
            inputs: Vec::new(),
            start: Signal::TRUE,
            constraint: copy.signal(constraint),
            step: copy.signal(step),
            bad: copy.signal(bad),
        };
        netlist.start = copy.signal(start);
        // The cone of influence: a latch that was read demands its next value, which may read others.
        let mut waiting: VecDeque<(usize, NodeId)> = copy.new_latches(&mut netlist.inputs);
        while let Some((origin, node)) = waiting.pop_front() {
            let next = copy.signal(nexts[origin]);
            waiting.extend(copy.new_latches(&mut netlist.inputs));
            netlist.latches.push(Latch { node, next, reset: resets[origin], origin });
        }
        netlist.latches.sort_by_key(|latch| latch.origin);
        netlist.start = constants(&mut copy.aig, netlist.start, &mut netlist.latches);
        netlist.aig = copy.aig;
        Ok(Built { netlist, encoding, state, inputs })
    }
}

/// The bits of a variable.
fn word(terms: &mut Terms, encoder: &mut Encoder, var: Var) -> Result<Vec<Edge>, Error> {
    let term = terms.var(var);
    encoder.word(terms, term).map(<[Edge]>::to_vec)
}

/// Initial values that a condition on initial states gives as conjuncts; returns the rest of it.
fn constants(aig: &mut Aig, start: Signal, latches: &mut [Latch]) -> Signal {
    let by_node: FxHashMap<NodeId, usize> = latches.iter().enumerate().map(|(at, latch)| (latch.node, at)).collect();
    let (mut open, mut rest) = (vec![start], Signal::TRUE);
    while let Some(signal) = open.pop() {
        match (signal.is_complement(), aig.node(signal.node())) {
            (false, super::Node::And(a, b)) => open.extend([a, b]),
            (negated, super::Node::Leaf) => {
                let latch = by_node.get(&signal.node()).map(|at| &mut latches[*at]);
                match latch {
                    Some(latch) if latch.reset.is_none_or(|reset| reset != negated) => latch.reset = Some(!negated),
                    Some(_) | None => rest = aig.and(rest, signal),
                }
            }
            (true, super::Node::And(..)) | (_, super::Node::False) => rest = aig.and(rest, signal),
        }
    }
    rest
}

/// What a free bit of the words is.
#[derive(Clone, Copy)]
enum Leaf {
    Latch(usize),
    Input(usize),
}

/// Copies gates to an and-inverter graph, on demand.
struct Copy<'g> {
    gates: &'g Gates,
    /// What the free bits are.
    leaves: FxHashMap<GateId, Leaf>,
    aig: Aig,
    known: FxHashMap<GateId, Signal>,
    /// The free bits that were read since somebody asked.
    read: Vec<(GateId, Signal)>,
}

impl Copy<'_> {
    fn signal(&mut self, root: Edge) -> Signal {
        let mut open = vec![root.gate()];
        while let Some(id) = open.last().copied() {
            if self.known.contains_key(&id) {
                open.pop();
                continue;
            }
            let before = open.len();
            self.gates.gate(id).for_each_input(|edge| {
                if !self.known.contains_key(&edge.gate()) {
                    open.push(edge.gate());
                }
            });
            if open.len() == before {
                open.pop();
                let signal = self.gate(id);
                self.known.insert(id, signal);
            }
        }
        self.edge(root)
    }

    fn edge(&self, edge: Edge) -> Signal {
        self.known[&edge.gate()].flip_if(edge.is_complement())
    }

    fn gate(&mut self, id: GateId) -> Signal {
        match self.gates.gate(id) {
            Gate::False => Signal::FALSE,
            Gate::Input => {
                let leaf = self.aig.leaf().signal();
                self.read.push((id, leaf));
                leaf
            }
            Gate::And(a, b) => self.aig.and(self.edge(*a), self.edge(*b)),
            Gate::Xor(a, b) => self.aig.xor(self.edge(*a), self.edge(*b)),
            Gate::Mux(c, t, e) => self.aig.mux(self.edge(*c), self.edge(*t), self.edge(*e)),
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.edge(*a), self.edge(*b), self.edge(*c));
                let (both, either) = (self.aig.and(a, b), self.aig.or(a, b));
                let carried = self.aig.and(c, either);
                self.aig.or(both, carried)
            }
            Gate::All(parts) => {
                let parts: Vec<Signal> = parts.iter().map(|part| self.edge(*part)).collect();
                parts.into_iter().fold(Signal::TRUE, |all, part| self.aig.and(all, part))
            }
        }
    }

    /// The latches that were read for the first time. Inputs are listed in `inputs`.
    fn new_latches(&mut self, inputs: &mut Vec<(NodeId, usize)>) -> VecDeque<(usize, NodeId)> {
        let mut latches = VecDeque::new();
        for (id, signal) in std::mem::take(&mut self.read) {
            match self.leaves.get(&id).expect("all free bits are of the system") {
                Leaf::Latch(number) => latches.push_back((*number, signal.node())),
                Leaf::Input(number) => inputs.push((signal.node(), *number)),
            }
        }
        latches
    }
}
