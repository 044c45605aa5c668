//! From files to one typed tree: clean, parse, elaborate.

use super::elaborate::elaborate;
use super::markers::Places;
use super::parse::{Parsed, parse};
use super::text::clean;
use super::tree::Unit;
use super::types::DataModel;
use tamis_ir::{Diagnostic, Severity, SourceId, Sources, Span};

/// How much stack the deepest text that is let through may need. It is only reserved.
const STACK: usize = 1 << 30;

/// Runs something that recurses as deeply as a text is nested. Trees of such texts must be made,
/// walked and dropped in here.
pub(crate) fn on_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("c".to_owned()).stack_size(STACK).spawn_scoped(scope, run)?;
        thread.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Reads files and links them. Call it inside of [`on_large_stack`], and drop the tree there.
///
/// # Errors
/// What is wrong with the files; at least one error.
pub(crate) fn read(
    sources: &mut Sources,
    files: &[SourceId],
    model: DataModel,
) -> Result<(Unit, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut places = Vec::with_capacity(files.len());
    let mut texts = Vec::with_capacity(files.len());
    let mut errors = Vec::new();
    for file in files {
        let start = Span { source: *file, start: 0, end: 0 };
        let Some(text) = sources.get(*file).map(|source| source.text.clone()) else {
            return Err(vec![Diagnostic::error(start, "there is no such source text")]);
        };
        let cleaned = clean(&text);
        let map = Places::new(sources, *file, &text, &cleaned.markers);
        errors.extend(cleaned.problems.into_iter().map(|problem| {
            let span = map.span(problem.start, problem.end);
            problem.at(span)
        }));
        places.push(map);
        texts.push((cleaned.text, cleaned.weak));
    }
    if files.is_empty() {
        errors.push(Diagnostic::error(Span::default(), "there is no file to read"));
    }
    if errors.iter().any(|problem| problem.severity == Severity::Error) {
        return Err(errors);
    }
    let mut parsed: Vec<(Parsed, &Places)> = Vec::with_capacity(files.len());
    for ((text, weak), places) in texts.into_iter().zip(&places) {
        match parse(&text, weak, places) {
            Ok(unit) => parsed.push((unit, places)),
            Err(more) => errors.extend(more),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    elaborate(&parsed, model)
}
