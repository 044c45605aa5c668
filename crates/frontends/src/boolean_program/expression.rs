//! Expressions, by operator precedence with an explicit stack (Dijkstra's shunting yard).
//!
//! The two dialects bind differently. Getafix and Moped, loosest first: `=>`, `|`, `^`, `&`,
//! `=` and `!=`, all to the left. SATABS: `=>`, `=` and `!=` to the right, then `^`, `|`, `&`
//! to the left. We read as Getafix and Moped do. A precedence parser's only decisions are
//! whether the operator on the stack or the incoming one takes the operand between them, so
//! two precedence tables give the same tree exactly if they decide alike each time: where
//! they do not, the user gets a warning.

#![allow(clippy::wildcard_enum_match_arm, reason = "any token not named is no part of an expression")]

use super::ast::{Expr, Name, Node};
use super::lexer::Token;
use super::parse::Parser;
use crate::cursor::Refused;
use tamis_ir::{Diagnostic, Span};

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
    Implies,
    Or,
    Xor,
    And,
    Equal,
    Unequal,
}

impl Binary {
    fn of(token: &Token<'_>) -> Option<Binary> {
        Some(match token {
            Token::Implies => Binary::Implies,
            Token::Or => Binary::Or,
            Token::Xor => Binary::Xor,
            Token::And => Binary::And,
            Token::Equal => Binary::Equal,
            Token::Unequal => Binary::Unequal,
            _ => return None,
        })
    }

    fn symbol(self) -> &'static str {
        match self {
            Binary::Implies => "=>",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::And => "&",
            Binary::Equal => "=",
            Binary::Unequal => "!=",
        }
    }

    /// How tightly Getafix and Moped bind it.
    fn getafix(self) -> u8 {
        match self {
            Binary::Implies => 0,
            Binary::Or => 1,
            Binary::Xor => 2,
            Binary::And => 3,
            Binary::Equal | Binary::Unequal => 4,
        }
    }

    /// How tightly SATABS binds it; level 0 to the right.
    fn satabs(self) -> u8 {
        match self {
            Binary::Implies | Binary::Equal | Binary::Unequal => 0,
            Binary::Xor => 1,
            Binary::Or => 2,
            Binary::And => 3,
        }
    }

    /// Whether `a self b next c` means the same either way round.
    fn associates(self, next: Binary) -> bool {
        let equality = |op| matches!(op, Binary::Equal | Binary::Unequal);
        (self == next && self != Binary::Implies) || (equality(self) && equality(next))
    }

    /// Whether `self`, on the stack, takes the operand before `next`.
    fn comes_first(self, next: Binary) -> bool {
        self.getafix() >= next.getafix()
    }

    /// Whether SATABS reads `a self b next c` as another formula.
    fn disputed(self, next: Binary) -> bool {
        let satabs = self.satabs() > next.satabs() || (self.satabs() == next.satabs() && self.satabs() > 0);
        !self.associates(next) && satabs != self.comes_first(next)
    }
}

/// What waits on the stack for its right operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    Not,
    Binary(Binary, Span),
    /// `(`
    Group,
    /// `schoose[`
    Choose,
    /// `schoose[p,`
    ChooseRest,
}

/// The state of one expression.
#[derive(Debug)]
struct Yard {
    waiting: Vec<Waiting>,
    operands: Vec<usize>,
    /// For the expression and each part in brackets that is open, whether the dialects
    /// already differ about it: further comparisons would be about different trees.
    disputed: Vec<bool>,
}

impl Yard {
    fn pop(&mut self) -> usize {
        self.operands.pop().expect("every operator and every group has its operands")
    }

    /// Notes that the dialects differ here; returns whether that is news.
    fn note_dispute(&mut self) -> bool {
        self.disputed.last_mut().is_some_and(|noted| !std::mem::replace(noted, true))
    }
}

/// What closing did.
enum Closed {
    /// An operand is complete.
    Operand,
    /// `schoose` wants its second operand.
    Comma,
    /// Nothing is open: the expression ends here.
    Nothing,
}

impl<'s> Parser<'s> {
    /// Parses an expression.
    pub(super) fn expression(&mut self) -> Result<Expr, Refused> {
        let (first, start) = (self.program.nodes.len(), self.cursor.span());
        let mut yard = Yard { waiting: Vec::new(), operands: Vec::new(), disputed: vec![false] };
        let root = self.run(&mut yard);
        yard.disputed.iter().skip(1).for_each(|_| self.cursor.ascend());
        Ok(Expr { first, root: root?, span: start.to(self.cursor.previous()) })
    }

