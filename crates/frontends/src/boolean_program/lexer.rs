//! From text to tokens.
//!
//! The lexer follows the original tools where they agree: `T` and `F` are constants,
//! `{any text}` is an identifier with its braces, and SATABS's identifiers may contain `$`,
//! `#` and `-`. Characters that belong to no token are errors, and lexing goes on behind
//! them. Words that are keywords in one dialect only (`dead`, `print`, `sync`, ...) are
//! ordinary words here: the parser recognises them where a statement starts.

use crate::cursor::MAX_ERRORS;
use logos::{Lexer, Logos};
use tamis_ir::{Diagnostic, Span};

/// How many bytes a name may have. A function's name is part of its variables' names, so long
/// ones would make a short text large.
const MAX_NAME: usize = 1_000;

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

/// What can go wrong in the lexer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A character that starts no token.
    #[default]
    Character,
    /// A comment without an end.
    Comment,
}

/// Skips to the end of a comment. A search, not a regular expression: many comments that
/// are opened and never closed would make the latter read the rest of the text for each.
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
            Ok(Token::Word(name)) if name.len() > MAX_NAME && errors.len() < MAX_ERRORS => {
                let error = Diagnostic::error(span, format!("this name is longer than {MAX_NAME} characters"));
                errors.push(error.hint("shorten it"));
            }
            Ok(token) => tokens.push((token, span)),
            // One error for a run of strange characters.
            Err(Trouble::Character) if errors.last().is_some_and(|last| last.span.end == span.start) => {
                if let Some(last) = errors.last_mut() {
                    last.span.end = span.end;
                }
            }
            Err(_) if errors.len() >= MAX_ERRORS => {}
            Err(Trouble::Character) => errors.push(strange(&text[range], span)),
            Err(Trouble::Comment) => {
                let opening = Span { end: span.start + 2, ..span };
                errors.push(Diagnostic::error(opening, "this comment never ends").hint("close it with `*/`"));
            }
        }
    }
    (tokens, errors)
}

fn strange(slice: &str, span: Span) -> Diagnostic {
    let character: String = slice.chars().take(1).flat_map(char::escape_default).collect();
    let error = Diagnostic::error(span, format!("unexpected character `{character}`"));
    match character.as_str() {
        "{" => Diagnostic::error(span, "this name never ends").hint("close it with `}` on the same line"),
        "-" | "+" | "/" => error.hint("all variables are Boolean: there is no arithmetic"),
        _ => error.hint("remove it"),
    }
}
