//! C (C11 with GNU extensions), with the meaning that a compiler for x86 gives it.
//!
//! Files in order of reading: `options` (what can be chosen); `prepare` (the preprocessor); `types` and `tree` (a program after elaboration); `text`, `markers`,
//! `tokens`, `rewrite`, `parse` (from text to what the parser sees, with `report` for what is
//! wrong there); `elaborate` (names and types); `read` (all of that in order); `library` (functions
//! that programs need not define), `system` (the names of all others), `format` (what printing
//! writes), `leaves` (what values consist of), `points_to` (what pointers mean), `lower` (control-flow automata).

mod elaborate;
mod format;
mod leaves;
mod library;
mod lower;
mod markers;
mod options;
mod parse;
mod points_to;
mod prepare;
mod read;
mod report;
mod rewrite;
mod system;
#[cfg(test)]
mod tests;
mod text;
mod tokens;
mod tree;
mod types;

use crate::{Input, Lowered, Refused};
pub use lower::on_request;
pub use options::{FLAGS, OPTIONS, Options, Overflow, Undefined, Volatile, compiled};
use points_to::PointsTo;
pub use prepare::prepare;
use std::sync::Arc;
use tamis_ir::{Diagnostic, SourceId, Sources, Span};
use tamis_options::{Settings, Unfit};
use tamis_term::Terms;
pub use types::DataModel;

/// The name under which the functions that are written in C appear in spans.
const LIBRARY: &str = "<library>";

/// Lowers the files, linked together.
///
/// # Errors
/// What is wrong with them; at least one error.
pub fn lower(terms: &mut Terms, input: &Input<'_>, settings: &Settings) -> Result<Lowered, Refused> {
    let options = OPTIONS.configured(settings).map_err(|Unfit(why)| input.refused(why))?;
    lower_as(terms, input, &options)
}

/// Lowers the files as it was chosen.
///
/// # Errors
/// What is wrong with them; at least one error.
pub fn lower_as(terms: &mut Terms, input: &Input<'_>, options: &Options) -> Result<Lowered, Refused> {
    let mut sources = Sources::clone(&input.sources);
    let lowered = read::on_large_stack(|| lower_files(terms, &mut sources, input, options));
    let refused = |errors| Refused { sources: Arc::new(sources), errors };
    match lowered {
        Ok(lowered) => lowered.map_err(refused),
        Err(error) => {
            let message = format!("there is no stack to read the program with: {error}");
            Err(refused(vec![Diagnostic::error(Span::default(), message)]))
        }
    }
}

fn lower_files(
    terms: &mut Terms,
    sources: &mut Sources,
    input: &Input<'_>,
    options: &Options,
) -> Result<Lowered, Vec<Diagnostic>> {
    let files = input.files;
    let (mut unit, mut warnings) = read::read(sources, files, options.data_model)?;
    let mut points_to = PointsTo::new(&unit);
    // Functions of the standard library that are written in C join the program.
    let called: Vec<&str> =
        points_to.outside(&unit).map(|function| unit.functions[function.index()].name.as_str()).collect();
    let defined = |name: &str| unit.functions.iter().any(|function| function.name == name && function.body.is_some());
    if let Some(text) = library::text(&called, options.data_model, &defined) {
        let library = sources.add(LIBRARY, text);
        let files: Vec<SourceId> = files.iter().copied().chain([library]).collect();
        (unit, warnings) = read::read(sources, &files, options.data_model)?;
        warnings.retain(|warning| warning.span.source != library);
        points_to = PointsTo::new(&unit);
    }
    lower::lower(terms, Arc::new(sources.clone()), &unit, points_to, options, input.ask, warnings)
}
