//! Each part as clauses of its own: only the bits of shared variables are
//! common, so every clause, and every other bit, belongs to one part.

use super::super::Parts;
use super::super::shape::Place;
use crate::tseitin::Tseitin;
use crate::{StopSignal, Why};
use batsat::Lit;
use rustc_hash::FxHashMap;
use tamis_circuit::{Encoder, GateId, Gates, Meter};
use tamis_term::{Terms, Var};

/// The most bits of an array that is spelled out cell by cell.
const ARRAY_BITS: u64 = 1 << 16;
/// What a clause costs besides its literals.
const CLAUSE_BYTES: usize = 16;

/// The clauses of all parts.
#[derive(Debug, Default)]
pub(super) struct Clauses {
    literals: Vec<Lit>,
    /// By clause: where it ends, and the part that it belongs to.
    ends: Vec<(usize, usize)>,
    /// By SAT variable: the bit that it is, if the bit is shared.
    places: Vec<Option<Place>>,
}

impl Clauses {
    /// Encodes the parts, in at most so many bytes.
    pub(super) fn of(terms: &Terms, parts: &Parts, stop: &StopSignal, memory: usize) -> Result<Clauses, Why> {
        let mut clauses = Clauses::default();
        let mut seen: FxHashMap<Var, usize> = FxHashMap::default();
        for formula in &parts.formulas {
            for var in terms.free_vars(&[*formula]) {
                *seen.entry(var).or_default() += 1;
            }
        }
        let mut shared: FxHashMap<Place, Lit> = FxHashMap::default();
        for (part, formula) in parts.formulas.iter().enumerate() {
            let left = memory.saturating_sub(clauses.bytes());
            let mut encoder = Encoder::new(Gates::new(Meter::new(stop.clone(), left)), ARRAY_BITS);
            let edge = encoder.truth(terms, *formula)?;
            let mut inputs = FxHashMap::default();
            for (_, var) in encoder.inputs().iter().filter(|(_, var)| seen[var] > 1) {
                let word = encoder.var_word(*var).unwrap_or_default().iter().enumerate();
                inputs.extend(word.map(|(at, edge)| (edge.gate(), (*var, at))));
            }
            let literals = vec![None; encoder.gates().len()];
            let mut writer = Writer { clauses: &mut clauses, shared: &mut shared, inputs, literals, part };
            writer.assert(encoder.gates_mut(), edge, None)?;
        }
        Ok(clauses)
    }

    /// About how many bytes they take.
    fn bytes(&self) -> usize {
        4 * self.literals.len() + CLAUSE_BYTES * self.ends.len()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many SAT variables they are about.
    pub(super) fn vars(&self) -> usize {
        self.places.len()
    }

    /// The literals of a clause, each once and without its complement.
    pub(super) fn get(&self, index: usize) -> &[Lit] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.literals[start..self.ends[index].0]
    }

    /// The part that a clause belongs to.
    pub(super) fn part(&self, index: usize) -> usize {
        self.ends[index].1
    }

    /// The bit that a SAT variable is, if the bit is shared.
    pub(super) fn place(&self, var: batsat::Var) -> Option<Place> {
        self.places[var.idx() as usize]
    }

    fn fresh(&mut self, place: Option<Place>) -> Result<Lit, Why> {
        let index = u32::try_from(self.places.len()).ok().filter(|index| *index < 1 << 30).ok_or(Why::OutOfMemory)?;
        self.places.push(place);
        Ok(Lit::new(batsat::Var::unsafe_from_idx(index), true))
    }

    fn add(&mut self, clause: &[Lit], part: usize) {
        let start = self.literals.len();
        self.literals.extend_from_slice(clause);
        self.literals[start..].sort_unstable();
        let mut end = start;
        for at in start..self.literals.len() {
            let literal = self.literals[at];
            if end > start && self.literals[end - 1] == literal {
                continue;
            }
            // Complements are neighbours: the clause says nothing.
            if end > start && self.literals[end - 1] == !literal {
                self.literals.truncate(start);
                return;
            }
            self.literals[end] = literal;
            end += 1;
        }
        self.literals.truncate(end);
        self.ends.push((end, part));
    }
}

/// Writes the clauses of one part.
struct Writer<'a> {
    clauses: &'a mut Clauses,
    /// The literals of shared bits that some part has met.
    shared: &'a mut FxHashMap<Place, Lit>,
    /// Which gates are shared bits.
    inputs: FxHashMap<GateId, Place>,
    /// The literal of each gate that is defined.
    literals: Vec<Option<Lit>>,
    part: usize,
}

impl Tseitin for Writer<'_> {
    fn known(&self, gate: GateId) -> Option<Lit> {
        self.literals[gate.index()]
    }

    fn fresh(&mut self, _: &mut Gates, gate: GateId) -> Result<Lit, Why> {
        let Some(place) = self.inputs.get(&gate).copied() else { return self.clauses.fresh(None) };
        if let Some(known) = self.shared.get(&place) {
            return Ok(*known);
        }
        let literal = self.clauses.fresh(Some(place))?;
        self.shared.insert(place, literal);
        Ok(literal)
    }

    fn define(&mut self, _: &Gates, gate: GateId, literal: Lit) {
        self.literals[gate.index()] = Some(literal);
    }

    fn add(&mut self, gates: &mut Gates, clause: &[Lit]) -> Result<(), Why> {
        gates.meter_mut().charge(CLAUSE_BYTES + 4 * clause.len())?;
        self.clauses.add(clause, self.part);
        Ok(())
    }
}
