//! Sorts: what kind of value a term has.

use std::fmt;
use std::sync::Arc;

/// The sort of a term or variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of a fixed width of at least one bit.
    BitVec(u32),
    /// Unbounded integers.
    Int,
    /// Rationals, which stand for the reals of linear arithmetic.
    Real,
    /// Total maps, as in SMT-LIB's theory of arrays.
    Array(Arc<ArraySort>),
}

/// The two sorts of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArraySort {
    /// What the array is read with.
    pub index: Sort,
    /// What a read returns.
    pub element: Sort,
}

impl Sort {
    /// The sort of arrays from `index` to `element`.
    #[must_use]
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(ArraySort { index, element }))
    }

    /// How many bits hold any value of this sort, or `None` if the sort is infinite
    /// or the count does not fit 64 bits.
    #[must_use]
    pub fn bits(&self) -> Option<u64> {
        match self {
            Sort::Bool => Some(1),
            Sort::BitVec(width) => Some(u64::from(*width)),
            Sort::Int | Sort::Real => None,
            Sort::Array(array) => {
                let cells = 1_u64.checked_shl(u32::try_from(array.index.bits()?).ok()?)?;
                cells.checked_mul(array.element.bits()?)
            }
        }
    }

    /// How many values the sort has, if that fits 64 bits.
    #[must_use]
    pub fn cardinality(&self) -> Option<u64> {
        1_u64.checked_shl(u32::try_from(self.bits()?).ok()?)
    }

    /// Whether the sort has finitely many values.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Sort::Bool | Sort::BitVec(_) => true,
            Sort::Int | Sort::Real => false,
            Sort::Array(array) => array.index.is_finite() && array.element.is_finite(),
        }
    }
}

/// SMT-LIB's notation.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Int => write!(f, "Int"),
            Sort::Real => write!(f, "Real"),
            Sort::Array(array) => write!(f, "(Array {} {})", array.index, array.element),
        }
    }
}
