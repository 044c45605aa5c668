//! Abstract states of block graphs, and the seam to the domains that make them.
//!
//! An abstract state is a cut point and a conjunction of literals, its *label* (Hajdu, Tóth, Vörös,
//! Majzik, FORTE 2016, section 4.1): a concrete state there is mapped to it if the label holds. What
//! literals there are is up to a [`Domain`]: predicates, values of variables, or both.

use crate::context::Outcome;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_ir::blocks::{ArcId, Point, PointId};
use tamis_solver::Solver;
use tamis_term::{Substitution, Term, Terms, Var};

/// An abstract state: a conjunction of literals, or several cases of such, at a cut point.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// Where it is.
    pub at: PointId,
    /// The conjunction of the literals: states at a cut point with equal labels are equal.
    pub label: Term,
    /// Those literals that are values of variables, in order of the variables.
    pub values: Box<[Term]>,
    /// All literals, in order, each once. If there are cases, these are the common ones and the
    /// disjunction of the cases.
    pub literals: Box<[Term]>,
    /// The literals of each case, if there are several.
    cases: Box<[Box<[Term]>]>,
}

impl State {
    /// The state of these values, and of other literals.
    pub fn new(terms: &mut Terms, at: PointId, values: &[Term], others: &[Term]) -> State {
        let mut literals = [values, others].concat();
        literals.sort_unstable();
        literals.dedup();
        State {
            at,
            label: terms.and(&literals),
            values: values.into(),
            literals: literals.into(),
            cases: Box::default(),
        }
    }

    /// The state that has these as its cases, which have the same values; there is at least one.
    pub fn together(terms: &mut Terms, mut states: Vec<State>) -> Option<State> {
        states.sort_unstable();
        states.dedup();
        if states.len() <= 1 {
            return states.pop();
        }
        let labels: Vec<Term> = states.iter().map(|state| state.label).collect();
        let (at, values) = (states[0].at, states[0].values.clone());
        let common = |literal: &&Term| states.iter().all(|state| state.literals.contains(literal));
        let mut literals: Vec<Term> = states[0].literals.iter().filter(common).copied().collect();
        literals.push(terms.or(&labels));
        let cases = states.iter().flat_map(|state| state.cases().map(Box::from).collect::<Vec<_>>()).collect();
        Some(State { cases, ..State::new(terms, at, &values, &literals) })
    }

    /// The literals of each case: of the state itself, if it has only one.
    pub fn cases(&self) -> impl Iterator<Item = &[Term]> {
        let only = self.cases.is_empty().then_some(&*self.literals);
        self.cases.iter().map(|case| &**case).chain(only)
    }

    /// Whether all concrete states of `other` are this one's too, as the literals show.
    #[must_use]
    pub fn covers(&self, other: &State) -> bool {
        let mut rest = other.literals.iter();
        self.at == other.at && self.literals.iter().all(|literal| rest.any(|found| found == literal))
    }
}

/// A domain of abstract states, at a precision of its own that grows by [`Domain::split`].
pub trait Domain {
    /// Abstract states at a cut point that cover all solutions of what the solver was told, where
    /// the values of variables at the cut point are terms.
    ///
    /// # Errors
    /// If the solver does not know.
    fn cover(
        &self,
        terms: &mut Terms,
        at: &Point,
        solver: &mut dyn Solver,
        values: &mut Preconditions,
    ) -> Outcome<Vec<State>>;

    /// Becomes precise enough to tell apart what a formula tells apart in an abstract state.
    /// Returns whether that is new.
    fn split(&mut self, terms: &mut Terms, cut: &Cut) -> bool;

    /// Whether only the states named in [`Domain::split`] change by it.
    fn is_local(&self) -> bool;

    /// The length of the longest list of predicates or variables of a state.
    fn size(&self) -> u64;

    /// All that tells states apart.
    fn learned(&self) -> Learned;
}

/// What tells states apart to begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Variables whose values do.
    pub tracked: Vec<Var>,
    /// Predicates, each with the cut point where it counts, or everywhere.
    pub predicates: Vec<(Option<PointId>, Term)>,
}

/// What tells states apart in the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Variables whose values do.
    pub tracked: Vec<Var>,
    /// Predicates, each with the cut point where it counts, or everywhere.
    pub predicates: Vec<(Option<PointId>, Term)>,
}

/// A formula that separates concrete states of an abstract one: those that can be reached, and
/// those from which the counterexample goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The abstract state.
    pub state: State,
    /// The formula, over state variables.
    pub formula: Term,
    /// The variables that matter: those of the formula, or of what else refutes the counterexample.
    pub vars: BTreeSet<Var>,
}

/// A way through abstract states into an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The states: the first is initial, the last has a bad concrete state.
    pub states: Vec<State>,
    /// The arcs that lead to each of them, and to the error.
    pub arcs: Vec<ArcId>,
}

/// What formulas about the values after an arc say about those before it: their weakest
/// preconditions, which are remembered.
#[derive(Clone, Debug, Default)]
pub struct Preconditions {
    map: Substitution,
    known: FxHashMap<Term, Term>,
}

impl Preconditions {
    /// Those of an arc that gives these values; [`Preconditions::default`] changes nothing.
    #[must_use]
    pub fn new(map: Substitution) -> Preconditions {
        Preconditions { map, known: FxHashMap::default() }
    }

    /// The precondition of a formula, or the value of a term.
    pub fn apply(&mut self, terms: &mut Terms, term: Term) -> Term {
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        let renamed = terms.substitute(term, &self.map);
        self.known.insert(term, renamed);
        renamed
    }

    /// The same, if it was applied before; the term itself if not.
    #[must_use]
    pub fn known(&self, term: Term) -> Term {
        self.known.get(&term).copied().unwrap_or(term)
    }
}
