//! Theta's symbolic transition systems: from tokens to the syntax tree.
//!
//! ```text
//! specification NAME {
//!     property safe : {
//!         var x : integer
//!         initial x = 0
//!         transition x' = x + 1
//!     } models G(x >= 0)
//! }
//! ```

use super::ast::{Declared, Expr, Name};
use super::lexer::Token;
use super::parse::Parser;
use crate::cursor::Refused;
use tamis_ir::{Diagnostic, Span};

/// Words that are no names in systems.
pub(super) const KEYWORDS: &[&str] =
    &["specification", "property", "system", "models", "const", "var", "invariant", "initial", "transition"];

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Specification<'s> {
    pub params: Vec<Declared<'s>>,
    /// Declarations for all systems.
    pub items: Vec<Item<'s>>,
    pub systems: Vec<Named<'s>>,
    pub properties: Vec<Property<'s>>,
}

/// `system NAME(params) := { … }`
#[derive(Debug)]
pub(super) struct Named<'s> {
    pub name: Name<'s>,
    pub params: Vec<Declared<'s>>,
    pub items: Vec<Item<'s>>,
    pub span: Span,
}

/// `property NAME : SYSTEM models G(CONDITION)`
#[derive(Debug)]
pub(super) struct Property<'s> {
    pub name: Name<'s>,
    pub system: Described<'s>,
    pub condition: Expr,
}

/// The system of a property.
#[derive(Debug)]
pub(super) enum Described<'s> {
    Here(Vec<Item<'s>>, Span),
    Named(Name<'s>, Vec<Expr>),
}

/// What a system is made of.
#[derive(Debug)]
pub(super) enum Item<'s> {
    Const(Declared<'s>, Option<Expr>),
    Var(Declared<'s>, Option<Expr>),
    Invariant(Expr),
    Initial(Expr),
    Transition(Expr),
}

/// Parses a whole text.
pub(super) fn parse<'s>(parser: &mut Parser<'s>) -> Specification<'s> {
    let mut specification = Specification::default();
    if whole(parser, &mut specification).is_ok() && parser.cursor.peek().is_some() {
        parser.cursor.expected("the end of the text");
    }
    specification
}

fn whole<'s>(parser: &mut Parser<'s>, specification: &mut Specification<'s>) -> Result<(), Refused> {
    parser.expect("specification")?;
    parser.name("a name")?;
    specification.params = parser.parameters()?;
    parser.cursor.expect(&Token::OpenBrace, "`{`")?;
    loop {
        let result = match parser.cursor.peek() {
            Some(Token::CloseBrace) => {
                parser.cursor.advance();
                return Ok(());
            }
            None => return Err(parser.cursor.expected("`}`")),
            Some(Token::Word("property")) => property(parser).map(|property| specification.properties.push(property)),
            Some(Token::Word("system")) => system(parser).map(|system| specification.systems.push(system)),
            Some(Token::Word("const" | "var")) => item(parser).map(|item| specification.items.push(item)),
            _ => Err(parser.cursor.expected("`property`, `system`, `const`, `var` or `}`")),
        };
        if result.is_err() {
            parser.cursor.skip_until(|token| matches!(token, Token::Word("property" | "system" | "const" | "var")));
            if parser.cursor.peek().is_none() {
                return Err(Refused);
            }
        }
    }
}

fn property<'s>(parser: &mut Parser<'s>) -> Result<Property<'s>, Refused> {
    parser.expect("property")?;
    let name = parser.name("the name of the property")?;
    parser.cursor.expect(&Token::Colon, "`:` and a system")?;
    let system = described(parser)?;
    parser.expect("models")?;
    if !parser.eat("G") {
        let error = Diagnostic::error(parser.cursor.span(), "expected `G`, the only operator that is supported");
        return Err(parser.cursor.refuse(error));
    }
    parser.cursor.expect(&Token::Open, "`(` and the condition")?;
    let condition = parser.expression()?;
    closing(parser)?;
    Ok(Property { name, system, condition })
}

/// The parenthesis that closes `G(`. Published systems have none or one too many, which Theta
/// reads with a complaint.
fn closing(parser: &mut Parser<'_>) -> Result<(), Refused> {
    let span = parser.cursor.span();
    if parser.cursor.peek() == Some(&Token::CloseBrace) {
        parser.warnings.push(Diagnostic::warning(span, "the `)` that closes `G(` is missing").hint("add it"));
        return Ok(());
    }
    parser.cursor.expect(&Token::Close, "an operator or `)`")?;
    let behind = parser.cursor.span();
    if parser.cursor.eat(&Token::Close) {
        parser.warnings.push(Diagnostic::warning(behind, "this `)` closes nothing").hint("remove it"));
    }
    Ok(())
}

fn described<'s>(parser: &mut Parser<'s>) -> Result<Described<'s>, Refused> {
    let start = parser.cursor.span();
    if parser.cursor.peek() == Some(&Token::OpenBrace) {
        let items = items(parser)?;
        return Ok(Described::Here(items, start.to(parser.cursor.previous())));
    }
    let name = parser.name("`{` or the name of a system")?;
    let mut args = Vec::new();
    if parser.cursor.eat(&Token::Open) && !parser.cursor.eat(&Token::Close) {
        loop {
            args.push(parser.expression()?);
            if !parser.cursor.eat(&Token::Comma) {
                parser.cursor.expect(&Token::Close, "an operator, `,` or `)`")?;
                break;
            }
        }
    }
    Ok(Described::Named(name, args))
}

fn system<'s>(parser: &mut Parser<'s>) -> Result<Named<'s>, Refused> {
    let start = parser.expect("system")?;
    let name = parser.name("the name of the system")?;
    let params = parser.parameters()?;
    parser.cursor.expect(&Token::Gets, "`:=`")?;
    let items = items(parser)?;
    Ok(Named { name, params, items, span: start.to(parser.cursor.previous()) })
}

/// `{ … }`
fn items<'s>(parser: &mut Parser<'s>) -> Result<Vec<Item<'s>>, Refused> {
    parser.cursor.expect(&Token::OpenBrace, "`{`")?;
    let mut items = Vec::new();
    loop {
        if parser.cursor.eat(&Token::CloseBrace) {
            return Ok(items);
        }
        match item(parser) {
            Ok(item) => items.push(item),
            Err(Refused) if parser.cursor.peek().is_none() => return Err(Refused),
            Err(Refused) => parser.cursor.skip_until(|token| {
                matches!(
                    token,
                    Token::CloseBrace | Token::Word("const" | "var" | "invariant" | "initial" | "transition")
                )
            }),
        }
    }
}

fn item<'s>(parser: &mut Parser<'s>) -> Result<Item<'s>, Refused> {
    let Some(Token::Word(word @ ("const" | "var" | "invariant" | "initial" | "transition"))) =
        parser.cursor.peek().copied()
    else {
        return Err(parser.cursor.expected("`const`, `var`, `invariant`, `initial`, `transition` or `}`"));
    };
    parser.cursor.advance();
    Ok(match word {
        "invariant" => Item::Invariant(parser.expression()?),
        "initial" => Item::Initial(parser.expression()?),
        "transition" => Item::Transition(parser.expression()?),
        _ => {
            let declared = parser.declared("a name")?;
            let value = if parser.cursor.eat(&Token::Gets) { Some(parser.expression()?) } else { None };
            if word == "const" { Item::Const(declared, value) } else { Item::Var(declared, value) }
        }
    })
}
