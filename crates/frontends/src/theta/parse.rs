//! From tokens to syntax trees: expressions by operator precedence with an
//! explicit stack (Dijkstra's shunting yard), because `if … else if …` of generated systems
//! nests thousands of levels.
//!
//! Theta's grammar decides what binds how: loosest first `if`, `iff`, `imply`, `or`, `xor`,
//! `and`, `not`, equalities, relations, then the operators on bits and numbers. Where it is
//! stricter than it needs to be (an `if` as the right side of `=`, `not not x`), we are not.

use super::ast::{Expr, Kind, Node};
use super::lexer::Token;
use super::operators::{Binary, EXTEND, Unary, is_floating_point, is_reserved};
use crate::cursor::{Cursor, Refused};
use tamis_ir::{Diagnostic, Span};
use tamis_term::Sort;

/// How deep brackets may nest. Nothing here recurses; but no formula that somebody means is
/// deeper.
const MAX_NESTING: u32 = 10_000;

/// A parser, and the nodes of the expressions so far.
#[derive(Debug)]
pub(super) struct Parser<'s> {
    pub cursor: Cursor<Token<'s>>,
    pub nodes: Vec<Node<'s>>,
    pub warnings: Vec<Diagnostic>,
    /// The words that no variable of the language has as its name.
    pub keywords: &'static [&'static str],
}

/// What waits on the stack for what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Waiting {
    Unary(Unary, Span),
    Binary(Binary),
    /// `if c then a else`
    Else(Span),
    /// `(`
    Group,
    /// `if`
    If(Span),
    /// `if c then`
    Then(Span),
    /// `a[`
    Index,
    /// `a[i <-`
    Element,
    /// `[i`, `[i <- v`, `[i <- v, default <- d`: a literal array with that many parts before.
    Literal {
        part: Part,
        count: usize,
        start: Span,
        index: Option<Sort>,
    },
}

/// Which part of a literal array is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Index,
    Value,
    Default,
}

/// The state of one expression.
#[derive(Debug, Default)]
struct Yard {
    waiting: Vec<Waiting>,
    operands: Vec<usize>,
    /// How many brackets are open.
    open: u32,
}

impl Yard {
    fn pop(&mut self) -> usize {
        self.operands.pop().expect("every operator and every bracket has its operands")
    }
}

/// What closing did.
enum Closed {
    /// An operand is complete.
    Operand,
    /// Another operand follows.
    More,
    /// Nothing is open: the expression ends here.
    Nothing,
}

