//! Predicate abstraction (Graf, Saïdi, CAV 1997): which predicates describe which states.

use crate::tree::{Split, Tree};
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Pieces, State};
use tamis_ir::blocks::{Point, PointId};
use tamis_term::{Term, Terms, Var};

/// Where a predicate counts once it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// In the abstract state that it splits, and in what becomes of it; as [`Granularity::Location`]
    /// where that state was split before.
    State,
    /// In all states at the same cut point with the same explicit values.
    Location,
    /// The same at all cut points of the same procedure.
    Procedure,
    /// Everywhere.
    Global,
}

/// Where a list of predicates counts: the cut point, and explicit values as literals.
type Key = (Option<PointId>, Vec<Term>);

/// Predicates by where they count.
#[derive(Clone, Debug)]
pub struct Predicates {
    granularity: Granularity,
    pieces: Pieces,
    /// Predicates that count everywhere from the beginning.
    initial: Vec<Term>,
    /// Predicates that count from the beginning at a cut point.
    given: BTreeMap<PointId, Vec<Term>>,
    /// For each cut point, the first of its procedure, where that is another one.
    procedures: BTreeMap<PointId, PointId>,
    lists: BTreeMap<Key, Vec<Term>>,
    trees: BTreeMap<Key, Tree>,
    /// All predicates, and the variables that they speak about.
    about: BTreeMap<Term, BTreeSet<Var>>,
}

/// The predicates that may count at a cut point: none of them speaks about values that do not
/// matter there.
#[derive(Clone, Debug)]
pub(crate) struct Here<'p> {
    predicates: &'p Predicates,
    at: &'p Point,
}

impl Predicates {
    /// The given predicates, everywhere; those to come as chosen.
    #[must_use]
    pub fn new(terms: &Terms, granularity: Granularity, pieces: Pieces, initial: Vec<Term>) -> Predicates {
        let mut predicates = Predicates {
            granularity,
            pieces,
            initial: Vec::new(),
            given: BTreeMap::new(),
            procedures: BTreeMap::new(),
            lists: BTreeMap::new(),
            trees: BTreeMap::new(),
            about: BTreeMap::new(),
        };
        predicates.note(terms, &initial);
        predicates.initial = initial;
        predicates
    }

    /// The same with more predicates to begin with, each at a cut point, or everywhere.
    #[must_use]
    pub fn with_given(mut self, terms: &Terms, given: &[(Option<PointId>, Term)]) -> Predicates {
        for (at, predicate) in given {
            self.note(terms, &[*predicate]);
            match at {
                None => self.initial.push(*predicate),
                Some(at) => self.given.entry(*at).or_default().push(*predicate),
            }
        }
        self
    }

    /// The same with cut points told by their procedures: for each, the first one of its procedure.
    #[must_use]
    pub fn with_procedures(mut self, procedures: BTreeMap<PointId, PointId>) -> Predicates {
        self.procedures = procedures;
        self
    }

    fn note(&mut self, terms: &Terms, predicates: &[Term]) {
        for predicate in predicates {
            self.about.entry(*predicate).or_insert_with(|| terms.free_vars(&[*predicate]).into_iter().collect());
        }
    }

    pub(crate) fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// Those that may count at a cut point.
    pub(crate) fn at<'p>(&'p self, at: &'p Point) -> Here<'p> {
        Here { predicates: self, at }
    }

    fn key(&self, at: PointId, values: &[Term]) -> Key {
        match self.granularity {
            Granularity::State | Granularity::Location => (Some(at), values.to_vec()),
            Granularity::Procedure => (Some(self.procedures.get(&at).copied().unwrap_or(at)), values.to_vec()),
            Granularity::Global => (None, Vec::new()),
        }
    }

    /// The predicates that count from the beginning at a cut point.
    fn begun(&self, at: PointId) -> impl Iterator<Item = Term> {
        self.initial.iter().chain(self.given.get(&at).into_iter().flatten()).copied()
    }

    /// Takes in what separates concrete states of an abstract one. Returns whether it is new.
    pub(crate) fn split(&mut self, terms: &mut Terms, state: &State, formula: Term) -> bool {
        let pieces = self.pieces.of(terms, formula);
        self.take(terms, state, pieces)
    }

    /// The same with the whole formula as a predicate.
    pub(crate) fn split_whole(&mut self, terms: &mut Terms, state: &State, formula: Term) -> bool {
        let whole = Pieces::Whole.of(terms, formula);
        self.take(terms, state, whole)
    }

