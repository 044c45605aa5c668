//! Bit-vector values of any width, with the operations of SMT-LIB's `FixedSizeBitVectors`.
//!
//! Up to 64 bits a value is a plain machine word; wider values are big integers.
//! Every operation is total: division by zero and shifts past the width follow SMT-LIB.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// A bit-vector: a width and the bits, read as an unsigned number.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitVec {
    width: u32,
    bits: Bits,
}

/// `Small` exactly when the width is at most 64, so that equality can be derived.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Bits {
    Small(u64),
    Big(Box<BigUint>),
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn big_mask(width: u32) -> BigUint {
    (BigUint::one() << width) - BigUint::one()
}

fn low_word(value: &BigUint) -> u64 {
    value.iter_u64_digits().next().unwrap_or(0)
}

impl BitVec {
    /// The number `value` modulo `2^width`.
    ///
    /// # Panics
    /// If `width` is zero: there are no empty bit-vectors.
    #[must_use]
    #[inline]
    pub fn new(width: u32, value: u64) -> BitVec {
        assert!(width > 0, "a bit-vector has at least one bit");
        if width <= 64 {
            BitVec { width, bits: Bits::Small(value & mask(width)) }
        } else {
            BitVec { width, bits: Bits::Big(Box::new(BigUint::from(value))) }
        }
    }

    /// The number `value` modulo `2^width`.
    ///
    /// # Panics
    /// If `width` is zero.
    #[must_use]
    pub fn from_big(width: u32, value: &BigUint) -> BitVec {
        if width <= 64 { BitVec::new(width, low_word(value)) } else { BitVec::wrap(width, value.clone()) }
    }

    /// [`BitVec::from_big`] that reuses the number's memory.
    fn wrap(width: u32, mut value: BigUint) -> BitVec {
        if width <= 64 {
            return BitVec::new(width, low_word(&value));
        }
        if value.bits() > u64::from(width) {
            value &= big_mask(width);
        }
        BitVec { width, bits: Bits::Big(Box::new(value)) }
    }

    /// The integer `value` modulo `2^width`, in two's complement.
    #[must_use]
    pub fn from_int(width: u32, value: &BigInt) -> BitVec {
        if width <= 64 {
            let low = low_word(value.magnitude());
            return BitVec::new(width, if value.sign() == Sign::Minus { low.wrapping_neg() } else { low });
        }
        let modulus = BigInt::from(BigUint::one() << width);
        let (_, rest) = num_integer::Integer::mod_floor(value, &modulus).into_parts();
        BitVec::wrap(width, rest)
    }

    /// All bits set.
    #[must_use]
    pub fn ones(width: u32) -> BitVec {
        if width <= 64 { BitVec::new(width, u64::MAX) } else { BitVec::wrap(width, big_mask(width)) }
    }

    /// All bits clear.
    #[must_use]
    pub fn zero(width: u32) -> BitVec {
        BitVec::new(width, 0)
    }

