//! From tokens to the syntax tree.

use super::ast::{File, Formula, Item, Locals, Name, Operator, Rule};
use super::lexer::Token;
use crate::cursor::{Cursor, Refused};
use tamis_ir::{Diagnostic, Span};

/// How many items a relation may have.
const MAX_ITEMS: usize = 100_000;

/// The system, if it has a start, and what is wrong with the text.
pub(super) fn parse(tokens: Vec<(Token<'_>, Span)>, end: Span) -> (Option<File<'_>>, Vec<Diagnostic>) {
    let mut parser = Parser { cursor: Cursor::new(tokens, end) };
    let file = parser.file().ok();
    (file, parser.cursor.into_errors())
}

struct Parser<'s> {
    cursor: Cursor<Token<'s>>,
}

impl<'s> Parser<'s> {
    /// `[ global {…} ] { local (…) {…} } ( state < symbol … > ) { rule }`
    fn file(&mut self) -> Result<File<'s>, Refused> {
        let (mut globals, mut locals) = (Vec::new(), Vec::new());
        loop {
            if self.eat_word("global") {
                self.declarations(&mut globals)?;
            } else if self.eat_word("local") {
                self.cursor.expect(&Token::Open, "`(` and the symbols whose frames have the variables")?;
                let symbols = self.names("a symbol")?;
                self.cursor.expect(&Token::Close, "`)` behind the symbols")?;
                let mut vars = Vec::new();
                self.declarations(&mut vars)?;
                locals.push(Locals { symbols, vars });
            } else {
                break;
            }
        }
        self.cursor.expect(&Token::Open, "`global`, `local`, or the start as in `(q <main>)`")?;
        let state = self.name("a control state")?;
        let stack = self.word()?;
        self.cursor.expect(&Token::Close, "`)` behind the start")?;
        if stack.is_empty() {
            let error = Diagnostic::error(self.cursor.previous(), "the stack is empty at the start");
            return Err(self.cursor.refuse(error.hint("name a symbol between `<` and `>`")));
        }
        let mut rules = Vec::new();
        while self.cursor.peek().is_some() {
            if let Ok(rule) = self.rule() {
                rules.push(rule);
            } else {
                // Most rules end with their relation.
                self.cursor.skip_until(|token| *token == Token::Close);
                self.cursor.eat(&Token::Close);
            }
        }
        Ok(File { globals, locals, state, stack, rules })
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.cursor.peek(), Some(Token::Word(found)) if *found == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.cursor.advance();
        }
        found
    }

    fn name(&mut self, what: &str) -> Result<Name<'s>, Refused> {
        match self.cursor.peek().copied() {
            Some(Token::Word(text)) => {
                let span = self.cursor.span();
                self.cursor.advance();
                Ok(Name { text, span })
            }
            _ => Err(self.cursor.expected(what)),
        }
    }

    /// Names with or without commas between them.
    fn names(&mut self, what: &str) -> Result<Vec<Name<'s>>, Refused> {
        let mut names = vec![self.name(what)?];
        while self.cursor.eat(&Token::Comma) || matches!(self.cursor.peek(), Some(Token::Word(_))) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// `{ bool x, y; }`
    fn declarations(&mut self, vars: &mut Vec<Name<'s>>) -> Result<(), Refused> {
        let mut some = false;
        while !some || self.is_word("bool") || self.is_word("int") {
            some = true;
            if self.is_word("int") {
                let error = Diagnostic::error(self.cursor.span(), "numbers are not supported in rules");
                let hint = "write the bits as Boolean variables, or the system as Remopla";
                return Err(self.cursor.refuse(error.hint(hint)));
            }
            if !self.eat_word("bool") {
                return Err(self.cursor.expected("`bool` and names of variables"));
            }
            loop {
                vars.push(self.name("the name of a variable")?);
                if matches!(self.cursor.peek(), Some(Token::OpenBracket | Token::Open)) {
                    let error = Diagnostic::error(self.cursor.span(), "arrays and widths are not supported in rules");
                    return Err(self.cursor.refuse(error.hint("write one Boolean variable for each cell")));
                }
                if !self.cursor.eat(&Token::Comma) {
                    break;
                }
            }
            self.cursor.expect(&Token::Semicolon, "`;` behind the declaration")?;
        }
        Ok(())
    }

    /// `< symbol … >`
    fn word(&mut self) -> Result<Vec<Name<'s>>, Refused> {
        self.cursor.expect(&Token::Less, "`<` and what is on the stack")?;
        let mut word = Vec::new();
        while !self.cursor.eat(&Token::Greater) {
            word.push(self.name("a symbol or `>`")?);
        }
        Ok(word)
    }

    fn rule(&mut self) -> Result<Rule<'s>, Refused> {
        let start = self.cursor.span();
        let from = self.name("a rule, as in `p <a> --> q <b c>`")?;
        let head = self.word()?;
        let [symbol] = head[..] else {
            let span = Span { end: self.cursor.previous().end, ..start };
            return Err(self.cursor.refuse(Diagnostic::error(span, "a rule replaces exactly one symbol")));
        };
        self.cursor.expect(&Token::Arrow, "`-->`")?;
        let state = self.name("a control state")?;
        let word = self.word()?;
        if let Some(third) = word.get(2) {
            let error = Diagnostic::error(third.span, "a rule writes at most two symbols");
            return Err(self.cursor.refuse(error.hint("split it into two rules with a symbol between")));
        }
        self.cursor.eat(&Token::Label);
        let relation = if self.cursor.eat(&Token::Open) {
            let mut formula = Vec::new();
            self.formula(0, &mut formula)?;
            self.cursor.expect(&Token::Close, "an operator, or `)` behind the relation")?;
            Some(formula)
        } else {
            None
        };
        self.cursor.eat(&Token::Semicolon);
        let span = Span { end: self.cursor.previous().end, ..start };
        Ok(Rule { from: [from, symbol], state, word, relation, span })
    }

    /// Operators of at least that strength; those of one strength are applied from the left, `->` from the
    /// right.
    fn formula(&mut self, least: u8, into: &mut Formula<'s>) -> Result<(), Refused> {
        self.operand(into)?;
        while let Some((strength, operator)) = self.cursor.peek().and_then(operator).filter(|(s, _)| *s >= least) {
            self.cursor.advance();
            self.cursor.descend()?;
            let right = if operator == Operator::Implies { strength } else { strength + 1 };
            let parsed = self.formula(right, into);
            self.cursor.ascend();
            parsed?;
            self.push(Item::Binary(operator), into)?;
        }
        Ok(())
    }

    fn operand(&mut self, into: &mut Formula<'s>) -> Result<(), Refused> {
        let mut negated = false;
        while self.cursor.eat(&Token::Not) {
            negated = !negated;
        }
        match self.cursor.peek().copied() {
            Some(Token::Word(text @ ("true" | "1" | "false" | "0"))) => {
                self.cursor.advance();
                self.push(Item::Truth(matches!(text, "true" | "1")), into)?;
            }
            Some(Token::Word(_)) => {
                let mut name = self.name("a variable")?;
                let mut primes = 0;
                while self.cursor.peek() == Some(&Token::Prime) {
                    primes += 1;
                    name.span.end = self.cursor.span().end;
                    self.cursor.advance();
                    if primes > 2 {
                        let error = Diagnostic::error(name.span, "a variable has at most two primes");
                        return Err(self.cursor.refuse(error));
                    }
                }
                self.push(Item::Var(name, primes), into)?;
            }
            Some(Token::Open) => {
                self.cursor.advance();
                self.cursor.descend()?;
                let parsed = self.formula(0, into);
                self.cursor.ascend();
                parsed?;
                self.cursor.expect(&Token::Close, "an operator or `)`")?;
            }
            _ => return Err(self.cursor.expected("a variable, `true`, `false`, `!` or `(`")),
        }
        if negated { self.push(Item::Not, into) } else { Ok(()) }
    }

    fn push(&mut self, item: Item<'s>, into: &mut Formula<'s>) -> Result<(), Refused> {
        if into.len() >= MAX_ITEMS {
            let error = Diagnostic::error(self.cursor.previous(), format!("a relation of over {MAX_ITEMS} items"));
            return Err(self.cursor.refuse(error.hint("split the rule")));
        }
        into.push(item);
        Ok(())
    }
}

/// The strength of an operator, as in Remopla.
fn operator(token: &Token) -> Option<(u8, Operator)> {
    match token {
        Token::Implies => Some((0, Operator::Implies)),
        Token::Or => Some((1, Operator::Or)),
        Token::Xor => Some((2, Operator::Xor)),
        Token::And => Some((3, Operator::And)),
        Token::Equal => Some((4, Operator::Equal)),
        Token::Differ => Some((4, Operator::Differ)),
        Token::Arrow
        | Token::Not
        | Token::Prime
        | Token::Semicolon
        | Token::Comma
        | Token::Open
        | Token::Close
        | Token::OpenBracket
        | Token::Less
        | Token::Greater
        | Token::Label
        | Token::Word(_) => None,
    }
}
