//! Variables that an equation defines, and their replacement.

#![allow(clippy::wildcard_enum_match_arm, reason = "a table of rules: what has no row is left to others")]

use super::linear::{Linear, solve_word};
use super::project::Facts;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// What a fact says about a variable.
struct Definition {
    var: Var,
    value: Term,
    /// What else the fact says.
    rest: Vec<Term>,
    /// New variables, and what they stand for.
    fresh: Vec<(Var, Term)>,
}

/// Replaces one variable that a fact defines by its definition, if there is one. Returns the
/// variables that are new in it, and what they stand for.
pub(super) fn define(terms: &mut Terms, facts: &mut Facts) -> Option<Vec<(Var, Term)>> {
    // Constants first: they make everything simpler.
    let mut found: Option<(usize, Definition)> = None;
    for at in 0..facts.facts.len() {
        if facts.facts[at].gone.is_empty() {
            continue;
        }
        let Some(definition) = definition(terms, facts.facts[at].term, &|var| facts.facts[at].gone.contains(&var))
        else {
            continue;
        };
        let is_constant = terms.value(definition.value).is_some();
        if is_constant || found.is_none() {
            found = Some((at, definition));
        }
        if is_constant {
            break;
        }
    }
    let (at, Definition { var, value, rest, fresh }) = found?;
    facts.facts.remove(at);
    facts.add(terms, &rest);
    facts.substitute(terms, &FxHashMap::from_iter([(var, value)]));
    Some(fresh)
}

fn as_var(terms: &Terms, term: Term) -> Option<Var> {
    match terms.node(term) {
        Node::Var(var) => Some(*var),
        Node::App(..) | Node::Const(_) => None,
    }
}

/// What a fact defines, if that is one of the variables that must go.
fn definition(terms: &mut Terms, fact: Term, gone: &dyn Fn(Var) -> bool) -> Option<Definition> {
    let simple = |var: Var, value: Term| Some(Definition { var, value, rest: Vec::new(), fresh: Vec::new() });
    if let Some(var) = as_var(terms, fact) {
        let value = terms.bool(true);
        return simple(var, value);
    }
    let Node::App(fun, args) = terms.node(fact) else { return None };
    let (fun, args) = (fun.clone(), args.clone());
    match fun {
        Fun::Eq => equation(terms, args[0], args[1], gone),
        Fun::Xor => complement(terms, args[0], args[1], gone),
        Fun::Not => {
            if let Some(var) = as_var(terms, args[0]) {
                let value = terms.bool(false);
                return simple(var, value);
            }
            let Node::App(Fun::Eq, inner) = terms.node(args[0]) else { return None };
            let (a, b) = (inner[0], inner[1]);
            if *terms.sort(a) == Sort::Bool { complement(terms, a, b, gone) } else { None }
        }
        _ => None,
    }
}

/// `a` and `b` are Boolean and differ.
fn complement(terms: &mut Terms, a: Term, b: Term, gone: &dyn Fn(Var) -> bool) -> Option<Definition> {
    let not = terms.not(b);
    equation(terms, a, not, gone).or_else(|| {
        let not = terms.not(a);
        equation(terms, not, b, gone)
    })
}

fn equation(terms: &mut Terms, a: Term, b: Term, gone: &dyn Fn(Var) -> bool) -> Option<Definition> {
    for (one, other) in [(a, b), (b, a)] {
        if let Some(definition) = direct(terms, one, other, gone) {
            return Some(definition);
        }
    }
    let sort = terms.sort(a).clone();
    let vars: Vec<Var> = terms.free_vars(&[a, b]).into_iter().filter(|var| gone(*var)).collect();
    let vars = vars.into_iter().filter(|var| *terms.var_sort(*var) == sort).collect::<Vec<_>>();
    for var in vars {
        let term = terms.var(var);
        let value = match sort {
            Sort::Int | Sort::Real => solve_number(terms, a, b, term, &sort),
            Sort::BitVec(_) => solve_word(terms, a, b, term),
            Sort::Bool | Sort::Array(_) => None,
        };
        if let Some(value) = value.filter(|value| !terms.free_vars(&[*value]).contains(&var)) {
            return Some(Definition { var, value, rest: Vec::new(), fresh: Vec::new() });
        }
    }
    None
}

