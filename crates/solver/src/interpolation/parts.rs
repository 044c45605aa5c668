//! Formulas in a tree, and what is shared where they meet.

use crate::Error;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use tamis_term::{Sort, Term, Terms, Var};

/// Formulas in a tree: a chain of states, or calls within calls.
///
/// The interpolant of a node speaks only about what its subtree and the rest share; it follows
/// from the interpolants of its children and its own formula; the root's is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// One formula per node, children before parents; the last is the root.
    pub formulas: Vec<Term>,
    /// For each node but the root, its parent: a greater number.
    pub parents: Vec<usize>,
}

impl Parts {
    /// A chain: `A1, A2, …, An`. The interpolants are a sequence in the sense of `McMillan` (CAV
    /// 2006): `A1 ⊨ I1`, `Ij ∧ Aj+1 ⊨ Ij+1`, and the last is false.
    #[must_use]
    pub fn chain(formulas: Vec<Term>) -> Parts {
        let parents = (1..formulas.len()).collect();
        Parts { formulas, parents }
    }

    /// A pair, whose interpolant is Craig's.
    #[must_use]
    pub fn pair(a: Term, b: Term) -> Parts {
        Parts::chain(vec![a, b])
    }

    /// The parent of a node; the root has none.
    #[must_use]
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied()
    }

    /// The children of each node, in ascending order.
    #[must_use]
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.formulas.len()];
        for (node, parent) in self.parents.iter().enumerate() {
            children[*parent].push(node);
        }
        children
    }

    /// Refuses what is no tree of Boolean terms of the arena.
    ///
    /// # Errors
    /// If there is no node, the parents are no tree, or a formula is no Boolean term.
    pub fn check(&self, terms: &Terms) -> Result<(), Error> {
        let is_tree = self.parents.len() + 1 == self.formulas.len()
            && self.parents.iter().enumerate().all(|(node, parent)| node < *parent && *parent < self.formulas.len());
        if !is_tree {
            return Err(Error::Backend("the parts to interpolate are no tree".to_owned()));
        }
        self.formulas.iter().try_for_each(|formula| is_formula(terms, *formula))
    }

    /// For each node, the variables that its subtree and the rest share, in order of
    /// declaration: those that its interpolant may speak about. Nothing for the root.
    ///
    /// A chain is walked once: a variable that does not occur further on is forgotten, so the
    /// time it takes is that of writing the result.
    #[must_use]
    pub fn shared(&self, terms: &Terms) -> Vec<Vec<Var>> {
        let mut everywhere: BTreeMap<Var, usize> = BTreeMap::new();
        let own: Vec<Vec<Var>> =
            self.formulas.iter().map(|formula| terms.free_vars(&[*formula]).into_iter().collect()).collect();
        for var in own.iter().flatten() {
            *everywhere.entry(*var).or_default() += 1;
        }
        let mut below: Vec<BTreeMap<Var, usize>> = vec![BTreeMap::new(); self.formulas.len()];
        let mut shared = Vec::with_capacity(self.formulas.len());
        for (node, vars) in own.iter().enumerate() {
            let mut live = std::mem::take(&mut below[node]);
            for var in vars {
                *live.entry(*var).or_default() += 1;
            }
            live.retain(|var, count| *count < everywhere[var]);
            shared.push(live.keys().copied().collect());
            if let Some(parent) = self.parent(node) {
                merge(&mut below[parent], live);
            }
        }
        shared
    }
}

/// Adds the counts of the smaller map to those of the larger one.
fn merge(into: &mut BTreeMap<Var, usize>, mut from: BTreeMap<Var, usize>) {
    if into.len() < from.len() {
        std::mem::swap(into, &mut from);
    }
    for (var, count) in from {
        match into.entry(var) {
            Entry::Vacant(entry) => {
                entry.insert(count);
            }
            Entry::Occupied(mut entry) => *entry.get_mut() += count,
        }
    }
}

/// Refuses what is no Boolean term of the arena.
pub(super) fn is_formula(terms: &Terms, term: Term) -> Result<(), Error> {
    if term.index() >= terms.len() {
        return Err(Error::ForeignTerms);
    }
    match terms.sort(term) {
        Sort::Bool => Ok(()),
        sort @ (Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(_)) => Err(Error::NotBoolean(sort.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_is_what_occurs_on_both_sides() {
        let mut terms = Terms::new();
        let vars = ["a", "b", "c", "d"].map(|name| terms.declare(name, Sort::Bool));
        let [a, b, c, d] = vars.map(|var| terms.var(var));
        // Two calls, the node that joins them, and the root.
        let formulas = vec![terms.and(&[a, b]), terms.and(&[b, c]), terms.and(&[c, d]), terms.or(&[d, a])];
        let parts = Parts { formulas, parents: vec![2, 2, 3] };
        let [a, b, c, d] = vars;
        assert_eq!(parts.shared(&terms), [vec![a, b], vec![b, c], vec![a, d], vec![]]);
        assert_eq!(parts.children(), [vec![], vec![], vec![0, 1], vec![2]]);
        assert_eq!(parts.check(&terms), Ok(()));
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let mut terms = Terms::new();
        let truth = terms.bool(true);
        let number = terms.int(1);
        let refused = |formulas: Vec<Term>, parents: Vec<usize>| Parts { formulas, parents }.check(&terms).is_err();
        assert!(refused(vec![], vec![]));
        assert!(refused(vec![truth; 2], vec![]));
        assert!(refused(vec![truth; 2], vec![0]));
        assert!(refused(vec![truth; 2], vec![2]));
        assert!(refused(vec![number], vec![]));
        assert!(!refused(vec![truth], vec![]));
    }
}
