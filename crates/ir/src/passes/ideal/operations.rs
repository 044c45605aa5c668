//! What operations on words do to the integers that stand for them.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "each function here is for a few symbols, which its caller tells apart"
)]

use super::Mode;
use super::choice::Reading;
use super::forward::{Forward, Word, join};
use super::interval::{Interval, power};
use super::masks;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;
use tamis_term::{BitVec, Fun, Term};

impl Forward<'_> {
    pub(super) fn extended(&mut self, a: &Word, reading: Reading, by: u32) -> Word {
        if by == 0 { a.clone() } else { Word { reading: Some(reading), ..self.read(a, reading) } }
    }

    pub(super) fn sum(&mut self, a: &Word, b: &Word) -> Word {
        let term = self.terms.add(a.term, b.term);
        Word { term, width: a.width, range: a.range.add(&b.range), reading: join(a.reading, b.reading) }
    }

    pub(super) fn sub(&mut self, a: &Word, b: &Word) -> Word {
        let term = self.terms.sub(a.term, b.term);
        Word { term, width: a.width, range: a.range.sub(&b.range), reading: join(a.reading, b.reading) }
    }

    pub(super) fn product(&mut self, a: &Word, b: &Word) -> Word {
        let term = self.terms.mul(a.term, b.term);
        Word { term, width: a.width, range: a.range.mul(&b.range), reading: join(a.reading, b.reading) }
    }

    /// Sums, differences and products, which may be assumed to stay in the range.
    pub(super) fn arithmetic(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let ideal = self.mode == Mode::Ideal && join(a.reading, b.reading) == Some(Reading::Signed);
        let (a, b) =
            if ideal { (self.read(a, Reading::Signed), self.read(b, Reading::Signed)) } else { (a.clone(), b.clone()) };
        let result = match fun {
            Fun::BvAdd => self.sum(&a, &b),
            Fun::BvSub => self.sub(&a, &b),
            _ => self.product(&a, &b),
        };
        if !ideal {
            return result;
        }
        let range = result.range.clamp(&Interval::signed(result.width));
        Word { range, reading: Some(Reading::Signed), ..result }
    }

    /// The word without its lowest bits, rounded down: congruent modulo `2^(width - by)`.
    pub(super) fn shifted(&mut self, a: &Word, by: u32) -> Word {
        if by == 0 {
            return a.clone();
        }
        let divisor = power(by);
        let range = a.range.div(&Interval::point(&divisor));
        let divisor = self.int(&divisor);
        Word { term: self.terms.int_div(a.term, divisor), range, ..a.clone() }
    }

    pub(super) fn shift_right(&mut self, a: &Word, distance: &Word, reading: Reading) -> Word {
        let a = self.read(a, reading);
        let by = match (shift(distance), reading) {
            (Some(by), _) => by,
            (None, Reading::Signed) => a.width - 1,
            (None, Reading::Unsigned) => a.width,
        };
        self.shifted(&a, by)
    }

    /// The lowest bits, as a number.
    pub(super) fn low(&mut self, a: &Word, bits: u32) -> Word {
        let low = self.read(&Word { width: bits, ..a.clone() }, Reading::Unsigned);
        Word { width: a.width, reading: None, ..low }
    }

    pub(super) fn bitwise(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let width = a.width;
        let (a, b) = if a.range.single().is_some() { (b, a) } else { (a, b) };
        match b.range.single().map(|value| BitVec::from_int(width, value)) {
            Some(mask) if masks::is_simple(&mask) => self.masked(fun, a, &mask),
            Some(_) | None => self.bits(fun, a, b),
        }
    }

    /// A bitwise function with a constant. Where the word is in the range of a reading and the
    /// constant is read in the same way, so is the result.
    pub(super) fn masked(&mut self, fun: &Fun, a: &Word, mask: &BitVec) -> Word {
        let fits = |reading: Reading| a.range.within(&reading.range(a.width)).then_some(reading);
        let reading = match a.reading {
            Some(Reading::Unsigned) => fits(Reading::Unsigned),
            Some(Reading::Signed) | None => fits(Reading::Signed).or_else(|| fits(Reading::Unsigned)),
        };
        let number = reading.unwrap_or(Reading::Unsigned).number(mask);
        let number = self.constant(&number, a.width);
        let mut result = match fun {
            Fun::BvAnd => return self.and_mask(a, mask),
            Fun::BvOr => {
                let others = self.and_mask(a, &mask.not());
                self.sum(&others, &number)
            }
            // What is set in both counts twice in the sum.
            _ => {
                let (sum, both) = (self.sum(a, &number), self.and_mask(a, mask));
                let two = self.constant(&BigInt::from(2), a.width);
                let twice = self.product(&both, &two);
                self.sub(&sum, &twice)
            }
        };
        if let Some(reading) = reading {
            result.range = result.range.clamp(&reading.range(a.width));
        }
        Word { reading: a.reading, ..result }
    }

    /// The bits where the mask is one: of each run, what is below its end without what is below
    /// its start.
    pub(super) fn and_mask(&mut self, a: &Word, mask: &BitVec) -> Word {
        let mut result = self.constant(&BigInt::zero(), a.width);
        for (start, end) in masks::runs(mask) {
            let upper = if end == a.width { a.clone() } else { self.low(a, end) };
            let part = if start == 0 {
                upper
            } else {
                let lower = self.low(&upper, start);
                let step = power(start);
                let down = |value: &BigInt| value.div_floor(&step) * &step;
                let range = Interval::new(down(&upper.range.lo), down(&upper.range.hi));
                Word { range, reading: upper.reading, ..self.sub(&upper, &lower) }
            };
            result = self.sum(&result, &part);
        }
        result
    }

    /// A bitwise function of words that are zero or one.
    pub(super) fn bits(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let (a, b) = (self.read(a, Reading::Unsigned), self.read(b, Reading::Unsigned));
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let is_zero = self.terms.eq(a.term, zero);
        let term = match fun {
            Fun::BvAnd => self.terms.ite(is_zero, zero, b.term),
            Fun::BvOr => self.terms.ite(is_zero, b.term, one),
            _ => {
                let not = self.terms.sub(one, b.term);
                self.terms.ite(is_zero, b.term, not)
            }
        };
        Word { term, width: a.width, range: Interval::new(0, 1), reading: None }
    }

    pub(super) fn unsigned_division(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let (a, b) = (self.read(a, Reading::Unsigned), self.read(b, Reading::Unsigned));
        let (width, reading) = (a.width, Some(Reading::Unsigned));
        let whole = Reading::Unsigned.range(width);
        if *fun == Fun::BvUrem {
            let rest = self.terms.int_mod(a.term, b.term);
            let term = self.unless_zero(&b, rest, a.term);
            return Word { term, width, range: a.range.rem(&b.range), reading };
        }
        let quotient = self.terms.int_div(a.term, b.term);
        let most = self.int(&whole.hi);
        let term = self.unless_zero(&b, quotient, most);
        let by_zero = b.range.contains(&BigInt::zero());
        Word { term, width, range: if by_zero { whole } else { a.range.div(&b.range) }, reading }
    }

    /// `value`, or `instead` where the divisor is zero.
    pub(super) fn unless_zero(&mut self, divisor: &Word, value: Term, instead: Term) -> Term {
        if !divisor.range.contains(&BigInt::zero()) {
            return value;
        }
        let zero = self.terms.int(0);
        let is_zero = self.terms.eq(divisor.term, zero);
        self.terms.ite(is_zero, instead, value)
    }

    /// Division that rounds towards zero, and the remainders that go with it or with rounding
    /// down. Euclid's division, which integers have, agrees with the first where the dividend is
    /// not negative.
    pub(super) fn signed_division(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let (a, b) = (self.read(a, Reading::Signed), self.read(b, Reading::Signed));
        let (width, reading) = (a.width, Some(Reading::Signed));
        let zero = self.terms.int(0);
        let minus = self.terms.sub(zero, a.term);
        let negative = match (a.range.hi < BigInt::zero(), a.range.lo < BigInt::zero()) {
            (true, _) => self.terms.bool(true),
            (false, true) => self.terms.lt(a.term, zero),
            (false, false) => self.terms.bool(false),
        };
        let whole = a.range.hull(&a.range.neg());
        match fun {
            Fun::BvSdiv => {
                let (up, down) = (self.terms.int_div(a.term, b.term), self.terms.int_div(minus, b.term));
                let down = self.terms.sub(zero, down);
                let quotient = self.terms.ite(negative, down, up);
                let (one, minus_one) = (self.terms.int(1), self.terms.int(-1));
                let by_zero = self.terms.ite(negative, one, minus_one);
                let term = self.unless_zero(&b, quotient, by_zero);
                let mut range = whole.hull(&Interval::new(-1, 1));
                if self.mode == Mode::Ideal {
                    range = range.clamp(&Interval::signed(width));
                }
                Word { term, width, range, reading }
            }
            Fun::BvSrem => {
                let (up, down) = (self.terms.int_mod(a.term, b.term), self.terms.int_mod(minus, b.term));
                let down = self.terms.sub(zero, down);
                let rest = self.terms.ite(negative, down, up);
                let term = self.unless_zero(&b, rest, a.term);
                let most = b.range.lo.clone().magnitude().max(b.range.hi.magnitude()).clone();
                let rests = Interval::new(-BigInt::from(most.clone()), BigInt::from(most));
                let by_zero = b.range.contains(&BigInt::zero());
                let range = if by_zero { a.range.hull(&Interval::point(&BigInt::zero())) } else { rests.clamp(&whole) };
                Word { term, width, range, reading }
            }
            _ => {
                let rest = self.terms.int_mod(a.term, b.term);
                let (is_zero, upwards) = (self.terms.eq(rest, zero), self.terms.le(zero, b.term));
                let sum = self.terms.add(rest, b.term);
                let keep = self.terms.or(&[is_zero, upwards]);
                let rest = self.terms.ite(keep, rest, sum);
                let term = self.unless_zero(&b, rest, a.term);
                Word { term, width, range: Interval::signed(width), reading }
            }
        }
    }
}

/// The distance of a shift by a constant, unless it reaches the width.
pub(super) fn shift(distance: &Word) -> Option<u32> {
    let value = distance.range.single()?.mod_floor(&power(distance.width));
    u32::try_from(value).ok().filter(|by| *by < distance.width)
}
