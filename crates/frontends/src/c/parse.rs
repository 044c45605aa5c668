//! Drives the parser, and turns its complaints into something to read.

use super::markers::Places;
use super::report::Problem;
use super::rewrite::{Rewritten, rewrite};
use super::tokens::{bound_depth, tokens};
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, parse_preprocessed};
use tamis_ir::Diagnostic;

/// A parsed text, with the way from its offsets to the user's places.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) unit: TranslationUnit,
    pub(super) rewritten: Rewritten,
    pub(super) warnings: Vec<Diagnostic>,
    /// The names that `#pragma weak` lists.
    pub(super) weak: Vec<String>,
}

/// Parses a clean text.
pub(super) fn parse(clean: &str, weak: Vec<String>, places: &Places) -> Result<Parsed, Vec<Diagnostic>> {
    let locate = |problem: Problem| {
        let span = places.span(problem.start, problem.end);
        problem.at(span)
    };
    let tokens = tokens(clean).map_err(|problems| problems.into_iter().map(locate).collect::<Vec<_>>())?;
    bound_depth(&tokens).map_err(|problem| vec![locate(problem)])?;
    let mut rewritten = rewrite(clean, &tokens);
    let (warnings, errors): (Vec<_>, Vec<_>) =
        std::mem::take(&mut rewritten.problems).into_iter().partition(|problem| problem.warning);
    if !errors.is_empty() {
        return Err(errors.into_iter().map(locate).collect());
    }
    match parse_preprocessed(&Config::with_gcc(), std::mem::take(&mut rewritten.text)) {
        Ok(parse) => {
            rewritten.text = parse.source;
            let warnings = warnings.into_iter().map(locate).collect();
            Ok(Parsed { unit: parse.unit, rewritten, warnings, weak })
        }
        Err(error) => {
            let at = rewritten.original(error.offset);
            let found = tokens.iter().find(|token| token.end() > at);
            let mut expected: Vec<&str> = error.expected.iter().copied().collect();
            expected.sort_unstable();
            Err(vec![locate(complaint(found.map(|token| (token.start, token.text)), clean.len(), &expected))])
        }
    }
}

/// What was found, and what could have been there, in a few words.
fn complaint(found: Option<(usize, &str)>, len: usize, expected: &[&str]) -> Problem {
    let has = |token: &str| expected.contains(&token);
    // The parser lists every token that could continue the text; people want to know the gist.
    let wanted = if has("+") && has("<<") && has(";") {
        Some("`;` or an operator")
    } else if has("+") && has("<<") && has(")") {
        Some("`)` or an operator")
    } else if has("+") && has("<<") {
        Some("an operator")
    } else if has("~") && has("!") {
        Some("an expression")
    } else if has(";") {
        Some("`;`")
    } else if has("<typedef_name>") {
        Some("a declaration")
    } else if has("[_a-zA-Z]") {
        Some("a name")
    } else {
        None
    };
    let (start, end, found) = match found {
        Some((start, text)) => (start, start + text.len(), format!("`{text}`")),
        None => (len, len, "the end of the text".to_owned()),
    };
    let message = match wanted {
        Some(wanted) => format!("found {found} where {wanted} was expected"),
        None => format!("{found} was not expected here"),
    };
    Problem::error(start, end, message).hint("look at the line before as well; type names must be declared first")
}
