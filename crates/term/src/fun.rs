//! The function symbols of terms and the sorts they take and return.

use crate::sort::{ArraySort, Sort};
use std::fmt;
use std::sync::Arc;

/// A function symbol. Names and meanings are SMT-LIB's.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each name is SMT-LIB's")]
pub enum Fun {
    // Core
    Not,
    /// Of any number of arguments.
    And,
    /// Of any number of arguments.
    Or,
    Xor,
    Ite,
    /// Of two arguments of one sort.
    Eq,
    // FixedSizeBitVectors
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    ZeroExtend(u32),
    SignExtend(u32),
    // Ints and Reals: the first group takes two (or one) of either sort.
    Neg,
    Add,
    Sub,
    Mul,
    Lt,
    Le,
    /// `div`, Euclidean; by zero it is zero.
    IntDiv,
    /// `mod`, never negative; by zero it is the dividend.
    IntMod,
    /// `/`; by zero it is zero.
    RealDiv,
    ToReal,
    /// Rounds down.
    ToInt,
    IsInt,
    /// `ubv_to_int`, also known as `bv2nat`.
    UbvToInt,
    SbvToInt,
    /// `(_ int_to_bv n)`, also known as `int2bv`.
    IntToBv(u32),
    // ArraysEx
    Select,
    Store,
    /// `((as const S) v)`
    ConstArray(Arc<ArraySort>),
}

/// Why a function cannot be applied to arguments of the given sorts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    /// What is wrong, as a lower-case phrase.
    pub message: String,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SortError {}

impl Fun {
    /// The functions from two bit-vectors of one sort to a third of that sort.
    pub const WORD_FUNCTIONS: [Fun; 14] = [
        Fun::BvAnd,
        Fun::BvOr,
        Fun::BvXor,
        Fun::BvAdd,
        Fun::BvSub,
        Fun::BvMul,
        Fun::BvUdiv,
        Fun::BvUrem,
        Fun::BvSdiv,
        Fun::BvSrem,
        Fun::BvSmod,
        Fun::BvShl,
        Fun::BvLshr,
        Fun::BvAshr,
    ];

    /// The comparisons of two bit-vectors of one sort, besides equality.
    pub const WORD_COMPARISONS: [Fun; 4] = [Fun::BvUlt, Fun::BvUle, Fun::BvSlt, Fun::BvSle];

    /// The sort of an application to arguments of the given sorts.
    ///
    /// # Errors
    /// If the function takes other arguments.
    pub fn result(&self, args: &[&Sort]) -> Result<Sort, SortError> {
        let refuse = || {
            let sorts: Vec<String> = args.iter().take(8).map(ToString::to_string).collect();
            let more = if args.len() > 8 { " …" } else { "" };
            Err(SortError { message: format!("{self} does not apply to ({}{more})", sorts.join(" ")) })
        };
        let sort = match (self, args) {
            (Fun::Not, [Sort::Bool]) | (Fun::Xor, [Sort::Bool, Sort::Bool]) => Sort::Bool,
            (Fun::And | Fun::Or, args) if args.iter().all(|s| **s == Sort::Bool) => Sort::Bool,
            (Fun::Ite, [Sort::Bool, a, b]) if a == b => (*a).clone(),
            (Fun::Eq, [a, b]) if a == b => Sort::Bool,
            (Fun::BvNot | Fun::BvNeg, [Sort::BitVec(n)]) => Sort::BitVec(*n),
            (
                Fun::BvAnd
                | Fun::BvOr
                | Fun::BvXor
                | Fun::BvAdd
                | Fun::BvSub
                | Fun::BvMul
                | Fun::BvUdiv
                | Fun::BvUrem
                | Fun::BvSdiv
                | Fun::BvSrem
                | Fun::BvSmod
                | Fun::BvShl
                | Fun::BvLshr
                | Fun::BvAshr,
                [Sort::BitVec(n), Sort::BitVec(m)],
            ) if n == m => Sort::BitVec(*n),
            (Fun::BvUlt | Fun::BvUle | Fun::BvSlt | Fun::BvSle, [Sort::BitVec(n), Sort::BitVec(m)]) if n == m => {
                Sort::Bool
            }
            (Fun::Concat, [Sort::BitVec(n), Sort::BitVec(m)]) => match n.checked_add(*m) {
                Some(width) => Sort::BitVec(width),
                None => return refuse(),
            },
            (Fun::Extract { high, low }, [Sort::BitVec(n)]) if low <= high && high < n => Sort::BitVec(high - low + 1),
            (Fun::ZeroExtend(by) | Fun::SignExtend(by), [Sort::BitVec(n)]) => match n.checked_add(*by) {
                Some(width) => Sort::BitVec(width),
                None => return refuse(),
            },
            (Fun::Neg, [a @ (Sort::Int | Sort::Real)]) => (*a).clone(),
            (Fun::Add | Fun::Sub | Fun::Mul, [a @ (Sort::Int | Sort::Real), b]) if a == b => (*a).clone(),
            (Fun::Lt | Fun::Le, [a @ (Sort::Int | Sort::Real), b]) if a == b => Sort::Bool,
            (Fun::IntDiv | Fun::IntMod, [Sort::Int, Sort::Int]) => Sort::Int,
            (Fun::RealDiv, [Sort::Real, Sort::Real]) => Sort::Real,
            (Fun::ToReal, [Sort::Int]) => Sort::Real,
            (Fun::ToInt, [Sort::Real]) | (Fun::UbvToInt | Fun::SbvToInt, [Sort::BitVec(_)]) => Sort::Int,
            (Fun::IsInt, [Sort::Real]) => Sort::Bool,
            (Fun::IntToBv(width @ 1..), [Sort::Int]) => Sort::BitVec(*width),
            (Fun::Select, [Sort::Array(array), index]) if array.index == **index => array.element.clone(),
            (Fun::Store, [Sort::Array(array), index, element])
                if array.index == **index && array.element == **element =>
            {
                Sort::Array(array.clone())
            }
            (Fun::ConstArray(sort), [element]) if sort.element == **element => Sort::Array(sort.clone()),
            _ => return refuse(),
        };
        Ok(sort)
    }

