//! Types, variables and modules.

use super::{Parser, starts_type};
use crate::cursor::Refused;
use crate::remopla::ast::{Base, BaseKind, Body, Declaration, Declarator, Dim, Module, Name, Suffix};
use crate::remopla::lexer::Token;
use tamis_ir::Diagnostic;

impl<'s> Parser<'s> {
    /// `[shared] type var, …;` or `type;`
    pub(super) fn declaration(&mut self) -> Result<Declaration<'s>, Refused> {
        if self.cursor.peek() == Some(&Token::Shared) {
            let error =
                Diagnostic::error(self.cursor.span(), "`shared` variables of several threads are not supported")
                    .hint("remove `shared` if the program has one thread");
            self.cursor.refuse(error);
            self.cursor.advance();
        }
        let base = self.base()?;
        let mut vars = Vec::new();
        let only_type = matches!(&base.kind, BaseKind::Enum(_, Some(_)) | BaseKind::Struct(_, Some(_)));
        if !(only_type && self.cursor.peek() == Some(&Token::Semicolon)) {
            vars.push(self.declarator()?);
            while self.cursor.eat(&Token::Comma) {
                vars.push(self.declarator()?);
            }
        }
        self.cursor.expect(&Token::Semicolon, "`;` after the declaration")?;
        Ok(Declaration { base, vars })
    }

    /// `bool`, `int`, `unsigned int`, `enum …` or `struct …`
    fn base(&mut self) -> Result<Base<'s>, Refused> {
        let span = self.cursor.span();
        let kind = match self.cursor.peek() {
            Some(Token::Bool) => {
                self.cursor.advance();
                BaseKind::Bool
            }
            Some(Token::Int) => {
                self.cursor.advance();
                BaseKind::Int
            }
            Some(Token::Unsigned) => {
                self.cursor.advance();
                self.cursor.expect(&Token::Int, "`int` after `unsigned`")?;
                BaseKind::Int
            }
            Some(Token::Signed) => {
                let error = Diagnostic::error(span, "`signed int` is not supported")
                    .hint("use `int`, whose values are never negative; expressions may be");
                self.cursor.refuse(error);
                self.cursor.advance();
                self.cursor.eat(&Token::Int);
                BaseKind::Int
            }
            Some(Token::Enum) => {
                self.cursor.advance();
                let (name, constants) = self.type_parts("enum", Self::enum_body)?;
                BaseKind::Enum(name, constants)
            }
            Some(Token::Struct) => {
                self.cursor.advance();
                let (name, fields) = self.type_parts("struct", Self::struct_body)?;
                BaseKind::Struct(name, fields)
            }
            _ => return Err(self.cursor.expected("a type: `bool`, `int`, `enum` or `struct`")),
        };
        Ok(Base { kind, span: span.to(self.cursor.previous()) })
    }

    /// The name, the body, or both, of an enum or a struct.
    fn type_parts<B>(
        &mut self,
        what: &str,
        body: fn(&mut Self) -> Result<B, Refused>,
    ) -> Result<(Option<Name<'s>>, Option<B>), Refused> {
        let named = matches!(self.cursor.peek(), Some(Token::Name(_)));
        let name = if named { Some(self.name("a name")?) } else { None };
        if self.cursor.eat(&Token::OpenBrace) {
            self.cursor.descend()?;
            let parsed = body(self);
            self.cursor.ascend();
            return Ok((name, Some(parsed?)));
        }
        if name.is_none() {
            return Err(self.cursor.expected(&format!("a name or `{{` after `{what}`")));
        }
        Ok((name, None))
    }

    fn enum_body(&mut self) -> Result<Vec<Name<'s>>, Refused> {
        let mut constants = vec![self.name("a constant of the enum")?];
        while self.cursor.eat(&Token::Comma) {
            constants.push(self.name("a constant of the enum")?);
        }
        self.cursor.expect(&Token::CloseBrace, "`,` or `}` after the constant")?;
        Ok(constants)
    }

    fn struct_body(&mut self) -> Result<Vec<Declaration<'s>>, Refused> {
        let mut fields = Vec::new();
        while self.cursor.peek().is_some_and(starts_type) {
            fields.push(self.declaration()?);
        }
        self.cursor.expect(&Token::CloseBrace, "a field or `}`")?;
        Ok(fields)
    }

    fn declarator(&mut self) -> Result<Declarator<'s>, Refused> {
        let name = self.name("the name of a variable")?;
        Ok(Declarator { name, suffix: self.suffix()? })
    }

    /// `[dim[dim]] [(bits)]`
    fn suffix(&mut self) -> Result<Suffix<'s>, Refused> {
        let mut suffix = Suffix::default();
        while self.cursor.peek() == Some(&Token::OpenIndex) {
            let start = self.cursor.span();
            if suffix.dims.len() == 2 {
                let error = Diagnostic::error(start, "an array has at most two dimensions");
                return Err(self.cursor.refuse(error));
            }
            self.cursor.advance();
            let first = self.constant()?;
            let dim = if self.cursor.eat(&Token::Comma) { (Some(first), self.constant()?) } else { (None, first) };
            let end = self.cursor.expect(&Token::CloseIndex, "`]`")?;
            suffix.dims.push(Dim { low: dim.0, high: dim.1, span: start.to(end) });
        }
        if self.cursor.eat(&Token::Open) {
            suffix.bits = Some(self.constant()?);
            self.cursor.expect(&Token::Close, "`)` after the number of bits")?;
        }
        Ok(suffix)
    }

    /// A module or a prototype.
    pub(super) fn module(&mut self) -> Result<Module<'s>, Refused> {
        let start = self.cursor.span();
        self.cursor.advance();
        let result = if self.cursor.eat(&Token::Void) {
            None
        } else {
            let base = self.base()?;
            Some((base, self.suffix()?))
        };
        let name = self.name("the name of the module")?;
        self.cursor.expect(&Token::Open, "`(` and the parameters")?;
        let mut params = Vec::new();
        if !self.cursor.eat(&Token::Close) {
            loop {
                let base = self.base()?;
                params.push((base, self.declarator()?));
                if !self.cursor.eat(&Token::Comma) {
                    break;
                }
            }
            self.cursor.expect(&Token::Close, "`,` or `)` after the parameter")?;
        }
        let span = start.to(self.cursor.previous());
        let body = if self.cursor.eat(&Token::Semicolon) { None } else { Some(self.body()?) };
        Ok(Module { name, result, params, body, span })
    }

    fn body(&mut self) -> Result<Body<'s>, Refused> {
        self.cursor.expect(&Token::OpenBrace, "`{` and the body, or `;` after a prototype")?;
        let mut locals = Vec::new();
        let mut statements = Vec::new();
        loop {
            let Some(token) = self.cursor.peek().copied() else {
                return Err(self.cursor.expected("`}` at the end of the module"));
            };
            if token == Token::CloseBrace {
                let end = self.cursor.span();
                self.cursor.advance();
                return Ok(Body { locals, statements, end });
            }
            if token == Token::Module || token == Token::Init {
                return Err(self.cursor.expected("`}` at the end of the module before"));
            }
            if starts_type(&token) {
                if !statements.is_empty() {
                    let error = Diagnostic::error(self.cursor.span(), "a declaration behind a statement")
                        .hint("declare local variables where the body starts");
                    self.cursor.refuse(error);
                }
                match self.declaration() {
                    Ok(declaration) => locals.push(declaration),
                    Err(Refused) => self.end_of_statement(),
                }
            } else {
                self.statement_into(&mut statements);
            }
        }
    }
}