/// `one = other`, where `one` is a variable or something that can be undone.
fn direct(terms: &mut Terms, one: Term, other: Term, gone: &dyn Fn(Var) -> bool) -> Option<Definition> {
    let (mut one, mut other) = (one, other);
    let (mut rest, mut fresh) = (Vec::new(), Vec::new());
    loop {
        if let Some(var) = as_var(terms, one) {
            let fits = gone(var) && !terms.free_vars(&[other]).contains(&var);
            return fits.then_some(Definition { var, value: other, rest, fresh });
        }
        let Node::App(fun, args) = terms.node(one) else { return None };
        let (fun, args) = (fun.clone(), args.clone());
        let has_gone = |terms: &Terms, term: Term| terms.free_vars(&[term]).into_iter().any(gone);
        (one, other) = match fun {
            Fun::Not => (args[0], terms.not(other)),
            Fun::BvNot => (args[0], terms.app(Fun::BvNot, &[other])),
            Fun::Xor | Fun::BvXor => {
                // The side that must go is undone.
                let first = as_var(terms, args[0]).is_some_and(gone);
                let (kept, moved) = if first { (args[0], args[1]) } else { (args[1], args[0]) };
                let value = terms.app(fun, &[other, moved]);
                (kept, value)
            }
            Fun::Concat => {
                let low = terms.width(args[1]);
                let high_part = terms.extract(other, terms.width(other) - 1, low);
                let low_part = terms.extract(other, low - 1, 0);
                if has_gone(terms, args[0]) {
                    rest.push(terms.eq(args[1], low_part));
                    (args[0], high_part)
                } else {
                    rest.push(terms.eq(args[0], high_part));
                    (args[1], low_part)
                }
            }
            Fun::ZeroExtend(by) if by > 0 => {
                let (inner, width) = (terms.width(args[0]), terms.width(other));
                let high = terms.extract(other, width - 1, inner);
                let zero = terms.bv(width - inner, 0);
                rest.push(terms.eq(high, zero));
                (args[0], terms.extract(other, inner - 1, 0))
            }
            Fun::Store if !base(terms, args[0]).is_some_and(gone) => return None,
            // `store(a, i, x) = other` says what `other` is at `i`, and that `a` is `other` but
            // for some element at `i`.
            Fun::Store => {
                let read = terms.select(other, args[1]);
                rest.push(terms.eq(read, args[2]));
                let sort = terms.sort(args[2]).clone();
                let before = terms.declare("$before", sort);
                fresh.push((before, terms.select(args[0], args[1])));
                let before = terms.var(before);
                (args[0], terms.store(other, args[1], before))
            }
            _ => return None,
        };
    }
}

/// The variable below the writes to an array.
fn base(terms: &Terms, array: Term) -> Option<Var> {
    let mut below = array;
    while let Node::App(Fun::Store, args) = terms.node(below) {
        below = args[0];
    }
    as_var(terms, below)
}

/// What the summand is, if its coefficient allows it to be said without division.
fn solve_number(terms: &mut Terms, a: Term, b: Term, summand: Term, sort: &Sort) -> Option<Term> {
    let mut sum = Linear::difference(terms, a, b)?;
    if *sort == Sort::Int {
        sum = sum.integral();
    }
    let coefficient = sum.coefficient(summand);
    if coefficient.is_zero() || (*sort == Sort::Int && !coefficient.abs().is_one()) {
        return None;
    }
    sum.summands.remove(&summand);
    let value = sum.scale(&(-coefficient.recip()));
    // Coefficients without a common divisor are integers, but the constant may be none: then
    // there is no solution, which others find out.
    if *sort == Sort::Int && !value.constant.is_integer() {
        return None;
    }
    Some(value.term(terms, sort))
}
