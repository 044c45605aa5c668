//! The clauses of what facts and assumptions depend on, in the SAT solver, which is a port of
//! `MiniSat` 2.2 (Eén, Sörensson, SAT 2003).

use super::audit::Audit;
use super::{Config, Contradictions};
use crate::tseitin::Tseitin;
use crate::{StopSignal, Why};
use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;
use tamis_circuit::{Edge, GateId, Gates};

/// What a variable costs in the SAT solver's tables.
const VAR_BYTES: usize = 128;
/// What a clause costs besides its literals: two watches, with room to grow.
const CLAUSE_BYTES: usize = 48;
/// The SAT solver keeps its clauses in one area of words of four bytes and reports its size
/// in a 32-bit number of bits, which must not overflow.
const AREA_WORDS: usize = (1 << 27) - (1 << 20);

/// How many lemmas a search may keep at least. By default it is a third of the clauses, which
/// starves small but hard instances: multipliers take several times as many conflicts.
const LEMMAS: i32 = 8000;

/// The clauses of one solver, and the search in them.
pub(super) struct Cnf {
    sat: batsat::Solver<Watch>,
    /// The SAT variable of each gate that was defined.
    vars: Vec<Option<batsat::Var>>,
    defined: usize,
    limit: usize,
    /// What the meter was charged for all this.
    charged: usize,
    /// The clause that is being added; the SAT solver sorts it in place.
    buffer: Vec<Lit>,
}

/// What a search found.
pub(super) enum Found {
    Model,
    Contradiction,
}

impl Cnf {
    pub(super) fn new(config: &Config, stop: StopSignal) -> Cnf {
        let audit = match config.contradictions {
            Contradictions::Trusted => None,
            Contradictions::Audited => Some(Audit::default()),
        };
        let watch = Watch { stop, audit, ..Watch::default() };
        let options = SolverOpts { min_learnts_lim: LEMMAS, ..SolverOpts::default() };
        let sat = batsat::Solver::new(options, watch);
        Cnf { sat, vars: Vec::new(), defined: 0, limit: config.memory, charged: 0, buffer: Vec::new() }
    }

    /// How many gates were defined.
    pub(super) fn defined(&self) -> usize {
        self.defined
    }

    /// What the meter was charged for the clauses and variables.
    pub(super) fn charged(&self) -> usize {
        self.charged
    }

    fn charge(&mut self, gates: &mut Gates, bytes: usize) -> Result<(), Why> {
        gates.meter_mut().charge(bytes)?;
        self.charged += bytes;
        Ok(())
    }

    pub(super) fn clauses(&self) -> u64 {
        self.sat.num_clauses()
    }

    pub(super) fn conflicts(&self) -> u64 {
        self.sat.num_conflicts()
    }

    fn lit(&self, edge: Edge) -> Option<Lit> {
        self.known(edge.gate()).map(|literal| if edge.is_complement() { !literal } else { literal })
    }

    /// A literal that nothing constrains yet.
    pub(super) fn unconstrained(&mut self, gates: &mut Gates) -> Result<Lit, Why> {
        self.charge(gates, VAR_BYTES)?;
        Ok(Lit::new(self.sat.new_var_default(), true))
    }

    /// Hands a clause to the SAT solver and to the audit.
    fn hand_over(&mut self, clause: &[Lit]) {
        let watch = self.sat.cb_mut();
        watch.area += 1 + clause.len();
        if let Some(audit) = &mut watch.audit {
            audit.axiom(clause);
        }
        self.buffer.clear();
        self.buffer.extend_from_slice(clause);
        // Whether the clauses are already contradictory is asked when searching.
        self.sat.add_clause_reuse(&mut self.buffer);
    }

    /// Fixes a literal to false for good.
    pub(super) fn retire(&mut self, literal: Lit) {
        self.hand_over(&[!literal]);
    }

    /// Searches for a model of the clauses and `assumptions`, in at most so many steps.
    pub(super) fn search(&mut self, gates: &Gates, assumptions: &[Lit], steps: Option<u64>) -> Result<Found, Why> {
        let conflicts = steps.map(|steps| steps / u64::try_from(self.defined.max(1)).unwrap_or(u64::MAX));
        self.sat.cb_mut().begin(self.limit.saturating_sub(gates.meter().used()) / 4, conflicts);
        let status = self.sat.solve_limited(assumptions);
        if status == lbool::TRUE {
            Ok(Found::Model)
        } else if status == lbool::FALSE {
            let conflict = self.sat.unsat_core().to_vec();
            let audit = self.sat.cb_mut().audit.as_mut();
            if audit.is_none_or(|audit| audit.confirms(&conflict)) {
                Ok(Found::Contradiction)
            } else {
                Err(Why::GaveUp("the proof of a contradiction is wrong, please report this".to_owned()))
            }
        } else {
            Err(self.sat.cb().verdict())
        }
    }

