//! Local simplification, applied to every application as it is built.
//!
//! Each rule looks at the arguments only, never below their top symbol (one level for
//! negations, a bounded number of writes for a read), so building stays constant time per
//! term. The rules keep terms small; they do not try to be a decision procedure.
//!
//! Constants are folded while they are of modest size. Beyond that an application to
//! constants stands as it is: squaring a number forty times, or writing every cell of a
//! large array in turn, is short as a term and would fill the memory as values.

#![allow(clippy::wildcard_enum_match_arm, reason = "a table of rules: a symbol without a row stands as it is")]

use crate::fun::Fun;
use crate::semantics::apply;
use crate::sort::Sort;
use crate::terms::{Node, Term, Terms};
use crate::value::Value;
use num_traits::{One, Zero};
use smallvec::SmallVec;

/// Bit-vectors and integers of more bits are not folded.
const MAX_BITS: u64 = 4096;
/// Rationals whose numerator or denominator has more bits are not folded.
const MAX_RATIONAL_BITS: u64 = 1024;
/// Arrays of more cells are not folded, except to read from them.
const MAX_CELLS: usize = 128;
/// How many writes a read looks through.
const MAX_WRITES: usize = 32;

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

/// The value of an application to constants only, if it is cheap to compute.
fn fold(terms: &Terms, fun: &Fun, args: &[Term]) -> Option<Value> {
    // These have rules that compare and choose handles, which is cheaper than values.
    if matches!(fun, Fun::And | Fun::Or | Fun::Eq | Fun::Ite) || args.iter().any(|a| terms.value(*a).is_none()) {
        return None;
    }
    let values: SmallVec<[&Value; 4]> = args.iter().filter_map(|a| terms.value(*a)).collect();
    let foldable = match (fun, values.as_slice()) {
        (Fun::Select, [Value::Array(array), index]) => is_modest(index) && is_modest(array.select(index)),
        (Fun::ZeroExtend(by) | Fun::SignExtend(by) | Fun::IntToBv(by), [arg]) => {
            u64::from(*by) <= MAX_BITS && is_modest(arg)
        }
        (_, args) => args.iter().all(|arg| is_modest(arg)),
    };
    foldable.then(|| apply(fun, &values))
}

/// Whether the value is small enough to compute with while building.
pub(crate) fn is_modest(value: &Value) -> bool {
    let mut cells = MAX_CELLS;
    fits(value, &mut cells)
}

