//! What an expression evaluates to: terms, together with the condition under which they
//! are defined (no division by zero, no index out of range).

use crate::remopla::number::Number;
use crate::remopla::types::{EnumId, Scalar, Type};
use tamis_term::Term;

/// A truth value.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    /// The value.
    pub term: Term,
    /// Whether it is defined.
    pub defined: Term,
}

/// A number.
#[derive(Clone, Debug)]
pub struct Numeric {
    /// The value.
    pub number: Number,
    /// Whether it is defined.
    pub defined: Term,
    /// The enum that it belongs to, for numbers read from a variable or constant of one.
    pub of: Option<EnumId>,
}

/// A whole array or struct.
#[derive(Clone, Debug)]
pub struct Whole {
    /// Its type.
    pub ty: Type,
    /// The values of the cells.
    pub cells: Vec<Term>,
    /// The types of the cells.
    pub scalars: Vec<Scalar>,
    /// Whether it is defined.
    pub defined: Term,
}

/// Any value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A truth value.
    Truth(Truth),
    /// A number.
    Number(Numeric),
    /// A whole array or struct.
    Whole(Whole),
}

impl Value {
    /// The value of a scalar variable, or of anything else of that type and sort.
    pub fn of_term(term: Term, scalar: Scalar, defined: Term) -> Value {
        let of = match scalar {
            Scalar::Bool => return Value::Truth(Truth { term, defined }),
            Scalar::Int(_) => None,
            Scalar::Enum(id, _) => Some(id),
        };
        Value::Number(Numeric { number: Number::unsigned(term, scalar.high()), defined, of })
    }
}
