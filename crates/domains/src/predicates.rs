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
    lists: BTreeMap<Key, Vec<Term>>,
    trees: BTreeMap<Key, Tree>,
    all: BTreeSet<Term>,
}

impl Predicates {
    /// The given predicates, everywhere; those to come as chosen.
    #[must_use]
    pub fn new(granularity: Granularity, pieces: Pieces, initial: Vec<Term>) -> Predicates {
        let all = initial.iter().copied().collect();
        Predicates { granularity, pieces, initial, lists: BTreeMap::new(), trees: BTreeMap::new(), all }
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
            Granularity::Global => Vec::new(),
        }
    }

    /// The predicates of a concrete state with these explicit values, and their truth there.
    pub(crate) fn of(&self, values: &[Term], mut holds: impl FnMut(Term) -> bool) -> Vec<(Term, bool)> {
        let key = self.key(values);
        let list = self.initial.iter().chain(self.lists.get(&key).into_iter().flatten());
        let mut found: Vec<(Term, bool)> = list.map(|predicate| (*predicate, holds(*predicate))).collect();
        if let Some(tree) = self.trees.get(&key) {
            found.extend(tree.walk(holds));
        }
        found
    }

    /// All predicates that may describe a state with these explicit values.
    pub(crate) fn list(&self, values: &[Term]) -> Vec<Term> {
        let key = self.key(values);
        let mut found: Vec<Term> = self.initial.clone();
        found.extend(self.lists.get(&key).into_iter().flatten());
        found.extend(self.trees.get(&key).into_iter().flat_map(Tree::predicates));
        found
    }

    /// Takes in what separates concrete states of an abstract one. Returns whether it is new.
    pub(crate) fn split(&mut self, terms: &mut Terms, values: &[Term], literals: &[Term], formula: Term) -> bool {
        let key = self.key(values);
        let mut pieces = self.pieces.of(terms, formula);
        let list = self.lists.entry(key.clone()).or_default();
        pieces.retain(|piece| !self.initial.contains(piece) && !list.contains(piece));
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
        self.initial.len() + lists.chain(trees).max().unwrap_or(0)
    }
}
