//! Terms: hash-consed formulas and expressions over Booleans, bit-vectors, integers,
//! rationals and arrays. This crate knows no solver.
//!
//! Files in order of reading: [`sort`], [`bitvec`], [`value`], [`pack`] (values as bits),
//! [`fun`] (function symbols), [`semantics`] (what they mean), [`terms`] (the arena),
//! `simplify` (applied to every application), `build` (short constructors), `marks` (sets
//! and maps of terms), [`substitution`] (what variables stand for), [`walk`] (replacing them,
//! variables, size), [`code`] (evaluation), [`smtlib`] (printing and reading), [`c`] (C
//! expressions), `stop` (when to give up).

pub mod bitvec;
mod build;
pub mod c;
pub mod code;
pub mod fun;
mod marks;
pub mod pack;
pub mod semantics;
mod simplify;
pub mod smtlib;
pub mod sort;
mod stop;
pub mod substitution;
pub mod terms;
pub mod value;
pub mod walk;

pub use bitvec::BitVec;
pub use code::Code;
pub use fun::{Fun, SortError};
pub use smtlib::{ReadError, Reader};
pub use sort::{ArraySort, Sort};
pub use stop::StopSignal;
pub use substitution::{Replacements, Substitution};
pub use terms::{Node, Term, Terms, Var};
pub use value::{ArrayValue, Value};
