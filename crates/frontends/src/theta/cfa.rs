//! Theta's control-flow automata: from tokens to the syntax tree.
//!
//! ```text
//! main process counter {
//!     var x : int
//!     init loc A
//!     error loc E
//!     A -> A { x := x + 1 }
//!     A -> E { assume x < 0 }
//! }
//! ```

use super::ast::{Declared, Expr, Name};
use super::lexer::Token;
use super::parse::Parser;
use crate::cursor::Refused;
use tamis_ir::{Diagnostic, Span};

/// Words that are no names in automata.
pub(super) const KEYWORDS: &[&str] =
    &["main", "process", "var", "loc", "init", "final", "error", "assume", "havoc", "return"];

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Automaton<'s> {
    /// The variables outside of processes and those of the main one.
    pub vars: Vec<Declared<'s>>,
    pub locs: Vec<Loc<'s>>,
    pub edges: Vec<Edge<'s>>,
    /// The place of the main process; none if there is none.
    pub main: Option<Span>,
}

/// `error loc NAME`
#[derive(Debug)]
pub(super) struct Loc<'s> {
    pub name: Name<'s>,
    pub role: Role,
}

/// What a location is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    Init,
    Final,
    Error,
}

/// `A -> B { … }`
#[derive(Debug)]
pub(super) struct Edge<'s> {
    pub from: Name<'s>,
    pub to: Name<'s>,
    pub stmts: Vec<Stmt<'s>>,
    pub span: Span,
}

/// A statement and its place.
#[derive(Debug)]
pub(super) struct Stmt<'s> {
    pub kind: Action<'s>,
    pub span: Span,
}

/// What a statement does.
#[derive(Debug)]
pub(super) enum Action<'s> {
    Assume(Expr),
    Assign(Name<'s>, Expr),
    Havoc(Name<'s>),
}

/// Parses a whole text.
pub(super) fn parse<'s>(parser: &mut Parser<'s>) -> Automaton<'s> {
    let mut automaton = Automaton::default();
    while parser.cursor.peek().is_some() {
        let result = match parser.cursor.peek() {
            Some(Token::Word("var")) => variable(parser, &mut automaton),
            Some(Token::Word("main" | "process")) => process(parser, &mut automaton),
            _ => Err(parser.cursor.expected("`main process` or `var`")),
        };
        if result.is_err() {
            parser.cursor.skip_until(|token| matches!(token, Token::Word("main" | "process")));
        }
    }
    automaton
}

fn variable<'s>(parser: &mut Parser<'s>, automaton: &mut Automaton<'s>) -> Result<(), Refused> {
    parser.expect("var")?;
    automaton.vars.push(parser.declared("a variable")?);
    Ok(())
}

fn process<'s>(parser: &mut Parser<'s>, automaton: &mut Automaton<'s>) -> Result<(), Refused> {
    let start = parser.cursor.span();
    let main = parser.eat("main");
    parser.expect("process")?;
    if !main || automaton.main.is_some() {
        let error = Diagnostic::error(start, "only one process is supported, the `main process`");
        let refused = parser.cursor.refuse(error);
        parser.cursor.skip_until(|token| *token == Token::OpenBrace);
        return Err(refused);
    }
    let name = parser.name("the name of the process")?;
    automaton.main = Some(start.to(name.span));
    automaton.vars.extend(parser.parameters()?);
    parser.cursor.expect(&Token::OpenBrace, "`{`")?;
    loop {
        let result = match parser.cursor.peek() {
            Some(Token::CloseBrace) => {
                parser.cursor.advance();
                return Ok(());
            }
            Some(Token::Word("var")) => variable(parser, automaton),
            Some(Token::Word("init" | "final" | "error" | "loc")) => location(parser, automaton),
            Some(Token::Word(_)) => edge(parser, automaton),
            _ => Err(parser.cursor.expected("`var`, `loc`, an edge or `}`")),
        };
        if result.is_err() {
            parser.cursor.skip_until(|token| {
                let brace = matches!(token, Token::OpenBrace | Token::CloseBrace);
                brace || matches!(token, Token::Word("var" | "init" | "final" | "error" | "loc"))
            });
            if parser.cursor.peek() == Some(&Token::OpenBrace) {
                behind_brace(parser);
            }
            if parser.cursor.peek().is_none() {
                return Err(Refused);
            }
        }
    }
}

fn location<'s>(parser: &mut Parser<'s>, automaton: &mut Automaton<'s>) -> Result<(), Refused> {
    let role = if parser.eat("init") {
        Role::Init
    } else if parser.eat("final") {
        Role::Final
    } else if parser.eat("error") {
        Role::Error
    } else {
        Role::Plain
    };
    parser.expect("loc")?;
    automaton.locs.push(Loc { name: parser.name("the name of the location")?, role });
    Ok(())
}

fn edge<'s>(parser: &mut Parser<'s>, automaton: &mut Automaton<'s>) -> Result<(), Refused> {
    let from = parser.name("a location")?;
    parser.cursor.expect(&Token::Arrow, "`->` and a location")?;
    let to = parser.name("a location")?;
    let mut stmts = Vec::new();
    if parser.cursor.eat(&Token::OpenBrace) {
        while !parser.cursor.eat(&Token::CloseBrace) {
            let Ok(stmt) = statement(parser) else {
                behind_brace(parser);
                return Ok(());
            };
            stmts.push(stmt);
            while parser.cursor.eat(&Token::Semicolon) {}
        }
    }
    let span = from.span.to(to.span);
    automaton.edges.push(Edge { from, to, stmts, span });
    Ok(())
}

/// Goes on behind an edge that is not understood.
fn behind_brace(parser: &mut Parser<'_>) {
    parser.cursor.skip_until(|token| *token == Token::CloseBrace);
    parser.cursor.advance();
}

fn statement<'s>(parser: &mut Parser<'s>) -> Result<Stmt<'s>, Refused> {
    let start = parser.cursor.span();
    let kind = match parser.cursor.peek() {
        Some(Token::Word("assume")) => {
            parser.cursor.advance();
            Action::Assume(parser.expression()?)
        }
        Some(Token::Word("havoc")) => {
            parser.cursor.advance();
            Action::Havoc(parser.name("a variable")?)
        }
        Some(Token::Word("return")) => {
            return Err(parser.cursor.refuse(Diagnostic::error(start, "`return` is not supported")));
        }
        Some(Token::Word(_)) => {
            let var = parser.name("a statement")?;
            parser.cursor.expect(&Token::Gets, "`:=`")?;
            Action::Assign(var, parser.expression()?)
        }
        _ => return Err(parser.cursor.expected("`assume`, `havoc`, an assignment or `}`")),
    };
    Ok(Stmt { kind, span: start.to(parser.cursor.previous()) })
}
