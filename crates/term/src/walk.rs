//! Walks over terms as graphs: every distinct subterm once, and never by recursion.

use crate::fun::Fun;
use crate::marks::{TermMap, TermSet};
use crate::substitution::Replacements;
use crate::terms::{Node, Term, Terms, Var};
use crate::value::Value;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// All distinct subterms of `roots`, arguments before the terms they are in.
#[must_use]
pub fn post_order(terms: &Terms, roots: &[Term]) -> Vec<Term> {
    // Arguments always have smaller numbers, so collecting and sorting gives the order.
    let Some(largest) = roots.iter().max() else { return Vec::new() };
    let mut seen = TermSet::new();
    let mut found = Vec::new();
    let mut stack: Vec<Term> = roots.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term, *largest) {
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

    /// The formulas whose conjunction these formulas are, and that are no conjunctions themselves: in
    /// order, each once, without what is true.
    #[must_use]
    pub fn conjuncts(&self, formulas: &[Term]) -> Vec<Term> {
        let (mut open, mut seen, mut found) = (formulas.to_vec(), FxHashSet::default(), Vec::new());
        open.reverse();
        while let Some(term) = open.pop() {
            if !seen.insert(term) || self.is_true(term) {
                continue;
            }
            match self.node(term) {
                Node::App(Fun::And, args) => open.extend(args.iter().rev()),
                Node::App(..) | Node::Var(_) | Node::Const(_) => found.push(term),
            }
        }
        found
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
    pub fn substitute(&mut self, term: Term, map: &impl Replacements) -> Term {
        self.substitute_all(&[term], map)[0]
    }

    /// Replaces variables in several terms, sharing the work between them.
    ///
    /// # Panics
    /// If a replacement has another sort than its variable.
    pub fn substitute_all(&mut self, roots: &[Term], map: &impl Replacements) -> Vec<Term> {
        self.rebuild(roots, |terms, term, args| match terms.node(term) {
            Node::Const(_) => term,
            Node::Var(var) => match map.replacement(*var) {
                Some(replacement) => {
                    assert_eq!(terms.sort(replacement), terms.var_sort(*var), "a replacement of the same sort");
                    replacement
                }
                None => term,
            },
            Node::App(_, old) if old.as_slice() == args => term,
            Node::App(fun, _) => terms.app(fun.clone(), args),
        })
    }

    /// Rebuilds terms from below: `step` gets each distinct subterm once, with what became
    /// of its arguments, and returns what becomes of it.
    pub fn rebuild(&mut self, roots: &[Term], mut step: impl FnMut(&mut Terms, Term, &[Term]) -> Term) -> Vec<Term> {
        let order = post_order(self, roots);
        let Some(first) = order.first() else { return Vec::new() };
        let mut done = TermMap::new(&order, first);
        let mut args: Vec<Term> = Vec::new();
        for term in order {
            args.clear();
            args.extend(self.node(term).args().iter().map(|arg| done[*arg]));
            done[term] = step(self, term, &args);
        }
        roots.iter().map(|root| done[*root]).collect()
    }

    /// The term with every division of integers or reals by what may be zero put under a
    /// test for zero. SMT-LIB leaves these values open, so that a solver may choose them;
    /// afterwards its choice no longer shows, and it means what evaluation means.
    pub fn guard_divisions(&mut self, term: Term) -> Term {
        let rebuilt = self.rebuild(&[term], |terms, term, args| {
            let Node::App(fun, old) = terms.node(term) else { return term };
            let fun = fun.clone();
            let divides = matches!(fun, Fun::IntDiv | Fun::IntMod | Fun::RealDiv);
            if !divides && old.as_slice() == args {
                return term;
            }
            let quotient = terms.app(fun.clone(), args);
            if !divides {
                return quotient;
            }
            let zero = Value::default_of(terms.sort(term));
            let zero = terms.constant(zero);
            let is_zero = terms.eq(args[1], zero);
            let open = if fun == Fun::IntMod { args[0] } else { zero };
            terms.ite(is_zero, open, quotient)
        });
        rebuilt[0]
    }
}
