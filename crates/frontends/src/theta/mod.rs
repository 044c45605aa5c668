//! The languages of the verification framework Theta: symbolic transition systems (`.system`)
//! and control-flow automata (`.cfa`, and `.theta` as `PLCverif` writes them).
//!
//! # What a system means
//!
//! Several `initial` constraints hold together, several `transition`s as well, and `invariant`s
//! hold in every state: a state that violates one does not exist. A variable that no initial
//! constraint mentions starts arbitrary; one whose next value `x'` no transition mentions is
//! arbitrary after every step. A `const` without a value is arbitrary and never changes. Asked
//! is whether the condition of `models G(…)` can be violated.
//!
//! # What an automaton means
//!
//! Variables start arbitrary. An edge does its statements in order and cannot be taken if an
//! assumption does not hold. Asked is whether an error location is reached.
//!
//! # What is refused
//!
//! Floating-point numbers, functions, quantifiers, `return`, more than one process, properties
//! of several systems. Nothing is skipped silently.
//!
//! # Files in order of reading
//!
//! `lexer`, `ast`, `operators`, `types` and `parse` (text to syntax tree of expressions),
//! `value` (expressions to terms), `system` and `machine` (the one language), `cfa` and
//! `automaton` (the other). Nothing recurses over the depth of an expression.

#![allow(clippy::wildcard_enum_match_arm, reason = "any token not named is not expected there")]

mod ast;
mod automaton;
mod cfa;
mod lexer;
mod machine;
mod operators;
mod parse;
mod system;
mod types;
mod value;

use crate::Lowered;
use crate::cursor::MAX_ERRORS;
use parse::Parser;
use std::sync::Arc;
use tamis_ir::{Diagnostic, SourceId, Sources, Span};
use tamis_term::Terms;

/// Lowers a symbolic transition system.
///
/// # Errors
/// At least one error that says what is wrong with the text.
pub fn lower_system(terms: &mut Terms, sources: Arc<Sources>, source: SourceId) -> Result<Lowered, Vec<Diagnostic>> {
    let table = sources.clone();
    let (mut parser, file, errors) = start(&table, source, system::KEYWORDS)?;
    let specification = system::parse(&mut parser);
    let (nodes, warnings) = finish(parser, errors)?;
    let machine = machine::machine(terms, &nodes, &specification, file).map_err(shorten)?;
    Ok(Lowered { program: machine.program(terms, sources), warnings })
}

/// Lowers a control-flow automaton.
///
/// # Errors
/// At least one error that says what is wrong with the text.
pub fn lower_cfa(terms: &mut Terms, sources: Arc<Sources>, source: SourceId) -> Result<Lowered, Vec<Diagnostic>> {
    let table = sources.clone();
    let (mut parser, file, errors) = start(&table, source, cfa::KEYWORDS)?;
    let automaton = cfa::parse(&mut parser);
    let (nodes, mut warnings) = finish(parser, errors)?;
    let program = automaton::program(terms, &nodes, &automaton, sources, file).map_err(shorten)?;
    if program.default.is_none() {
        let warning = Diagnostic::warning(file, "there is no error location, so nothing to check by default");
        warnings.push(warning.hint("write `error loc` before one, or name one with --label"));
    }
    Ok(Lowered { program, warnings })
}

/// A parser at the start of a text, the span of the text, and the errors of the lexer.
fn start<'s>(
    sources: &'s Sources,
    source: SourceId,
    keywords: &'static [&'static str],
) -> Result<(Parser<'s>, Span, Vec<Diagnostic>), Vec<Diagnostic>> {
    let Some(text) = sources.get(source).map(|source| source.text.as_str()) else {
        return Err(vec![Diagnostic::error(Span::default(), "this source is not in the table")]);
    };
    let file = Span { source, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    let (tokens, errors) = lexer::tokens(text, file);
    Ok((Parser::new(tokens, Span { start: file.end, ..file }, keywords), file, errors))
}

/// The nodes of all expressions and the warnings, unless there are errors.
fn finish(
    parser: Parser<'_>,
    mut errors: Vec<Diagnostic>,
) -> Result<(Vec<ast::Node<'_>>, Vec<Diagnostic>), Vec<Diagnostic>> {
    errors.extend(parser.cursor.into_errors());
    if errors.is_empty() {
        let mut warnings = parser.warnings;
        warnings.truncate(MAX_ERRORS);
        return Ok((parser.nodes, warnings));
    }
    Err(shorten(errors))
}

fn shorten(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.sort_by_key(|error| error.span);
    errors.truncate(MAX_ERRORS);
    errors
}
