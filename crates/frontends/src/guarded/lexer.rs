//! From text to tokens.

use crate::lexing::{self, Trouble};
use logos::Logos;
use tamis_ir::{Diagnostic, Span};

/// A token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = Trouble)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip(r"(//|#)[^\n]*", allow_greedy = true))]
pub(super) enum Token<'s> {
    #[token("->")]
    Arrow,
    #[token(":=")]
    Becomes,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("!")]
    Not,
    #[token("=")]
    #[token("==")]
    Equal,
    #[token("!=")]
    Differ,
    #[token("<")]
    Less,
    #[token("<=")]
    AtMost,
    #[token(">")]
    Greater,
    #[token(">=")]
    AtLeast,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[regex("[0-9]+")]
    Number(&'s str),
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Word(&'s str),
}

/// All tokens of a text, and what is wrong with it.
pub(super) fn tokens(text: &str, file: Span) -> (Vec<(Token<'_>, Span)>, Vec<Diagnostic>) {
    lexing::tokens(text, file, |character, span| {
        let error = Diagnostic::error(span, format!("unexpected character `{character}`"));
        match character {
            "/" | "%" => error.hint("there is no division; comments begin with `//` or `#`"),
            "\\'" => error.hint("the value after a command is what `:=` says: primes are not written"),
            _ => error.hint("remove it"),
        }
    })
}
