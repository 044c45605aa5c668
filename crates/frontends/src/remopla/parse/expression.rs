//! Expressions, by precedence climbing.

use super::Parser;
use crate::cursor::Refused;
use crate::remopla::ast::{Arith, Compare, Expr, ExprKind, Logic, Lval, Operator};
use crate::remopla::lexer::Token;
use crate::remopla::number::MAX_BITS;
use num_bigint::BigInt;
use tamis_ir::{Diagnostic, Span};

/// The precedence of `|`, the loosest operator on numbers.
const NUMBERS: u8 = 4;
/// The precedence of `==`: what a quantifier scopes over.
const COMPARISON: u8 = 7;
/// A number with more decimal digits certainly has too many bits.
const MAX_DIGITS: usize = MAX_BITS as usize / 3;

fn operator(token: &Token<'_>) -> Option<(Operator, u8)> {
    const TABLE: &[(Token<'static>, Operator, u8)] = &[
        (Token::OrOr, Operator::Logic(Logic::Or), 1),
        (Token::XorXor, Operator::Logic(Logic::Xor), 2),
        (Token::AndAnd, Operator::Logic(Logic::And), 3),
        (Token::Or, Operator::Arith(Arith::Or), NUMBERS),
        (Token::Xor, Operator::Arith(Arith::Xor), 5),
        (Token::And, Operator::Arith(Arith::And), 6),
        (Token::Iff, Operator::Logic(Logic::Iff), COMPARISON),
        (Token::Equal, Operator::Compare(Compare::Equal), COMPARISON),
        (Token::Differ, Operator::Compare(Compare::Differ), COMPARISON),
        (Token::LessEqual, Operator::Compare(Compare::LessEqual), 8),
        (Token::GreaterEqual, Operator::Compare(Compare::GreaterEqual), 8),
        (Token::Less, Operator::Compare(Compare::Less), 8),
        (Token::Greater, Operator::Compare(Compare::Greater), 8),
        (Token::ShiftLeft, Operator::Arith(Arith::ShiftLeft), 9),
        (Token::ShiftRight, Operator::Arith(Arith::ShiftRight), 9),
        (Token::Plus, Operator::Arith(Arith::Plus), 10),
        (Token::Minus, Operator::Arith(Arith::Minus), 10),
        (Token::Times, Operator::Arith(Arith::Times), 11),
        (Token::Divide, Operator::Arith(Arith::Divide), 11),
    ];
    TABLE.iter().find(|(found, _, _)| found == token).map(|(_, operator, precedence)| (*operator, *precedence))
}

impl<'s> Parser<'s> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Result<Expr<'s>, Refused> {
        self.binary(1)
    }

    /// An expression for a number known now: its operators are those on numbers.
    pub(super) fn constant(&mut self) -> Result<Expr<'s>, Refused> {
        // Comparisons bind tighter than `|`, `^` and `&`, so they are refused by their type.
        self.binary(NUMBERS)
    }

    /// Whether a binary operator comes next.
    pub(super) fn at_operator(&self) -> bool {
        self.cursor.peek().and_then(operator).is_some()
    }

    /// Complains about a call inside an expression.
    pub(super) fn call_inside(&mut self) -> Refused {
        let error = Diagnostic::error(self.cursor.span(), "a call cannot be part of an expression")
            .hint("assign its result to a variable first: `x = f(…);`");
        self.cursor.refuse(error)
    }

    /// Operators of at least this precedence.
    fn binary(&mut self, least: u8) -> Result<Expr<'s>, Refused> {
        self.cursor.descend()?;
        let expr = self.operands(least);
        self.cursor.ascend();
        expr
    }

    fn operands(&mut self, least: u8) -> Result<Expr<'s>, Refused> {
        let mut left = self.prefix()?;
        while let Some((_, precedence)) = self.cursor.peek().and_then(operator).filter(|(_, p)| *p >= least) {
            let mut rest = Vec::new();
            while let Some((operator, _)) = self.cursor.peek().and_then(operator).filter(|(_, p)| *p == precedence) {
                self.cursor.advance();
                rest.push((operator, self.binary(precedence + 1)?));
            }
            let span = left.span.to(self.cursor.previous());
            left = Expr { kind: ExprKind::Chain(Box::new(left), rest), span };
        }
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Expr<'s>, Refused> {
        let start = self.cursor.span();
        match self.cursor.peek() {
            Some(Token::Not) => {
                self.cursor.advance();
                self.cursor.descend()?;
                let inner = self.prefix();
                self.cursor.ascend();
                let inner = inner?;
                let span = start.to(inner.span);
                Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span })
            }
            Some(Token::All | Token::Exists) => {
                let all = self.cursor.peek() == Some(&Token::All);
                self.cursor.advance();
                let quantifier = self.quantifier()?;
                let body = self.binary(COMPARISON)?;
                let span = start.to(body.span);
                Ok(Expr { kind: ExprKind::Quantified(all, Box::new((quantifier, body))), span })
            }
            _ => self.primary(start),
        }
    }

    fn primary(&mut self, start: Span) -> Result<Expr<'s>, Refused> {
        let kind = match self.cursor.peek() {
            Some(Token::Open) => {
                self.cursor.advance();
                let inner = self.expression()?;
                let end = self.cursor.expect(&Token::Close, "`)`")?;
                return Ok(Expr { kind: inner.kind, span: start.to(end) });
            }
            Some(Token::Name(_)) => {
                if self.cursor.peek_at(1) == Some(&Token::Open) {
                    return Err(self.call_inside());
                }
                ExprKind::Lval(Box::new(self.lval()?))
            }
            Some(Token::Number(digits)) => {
                let digits = *digits;
                let value = if digits.len() > MAX_DIGITS { None } else { digits.parse::<BigInt>().ok() };
                let Some(value) = value.filter(|value| value.bits() <= u64::from(MAX_BITS)) else {
                    let error = Diagnostic::error(start, format!("the number has more than {MAX_BITS} bits"));
                    return Err(self.cursor.refuse(error));
                };
                self.cursor.advance();
                ExprKind::Number(value)
            }
            Some(Token::True) => {
                self.cursor.advance();
                ExprKind::Truth(true)
            }
            Some(Token::False) => {
                self.cursor.advance();
                ExprKind::Truth(false)
            }
            Some(Token::Minus) => {
                let error = Diagnostic::error(start, "there is no unary minus").hint("write `0 - e` for `-e`");
                return Err(self.cursor.refuse(error));
            }
            Some(Token::Undef) => {
                let error = Diagnostic::error(start, "`undef` cannot be part of an expression")
                    .hint("assign it to a variable first: `x = undef;`");
                return Err(self.cursor.refuse(error));
            }
            _ => return Err(self.cursor.expected("an expression")),
        };
        Ok(Expr { kind, span: start.to(self.cursor.previous()) })
    }

    /// `x''[i][j].field[i][j]`
    pub(super) fn lval(&mut self) -> Result<Lval<'s>, Refused> {
        let name = self.name("a variable")?;
        let mut primes = 0;
        while self.cursor.peek() == Some(&Token::Prime) {
            if primes == 2 {
                let error = Diagnostic::error(self.cursor.span(), "at most two primes follow a variable");
                return Err(self.cursor.refuse(error));
            }
            self.cursor.advance();
            primes += 1;
        }
        let index = self.indices()?;
        let field = if self.cursor.eat(&Token::Dot) {
            let field = self.name("a field after `.`")?;
            Some((field, self.indices()?))
        } else {
            None
        };
        Ok(Lval { name, primes, index, field, span: name.span.to(self.cursor.previous()) })
    }

    fn indices(&mut self) -> Result<Vec<Expr<'s>>, Refused> {
        let mut indices = Vec::new();
        while self.cursor.peek() == Some(&Token::OpenIndex) {
            if indices.len() == 2 {
                let error = Diagnostic::error(self.cursor.span(), "an array has at most two dimensions");
                return Err(self.cursor.refuse(error));
            }
            self.cursor.advance();
            indices.push(self.binary(NUMBERS)?);
            self.cursor.expect(&Token::CloseIndex, "`]` after the index")?;
        }
        Ok(indices)
    }
}
