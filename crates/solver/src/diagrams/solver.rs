//! The solver: facts in scopes, checked under assumptions.
//!
//! Diagrams are only a cache of what facts mean. The manager is made when it is first needed, and
//! dropped when it is full.

use super::evidence::{DiagramsCore, DiagramsModel};
use super::order::{Groups, Order};
use super::product::Product;
use crate::limit::{Clock, Limit};
use crate::scopes::Scopes;
use crate::{Answer, Error, Solver, StopSignal, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::fmt;
use tamis_bdd::{Bdd, Bit, Config, EncodeError, Encoder, Full, Manager, on_large_stack};
use tamis_circuit::{Edge, Gates, Meter};
use tamis_term::{Term, Terms, Var};

/// How many bytes the circuit may take from which the order is read.
const CIRCUIT_BYTES: usize = 1 << 30;
/// The most bits of an array that is spelled out cell by cell.
const ARRAY_BITS: u64 = 1 << 16;
/// A manager has this many nodes or more for each bit: with fewer there is no hope.
const NODES_PER_BIT: usize = 4;
/// Operations recurse once per bit: with more bits than this they need a stack of their own.
const SHALLOW: usize = 1000;

/// The diagram solver.
pub struct Diagrams {
    config: Config,
    clock: Clock,
    /// The clock's signal.
    stop: StopSignal,
    limit: Limit,
    groups: Groups,
    /// Formulas to read the order from.
    formulas: Vec<Term>,
    scopes: Scopes,
    store: Option<Store>,
}

/// The diagrams, and which bits stand for which variable.
struct Store {
    manager: Manager,
    encoder: Encoder,
    bits: FxHashMap<Var, Vec<Bit>>,
    /// How many bits there are.
    depth: usize,
    /// The formulas all of whose variables have bits.
    placed: FxHashSet<Term>,
    /// One of the variables, with its term.
    landmark: Option<(Term, Var)>,
    /// How many nodes there can be.
    nodes: usize,
    stop: StopSignal,
}

/// A part of a question: its diagram, and the assumption that it is if it is no fact.
pub(super) type Part = (Option<Term>, Bdd);

/// What a check found, before it is wrapped as evidence.
enum Outcome {
    Model(Vec<(Bit, bool)>),
    /// These parts contradict each other.
    Contradiction(Vec<Part>),
}

impl Default for Diagrams {
    fn default() -> Diagrams {
        Diagrams::new(Config::default(), StopSignal::never(), Order::default())
    }
}

impl fmt::Debug for Diagrams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let manager = self.store.as_ref().map(|store| &store.manager);
        f.debug_struct("Diagrams").field("config", &self.config).field("manager", &manager).finish_non_exhaustive()
    }
}

impl Diagrams {
    /// A solver without facts, which gives up when `stop` is set.
    #[must_use]
    pub fn new(config: Config, stop: StopSignal, order: Order) -> Diagrams {
        let Order { groups, formulas } = order;
        let clock = Clock::new(stop);
        Diagrams {
            config,
            stop: clock.signal(),
            clock,
            limit: Limit::default(),
            groups: Groups::new(groups),
            formulas,
            scopes: Scopes::default(),
            store: None,
        }
    }

    /// The most nodes that there were since the manager was made; none if there is no manager.
    #[must_use]
    pub fn peak(&self) -> usize {
        self.store.as_ref().map_or(0, |store| store.manager.peak())
    }

    fn decide(&mut self, terms: &Terms, question: &[(Option<Term>, Term)]) -> Result<Outcome, Why> {
        if self.stop.is_set() {
            return Err(Why::Interrupted);
        }
        let used = self.store.is_some();
        let outcome = match self.attempt(terms, question) {
            // What fills the manager may be of the past: try once without it.
            Err(Why::OutOfMemory) if used => {
                self.store = None;
                self.attempt(terms, question)
            }
            outcome => outcome,
        };
        if outcome.as_ref().is_err_and(|why| *why == Why::OutOfMemory) {
            self.store = None;
        }
        outcome
    }

    fn attempt(&mut self, terms: &Terms, question: &[(Option<Term>, Term)]) -> Result<Outcome, Why> {
        let parts = question.iter().map(|(_, term)| *term).collect();
        let store = match &mut self.store {
            Some(store) => {
                store.place(terms, &self.groups, &[], parts)?;
                store
            }
            none => {
                let store = none.insert(Store::new(self.config, self.stop.clone()));
                store.place(terms, &self.groups, &self.formulas, parts)?;
                store
            }
        };
        let depth = store.depth;
        with_room(depth, || store.decide(terms, question))
    }
}

/// Runs `work` where the diagrams of so many bits do not exhaust the stack.
pub(super) fn with_room<T: Send>(depth: usize, work: impl FnOnce() -> T + Send) -> T {
    if depth > SHALLOW { on_large_stack(work) } else { work() }
}

impl Store {
    fn new(config: Config, stop: StopSignal) -> Store {
        Store {
            manager: Manager::new(&config, stop.clone()),
            encoder: Encoder::new(FxHashMap::default()),
            bits: FxHashMap::default(),
            depth: 0,
            placed: FxHashSet::default(),
            landmark: None,
            nodes: config.nodes,
            stop,
        }
    }

