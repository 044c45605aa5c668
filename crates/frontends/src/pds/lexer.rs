//! From text to tokens. Names may begin with a digit, as in `S1 <l3 _>`, and have dots.

use crate::lexing::{self, Trouble};
use logos::Logos;
use tamis_ir::{Diagnostic, Span};

/// A token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = Trouble)]
#[logos(skip r"[ \t\r\n\x0b\x0c]+")]
#[logos(skip(r"(//|#|%)[^\n]*", allow_greedy = true))]
pub(super) enum Token<'s> {
    #[token("-->")]
    Arrow,
    #[token("->")]
    Implies,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("^")]
    #[token("^^")]
    Xor,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("=")]
    #[token("==")]
    #[token("<->")]
    #[token("<=>")]
    Equal,
    #[token("!=")]
    Differ,
    #[token("!")]
    #[token("~")]
    Not,
    #[token("'")]
    Prime,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[regex("\"[^\"\n]*\"")]
    Label,
    #[regex(r"[A-Za-z0-9_$][A-Za-z0-9_.$]*")]
    Word(&'s str),
}

/// All tokens of a text, and what is wrong with it.
pub(super) fn tokens(text: &str, file: Span) -> (Vec<(Token<'_>, Span)>, Vec<Diagnostic>) {
    lexing::tokens(text, file, |character, span| {
        let error = Diagnostic::error(span, format!("unexpected character `{character}`"));
        match character {
            "+" | "-" | "*" | "/" => error.hint("all variables are Boolean: there is no arithmetic"),
            "\\\"" => Diagnostic::error(span, "this label never ends").hint("close it with `\"` on the same line"),
            _ => error.hint("remove it"),
        }
    })
}
