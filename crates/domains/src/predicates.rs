//! Predicate abstraction (Graf, Saïdi, CAV 1997): which predicates describe which states.

use crate::pieces::Pieces;
use crate::tree::{Split, Tree};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Term, Terms};

/// Where a predicate counts once it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// In the abstract state that it splits, and in what becomes of it; as [`Granularity::Location`]
    /// where that state was split before.
    State,
    /// In all states with the same explicit values: the same location, if that is one of them.
    Location,
    /// The same, where all locations of a procedure are the same.
    Procedure,
    /// Everywhere.
    Global,
}

/// The explicit values that a list of predicates belongs to, as literals.
type Key = Vec<Term>;

/// Predicates by where they count.
#[derive(Clone, Debug)]
pub struct Predicates {
    granularity: Granularity,
    pieces: Pieces,
    /// Predicates that count everywhere from the beginning.
    initial: Vec<Term>,
    /// Predicates that count from the beginning in states with a value.
    given: BTreeMap<Term, Vec<Term>>,
    /// For the value of each location, that of its procedure's first.
    procedures: BTreeMap<Term, Term>,
    lists: BTreeMap<Key, Vec<Term>>,
    trees: BTreeMap<Key, Tree>,
    all: BTreeSet<Term>,
}

impl Predicates {
    /// The given predicates, everywhere; those to come as chosen.
    #[must_use]
    pub fn new(granularity: Granularity, pieces: Pieces, initial: Vec<Term>) -> Predicates {
        let all = initial.iter().copied().collect();
        Predicates {
            granularity,
            pieces,
            initial,
            given: BTreeMap::new(),
            procedures: BTreeMap::new(),
            lists: BTreeMap::new(),
            trees: BTreeMap::new(),
            all,
        }
    }

    /// The same with more predicates to begin with, each in states with a value, or everywhere.
    #[must_use]
    pub fn with_given(mut self, given: &[(Option<Term>, Term)]) -> Predicates {
        for (value, predicate) in given {
            let list = match value {
                None => &mut self.initial,
                Some(value) => self.given.entry(*value).or_default(),
            };
            list.push(*predicate);
            self.all.insert(*predicate);
        }
        self
    }

    /// The same with locations told by their procedures: for the value of each location, that of the
    /// first one of its procedure.
    #[must_use]
    pub fn with_procedures(mut self, procedures: BTreeMap<Term, Term>) -> Predicates {
        self.procedures = procedures;
        self
    }

    /// All predicates.
    #[must_use]
    pub fn all(&self) -> &BTreeSet<Term> {
        &self.all
    }

    pub(crate) fn granularity(&self) -> Granularity {
        self.granularity
    }

    fn key(&self, values: &[Term]) -> Key {
        match self.granularity {
            Granularity::State | Granularity::Location => values.to_vec(),
            Granularity::Procedure => {
                values.iter().map(|value| self.procedures.get(value).copied().unwrap_or(*value)).collect()
            }
            Granularity::Global => Vec::new(),
        }
    }

    /// The predicates that count from the beginning in states with these explicit values.
    fn begun(&self, values: &[Term]) -> impl Iterator<Item = Term> {
        let given = values.iter().filter_map(|value| self.given.get(value)).flatten();
        self.initial.iter().chain(given).copied()
    }

    /// The predicates of a concrete state with these explicit values, and their truth there.
    pub(crate) fn of(&self, values: &[Term], mut holds: impl FnMut(Term) -> bool) -> Vec<(Term, bool)> {
        let key = self.key(values);
        let list = self.begun(values).chain(self.lists.get(&key).into_iter().flatten().copied());
        let mut found: Vec<(Term, bool)> = list.map(|predicate| (predicate, holds(predicate))).collect();
        if let Some(tree) = self.trees.get(&key) {
            found.extend(tree.walk(holds));
        }
        found
    }

    /// All predicates that may describe a state with these explicit values.
    pub(crate) fn list(&self, values: &[Term]) -> Vec<Term> {
        let key = self.key(values);
        let mut found: Vec<Term> = self.begun(values).collect();
        found.extend(self.lists.get(&key).into_iter().flatten());
        found.extend(self.trees.get(&key).into_iter().flat_map(Tree::predicates));
        found
    }

