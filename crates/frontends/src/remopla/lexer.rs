//! Tokens. Comments run to the end of the line after `#`, `%` or `//`, which is why the
//! language has no remainder operator.

use logos::Logos;
use tamis_ir::{Diagnostic, SourceId, Span};

/// A token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip(r"[ \t\r\n\f\u{feff}]+"))]
#[logos(skip(r"(#|%|//)[^\n]*", allow_greedy = true))]
#[allow(missing_docs, reason = "each variant is named after its text")]
pub enum Token<'s> {
    #[token("define")]
    Define,
    #[token("DEFAULT_INT_BITS")]
    DefaultIntBits,
    #[token("DEFAULT_SIGNED_INT_BITS")]
    DefaultSignedIntBits,
    #[token("bool")]
    Bool,
    #[token("int")]
    Int,
    #[token("unsigned")]
    Unsigned,
    #[token("signed")]
    Signed,
    #[token("enum")]
    Enum,
    #[token("struct")]
    Struct,
    #[token("void")]
    Void,
    #[token("init")]
    Init,
    #[token("module")]
    Module,
    #[token("if")]
    If,
    #[token("fi")]
    Fi,
    #[token("else")]
    Else,
    #[token("do")]
    Do,
    #[token("od")]
    Od,
    #[token("return")]
    Return,
    #[token("break")]
    Break,
    #[token("skip")]
    Skip,
    #[token("goto")]
    Goto,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("undef")]
    Undef,
    #[token("fork")]
    Fork,
    #[token("shared")]
    Shared,
    #[token("A", priority = 3)]
    All,
    #[token("E", priority = 3)]
    Exists,
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name(&'s str),
    #[regex("[0-9]+")]
    Number(&'s str),
    /// The name of a raw rule.
    #[regex("\"[^\"\n]*\"")]
    Text(&'s str),
    #[token("||")]
    OrOr,
    #[token("&&")]
    AndAnd,
    #[token("^^")]
    XorXor,
    #[token("!")]
    Not,
    #[token("<=>")]
    Iff,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("&")]
    And,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Divide,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token("==")]
    Equal,
    #[token("!=")]
    Differ,
    #[token(">=")]
    GreaterEqual,
    #[token(">")]
    Greater,
    #[token("=")]
    Becomes,
    #[token("'")]
    Prime,
    #[token("->")]
    Arrow,
    #[token("-->")]
    LongArrow,
    #[token("::")]
    Alternative,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenIndex,
    #[token("]")]
    CloseIndex,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
}

/// The words that cannot be names.
pub const KEYWORDS: &[&str] = &[
    "define",
    "DEFAULT_INT_BITS",
    "DEFAULT_SIGNED_INT_BITS",
    "bool",
    "int",
    "unsigned",
    "signed",
    "enum",
    "struct",
    "void",
    "init",
    "module",
    "if",
    "fi",
    "else",
    "do",
    "od",
    "return",
    "break",
    "skip",
    "goto",
    "true",
    "false",
    "undef",
    "fork",
    "shared",
    "A",
    "E",
];

/// The tokens of a text with their places, the empty place behind the last, and what is no
/// token (one error per run of such characters).
pub fn tokens(text: &str, source: SourceId) -> (Vec<(Token<'_>, Span)>, Span, Vec<Diagnostic>) {
    let place = |start: usize, end: usize| {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { source, start: offset(start), end: offset(end) }
    };
    let mut found = Vec::new();
    let mut errors: Vec<Diagnostic> = Vec::new();
    for (token, range) in Token::lexer(text).spanned() {
        let span = place(range.start, range.end);
        match (token, errors.last_mut()) {
            (Ok(token), _) => found.push((token, span)),
            (Err(()), Some(last)) if last.span.end == span.start => last.span.end = span.end,
            (Err(()), _) => errors.push(unknown(text, span)),
        }
    }
    (found, place(text.len(), text.len()), errors)
}

fn unknown(text: &str, span: Span) -> Diagnostic {
    if text.as_bytes().get(span.start as usize) == Some(&b'"') {
        return Diagnostic::error(span, "this text has no end").hint("close it with \" on the same line");
    }
    Diagnostic::error(span, "this character is not part of Remopla")
}
