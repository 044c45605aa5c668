//! SMT-LIB 2: terms, sorts and values as text, and back.
//!
//! Files in order of reading: `symbol` (names as symbols), `print`, `lex` (tokens),
//! `ops` (what each function name lowers to), `read`.
//!
//! Reading is total: no input makes it panic, overflow the stack or take more than time
//! linear in its length. What would (a bit-vector of four billion bits, a number of a million
//! digits) is refused with a located error; the limits are the constants below.

mod lex;
mod ops;
mod print;
mod read;
mod symbol;

pub use lex::{ReadError, Reader};
pub use print::Smtlib;
pub use symbol::{decode, encode};

/// The widest bit-vector that is read.
pub const MAX_WIDTH: u32 = 1 << 20;

/// The longest decimal number that is read, because computing with long ones is not linear.
pub const MAX_DIGITS: usize = 10_000;

/// The largest sort that is read, counted in `Array`s and the sorts in them.
pub const MAX_SORT_SIZE: usize = 256;
