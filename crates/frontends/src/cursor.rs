//! A cursor over the tokens of a text, shared by the hand-written parsers.
//!
//! It collects errors instead of stopping at the first, bounds nesting so that no input
//! can overflow the stack, and reports at most one error per token, so that recovery does
//! not flood the user.

use tamis_ir::{Diagnostic, Span};

/// How deep statements and expressions may nest, unless the parser sets another limit. A
/// parser that recurses takes some 2.5 KiB of stack per level, and a thread may have 2 MiB.
pub const MAX_NESTING: u32 = 300;

/// Errors are no longer recorded beyond this number: nobody reads more.
pub const MAX_ERRORS: usize = 20;

/// What a parser returns when it cannot go on; the error is already recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// Tokens, a place among them, and the errors so far.
#[derive(Debug)]
pub struct Cursor<T> {
    tokens: Vec<(T, Span)>,
    at: usize,
    end: Span,
    depth: u32,
    max_depth: u32,
    last_error_at: Option<usize>,
    errors: Vec<Diagnostic>,
}

impl<T: Clone + PartialEq> Cursor<T> {
    /// A cursor at the first token; `end` is the empty span behind the last one.
    #[must_use]
    pub fn new(tokens: Vec<(T, Span)>, end: Span) -> Cursor<T> {
        Cursor { tokens, at: 0, end, depth: 0, max_depth: MAX_NESTING, last_error_at: None, errors: Vec::new() }
    }

    /// The same with another limit on nesting: for parsers that do not recurse.
    #[must_use]
    pub fn with_nesting(self, max_depth: u32) -> Cursor<T> {
        Cursor { max_depth, ..self }
    }

    /// The current token, `None` at the end.
    #[must_use]
    pub fn peek(&self) -> Option<&T> {
        self.peek_at(0)
    }

    /// The token `ahead` places further.
    #[must_use]
    pub fn peek_at(&self, ahead: usize) -> Option<&T> {
        self.tokens.get(self.at + ahead).map(|(token, _)| token)
    }

    /// The place of the current token.
    #[must_use]
    pub fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    /// The place of the token just consumed.
    #[must_use]
    pub fn previous(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.end, |(_, span)| *span)
    }

    /// Consumes the current token.
    pub fn advance(&mut self) -> Option<(T, Span)> {
        let token = self.tokens.get(self.at).cloned()?;
        self.at += 1;
        Some(token)
    }

    /// Consumes the current token if it is `token`.
    pub fn eat(&mut self, token: &T) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.at += 1;
        }
        found
    }

    /// Consumes `token`, or records that `what` was expected.
    ///
    /// # Errors
    /// If the current token is another one.
    pub fn expect(&mut self, token: &T, what: &str) -> Result<Span, Refused> {
        let span = self.span();
        if self.eat(token) { Ok(span) } else { Err(self.expected(what)) }
    }

    /// Records that `what` was expected here.
    pub fn expected(&mut self, what: &str) -> Refused {
        let found = if self.peek().is_none() { ", but the text ends" } else { "" };
        self.refuse(Diagnostic::error(self.span(), format!("expected {what}{found}")))
    }

    /// Records an error about the current token, unless it already has one.
    pub fn refuse(&mut self, error: Diagnostic) -> Refused {
        if self.last_error_at != Some(self.at) && self.errors.len() < MAX_ERRORS {
            self.errors.push(error);
        }
        self.last_error_at = Some(self.at);
        Refused
    }

    /// Skips tokens until one satisfies `stop` or the text ends. For recovery.
    pub fn skip_until(&mut self, stop: impl Fn(&T) -> bool) {
        while self.peek().is_some_and(|token| !stop(token)) {
            self.at += 1;
        }
    }

    /// Runs `parse` one level deeper.
    ///
    /// # Errors
    /// If `parse` fails or the nesting is too deep.
    pub fn nested<R>(&mut self, parse: impl FnOnce(&mut Self) -> Result<R, Refused>) -> Result<R, Refused> {
        self.descend()?;
        let result = parse(self);
        self.ascend();
        result
    }

    /// Enters one level, for parsers that own the cursor; pair it with [`Cursor::ascend`].
    ///
    /// # Errors
    /// If the nesting is too deep.
    pub fn descend(&mut self) -> Result<(), Refused> {
        if self.depth >= self.max_depth {
            let error = Diagnostic::error(self.span(), format!("nested deeper than {} levels", self.max_depth))
                .hint("split it into smaller parts");
            let refused = self.refuse(error);
            // What follows would only repeat the complaint.
            self.at = self.tokens.len();
            self.last_error_at = Some(self.at);
            return Err(refused);
        }
        self.depth += 1;
        Ok(())
    }

    /// Leaves one level.
    pub fn ascend(&mut self) {
        self.depth -= 1;
    }

    /// The errors so far.
    #[must_use]
    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.errors
    }
}