    /// Whether exchanging the (two) arguments does not change the result.
    #[must_use]
    pub fn is_commutative(&self) -> bool {
        matches!(
            self,
            Fun::And
                | Fun::Or
                | Fun::Xor
                | Fun::Eq
                | Fun::BvAnd
                | Fun::BvOr
                | Fun::BvXor
                | Fun::BvAdd
                | Fun::BvMul
                | Fun::Add
                | Fun::Mul
        )
    }
}

/// What stands at the head of an SMT-LIB application of the function.
impl fmt::Display for Fun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Fun::Not => "not",
            Fun::And => "and",
            Fun::Or => "or",
            Fun::Xor => "xor",
            Fun::Ite => "ite",
            Fun::Eq => "=",
            Fun::BvNot => "bvnot",
            Fun::BvNeg => "bvneg",
            Fun::BvAnd => "bvand",
            Fun::BvOr => "bvor",
            Fun::BvXor => "bvxor",
            Fun::BvAdd => "bvadd",
            Fun::BvSub => "bvsub",
            Fun::BvMul => "bvmul",
            Fun::BvUdiv => "bvudiv",
            Fun::BvUrem => "bvurem",
            Fun::BvSdiv => "bvsdiv",
            Fun::BvSrem => "bvsrem",
            Fun::BvSmod => "bvsmod",
            Fun::BvShl => "bvshl",
            Fun::BvLshr => "bvlshr",
            Fun::BvAshr => "bvashr",
            Fun::BvUlt => "bvult",
            Fun::BvUle => "bvule",
            Fun::BvSlt => "bvslt",
            Fun::BvSle => "bvsle",
            Fun::Concat => "concat",
            Fun::Neg | Fun::Sub => "-",
            Fun::Add => "+",
            Fun::Mul => "*",
            Fun::Lt => "<",
            Fun::Le => "<=",
            Fun::IntDiv => "div",
            Fun::IntMod => "mod",
            Fun::RealDiv => "/",
            Fun::ToReal => "to_real",
            Fun::ToInt => "to_int",
            Fun::IsInt => "is_int",
            Fun::UbvToInt => "ubv_to_int",
            Fun::SbvToInt => "sbv_to_int",
            Fun::Select => "select",
            Fun::Store => "store",
            Fun::Extract { high, low } => return write!(f, "(_ extract {high} {low})"),
            Fun::ZeroExtend(by) => return write!(f, "(_ zero_extend {by})"),
            Fun::SignExtend(by) => return write!(f, "(_ sign_extend {by})"),
            Fun::IntToBv(width) => return write!(f, "(_ int_to_bv {width})"),
            Fun::ConstArray(sort) => return write!(f, "(as const (Array {} {}))", sort.index, sort.element),
        };
        f.write_str(name)
    }
}
