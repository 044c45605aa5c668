//! Walks over terms as graphs: every distinct subterm once, and never by recursion.

use crate::terms::{Node, Term, Terms, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// All distinct subterms of `roots`, arguments before the terms they are in.
#[must_use]
pub fn post_order(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    // Arguments always have smaller numbers, so collecting and sorting gives the order.
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found = Vec::new();
    let mut stack: Vec<Term> = roots.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            found.push(term);
            stack.extend(terms.node(term).args());
        }
    }
    found.sort_unstable();
    found
}

impl Terms {
    /// The variables that occur in the terms, in order of declaration.
    #[must_use]
    pub fn free_vars(&self, roots: &[Term]) -> BTreeSet<Var> {
        let vars = post_order(self, roots).into_iter().filter_map(|term| match self.node(term) {
            Node::Var(var) => Some(*var),
            Node::Const(_) | Node::App(..) => None,
        });
        vars.collect()
    }

    /// How many distinct subterms the term has, itself included: its size as a graph.
    #[must_use]
    pub fn dag_size(&self, term: Term) -> usize {
        post_order(self, &[term]).len()
    }

    /// The term with variables replaced, all at once. Variables outside `map` stay.
    ///
    /// # Panics
    /// If a replacement has another sort than its variable.
    pub fn substitute(&mut self, term: Term, map: &FxHashMap<Var, Term>) -> Term {
        self.substitute_all(&[term], map)[0]
    }

    /// Replaces variables in several terms, sharing the work between them.
    ///
    /// # Panics
    /// If a replacement has another sort than its variable.
    pub fn substitute_all(&mut self, roots: &[Term], map: &FxHashMap<Var, Term>) -> Vec<Term> {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for term in post_order(self, roots) {
            let new = match self.node(term) {
                Node::Const(_) => term,
                Node::Var(var) => match map.get(var) {
                    Some(replacement) => {
                        assert_eq!(self.sort(*replacement), self.var_sort(*var), "a replacement of the same sort");
                        *replacement
                    }
                    None => term,
                },
                Node::App(fun, args) => {
                    let (fun, new): (_, Vec<Term>) = (fun.clone(), args.iter().map(|a| done[a]).collect());
                    if new.as_slice() == args.as_slice() { term } else { self.app(fun, &new) }
                }
            };
            done.insert(term, new);
        }
        roots.iter().map(|root| done[root]).collect()
    }
}