impl<'s> Parser<'s> {
    pub(super) fn new(tokens: Vec<(Token<'s>, Span)>, end: Span, keywords: &'static [&'static str]) -> Parser<'s> {
        let cursor = Cursor::new(tokens, end).with_nesting(MAX_NESTING);
        Parser { cursor, nodes: Vec::new(), warnings: Vec::new(), keywords }
    }

    /// An expression.
    pub(super) fn expression(&mut self) -> Result<Expr, Refused> {
        let (first, start) = (self.nodes.len(), self.cursor.span());
        let mut yard = Yard::default();
        let root = self.run(&mut yard);
        (0..yard.open).for_each(|_| self.cursor.ascend());
        Ok(Expr { first, root: root?, span: start.to(self.cursor.previous()) })
    }

    fn run(&mut self, yard: &mut Yard) -> Result<usize, Refused> {
        loop {
            self.operand(yard)?;
            loop {
                match self.suffix(yard)? {
                    Some(Closed::More) => break,
                    Some(_) => continue,
                    None => {}
                }
                if let Some(operator) = self.cursor.peek().and_then(Binary::of) {
                    self.operator(yard, operator)?;
                    break;
                }
                match self.close(yard)? {
                    Closed::Operand => {}
                    Closed::More => break,
                    Closed::Nothing => return Ok(yard.pop()),
                }
            }
        }
    }

    fn open(&mut self, yard: &mut Yard, what: Waiting) -> Result<(), Refused> {
        self.cursor.descend()?;
        yard.open += 1;
        yard.waiting.push(what);
        Ok(())
    }

    /// Reads what may stand before an operand, then the operand.
    fn operand(&mut self, yard: &mut Yard) -> Result<(), Refused> {
        loop {
            let span = self.cursor.span();
            if let Some(unary) = self.cursor.peek().and_then(Unary::of) {
                self.cursor.advance();
                yard.waiting.push(Waiting::Unary(unary, span));
                continue;
            }
            match self.cursor.peek().copied() {
                Some(Token::Open) => self.open(yard, Waiting::Group)?,
                Some(Token::Word("if")) => yard.waiting.push(Waiting::If(span)),
                Some(Token::OpenBracket) => {
                    self.cursor.advance();
                    let literal = Waiting::Literal { part: Part::Index, count: 0, start: span, index: None };
                    self.open(yard, literal)?;
                    self.default_follows(yard)?;
                    continue;
                }
                // Some published systems repeat the keyword inside of a conjunction.
                Some(Token::Word(word @ "invariant")) if self.keywords.contains(&word) && !yard.waiting.is_empty() => {
                    let warning = Diagnostic::warning(span, "`invariant` inside of an expression means nothing");
                    self.warnings.push(warning.hint("remove it"));
                }
                _ => break,
            }
            self.cursor.advance();
        }
        let node = self.atom()?;
        self.deliver(yard, node);
        Ok(())
    }

    fn atom(&mut self) -> Result<Node<'s>, Refused> {
        let span = self.cursor.span();
        let refuse = |parser: &mut Self, what: &str| {
            Err(parser.cursor.refuse(Diagnostic::error(span, format!("{what} are not supported"))))
        };
        let kind = match self.cursor.peek().copied() {
            Some(Token::Word("true")) => Kind::Bool(true),
            Some(Token::Word("false")) => Kind::Bool(false),
            Some(Token::Word("forall" | "exists")) => return refuse(self, "quantifiers"),
            Some(Token::Word(word)) if is_floating_point(word) => return refuse(self, "floating-point numbers"),
            Some(Token::Bits(_)) if self.cursor.peek_at(1) == Some(&Token::Dot) => {
                return refuse(self, "floating-point numbers");
            }
            Some(Token::Bits(text)) => Kind::Bits(text),
            Some(Token::Number(over)) if self.cursor.peek_at(1) == Some(&Token::Percent) => {
                self.cursor.advance();
                self.cursor.advance();
                let Some(Token::Number(under)) = self.cursor.peek().copied() else {
                    return Err(self.cursor.expected("the denominator"));
                };
                Kind::Rational(over, under)
            }
            Some(Token::Number(digits)) => Kind::Int(digits),
            Some(Token::Word(text)) if !is_reserved(text) && !self.keywords.contains(&text) => Kind::Name(text),
            _ => return Err(self.cursor.expected("an expression")),
        };
        let span = span.to(self.cursor.span());
        self.cursor.advance();
        Ok(Node { kind, span })
    }

    fn deliver(&mut self, yard: &mut Yard, node: Node<'s>) {
        self.nodes.push(node);
        yard.operands.push(self.nodes.len() - 1);
    }

    /// Reads one thing that may stand behind an operand, if there is one.
    fn suffix(&mut self, yard: &mut Yard) -> Result<Option<Closed>, Refused> {
        let span = self.cursor.span();
        match self.cursor.peek().copied() {
            Some(Token::Prime) => {
                self.cursor.advance();
                let operand = yard.pop();
                let span = self.nodes[operand].span.to(span);
                self.deliver(yard, Node { kind: Kind::Prime(operand), span });
                Ok(Some(Closed::Operand))
            }
            Some(Token::OpenBracket) => {
                self.cursor.advance();
                if let [Some(Token::Number(until)), Some(Token::Colon), Some(Token::Number(from))] =
                    [0, 1, 2].map(|ahead| self.cursor.peek_at(ahead).copied())
                {
                    self.slice(yard, until, from)?;
                    return Ok(Some(Closed::Operand));
                }
                self.open(yard, Waiting::Index)?;
                Ok(Some(Closed::More))
            }
            Some(Token::Word(word @ ("bv_zero_extend" | "bv_sign_extend"))) => {
                self.cursor.advance();
                let width = self.width()?;
                self.reduce_tighter(yard, EXTEND);
                let operand = yard.pop();
                let span = self.nodes[operand].span.to(self.cursor.previous());
                let kind = Kind::Extend { operand, width, signed: word == "bv_sign_extend" };
                self.deliver(yard, Node { kind, span });
                Ok(Some(Closed::Operand))
            }
            Some(Token::Open) => Err(self
                .cursor
                .refuse(Diagnostic::error(span, "functions are not supported, so nothing can be called"))),
            Some(Token::Word(word)) if is_floating_point(word) => {
                Err(self.cursor.refuse(Diagnostic::error(span, "floating-point numbers are not supported")))
            }
            _ => Ok(None),
        }
    }

    /// `a[until:from]`, behind the bracket.
    fn slice(&mut self, yard: &mut Yard, until: &str, from: &str) -> Result<(), Refused> {
        let (Ok(until), Ok(from)) = (until.parse(), from.parse()) else {
            let error = Diagnostic::error(self.cursor.span(), "there are no such bits");
            return Err(self.cursor.refuse(error));
        };
        (0..3).for_each(|_| _ = self.cursor.advance());
        self.cursor.expect(&Token::CloseBracket, "`]`")?;
        let operand = yard.pop();
        let span = self.nodes[operand].span.to(self.cursor.previous());
        self.deliver(yard, Node { kind: Kind::Slice { operand, until, from }, span });
        Ok(())
    }

    /// Consumes a binary operator.
    fn operator(&mut self, yard: &mut Yard, operator: Binary) -> Result<(), Refused> {
        let level = operator.level();
        self.reduce_tighter(yard, level);
        while let Some(Waiting::Binary(top)) = yard.waiting.last()
            && top.level() == level
            && !operator.to_the_right()
        {
            if operator.compares() {
                let text = format!("`{}` and `{}` do not chain", top.symbol(), operator.symbol());
                let error = Diagnostic::error(self.cursor.span(), text).hint("add parentheses");
                return Err(self.cursor.refuse(error));
            }
            // A run of `and` or of `or` waits until its end and becomes one node.
            if matches!(operator, Binary::And | Binary::Or) {
                break;
            }
            self.reduce(yard);
        }
        yard.waiting.push(Waiting::Binary(operator));
        self.cursor.advance();
        Ok(())
    }

    /// Applies the operators on top of the stack that bind tighter than the level.
    fn reduce_tighter(&mut self, yard: &mut Yard, level: u8) {
        loop {
            match yard.waiting.last() {
                Some(Waiting::Unary(unary, _)) if unary.level() > level => {}
                Some(Waiting::Binary(binary)) if binary.level() > level => {}
                _ => return,
            }
            self.reduce(yard);
        }
    }

    /// Applies the operator on top of the stack; of `and` and `or`, the whole run.
    fn reduce(&mut self, yard: &mut Yard) {
        let Some(top) = yard.waiting.pop() else { return };
        let (kind, first) = match &top {
            Waiting::Unary(unary, _) => (Kind::Unary(*unary, yard.pop()), None),
            Waiting::Binary(operator @ (Binary::And | Binary::Or)) => {
                let mut count = 2;
                while yard.waiting.pop_if(|other| *other == top).is_some() {
                    count += 1;
                }
                let args = yard.operands.split_off(yard.operands.len() - count);
                let first = args.first().copied();
                (if *operator == Binary::And { Kind::And(args) } else { Kind::Or(args) }, first)
            }
            Waiting::Binary(operator) => {
                let (b, a) = (yard.pop(), yard.pop());
                (Kind::Binary(*operator, a, b), Some(a))
            }
            Waiting::Else(_) => {
                let (c, b, a) = (yard.pop(), yard.pop(), yard.pop());
                (Kind::Ite(a, b, c), None)
            }
            other => unreachable!("{other:?} is closed, not applied"),
        };
        let start = match (&top, first) {
            (Waiting::Unary(_, span) | Waiting::Else(span), _) => *span,
            (_, first) => first.map_or(self.cursor.previous(), |first| self.nodes[first].span),
        };
        let span = start.to(self.cursor.previous());
        self.deliver(yard, Node { kind, span });
    }

    /// Consumes what closes or continues the innermost bracket or `if`.
    fn close(&mut self, yard: &mut Yard) -> Result<Closed, Refused> {
        while let Some(Waiting::Unary(..) | Waiting::Binary(_) | Waiting::Else(_)) = yard.waiting.last() {
            self.reduce(yard);
        }
        let Some(innermost) = yard.waiting.last().cloned() else { return Ok(Closed::Nothing) };
        let next = match innermost {
            Waiting::Group => {
                self.cursor.expect(&Token::Close, "an operator or `)`")?;
                None
            }
            Waiting::If(span) => {
                self.continues("then")?;
                Some(Waiting::Then(span))
            }
            Waiting::Then(span) => {
                self.continues("else")?;
                Some(Waiting::Else(span))
            }
            Waiting::Index if self.cursor.eat(&Token::Write) => Some(Waiting::Element),
            Waiting::Index | Waiting::Element => {
                self.cursor.expect(&Token::CloseBracket, "an operator, `<-` or `]`")?;
                self.access(yard, innermost == Waiting::Element);
                None
            }
            Waiting::Literal { part, count, start, index } => self.literal(yard, part, count, start, index)?,
            Waiting::Unary(..) | Waiting::Binary(_) | Waiting::Else(_) => None,
        };
        yard.waiting.pop();
        if let Some(next) = next {
            yard.waiting.push(next);
            self.default_follows(yard)?;
            return Ok(Closed::More);
        }
        yard.open -= 1;
        self.cursor.ascend();
        Ok(Closed::Operand)
    }

    fn continues(&mut self, word: &str) -> Result<(), Refused> {
        if self.eat(word) { Ok(()) } else { Err(self.cursor.expected(&format!("an operator or `{word}`"))) }
    }

    /// Delivers a reading or writing access, behind its bracket.
    fn access(&mut self, yard: &mut Yard, writes: bool) {
        let last = yard.pop();
        let (kind, array) = if writes {
            let (index, array) = (yard.pop(), yard.pop());
            (Kind::Write(array, index, last), array)
        } else {
            let array = yard.pop();
            (Kind::Read(array, last), array)
        };
        let span = self.nodes[array].span.to(self.cursor.previous());
        self.deliver(yard, Node { kind, span });
    }

    /// Goes on in a literal array: what is read next, or nothing if it is complete.
    fn literal(
        &mut self,
        yard: &mut Yard,
        part: Part,
        count: usize,
        start: Span,
        index: Option<Sort>,
    ) -> Result<Option<Waiting>, Refused> {
        let count = count + 1;
        let part = match part {
            Part::Index => {
                self.cursor.expect(&Token::Write, "an operator or `<-`")?;
                Part::Value
            }
            Part::Value => {
                self.cursor.expect(&Token::Comma, "an operator or `,` (the last part is `default <- …`)")?;
                Part::Index
            }
            Part::Default => {
                self.cursor.expect(&Token::CloseBracket, "an operator or `]`")?;
                let parts = yard.operands.split_off(yard.operands.len() - count);
                let span = start.to(self.cursor.previous());
                self.deliver(yard, Node { kind: Kind::Array { index, parts }, span });
                return Ok(None);
            }
        };
        Ok(Some(Waiting::Literal { part, count, start, index }))
    }

    /// Where an index of a literal array may stand: reads `<type> default <-` instead.
    fn default_follows(&mut self, yard: &mut Yard) -> Result<(), Refused> {
        let Some(Waiting::Literal { part: part @ Part::Index, index, .. }) = yard.waiting.last_mut() else {
            return Ok(());
        };
        if self.cursor.peek() == Some(&Token::Less) || matches!(self.cursor.peek(), Some(Token::Word("default"))) {
            *part = Part::Default;
            if self.cursor.eat(&Token::Less) {
                let sort = self.sort(0)?;
                self.cursor.expect(&Token::Greater, "`>` after the type of the index")?;
                if let Some(Waiting::Literal { index, .. }) = yard.waiting.last_mut() {
                    *index = Some(sort);
                }
            }
            self.expect("default")?;
            self.cursor.expect(&Token::Write, "`<-` after `default`")?;
        } else {
            *index = None;
        }
        Ok(())
    }
}
