//! Exact integers as bit-vectors: a [`Number`] is a term together with the range of its
//! values, so that every operation can choose a width at which nothing wraps around.
//!
//! A term whose least value is negative is read in two's complement, any other as an
//! unsigned number. A term may be wider than its range needs.

use num_bigint::{BigInt, Sign};
use tamis_term::{BitVec, Fun, Node, Term, Terms, Value};

/// No expression has more bits: a bound on the work for one operation.
pub const MAX_BITS: u32 = 4096;

/// How far a truncation looks into the term for a narrower one.
const TRUNCATION_DEPTH: u32 = 16;

/// An expression needs more than [`MAX_BITS`] bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooWide;

/// A value of exact integer arithmetic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// A bit-vector.
    pub term: Term,
    /// The least value that it may have.
    pub low: BigInt,
    /// The greatest value that it may have.
    pub high: BigInt,
}

/// `2^bits`
pub fn power(bits: u32) -> BigInt {
    BigInt::from(1) << bits
}

/// How many bits hold all values from `low` to `high`, in two's complement if some are negative.
fn bits_for(low: &BigInt, high: &BigInt) -> u64 {
    if low.sign() == Sign::Minus {
        // -2^k needs as many bits as 2^k - 1, and one for the sign.
        let below: BigInt = -low - 1;
        below.bits().max(high.bits()) + 1
    } else {
        high.bits().max(1)
    }
}

fn width_for(low: &BigInt, high: &BigInt) -> Result<u32, TooWide> {
    u32::try_from(bits_for(low, high)).ok().filter(|width| *width <= MAX_BITS).ok_or(TooWide)
}

fn negative(value: &BigInt) -> bool {
    value.sign() == Sign::Minus
}

/// Rounds towards zero when `a` and `b` are not negative.
fn shift_right(a: &BigInt, b: &BigInt) -> BigInt {
    // Shifting by more bits than there are changes nothing any more.
    let distance = u64::try_from(b).unwrap_or(u64::MAX).min(a.bits() + 1);
    a >> distance
}

fn constant_term(terms: &mut Terms, width: u32, value: &BigInt) -> Term {
    terms.constant(Value::BitVec(BitVec::from_int(width, value)))
}

/// The low bits of a term. Looks through extensions and through operations whose low bits
/// depend on low bits only, so that `(x + y) & 255` on bytes is an addition of bytes.
fn truncate(terms: &mut Terms, term: Term, width: u32, depth: u32) -> Term {
    let own = terms.width(term);
    if own == width {
        return term;
    }
    if let Some(value) = terms.value(term) {
        let low = value.as_bv().extract(width - 1, 0);
        return terms.constant(Value::BitVec(low));
    }
    if let Node::App(fun, args) = terms.node(term)
        && depth > 0
    {
        let (fun, args) = (fun.clone(), args.clone());
        if matches!(fun, Fun::ZeroExtend(_) | Fun::SignExtend(_)) {
            let inner = terms.width(args[0]);
            if inner >= width {
                return truncate(terms, args[0], width, depth - 1);
            }
            let by = width - inner;
            return if matches!(fun, Fun::ZeroExtend(_)) {
                terms.zero_extend(args[0], by)
            } else {
                terms.sign_extend(args[0], by)
            };
        }
        let modular = [Fun::BvAdd, Fun::BvSub, Fun::BvMul, Fun::BvAnd, Fun::BvOr, Fun::BvXor];
        if modular.contains(&fun) {
            let (a, b) = (truncate(terms, args[0], width, depth - 1), truncate(terms, args[1], width, depth - 1));
            return terms.app(fun, &[a, b]);
        }
    }
    terms.extract(term, width - 1, 0)
}

impl Number {
    /// The number that is always `value`.
    pub fn constant(terms: &mut Terms, value: BigInt) -> Result<Number, TooWide> {
        let term = constant_term(terms, width_for(&value, &value)?, &value);
        Ok(Number { term, low: value.clone(), high: value })
    }

    /// An unsigned bit-vector of which all values up to `high` may occur.
    pub fn unsigned(term: Term, high: BigInt) -> Number {
        Number { term, low: BigInt::from(0), high }
    }

    /// The value, if there is only one.
    pub fn value(&self) -> Option<&BigInt> {
        (self.low == self.high).then_some(&self.low)
    }

    /// Whether a value may be negative.
    fn signed(&self) -> bool {
        negative(&self.low)
    }

    /// The number modulo `2^width`: the number itself if its range fits that width.
    pub fn at(&self, terms: &mut Terms, width: u32) -> Term {
        let own = terms.width(self.term);
        if own >= width {
            truncate(terms, self.term, width, TRUNCATION_DEPTH)
        } else if let Some(value) = self.value() {
            constant_term(terms, width, value)
        } else if self.signed() {
            terms.sign_extend(self.term, width - own)
        } else {
            terms.zero_extend(self.term, width - own)
        }
    }

