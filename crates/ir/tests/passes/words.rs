//! Random terms over words.

use tamis_term::{Fun, Sort, Term, Terms, Value};

/// Functions that make a word of two words of one width.
const BINARY: &[Fun] = &[
    Fun::BvAdd,
    Fun::BvSub,
    Fun::BvMul,
    Fun::BvUdiv,
    Fun::BvUrem,
    Fun::BvSdiv,
    Fun::BvSrem,
    Fun::BvSmod,
    Fun::BvAnd,
    Fun::BvOr,
    Fun::BvXor,
    Fun::BvShl,
    Fun::BvLshr,
    Fun::BvAshr,
];

/// A constant of the width.
pub fn constant(rng: &mut fastrand::Rng, terms: &mut Terms, width: u32) -> Term {
    terms.constant(Value::bv(width, rng.u64(..)))
}

/// A random comparison.
pub fn comparison(rng: &mut fastrand::Rng, terms: &mut Terms, a: Term, b: Term) -> Term {
    let funs = [Fun::Eq, Fun::BvUlt, Fun::BvUle, Fun::BvSlt, Fun::BvSle];
    let fun = funs[rng.usize(..funs.len())].clone();
    terms.app(fun, &[a, b])
}

/// A random function of two words of one width, of that width.
pub fn function(rng: &mut fastrand::Rng, terms: &mut Terms, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    match rng.u8(..12) {
        0 => terms.app(Fun::BvNot, &[a]),
        1 => terms.app(Fun::BvNeg, &[a]),
        2 => {
            let condition = comparison(rng, terms, a, b);
            let c = constant(rng, terms, width);
            terms.ite(condition, c, b)
        }
        3 => {
            let (low, by) = (rng.u32(..width), rng.u32(1..4));
            let part = terms.extract(a, width - 1, low);
            let long = if rng.bool() { terms.sign_extend(part, low + by) } else { terms.zero_extend(part, low + by) };
            let sum = if rng.bool() {
                let other = terms.zero_extend(b, by);
                terms.bvadd(long, other)
            } else {
                long
            };
            terms.extract(sum, width - 1, 0)
        }
        4 => {
            let both = terms.concat(a, b);
            let low = rng.u32(..=width);
            terms.extract(both, low + width - 1, low)
        }
        // Mostly with a constant, because few functions of two unknown words are linear.
        5 | 6 => {
            let fun = BINARY[rng.usize(..BINARY.len())].clone();
            terms.app(fun, &[a, b])
        }
        7 | 8 => {
            let fun = BINARY[rng.usize(..8)].clone();
            terms.app(fun, &[a, b])
        }
        _ => {
            let fun = BINARY[rng.usize(..BINARY.len())].clone();
            let c = constant(rng, terms, width);
            terms.app(fun, &[a, c])
        }
    }
}

/// A random word of the width over some words of that width.
pub fn word(rng: &mut fastrand::Rng, terms: &mut Terms, leaves: &[Term], depth: u32) -> Term {
    if depth == 0 {
        return leaves[rng.usize(..leaves.len())];
    }
    let less = rng.u32(..depth);
    let (a, b) = (word(rng, terms, leaves, depth - 1), word(rng, terms, leaves, less));
    function(rng, terms, a, b)
}

/// A random integer term over some integers.
pub fn integer(rng: &mut fastrand::Rng, terms: &mut Terms, leaves: &[Term], depth: u32) -> Term {
    if depth == 0 || rng.u8(..6) == 0 {
        return match rng.u8(..4) {
            0 => terms.int(rng.i64(-9..10)),
            1 => terms.int(rng.i64(-300..300)),
            _ => leaves[rng.usize(..leaves.len())],
        };
    }
    let (a, b) = (integer(rng, terms, leaves, depth - 1), integer(rng, terms, leaves, depth - 1));
    let funs = [Fun::Add, Fun::Sub, Fun::Mul, Fun::IntDiv, Fun::IntMod, Fun::Add, Fun::Sub];
    match rng.u8(..11) {
        0 => terms.app(Fun::Neg, &[a]),
        1 => {
            let (condition, c) = (formula(rng, terms, leaves, depth - 1), integer(rng, terms, leaves, 0));
            terms.ite(condition, c, b)
        }
        2 => {
            let power = terms.int(1 << rng.u32(..6));
            terms.app(if rng.bool() { Fun::IntDiv } else { Fun::IntMod }, &[a, power])
        }
        _ => {
            let fun = funs[rng.usize(..funs.len())].clone();
            terms.app(fun, &[a, b])
        }
    }
}

/// A random formula over some integers.
pub fn formula(rng: &mut fastrand::Rng, terms: &mut Terms, leaves: &[Term], depth: u32) -> Term {
    if depth > 0 && rng.u8(..3) == 0 {
        let (a, b) = (formula(rng, terms, leaves, depth - 1), formula(rng, terms, leaves, depth - 1));
        return match rng.u8(..3) {
            0 => terms.not(a),
            1 => terms.and(&[a, b]),
            _ => terms.or(&[a, b]),
        };
    }
    let (a, b) = (integer(rng, terms, leaves, depth), integer(rng, terms, leaves, depth));
    let funs = [Fun::Eq, Fun::Lt, Fun::Le];
    let fun = funs[rng.usize(..funs.len())].clone();
    terms.app(fun, &[a, b])
}

/// A random value of a sort.
pub fn value(rng: &mut fastrand::Rng, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.bool()),
        Sort::BitVec(width) => {
            Value::bv(*width, if rng.u8(..3) == 0 { rng.u64(..3).wrapping_sub(1) } else { rng.u64(..) })
        }
        Sort::Int => Value::int(rng.i64(-300..300)),
        Sort::Real | Sort::Array(_) => Value::default_of(sort),
    }
}
