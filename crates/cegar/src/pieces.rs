//! What of a formula becomes a predicate.

use std::collections::BTreeSet;
use tamis_term::{Fun, Node, Sort, Term, Terms};

/// How a formula is cut into predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// It is one predicate.
    Whole,
    /// Each of its conjuncts is one.
    Conjuncts,
    /// Each of its atoms is one: the truth of the formula follows from theirs.
    Atoms,
}

impl Pieces {
    /// The predicates of a formula, without negations in front and without constants.
    #[must_use]
    pub fn of(self, terms: &Terms, formula: Term) -> Vec<Term> {
        let pieces = match self {
            Pieces::Whole => vec![formula],
            Pieces::Conjuncts => terms.conjuncts(&[formula]),
            Pieces::Atoms => atoms(terms, formula),
        };
        let mut seen = BTreeSet::new();
        let bare = pieces.into_iter().map(|piece| positive(terms, piece));
        bare.filter(|piece| terms.value(*piece).is_none() && seen.insert(*piece)).collect()
    }
}

/// The formula without a negation in front.
fn positive(terms: &Terms, formula: Term) -> Term {
    match terms.node(formula) {
        Node::App(Fun::Not, args) => args[0],
        Node::App(..) | Node::Var(_) | Node::Const(_) => formula,
    }
}

/// The largest subformulas that are no Boolean combination of others.
fn atoms(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([formula]);
    let mut stack = vec![formula];
    while let Some(part) = stack.pop() {
        let inner = match terms.node(part) {
            Node::App(Fun::Not | Fun::And | Fun::Or | Fun::Xor | Fun::Ite, args) => args.as_slice(),
            Node::App(Fun::Eq, args) if *terms.sort(args[0]) == Sort::Bool => args.as_slice(),
            Node::App(..) | Node::Var(_) | Node::Const(_) => &[],
        };
        if inner.is_empty() {
            found.push(part);
        }
        stack.extend(inner.iter().rev().filter(|arg| seen.insert(**arg)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: Pieces, expected: &[&str]) {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.declare(name, Sort::Bool));
        let x = terms.declare("x", Sort::Int);
        let [a, b, x] = [a, b, x].map(|var| terms.var(var));
        let (zero, one) = (terms.int(0), terms.int(1));
        let (low, high) = (terms.app(Fun::Lt, &[x, zero]), terms.app(Fun::Le, &[one, x]));
        let not_high = terms.not(high);
        let same = terms.eq(a, b);
        let either = terms.or(&[low, same]);
        let formula = terms.and(&[not_high, either]);
        let found: Vec<String> =
            pieces.of(&terms, formula).iter().map(|piece| terms.smtlib(*piece).to_string()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn formulas_are_cut_as_asked() {
        check(Pieces::Whole, &["(and (not (<= 1 x)) (or (< x 0) (= a b)))"]);
        check(Pieces::Conjuncts, &["(<= 1 x)", "(or (< x 0) (= a b))"]);
        check(Pieces::Atoms, &["(<= 1 x)", "(< x 0)", "a", "b"]);
    }
}