    /// Builds the result of an operation with the given range; `build` gets the operands at
    /// a width that holds the result.
    fn modular(
        terms: &mut Terms,
        (a, b): (&Number, &Number),
        (low, high): (BigInt, BigInt),
        build: fn(&mut Terms, Term, Term) -> Term,
    ) -> Result<Number, TooWide> {
        if low == high {
            return Number::constant(terms, low);
        }
        let width = width_for(&low, &high)?;
        let (x, y) = (a.at(terms, width), b.at(terms, width));
        Ok(Number { term: build(terms, x, y), low, high })
    }

    /// `self + other`
    pub fn add(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let range = (&self.low + &other.low, &self.high + &other.high);
        Number::modular(terms, (self, other), range, Terms::bvadd)
    }

    /// `self - other`
    pub fn sub(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let range = (&self.low - &other.high, &self.high - &other.low);
        Number::modular(terms, (self, other), range, Terms::bvsub)
    }

    /// `self * other`
    pub fn mul(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let corners =
            [&self.low * &other.low, &self.low * &other.high, &self.high * &other.low, &self.high * &other.high];
        let low = corners.iter().min().cloned().unwrap_or_default();
        let high = corners.into_iter().max().unwrap_or_default();
        Number::modular(terms, (self, other), (low, high), Terms::bvmul)
    }

    /// `self / other`, rounded towards zero; any value where `other` is zero.
    pub fn div(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let zero = BigInt::from(0);
        if self.signed() || other.signed() {
            let most = (-&self.low).max(self.high.clone()).max(zero);
            let (low, high) = (-&most, most);
            let width = width_for((&low).min(&other.low), (&high).max(&other.high))?;
            let (x, y) = (self.at(terms, width), other.at(terms, width));
            return Ok(Number { term: terms.bvsdiv(x, y), low, high });
        }
        if other.high == zero {
            return Number::constant(terms, zero);
        }
        let low = &self.low / &other.high;
        let high = &self.high / other.low.clone().max(BigInt::from(1));
        if low == high {
            return Number::constant(terms, low);
        }
        let (x, y) = Number::level(terms, self, other)?;
        Ok(Number { term: terms.bvudiv(x, y), low, high })
    }

    /// `self - (self / other) * other` for numbers that are not negative; any value where
    /// `other` is zero. `None` for other numbers.
    pub fn remainder(&self, terms: &mut Terms, other: &Number) -> Option<Number> {
        if self.signed() || other.signed() {
            return None;
        }
        let below: BigInt = &other.high - 1;
        let high = below.min(self.high.clone()).max(BigInt::from(0));
        let (x, y) = Number::level(terms, self, other).ok()?;
        Some(Number { term: terms.bvurem(x, y), low: BigInt::from(0), high })
    }

    /// Both numbers, which are not negative, at one width that holds their values.
    fn level(terms: &mut Terms, a: &Number, b: &Number) -> Result<(Term, Term), TooWide> {
        let width = width_for(&BigInt::from(0), (&a.high).max(&b.high))?;
        Ok((a.at(terms, width), b.at(terms, width)))
    }

    /// `self * 2^other`; any value where `other` is negative.
    pub fn shift_left(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let zero = BigInt::from(0);
        if other.high.sign() == Sign::Minus || self.value() == Some(&zero) {
            return Number::constant(terms, zero);
        }
        let most = u32::try_from(&other.high).ok().filter(|most| *most < MAX_BITS).ok_or(TooWide)?;
        let least = u32::try_from(&other.low).unwrap_or(0);
        let low = if negative(&self.low) { &self.low << most } else { &self.low << least };
        let high = if negative(&self.high) { &self.high << least } else { &self.high << most };
        Number::modular(terms, (self, other), (low, high), Terms::bvshl)
    }

    /// `self / 2^other`, rounded down; any value where `other` is negative.
    pub fn shift_right(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let zero = BigInt::from(0);
        let (near, far) = ((&other.low).max(&zero), (&other.high).max(&zero));
        let low = shift_right(&self.low, if negative(&self.low) { near } else { far });
        let high = shift_right(&self.high, if negative(&self.high) { far } else { near });
        if low == high {
            return Number::constant(terms, low);
        }
        // The distance is read as unsigned; it has a bit more where it may be negative.
        let bits = bits_for(&self.low, &self.high).max(bits_for(&other.low, &other.high));
        let width = u32::try_from(bits).ok().filter(|width| *width <= MAX_BITS).ok_or(TooWide)?;
        let (x, y) = (self.at(terms, width), other.at(terms, width));
        let term = if self.signed() { terms.bvashr(x, y) } else { terms.bvlshr(x, y) };
        Ok(Number { term, low, high })
    }