    /// Parses expressions separated by commas, at least one.
    pub(super) fn expressions(&mut self) -> Result<Vec<Expr>, Refused> {
        let mut list = vec![self.expression()?];
        while self.cursor.eat(&Token::Comma) {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    fn run(&mut self, yard: &mut Yard) -> Result<usize, Refused> {
        loop {
            self.operand(yard)?;
            loop {
                if let Some(operator) = self.cursor.peek().and_then(Binary::of) {
                    self.operator(yard, operator);
                    break;
                }
                match self.close(yard)? {
                    Closed::Operand => {}
                    Closed::Comma => break,
                    Closed::Nothing => return Ok(yard.pop()),
                }
            }
        }
    }

    /// Reads what may stand before an operand, then the operand.
    fn operand(&mut self, yard: &mut Yard) -> Result<(), Refused> {
        loop {
            match self.cursor.peek() {
                Some(Token::Not) => yard.waiting.push(Waiting::Not),
                Some(Token::Open) => self.open(yard, Waiting::Group)?,
                Some(Token::Schoose) => {
                    self.open(yard, Waiting::Choose)?;
                    self.cursor.advance();
                    self.cursor.expect(&Token::OpenBracket, "`[` after `schoose`")?;
                    continue;
                }
                _ => break,
            }
            self.cursor.advance();
        }
        let node = self.atom()?;
        self.deliver(yard, node);
        self.negate(yard);
        Ok(())
    }

    fn open(&mut self, yard: &mut Yard, what: Waiting) -> Result<(), Refused> {
        self.cursor.descend()?;
        yard.disputed.push(false);
        yard.waiting.push(what);
        Ok(())
    }

    fn atom(&mut self) -> Result<Node<'s>, Refused> {
        let span = self.cursor.span();
        let node = match self.cursor.peek().copied() {
            Some(Token::True | Token::Number("1")) => Node::Const(true),
            Some(Token::False | Token::Number("0")) => Node::Const(false),
            Some(Token::Any) => Node::Any,
            Some(Token::Word(text)) => {
                if self.cursor.peek_at(1) == Some(&Token::Open) {
                    let error = Diagnostic::error(span, format!("`{text}` is called inside an expression"))
                        .hint("assign its result to a variable first");
                    return Err(self.cursor.refuse(error));
                }
                Node::Var(Name { text, span })
            }
            Some(Token::Prime) => {
                self.cursor.advance();
                let Some(Token::Word(text)) = self.cursor.peek().copied() else {
                    return Err(self.cursor.expected("a variable after `'`"));
                };
                Node::Primed(Name { text, span: span.to(self.cursor.span()) })
            }
            Some(Token::Number(text)) => {
                let error = Diagnostic::error(span, format!("`{text}` is not a Boolean constant")).hint("use 0 or 1");
                return Err(self.cursor.refuse(error));
            }
            _ => return Err(self.cursor.expected("an expression")),
        };
        self.cursor.advance();
        Ok(node)
    }

    /// Adds an operand.
    fn deliver(&mut self, yard: &mut Yard, node: Node<'s>) {
        self.program.nodes.push(node);
        yard.operands.push(self.program.nodes.len() - 1);
    }

    /// Applies the negations that wait for the operand on top.
    fn negate(&mut self, yard: &mut Yard) {
        while yard.waiting.pop_if(|top| *top == Waiting::Not).is_some() {
            let operand = yard.pop();
            self.deliver(yard, Node::Not(operand));
        }
    }

    /// Consumes a binary operator.
    fn operator(&mut self, yard: &mut Yard, operator: Binary) {
        let span = self.cursor.span();
        while let Some(Waiting::Binary(top, place)) = yard.waiting.last().copied() {
            if top.disputed(operator) && yard.note_dispute() {
                let warning = Diagnostic::warning(
                    place.to(span),
                    format!("`{}` and `{}` bind in another order in SATABS", top.symbol(), operator.symbol()),
                );
                self.warnings.push(warning.hint(
                    "add parentheses; without them `=` and `!=` bind tightest, then `&`, `^`, `|`, `=>`, as in Getafix",
                ));
            }
            // A run of `&` or of `|` waits until its end and becomes one node.
            let run = top == operator && matches!(operator, Binary::And | Binary::Or);
            if run || !top.comes_first(operator) {
                break;
            }
            self.reduce(yard, top);
        }
        yard.waiting.push(Waiting::Binary(operator, span));
        self.cursor.advance();
    }

    /// Applies the operator on top of the stack; of `&` and `|`, the whole run.
    fn reduce(&mut self, yard: &mut Yard, operator: Binary) {
        let on_top = |top: &mut Waiting| matches!(top, Waiting::Binary(op, _) if *op == operator);
        let node = if let Binary::And | Binary::Or = operator {
            let mut count = 1;
            while yard.waiting.pop_if(on_top).is_some() {
                count += 1;
            }
            let args = yard.operands.split_off(yard.operands.len() - count);
            if operator == Binary::And { Node::And(args) } else { Node::Or(args) }
        } else {
            yard.waiting.pop();
            let (b, a) = (yard.pop(), yard.pop());
            match operator {
                Binary::Implies => Node::Implies(a, b),
                Binary::Equal => Node::Equal(a, b),
                Binary::Xor | Binary::Unequal | Binary::And | Binary::Or => Node::Xor(a, b),
            }
        };
        self.deliver(yard, node);
    }

    /// Consumes what closes the innermost group or choice, or the comma of the latter.
    fn close(&mut self, yard: &mut Yard) -> Result<Closed, Refused> {
        while let Some(Waiting::Binary(top, _)) = yard.waiting.last().copied() {
            self.reduce(yard, top);
        }
        let Some(innermost) = yard.waiting.last().copied() else { return Ok(Closed::Nothing) };
        let (token, what) = match innermost {
            Waiting::Choose => (Token::Comma, "an operator or `,`"),
            Waiting::ChooseRest => (Token::CloseBracket, "an operator or `]`"),
            Waiting::Group | Waiting::Not | Waiting::Binary(..) => (Token::Close, "an operator or `)`"),
        };
        self.cursor.expect(&token, what)?;
        yard.waiting.pop();
        yard.disputed.pop();
        if innermost == Waiting::Choose {
            yard.disputed.push(false);
            yard.waiting.push(Waiting::ChooseRest);
            return Ok(Closed::Comma);
        }
        self.cursor.ascend();
        if innermost == Waiting::ChooseRest {
            let (negative, positive) = (yard.pop(), yard.pop());
            self.deliver(yard, Node::Choose(positive, negative));
        }
        self.negate(yard);
        Ok(Closed::Operand)
    }
}
