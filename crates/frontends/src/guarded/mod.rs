//! Guarded commands, the form of programs in Ball, Podelski, Rajamani, *Relative Completeness of
//! Abstraction Refinement for Software Model Checking* (TACAS 2002), section 2.
//!
//! ```text
//! control pc: l1, l2, error;
//! var x, y: int;
//! init pc = l1;
//! unsafe pc = error;
//!
//! c1: pc = l1 -> pc := l2, x := 0;
//! c2: pc = l2 & x >= 0 -> x := x + 1;
//! c3: pc = l2 & x < 0 -> pc := error;
//! ```
//!
//! # What a program means
//!
//! - A state gives every variable a value. A command can be carried out in the states in which its guard
//!   holds; it reads all right-hand sides first, then writes. What it does not mention keeps its value.
//! - Each command is deterministic; which one is carried out is not.
//! - The question is whether a state of `unsafe` can be reached from one of `init`.
//!
//! # How it is lowered
//!
//! The program counter, if there is one, is control: each of its values is a location, and a command becomes
//! an edge from every location at which its guard is not plainly false. So any engine may follow it. Without
//! one, there is one location.
//!
//! Files in order of reading: `lexer`, `parse` (to terms), `lower` (commands to edges).

mod lexer;
mod lower;
mod parse;

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
    let (parsed, more) = parse::parse(terms, tokens, file);
    errors.extend(more);
    if !errors.is_empty() {
        errors.sort_by_key(|error| error.span);
        errors.truncate(MAX_ERRORS);
        return Err(errors);
    }
    lower::lower(&parsed, terms, sources, file).map(|program| Lowered { program, warnings: Vec::new() })
}
