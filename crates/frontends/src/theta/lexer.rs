//! From text to tokens.
//!
//! Which words are keywords depends on the language and on the place (a system may well have a
//! variable `loc`), so all words are words here and the parsers tell them apart.

use crate::lexing::{self, Trouble, comment};
use logos::Logos;
use tamis_ir::{Diagnostic, Span};

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

/// All tokens of a text, and what is wrong with it.
pub(super) fn tokens(text: &str, file: Span) -> (Vec<(Token<'_>, Span)>, Vec<Diagnostic>) {
    lexing::tokens(text, file, |character, span| {
        Diagnostic::error(span, format!("unexpected character `{character}`")).hint(instead(character))
    })
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
