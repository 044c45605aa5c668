//! Remopla, the language of the model checker Moped (Kiefer, Schwoon, Suwimonteerabuth).
//!
//! Files in order of reading: `lexer`, `ast`, `parse`; `constants`, `types`, `names` (what is
//! declared); `number` (exact integers as bit-vectors), `lower` (statements to edges);
//! [`mod@print`] (the way back, from any finite program to text).
//!
//! What the text means, where it matters for verdicts:
//! - Arithmetic is exact. A value that does not fit the variable that it is stored in
//!   *blocks* the run, as in Moped. Division rounds towards zero; shifts to the right round
//!   down; `&`, `|` and `^` act on two's complement without end.
//! - Where a condition divides by zero, shifts by a negative distance or reads an array out
//!   of range, the smallest comparison around is false, and `else` is taken. A statement
//!   that does so blocks.
//! - Variables start with arbitrary values; those of enum types with legal ones.
//! - Arrays and structs are one variable per cell: `a[3]`, `m[1][2]`, `s.f`.
//! - `skip(b)` with primes keeps no variable that occurs with a prime, not even those cells of
//!   an array that `b` does not name. Raw rules keep nothing that they do not say.
//! - Two parallel assignments to one cell must agree, or the statement blocks.
//! - A jump stays in its module; labels belong to their module, types and constants to the
//!   whole text.

mod ast;
mod constants;
mod lexer;
mod lower;
mod names;
mod number;
mod parse;
pub mod print;
mod report;
mod types;

use crate::Lowered;
use std::sync::Arc;
use tamis_ir::{Diagnostic, SourceId, Sources, Span};
use tamis_term::Terms;

/// Lowers one text of the table.
///
/// # Errors
/// What is wrong with the text, in its order; at least one error.
pub fn lower(terms: &mut Terms, sources: Arc<Sources>, source: SourceId) -> Result<Lowered, Vec<Diagnostic>> {
    let held = Arc::clone(&sources);
    let Some(text) = held.get(source).map(|source| source.text.as_str()) else {
        let span = Span { source, start: 0, end: 0 };
        return Err(vec![Diagnostic::error(span, "there is no such source text")]);
    };
    let file = parse::parse(text, source)?;
    lower::lower(&file, terms, sources)
}