/// Whether the value is modest, when its arrays have at most `cells` cells together.
fn fits(value: &Value, cells: &mut usize) -> bool {
    match value {
        Value::Bool(_) => true,
        Value::BitVec(bits) => u64::from(bits.width()) <= MAX_BITS,
        Value::Int(value) => value.bits() <= MAX_BITS,
        Value::Real(value) => value.numer().bits() <= MAX_RATIONAL_BITS && value.denom().bits() <= MAX_RATIONAL_BITS,
        Value::Array(array) => {
            let Some(left) = cells.checked_sub(array.cells().len()) else { return false };
            *cells = left;
            fits(array.default(), cells) && array.cells().all(|(i, e)| fits(i, cells) && fits(e, cells))
        }
    }
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
    let mut sorted = kept.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let clash = sorted.iter().any(|a| negated(terms, *a).is_some_and(|inner| sorted.binary_search(&inner).is_ok()));
    if clash {
        return Some(terms.bool(absorbing));
    }
    if sorted.len() < kept.len() {
        // Keep the first of each and the caller's order, which is often the readable one.
        let mut new: SmallVec<[bool; 8]> = SmallVec::from_elem(true, sorted.len());
        kept.retain(|arg| sorted.binary_search(arg).is_ok_and(|at| std::mem::replace(&mut new[at], false)));
    }
    match kept.as_slice() {
        [] => Some(terms.bool(!absorbing)),
        [only] => Some(*only),
        _ if kept.len() == args.len() => None,
        _ => Some(terms.app(if absorbing { Fun::Or } else { Fun::And }, &kept)),
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
    if terms.value(a).is_some() && terms.value(b).is_some() {
        return Some(terms.bool(false));
    }
    if *terms.sort(a) != Sort::Bool {
        return shifted_equality(terms, a, b);
    }
    if complementary(terms, a, b) {
        return Some(terms.bool(false));
    }
    let (constant, other) = if terms.value(a).is_some() { (a, b) } else { (b, a) };
    let keep = terms.value(constant)?.as_bool();
    Some(if keep { other } else { terms.not(other) })
}

/// A sum or a difference with a constant: the function, the other term, the constant.
fn shifted(terms: &Terms, a: Term) -> Option<(Fun, Term, Term)> {
    let Node::App(fun, args) = terms.node(a) else { return None };
    let constant = |at: usize| terms.value(args[at]).is_some();
    match fun {
        Fun::Add | Fun::BvAdd if constant(1) => Some((fun.clone(), args[0], args[1])),
        Fun::Add | Fun::BvAdd if constant(0) => Some((fun.clone(), args[1], args[0])),
        Fun::Sub | Fun::BvSub if constant(1) => Some((fun.clone(), args[0], args[1])),
        _ => None,
    }
}

/// `x + c = y + c` and `x + c = d`, and the same of differences: nothing is lost, since adding a
/// constant can be undone.
fn shifted_equality(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if let (Some((f, x, c)), Some((g, y, d))) = (shifted(terms, a), shifted(terms, b)) {
        return (f == g && c == d).then(|| terms.eq(x, y));
    }
    let (sum, number) = if terms.value(a).is_some() { (b, a) } else { (a, b) };
    terms.value(number)?;
    let (fun, x, c) = shifted(terms, sum)?;
    let value = terms.app(undone(&fun), &[number, c]);
    // What is too long to compute with stays as it is.
    terms.value(value).is_some().then(|| terms.eq(x, value))
}

/// What takes back a sum or a difference.
fn undone(fun: &Fun) -> Fun {
    match fun {
        Fun::Add => Fun::Sub,
        Fun::BvAdd => Fun::BvSub,
        Fun::BvSub => Fun::BvAdd,
        _ => Fun::Add,
    }
}

/// Two constants added, or subtracted, one after the other.
fn shifted_twice(terms: &mut Terms, fun: &Fun, a: Term, c: Term) -> Option<Term> {
    let (inner, x, d) = shifted(terms, a)?;
    if inner == undone(fun) {
        return (c == d).then_some(x);
    }
    let sum = if matches!(fun, Fun::Add | Fun::Sub) { Fun::Add } else { Fun::BvAdd };
    let both = terms.app(sum, &[c, d]);
    (inner == *fun && terms.value(both).is_some()).then(|| terms.app(fun.clone(), &[x, both]))
}

fn choice(terms: &mut Terms, mut condition: Term, mut then: Term, mut otherwise: Term) -> Option<Term> {
    if let Some(value) = terms.value(condition) {
        return Some(if value.as_bool() { then } else { otherwise });
    }
    if then == otherwise {
        return Some(then);
    }
    if negated(terms, condition).is_some() {
        // A loop, because only simplified terms are free of double negations.
        while let Some(inner) = negated(terms, condition) {
            (condition, then, otherwise) = (inner, otherwise, then);
        }
        return Some(terms.ite(condition, then, otherwise));
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
    terms.value(c)?;
    let (zero, ones) = (is_number(terms, c, 0), is_ones(terms, c));
    match fun {
        Fun::BvAnd if zero => Some(c),
        Fun::BvAnd if ones => Some(x),
        Fun::BvOr if zero => Some(x),
        Fun::BvOr if ones => Some(c),
        Fun::BvXor | Fun::BvAdd | Fun::BvSub if zero => Some(x),
        Fun::BvAdd | Fun::BvSub => shifted_twice(terms, fun, x, c),
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
    terms.value(c)?;
    match fun {
        Fun::Add | Fun::Sub if is_number(terms, c, 0) => Some(x),
        Fun::Add | Fun::Sub => shifted_twice(terms, fun, x, c),
        Fun::Mul if is_number(terms, c, 0) => Some(c),
        Fun::Mul if is_number(terms, c, 1) => Some(x),
        _ => None,
    }
}

/// Reading what was written, below writes at other constant indices.
fn read(terms: &mut Terms, array: Term, index: Term) -> Option<Term> {
    let constant = terms.value(index).is_some();
    let mut below = array;
    for _ in 0..MAX_WRITES {
        let Node::App(fun, args) = terms.node(below) else { break };
        match fun {
            Fun::ConstArray(_) => return Some(args[0]),
            Fun::Store if args[1] == index => return Some(args[2]),
            // Distinct constant terms are distinct values.
            Fun::Store if constant && terms.value(args[1]).is_some() => below = args[0],
            _ => break,
        }
    }
    if below == array {
        return None;
    }
    Some(match fold(terms, &Fun::Select, &[below, index]) {
        Some(value) => terms.constant(value),
        None => terms.raw_app(Fun::Select, &[below, index]).expect("the sorts of the outer read"),
    })
}

/// Writing over writes to the same cell, or writing back what was read.
fn write(terms: &mut Terms, array: Term, index: Term, element: Term) -> Option<Term> {
    if let Node::App(Fun::Select, args) = terms.node(element)
        && args[0] == array
        && args[1] == index
    {
        return Some(array);
    }
    let mut below = array;
    // A loop, because only simplified terms are free of repeated writes.
    while let Node::App(Fun::Store, args) = terms.node(below)
        && args[1] == index
    {
        below = args[0];
    }
    (below != array).then(|| terms.store(below, index, element))
}
