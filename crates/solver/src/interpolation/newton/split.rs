//! Cases: formulas as disjunctions, variables as their values.

#![allow(clippy::wildcard_enum_match_arm, reason = "a table of rules: what has no row is left to others")]

use super::project::Fact;
use tamis_term::value::values;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// What a variable of a small sort may be.
pub(super) fn values_of(terms: &mut Terms, var: Var) -> Vec<Term> {
    let (sort, var) = (terms.var_sort(var).clone(), terms.var(var));
    values(&sort)
        .map(|value| {
            let value = terms.constant(value);
            terms.eq(var, value)
        })
        .collect()
}

/// The fact as a disjunction, if it is one in disguise.
pub(super) fn cases(terms: &mut Terms, fact: &Fact) -> Option<Vec<Term>> {
    let (fun, args, positive) = match terms.node(fact.term) {
        Node::App(Fun::Not, args) => match terms.node(args[0]) {
            Node::App(fun, args) => (fun.clone(), args.clone(), false),
            Node::Var(_) | Node::Const(_) => return None,
        },
        Node::App(fun, args) => (fun.clone(), args.clone(), true),
        Node::Var(_) | Node::Const(_) => return None,
    };
    let truth = *terms.sort(args[args.len() - 1]) == Sort::Bool;
    match (fun, positive) {
        (Fun::Or, true) => Some(args.to_vec()),
        (Fun::And, false) => Some(args.iter().map(|arg| terms.not(*arg)).collect()),
        (Fun::Ite, _) if truth => {
            let [condition, then, otherwise] = [args[0], args[1], args[2]];
            let not = terms.not(condition);
            let (then, otherwise) = if positive { (then, otherwise) } else { (terms.not(then), terms.not(otherwise)) };
            Some(vec![terms.and(&[condition, then]), terms.and(&[not, otherwise])])
        }
        (fun @ (Fun::Eq | Fun::Xor), _) if truth => {
            let same = (fun == Fun::Eq) == positive;
            let (a, b) = (args[0], args[1]);
            let (not_a, not_b) = (terms.not(a), terms.not(b));
            let (first, second) = if same { ([a, b], [not_a, not_b]) } else { ([a, not_b], [not_a, b]) };
            Some(vec![terms.and(&first), terms.and(&second)])
        }
        (Fun::Eq, false) if matches!(terms.sort(args[0]), Sort::Int | Sort::Real) => {
            Some(vec![terms.lt(args[0], args[1]), terms.lt(args[1], args[0])])
        }
        _ => choices(terms, fact),
    }
}

/// An atom with a choice in it that depends on what must go: one atom per choice.
fn choices(terms: &mut Terms, fact: &Fact) -> Option<Vec<Term>> {
    let is_choice = |term: &Term| matches!(terms.node(*term), Node::App(Fun::Ite, _));
    let depends = |term: &Term| terms.free_vars(&[*term]).iter().any(|var| fact.gone.contains(var));
    let choice = post_order(terms, &[fact.term]).into_iter().find(|term| is_choice(term) && depends(term))?;
    let args = terms.node(choice).args().to_vec();
    let then = replace(terms, fact.term, choice, args[1]);
    let otherwise = replace(terms, fact.term, choice, args[2]);
    let not = terms.not(args[0]);
    Some(vec![terms.and(&[args[0], then]), terms.and(&[not, otherwise])])
}

/// The term with one subterm replaced.
fn replace(terms: &mut Terms, root: Term, from: Term, to: Term) -> Term {
    let rebuilt = terms.rebuild(&[root], |terms, term, args| match terms.node(term) {
        _ if term == from => to,
        Node::App(_, old) if old.as_slice() == args => term,
        Node::App(fun, _) => {
            let fun = fun.clone();
            terms.app(fun, args)
        }
        Node::Var(_) | Node::Const(_) => term,
    });
    rebuilt[0]
}
