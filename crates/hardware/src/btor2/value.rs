//! Words of any width, and arrays of them.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A word: its bits, less than two to the power of its width.
    Word(BigUint),
    /// An array: what most elements are, and those that differ.
    Array {
        /// What is not listed.
        otherwise: BigUint,
        /// Elements by index.
        cells: BTreeMap<BigUint, BigUint>,
    },
}

impl Value {
    /// The bits of a word; those of an array are none.
    pub(super) fn word(&self) -> BigUint {
        match self {
            Value::Word(bits) => bits.clone(),
            Value::Array { .. } => BigUint::zero(),
        }
    }

    /// An element of an array.
    pub(super) fn element(&self, index: &BigUint) -> BigUint {
        match self {
            Value::Array { otherwise, cells } => cells.get(index).unwrap_or(otherwise).clone(),
            Value::Word(bits) => bits.clone(),
        }
    }

    /// The array with another element.
    pub(super) fn with(self, index: BigUint, element: BigUint) -> Value {
        match self {
            Value::Array { otherwise, mut cells } => {
                // What is as most elements are is not listed, so that equal arrays are equal data.
                if element == otherwise {
                    cells.remove(&index)
                } else {
                    cells.insert(index, element)
                };
                Value::Array { otherwise, cells }
            }
            Value::Word(_) => self,
        }
    }
}

/// Two to the power of the width.
pub(super) fn power(width: u32) -> BigUint {
    BigUint::one() << width
}

/// The word as a number in two's complement.
pub(super) fn signed(bits: &BigUint, width: u32) -> BigInt {
    let number = BigInt::from(bits.clone());
    if bits.bit(u64::from(width) - 1) { number - BigInt::from(power(width)) } else { number }
}

/// The number modulo two to the power of the width.
pub(super) fn wrap(number: &BigInt, width: u32) -> BigUint {
    let modulus = BigInt::from(power(width));
    let rest = number % &modulus;
    let rest = if rest.sign() == Sign::Minus { rest + modulus } else { rest };
    rest.to_biguint().unwrap_or_default()
}
