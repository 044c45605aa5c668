//! Boolean programs: the language of SLAM's Bebop, read by Moped and Getafix, and of
//! SATABS's Boppo. Both dialects are accepted.
//!
//! # What a program means
//!
//! - All variables start with arbitrary values: globals at the start, locals at each call.
//! - Every `*` (or `?`) is chosen afresh each time it is evaluated; `schoose[p, n]` is 1 if
//!   `p`, else 0 if `n`, else chosen. `assume(*)` may pass, `assert(*)` may fail.
//! - `x, y := e, f` is parallel, `_` discards. `constrain r` keeps the steps that satisfy
//!   `r`, in which `'x` is the value after the step (for an `x` that is not assigned, its
//!   only value). As a statement, `constrain r` gives all variables any values that satisfy
//!   it: nothing is framed, as in Moped, so what should stay must be said (`'x = x`).
//! - `enforce e` holds in every state of its function: states that violate it at the entry,
//!   after a step or after the return of a call are cut off.
//! - `dead x` makes `x` arbitrary, `abortif e` stops where `e` holds, `print` does nothing.
//!   `dfs` is a hint to other tools. `goto` with several labels chooses.
//! - A function that ends without `return` returns arbitrary values.
//! - Precedence is that of Getafix and Moped; a warning says where SATABS would differ.
//! - Threads are refused.
//!
//! # How it is lowered
//!
//! Every variable is a `Bool`: `g`, `f::local`, and `f::return` (or `f::return.1`, ...) for
//! results. Helpers are `f::$n1`, ... for each `*` of a statement and `f::$d1`, ... for results
//! that are discarded. An edge has the place of its statement. No edge leads to an entry.
//!
//! # What can be asked
//!
//! `assert` (any assertion fails), `assert@12` (the one in line 12; `assert@12#2` the second
//! there), `L` (a label, in any function), `f:L` (the label of one function). The default is
//! `assert`; or the label `SLIC_ERROR` where there is one and no assertion; or, with both,
//! `assert+SLIC_ERROR`.
//!
//! # Files in order of reading
//!
//! `lexer`, `ast`, `parse` and `expression` (text to syntax tree), `flow` (control flow while
//! it is built), `formula` (expressions to terms), `statement` (statements to edges), `lower`
//! (declarations and properties). None of them recurses, so no input overflows the stack.

mod ast;
mod expression;
mod flow;
mod formula;
mod lexer;
mod lower;
mod parse;
mod statement;

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
    let table = sources.clone();
    let Some(text) = table.get(source).map(|source| source.text.as_str()) else {
        return Err(vec![Diagnostic::error(Span::default(), "this source is not in the table")]);
    };
    let file = Span { source, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    let (tokens, mut errors) = lexer::tokens(text, file);
    let parser = parse::parse(tokens, Span { start: file.end, ..file });
    errors.extend(parser.cursor.into_errors());
    if !errors.is_empty() {
        errors.sort_by_key(|error| error.span);
        errors.truncate(MAX_ERRORS);
        return Err(errors);
    }
    let mut lowered = lower::lower(terms, sources, file, &parser.program, parser.warnings)?;
    lowered.warnings.sort_by_key(|warning| warning.span);
    lower::shorten(&mut lowered.warnings, MAX_ERRORS);
    Ok(lowered)
}
