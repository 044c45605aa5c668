//! `--precision-in` and `--precision-out`: a run begins with what told states apart in another one.

use crate::input::Content;
use crate::options::Verify;
use crate::output::{Existing, write_file};
use crate::trouble::Trouble;
use std::path::Path;
use std::sync::Arc;
use tamis_cegar::reuse::Misread;
use tamis_cegar::{Context, Reuse, Stored};
use tamis_ir::{Diagnostic, Severity, Sources, Span};
use tamis_report::diagnostics::render_plain;
use tamis_report::style::Colour;
use tamis_witness::Verdict;

/// What the run takes over and leaves.
pub fn reuse(options: &Verify) -> Result<Reuse, Trouble> {
    let given = options.precision_in.as_deref().map(read).transpose()?.map(Arc::new);
    Ok(Reuse { given, wanted: options.precision_out.is_some(), ..Reuse::default() })
}

fn read(path: &Path) -> Result<Stored, Trouble> {
    let content = Content::read(path)?;
    let text = content.text()?;
    Stored::read(text).map_err(|Misread { line, message }| {
        let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let length = text[before..].lines().next().map_or(0, str::len);
        let mut sources = Sources::new();
        let source = sources.add(content.name.as_str(), text);
        let [start, end] = [before, before + length].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        let hint = "name a file that --precision-out wrote, or mend the line";
        Trouble::Located(sources.into(), vec![Diagnostic::error(Span { source, start, end }, message).hint(hint)])
    })
}

/// What the user should know about the precision that was given.
pub fn told(options: &Verify, ctx: &Context, verdict: &Verdict, colour: Colour) -> String {
    let Some(path) = options.precision_in.as_ref().filter(|_| ctx.reuse.fits != Some(true)) else {
        return String::new();
    };
    let name = path.display();
    let message = match ctx.reuse.fits {
        Some(_) => format!("nothing in {name} fits the program"),
        None => format!("{name} was of no use: {}", why_none(verdict)),
    };
    render_plain(Severity::Warning, &message, None, colour)
}

/// Why a run has no precision. Of a race, only the engine that answered leaves what it found.
fn why_none(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unknown(_) => "no engine came to an answer",
        Verdict::Safe(_) | Verdict::Unsafe(_) => "no abstraction was refined",
    }
}

/// Writes down the precision of the run, if that is wanted. Returns what the user should know.
pub fn write(options: &Verify, ctx: &Context, verdict: &Verdict, colour: Colour) -> String {
    let Some(path) = &options.precision_out else { return String::new() };
    let Some(found) = &ctx.reuse.found else {
        let message = format!("{} is not written: {}", path.display(), why_none(verdict));
        let hint = "name an engine that refines abstractions, such as --engine predicate: it writes what it has";
        return render_plain(Severity::Warning, &message, Some(hint), colour);
    };
    let written = write_file(path, Existing::from_force(options.force), &found.to_string());
    written.map_or_else(|trouble| trouble.text(colour), |()| String::new())
}
