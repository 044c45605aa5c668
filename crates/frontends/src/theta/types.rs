//! What both languages are made of besides expressions: words, names, types, declarations.

use super::ast::{Declared, Name};
use super::lexer::Token;
use super::operators::is_reserved;
use super::parse::Parser;
use crate::cursor::Refused;
use std::sync::Arc;
use tamis_ir::Diagnostic;
use tamis_ir::Span;
use tamis_term::{ArraySort, Sort};

/// How deep array types may nest: sorts are compared and shown by recursion.
const MAX_DIMENSIONS: u32 = 32;
/// The widest bit-vectors.
pub(super) const MAX_WIDTH: u32 = 65_536;

impl<'s> Parser<'s> {
    /// Whether the current token is that word.
    pub(super) fn at(&self, word: &str) -> bool {
        matches!(self.cursor.peek(), Some(Token::Word(found)) if *found == word)
    }

    /// Consumes the current token if it is that word.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let found = self.at(word);
        if found {
            self.cursor.advance();
        }
        found
    }

    /// Consumes that word.
    pub(super) fn expect(&mut self, word: &str) -> Result<Span, Refused> {
        let span = self.cursor.span();
        if self.eat(word) { Ok(span) } else { Err(self.cursor.expected(&format!("`{word}`"))) }
    }

    /// A name that is no keyword.
    pub(super) fn name(&mut self, what: &str) -> Result<Name<'s>, Refused> {
        let span = self.cursor.span();
        match self.cursor.peek().copied() {
            Some(Token::Word(text)) if is_reserved(text) || self.keywords.contains(&text) => {
                let error = Diagnostic::error(span, format!("expected {what}, but `{text}` is a keyword"));
                Err(self.cursor.refuse(error))
            }
            Some(Token::Word(text)) => {
                self.cursor.advance();
                Ok(Name { text, span })
            }
            _ => Err(self.cursor.expected(what)),
        }
    }

    /// `name : type`
    pub(super) fn declared(&mut self, what: &str) -> Result<Declared<'s>, Refused> {
        let name = self.name(what)?;
        self.cursor.expect(&Token::Colon, "`:` and a type")?;
        Ok(Declared { name, sort: self.sort(0)? })
    }

    /// `(a : int, b : bool)`, if it is there.
    pub(super) fn parameters(&mut self) -> Result<Vec<Declared<'s>>, Refused> {
        let mut list = Vec::new();
        if !self.cursor.eat(&Token::Open) || self.cursor.eat(&Token::Close) {
            return Ok(list);
        }
        loop {
            list.push(self.declared("a parameter")?);
            if !self.cursor.eat(&Token::Comma) {
                self.cursor.expect(&Token::Close, "`,` or `)` after the parameter")?;
                return Ok(list);
            }
        }
    }

    pub(super) fn sort(&mut self, depth: u32) -> Result<Sort, Refused> {
        let span = self.cursor.span();
        let refuse = |parser: &mut Self, what: &str| {
            Err(parser.cursor.refuse(Diagnostic::error(span, format!("{what} are not supported"))))
        };
        match self.cursor.peek().copied() {
            Some(Token::Word("bool" | "boolean")) => _ = self.cursor.advance(),
            Some(Token::Word("int" | "integer")) => {
                self.cursor.advance();
                return Ok(Sort::Int);
            }
            Some(Token::Word("rat" | "rational" | "real")) => {
                self.cursor.advance();
                return Ok(Sort::Real);
            }
            Some(Token::Word("bv")) => return self.width().map(Sort::BitVec),
            Some(Token::Word("fp")) => return refuse(self, "floating-point numbers"),
            Some(Token::Open) => return refuse(self, "functions"),
            Some(Token::OpenBracket) if depth >= MAX_DIMENSIONS => return refuse(self, "arrays of so many dimensions"),
            Some(Token::OpenBracket) => {
                self.cursor.advance();
                let index = self.sort(depth + 1)?;
                self.cursor.expect(&Token::CloseBracket, "`]` after the type of the index")?;
                self.cursor.expect(&Token::Arrow, "`->` and the type of the elements")?;
                let element = self.sort(depth + 1)?;
                return Ok(Sort::Array(Arc::new(ArraySort { index, element })));
            }
            _ => return Err(self.cursor.expected("a type")),
        }
        Ok(Sort::Bool)
    }

    /// `bv[n]`
    pub(super) fn width(&mut self) -> Result<u32, Refused> {
        self.expect("bv")?;
        self.cursor.expect(&Token::OpenBracket, "`[` and a width")?;
        let span = self.cursor.span();
        let Some(Token::Number(digits)) = self.cursor.peek().copied() else {
            return Err(self.cursor.expected("a width"));
        };
        let Some(width) = digits.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width)) else {
            let error = Diagnostic::error(span, format!("a width is a number from 1 to {MAX_WIDTH}"));
            return Err(self.cursor.refuse(error));
        };
        self.cursor.advance();
        self.cursor.expect(&Token::CloseBracket, "`]` after the width")?;
        Ok(width)
    }
}
