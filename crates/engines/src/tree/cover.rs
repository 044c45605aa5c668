//! Which of many states at a cut point covers a given one: their literals in a trie, where each way
//! down is a subset of the literals in order. A look-up follows only literals of the state asked
//! about.

use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::State;
use tamis_term::Term;

/// States by their literals.
#[derive(Clone, Debug, Default)]
pub(super) struct Trie {
    nodes: Vec<Knot>,
}

#[derive(Clone, Debug, Default)]
struct Knot {
    below: BTreeMap<Term, usize>,
    /// The numbers of the states whose literals end here.
    ends: Vec<usize>,
}

impl Trie {
    pub(super) fn insert(&mut self, state: &State, number: usize) {
        for case in state.cases() {
            self.insert_case(case, number);
        }
    }

    fn insert_case(&mut self, literals: &[Term], number: usize) {
        if self.nodes.is_empty() {
            self.nodes.push(Knot::default());
        }
        let mut at = 0;
        for literal in literals {
            let next = self.nodes.len();
            at = *self.nodes[at].below.entry(*literal).or_insert(next);
            if at == next {
                self.nodes.push(Knot::default());
            }
        }
        self.nodes[at].ends.push(number);
    }

    pub(super) fn remove(&mut self, state: &State, number: usize) {
        for case in state.cases() {
            self.remove_case(case, number);
        }
    }

    fn remove_case(&mut self, literals: &[Term], number: usize) {
        let way = |at: Option<usize>, literal: &Term| self.nodes.get(at?)?.below.get(literal).copied();
        if let Some(at) = literals.iter().fold(Some(0), way)
            && let Some(knot) = self.nodes.get_mut(at)
        {
            knot.ends.retain(|other| *other != number);
        }
    }

    /// The states that cover each case of a state, if all are covered.
    pub(super) fn covering(&self, state: &State) -> Option<BTreeSet<usize>> {
        state.cases().map(|case| self.covering_case(case)).collect()
    }

    /// The first state whose literals are all among the given ones.
    fn covering_case(&self, literals: &[Term]) -> Option<usize> {
        let mut waiting = vec![(0, 0)];
        while let Some((at, from)) = waiting.pop() {
            let knot = self.nodes.get(at)?;
            if let Some(found) = knot.ends.first() {
                return Some(*found);
            }
            if knot.below.is_empty() {
                continue;
            }
            for (offset, literal) in literals[from..].iter().enumerate().rev() {
                if let Some(next) = knot.below.get(literal) {
                    waiting.push((*next, from + offset + 1));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_ir::PointId;
    use tamis_term::{Sort, Terms};

    #[test]
    fn subsets_cover() {
        let mut terms = Terms::new();
        let vars: Vec<Term> = (0..6)
            .map(|at| {
                let var = terms.declare(&format!("p{at}"), Sort::Bool);
                terms.var(var)
            })
            .collect();
        let mut states = |bits: u32| {
            let literals: Vec<Term> = (0..6).filter(|at| bits >> at & 1 == 1).map(|at| vars[at]).collect();
            State::new(&mut terms, PointId::default(), &[], &literals)
        };
        let mut random = fastrand::Rng::with_seed(7);
        let mut trie = Trie::default();
        let mut stored: Vec<Option<State>> = Vec::new();
        for round in 0..400 {
            let state = states(random.u32(0..64));
            let expected = stored.iter().flatten().any(|other| other.covers(&state));
            let found = trie.covering(&state);
            assert_eq!(found.is_some(), expected, "round {round}");
            if let Some(number) = found.and_then(|found| found.first().copied()) {
                let other = stored[number].take().expect("it was not removed");
                assert!(other.covers(&state));
                trie.remove(&other, number);
            } else {
                trie.insert(&state, stored.len());
                stored.push(Some(state));
            }
        }
    }
}