    /// Gives bits to the variables of the parts that have none, below those that have. What
    /// the hints are about gets its bits too, and in the order that they show: the parts may
    /// have lost their shape.
    fn place(&mut self, terms: &Terms, groups: &Groups, hints: &[Term], mut parts: Vec<Term>) -> Result<(), Why> {
        parts.retain(|formula| !self.placed.contains(formula));
        let has_bits = |var: &Var| self.bits.contains_key(var);
        if !terms.free_vars(&parts).iter().all(has_bits) {
            let gates = Gates::new(Meter::new(self.stop.clone(), CIRCUIT_BYTES));
            let mut circuit = tamis_circuit::Encoder::new(gates, ARRAY_BITS);
            // Hints that have no circuit are no reason to fail.
            let mut roots: Vec<Edge> = hints.iter().filter_map(|hint| circuit.truth(terms, *hint).ok()).collect();
            for part in &parts {
                roots.push(circuit.truth(terms, *part)?);
            }
            self.landmark = circuit.inputs().last().copied().or(self.landmark);
            let mut places = groups.arrange(terms, &circuit, &roots);
            places.retain(|(var, _)| !has_bits(var));
            if (self.depth + places.len()).saturating_mul(NODES_PER_BIT) > self.nodes {
                return Err(Why::OutOfMemory);
            }
            self.add(&places);
        }
        self.placed.extend(parts);
        Ok(())
    }

    /// Adds bits, the topmost first.
    fn add(&mut self, places: &[(Var, usize)]) {
        let added = self.manager.add_bits(places.len());
        self.depth += places.len();
        let mut added: Vec<((Var, usize), Bit)> = places.iter().copied().zip(added).collect();
        added.sort_unstable();
        for ((var, _), bit) in added {
            self.bits.entry(var).or_default().push(bit);
        }
        // An encoder's environment never changes.
        let m = &self.manager;
        let diagrams = |bits: &Vec<Bit>| bits.iter().map(|bit| m.bit(*bit)).collect();
        self.encoder = Encoder::new(self.bits.iter().map(|(var, bits)| (*var, diagrams(bits))).collect());
    }

    fn decide(&mut self, terms: &Terms, question: &[(Option<Term>, Term)]) -> Result<Outcome, Why> {
        let (mut parts, mut known) = (Vec::new(), FxHashSet::default());
        for (assumption, term) in question {
            let diagram = self.encoder.truth(&self.manager, terms, *term)?;
            if !diagram.is_true() && known.insert(diagram.clone()) {
                parts.push((*assumption, diagram));
            }
        }
        let diagrams: Vec<Bdd> = parts.iter().map(|(_, diagram)| diagram.clone()).collect();
        match Product::of(&self.manager, &diagrams)? {
            Product::Inhabited(factors) => Ok(Outcome::Model(factors.pick(&self.manager)?)),
            Product::Empty(count) => {
                parts.truncate(count);
                Ok(Outcome::Contradiction(parts))
            }
        }
    }
}

impl Solver for Diagrams {
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.scopes.assert(terms, fact)
    }

    fn push(&mut self) {
        self.scopes.push();
    }

    fn pop(&mut self) {
        self.scopes.pop();
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer<'_>, Error> {
        let hints = if self.store.is_none() { self.formulas.as_slice() } else { &[] };
        self.scopes.admit(terms, assumptions.iter().chain(hints))?;
        let facts = self.scopes.facts().map(|fact| (None, *fact));
        let question: Vec<_> = facts.chain(assumptions.iter().map(|term| (Some(*term), *term))).collect();
        self.clock.begin(self.limit.time);
        let outcome = self.decide(terms, &question).map_err(|why| self.clock.explain(why));
        // Evidence is worked out later, and is not part of the check.
        self.clock.begin(None);
        let store = self.store.as_ref();
        self.scopes.note(terms, store.and_then(|store| store.landmark));
        let (outcome, store) = match (outcome, store) {
            (Ok(outcome), Some(store)) => (outcome, store),
            (Ok(_), None) => return Err(Error::Backend("the diagrams are gone".to_owned())),
            (Err(why), _) => return Ok(Answer::Unknown(why)),
        };
        Ok(match outcome {
            Outcome::Model(values) => {
                Answer::Sat(Box::new(DiagramsModel { bits: &store.bits, values: values.into_iter().collect() }))
            }
            Outcome::Contradiction(parts) => {
                let (manager, depth) = (&store.manager, store.depth);
                Answer::Unsat(Box::new(DiagramsCore { manager, depth, parts, needed: OnceCell::new() }))
            }
        })
    }

    /// Steps are ignored: how many nodes there may be is what limits the diagrams' work, and it
    /// is the same on every machine.
    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
    }
}

impl From<Full> for Why {
    fn from(full: Full) -> Why {
        match full {
            Full::Nodes => Why::OutOfMemory,
            Full::Stopped => Why::Interrupted,
        }
    }
}

impl From<EncodeError> for Why {
    fn from(error: EncodeError) -> Why {
        match error {
            EncodeError::Full(full) => full.into(),
            EncodeError::Unsupported(what) => Why::Unsupported(what),
        }
    }
}
