//! Intervals of integers: what is known of the values of a term, without looking at others.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use tamis_term::Fun;

/// The integers from `lo` to `hi`, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) lo: BigInt,
    pub(super) hi: BigInt,
}

/// `2^exponent`
pub(super) fn power(exponent: u32) -> BigInt {
    BigInt::one() << exponent
}

impl Interval {
    pub(super) fn new(lo: impl Into<BigInt>, hi: impl Into<BigInt>) -> Interval {
        Interval { lo: lo.into(), hi: hi.into() }
    }

    pub(super) fn point(value: &BigInt) -> Interval {
        Interval::new(value.clone(), value.clone())
    }

    /// The numbers that words of a width stand for.
    pub(super) fn unsigned(width: u32) -> Interval {
        Interval::new(0, power(width) - 1)
    }

    /// The numbers that words of a width stand for in two's complement.
    pub(super) fn signed(width: u32) -> Interval {
        Interval::new(-power(width - 1), power(width - 1) - 1)
    }

    /// The one element, if there is only one.
    pub(super) fn single(&self) -> Option<&BigInt> {
        (self.lo == self.hi).then_some(&self.lo)
    }

    pub(super) fn contains(&self, value: &BigInt) -> bool {
        self.lo <= *value && *value <= self.hi
    }

    pub(super) fn within(&self, other: &Interval) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    /// Whether `fun`, which is a comparison, holds between all numbers here and in the other.
    pub(super) fn decides(&self, fun: &Fun, other: &Interval) -> Option<bool> {
        let (always, never) = if *fun == Fun::Lt {
            (self.hi < other.lo, self.lo >= other.hi)
        } else if *fun == Fun::Le {
            (self.hi <= other.lo, self.lo > other.hi)
        } else {
            (false, self.hi < other.lo || other.hi < self.lo)
        };
        (always || never).then_some(always)
    }

    /// How many bits the numbers have in two's complement.
    pub(super) fn signed_bits(&self) -> u32 {
        let bits = |value: &BigInt| if value.is_negative() { (value + 1_u32).bits() } else { value.bits() };
        let most = bits(&self.lo).max(bits(&self.hi)) + 1;
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    /// How many bits the numbers have, if none is negative; at least one.
    pub(super) fn unsigned_bits(&self) -> Option<u32> {
        (!self.lo.is_negative()).then(|| u32::try_from(self.hi.bits().max(1)).unwrap_or(u32::MAX))
    }

    /// The smallest interval around both.
    pub(super) fn hull(&self, other: &Interval) -> Interval {
        Interval::new(self.lo.clone().min(other.lo.clone()), self.hi.clone().max(other.hi.clone()))
    }

    /// What is in both; `other` if that is nothing.
    pub(super) fn clamp(&self, other: &Interval) -> Interval {
        let (lo, hi) = (self.lo.clone().max(other.lo.clone()), self.hi.clone().min(other.hi.clone()));
        if lo <= hi { Interval { lo, hi } } else { other.clone() }
    }

    /// Without one number, if that is at an end. What is left may be empty.
    pub(super) fn without(&self, value: Option<&BigInt>) -> Interval {
        let (mut lo, mut hi) = (self.lo.clone(), self.hi.clone());
        if value == Some(&lo) {
            lo += 1_u32;
        } else if value == Some(&hi) {
            hi -= 1_u32;
        }
        Interval { lo, hi }
    }

    pub(super) fn neg(&self) -> Interval {
        Interval::new(-&self.hi, -&self.lo)
    }

    pub(super) fn add(&self, other: &Interval) -> Interval {
        Interval::new(&self.lo + &other.lo, &self.hi + &other.hi)
    }

    pub(super) fn sub(&self, other: &Interval) -> Interval {
        self.add(&other.neg())
    }

    pub(super) fn mul(&self, other: &Interval) -> Interval {
        let ends = [&self.lo * &other.lo, &self.lo * &other.hi, &self.hi * &other.lo, &self.hi * &other.hi];
        let [a, b, c, d] = &ends;
        Interval::new(a.min(b).min(c.min(d)).clone(), a.max(b).max(c.max(d)).clone())
    }

    /// Quotients, rounded down or towards zero or as Euclid does: none is farther from zero than
    /// the dividend, or one step more where it is rounded down. By a positive constant, the ends
    /// decide.
    pub(super) fn div(&self, other: &Interval) -> Interval {
        match other.single() {
            Some(by) if by.is_positive() => Interval::new(self.lo.div_floor(by), self.hi.div_floor(by)),
            Some(_) | None => {
                let most = self.lo.abs().max(self.hi.abs()) + BigInt::one();
                let nonnegative = !self.lo.is_negative() && !other.lo.is_negative();
                Interval::new(if nonnegative { BigInt::zero() } else { -&most }, most)
            }
        }
    }

    /// Euclidean remainders; by zero, the dividend.
    pub(super) fn rem(&self, other: &Interval) -> Interval {
        let most = other.lo.abs().max(other.hi.abs()) - BigInt::one();
        let rests = Interval::new(0, most.max(BigInt::zero()));
        if other.contains(&BigInt::zero()) {
            return rests.hull(self);
        }
        if self.lo.is_negative() { rests } else { rests.clamp(&Interval::new(0, self.hi.clone())) }
    }
}
