//! Gates as clauses (Tseitin, *On the Complexity of Derivation in Propositional Calculus*, 1968),
//! on demand: only what is asserted or asked for is defined.

use crate::Why;
use batsat::Lit;
use rustc_hash::FxHashSet;
use tamis_circuit::{Edge, Gate, GateId, Gates};

/// Where the clauses go. The audit of contradictions reads them there, and trusts none of this.
pub(crate) trait Tseitin {
    /// The literal of a gate that is defined.
    fn known(&self, gate: GateId) -> Option<Lit>;

    /// A literal for a gate.
    fn fresh(&mut self, gates: &mut Gates, gate: GateId) -> Result<Lit, Why>;

    /// From now on, the gate is defined.
    fn define(&mut self, gates: &Gates, gate: GateId, literal: Lit);

    /// One more clause.
    fn add(&mut self, gates: &mut Gates, clause: &[Lit]) -> Result<(), Why>;

    /// States `edge`, under the condition `guard` if there is one: conjunctions piece by piece and
    /// disjunctions as clauses, which saves their definitions.
    fn assert(&mut self, gates: &mut Gates, edge: Edge, guard: Option<Lit>) -> Result<(), Why> {
        let mut seen: FxHashSet<Edge> = FxHashSet::default();
        let mut open = vec![edge];
        while let Some(edge) = open.pop() {
            if edge == Edge::TRUE || !seen.insert(edge) {
                continue;
            }
            let mut parts = Vec::new();
            match gates.gate(edge.gate()) {
                gate @ (Gate::And(..) | Gate::All(_)) => gate.for_each_input(|input| parts.push(input)),
                Gate::False | Gate::Input | Gate::Xor(..) | Gate::Mux(..) | Gate::Majority(..) => {}
            }
            let mut clause: Vec<Lit> = guard.iter().map(|guard| !*guard).collect();
            if edge == Edge::FALSE {
                // Nothing besides the guard can make it true.
            } else if parts.is_empty() {
                clause.push(self.literal(gates, edge)?);
            } else if edge.is_complement() {
                for part in parts {
                    clause.push(self.literal(gates, !part)?);
                }
            } else {
                open.extend(parts);
                gates.meter_mut().work(1)?;
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
            if self.known(id).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            gates.gate(id).for_each_input(|input| {
                if self.known(input.gate()).is_none() {
                    open.push(input.gate());
                }
            });
            if open.len() == before {
                open.pop();
                let output = self.fresh(gates, id)?;
                let gate = gates.gate(id).clone();
                self.state(gates, &gate, output)?;
                // Only now: a definition that was interrupted is made again, with another literal.
                self.define(gates, id, output);
            }
        }
        Ok(at(self, edge))
    }

    /// The clauses of a gate whose inputs are defined.
    fn state(&mut self, gates: &mut Gates, gate: &Gate, o: Lit) -> Result<(), Why> {
        match gate {
            Gate::False => self.add(gates, &[!o]),
            Gate::Input => Ok(()),
            Gate::And(a, b) => {
                let (a, b) = (at(self, *a), at(self, *b));
                self.add_all(gates, &[&[!o, a], &[!o, b], &[o, !a, !b]])
            }
            Gate::Xor(a, b) => {
                let (a, b) = (at(self, *a), at(self, *b));
                self.add_all(gates, &[&[!o, a, b], &[!o, !a, !b], &[o, !a, b], &[o, a, !b]])
            }
            Gate::Mux(c, t, e) => {
                let (c, t, e) = (at(self, *c), at(self, *t), at(self, *e));
                self.add_all(gates, &[&[!c, !t, o], &[!c, t, !o], &[c, !e, o], &[c, e, !o]])?;
                // These two follow, but not by propagation.
                self.add_all(gates, &[&[!t, !e, o], &[t, e, !o]])
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (at(self, *a), at(self, *b), at(self, *c));
                let pairs = [(a, b), (a, c), (b, c)];
                pairs.into_iter().try_for_each(|(x, y)| self.add_all(gates, &[&[!x, !y, o], &[x, y, !o]]))
            }
            Gate::All(edges) => {
                let mut some_fails = vec![o];
                for edge in edges.iter() {
                    let literal = at(self, *edge);
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
}

/// The literal of an edge whose gate is defined.
fn at(clauses: &(impl Tseitin + ?Sized), edge: Edge) -> Lit {
    let literal = clauses.known(edge.gate()).expect("a gate is defined after its inputs and before its use");
    if edge.is_complement() { !literal } else { literal }
}
