//! From tokens to terms: expressions are built while they are read, with a sort check at each step.
//!
//! The program counter is a variable over integers here, and its values are their positions in its
//! declaration, from 0. It can only be compared with them: the parser keeps it apart from numbers.

use super::lexer::Token;
use crate::cursor::{Cursor, Refused};
use rustc_hash::FxHashMap;
use tamis_ir::{Diagnostic, Span};
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};

/// How many terms a text may make: products of products grow faster than their text.
const MAX_TERMS: usize = 1_000_000;

/// A program, as it was written.
#[derive(Debug, Default)]
pub(super) struct Parsed<'s> {
    /// The program counter and the names of its values.
    pub control: Option<Control<'s>>,
    pub vars: Vec<Var>,
    pub init: Option<Condition>,
    pub unsafe_states: Option<Condition>,
    pub commands: Vec<Command>,
}

#[derive(Debug)]
pub(super) struct Control<'s> {
    pub var: Var,
    pub values: Vec<(&'s str, Span)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub holds: Term,
    pub span: Span,
}

/// A guarded command.
#[derive(Debug)]
pub(super) struct Command {
    pub guard: Term,
    /// Where the program counter is set to.
    pub to: Option<usize>,
    pub updates: Vec<(Var, Term)>,
    pub span: Span,
}

/// What an expression is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Truth,
    Number,
    Place,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Truth => "a truth value",
            Kind::Number => "a number",
            Kind::Place => "a value of the program counter",
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Expr {
    term: Term,
    kind: Kind,
    span: Span,
}

/// The program, and what is wrong with the text.
pub(super) fn parse<'s>(
    terms: &mut Terms,
    tokens: Vec<(Token<'s>, Span)>,
    file: Span,
) -> (Parsed<'s>, Vec<Diagnostic>) {
    let end = Span { start: file.end, ..file };
    let mut parser =
        Parser { terms, cursor: Cursor::new(tokens, end), names: FxHashMap::default(), parsed: Parsed::default() };
    while parser.cursor.peek().is_some() {
        if parser.item().is_err() {
            parser.cursor.skip_until(|token| *token == Token::Semicolon);
            parser.cursor.eat(&Token::Semicolon);
        }
    }
    (parser.parsed, parser.cursor.into_errors())
}

#[derive(Clone, Copy, Debug)]
enum Named {
    Var(Var, Kind),
    Place(usize),
}

struct Parser<'t, 's> {
    terms: &'t mut Terms,
    cursor: Cursor<Token<'s>>,
    names: FxHashMap<&'s str, Named>,
    parsed: Parsed<'s>,
}

