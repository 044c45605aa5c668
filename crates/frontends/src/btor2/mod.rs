//! BTOR2 (Niemetz, Preiner, Wolf, Biere, *Btor2, `BtorMC` and Boolector 3.0*, CAV 2018): circuits of
//! words and arrays, one node per line.
//!
//! # What a circuit means
//!
//! - A state without `init` starts arbitrary, one without `next` is arbitrary after every step.
//!   `init` may read states of smaller numbers, at their initial values, but no input. An array is
//!   initialised by another, or by a word that all its elements have.
//! - Operators are SMT-LIB's, also where a divisor is zero. `rol` and `ror` turn by the amount
//!   modulo the width.
//! - Constraints hold in every step up to and including the one in which the error is seen.
//! - Bad conditions are the properties `b0`, `b1`, …; the default is all of them together.
//! - `output` is read and says nothing. `justice` and `fair` are not checked: a warning where there
//!   is something else to check, an error otherwise.
//!
//! # How it is lowered
//!
//! As a [`Machine`](tamis_ir::system::machine::Machine). A word of one bit is a `Bool`, because
//! most of them are conditions: connectives and comparisons then need no conversion, and formulas
//! read as such. It is converted (`ite(b, 1, 0)` and `x = 1`, which undo each other) where it is a
//! part of a wider word, where arithmetic more than an exclusive or is done with it, and in arrays,
//! whose elements and indices are always bit-vectors. Variables have the symbols of the file, or
//! `state0`, …, `main::input0`, … by position.
//!
//! The parser is our own: that of `patronus` does not give the place of every error, and knows
//! neither the operators of overflow nor arrays that a word initialises.
//!
//! # Files in order of reading
//!
//! `line` (words with their places), `node` (sorts, and terms with them), `operators` (what the
//! operators mean), `lower` (lines to a machine).

mod line;
mod lower;
mod node;
mod operators;

use crate::Lowered;
use std::sync::Arc;
use tamis_ir::{Diagnostic, SourceId, Sources, Span};
use tamis_term::Terms;

/// Lowers one text of the table.
///
/// # Errors
/// At least one error that says what is wrong with the text.
pub fn lower(terms: &mut Terms, sources: Arc<Sources>, source: SourceId) -> Result<Lowered, Vec<Diagnostic>> {
    let table = sources.clone();
    let Some(text) = table.get(source).map(|source| source.text.as_str()) else {
        return Err(vec![Diagnostic::error(Span::default(), "this source is not in the table")]);
    };
    let mut lowering = lower::Lowering::new(terms);
    let mut first = None;
    for line in line::lines(text, source) {
        first.get_or_insert(line.span());
        lowering.line(&line).map_err(|error| vec![error])?;
    }
    let first = first.unwrap_or(Span { source, start: 0, end: 0 });
    let (machine, warnings) = lowering.finish(first).map_err(|error| vec![error])?;
    Ok(Lowered { program: machine.program(terms, sources), warnings })
}
