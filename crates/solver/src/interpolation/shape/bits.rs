//! The bits of variables as bits of diagrams, in an order that suits formulas: that of the
//! first visit of a depth-first walk through their circuits (Malik, Wang, Brayton,
//! Sangiovanni-Vincentelli, ICCAD 1988).

use super::words::Place;
use crate::StopSignal;
use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Bit, Config, EncodeError, Encoder, Full, Manager};
use tamis_circuit::{GateId, Gates, Meter};
use tamis_term::{Term, Terms, Var};

/// The memory for the circuits.
const CIRCUIT_BYTES: usize = 1 << 30;
/// The most bits of an array that is spelled out cell by cell.
const ARRAY_BITS: u64 = 1 << 16;
/// There are this many nodes or more for each bit: with fewer there is no hope.
const NODES_PER_BIT: usize = 4;

/// Diagrams over the bits of variables.
pub(in super::super) struct Bits {
    pub(in super::super) manager: Manager,
    encoder: Encoder,
    of: FxHashMap<Var, Vec<Bit>>,
    /// By bit of the diagrams.
    places: Vec<Place>,
}

impl Bits {
    /// Diagrams for formulas, all of whose variables get bits.
    pub(in super::super) fn new(
        terms: &Terms,
        formulas: &[Term],
        config: &Config,
        stop: &StopSignal,
    ) -> Result<Bits, EncodeError> {
        let places = order(terms, formulas, stop)?;
        if places.len().saturating_mul(NODES_PER_BIT) > config.nodes {
            return Err(Full::Nodes.into());
        }
        let manager = Manager::new(config, stop.clone());
        let added = manager.add_bits(places.len());
        let mut sorted: Vec<(Place, Bit)> = places.iter().copied().zip(added).collect();
        sorted.sort_unstable();
        let mut of: FxHashMap<Var, Vec<Bit>> = FxHashMap::default();
        for ((var, _), bit) in sorted {
            of.entry(var).or_default().push(bit);
        }
        let literals = |bits: &Vec<Bit>| bits.iter().map(|bit| manager.bit(*bit)).collect();
        let encoder = Encoder::new(of.iter().map(|(var, bits)| (*var, literals(bits))).collect());
        Ok(Bits { manager, encoder, of, places })
    }

    /// The diagram of a formula.
    pub(in super::super) fn truth(&mut self, terms: &Terms, formula: Term) -> Result<Bdd, EncodeError> {
        self.encoder.truth(&self.manager, terms, formula)
    }

    /// The bits of a variable, the lowest first; none if no formula has the variable.
    pub(in super::super) fn of(&self, var: Var) -> &[Bit] {
        self.of.get(&var).map_or(&[], Vec::as_slice)
    }

    pub(super) fn place(&self, bit: Bit) -> Place {
        self.places[bit.index()]
    }

    /// How many bits there are.
    pub(in super::super) fn count(&self) -> usize {
        self.places.len()
    }
}

/// The bits of all variables, the topmost first.
fn order(terms: &Terms, formulas: &[Term], stop: &StopSignal) -> Result<Vec<Place>, EncodeError> {
    let gates = Gates::new(Meter::new(stop.clone(), CIRCUIT_BYTES));
    let mut circuit = tamis_circuit::Encoder::new(gates, ARRAY_BITS);
    let mut roots = Vec::new();
    for formula in formulas {
        roots.push(circuit.truth(terms, *formula)?.gate());
    }
    let mut names: FxHashMap<GateId, Place> = FxHashMap::default();
    let mut words = Vec::new();
    for (_, var) in circuit.inputs() {
        let word = circuit.var_word(*var).unwrap_or_default();
        names.extend(word.iter().enumerate().map(|(at, edge)| (edge.gate(), (*var, at))));
        words.extend(word.iter().rev().map(|edge| edge.gate()));
    }
    // What the walk does not meet follows, the most significant bits first.
    let mut open: Vec<GateId> = roots.into_iter().chain(words).rev().collect();
    let mut seen = vec![false; circuit.gates().len()];
    let mut places = Vec::new();
    let mut below = Vec::new();
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        places.extend(names.get(&id));
        circuit.gates().gate(id).for_each_input(|edge| below.push(edge.gate()));
        open.extend(below.drain(..).rev());
    }
    Ok(places)
}
