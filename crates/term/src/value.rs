//! Values: what a term evaluates to.

use crate::bitvec::BitVec;
use crate::pack::BitReader;
use crate::sort::{ArraySort, Sort};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value of some sort. Equality is the equality of the sort's elements, and the order is
/// the usual one on numbers.
#[derive(Clone, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    BitVec(BitVec),
    /// An integer.
    Int(Box<BigInt>),
    /// A rational, reduced to lowest terms.
    Real(Box<BigRational>),
    /// An array.
    Array(Box<ArrayValue>),
}

// By hand, because `Ratio` compares and hashes by a recursive continued fraction: slow, and
// deep enough on long decimals to overflow a stack. Reduced fractions are equal as data.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::BitVec(a), Value::BitVec(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Real(a), Value::Real(b)) => a.numer() == b.numer() && a.denom() == b.denom(),
            (Value::Array(a), Value::Array(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(self.rank());
        match self {
            Value::Bool(value) => value.hash(state),
            Value::BitVec(value) => value.hash(state),
            Value::Int(value) => value.hash(state),
            Value::Real(value) => (value.numer(), value.denom()).hash(state),
            Value::Array(value) => value.hash(state),
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::BitVec(a), Value::BitVec(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) if a.denom() == b.denom() => a.numer().cmp(b.numer()),
            (Value::Real(a), Value::Real(b)) => (a.numer() * b.denom()).cmp(&(b.numer() * a.denom())),
            (Value::Array(a), Value::Array(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A total map in normal form: a default, and the cells that differ from it.
///
/// On a finite index sort the same map can be written with several defaults, so the
/// default is a most frequent element (the least such, when there are several): two
/// equal maps are then equal as data.
///
/// Copies share their cells until one of them is written to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    sort: Arc<ArraySort>,
    default: Value,
    cells: Arc<BTreeMap<Value, Value>>,
}

impl ArrayValue {
    /// The array that holds `element` everywhere.
    #[must_use]
    pub fn constant(sort: Arc<ArraySort>, element: Value) -> ArrayValue {
        ArrayValue { sort, default: element, cells: Arc::default() }
    }

    /// The array that holds the given cells, of which later ones win, and `default` elsewhere.
    #[must_use]
    pub fn from_cells(
        sort: Arc<ArraySort>,
        default: Value,
        cells: impl IntoIterator<Item = (Value, Value)>,
    ) -> ArrayValue {
        let mut cells: BTreeMap<Value, Value> = cells.into_iter().collect();
        cells.retain(|_, element| *element != default);
        let mut array = ArrayValue { sort, default, cells: Arc::new(cells) };
        array.normalise();
        array
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
    #[must_use]
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
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
        if *self.select(&index) == element {
            return self;
        }
        let cells = Arc::make_mut(&mut self.cells);
        if element == self.default {
            cells.remove(&index);
        } else {
            cells.insert(index, element);
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
        let cells = Arc::make_mut(&mut self.cells);
        for index in values(&self.sort.index) {
            cells.entry(index).or_insert_with(|| old.clone());
        }
        cells.retain(|_, element| *element != self.default);
    }
}

impl Value {
    /// The place of the value's kind in the order of values.
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::BitVec(_) => 1,
            Value::Int(_) => 2,
            Value::Real(_) => 3,
            Value::Array(_) => 4,
        }
    }

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
