//! Values of scalar types as bit-vector terms: constants, conversions, arithmetic.
//!
//! A value has the width of its type; `_Bool` is one bit. Floating-point values are their bits
//! (IEEE 754); moving, negating and comparing them is exact, the rest is not modelled.

use crate::c::leaves::value_bits;
use crate::c::tree::BinaryOp;
use crate::c::types::{FloatKind, Ty, Type, Types};
use num_bigint::BigInt;
use tamis_term::{BitVec, Fun, Term, Terms, Value};

/// The number modulo the width.
pub(super) fn number(terms: &mut Terms, width: u32, value: i128) -> Term {
    terms.constant(Value::BitVec(BitVec::from_int(width, &BigInt::from(value))))
}

/// A floating-point constant; `None` for `long double`, whose bits a double does not tell.
pub(super) fn float(terms: &mut Terms, kind: FloatKind, value: f64) -> Option<Term> {
    match kind {
        #[allow(clippy::cast_possible_truncation, reason = "C rounds in the same way")]
        FloatKind::Float => Some(terms.bv(32, u64::from((value as f32).to_bits()))),
        FloatKind::Double => Some(terms.bv(64, value.to_bits())),
        FloatKind::LongDouble => None,
    }
}

/// The lowest bits, or more bits in front.
pub(super) fn resize(terms: &mut Terms, term: Term, width: u32, signed: bool) -> Term {
    let old = terms.width(term);
    match width.cmp(&old) {
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Less => terms.extract(term, width - 1, 0),
        std::cmp::Ordering::Greater if signed => terms.sign_extend(term, width - old),
        std::cmp::Ordering::Greater => terms.zero_extend(term, width - old),
    }
}

/// Whether a value differs from zero.
pub(super) fn truth(terms: &mut Terms, types: &Types, term: Term, ty: Ty) -> Term {
    let width = terms.width(term);
    let magnitude = if types.is_float(ty) { terms.extract(term, width - 2, 0) } else { term };
    let zero = number(terms, terms.width(magnitude), 0);
    terms.distinct(magnitude, zero)
}

/// One or zero.
pub(super) fn from_bool(terms: &mut Terms, width: u32, condition: Term) -> Term {
    let (one, zero) = (number(terms, width, 1), number(terms, width, 0));
    terms.ite(condition, one, zero)
}

/// A value in another scalar type; `None` if that needs floating-point arithmetic.
pub(super) fn convert(terms: &mut Terms, types: &Types, term: Term, from: Ty, to: Ty) -> Option<Term> {
    if from == to {
        return Some(term);
    }
    let (is_float, was_float) = (types.is_float(to), types.is_float(from));
    if matches!(types.get(to), Type::Bool) {
        let condition = truth(terms, types, term, from);
        return Some(from_bool(terms, 1, condition));
    }
    if is_float || was_float {
        return None;
    }
    let signed = types.scalar(from).is_some_and(|(_, signed)| signed);
    Some(resize(terms, term, value_bits(types, to), signed))
}

/// An operation on two integers of one type; of a shift, the right operand may have another one.
/// Comparisons are not here. Shifts by too much use the lowest bits of the distance, as x86 does.
pub(super) fn arithmetic(terms: &mut Terms, op: BinaryOp, left: Term, right: Term, signed: bool) -> Term {
    let width = terms.width(left);
    let right = match op {
        BinaryOp::Shl | BinaryOp::Shr => {
            let distance = resize(terms, right, width, false);
            let mask = number(terms, width, i128::from(width.next_power_of_two()) - 1);
            terms.bvand(distance, mask)
        }
        _ => right,
    };
    let fun = match (op, signed) {
        (BinaryOp::Mul, _) => Fun::BvMul,
        (BinaryOp::Div, true) => Fun::BvSdiv,
        (BinaryOp::Div, false) => Fun::BvUdiv,
        (BinaryOp::Rem, true) => Fun::BvSrem,
        (BinaryOp::Rem, false) => Fun::BvUrem,
        (BinaryOp::Add, _) => Fun::BvAdd,
        (BinaryOp::Sub, _) => Fun::BvSub,
        (BinaryOp::Shl, _) => Fun::BvShl,
        (BinaryOp::Shr, true) => Fun::BvAshr,
        (BinaryOp::Shr, false) => Fun::BvLshr,
        (BinaryOp::BitAnd, _) => Fun::BvAnd,
        (BinaryOp::BitXor, _) => Fun::BvXor,
        (BinaryOp::BitOr, _) => Fun::BvOr,
        (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne, _) => {
            unreachable!("comparisons have their own function")
        }
    };
    terms.app(fun, &[left, right])
}

