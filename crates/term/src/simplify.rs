//! Local simplification, applied to every application as it is built.
//!
//! Each rule looks at the arguments only, never below their top symbol (one level for
//! negations), so building stays constant time per term. The rules keep terms small; they
//! do not try to be a decision procedure.

#![allow(clippy::wildcard_enum_match_arm, reason = "a table of rules: a symbol without a row stands as it is")]

use crate::fun::Fun;
use crate::semantics::apply;
use crate::sort::Sort;
use crate::terms::{Node, Term, Terms};
use crate::value::Value;
use num_traits::{One, Zero};
use smallvec::SmallVec;

/// The simpler term that equals `fun(args)`, or `None` if the application stands as it is.
pub(crate) fn simplify(terms: &mut Terms, fun: &Fun, args: &[Term]) -> Option<Term> {
    if let Some(folded) = fold(terms, fun, args) {
        return Some(terms.constant(folded));
    }
    match fun {
        Fun::And => junction(terms, args, false),
        Fun::Or => junction(terms, args, true),
        Fun::Not => negation(terms, args[0]),
        Fun::Xor => exclusive(terms, args[0], args[1]),
        Fun::Eq => equality(terms, args[0], args[1]),
        Fun::Ite => choice(terms, args[0], args[1], args[2]),
        Fun::Extract { high, low } => (*low == 0 && high + 1 == terms.width(args[0])).then_some(args[0]),
        Fun::ZeroExtend(by) | Fun::SignExtend(by) => (*by == 0).then_some(args[0]),
        Fun::BvNot | Fun::BvNeg | Fun::Neg => involution(terms, fun, args[0]),
        Fun::BvAnd | Fun::BvOr | Fun::BvXor | Fun::BvAdd | Fun::BvSub | Fun::BvMul => {
            bitvector(terms, fun, args[0], args[1])
        }
        Fun::BvUdiv | Fun::BvSdiv => is_number(terms, args[1], 1).then_some(args[0]),
        Fun::BvUrem => is_number(terms, args[1], 1).then(|| zero_like(terms, args[0])),
        Fun::BvShl | Fun::BvLshr | Fun::BvAshr => is_number(terms, args[1], 0).then_some(args[0]),
        Fun::BvUlt => {
            let never = args[0] == args[1] || is_number(terms, args[1], 0) || is_ones(terms, args[0]);
            never.then(|| terms.bool(false))
        }
        Fun::BvUle => {
            let always = args[0] == args[1] || is_number(terms, args[0], 0) || is_ones(terms, args[1]);
            always.then(|| terms.bool(true))
        }
        Fun::BvSlt | Fun::Lt => (args[0] == args[1]).then(|| terms.bool(false)),
        Fun::BvSle | Fun::Le => (args[0] == args[1]).then(|| terms.bool(true)),
        Fun::Add | Fun::Sub | Fun::Mul => arithmetic(terms, fun, args[0], args[1]),
        Fun::IntDiv | Fun::RealDiv => is_number(terms, args[1], 1).then_some(args[0]),
        Fun::Select => read(terms, args[0], args[1]),
        Fun::Store => write(terms, args[0], args[1], args[2]),
        Fun::BvSrem
        | Fun::BvSmod
        | Fun::Concat
        | Fun::IntMod
        | Fun::ToReal
        | Fun::ToInt
        | Fun::IsInt
        | Fun::UbvToInt
        | Fun::SbvToInt
        | Fun::IntToBv(_)
        | Fun::ConstArray(_) => None,
    }
}

/// The value of an application to constants only.
fn fold(terms: &Terms, fun: &Fun, args: &[Term]) -> Option<Value> {
    let values: Option<SmallVec<[&Value; 4]>> = args.iter().map(|a| terms.value(*a)).collect();
    Some(apply(fun, &values?))
}

/// The argument of a negation.
fn negated(terms: &Terms, term: Term) -> Option<Term> {
    match terms.node(term) {
        Node::App(Fun::Not, args) => Some(args[0]),
        Node::App(..) | Node::Const(_) | Node::Var(_) => None,
    }
}

fn complementary(terms: &Terms, a: Term, b: Term) -> bool {
    negated(terms, a) == Some(b) || negated(terms, b) == Some(a)
}

/// `And` (absorbing false) and `Or` (absorbing true): drops neutral and repeated arguments,
/// and collapses when an argument or a pair of complementary ones absorbs the rest.
fn junction(terms: &mut Terms, args: &[Term], absorbing: bool) -> Option<Term> {
    let mut kept: SmallVec<[Term; 8]> = SmallVec::new();
    for arg in args {
        match terms.value(*arg) {
            Some(value) if value.as_bool() == absorbing => return Some(*arg),
            Some(_) => {}
            None => kept.push(*arg),
        }
    }
    let unsorted = kept.clone();
    kept.sort_unstable();
    kept.dedup();
    let clash = kept.iter().any(|a| negated(terms, *a).is_some_and(|inner| kept.binary_search(&inner).is_ok()));
    if clash {
        return Some(terms.bool(absorbing));
    }
    match kept.as_slice() {
        [] => Some(terms.bool(!absorbing)),
        [only] => Some(*only),
        _ if kept.len() == args.len() => None,
        _ => {
            // Keep the caller's order: it is often the readable one.
            let mut seen: SmallVec<[Term; 8]> = SmallVec::new();
            if kept.len() == unsorted.len() {
                seen = unsorted;
            } else {
                let mut left = kept;
                for arg in unsorted {
                    if let Ok(at) = left.binary_search(&arg) {
                        left.remove(at);
                        seen.push(arg);
                    }
                }
            }
            let fun = if absorbing { Fun::Or } else { Fun::And };
            Some(terms.app(fun, &seen))
        }
    }
}

