//! Where the checks collect what they find.

use crate::cursor::{MAX_ERRORS, Refused};
use rustc_hash::FxHashSet;
use tamis_ir::{Diagnostic, Severity, Span};

/// Errors and warnings, each once per place.
#[derive(Debug, Default)]
pub struct Report {
    found: Vec<Diagnostic>,
    errors: usize,
    seen: FxHashSet<(Span, String)>,
}

impl Report {
    /// Records a diagnostic unless the same one is there already. Quantifiers expand their
    /// bodies, and one mistake in a body is one error.
    pub fn add(&mut self, diagnostic: Diagnostic) -> Refused {
        let error = diagnostic.severity == Severity::Error;
        let full = if error { self.errors >= MAX_ERRORS } else { self.found.len() - self.errors >= MAX_ERRORS };
        if !full && self.seen.insert((diagnostic.span, diagnostic.message.clone())) {
            self.errors += usize::from(error);
            self.found.push(diagnostic);
        }
        Refused
    }

    /// Records an error.
    pub fn error(&mut self, span: Span, message: impl Into<String>) -> Refused {
        self.add(Diagnostic::error(span, message))
    }

    /// Records an error with a hint.
    pub fn error_with(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) -> Refused {
        self.add(Diagnostic::error(span, message).hint(hint))
    }

    /// Whether there is an error.
    pub fn failed(&self) -> bool {
        self.errors > 0
    }

    /// What was found, in the order of the text: the errors if there are any, else the warnings.
    pub fn finish(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.found.sort_by_key(|diagnostic| diagnostic.span);
        if self.errors == 0 {
            return Ok(self.found);
        }
        self.found.retain(|diagnostic| diagnostic.severity == Severity::Error);
        Err(self.found)
    }
}

/// `1 thing`, `2 things`
pub fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
