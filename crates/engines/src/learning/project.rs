//! What constraints over copies say about the variables at a cut point: copies that are behind are
//! replaced by their values, or by what an equation says they are.
//!
//! The meaning of `max(G, v)` is that *there are* values of the copies that are behind. Where all of
//! them can be replaced, what is left says the same without them. Where not, constraints are left out,
//! and the result says less.

use super::state::{Positions, Sequence};
use super::steps::{Kind, Step};
use std::collections::BTreeSet;
use tamis_term::{Fun, Node, Substitution, Term, Terms, Var};

/// What constraints say about variables.
#[derive(Debug)]
pub(super) struct Projection {
    /// What each position says, without those that were used to replace copies.
    pub(super) parts: Vec<(usize, Term)>,
    /// The positions that were left out.
    pub(super) lost: Vec<usize>,
}

impl Projection {
    /// All of it, as one formula.
    pub(super) fn formula(&self, terms: &mut Terms) -> Term {
        let parts: Vec<Term> = self.parts.iter().map(|(_, part)| *part).collect();
        terms.and(&parts)
    }
}

/// What the constraints at these positions say about the variables at the end of a step.
pub(super) fn project(terms: &mut Terms, sequence: &Sequence, positions: &Positions, step: &Step) -> Projection {
    let primary = step.primary(terms);
    let mut parts: Vec<(usize, Term)> = Vec::new();
    // Later equations define copies by earlier ones.
    for position in positions.iter().rev() {
        let constraint = sequence.at(*position);
        match &constraint.kind {
            Kind::Equation(copy, value) if !primary.contains(copy) => replace(terms, &mut parts, *copy, *value),
            Kind::Equation(..) | Kind::Condition | Kind::Implied(_) => parts.push((*position, constraint.term)),
        }
    }
    parts.retain(|(_, part)| !terms.is_true(*part));
    parts.reverse();
    solve(terms, &mut parts, &primary);
    let behind = |terms: &Terms, part: Term| !terms.free_vars(&[part]).is_subset(&primary);
    let (lost, kept): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, part)| behind(terms, *part));
    let names = step.names(terms);
    let parts = kept.into_iter().map(|(position, part)| (position, terms.substitute(part, &names))).collect();
    Projection { parts, lost: lost.into_iter().map(|(position, _)| position).collect() }
}

fn replace(terms: &mut Terms, parts: &mut [(usize, Term)], copy: Var, value: Term) {
    let map = Substitution::from_iter([(copy, value)]);
    for (_, part) in parts {
        *part = terms.substitute(*part, &map);
    }
}

/// Replaces copies that are behind by what equations say they are.
fn solve(terms: &mut Terms, parts: &mut Vec<(usize, Term)>, primary: &BTreeSet<Var>) {
    let mut at = 0;
    while at < parts.len() {
        let part = parts[at].1;
        let behind: Vec<Var> = terms.free_vars(&[part]).into_iter().filter(|var| !primary.contains(var)).collect();
        let solved = behind.into_iter().find_map(|var| Some((var, solution(terms, part, var)?)));
        let Some((var, value)) = solved else {
            at += 1;
            continue;
        };
        parts.remove(at);
        replace(terms, parts, var, value);
        parts.retain(|(_, part)| !terms.is_true(*part));
        at = 0;
    }
}

/// What an equation says that a variable is, if it is one that can be solved for it.
fn solution(terms: &mut Terms, equation: Term, var: Var) -> Option<Term> {
    let own = terms.var(var);
    if equation == own {
        return Some(terms.bool(true));
    }
    let (fun, args) = match terms.node(equation) {
        Node::App(fun, args) => (fun.clone(), args.to_vec()),
        Node::Const(_) | Node::Var(_) => return None,
    };
    if fun == Fun::Not && args[0] == own {
        return Some(terms.bool(false));
    }
    if fun != Fun::Eq {
        return None;
    }
    let occurs = |terms: &Terms, term: Term| terms.free_vars(&[term]).contains(&var);
    let (mut side, mut value) = match (occurs(terms, args[0]), occurs(terms, args[1])) {
        (true, false) => (args[0], args[1]),
        (false, true) => (args[1], args[0]),
        (true, true) | (false, false) => return None,
    };
    while side != own {
        let (fun, args) = match terms.node(side) {
            Node::App(fun, args) => (fun.clone(), args.to_vec()),
            Node::Const(_) | Node::Var(_) => return None,
        };
        let inside: Vec<usize> = (0..args.len()).filter(|at| occurs(terms, args[*at])).collect();
        let [at] = inside[..] else { return None };
        let other = args.iter().copied().enumerate().find(|(number, _)| *number != at).map(|(_, arg)| arg);
        value = match (&fun, at, other) {
            (Fun::Add, _, Some(other)) if args.len() == 2 => terms.sub(value, other),
            (Fun::BvAdd, _, Some(other)) if args.len() == 2 => terms.bvsub(value, other),
            (Fun::Sub, 0, Some(other)) if args.len() == 2 => terms.add(value, other),
            (Fun::Sub, 1, Some(other)) if args.len() == 2 => terms.sub(other, value),
            (Fun::BvSub, 0, Some(other)) => terms.bvadd(value, other),
            (Fun::BvSub, 1, Some(other)) => terms.bvsub(other, value),
            (Fun::Neg | Fun::BvNeg | Fun::Not | Fun::BvNot, _, None) => terms.app(fun.clone(), &[value]),
            _ => return None,
        };
        side = args[at];
    }
    Some(value)
}
