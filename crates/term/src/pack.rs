//! Values of finite sorts as bits: how engines store many states in little memory.

use crate::bitvec::BitVec;
use crate::sort::Sort;
use crate::value::{ArrayValue, Value, values};
use num_bigint::BigUint;

/// Appends values to a vector of words, least significant bit first.
#[derive(Debug)]
pub struct BitWriter<'w> {
    words: &'w mut Vec<u64>,
    start: usize,
    used: u64,
}

impl<'w> BitWriter<'w> {
    /// Appends behind what `words` already holds, starting with a new word.
    pub fn new(words: &'w mut Vec<u64>) -> BitWriter<'w> {
        let start = words.len();
        BitWriter { words, start, used: 0 }
    }

    fn push(&mut self, width: u32, bits: u64) {
        let (word, shift) = position(self.start, self.used);
        if word == self.words.len() {
            self.words.push(0);
        }
        self.words[word] |= bits << shift;
        if shift + width > 64 {
            self.words.push(bits >> (64 - shift));
        }
        self.used += u64::from(width);
    }

    /// Appends one value of a finite sort.
    ///
    /// # Panics
    /// If the value's sort is infinite.
    pub fn write(&mut self, value: &Value) {
        match value {
            Value::Bool(bit) => self.push(1, u64::from(*bit)),
            Value::BitVec(bits) => match (bits.width(), bits.to_u64()) {
                (width @ ..=64, Some(word)) => self.push(width, word),
                (width, _) => {
                    let big = bits.to_big();
                    let mut digits = big.iter_u64_digits();
                    for low in (0..width).step_by(64) {
                        self.push((width - low).min(64), digits.next().unwrap_or(0));
                    }
                }
            },
            Value::Array(array) => {
                for index in values(&array.sort().index) {
                    self.write(array.select(&index));
                }
            }
            Value::Int(_) | Value::Real(_) => panic!("only values of finite sorts are packed"),
        }
    }
}

/// Reads back, in the same order, what a [`BitWriter`] wrote.
#[derive(Debug)]
pub struct BitReader<'w> {
    words: &'w [u64],
    used: u64,
}

impl<'w> BitReader<'w> {
    /// Reads from the first bit of `words`.
    #[must_use]
    pub fn new(words: &'w [u64]) -> BitReader<'w> {
        BitReader { words, used: 0 }
    }

    /// Reads up to 64 bits as they are.
    ///
    /// # Panics
    /// If the words end too early.
    pub fn bits(&mut self, width: u32) -> u64 {
        let (word, shift) = position(0, self.used);
        self.used += u64::from(width);
        let low = self.words[word] >> shift;
        let bits = if shift + width > 64 { low | self.words[word + 1] << (64 - shift) } else { low };
        if width == 64 { bits } else { bits & ((1 << width) - 1) }
    }

    /// Reads one value of a finite sort.
    ///
    /// # Panics
    /// If the sort is infinite or the words end too early.
    pub fn read(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.bits(1) == 1),
            Sort::BitVec(width @ ..=64) => Value::bv(*width, self.bits(*width)),
            Sort::BitVec(width) => {
                let mut big = BigUint::default();
                for low in (0..*width).step_by(64) {
                    big |= BigUint::from(self.bits((width - low).min(64))) << low;
                }
                Value::BitVec(BitVec::from_big(*width, &big))
            }
            Sort::Array(array) => {
                let default = Value::default_of(&array.element);
                let cells = values(&array.index).map(|index| (index, self.read(&array.element)));
                Value::Array(Box::new(ArrayValue::from_cells(array.clone(), default, cells)))
            }
            Sort::Int | Sort::Real => panic!("only values of finite sorts are packed"),
        }
    }
}

/// The word and the bit in it that hold bit `used` of a sequence that begins at word `start`.
fn position(start: usize, used: u64) -> (usize, u32) {
    let word = usize::try_from(used / 64).expect("a state fits memory");
    (start + word, u32::try_from(used % 64).expect("below 64"))
}