    /// The least range that a bitwise operation can leave when operands are negative.
    fn around(a: &Number, b: &Number) -> Result<(BigInt, BigInt), TooWide> {
        let low = (&a.low).min(&b.low);
        let high = (&a.high).max(&b.high);
        let width = width_for(low, high)?;
        Ok(if negative(low) { (-power(width - 1), power(width - 1) - 1) } else { (BigInt::from(0), power(width) - 1) })
    }

    /// `self & other`, as if both had infinitely many bits.
    pub fn and(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let zero = BigInt::from(0);
        let range = match (self.signed(), other.signed()) {
            (false, false) => (zero, (&self.high).min(&other.high).clone()),
            (false, true) => (zero, self.high.clone()),
            (true, false) => (zero, other.high.clone()),
            (true, true) => Number::around(self, other)?,
        };
        Number::modular(terms, (self, other), range, Terms::bvand)
    }

    /// `self | other`
    pub fn or(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let range = Number::around(self, other)?;
        Number::modular(terms, (self, other), range, Terms::bvor)
    }

    /// `self ^ other`
    pub fn xor(&self, terms: &mut Terms, other: &Number) -> Result<Number, TooWide> {
        let range = Number::around(self, other)?;
        Number::modular(terms, (self, other), range, Terms::bvxor)
    }

    /// Both numbers at one width, and whether they are to be compared as signed ones.
    fn comparable(&self, terms: &mut Terms, other: &Number) -> (Term, Term, bool) {
        let (low, high) = ((&self.low).min(&other.low), (&self.high).max(&other.high));
        // Both ranges fit MAX_BITS bits each, so their union needs at most one bit more.
        let needed = u32::try_from(bits_for(low, high)).unwrap_or(MAX_BITS + 1);
        let own = |terms: &Terms, number: &Number| number.value().map_or_else(|| terms.width(number.term), |_| 1);
        let width = needed.max(own(terms, self)).max(own(terms, other));
        (self.at(terms, width), other.at(terms, width), negative(low))
    }

    /// `self == other`
    pub fn eq(&self, terms: &mut Terms, other: &Number) -> Term {
        if self.high < other.low || other.high < self.low {
            return terms.bool(false);
        }
        let (x, y, _) = self.comparable(terms, other);
        terms.eq(x, y)
    }

    /// `self == value`
    pub fn eq_value(&self, terms: &mut Terms, value: &BigInt) -> Term {
        if *value < self.low || self.high < *value {
            return terms.bool(false);
        }
        let constant = constant_term(terms, terms.width(self.term), value);
        terms.eq(self.term, constant)
    }

    /// `self < other`
    pub fn less(&self, terms: &mut Terms, other: &Number) -> Term {
        if self.high < other.low || self.low >= other.high {
            return terms.bool(self.high < other.low);
        }
        let (x, y, signed) = self.comparable(terms, other);
        if signed { terms.bvslt(x, y) } else { terms.bvult(x, y) }
    }

    /// `self <= other`
    pub fn less_equal(&self, terms: &mut Terms, other: &Number) -> Term {
        if self.high <= other.low || self.low > other.high {
            return terms.bool(self.high <= other.low);
        }
        let (x, y, signed) = self.comparable(terms, other);
        if signed { terms.bvsle(x, y) } else { terms.bvule(x, y) }
    }

    /// Whether the value is between `low`, which is not negative, and `high`.
    pub fn between(&self, terms: &mut Terms, low: &BigInt, high: &BigInt) -> Term {
        let above = if *low <= self.low {
            terms.bool(true)
        } else if *low > self.high {
            terms.bool(false)
        } else if low.sign() == Sign::NoSign {
            // The test against `high` is on unsigned numbers and excludes negative ones.
            terms.bool(true)
        } else {
            let bound = constant_term(terms, terms.width(self.term), low);
            let (term, signed) = (self.term, self.signed());
            if signed { terms.bvsle(bound, term) } else { terms.bvule(bound, term) }
        };
        let below = if self.high <= *high && !self.signed() {
            terms.bool(true)
        } else if self.low > *high {
            terms.bool(false)
        } else {
            let width = terms.width(self.term);
            let top: BigInt = if self.signed() { power(width - 1) - 1 } else { power(width) - 1 };
            let bound = constant_term(terms, width, &top.min(high.clone()));
            terms.bvule(self.term, bound)
        };
        terms.and(&[above, below])
    }
}
