//! What a translation cannot say: which of its errors may be none of the program, because a front
//! end could not model what the source does there.

use std::collections::BTreeMap;
use tamis_ir::{Diagnostic, Program, Span};

/// A warning for each thing that is not modelled, at the first place of it.
#[must_use]
pub fn caveats(program: &Program) -> Vec<Diagnostic> {
    let warning = |(what, span): (&str, Span)| {
        let message = format!("not modelled: {what}; an error of the translation may not be one of the program");
        Diagnostic::warning(span, message).hint("`tamis verify` tells such errors from real ones")
    };
    unmodelled(program).into_iter().map(warning).collect()
}

/// The same as lines for a comment.
#[must_use]
pub fn comments(program: &Program) -> Vec<String> {
    let line = |(what, _)| format!("An error that is found here may not be one of the program. Not modelled: {what}");
    unmodelled(program).into_iter().map(line).collect()
}

/// What is not modelled, and where first, in the order of places.
fn unmodelled(program: &Program) -> Vec<(&str, Span)> {
    let mut first: BTreeMap<&str, Span> = BTreeMap::new();
    for (edge, what) in &program.notes.approximations {
        first.entry(what).or_insert(program.edge(*edge).span);
    }
    let mut found: Vec<(&str, Span)> = first.into_iter().collect();
    found.sort_by_key(|(what, span)| (span.source, span.start, *what));
    found
}
