//! Statements.

use super::Parser;
use crate::cursor::Refused;
use crate::remopla::ast::{
    Alternative, Assign, AssignKind, Call, Lval, Name, Quantifier, Rule, Statement, Stmt, Value,
};
use crate::remopla::lexer::Token;
use tamis_ir::Diagnostic;

impl<'s> Parser<'s> {
    /// Parses one statement, or skips to where the next may start.
    pub(super) fn statement_into(&mut self, statements: &mut Vec<Statement<'s>>) {
        let start = self.cursor.span();
        if let Ok(statement) = self.statement() {
            statements.push(statement);
            return;
        }
        self.end_of_statement();
        if self.cursor.span() == start {
            self.cursor.advance();
        }
    }

    /// Skips the rest of a statement that has an error.
    pub(super) fn end_of_statement(&mut self) {
        self.cursor.skip_until(|token| {
            matches!(
                token,
                Token::Semicolon
                    | Token::Alternative
                    | Token::Fi
                    | Token::Od
                    | Token::CloseBrace
                    | Token::Module
                    | Token::Init
                    | Token::Define
            )
        });
        self.cursor.eat(&Token::Semicolon);
    }

    fn statement(&mut self) -> Result<Statement<'s>, Refused> {
        let labelled = matches!(self.cursor.peek(), Some(Token::Name(_))) && self.ahead(1, Token::Colon);
        let label = if labelled {
            let name = self.name("a label")?;
            self.cursor.advance();
            if self.cursor.peek() == Some(&Token::Becomes) {
                let error = Diagnostic::error(self.cursor.span(), "expected a statement").hint("assign with `=` alone");
                return Err(self.cursor.refuse(error));
            }
            Some(name)
        } else {
            None
        };
        let start = self.cursor.span();
        let kind = self.statement_kind()?;
        let (span, ends_itself) = match kind {
            Stmt::If(_) | Stmt::Do(_) => (start, true),
            Stmt::Rule(_) => (start.to(self.cursor.previous()), true),
            Stmt::Skip(_) | Stmt::Assign(_) | Stmt::Call(_) | Stmt::Return(_) | Stmt::Goto(..) | Stmt::Break => {
                (start.to(self.cursor.previous()), false)
            }
        };
        if !self.cursor.eat(&Token::Semicolon) && !ends_itself {
            // The error is recorded; the statement itself is fine.
            self.cursor.expected("`;` after the statement");
        }
        Ok(Statement { label, kind, span })
    }

    fn ahead(&self, places: usize, token: Token<'s>) -> bool {
        self.cursor.peek_at(places) == Some(&token)
    }

    fn statement_kind(&mut self) -> Result<Stmt<'s>, Refused> {
        let span = self.cursor.span();
        match self.cursor.peek() {
            Some(Token::If) => Ok(Stmt::If(self.alternatives(Token::Fi, "`fi`")?)),
            Some(Token::Do) => Ok(Stmt::Do(self.alternatives(Token::Od, "`od`")?)),
            Some(Token::Skip) => {
                self.cursor.advance();
                if !self.cursor.eat(&Token::Open) {
                    return Ok(Stmt::Skip(None));
                }
                let condition = self.expression()?;
                self.cursor.expect(&Token::Close, "`)` after the condition")?;
                Ok(Stmt::Skip(Some(condition)))
            }
            Some(Token::Break) => {
                self.cursor.advance();
                Ok(Stmt::Break)
            }
            Some(Token::Return) => {
                self.cursor.advance();
                let nothing = self.cursor.peek() == Some(&Token::Semicolon);
                Ok(Stmt::Return(if nothing { None } else { Some(self.expression()?) }))
            }
            Some(Token::Goto) => {
                self.cursor.advance();
                let label = self.name("a label after `goto`")?;
                Ok(Stmt::Goto(label, self.more_assigns()?))
            }
            Some(Token::Fork) => {
                let error = Diagnostic::error(span, "`fork` of threads is not supported")
                    .hint("verify each thread as a program of its own");
                Err(self.cursor.refuse(error))
            }
            Some(Token::Name("pchoice")) if self.ahead(1, Token::Alternative) => Err(self.probabilistic_choice()),
            Some(Token::Name(_)) if self.ahead(1, Token::Less) => self.rule(),
            Some(Token::Name(_)) if self.ahead(1, Token::Open) => {
                let (callee, args) = self.call()?;
                Ok(Stmt::Call(Call { target: None, callee, args, also: self.more_assigns()? }))
            }
            Some(Token::Name(_) | Token::All | Token::Exists) => self.assign_or_call(),
            _ => Err(self.cursor.expected("a statement")),
        }
    }

    /// `pchoice :: 0.5 -> … choicep` of Moped-QLeak.
    fn probabilistic_choice(&mut self) -> Refused {
        let error = Diagnostic::error(self.cursor.span(), "`pchoice`, the choice by probabilities, is not supported")
            .hint("write `if :: true -> … :: true -> … fi` to ask about all outcomes");
        let refused = self.cursor.refuse(error);
        self.cursor.skip_until(|token| {
            matches!(token, Token::Name("choicep") | Token::CloseBrace | Token::Module | Token::Init)
        });
        refused
    }

    fn alternatives(&mut self, end: Token<'s>, end_text: &str) -> Result<Vec<Alternative<'s>>, Refused> {
        self.cursor.advance();
        self.cursor.descend()?;
        let alternatives = self.alternatives_inside(end, end_text);
        self.cursor.ascend();
        alternatives
    }

    fn alternatives_inside(&mut self, end: Token<'s>, end_text: &str) -> Result<Vec<Alternative<'s>>, Refused> {
        let mut alternatives = Vec::new();
        if self.cursor.peek() != Some(&Token::Alternative) {
            return Err(self.cursor.expected("`::` and an alternative"));
        }
        while self.cursor.eat(&Token::Alternative) {
            match self.alternative() {
                Ok(alternative) => alternatives.push(alternative),
                Err(Refused) => self.cursor.skip_until(|token| {
                    ends_alternative(token) || *token == Token::CloseBrace || *token == Token::Module
                }),
            }
        }
        self.cursor.expect(&end, &format!("`::` or {end_text}"))?;
        Ok(alternatives)
    }

    fn alternative(&mut self) -> Result<Alternative<'s>, Refused> {
        let start = self.cursor.span();
        let guard = if self.cursor.eat(&Token::Else) { None } else { Some(self.expression()?) };
        let span = start.to(self.cursor.previous());
        self.cursor.expect(&Token::Arrow, "`->` after the guard")?;
        let mut body = Vec::new();
        if self.cursor.peek().is_none_or(ends_alternative) {
            return Err(self.cursor.expected("a statement after `->`"));
        }
        while self
            .cursor
            .peek()
            .is_some_and(|token| !ends_alternative(token) && !matches!(token, Token::CloseBrace | Token::Module))
        {
            self.statement_into(&mut body);
        }
        Ok(Alternative { guard, span, body })
    }

    /// `q<a> --> q<b c> "text" (relation)`
    fn rule(&mut self) -> Result<Stmt<'s>, Refused> {
        let (before, symbols) = self.configuration()?;
        let [head] = symbols.as_slice() else {
            let error = Diagnostic::error(before.span, "a rule starts with one stack symbol, as in `q<a> --> q<b>`");
            return Err(self.cursor.refuse(error));
        };
        self.cursor.expect(&Token::LongArrow, "`-->`")?;
        let (after, target) = self.configuration()?;
        if let Some(third) = target.get(2) {
            let error = Diagnostic::error(third.span, "a rule puts at most two symbols on the stack");
            return Err(self.cursor.refuse(error));
        }
        if matches!(self.cursor.peek(), Some(Token::Text(_))) {
            self.cursor.advance();
        }
        let relation = if self.cursor.eat(&Token::Open) {
            let relation = self.expression()?;
            self.cursor.expect(&Token::Close, "`)` after the relation")?;
            Some(relation)
        } else {
            None
        };
        Ok(Stmt::Rule(Box::new(Rule { control: [before, after], head: *head, target, relation })))
    }

    fn configuration(&mut self) -> Result<(Name<'s>, Vec<Name<'s>>), Refused> {
        let control = self.name("a control location")?;
        self.cursor.expect(&Token::Less, "`<` and stack symbols")?;
        let mut symbols = Vec::new();
        while matches!(self.cursor.peek(), Some(Token::Name(_))) {
            symbols.push(self.name("a stack symbol")?);
        }
        self.cursor.expect(&Token::Greater, "`>` after the stack symbols")?;
        Ok((control, symbols))
    }

    /// `f(args)`
    fn call(&mut self) -> Result<(Name<'s>, Vec<Value<'s>>), Refused> {
        let callee = self.name("a module")?;
        self.cursor.expect(&Token::Open, "`(`")?;
        let mut args = Vec::new();
        if !self.cursor.eat(&Token::Close) {
            loop {
                args.push(self.value()?);
                if !self.cursor.eat(&Token::Comma) {
                    break;
                }
            }
            self.cursor.expect(&Token::Close, "`,` or `)` after the argument")?;
        }
        Ok((callee, args))
    }

    fn value(&mut self) -> Result<Value<'s>, Refused> {
        if self.cursor.eat(&Token::Undef) { Ok(Value::Undef) } else { Ok(Value::Expr(self.expression()?)) }
    }

    /// Assignments, or the assignment of a call.
    fn assign_or_call(&mut self) -> Result<Stmt<'s>, Refused> {
        let start = self.cursor.span();
        if matches!(self.cursor.peek(), Some(Token::Name(_))) {
            let target = self.lval()?;
            let is_call = self.cursor.peek() == Some(&Token::Becomes)
                && matches!(self.cursor.peek_at(1), Some(Token::Name(_)))
                && self.ahead(2, Token::Open);
            if is_call {
                self.cursor.advance();
                let (callee, args) = self.call()?;
                if self.at_operator() {
                    return Err(self.call_inside());
                }
                return Ok(Stmt::Call(Call { target: Some(target), callee, args, also: self.more_assigns()? }));
            }
            let kind = self.assign_to(target)?;
            let mut assigns = vec![Assign { kind, span: start.to(self.cursor.previous()) }];
            assigns.extend(self.more_assigns()?);
            return Ok(Stmt::Assign(assigns));
        }
        let mut assigns = vec![self.assign()?];
        assigns.extend(self.more_assigns()?);
        Ok(Stmt::Assign(assigns))
    }

    /// `, assign, assign …`
    fn more_assigns(&mut self) -> Result<Vec<Assign<'s>>, Refused> {
        let mut assigns = Vec::new();
        while self.cursor.eat(&Token::Comma) {
            assigns.push(self.assign()?);
        }
        Ok(assigns)
    }

    fn assign(&mut self) -> Result<Assign<'s>, Refused> {
        let start = self.cursor.span();
        let kind = match self.cursor.peek() {
            Some(Token::All) => {
                self.cursor.advance();
                let quantifier = self.quantifier()?;
                self.cursor.descend()?;
                let inner = self.assign();
                self.cursor.ascend();
                AssignKind::All(quantifier, Box::new(inner?))
            }
            Some(Token::Exists) => {
                let error = Diagnostic::error(start, "an assignment under `E` is not supported")
                    .hint("choose the index first: `i = undef; skip(low <= i && i <= high); a[i] = …`");
                return Err(self.cursor.refuse(error));
            }
            _ => {
                let target = self.lval()?;
                self.assign_to(target)?
            }
        };
        Ok(Assign { kind, span: start.to(self.cursor.previous()) })
    }

    fn assign_to(&mut self, target: Lval<'s>) -> Result<AssignKind<'s>, Refused> {
        if self.cursor.eat(&Token::Differ) {
            return Ok(AssignKind::Differ(target, self.expression()?));
        }
        if self.cursor.peek() == Some(&Token::Equal) {
            let error = Diagnostic::error(self.cursor.span(), "a comparison is no statement")
                .hint("assign with `=`, or wait for a condition with `skip(…)`");
            return Err(self.cursor.refuse(error));
        }
        self.cursor.expect(&Token::Becomes, "`=` after the variable")?;
        Ok(AssignKind::Set(target, self.value()?))
    }

    /// `i (low,high)`
    pub(super) fn quantifier(&mut self) -> Result<Quantifier<'s>, Refused> {
        let name = self.name("the name that the quantifier binds")?;
        self.cursor.expect(&Token::Open, "`(` and the bounds of the quantifier")?;
        let low = self.constant()?;
        self.cursor.expect(&Token::Comma, "`,` between the bounds")?;
        let high = self.constant()?;
        self.cursor.expect(&Token::Close, "`)` after the bounds")?;
        Ok(Quantifier { name, low, high })
    }
}

fn ends_alternative(token: &Token<'_>) -> bool {
    matches!(token, Token::Alternative | Token::Fi | Token::Od)
}
