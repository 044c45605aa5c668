//! What variables stand for: a map that costs nothing to copy, and that is compared with another
//! one at the cost of what differs.
//!
//! A big-endian Patricia tree (Okasaki, Gill: Fast Mergeable Integer Maps, 1998). Copies share
//! their nodes, and nodes that two maps share are equal without a look inside.

use crate::terms::{Term, Var};
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Terms by variables.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    root: Option<Arc<Node>>,
}

/// Where two substitutions differ: the variable, and what it stands for in each.
pub type Difference = (Var, Option<Term>, Option<Term>);

/// Whatever says what variables stand for.
pub trait Replacements {
    /// What a variable stands for, unless it is itself.
    fn replacement(&self, var: Var) -> Option<Term>;
}

#[derive(Clone, Debug)]
enum Node {
    Leaf(Var, Term),
    /// Variables that agree in all bits of their numbers above `bit`.
    Branch {
        /// One of them.
        some: Var,
        bit: u32,
        /// Those whose `bit` is 0, and those whose `bit` is 1.
        halves: [Arc<Node>; 2],
    },
}

impl Substitution {
    /// What a variable stands for.
    #[must_use]
    pub fn get(&self, var: Var) -> Option<Term> {
        let mut at = self.root.as_ref()?;
        loop {
            match &**at {
                Node::Leaf(own, term) => return (*own == var).then_some(*term),
                Node::Branch { bit, halves, .. } => at = &halves[half(var, *bit)],
            }
        }
    }

    /// Lets a variable stand for a term.
    pub fn insert(&mut self, var: Var, term: Term) {
        match &mut self.root {
            Some(root) => insert(root, var, term),
            None => self.root = Some(Arc::new(Node::Leaf(var, term))),
        }
    }

    /// All variables and what they stand for, in the order of variables.
    #[must_use]
    pub fn pairs(&self) -> Vec<(Var, Term)> {
        let mut found = Vec::new();
        if let Some(root) = &self.root {
            all(root, &mut |var, term| found.push((var, term)));
        }
        found
    }

    /// Where this substitution and another one differ, in the order of variables.
    #[must_use]
    pub fn differences(&self, other: &Substitution) -> Vec<Difference> {
        let mut found = Vec::new();
        differ([self.root.as_ref(), other.root.as_ref()], &mut found);
        found
    }
}

impl Extend<(Var, Term)> for Substitution {
    fn extend<I: IntoIterator<Item = (Var, Term)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(var, term)| self.insert(var, term));
    }
}

impl FromIterator<(Var, Term)> for Substitution {
    fn from_iter<I: IntoIterator<Item = (Var, Term)>>(pairs: I) -> Self {
        let mut map = Substitution::default();
        map.extend(pairs);
        map
    }
}

impl Replacements for Substitution {
    fn replacement(&self, var: Var) -> Option<Term> {
        self.get(var)
    }
}

impl<S: BuildHasher> Replacements for HashMap<Var, Term, S> {
    fn replacement(&self, var: Var) -> Option<Term> {
        self.get(&var).copied()
    }
}

impl Node {
    /// One of the variables, and a bit above which all of them agree (a leaf agrees in all bits).
    fn range(&self) -> (Var, Option<u32>) {
        match self {
            Node::Leaf(var, _) => (*var, None),
            Node::Branch { some, bit, .. } => (*some, Some(*bit)),
        }
    }
}

fn half(var: Var, bit: u32) -> usize {
    (var.index() >> bit) & 1
}

/// The highest bit in which two variables differ.
fn highest_difference(a: Var, b: Var) -> Option<u32> {
    (a.index() ^ b.index()).checked_ilog2()
}

fn insert(node: &mut Arc<Node>, var: Var, term: Term) {
    let (some, bit) = node.range();
    let apart = highest_difference(some, var);
    if apart > bit {
        let bit = apart.unwrap_or_default();
        let mut halves = [node.clone(), Arc::new(Node::Leaf(var, term))];
        if half(var, bit) == 0 {
            halves.reverse();
        }
        *node = Arc::new(Node::Branch { some, bit, halves });
        return;
    }
    match Arc::make_mut(node) {
        Node::Leaf(_, old) => *old = term,
        Node::Branch { bit, halves, .. } => insert(&mut halves[half(var, *bit)], var, term),
    }
}

fn differ(nodes: [Option<&Arc<Node>>; 2], found: &mut Vec<Difference>) {
    let (a, b) = match nodes {
        [None, None] => return,
        [Some(a), None] => return all(a, &mut |var, term| found.push((var, Some(term), None))),
        [None, Some(b)] => return all(b, &mut |var, term| found.push((var, None, Some(term)))),
        [Some(a), Some(b)] if Arc::ptr_eq(a, b) => return,
        [Some(a), Some(b)] => (a, b),
    };
    let ((in_a, a_bit), (in_b, b_bit)) = (a.range(), b.range());
    let apart = highest_difference(in_a, in_b);
    if apart > a_bit.max(b_bit) {
        let [first, second] =
            if in_a < in_b { [[Some(a), None], [None, Some(b)]] } else { [[None, Some(b)], [Some(a), None]] };
        differ(first, found);
        differ(second, found);
        return;
    }
    // The node whose variables agree in more bits lies in one half of the other one.
    let side = |half_at: usize, node, of: Var, bit| (half(of, bit) == half_at).then_some(node);
    match (&**a, &**b) {
        (Node::Leaf(var, then), Node::Leaf(_, otherwise)) => {
            if then != otherwise {
                found.push((*var, Some(*then), Some(*otherwise)));
            }
        }
        (Node::Branch { halves: of_a, .. }, Node::Branch { halves: of_b, .. }) if a_bit == b_bit => {
            (0..2).for_each(|at| differ([Some(&of_a[at]), Some(&of_b[at])], found));
        }
        (Node::Branch { bit, halves, .. }, _) if a_bit > b_bit => {
            (0..2).for_each(|at| differ([Some(&halves[at]), side(at, b, in_b, *bit)], found));
        }
        (_, Node::Branch { bit, halves, .. }) => {
            (0..2).for_each(|at| differ([side(at, a, in_a, *bit), Some(&halves[at])], found));
        }
        (Node::Branch { .. }, Node::Leaf(..)) => unreachable!("a leaf agrees in more bits than a branch"),
    }
}

fn all(node: &Node, visit: &mut impl FnMut(Var, Term)) {
    match node {
        Node::Leaf(var, term) => visit(*var, *term),
        Node::Branch { halves, .. } => halves.iter().for_each(|half| all(half, visit)),
    }
}
