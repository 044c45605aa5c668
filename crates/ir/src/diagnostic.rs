//! What a front end tells the user about the input.

use crate::source::Span;

/// A message about a place in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The place.
    pub span: Span,
    /// What is wrong, as a lower-case phrase.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but perhaps does not mean what its author thinks.
    Warning,
}

impl Diagnostic {
    /// An error.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, span, message: message.into(), hint: None }
    }

    /// A warning.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }
}

/// Whether a name may be meant that is written a little differently: with a letter or two changed,
/// added, left out or swapped. Of short names, one.
#[must_use]
pub fn is_near(name: &str, meant: &str) -> bool {
    let [name, meant] = [name, meant].map(str::to_lowercase);
    let most = (name.len().min(meant.len()) / 3).min(2);
    name.len().abs_diff(meant.len()) <= most && strsim::osa_distance(&name, &meant) <= most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_if_few_letters_differ() {
        for (one, other) in [("stat", "state"), ("State", "state"), ("countr", "counter"), ("recieve", "receive")] {
            assert!(is_near(one, other), "{one} {other}");
        }
        for (one, other) in [("x", "y"), ("nosuch", "state"), ("", "a"), ("i", "index")] {
            assert!(!is_near(one, other), "{one} {other}");
        }
    }
}