    /// The number of bits.
    #[must_use]
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value, if it fits a machine word.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(bits) => Some(*bits),
            Bits::Big(bits) => bits.to_u64(),
        }
    }

    /// The unsigned value.
    #[must_use]
    pub fn to_big(&self) -> BigUint {
        match &self.bits {
            Bits::Small(bits) => BigUint::from(*bits),
            Bits::Big(bits) => (**bits).clone(),
        }
    }

    /// The value in two's complement.
    #[must_use]
    pub fn to_signed(&self) -> BigInt {
        let value = BigInt::from_biguint(Sign::Plus, self.to_big());
        if self.bit(self.width - 1) { value - BigInt::from(BigUint::one() << self.width) } else { value }
    }

    /// The bit at `position`, counted from the least significant; false past the width.
    #[must_use]
    #[inline]
    pub fn bit(&self, position: u32) -> bool {
        match &self.bits {
            Bits::Small(bits) => position < 64 && bits >> position & 1 == 1,
            Bits::Big(bits) => bits.bit(u64::from(position)),
        }
    }

    /// Whether no bit is set.
    #[must_use]
    #[inline]
    pub fn is_zero(&self) -> bool {
        match &self.bits {
            Bits::Small(bits) => *bits == 0,
            Bits::Big(bits) => bits.is_zero(),
        }
    }

    /// Whether every bit is set.
    #[must_use]
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(bits) => *bits == mask(self.width),
            Bits::Big(bits) => bits.count_ones() == u64::from(self.width),
        }
    }

    /// Applies a machine-word operation where both values are words, else the big one.
    #[inline]
    fn zip(&self, other: &BitVec, small: fn(u64, u64) -> u64, big: fn(&BigUint, &BigUint) -> BigUint) -> BitVec {
        debug_assert_eq!(self.width, other.width, "operands of one width");
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => BitVec::new(self.width, small(*a, *b)),
            (Bits::Big(a), Bits::Big(b)) => BitVec::wrap(self.width, big(a, b)),
            _ => BitVec::wrap(self.width, big(&self.to_big(), &other.to_big())),
        }
    }

    /// `bvnot`
    #[must_use]
    #[inline]
    pub fn not(&self) -> BitVec {
        self.zip(&BitVec::ones(self.width), |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `bvneg`
    #[must_use]
    #[inline]
    pub fn neg(&self) -> BitVec {
        BitVec::zero(self.width).sub(self)
    }

    /// `bvand`
    #[must_use]
    #[inline]
    pub fn and(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a & b, |a, b| a & b)
    }

    /// `bvor`
    #[must_use]
    #[inline]
    pub fn or(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a | b, |a, b| a | b)
    }

    /// `bvxor`
    #[must_use]
    #[inline]
    pub fn xor(&self, other: &BitVec) -> BitVec {
        self.zip(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `bvadd`
    #[must_use]
    #[inline]
    pub fn add(&self, other: &BitVec) -> BitVec {
        self.zip(other, u64::wrapping_add, |a, b| a + b)
    }

    /// `bvsub`
    #[must_use]
    #[inline]
    pub fn sub(&self, other: &BitVec) -> BitVec {
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => BitVec::new(self.width, a.wrapping_sub(*b)),
            _ => BitVec::wrap(self.width, (BigUint::one() << self.width) + self.to_big() - other.to_big()),
        }
    }

    /// `bvmul`
    #[must_use]
    #[inline]
    pub fn mul(&self, other: &BitVec) -> BitVec {
        self.zip(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// `bvudiv`: all ones when the divisor is zero.
    #[must_use]
    #[inline]
    pub fn udiv(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return BitVec::ones(self.width);
        }
        self.zip(other, |a, b| a / b, |a, b| a / b)
    }

    /// `bvurem`: the dividend when the divisor is zero.
    #[must_use]
    #[inline]
    pub fn urem(&self, other: &BitVec) -> BitVec {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| a % b)
    }

    #[inline]
    fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    fn abs(&self) -> BitVec {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    /// `bvsdiv`, which rounds towards zero.
    #[must_use]
    pub fn sdiv(&self, other: &BitVec) -> BitVec {
        let quotient = self.abs().udiv(&other.abs());
        if self.is_negative() == other.is_negative() { quotient } else { quotient.neg() }
    }

    /// `bvsrem`, whose sign follows the dividend.
    #[must_use]
    pub fn srem(&self, other: &BitVec) -> BitVec {
        let rest = self.abs().urem(&other.abs());
        if self.is_negative() { rest.neg() } else { rest }
    }

    /// `bvsmod`, whose sign follows the divisor.
    #[must_use]
    pub fn smod(&self, other: &BitVec) -> BitVec {
        let rest = self.abs().urem(&other.abs());
        match (rest.is_zero(), self.is_negative(), other.is_negative()) {
            (true, _, _) | (false, false, false) => rest,
            (false, true, false) => rest.neg().add(other),
            (false, false, true) => rest.add(other),
            (false, true, true) => rest.neg(),
        }
    }

    /// The shift distance, or `None` if it is at least the width.
    fn distance(&self, other: &BitVec) -> Option<u32> {
        other.to_u64().filter(|d| *d < u64::from(self.width)).and_then(|d| u32::try_from(d).ok())
    }

    /// `bvshl`: zero when the distance reaches the width.
    #[must_use]
    pub fn shl(&self, other: &BitVec) -> BitVec {
        match (self.distance(other), &self.bits) {
            (None, _) => BitVec::zero(self.width),
            (Some(d), Bits::Small(bits)) => BitVec::new(self.width, bits << d),
            (Some(d), Bits::Big(bits)) => BitVec::wrap(self.width, &**bits << d),
        }
    }

    /// `bvlshr`: zero when the distance reaches the width.
    #[must_use]
    pub fn lshr(&self, other: &BitVec) -> BitVec {
        match (self.distance(other), &self.bits) {
            (None, _) => BitVec::zero(self.width),
            (Some(d), Bits::Small(bits)) => BitVec::new(self.width, bits >> d),
            (Some(d), Bits::Big(bits)) => BitVec::wrap(self.width, &**bits >> d),
        }
    }

    /// `bvashr`: copies of the sign bit when the distance reaches the width.
    #[must_use]
    pub fn ashr(&self, other: &BitVec) -> BitVec {
        if self.is_negative() { self.not().lshr(other).not() } else { self.lshr(other) }
    }

    /// `bvult`
    #[must_use]
    #[inline]
    pub fn ult(&self, other: &BitVec) -> bool {
        debug_assert_eq!(self.width, other.width, "operands of one width");
        self.bits < other.bits
    }

    /// `bvslt`
    #[must_use]
    #[inline]
    pub fn slt(&self, other: &BitVec) -> bool {
        match (self.is_negative(), other.is_negative()) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => self.ult(other),
        }
    }

    /// `concat`: `self` gives the high bits.
    #[must_use]
    pub fn concat(&self, low: &BitVec) -> BitVec {
        let width = self.width + low.width;
        match (&self.bits, &low.bits) {
            (Bits::Small(a), Bits::Small(b)) if width <= 64 => BitVec::new(width, a << low.width | b),
            _ => BitVec::wrap(width, (self.to_big() << low.width) | low.to_big()),
        }
    }

    /// `(_ extract high low)`
    #[must_use]
    pub fn extract(&self, high: u32, low: u32) -> BitVec {
        let width = high - low + 1;
        match &self.bits {
            Bits::Small(bits) => BitVec::new(width, bits >> low),
            Bits::Big(bits) => BitVec::wrap(width, &**bits >> low),
        }
    }

    /// `(_ zero_extend by)`
    #[must_use]
    pub fn zero_extend(&self, by: u32) -> BitVec {
        match &self.bits {
            Bits::Small(bits) => BitVec::new(self.width + by, *bits),
            Bits::Big(bits) => BitVec::from_big(self.width + by, bits),
        }
    }

    /// `(_ sign_extend by)`
    #[must_use]
    pub fn sign_extend(&self, by: u32) -> BitVec {
        if by > 0 && self.is_negative() { BitVec::ones(by).concat(self) } else { self.zero_extend(by) }
    }
}

/// SMT-LIB's notation: hexadecimal where the width is a multiple of four, else binary.
impl fmt::Display for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = self.width.is_multiple_of(4);
        let digits = if hex { self.width / 4 } else { self.width } as usize;
        match (&self.bits, hex) {
            (Bits::Small(bits), true) => write!(f, "#x{bits:0digits$x}"),
            (Bits::Small(bits), false) => write!(f, "#b{bits:0digits$b}"),
            (Bits::Big(bits), _) => {
                let text = bits.to_str_radix(if hex { 16 } else { 2 });
                f.write_str(if hex { "#x" } else { "#b" })?;
                // By hand, because the formatter pads to 2^16 characters at most.
                (text.len()..digits).try_for_each(|_| f.write_str("0"))?;
                f.write_str(&text)
            }
        }
    }
}

impl fmt::Debug for BitVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.to_big(), self.width)
    }
}