fn negation(terms: &Terms, a: Term) -> Option<Term> {
    negated(terms, a)
}

fn exclusive(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(terms.bool(false));
    }
    if complementary(terms, a, b) {
        return Some(terms.bool(true));
    }
    let (constant, other) = if terms.value(a).is_some() { (a, b) } else { (b, a) };
    let flip = terms.value(constant)?.as_bool();
    Some(if flip { terms.not(other) } else { other })
}

fn equality(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(terms.bool(true));
    }
    if *terms.sort(a) != Sort::Bool {
        return None;
    }
    if complementary(terms, a, b) {
        return Some(terms.bool(false));
    }
    let (constant, other) = if terms.value(a).is_some() { (a, b) } else { (b, a) };
    let keep = terms.value(constant)?.as_bool();
    Some(if keep { other } else { terms.not(other) })
}

fn choice(terms: &mut Terms, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
    if let Some(value) = terms.value(condition) {
        return Some(if value.as_bool() { then } else { otherwise });
    }
    if then == otherwise {
        return Some(then);
    }
    if let Some(inner) = negated(terms, condition) {
        return Some(terms.ite(inner, otherwise, then));
    }
    if *terms.sort(then) != Sort::Bool {
        return None;
    }
    let constant = |terms: &Terms, t: Term| terms.value(t).map(Value::as_bool);
    match (constant(terms, then), constant(terms, otherwise)) {
        (Some(true), Some(false)) => Some(condition),
        (Some(false), Some(true)) => Some(terms.not(condition)),
        (Some(true), _) => Some(terms.or(&[condition, otherwise])),
        (Some(false), _) => {
            let not = terms.not(condition);
            Some(terms.and(&[not, otherwise]))
        }
        (_, Some(false)) => Some(terms.and(&[condition, then])),
        (_, Some(true)) => Some(terms.implies(condition, then)),
        (None, None) => None,
    }
}

/// `f(f(x)) = x`
fn involution(terms: &Terms, fun: &Fun, a: Term) -> Option<Term> {
    match terms.node(a) {
        Node::App(inner, args) if inner == fun => Some(args[0]),
        Node::App(..) | Node::Const(_) | Node::Var(_) => None,
    }
}

fn is_number(terms: &Terms, a: Term, number: u64) -> bool {
    match terms.value(a) {
        Some(Value::BitVec(bits)) => bits.to_u64() == Some(number),
        Some(Value::Int(value)) => **value == number.into(),
        Some(Value::Real(value)) => {
            if number == 0 {
                value.is_zero()
            } else {
                number == 1 && value.is_one()
            }
        }
        Some(Value::Bool(_) | Value::Array(_)) | None => false,
    }
}

fn is_ones(terms: &Terms, a: Term) -> bool {
    matches!(terms.value(a), Some(Value::BitVec(bits)) if bits.is_ones())
}

fn zero_like(terms: &mut Terms, a: Term) -> Term {
    let zero = Value::default_of(terms.sort(a));
    terms.constant(zero)
}

fn bitvector(terms: &mut Terms, fun: &Fun, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return match fun {
            Fun::BvAnd | Fun::BvOr => Some(a),
            Fun::BvXor | Fun::BvSub => Some(zero_like(terms, a)),
            _ => None,
        };
    }
    // The constant, if there is one, last; subtraction has no other way round.
    let (x, c) = if *fun != Fun::BvSub && terms.value(a).is_some() { (b, a) } else { (a, b) };
    let (zero, ones) = (is_number(terms, c, 0), is_ones(terms, c));
    match fun {
        Fun::BvAnd if zero => Some(c),
        Fun::BvAnd if ones => Some(x),
        Fun::BvOr if zero => Some(x),
        Fun::BvOr if ones => Some(c),
        Fun::BvXor | Fun::BvAdd | Fun::BvSub if zero => Some(x),
        Fun::BvMul if zero => Some(c),
        Fun::BvMul if is_number(terms, c, 1) => Some(x),
        _ => None,
    }
}

fn arithmetic(terms: &mut Terms, fun: &Fun, a: Term, b: Term) -> Option<Term> {
    if *fun == Fun::Sub && a == b {
        return Some(zero_like(terms, a));
    }
    let (x, c) = if *fun != Fun::Sub && terms.value(a).is_some() { (b, a) } else { (a, b) };
    match fun {
        Fun::Add | Fun::Sub if is_number(terms, c, 0) => Some(x),
        Fun::Mul if is_number(terms, c, 0) => Some(c),
        Fun::Mul if is_number(terms, c, 1) => Some(x),
        _ => None,
    }
}

/// Reading what was just written, or what was written at another constant index.
fn read(terms: &mut Terms, array: Term, index: Term) -> Option<Term> {
    let Node::App(fun, args) = terms.node(array) else { return None };
    match fun {
        Fun::ConstArray(_) => Some(args[0]),
        Fun::Store if args[1] == index => Some(args[2]),
        Fun::Store => {
            let (below, other) = (args[0], args[1]);
            let apart = terms.value(other).is_some() && terms.value(index).is_some();
            // One level only, so that building stays constant time.
            apart.then(|| terms.raw_app(Fun::Select, &[below, index]).expect("the sorts of the outer read"))
        }
        _ => None,
    }
}

/// Writing over a write to the same cell, or writing back what was read.
fn write(terms: &mut Terms, array: Term, index: Term, element: Term) -> Option<Term> {
    if let Node::App(Fun::Select, args) = terms.node(element)
        && args[0] == array
        && args[1] == index
    {
        return Some(array);
    }
    let Node::App(Fun::Store, args) = terms.node(array) else { return None };
    let below = args[0];
    (args[1] == index).then(|| terms.store(below, index, element))
}
