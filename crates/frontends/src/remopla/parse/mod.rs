//! From tokens to the syntax tree, by recursive descent; names are resolved later, so
//! nothing needs to be declared before its use.
//!
//! Files in order of reading: this one (a whole text), `declaration`, `statement`,
//! `expression`. After an error the parser goes on with the next statement or the next item
//! of the text.

mod declaration;
mod expression;
mod statement;

use super::ast::{Define, File, Name};
use super::lexer::{KEYWORDS, Token, tokens};
use crate::cursor::{Cursor, Refused};
use tamis_ir::{Diagnostic, SourceId, Span};

/// Parses a text.
///
/// # Errors
/// All that is wrong with it, as far as errors do not hide others.
pub fn parse(text: &str, source: SourceId) -> Result<File<'_>, Vec<Diagnostic>> {
    let (tokens, end, mut errors) = tokens(text, source);
    let mut parser = Parser { cursor: Cursor::new(tokens, end) };
    let file = parser.file();
    errors.extend(parser.cursor.into_errors());
    if errors.is_empty() { Ok(file) } else { Err(errors) }
}

/// Tokens and a place among them.
pub(super) struct Parser<'s> {
    pub(super) cursor: Cursor<Token<'s>>,
}

impl<'s> Parser<'s> {
    fn file(&mut self) -> File<'s> {
        let mut file = File { start: self.cursor.span(), ..File::default() };
        while let Some(token) = self.cursor.peek() {
            let (token, start) = (*token, self.cursor.span());
            if self.item(token, &mut file).is_err() {
                if starts_type(&token) || token == Token::Shared {
                    self.end_of_statement();
                } else if token == Token::Define {
                    self.cursor.skip_until(|token| starts_item(token) || starts_type(token));
                } else {
                    self.cursor.skip_until(starts_item);
                }
                if self.cursor.span() == start {
                    self.cursor.advance();
                }
            }
        }
        file
    }

    fn item(&mut self, token: Token<'s>, file: &mut File<'s>) -> Result<(), Refused> {
        if token == Token::Define {
            file.defines.push(self.define()?);
        } else if token == Token::Module {
            file.modules.push(self.module()?);
        } else if token == Token::Init {
            let init = self.init()?;
            if file.init.is_some() {
                let error = Diagnostic::error(init.0, "a second `init`").hint("list all symbols in the first one");
                return Err(self.cursor.refuse(error));
            }
            file.init = Some(init);
        } else if starts_type(&token) || token == Token::Shared {
            file.globals.push(self.declaration()?);
        } else if token == Token::CloseBrace {
            return Err(self.cursor.expected("a declaration or a module, for no `{` is open"));
        } else if token != Token::Semicolon || !self.cursor.eat(&Token::Semicolon) {
            self.statement_into(&mut file.statements);
        }
        Ok(())
    }

    /// `define NAME value`, with a semicolon or without.
    fn define(&mut self) -> Result<Define<'s>, Refused> {
        self.cursor.advance();
        let span = self.cursor.span();
        let name = if self.cursor.eat(&Token::DefaultIntBits) {
            Name { text: "DEFAULT_INT_BITS", span }
        } else if self.cursor.eat(&Token::DefaultSignedIntBits) {
            Name { text: "DEFAULT_SIGNED_INT_BITS", span }
        } else {
            self.name("the name of a constant")?
        };
        let value = self.constant()?;
        self.cursor.eat(&Token::Semicolon);
        Ok(Define { name, value })
    }

    /// `init a b c;`
    fn init(&mut self) -> Result<(Span, Vec<Name<'s>>), Refused> {
        let span = self.cursor.span();
        self.cursor.advance();
        let mut names = vec![self.name("the module to start with")?];
        while matches!(self.cursor.peek(), Some(Token::Name(_))) {
            names.push(self.name("a module")?);
        }
        self.cursor.expect(&Token::Semicolon, "`;` after the initial stack")?;
        Ok((span, names))
    }

    /// A name, or the complaint that `what` was expected.
    fn name(&mut self, what: &str) -> Result<Name<'s>, Refused> {
        let span = self.cursor.span();
        if let Some(Token::Name(text)) = self.cursor.peek() {
            let text = *text;
            self.cursor.advance();
            return Ok(Name { text, span });
        }
        Err(self.cursor.expected(what))
    }
}

/// Whether a type starts with this token.
fn starts_type(token: &Token<'_>) -> bool {
    matches!(token, Token::Bool | Token::Int | Token::Unsigned | Token::Signed | Token::Enum | Token::Struct)
}

/// Whether a new item of the text starts for certain with this token.
fn starts_item(token: &Token<'_>) -> bool {
    matches!(token, Token::Define | Token::Module | Token::Init)
}

/// Whether the word can be a name.
#[must_use]
pub fn is_name(word: &str) -> bool {
    let mut letters = word.bytes();
    letters.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && letters.all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !KEYWORDS.contains(&word)
}