    /// Whether the last contradiction needed the assumption `literal`.
    pub(super) fn needed(&self, literal: Lit) -> bool {
        // The SAT solver's core is a clause: it holds the complements.
        self.sat.unsat_core_contains_lit(!literal)
    }

    /// The value of an edge in the last model; false where the model leaves it open.
    pub(super) fn value(&self, edge: Edge) -> bool {
        match self.lit(edge) {
            Some(lit) => self.sat.value_lit(lit) == lbool::TRUE,
            None => edge == Edge::TRUE,
        }
    }
}

impl Tseitin for Cnf {
    fn known(&self, gate: GateId) -> Option<Lit> {
        self.vars.get(gate.index()).copied().flatten().map(|var| Lit::new(var, true))
    }

    fn fresh(&mut self, gates: &mut Gates, _: GateId) -> Result<Lit, Why> {
        self.unconstrained(gates)
    }

    fn define(&mut self, gates: &Gates, gate: GateId, literal: Lit) {
        if self.vars.len() < gates.len() {
            self.vars.resize(gates.len(), None);
        }
        self.vars[gate.index()] = Some(literal.var());
        self.defined += 1;
    }

    fn add(&mut self, gates: &mut Gates, clause: &[Lit]) -> Result<(), Why> {
        self.charge(gates, CLAUSE_BYTES)?;
        let watch = self.sat.cb();
        let words = watch.words() + 1 + clause.len();
        if watch.area + clause.len() >= AREA_WORDS || gates.meter().used() + 4 * words > self.limit {
            return Err(Why::OutOfMemory);
        }
        self.hand_over(clause);
        Ok(())
    }
}

/// How often the search, at each decision, looks at the stop signal.
const PATIENCE: u32 = 16;

/// Watches over a search: hears the stop signal, measures the clauses that are learnt, and
/// has them audited.
#[derive(Default)]
struct Watch {
    stop: StopSignal,
    audit: Option<Audit>,
    /// Words in the clause area, deleted clauses included until they are collected.
    area: usize,
    /// Words of the clause that was reported last. The final conflict is reported like a
    /// learnt clause but not stored, so a clause counts when something follows it.
    pending: usize,
    /// How many words the area and the audit may have.
    allowance: usize,
    /// How many clauses were learnt in this search, one for each conflict.
    learnt: u64,
    /// How many may be.
    conflicts: Option<u64>,
    asked: Cell<u32>,
    /// Once a reason to stop was seen it stays, or the search would go on.
    reason: Cell<Option<Halt>>,
}

#[derive(Clone, Copy)]
enum Halt {
    Signal,
    Memory,
    Conflicts,
}

impl Watch {
    fn begin(&mut self, allowance: usize, conflicts: Option<u64>) {
        self.allowance = allowance;
        (self.learnt, self.conflicts) = (0, conflicts);
        self.asked.set(0);
        self.reason.set(None);
    }

    fn words(&self) -> usize {
        self.area + self.audit.as_ref().map_or(0, Audit::words)
    }

    /// Why the search ended without a result.
    fn verdict(&self) -> Why {
        match self.reason.get() {
            Some(Halt::Signal) => Why::Interrupted,
            Some(Halt::Memory) => Why::OutOfMemory,
            Some(Halt::Conflicts) => Why::GaveUp(format!("{} conflicts were not enough", self.learnt)),
            None => Why::GaveUp("the search ended without a result".to_owned()),
        }
    }
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.learnt += 1;
        self.area += self.pending;
        // A header and an activity besides the literals.
        self.pending = 2 + clause.len();
        if let Some(audit) = &mut self.audit {
            audit.lemma(clause);
        }
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        if let Some(audit) = &mut self.audit {
            audit.delete(clause);
        }
    }

    fn on_gc(&mut self, _: usize, new_size: usize) {
        // The size is in bits; the pending clause is among them.
        self.area = new_size / 32;
        self.pending = 0;
    }

    fn on_result(&mut self, status: lbool) {
        if status != lbool::FALSE {
            self.area += self.pending;
        }
        self.pending = 0;
    }

    fn stop(&self) -> bool {
        if self.reason.get().is_none() {
            let asked = self.asked.get();
            self.asked.set((asked + 1) % PATIENCE);
            if self.area > AREA_WORDS || self.words() > self.allowance {
                self.reason.set(Some(Halt::Memory));
            } else if self.conflicts.is_some_and(|most| self.learnt > most) {
                self.reason.set(Some(Halt::Conflicts));
            } else if asked == 0 && self.stop.is_set() {
                self.reason.set(Some(Halt::Signal));
            }
        }
        self.reason.get().is_some()
    }
}
