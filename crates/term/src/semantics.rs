//! What each function symbol means: the one definition that constant folding,
//! evaluation and the interpreter share.

use crate::bitvec::BitVec;
use crate::fun::Fun;
use crate::value::{ArrayValue, Value};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// Applies `fun` to values of the sorts that it takes. Total, as in SMT-LIB; where SMT-LIB
/// leaves a value open (integer and real division by zero), [`Fun`] names our choice.
///
/// # Panics
/// If the arguments have other sorts.
#[must_use]
pub fn apply(fun: &Fun, args: &[&Value]) -> Value {
    use Value::{Array, Bool, Int, Real};
    let bv = |i: usize| args[i].as_bv();
    let word = |value: BitVec| Value::BitVec(value);
    match fun {
        Fun::Not => Bool(!args[0].as_bool()),
        Fun::And => Bool(args.iter().all(|a| a.as_bool())),
        Fun::Or => Bool(args.iter().any(|a| a.as_bool())),
        Fun::Xor => Bool(args[0].as_bool() != args[1].as_bool()),
        Fun::Ite => (if args[0].as_bool() { args[1] } else { args[2] }).clone(),
        Fun::Eq => Bool(args[0] == args[1]),
        Fun::BvNot => word(bv(0).not()),
        Fun::BvNeg => word(bv(0).neg()),
        Fun::BvAnd => word(bv(0).and(bv(1))),
        Fun::BvOr => word(bv(0).or(bv(1))),
        Fun::BvXor => word(bv(0).xor(bv(1))),
        Fun::BvAdd => word(bv(0).add(bv(1))),
        Fun::BvSub => word(bv(0).sub(bv(1))),
        Fun::BvMul => word(bv(0).mul(bv(1))),
        Fun::BvUdiv => word(bv(0).udiv(bv(1))),
        Fun::BvUrem => word(bv(0).urem(bv(1))),
        Fun::BvSdiv => word(bv(0).sdiv(bv(1))),
        Fun::BvSrem => word(bv(0).srem(bv(1))),
        Fun::BvSmod => word(bv(0).smod(bv(1))),
        Fun::BvShl => word(bv(0).shl(bv(1))),
        Fun::BvLshr => word(bv(0).lshr(bv(1))),
        Fun::BvAshr => word(bv(0).ashr(bv(1))),
        Fun::BvUlt => Bool(bv(0).ult(bv(1))),
        Fun::BvUle => Bool(!bv(1).ult(bv(0))),
        Fun::BvSlt => Bool(bv(0).slt(bv(1))),
        Fun::BvSle => Bool(!bv(1).slt(bv(0))),
        Fun::Concat => word(bv(0).concat(bv(1))),
        Fun::Extract { high, low } => word(bv(0).extract(*high, *low)),
        Fun::ZeroExtend(by) => word(bv(0).zero_extend(*by)),
        Fun::SignExtend(by) => word(bv(0).sign_extend(*by)),
        Fun::Neg => arith(args[0], args[0], |a, _| -a, |a, _| -a),
        Fun::Add => arith(args[0], args[1], |a, b| a + b, |a, b| a + b),
        Fun::Sub => arith(args[0], args[1], |a, b| a - b, |a, b| a - b),
        Fun::Mul => arith(args[0], args[1], |a, b| a * b, |a, b| a * b),
        Fun::Lt => Bool(args[0] < args[1]),
        Fun::Le => Bool(args[0] <= args[1]),
        Fun::IntDiv => Int(Box::new(euclid(args[0].as_int(), args[1].as_int()).0)),
        Fun::IntMod => Int(Box::new(euclid(args[0].as_int(), args[1].as_int()).1)),
        Fun::RealDiv => {
            let (a, b) = (args[0].as_real(), args[1].as_real());
            Real(Box::new(if b.is_zero() { BigRational::zero() } else { a / b }))
        }
        Fun::ToReal => Real(Box::new(BigRational::from_integer(args[0].as_int().clone()))),
        Fun::ToInt => Int(Box::new(args[0].as_real().floor().to_integer())),
        Fun::IsInt => Bool(args[0].as_real().is_integer()),
        Fun::UbvToInt => Int(Box::new(BigInt::from_biguint(Sign::Plus, bv(0).to_big()))),
        Fun::SbvToInt => Int(Box::new(bv(0).to_signed())),
        Fun::IntToBv(width) => word(BitVec::from_int(*width, args[0].as_int())),
        Fun::Select => args[0].as_array().select(args[1]).clone(),
        Fun::Store => Array(Box::new(args[0].as_array().clone().store(args[1].clone(), args[2].clone()))),
        Fun::ConstArray(sort) => Array(Box::new(ArrayValue::constant(sort.clone(), args[0].clone()))),
    }
}

/// An operation that exists on integers and on rationals.
fn arith(
    a: &Value,
    b: &Value,
    int: fn(&BigInt, &BigInt) -> BigInt,
    real: fn(&BigRational, &BigRational) -> BigRational,
) -> Value {
    match a {
        Value::Int(x) => Value::Int(Box::new(int(x, b.as_int()))),
        Value::Real(x) => Value::Real(Box::new(real(x, b.as_real()))),
        Value::Bool(_) | Value::BitVec(_) | Value::Array(_) => panic!("a number, not {a:?}"),
    }
}

/// Boute's Euclidean division, as SMT-LIB defines `div` and `mod`; `(0, a)` if `b` is zero.
fn euclid(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    if b.is_zero() {
        return (BigInt::zero(), a.clone());
    }
    let rest = a.mod_floor(&b.abs());
    ((a - &rest) / b, rest)
}
