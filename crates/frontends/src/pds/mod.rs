//! Rules of a symbolic pushdown system, as Moped reads them from `.pds` files (Schwoon, *Model-Checking
//! Pushdown Systems*, 2002).
//!
//! ```text
//! global bool g;
//! local (m0, m1, f0) bool x;
//!
//! (q <m0>)
//!
//! q <m0> --> q <f0 m1>  "call f"  (g' = g & x' = !x & x'' = x)
//! q <f0> --> q <>                 (g' = x)
//! q <m1> --> q <error>            (g & g' & x' = x)
//! ```
//!
//! # What a system means
//!
//! - A *head* is a control state and the symbol on top of the stack. A rule replaces the symbol by none, one
//!   or two others, if its relation holds: `x` is a value before the step, `x'` after it, in the frame of the
//!   first symbol behind the arrow, and `x''` in that of the second. A rule without a relation can do
//!   anything.
//! - Nothing is kept that a relation does not keep, as in Moped and in Remopla's raw rules.
//! - `local (…)` declares variables of the frames of these symbols. A frame of any other symbol has none.
//! - All variables start with arbitrary values. Where the stack is empty or no rule applies, the run ends.
//! - Variables are Boolean; numbers and arrays are refused.
//!
//! # How it is lowered
//!
//! What a rule pushes first is a procedure, and the heads that can follow each other without a push are its
//! locations; the stack below stays the caller's. So a symbol has a location in every procedure that it
//! occurs in. The control state is part of the location; only what a callee returned with is a variable,
//! `$state`, if there are several.
//!
//! # What can be asked
//!
//! `s` (symbol `s` is on top of the stack), `p:s` (and `p` is the control state). The default is the symbol
//! `error`, where there is one.
//!
//! Files in order of reading: `lexer`, `ast`, `parse`, `names` (what is declared), `relation`
//! (relations as terms), `lower` (rules to procedures).

mod ast;
mod lexer;
mod lower;
mod names;
mod parse;
mod relation;

use crate::Lowered;
use crate::cursor::MAX_ERRORS;
use std::sync::Arc;
use tamis_ir::{Diagnostic, SourceId, Sources, Span};
use tamis_term::Terms;

/// Lowers one text of the table.
///
/// # Errors
/// At least one error that says what is wrong with the text.
pub fn lower(terms: &mut Terms, sources: Arc<Sources>, source: SourceId) -> Result<Lowered, Vec<Diagnostic>> {
    let table = Arc::clone(&sources);
    let Some(text) = table.get(source).map(|source| source.text.as_str()) else {
        let span = Span { source, start: 0, end: 0 };
        return Err(vec![Diagnostic::error(span, "there is no such source text")]);
    };
    let file = Span { source, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    let (tokens, mut errors) = lexer::tokens(text, file);
    let (system, more) = parse::parse(tokens, Span { start: file.end, ..file });
    errors.extend(more);
    match system {
        Some(system) if errors.is_empty() => lower::lower(&system, terms, sources),
        _ => {
            errors.sort_by_key(|error| error.span);
            errors.truncate(MAX_ERRORS);
            Err(errors)
        }
    }
}