    fn take(&mut self, terms: &mut Terms, state: &State, mut pieces: Vec<Term>) -> bool {
        let key = self.key(state.at, &state.values);
        let begun: BTreeSet<Term> = self.begun(state.at).collect();
        self.note(terms, &pieces);
        let list = self.lists.entry(key.clone()).or_default();
        pieces.retain(|piece| !begun.contains(piece) && !list.contains(piece));
        if self.granularity == Granularity::State {
            let literals = state.literals.iter().copied().collect();
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

    /// All predicates, each with the cut point where it counts.
    pub(crate) fn learned(&self) -> Vec<(Option<PointId>, Term)> {
        let mut found: Vec<(Option<PointId>, Term)> = self.initial.iter().map(|term| (None, *term)).collect();
        for (at, list) in &self.given {
            found.extend(list.iter().map(|term| (Some(*at), *term)));
        }
        for ((at, _), list) in &self.lists {
            found.extend(list.iter().map(|term| (*at, *term)));
        }
        for ((at, _), tree) in &self.trees {
            found.extend(tree.predicates().into_iter().map(|term| (*at, term)));
        }
        found
    }
}

impl Here<'_> {
    fn means_something(&self, predicate: Term) -> bool {
        self.predicates.about.get(&predicate).is_some_and(|about| about.is_subset(&self.at.live))
    }

    /// All of them.
    pub(crate) fn all(&self) -> BTreeSet<Term> {
        let mut found: BTreeSet<Term> = self.predicates.begun(self.at.id).collect();
        let (place, _) = self.predicates.key(self.at.id, &[]);
        let first = (place, Vec::new());
        let here = |(key, _): &(&Key, _)| key.0 == place;
        found.extend(self.predicates.lists.range(first.clone()..).take_while(here).flat_map(|(_, list)| list));
        let trees = self.predicates.trees.range(first..).take_while(|(key, _)| key.0 == place);
        found.extend(trees.flat_map(|(_, tree)| tree.predicates()));
        found.retain(|predicate| self.means_something(*predicate));
        found
    }

    /// The predicates of a concrete state with these explicit values, and their truth there.
    pub(crate) fn of(&self, values: &[Term], mut holds: impl FnMut(Term) -> bool) -> Vec<(Term, bool)> {
        let key = self.predicates.key(self.at.id, values);
        let list = self.listed(&key).into_iter();
        let mut found: Vec<(Term, bool)> = list.map(|predicate| (predicate, holds(predicate))).collect();
        if let Some(tree) = self.predicates.trees.get(&key) {
            found.extend(tree.walk(holds));
        }
        found
    }

    /// All predicates that may describe a state with these explicit values.
    pub(crate) fn list(&self, values: &[Term]) -> Vec<Term> {
        let key = self.predicates.key(self.at.id, values);
        let mut found = self.listed(&key);
        found.extend(self.predicates.trees.get(&key).into_iter().flat_map(Tree::predicates));
        found
    }

    /// Those of them that are in no tree.
    fn listed(&self, key: &Key) -> Vec<Term> {
        let list = self.predicates.lists.get(key).into_iter().flatten().copied();
        self.predicates.begun(self.at.id).chain(list).filter(|predicate| self.means_something(*predicate)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_ir::{Program, Sources, Span};
    use tamis_term::Sort;

    /// Three cut points at which `p` and `q` matter, and `r` at the first two.
    fn scene() -> (Terms, [Point; 3], [Term; 3]) {
        let mut terms = Terms::new();
        let mut program = Program::new(Sources::new().into());
        let vars = ["p", "q", "r"].map(|name| terms.declare(name, Sort::Bool));
        let points = [0, 1, 2].map(|number: u32| Point {
            id: PointId(number),
            loc: program.add_loc(Span::default()),
            live: vars[..if number == 2 { 2 } else { 3 }].iter().copied().collect(),
            invariant: terms.bool(true),
            out: vec![],
            bad: vec![],
        });
        let predicates = vars.map(|var| terms.var(var));
        (terms, points, predicates)
    }

    fn state(terms: &mut Terms, at: &Point) -> State {
        State::new(terms, at.id, &[], &[])
    }

    #[test]
    fn a_predicate_of_a_procedure_counts_at_all_its_cut_points() {
        let of_all = |granularity| {
            let (mut terms, points, [p, ..]) = scene();
            let [first, second, _] = &points;
            let procedures = [(second.id, first.id)].into_iter().collect();
            let mut predicates =
                Predicates::new(&terms, granularity, Pieces::Atoms, vec![]).with_procedures(procedures);
            let state = state(&mut terms, second);
            assert!(predicates.split(&mut terms, &state, p));
            assert!(!predicates.split(&mut terms, &state, p), "it is known");
            points.each_ref().map(|point| predicates.at(point).list(&[]).len())
        };
        assert_eq!(
            [Granularity::Location, Granularity::Procedure, Granularity::Global].map(of_all),
            [[0, 1, 0], [1, 1, 0], [1, 1, 1]]
        );
    }

    #[test]
    fn what_does_not_matter_at_a_cut_point_does_not_count_there() {
        let (mut terms, points, [_, _, r]) = scene();
        let mut predicates = Predicates::new(&terms, Granularity::Global, Pieces::Atoms, vec![]);
        let state = state(&mut terms, &points[0]);
        assert!(predicates.split(&mut terms, &state, r));
        assert_eq!(points.each_ref().map(|point| predicates.at(point).all().len()), [1, 1, 0]);
        assert_eq!(points.each_ref().map(|point| predicates.at(point).of(&[], |_| true).len()), [1, 1, 0]);
    }

    #[test]
    fn what_is_given_counts_from_the_beginning_and_is_learned() {
        let (mut terms, [first, second, _], [p, q, r]) = scene();
        let given = [(None, p), (Some(first.id), q)];
        let mut predicates =
            Predicates::new(&terms, Granularity::Location, Pieces::Atoms, vec![]).with_given(&terms, &given);
        assert_eq!([&first, &second].map(|point| predicates.at(point).list(&[])), [vec![p, q], vec![p]]);
        let states = [&first, &second].map(|point| state(&mut terms, point));
        assert!(!predicates.split(&mut terms, &states[0], q), "it is known");
        assert!(predicates.split(&mut terms, &states[1], r));
        let mut learned = predicates.learned();
        learned.sort_unstable();
        let mut expected = vec![(None, p), (Some(first.id), q), (Some(second.id), r)];
        expected.sort_unstable();
        assert_eq!(learned, expected);
        assert_eq!(predicates.longest(), 3);
    }
}