/// An unsigned operation as it was meant: a negative constant is large where it meets an unsigned
/// number, and adding it takes something away.
pub(super) fn as_written(terms: &mut Terms, op: BinaryOp, left: Term, right: Term) -> (BinaryOp, Term, Term) {
    let is_negative =
        |terms: &Terms, term| matches!(terms.value(term), Some(Value::BitVec(word)) if word.bit(word.width() - 1));
    let zero = number(terms, terms.width(left), 0);
    let negated = |terms: &mut Terms, term| arithmetic(terms, BinaryOp::Sub, zero, term, false);
    match op {
        BinaryOp::Add if is_negative(terms, right) => (BinaryOp::Sub, left, negated(terms, right)),
        BinaryOp::Add if is_negative(terms, left) => (BinaryOp::Sub, right, negated(terms, left)),
        BinaryOp::Sub if is_negative(terms, right) => (BinaryOp::Add, left, negated(terms, right)),
        _ => (op, left, right),
    }
}

/// Whether an operation leaves the range of its type.
pub(super) fn overflows(terms: &mut Terms, op: BinaryOp, left: Term, right: Term, signed: bool) -> Option<Term> {
    let width = terms.width(left);
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
            let wide = if op == BinaryOp::Mul { 2 * width } else { width + 1 };
            let (a, b) = (resize(terms, left, wide, signed), resize(terms, right, wide, signed));
            let exact = arithmetic(terms, op, a, b, signed);
            let wrapped = arithmetic(terms, op, left, right, signed);
            let wrapped = resize(terms, wrapped, wide, signed);
            Some(terms.distinct(exact, wrapped))
        }
        BinaryOp::Div | BinaryOp::Rem if signed => {
            let (least, minus_one) = (number(terms, width, 1 << (width - 1)), number(terms, width, -1));
            let (a, b) = (terms.eq(left, least), terms.eq(right, minus_one));
            Some(terms.and(&[a, b]))
        }
        _ => None,
    }
}

/// A comparison of two values of one type.
pub(super) fn compare(terms: &mut Terms, types: &Types, op: BinaryOp, left: Term, right: Term, ty: Ty) -> Term {
    let (op, left, right) = match op {
        BinaryOp::Gt => (BinaryOp::Lt, right, left),
        BinaryOp::Ge => (BinaryOp::Le, right, left),
        other => (other, left, right),
    };
    if types.is_float(ty) {
        return compare_floats(terms, op, left, right);
    }
    let signed = types.scalar(ty).is_some_and(|(_, signed)| signed);
    match op {
        BinaryOp::Eq => terms.eq(left, right),
        BinaryOp::Ne => terms.distinct(left, right),
        BinaryOp::Lt if signed => terms.bvslt(left, right),
        BinaryOp::Lt => terms.bvult(left, right),
        _ if signed => terms.bvsle(left, right),
        _ => terms.bvule(left, right),
    }
}

/// IEEE 754's comparison: zeros are equal, and what is no number compares with nothing.
fn compare_floats(terms: &mut Terms, op: BinaryOp, left: Term, right: Term) -> Term {
    let width = terms.width(left);
    let exponent_bits = if width == 32 { 8 } else { 11 };
    let infinity = ((1_i128 << exponent_bits) - 1) << (width - 1 - exponent_bits);
    let infinity = number(terms, width - 1, infinity);
    let zero = number(terms, width - 1, 0);
    let mut part = |float: Term| {
        let magnitude = terms.extract(float, width - 2, 0);
        let sign = terms.extract(float, width - 1, width - 1);
        let one = terms.bv(1, 1);
        (magnitude, terms.eq(sign, one))
    };
    let ((a, a_negative), (b, b_negative)) = (part(left), part(right));
    let (a_number, b_number) = (terms.bvule(a, infinity), terms.bvule(b, infinity));
    let (a_zero, b_zero) = (terms.eq(a, zero), terms.eq(b, zero));
    let zeros = terms.and(&[a_zero, b_zero]);
    let same = terms.eq(left, right);
    let equal = terms.or(&[same, zeros]);
    let ordered = terms.and(&[a_number, b_number]);
    match op {
        BinaryOp::Eq => terms.and(&[ordered, equal]),
        BinaryOp::Ne => {
            let equal = terms.and(&[ordered, equal]);
            terms.not(equal)
        }
        _ => {
            let (up, down) = (terms.bvult(a, b), terms.bvult(b, a));
            let same_sign = terms.ite(a_negative, down, up);
            let signs = terms.xor(a_negative, b_negative);
            let less = terms.ite(signs, a_negative, same_sign);
            let not_zeros = terms.not(zeros);
            let less = terms.and(&[less, not_zeros]);
            let holds = if op == BinaryOp::Lt { less } else { terms.or(&[less, equal]) };
            terms.and(&[ordered, holds])
        }
    }
}
