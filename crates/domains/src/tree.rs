//! Abstract states that are split one by one: a tree of predicates, whose leaves are the states.
//! Each refinement replaces a leaf by two (section 4.4), so a state is described only by the
//! predicates that were needed to tell it from others.

use std::collections::BTreeSet;
use tamis_term::{Term, Terms};

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The root is the first.
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Leaf,
    Split { predicate: Term, holds: usize, fails: usize },
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { nodes: vec![Node::Leaf] }
    }
}

impl Tree {
    /// The predicates on the way to the leaf of a concrete state, with their truth there.
    pub(crate) fn walk(&self, mut holds_at: impl FnMut(Term) -> bool) -> Vec<(Term, bool)> {
        let (mut at, mut found) = (0, Vec::new());
        while let Node::Split { predicate, holds, fails } = self.nodes[at] {
            let truth = holds_at(predicate);
            found.push((predicate, truth));
            at = if truth { holds } else { fails };
        }
        found
    }

    /// Splits the states with these literals. Returns whether any was split: one that knows the
    /// predicate already is not.
    pub(crate) fn split(&mut self, terms: &mut Terms, literals: &BTreeSet<Term>, predicate: Term) -> bool {
        let mut waiting = vec![0];
        let mut split = false;
        while let Some(at) = waiting.pop() {
            match self.nodes[at] {
                Node::Split { predicate: known, .. } if known == predicate => {}
                Node::Split { predicate: known, holds, fails } => {
                    let not = terms.not(known);
                    match (literals.contains(&known), literals.contains(&not)) {
                        (true, _) => waiting.push(holds),
                        (false, true) => waiting.push(fails),
                        (false, false) => waiting.extend([fails, holds]),
                    }
                }
                Node::Leaf => {
                    let next = self.nodes.len();
                    self.nodes.extend([Node::Leaf, Node::Leaf]);
                    self.nodes[at] = Node::Split { predicate, holds: next, fails: next + 1 };
                    split = true;
                }
            }
        }
        split
    }

    /// All predicates.
    pub(crate) fn predicates(&self) -> BTreeSet<Term> {
        let of = |node: &Node| match node {
            Node::Leaf => None,
            Node::Split { predicate, .. } => Some(*predicate),
        };
        self.nodes.iter().filter_map(of).collect()
    }

    /// The length of the longest way.
    pub(crate) fn depth(&self) -> usize {
        let (mut depth, mut waiting) = (0, vec![(0, 0)]);
        while let Some((at, above)) = waiting.pop() {
            depth = depth.max(above);
            if let Node::Split { holds, fails, .. } = self.nodes[at] {
                waiting.extend([(holds, above + 1), (fails, above + 1)]);
            }
        }
        depth
    }
}