    /// Takes in what separates concrete states of an abstract one. Returns whether it is new.
    pub(crate) fn split(&mut self, terms: &mut Terms, values: &[Term], literals: &[Term], formula: Term) -> bool {
        let key = self.key(values);
        let mut pieces = self.pieces.of(terms, formula);
        let begun: BTreeSet<Term> = self.begun(values).collect();
        let list = self.lists.entry(key.clone()).or_default();
        pieces.retain(|piece| !begun.contains(piece) && !list.contains(piece));
        self.all.extend(&pieces);
        if self.granularity == Granularity::State {
            let literals = literals.iter().copied().collect();
            match self.trees.entry(key).or_default().split(terms, &literals, &pieces) {
                Split::Done => return true,
                Split::Known => return false,
                // Then they count in all states with these values.
                Split::Vague => {}
            }
        }
        list.extend(&pieces);
        !pieces.is_empty()
    }

    /// The length of the longest list.
    pub(crate) fn longest(&self) -> usize {
        let list = |key: &Key| self.lists.get(key).map_or(0, Vec::len);
        let lists = self.lists.values().map(Vec::len);
        let trees = self.trees.iter().map(|(key, tree)| list(key) + tree.depth());
        let given = self.given.values().map(Vec::len).max().unwrap_or(0);
        self.initial.len() + given + lists.chain(trees).max().unwrap_or(0)
    }

    /// All predicates, each with the values of the states in which it counts.
    pub(crate) fn learned(&self) -> Vec<(Vec<Term>, Term)> {
        let mut found: Vec<(Vec<Term>, Term)> = self.initial.iter().map(|term| (Vec::new(), *term)).collect();
        for (value, list) in &self.given {
            found.extend(list.iter().map(|term| (vec![*value], *term)));
        }
        for (key, list) in &self.lists {
            found.extend(list.iter().map(|term| (key.clone(), *term)));
        }
        for (key, tree) in &self.trees {
            found.extend(tree.predicates().into_iter().map(|term| (key.clone(), term)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_term::Sort;

    /// Locations as values of a control variable, and predicates.
    fn scene() -> (Terms, [Term; 3], [Term; 3]) {
        let mut terms = Terms::new();
        let control = terms.declare("at", Sort::BitVec(2));
        let control = terms.var(control);
        let locations = [0, 1, 2].map(|number| {
            let number = terms.bv(2, number);
            terms.eq(control, number)
        });
        let predicates = ["p", "q", "r"].map(|name| {
            let var = terms.declare(name, Sort::Bool);
            terms.var(var)
        });
        (terms, locations, predicates)
    }

    #[test]
    fn a_predicate_of_a_procedure_counts_at_all_its_locations() {
        let (mut terms, [first, second, other], [p, ..]) = scene();
        let of_all = |granularity| {
            let procedures = [(first, first), (second, first), (other, other)].into_iter().collect();
            let mut predicates = Predicates::new(granularity, Pieces::Atoms, vec![]).with_procedures(procedures);
            assert!(predicates.split(&mut terms, &[second], &[second], p));
            assert!(!predicates.split(&mut terms, &[second], &[second], p), "it is known");
            [first, second, other].map(|location| predicates.list(&[location]).len())
        };
        assert_eq!(
            [Granularity::Location, Granularity::Procedure, Granularity::Global].map(of_all),
            [[0, 1, 0], [1, 1, 0], [1, 1, 1]]
        );
    }

    #[test]
    fn what_is_given_counts_from_the_beginning_and_is_learned() {
        let (mut terms, [first, second, _], [p, q, r]) = scene();
        let given = [(None, p), (Some(first), q)];
        let mut predicates = Predicates::new(Granularity::Location, Pieces::Atoms, vec![]).with_given(&given);
        assert_eq!([first, second].map(|location| predicates.list(&[location])), [vec![p, q], vec![p]]);
        assert!(!predicates.split(&mut terms, &[first], &[first], q), "it is known");
        assert!(predicates.split(&mut terms, &[second], &[second], r));
        let mut learned = predicates.learned();
        learned.sort_unstable();
        let mut expected = vec![(vec![], p), (vec![first], q), (vec![second], r)];
        expected.sort_unstable();
        assert_eq!(learned, expected);
        assert_eq!(predicates.longest(), 3);
    }
}
