//! Each part as clauses of its own (Tseitin, 1968): only the bits of shared variables are
//! common, so every clause, and every other bit, belongs to one part.

use super::super::Parts;
use super::super::shape::Place;
use crate::{StopSignal, Why};
use batsat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};
use tamis_circuit::{Edge, Encoder, Gate, GateId, Gates, Meter};
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
            writer.assert(encoder.gates_mut(), edge)?;
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

impl Writer<'_> {
    /// States `edge`: conjunctions piece by piece and disjunctions as clauses, which saves
    /// their definitions.
    fn assert(&mut self, gates: &mut Gates, edge: Edge) -> Result<(), Why> {
        let mut seen: FxHashSet<Edge> = FxHashSet::default();
        let mut open = vec![edge];
        while let Some(edge) = open.pop() {
            if edge == Edge::TRUE || !seen.insert(edge) {
                continue;
            }
            let mut below = Vec::new();
            match gates.gate(edge.gate()) {
                gate @ (Gate::And(..) | Gate::All(_)) => gate.for_each_input(|input| below.push(input)),
                Gate::False | Gate::Input | Gate::Xor(..) | Gate::Mux(..) | Gate::Majority(..) => {}
            }
            let mut clause = Vec::new();
            if edge == Edge::FALSE {
                // Nothing makes it true: the clause is empty.
            } else if below.is_empty() {
                clause.push(self.literal(gates, edge)?);
            } else if edge.is_complement() {
                for input in below {
                    clause.push(self.literal(gates, !input)?);
                }
            } else {
                open.extend(below);
                continue;
            }
            self.add(gates, &clause)?;
        }
        Ok(())
    }

    /// The literal of an edge, once its gate and all gates below it are defined.
    fn literal(&mut self, gates: &mut Gates, edge: Edge) -> Result<Lit, Why> {
        let mut open = vec![edge.gate()];
        while let Some(id) = open.last().copied() {
            if self.literals[id.index()].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            gates.gate(id).for_each_input(|input| {
                if self.literals[input.gate().index()].is_none() {
                    open.push(input.gate());
                }
            });
            if open.len() == before {
                open.pop();
                self.define(gates, id)?;
            }
        }
        Ok(self.known(edge))
    }

    fn known(&self, edge: Edge) -> Lit {
        let literal = self.literals[edge.gate().index()].expect("a gate is defined after its inputs");
        if edge.is_complement() { !literal } else { literal }
    }

    /// Defines a gate whose inputs are defined.
    fn define(&mut self, gates: &mut Gates, id: GateId) -> Result<(), Why> {
        let place = self.inputs.get(&id).copied();
        let o = match place.and_then(|place| self.shared.get(&place)) {
            Some(known) => *known,
            None => self.clauses.fresh(place)?,
        };
        if let Some(place) = place {
            self.shared.insert(place, o);
        }
        self.literals[id.index()] = Some(o);
        match gates.gate(id).clone() {
            Gate::False => self.add(gates, &[!o]),
            Gate::Input => Ok(()),
            Gate::And(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                self.add_all(gates, &[&[!o, a], &[!o, b], &[o, !a, !b]])
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                self.add_all(gates, &[&[!o, a, b], &[!o, !a, !b], &[o, !a, b], &[o, a, !b]])
            }
            Gate::Mux(c, t, e) => {
                let (c, t, e) = (self.known(c), self.known(t), self.known(e));
                self.add_all(gates, &[&[!c, !t, o], &[!c, t, !o], &[c, !e, o], &[c, e, !o]])?;
                // These two follow, but not by propagation.
                self.add_all(gates, &[&[!t, !e, o], &[t, e, !o]])
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.known(a), self.known(b), self.known(c));
                [(a, b), (a, c), (b, c)]
                    .into_iter()
                    .try_for_each(|(x, y)| self.add_all(gates, &[&[!x, !y, o], &[x, y, !o]]))
            }
            Gate::All(edges) => {
                let mut some_fails = vec![o];
                for edge in edges.iter() {
                    let literal = self.known(*edge);
                    self.add(gates, &[!o, literal])?;
                    some_fails.push(!literal);
                }
                self.add(gates, &some_fails)
            }
        }
    }

    fn add_all(&mut self, gates: &mut Gates, clauses: &[&[Lit]]) -> Result<(), Why> {
        clauses.iter().try_for_each(|clause| self.add(gates, clause))
    }

    fn add(&mut self, gates: &mut Gates, clause: &[Lit]) -> Result<(), Why> {
        gates.meter_mut().charge(CLAUSE_BYTES + 4 * clause.len())?;
        self.clauses.add(clause, self.part);
        Ok(())
    }
}