impl<'s> Parser<'_, 's> {
    /// A declaration, a condition or a command, with its semicolon.
    fn item(&mut self) -> Result<(), Refused> {
        let start = self.cursor.span();
        // A name with a colon behind it is the name of a command, whatever it is.
        let named = matches!(self.cursor.peek_at(1), Some(Token::Colon));
        match self.cursor.peek().copied() {
            Some(Token::Word("control")) if !named => self.control(start)?,
            Some(Token::Word("var")) if !named => self.vars()?,
            Some(Token::Word(word @ ("init" | "unsafe"))) if !named => {
                self.cursor.advance();
                let holds = self.truth()?;
                let span = Span { end: self.cursor.previous().end, ..start };
                let place = if word == "init" { &mut self.parsed.init } else { &mut self.parsed.unsafe_states };
                if place.replace(Condition { holds, span }).is_some() {
                    let error = Diagnostic::error(span, format!("`{word}` is given twice"));
                    return Err(self.cursor.refuse(error.hint("join both with `|`")));
                }
            }
            Some(_) => self.command(start)?,
            None => return Err(self.cursor.expected("a declaration or a command")),
        }
        self.cursor.expect(&Token::Semicolon, "`;`").map(|_| ())
    }

    fn word(&mut self, what: &str) -> Result<(&'s str, Span), Refused> {
        match self.cursor.peek().copied() {
            Some(Token::Word(text)) => {
                let span = self.cursor.span();
                self.cursor.advance();
                Ok((text, span))
            }
            _ => Err(self.cursor.expected(what)),
        }
    }

    fn declare(&mut self, name: &'s str, span: Span, named: Named) -> Result<(), Refused> {
        if self.names.insert(name, named).is_some() {
            let error = Diagnostic::error(span, format!("`{name}` is declared twice"));
            return Err(self.cursor.refuse(error));
        }
        Ok(())
    }

    /// `control pc: l1, l2`
    fn control(&mut self, start: Span) -> Result<(), Refused> {
        self.cursor.advance();
        if self.parsed.control.is_some() {
            let error = Diagnostic::error(start, "there are two program counters");
            return Err(self.cursor.refuse(error.hint("make a variable over integers of one of them")));
        }
        let (name, span) = self.word("the name of the program counter")?;
        let var = self.terms.declare(name, Sort::Int);
        self.declare(name, span, Named::Var(var, Kind::Place))?;
        self.cursor.expect(&Token::Colon, "`:` and its values")?;
        let mut values = Vec::new();
        loop {
            let (name, span) = self.word("a value of the program counter")?;
            self.declare(name, span, Named::Place(values.len()))?;
            values.push((name, span));
            if !self.cursor.eat(&Token::Comma) {
                break;
            }
        }
        self.parsed.control = Some(Control { var, values });
        Ok(())
    }

    /// `var x, y: int`
    fn vars(&mut self) -> Result<(), Refused> {
        self.cursor.advance();
        let mut names = vec![self.word("the name of a variable")?];
        while self.cursor.eat(&Token::Comma) {
            names.push(self.word("the name of a variable")?);
        }
        self.cursor.expect(&Token::Colon, "`:` and a type")?;
        let (sort, kind) = match self.cursor.peek().copied() {
            Some(Token::Word("int")) => (Sort::Int, Kind::Number),
            Some(Token::Word("bool")) => (Sort::Bool, Kind::Truth),
            _ => return Err(self.cursor.expected("`int` or `bool`")),
        };
        self.cursor.advance();
        for (name, span) in names {
            let var = self.terms.declare(name, sort.clone());
            self.declare(name, span, Named::Var(var, kind))?;
            self.parsed.vars.push(var);
        }
        Ok(())
    }

    /// `c1: guard -> x := e, y := f`
    fn command(&mut self, start: Span) -> Result<(), Refused> {
        if matches!(self.cursor.peek_at(1), Some(Token::Colon)) {
            self.word("the name of a command")?;
            self.cursor.advance();
        }
        let guard = self.truth()?;
        self.cursor.expect(&Token::Arrow, "an operator, or `->` behind the guard")?;
        let (mut to, mut updates): (Option<usize>, Vec<(Var, Term)>) = (None, Vec::new());
        if self.cursor.peek() == Some(&Token::Word("skip")) {
            self.cursor.advance();
        } else {
            loop {
                self.update(&mut to, &mut updates)?;
                if !self.cursor.eat(&Token::Comma) {
                    break;
                }
            }
        }
        let span = Span { end: self.cursor.previous().end, ..start };
        self.parsed.commands.push(Command { guard, to, updates, span });
        Ok(())
    }

    fn update(&mut self, to: &mut Option<usize>, updates: &mut Vec<(Var, Term)>) -> Result<(), Refused> {
        let (name, span) = self.word("`skip`, or a variable that is set")?;
        let Some(Named::Var(var, kind)) = self.names.get(name).copied() else {
            return Err(self.unknown(name, span));
        };
        self.cursor.expect(&Token::Becomes, "`:=`")?;
        let twice = Diagnostic::error(span, format!("`{name}` is set twice"));
        if kind == Kind::Place {
            let (value, at) = self.word("a value of the program counter")?;
            let Some(Named::Place(place)) = self.names.get(value).copied() else {
                let error = Diagnostic::error(at, format!("`{value}` is no value of the program counter"));
                return Err(self.cursor.refuse(error.hint("name one that its declaration lists")));
            };
            return if to.replace(place).is_some() { Err(self.cursor.refuse(twice)) } else { Ok(()) };
        }
        let value = self.expr(0)?;
        self.demand(value, kind)?;
        if updates.iter().any(|(other, _)| *other == var) {
            return Err(self.cursor.refuse(twice));
        }
        updates.push((var, value.term));
        Ok(())
    }

    fn unknown(&mut self, name: &str, span: Span) -> Refused {
        let error = Diagnostic::error(span, format!("`{name}` is not declared"));
        self.cursor.refuse(error.hint("declare it with `var NAME: int;`"))
    }

    fn demand(&mut self, expr: Expr, kind: Kind) -> Result<(), Refused> {
        if expr.kind == kind {
            return Ok(());
        }
        let what = format!("this is {}, and {} is needed", expr.kind.name(), kind.name());
        Err(self.cursor.refuse(Diagnostic::error(expr.span, what)))
    }

    fn truth(&mut self) -> Result<Term, Refused> {
        let expr = self.expr(0)?;
        self.demand(expr, Kind::Truth)?;
        Ok(expr.term)
    }

    /// Operators of at least that strength; those of one strength are applied from the left.
    fn expr(&mut self, least: u8) -> Result<Expr, Refused> {
        let mut left = self.operand()?;
        while let Some((operator, strength)) =
            self.cursor.peek().copied().and_then(operator).filter(|(_, s)| *s >= least)
        {
            self.cursor.advance();
            self.cursor.descend()?;
            let right = self.expr(strength + 1);
            self.cursor.ascend();
            left = self.binary(operator, left, right?)?;
        }
        Ok(left)
    }

    fn binary(&mut self, operator: Operator, left: Expr, right: Expr) -> Result<Expr, Refused> {
        let span = Span { end: right.span.end, ..left.span };
        let [a, b] = [left.term, right.term];
        let (operands, kind) = match operator {
            Operator::Or | Operator::And => (Kind::Truth, Kind::Truth),
            Operator::Equal | Operator::Differ => (left.kind, Kind::Truth),
            Operator::Less | Operator::AtMost | Operator::Greater | Operator::AtLeast => (Kind::Number, Kind::Truth),
            Operator::Plus | Operator::Minus | Operator::Times => (Kind::Number, Kind::Number),
        };
        self.demand(left, operands)?;
        self.demand(right, operands)?;
        if self.terms.len() > MAX_TERMS {
            return Err(self.cursor.refuse(Diagnostic::error(span, "the text is too large")));
        }
        let term = match operator {
            Operator::Or => self.terms.or(&[a, b]),
            Operator::And => self.terms.and(&[a, b]),
            Operator::Equal => self.terms.eq(a, b),
            Operator::Differ => self.terms.distinct(a, b),
            Operator::Less => self.terms.lt(a, b),
            Operator::AtMost => self.terms.le(a, b),
            Operator::Greater => self.terms.lt(b, a),
            Operator::AtLeast => self.terms.le(b, a),
            Operator::Plus => self.terms.add(a, b),
            Operator::Minus => self.terms.sub(a, b),
            Operator::Times => self.terms.mul(a, b),
        };
        Ok(Expr { term, kind, span })
    }

    fn operand(&mut self) -> Result<Expr, Refused> {
        let span = self.cursor.span();
        match self.cursor.peek().copied() {
            Some(Token::Open) => {
                self.cursor.advance();
                self.cursor.descend()?;
                let inner = self.expr(0);
                self.cursor.ascend();
                let inner = inner?;
                self.cursor.expect(&Token::Close, "an operator or `)`")?;
                Ok(inner)
            }
            Some(token @ (Token::Not | Token::Minus)) => {
                self.cursor.advance();
                self.cursor.descend()?;
                let inner = self.operand();
                self.cursor.ascend();
                let inner = inner?;
                let kind = if token == Token::Not { Kind::Truth } else { Kind::Number };
                self.demand(inner, kind)?;
                let fun = if token == Token::Not { Fun::Not } else { Fun::Neg };
                let term = self.terms.app(fun, &[inner.term]);
                Ok(Expr { term, kind, span: Span { end: inner.span.end, ..span } })
            }
            Some(Token::Number(digits)) => {
                self.cursor.advance();
                let Ok(value) = digits.parse::<i64>() else {
                    let error = Diagnostic::error(span, "this number does not fit 64 bits");
                    return Err(self.cursor.refuse(error.hint("write it as a product of smaller ones")));
                };
                Ok(Expr { term: self.terms.int(value), kind: Kind::Number, span })
            }
            Some(Token::Word(text @ ("true" | "false"))) => {
                self.cursor.advance();
                let term = self.terms.constant(Value::Bool(text == "true"));
                Ok(Expr { term, kind: Kind::Truth, span })
            }
            Some(Token::Word(name)) => {
                self.cursor.advance();
                match self.names.get(name).copied() {
                    Some(Named::Var(var, kind)) => Ok(Expr { term: self.terms.var(var), kind, span }),
                    Some(Named::Place(number)) => {
                        let number = i64::try_from(number).expect("fewer values than a text has characters");
                        Ok(Expr { term: self.terms.int(number), kind: Kind::Place, span })
                    }
                    None => Err(self.unknown(name, span)),
                }
            }
            _ => Err(self.cursor.expected("a variable, a number, `true`, `false`, `!`, `-` or `(`")),
        }
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug)]
enum Operator {
    Or,
    And,
    Equal,
    Differ,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
}

/// The operator that a token is, and its strength.
fn operator(token: Token<'_>) -> Option<(Operator, u8)> {
    match token {
        Token::Or => Some((Operator::Or, 1)),
        Token::And => Some((Operator::And, 2)),
        Token::Equal => Some((Operator::Equal, 3)),
        Token::Differ => Some((Operator::Differ, 3)),
        Token::Less => Some((Operator::Less, 3)),
        Token::AtMost => Some((Operator::AtMost, 3)),
        Token::Greater => Some((Operator::Greater, 3)),
        Token::AtLeast => Some((Operator::AtLeast, 3)),
        Token::Plus => Some((Operator::Plus, 4)),
        Token::Minus => Some((Operator::Minus, 4)),
        Token::Times => Some((Operator::Times, 5)),
        Token::Arrow
        | Token::Becomes
        | Token::Colon
        | Token::Semicolon
        | Token::Comma
        | Token::Open
        | Token::Close
        | Token::Not
        | Token::Number(_)
        | Token::Word(_) => None,
    }
}
