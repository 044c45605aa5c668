//! What is wrong at an offset of the text, before it is known which file that offset belongs to.

use tamis_ir::{Diagnostic, Span};

/// An error or a warning about a range of bytes of the preprocessed text.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) message: String,
    hint: Option<String>,
    pub(super) warning: bool,
}

impl Problem {
    pub(super) fn error(start: usize, end: usize, message: impl Into<String>) -> Problem {
        Problem { start, end, message: message.into(), hint: None, warning: false }
    }

    pub(super) fn warning(start: usize, end: usize, message: impl Into<String>) -> Problem {
        Problem { warning: true, ..Problem::error(start, end, message) }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// The same, at a place that the user knows.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        let message = self.message;
        let diagnostic =
            if self.warning { Diagnostic::warning(span, message) } else { Diagnostic::error(span, message) };
        match self.hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }
}
