//! From tokens to the syntax tree: declarations, functions and statements.
//!
//! Both dialects' ways with `;` are accepted: it may end or separate statements, and may be
//! missing after `fi` and `od`. After an error the parser goes on behind the next `;`, or at
//! the next word that ends a block, and it keeps track of open blocks all the while.

#![allow(clippy::wildcard_enum_match_arm, reason = "any token not named is not expected there")]

use super::ast::{Expr, Function, Kind, Name, Program, Stmt};
use super::lexer::Token;
use crate::cursor::{Cursor, Refused};
use tamis_ir::{Diagnostic, Span};

/// More results than anybody returns: each is a variable, and a number is quickly written.
const MAX_RESULTS: u32 = 10_000;

/// How deep parentheses may nest. Nothing here recurses, and tools like to write every
/// operator in parentheses; but no formula that somebody means is deeper.
const MAX_NESTING: u32 = 10_000;

/// A parser, and what it has read so far.
#[derive(Debug)]
pub(super) struct Parser<'s> {
    pub cursor: Cursor<Token<'s>>,
    pub program: Program<'s>,
    pub warnings: Vec<Diagnostic>,
}

/// What the block that is open waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    If,
    Else,
    While,
}

impl Block {
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Block::If => ("if", "fi"),
            Block::Else => ("else", "fi"),
            Block::While => ("while", "od"),
        }
    }
}

/// The body of a function while it is read.
#[derive(Debug, Default)]
struct Body<'s> {
    stmts: Vec<Stmt<'s>>,
    open: Vec<(Block, Span)>,
}

