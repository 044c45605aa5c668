//! Placeholder, replaced by its front end.
use crate::Lowered;
use std::sync::Arc;
use tamis_ir::{Diagnostic, SourceId, Sources, Span};
use tamis_term::Terms;

/// Lowers one text.
pub fn lower(_: &mut Terms, _: Arc<Sources>, source: SourceId) -> Result<Lowered, Vec<Diagnostic>> {
    Err(vec![Diagnostic::error(Span { source, start: 0, end: 0 }, "not yet")])
}
