//! From text to tokens.
//!
//! Which words are keywords depends on the language and on the place (a system may well have a
//! variable `loc`), so all words are words here and the parsers tell them apart.

use crate::cursor::MAX_ERRORS;
use logos::{Lexer, Logos};
use tamis_ir::{Diagnostic, Span};

/// How many bytes a name or a number may have: names become part of other names, and reading
/// long numbers takes quadratic time.
const MAX_LENGTH: usize = 1_000;

/// A token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = Trouble)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[logos(skip(r"/\*", comment))]
pub(super) enum Token<'s> {
    #[token(":=")]
    Gets,
    #[token("->")]
    Arrow,
    #[token("<-")]
    Write,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("/=")]
    Unequal,
    #[token("=")]
    Equal,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("++")]
    Concat,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("'")]
    Prime,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[regex("[0-9]+")]
    Number(&'s str),
    /// `4'b0101`, `4'd5`, `4'd-3`, `8'xff`
    #[regex("[0-9]+'b[01]+")]
    #[regex("[0-9]+'d[+-]?[0-9]+")]
    #[regex("[0-9]+'x[0-9a-fA-F]+")]
    Bits(&'s str),
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word(&'s str),
}

/// What can go wrong in the lexer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A character that starts no token.
    #[default]
    Character,
    /// A comment without an end.
    Comment,
}

/// Skips to the end of a comment, by a search that reads the rest of the text only once.
fn comment<'s>(lexer: &mut Lexer<'s, Token<'s>>) -> Result<(), Trouble> {
    let rest = lexer.remainder();
    let end = rest.find("*/");
    lexer.bump(end.map_or(rest.len(), |at| at + 2));
    end.map_or(Err(Trouble::Comment), |_| Ok(()))
}

/// All tokens of a text of fewer than 4 GiB, and what is wrong with it. `file` is the span of
/// the whole text.
pub(super) fn tokens(text: &str, file: Span) -> (Vec<(Token<'_>, Span)>, Vec<Diagnostic>) {
    let (mut tokens, mut errors): (_, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for (token, range) in Token::lexer(text).spanned() {
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
                errors.push(
                    Diagnostic::error(span, format!("unexpected character `{character}`")).hint(instead(&character)),
                );
            }
            Err(Trouble::Comment) => {
                let opening = Span { end: span.start + 2, ..span };
                errors.push(Diagnostic::error(opening, "this comment never ends").hint("close it with `*/`"));
            }
        }
    }
    (tokens, errors)
}

/// What to write instead of a character that other languages have.
fn instead(character: &str) -> &'static str {
    match character {
        "!" => "write `not`, and `/=` for unequal",
        "&" => "write `and`",
        "|" => "write `or`",
        _ => "remove it",
    }
}
