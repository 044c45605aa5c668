//! From text to tokens.
//!
//! The lexer follows the original tools where they agree: `T` and `F` are constants,
//! `{any text}` is an identifier with its braces, and SATABS's identifiers may contain `$`,
//! `#` and `-`. Characters that belong to no token are errors, and lexing goes on behind
//! them. Words that are keywords in one dialect only (`dead`, `print`, `sync`, ...) are
//! ordinary words here: the parser recognises them where a statement starts.

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
    #[token("begin")]
    Begin,
    #[token("end")]
    End,
    #[token("decl")]
    Decl,
    #[token("void")]
    Void,
    #[token("bool")]
    Bool,
    #[token("enforce")]
    Enforce,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("elsif")]
    Elsif,
    #[token("else")]
    Else,
    #[token("fi")]
    Fi,
    #[token("while")]
    While,
    #[token("do")]
    Do,
    #[token("od")]
    Od,
    #[token("skip")]
    Skip,
    #[token("goto")]
    Goto,
    #[token("return")]
    Return,
    #[token("assert")]
    Assert,
    #[token("assume")]
    Assume,
    #[token("constrain")]
    Constrain,
    #[token("schoose")]
    Schoose,
    #[token("T")]
    True,
    #[token("F")]
    False,
    #[token("*")]
    #[token("?")]
    Any,
    #[token(":=")]
    Gets,
    #[token("=>")]
    Implies,
    #[token("=")]
    Equal,
    #[token("!=")]
    Unequal,
    #[token("^")]
    Xor,
    #[token("|")]
    #[token("||")]
    Or,
    #[token("&")]
    #[token("&&")]
    And,
    #[token("!")]
    #[token("~")]
    Not,
    #[token("'")]
    Prime,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(",")]
    Comma,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[regex("[0-9]+")]
    Number(&'s str),
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$#-]*", priority = 1)]
    #[regex(r"\{[^{}\n]*\}")]
    Word(&'s str),
}

/// All tokens of a text, and what is wrong with it.
pub(super) fn tokens(text: &str, file: Span) -> (Vec<(Token<'_>, Span)>, Vec<Diagnostic>) {
    lexing::tokens(text, file, strange)
}

fn strange(character: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::error(span, format!("unexpected character `{character}`"));
    match character {
        "{" => Diagnostic::error(span, "this name never ends").hint("close it with `}` on the same line"),
        "-" | "+" | "/" => error.hint("all variables are Boolean: there is no arithmetic"),
        _ => error.hint("remove it"),
    }
}