/// Parses a whole text; `end` is the empty span behind it.
pub(super) fn parse(tokens: Vec<(Token<'_>, Span)>, end: Span) -> Parser<'_> {
    let mut parser = Parser {
        cursor: Cursor::new(tokens, end).with_nesting(MAX_NESTING),
        program: Program::default(),
        warnings: Vec::new(),
    };
    parser.whole();
    parser
}

/// Whether a statement without `;` may end before this token.
fn ends_block(token: Option<&Token<'_>>) -> bool {
    matches!(token, None | Some(Token::End | Token::Fi | Token::Od | Token::Else | Token::Elsif))
}

/// Where parsing goes on after an error in a statement.
fn resumes(token: &Token<'_>) -> bool {
    matches!(token, Token::Semicolon | Token::Void | Token::Bool) || ends_block(Some(token))
}

impl<'s> Parser<'s> {
    fn whole(&mut self) {
        while let Some(token) = self.cursor.peek() {
            let result = match token {
                Token::Semicolon => {
                    self.cursor.advance();
                    Ok(())
                }
                Token::Decl => {
                    match self.declaration() {
                        Ok(names) => self.program.globals.extend(names),
                        Err(Refused) => self.cursor.skip_until(|token| *token == Token::Decl || resumes(token)),
                    }
                    Ok(())
                }
                Token::Void | Token::Bool | Token::Word(_) => self.function(),
                _ => Err(self.cursor.expected("`decl` or a function")),
            };
            if result.is_err() {
                self.cursor.skip_until(|token| matches!(token, Token::End | Token::Void | Token::Bool));
                self.cursor.eat(&Token::End);
            }
        }
    }

    /// `decl a, b;`
    fn declaration(&mut self) -> Result<Vec<Name<'s>>, Refused> {
        self.cursor.advance();
        let names = self.names("a variable")?;
        self.cursor.expect(&Token::Semicolon, "`,` or `;` after the declared variable")?;
        Ok(names)
    }

    fn name(&mut self, what: &str) -> Result<Name<'s>, Refused> {
        let span = self.cursor.span();
        match self.cursor.peek().copied() {
            Some(Token::Word(text)) => {
                self.cursor.advance();
                Ok(Name { text, span })
            }
            Some(Token::True | Token::False) => {
                let error = Diagnostic::error(span, format!("expected {what}, but `T` and `F` are constants"));
                Err(self.cursor.refuse(error.hint("choose another name")))
            }
            _ => Err(self.cursor.expected(what)),
        }
    }

    fn names(&mut self, what: &str) -> Result<Vec<Name<'s>>, Refused> {
        let mut names = vec![self.name(what)?];
        while self.cursor.eat(&Token::Comma) {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn function(&mut self) -> Result<(), Refused> {
        let start = self.cursor.span();
        // SLAM's hint to search depth first says nothing about what the program does.
        if self.cursor.peek() == Some(&Token::Word("dfs")) && self.cursor.peek_at(1) != Some(&Token::Open) {
            self.cursor.advance();
        }
        if let Some(Token::Word(word @ "thread_local")) = self.cursor.peek().copied() {
            return Err(self.concurrent(word));
        }
        let results = self.results()?;
        let name = self.name("the name of a function")?;
        self.cursor.expect(&Token::Open, "`(` and the parameters of the function")?;
        let params = if self.cursor.peek() == Some(&Token::Close) { Vec::new() } else { self.names("a parameter")? };
        self.cursor.expect(&Token::Close, "`,` or `)` after the parameters")?;
        let header = start.to(self.cursor.previous());
        self.cursor.expect(&Token::Begin, "`begin`")?;
        let (mut locals, mut enforce) = (Vec::new(), Vec::new());
        self.head(&mut locals, &mut enforce);
        let body = self.body();
        let end = self.cursor.previous();
        self.program.functions.push(Function { name, results, params, locals, enforce, body, header, end });
        Ok(())
    }

    /// The type in front of a function's name. The oldest programs have none.
    fn results(&mut self) -> Result<u32, Refused> {
        match self.cursor.peek() {
            Some(Token::Void) => {
                self.cursor.advance();
                return Ok(0);
            }
            Some(Token::Bool) => self.cursor.advance(),
            _ => return Ok(0),
        };
        if !self.cursor.eat(&Token::Less) {
            return Ok(1);
        }
        let span = self.cursor.span();
        let Some(Token::Number(digits)) = self.cursor.peek().copied() else {
            return Err(self.cursor.expected("the number of results"));
        };
        let count = digits.parse().ok().filter(|count| (1..=MAX_RESULTS).contains(count));
        let Some(count) = count else {
            let error = Diagnostic::error(span, format!("a function returns 1 to {MAX_RESULTS} values here"));
            return Err(self.cursor.refuse(error.hint("write `void` for a function that returns nothing")));
        };
        self.cursor.advance();
        self.cursor.expect(&Token::Greater, "`>`")?;
        Ok(count)
    }

    /// The declarations and invariants at the start of a function.
    fn head(&mut self, locals: &mut Vec<Name<'s>>, enforce: &mut Vec<Expr>) {
        loop {
            let result = match self.cursor.peek() {
                Some(Token::Decl) => self.declaration().map(|names| locals.extend(names)),
                Some(Token::Enforce) => {
                    self.cursor.advance();
                    self.expression().and_then(|condition| {
                        enforce.push(condition);
                        self.separator()
                    })
                }
                Some(Token::Semicolon) => {
                    self.cursor.advance();
                    Ok(())
                }
                _ => return,
            };
            if result.is_err() {
                self.cursor.skip_until(resumes);
            }
        }
    }

    /// The statements up to `end`, which is consumed.
    fn body(&mut self) -> Vec<Stmt<'s>> {
        let mut body = Body::default();
        loop {
            match self.cursor.peek() {
                Some(Token::Semicolon) => {
                    self.cursor.advance();
                }
                Some(Token::End) => {
                    self.unclosed(&body);
                    self.cursor.advance();
                    break;
                }
                None | Some(Token::Void | Token::Bool) => {
                    self.unclosed(&body);
                    self.cursor.expected("`end`");
                    break;
                }
                Some(_) => {
                    if self.statement(&mut body).is_err() {
                        self.cursor.skip_until(resumes);
                    }
                }
            }
        }
        body.stmts
    }

    /// Complains about the innermost block that is open at the end of a function.
    fn unclosed(&mut self, body: &Body<'s>) {
        if let Some((block, span)) = body.open.last() {
            let (keyword, closer) = block.names();
            let error = Diagnostic::error(*span, format!("this `{keyword}` has no `{closer}`"));
            self.cursor.refuse(error.hint(format!("add `{closer}` where it ends")));
        }
    }

    /// What stands between two statements.
    fn separator(&mut self) -> Result<(), Refused> {
        let fine = self.cursor.eat(&Token::Semicolon) || self.cursor.peek().is_none_or(resumes);
        if fine { Ok(()) } else { Err(self.cursor.expected("`;`")) }
    }

    fn statement(&mut self, body: &mut Body<'s>) -> Result<(), Refused> {
        let mut labels = Vec::new();
        while self.cursor.peek_at(1) == Some(&Token::Colon)
            && matches!(self.cursor.peek(), Some(Token::Word(_) | Token::True | Token::False))
        {
            labels.push(self.name("a label")?);
            self.cursor.advance();
        }
        let start = self.cursor.span();
        if !labels.is_empty() && self.cursor.peek().is_none_or(resumes) {
            let span = labels.last().map_or(start, |label| label.span);
            body.stmts.push(Stmt { labels, kind: Kind::Skip, span });
            return Ok(());
        }
        let kind = self.kind(body)?;
        let span = start.to(self.cursor.previous());
        let is_block = match kind {
            Kind::If(_) | Kind::Elsif(_) => {
                self.keyword(Token::Then, "`then`");
                true
            }
            Kind::While(_) => {
                self.keyword(Token::Do, "`do`");
                true
            }
            Kind::Else | Kind::Fi | Kind::Od => true,
            _ => false,
        };
        body.stmts.push(Stmt { labels, kind, span });
        if is_block { Ok(()) } else { self.separator().or_else(|refused| self.resume(refused)) }
    }

    /// After a missing `;`, goes on at once if a statement seems to start here.
    fn resume(&mut self, refused: Refused) -> Result<(), Refused> {
        let starts = match self.cursor.peek() {
            Some(Token::Word(_)) => {
                matches!(self.cursor.peek_at(1), Some(Token::Gets | Token::Colon | Token::Comma | Token::Open))
            }
            Some(Token::If | Token::While | Token::Skip | Token::Goto | Token::Return) => true,
            Some(Token::Assert | Token::Assume) => true,
            _ => false,
        };
        if starts { Ok(()) } else { Err(refused) }
    }

    /// Consumes the word behind a condition; if it is missing, looks for it in this statement.
    fn keyword(&mut self, token: Token<'s>, what: &str) {
        if self.cursor.expect(&token, what).is_err() {
            self.cursor.skip_until(|next| *next == token || resumes(next));
            self.cursor.eat(&token);
        }
    }

    /// A condition. After an error in it the block it opens stays open, so that its end is
    /// not reported as well; the whole text is refused anyway.
    fn condition(&mut self) -> Expr {
        self.expression().unwrap_or_else(|Refused| {
            self.cursor.skip_until(|token| matches!(token, Token::Then | Token::Do) || resumes(token));
            Expr { first: 0, root: 0, span: self.cursor.span() }
        })
    }

    fn kind(&mut self, body: &mut Body<'s>) -> Result<Kind<'s>, Refused> {
        let span = self.cursor.span();
        let Some(token) = self.cursor.peek().copied() else { return Err(self.cursor.expected("a statement")) };
        if let Token::Word(word) = token {
            return self.word(word);
        }
        self.cursor.advance();
        Ok(match token {
            Token::If => {
                body.open.push((Block::If, span));
                Kind::If(self.condition())
            }
            Token::Elsif => {
                self.reopen(body, "elsif", Block::If)?;
                Kind::Elsif(self.condition())
            }
            Token::Else => {
                self.reopen(body, "else", Block::Else)?;
                Kind::Else
            }
            Token::Fi => {
                self.shut(body, "fi")?;
                Kind::Fi
            }
            Token::While => {
                body.open.push((Block::While, span));
                Kind::While(self.condition())
            }
            Token::Od => {
                self.shut(body, "od")?;
                Kind::Od
            }
            Token::Goto => Kind::Goto(self.names("a label")?),
            Token::Return => Kind::Return(self.values_if_any()?),
            Token::Assert => Kind::Assert(self.expression()?),
            Token::Assume => Kind::Assume(self.expression()?),
            Token::Constrain => Kind::Constrain(self.expression()?),
            Token::Skip => Kind::Skip,
            _ => return Err(self.misplaced(token, span)),
        })
    }

    fn values_if_any(&mut self) -> Result<Vec<Expr>, Refused> {
        let none = self.cursor.peek() == Some(&Token::Semicolon) || ends_block(self.cursor.peek());
        if none { Ok(Vec::new()) } else { self.expressions() }
    }

    fn misplaced(&mut self, token: Token<'s>, span: Span) -> Refused {
        let hint = "move it to the start of the function";
        self.cursor.refuse(match token {
            Token::Decl => Diagnostic::error(span, "`decl` among the statements").hint(hint),
            Token::Enforce => Diagnostic::error(span, "`enforce` among the statements").hint(hint),
            _ => Diagnostic::error(span, "expected a statement"),
        })
    }

    /// Continues an `if` with `elsif` or `else`.
    fn reopen(&mut self, body: &mut Body<'s>, word: &str, next: Block) -> Result<(), Refused> {
        let span = self.cursor.previous();
        match body.open.last_mut() {
            Some((block @ Block::If, _)) => {
                *block = next;
                Ok(())
            }
            _ => Err(self.cursor.refuse(Diagnostic::error(span, format!("`{word}` without `if`")))),
        }
    }

    /// Closes a block. A closer of the wrong kind is taken for the right one.
    fn shut(&mut self, body: &mut Body<'s>, word: &str) -> Result<(), Refused> {
        let span = self.cursor.previous();
        match body.open.pop() {
            Some((block, _)) if block.names().1 == word => Ok(()),
            Some((block, _)) => {
                let (keyword, closer) = block.names();
                let error = Diagnostic::error(span, format!("expected `{closer}`, because `{keyword}` is open"));
                Err(self.cursor.refuse(error))
            }
            None => {
                let opener = if word == "fi" { "if" } else { "while" };
                Err(self.cursor.refuse(Diagnostic::error(span, format!("`{word}` without `{opener}`"))))
            }
        }
    }

    /// A statement that starts with a word: a keyword of one dialect, an assignment or a call.
    fn word(&mut self, word: &'s str) -> Result<Kind<'s>, Refused> {
        let target = matches!(self.cursor.peek_at(1), Some(Token::Gets | Token::Comma));
        match word {
            _ if target => self.assignment(),
            "dead" => {
                self.cursor.advance();
                self.names("a variable").map(Kind::Dead)
            }
            "abortif" => {
                self.cursor.advance();
                self.expression().map(Kind::AbortIf)
            }
            "print" => {
                self.cursor.advance();
                self.arguments().map(Kind::Print)
            }
            "start_thread" | "end_thread" | "sync" | "atomic_begin" | "atomic_end" | "thread_local" => {
                Err(self.concurrent(word))
            }
            _ if self.cursor.peek_at(1) == Some(&Token::Open) => {
                let callee = self.name("a function")?;
                Ok(Kind::Call { targets: None, callee, args: self.arguments()? })
            }
            _ => {
                self.cursor.advance();
                if self.cursor.peek() == Some(&Token::Equal) {
                    let error = Diagnostic::error(self.cursor.span(), "`=` compares").hint("assign with `:=`");
                    return Err(self.cursor.refuse(error));
                }
                Err(self.cursor.expected(&format!("`:=`, `(` or `:` after `{word}`")))
            }
        }
    }

    fn concurrent(&mut self, word: &str) -> Refused {
        let error = Diagnostic::error(self.cursor.span(), format!("`{word}` is not supported: there are no threads"));
        self.cursor.refuse(error.hint(match word {
            "atomic_begin" | "atomic_end" => "remove it if the program has one thread: it has no effect then",
            _ => "check the threads one by one, or turn the program into a sequential one first",
        }))
    }

    /// `(a, b)`
    fn arguments(&mut self) -> Result<Vec<Expr>, Refused> {
        self.cursor.expect(&Token::Open, "`(`")?;
        if self.cursor.eat(&Token::Close) {
            return Ok(Vec::new());
        }
        let args = self.expressions()?;
        self.cursor.expect(&Token::Close, "an operator, `,` or `)`")?;
        Ok(args)
    }

    fn assignment(&mut self) -> Result<Kind<'s>, Refused> {
        let targets = self.names("a variable")?;
        self.cursor.expect(&Token::Gets, "`:=`")?;
        if let (Some(Token::Word(_)), Some(Token::Open)) = (self.cursor.peek(), self.cursor.peek_at(1)) {
            let callee = self.name("a function")?;
            let args = self.arguments()?;
            let error = match self.cursor.peek() {
                Some(Token::Constrain) => Diagnostic::error(self.cursor.span(), "`constrain` after a call")
                    .hint("constrain an assignment that follows the call"),
                Some(Token::Comma) => {
                    Diagnostic::error(self.cursor.span(), "a call must be the only value of an assignment")
                        .hint("assign its result first, then the other values")
                }
                _ => return Ok(Kind::Call { targets: Some(targets), callee, args }),
            };
            return Err(self.cursor.refuse(error));
        }
        let values = self.expressions()?;
        let relation = if self.cursor.eat(&Token::Constrain) { Some(self.expression()?) } else { None };
        Ok(Kind::Assign { targets, values, relation })
    }
}
