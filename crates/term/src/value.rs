//! Values: what a term evaluates to.

use crate::bitvec::BitVec;
use crate::pack::BitReader;
use crate::sort::{ArraySort, Sort};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort. Equality is the equality of the sort's elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// An integer.
    Int(Box<BigInt>),
    /// A rational.
    Real(Box<BigRational>),
    /// An array.
    Array(Box<ArrayValue>),
}

/// A total map in normal form: a default, and the cells that differ from it.
///
/// On a finite index sort the same map can be written with several defaults, so the
/// default is a most frequent element (the least such, when there are several): two
/// equal maps are then equal as data.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    sort: Arc<ArraySort>,
    default: Value,
    cells: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// The array that holds `element` everywhere.
    #[must_use]
    pub fn constant(sort: Arc<ArraySort>, element: Value) -> ArrayValue {
        ArrayValue { sort, default: element, cells: BTreeMap::new() }
    }

    /// The array's sorts.
    #[must_use]
    pub fn sort(&self) -> &Arc<ArraySort> {
        &self.sort
    }

    /// The element at every index that [`ArrayValue::cells`] does not list.
    #[must_use]
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The cells that differ from the default, by index.
    pub fn cells(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.cells.iter()
    }

    /// The element at `index`.
    #[must_use]
    pub fn select(&self, index: &Value) -> &Value {
        self.cells.get(index).unwrap_or(&self.default)
    }

    /// The array with `element` at `index`.
    #[must_use]
    pub fn store(mut self, index: Value, element: Value) -> ArrayValue {
        if element == self.default {
            self.cells.remove(&index);
        } else {
            self.cells.insert(index, element);
        }
        self.normalise();
        self
    }

    /// Restores the normal form. The default can lose its majority only when the
    /// explicit cells are at least half of a finite index sort.
    fn normalise(&mut self) {
        let Some(size) = self.sort.index.cardinality() else { return };
        let explicit = self.cells.len() as u64;
        if explicit * 2 < size {
            return;
        }
        let mut count: BTreeMap<&Value, u64> = BTreeMap::new();
        for element in self.cells.values() {
            *count.entry(element).or_default() += 1;
        }
        let defaults = size - explicit;
        if defaults > 0 {
            count.insert(&self.default, defaults);
        }
        let most = count.values().copied().max().unwrap_or(0);
        let Some(best) = count.iter().find(|(_, n)| **n == most).map(|(value, _)| (*value).clone()) else {
            return;
        };
        if best == self.default {
            return;
        }
        let old = std::mem::replace(&mut self.default, best);
        for index in values(&self.sort.index) {
            self.cells.entry(index).or_insert_with(|| old.clone());
        }
        let default = self.default.clone();
        self.cells.retain(|_, element| *element != default);
    }
}

impl Value {
    /// The sort that this value belongs to.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::BitVec(bits) => Sort::BitVec(bits.width()),
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Array(array) => Sort::Array(array.sort.clone()),
        }
    }

    /// Whether the value belongs to `sort`, without building a sort.
    #[must_use]
    pub fn has_sort(&self, sort: &Sort) -> bool {
        match (self, sort) {
            (Value::Bool(_), Sort::Bool) | (Value::Int(_), Sort::Int) | (Value::Real(_), Sort::Real) => true,
            (Value::BitVec(bits), Sort::BitVec(width)) => bits.width() == *width,
            (Value::Array(array), Sort::Array(sorts)) => array.sort == *sorts,
            _ => false,
        }
    }

    /// The value that stands for "any" where one must be named: false, zero, an array of those.
    #[must_use]
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::BitVec(width) => Value::BitVec(BitVec::zero(*width)),
            Sort::Int => Value::Int(Box::new(BigInt::zero())),
            Sort::Real => Value::Real(Box::new(BigRational::zero())),
            Sort::Array(array) => {
                Value::Array(Box::new(ArrayValue::constant(array.clone(), Value::default_of(&array.element))))
            }
        }
    }

    /// The bit-vector `value` of the given width.
    #[must_use]
    pub fn bv(width: u32, value: u64) -> Value {
        Value::BitVec(BitVec::new(width, value))
    }

    /// The integer `value`.
    #[must_use]
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(Box::new(value.into()))
    }

    /// The truth value.
    ///
    /// # Panics
    /// If the value is not Boolean: the sorts of the caller's terms rule that out.
    #[must_use]
    pub fn as_bool(&self) -> bool {
        let Value::Bool(value) = self else { panic!("a Boolean, not {self:?}") };
        *value
    }

    /// The bit-vector.
    ///
    /// # Panics
    /// If the value is not a bit-vector.
    #[must_use]
    pub fn as_bv(&self) -> &BitVec {
        let Value::BitVec(value) = self else { panic!("a bit-vector, not {self:?}") };
        value
    }

    /// The integer.
    ///
    /// # Panics
    /// If the value is not an integer.
    #[must_use]
    pub fn as_int(&self) -> &BigInt {
        let Value::Int(value) = self else { panic!("an integer, not {self:?}") };
        value
    }

    /// The rational.
    ///
    /// # Panics
    /// If the value is not a rational.
    #[must_use]
    pub fn as_real(&self) -> &BigRational {
        let Value::Real(value) = self else { panic!("a rational, not {self:?}") };
        value
    }

    /// The array.
    ///
    /// # Panics
    /// If the value is not an array.
    #[must_use]
    pub fn as_array(&self) -> &ArrayValue {
        let Value::Array(value) = self else { panic!("an array, not {self:?}") };
        value
    }
}

/// All values of a finite sort, in order. The caller bounds their number by
/// [`Sort::cardinality`].
///
/// # Panics
/// If the sort is infinite or has 2^64 values or more.
pub fn values(sort: &Sort) -> impl Iterator<Item = Value> + use<'_> {
    let count = sort.cardinality().expect("a finite sort of fewer than 2^64 values");
    (0..count).map(move |code| BitReader::new(&[code]).read(sort))
}
