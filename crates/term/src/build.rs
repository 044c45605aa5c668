//! Short names for the common applications. Each goes through [`Terms::app`] and
//! therefore simplifies.

use crate::fun::Fun;
use crate::sort::Sort;
use crate::terms::{Term, Terms};
use crate::value::Value;

/// Methods that apply one binary function each.
macro_rules! binary {
    ($($name:ident => $fun:ident),* $(,)?) => {
        /// Applications of one binary function each, under SMT-LIB's names.
        ///
        /// # Panics
        /// All of them, if the arguments have the wrong sorts.
        #[allow(missing_docs, clippy::missing_panics_doc, reason = "the names are SMT-LIB's; see above")]
        impl Terms {
            $(pub fn $name(&mut self, a: Term, b: Term) -> Term { self.app(Fun::$fun, &[a, b]) })*
        }
    };
}

binary! {
    xor => Xor, eq => Eq,
    bvand => BvAnd, bvor => BvOr, bvxor => BvXor, bvadd => BvAdd, bvsub => BvSub, bvmul => BvMul,
    bvudiv => BvUdiv, bvurem => BvUrem, bvsdiv => BvSdiv, bvsrem => BvSrem, bvsmod => BvSmod,
    bvshl => BvShl, bvlshr => BvLshr, bvashr => BvAshr,
    bvult => BvUlt, bvule => BvUle, bvslt => BvSlt, bvsle => BvSle, concat => Concat,
    add => Add, sub => Sub, mul => Mul, lt => Lt, le => Le,
    int_div => IntDiv, int_mod => IntMod, real_div => RealDiv, select => Select,
}

impl Terms {
    /// The constant true or false.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Value::Bool(value))
    }

    /// The bit-vector constant `value` modulo `2^width`.
    pub fn bv(&mut self, width: u32, value: u64) -> Term {
        self.constant(Value::bv(width, value))
    }

    /// The integer constant.
    pub fn int(&mut self, value: i64) -> Term {
        self.constant(Value::int(value))
    }

    /// The negation.
    pub fn not(&mut self, a: Term) -> Term {
        self.app(Fun::Not, &[a])
    }

    /// The conjunction, true if there is no argument.
    pub fn and(&mut self, args: &[Term]) -> Term {
        self.app(Fun::And, args)
    }

    /// The disjunction, false if there is no argument.
    pub fn or(&mut self, args: &[Term]) -> Term {
        self.app(Fun::Or, args)
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    /// `a` and `b` differ.
    pub fn distinct(&mut self, a: Term, b: Term) -> Term {
        let eq = self.eq(a, b);
        self.not(eq)
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.app(Fun::Ite, &[condition, then, otherwise])
    }

    /// The bits from `high` down to `low`.
    pub fn extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        self.app(Fun::Extract { high, low }, &[a])
    }

    /// `by` zero bits in front.
    pub fn zero_extend(&mut self, a: Term, by: u32) -> Term {
        self.app(Fun::ZeroExtend(by), &[a])
    }

    /// `by` copies of the sign bit in front.
    pub fn sign_extend(&mut self, a: Term, by: u32) -> Term {
        self.app(Fun::SignExtend(by), &[a])
    }

    /// The array with one cell replaced.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        self.app(Fun::Store, &[array, index, element])
    }

    /// The array of the given sort that holds `element` everywhere.
    ///
    /// # Panics
    /// If `sort` is no array sort over the element's sort.
    pub fn const_array(&mut self, sort: &Sort, element: Term) -> Term {
        let Sort::Array(array) = sort else { panic!("an array sort, not {sort}") };
        self.app(Fun::ConstArray(array.clone()), &[element])
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is no bit-vector.
    #[must_use]
    pub fn width(&self, a: Term) -> u32 {
        let Sort::BitVec(width) = self.sort(a) else { panic!("a bit-vector, not {}", self.sort(a)) };
        *width
    }
}
