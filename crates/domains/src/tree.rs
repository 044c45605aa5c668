//! Abstract states that are split one by one: a tree of predicates, whose leaves are the states.
//! Each refinement replaces a leaf by others (section 4.4), so a state is described only by the
//! predicates that were needed to tell it from others.
//!
//! The predicates of one refinement stand together in one node, and below it is only what was
//! split later: so the tree grows by what is learnt, and not by the combinations that it allows.

use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Term, Terms};

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The root is the first.
    nodes: Vec<Node>,
}

/// The predicates that tell the states below a node apart, and what was split later, by the
/// truth of each.
#[derive(Clone, Debug, Default)]
struct Node {
    predicates: Vec<Term>,
    below: BTreeMap<Vec<bool>, usize>,
}

/// What became of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// The states know new predicates.
    Done,
    /// They know all of them already.
    Known,
    /// They are not told apart from some that were split before.
    Vague,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { nodes: vec![Node::default()] }
    }
}

impl Tree {
    /// The predicates on the way to the leaf of a concrete state, with their truth there.
    pub(crate) fn walk(&self, mut holds_at: impl FnMut(Term) -> bool) -> Vec<(Term, bool)> {
        let (mut at, mut found) = (0, Vec::new());
        loop {
            let truths: Vec<bool> = self.nodes[at].predicates.iter().map(|predicate| holds_at(*predicate)).collect();
            found.extend(self.nodes[at].predicates.iter().copied().zip(truths.iter().copied()));
            match self.nodes[at].below.get(&truths) {
                Some(next) => at = *next,
                None => return found,
            }
        }
    }

    /// Splits the states with these literals by predicates.
    pub(crate) fn split(&mut self, terms: &mut Terms, literals: &BTreeSet<Term>, predicates: &[Term]) -> Split {
        let mut new: Vec<Term> = predicates.to_vec();
        let mut at = 0;
        loop {
            new.retain(|predicate| !self.nodes[at].predicates.contains(predicate));
            if new.is_empty() {
                return Split::Known;
            }
            let mut truth = |predicate: &Term| {
                let not = terms.not(*predicate);
                literals.contains(predicate).then_some(true).or(literals.contains(&not).then_some(false))
            };
            let truths: Option<Vec<bool>> = self.nodes[at].predicates.iter().map(&mut truth).collect();
            match truths {
                Some(truths) if !truths.is_empty() => at = self.below(at, truths),
                Some(_) | None if self.nodes[at].below.is_empty() => {
                    self.nodes[at].predicates.extend(new);
                    return Split::Done;
                }
                Some(_) | None => return Split::Vague,
            }
        }
    }

    /// The node below another where its predicates have these truths.
    fn below(&mut self, at: usize, truths: Vec<bool>) -> usize {
        let next = self.nodes.len();
        let below = *self.nodes[at].below.entry(truths).or_insert(next);
        if below == next {
            self.nodes.push(Node::default());
        }
        below
    }

    /// All predicates.
    pub(crate) fn predicates(&self) -> BTreeSet<Term> {
        self.nodes.iter().flat_map(|node| node.predicates.iter().copied()).collect()
    }

    /// The length of the longest way.
    pub(crate) fn depth(&self) -> usize {
        let (mut depth, mut waiting) = (0, vec![(0, 0)]);
        while let Some((at, above)) = waiting.pop() {
            let here = above + self.nodes[at].predicates.len();
            depth = depth.max(here);
            waiting.extend(self.nodes[at].below.values().map(|next| (*next, here)));
        }
        depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_term::Sort;

    fn predicates(terms: &mut Terms, count: usize) -> Vec<Term> {
        let mut predicate = |at| {
            let var = terms.declare(&format!("p{at}"), Sort::Bool);
            terms.var(var)
        };
        (0..count).map(&mut predicate).collect()
    }

    #[test]
    fn states_are_split_where_they_are() {
        let mut terms = Terms::new();
        let [p, q, r] = predicates(&mut terms, 3)[..] else { panic!("there are three") };
        let mut tree = Tree::default();
        assert_eq!(tree.split(&mut terms, &BTreeSet::new(), &[p]), Split::Done);
        assert_eq!(tree.split(&mut terms, &BTreeSet::from([p]), &[p, q]), Split::Done);
        assert_eq!(tree.split(&mut terms, &BTreeSet::from([p, q]), &[q]), Split::Known);
        assert_eq!(tree.walk(|_| true), [(p, true), (q, true)]);
        assert_eq!(tree.walk(|_| false), [(p, false)]);
        assert_eq!(tree.split(&mut terms, &BTreeSet::new(), &[r]), Split::Vague);
        assert_eq!((tree.depth(), tree.predicates()), (2, BTreeSet::from([p, q])));
    }

    #[test]
    fn states_that_say_little_do_not_make_the_tree_explode() {
        let mut terms = Terms::new();
        let all = predicates(&mut terms, 200);
        let mut tree = Tree::default();
        for predicate in &all {
            assert_eq!(tree.split(&mut terms, &BTreeSet::new(), &[*predicate]), Split::Done);
        }
        assert_eq!((tree.depth(), tree.nodes.len()), (all.len(), 1));
    }
}
