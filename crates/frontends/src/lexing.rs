//! What lexers have in common: comments, lengths, and errors that do not repeat themselves.

use crate::cursor::MAX_ERRORS;
use logos::{Lexer, Logos};
use tamis_ir::{Diagnostic, Span};

/// How many bytes a name or a number may have: names become part of other names, and reading
/// long numbers takes quadratic time.
const MAX_LENGTH: usize = 1_000;

/// What can go wrong in a lexer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// A character that starts no token.
    #[default]
    Character,
    /// A comment without an end.
    Comment,
}

/// Skips to the end of a comment. A search, not a regular expression: many comments that
/// are opened and never closed would make the latter read the rest of the text for each.
pub(crate) fn comment<'s, T: Logos<'s, Source = str>>(lexer: &mut Lexer<'s, T>) -> Result<(), Trouble> {
    let rest = lexer.remainder();
    let end = rest.find("*/");
    lexer.bump(end.map_or(rest.len(), |at| at + 2));
    end.map_or(Err(Trouble::Comment), |_| Ok(()))
}

/// All tokens of a text of fewer than 4 GiB, and what is wrong with it. `file` is the span of
/// the whole text; `strange` says what is wrong with a character and what follows.
pub(crate) fn tokens<'s, T>(
    text: &'s str,
    file: Span,
    strange: impl Fn(&str, Span) -> Diagnostic,
) -> (Vec<(T, Span)>, Vec<Diagnostic>)
where
    T: Logos<'s, Source = str, Error = Trouble>,
    T::Extras: Default,
{
    let (mut tokens, mut errors): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for (token, range) in T::lexer(text).spanned() {
        let offset = |at: usize| u32::try_from(at).unwrap_or(file.end);
        let span = Span { start: offset(range.start), end: offset(range.end), ..file };
        match token {
            Ok(token) => {
                if range.len() > MAX_LENGTH && errors.len() < MAX_ERRORS {
                    let error = Diagnostic::error(span, format!("this is longer than {MAX_LENGTH} characters"));
                    errors.push(error.hint("shorten it"));
                }
                tokens.push((token, span));
            }
            // One error for a run of strange characters.
            Err(Trouble::Character) if errors.last().is_some_and(|last| last.span.end == span.start) => {
                if let Some(last) = errors.last_mut() {
                    last.span.end = span.end;
                }
            }
            Err(_) if errors.len() >= MAX_ERRORS => {}
            Err(Trouble::Character) => {
                let character: String = text[range].chars().take(1).flat_map(char::escape_default).collect();
                errors.push(strange(&character, span));
            }
            Err(Trouble::Comment) => {
                let opening = Span { end: span.start + 2, ..span };
                errors.push(Diagnostic::error(opening, "this comment never ends").hint("close it with `*/`"));
            }
        }
    }
    (tokens, errors)
}
