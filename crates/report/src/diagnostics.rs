//! Diagnostics with their source line, a caret and a hint.
//!
//! Only the line in question is handed to the renderer, and of a very long line only the
//! neighbourhood of the caret: a text of one line and many megabytes is still shown well.

use crate::style::{Colour, Ink, plural};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt::Write as _;
use std::ops::Range;
use tamis_ir::{Diagnostic, Severity, Sources, Span};

/// How many diagnostics are shown; nobody reads more.
const MAX_SHOWN: usize = 20;

/// How many characters of a long line are shown before and behind the caret.
const BEFORE: usize = 50;
const BEHIND: usize = 70;

/// How many characters of a message are shown.
const MAX_MESSAGE: usize = 500;

/// All diagnostics as text, in the order given.
#[must_use]
pub fn render(sources: &Sources, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        text.push_str(&render_one(sources, diagnostic, colour));
        text.push('\n');
    }
    if let Some(more) = diagnostics.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "… and {} like these", plural(more as u64, "message"));
    }
    text
}

/// An error that has no place in a source text, such as a file that is not there.
#[must_use]
pub fn render_plain(severity: Severity, message: &str, hint: Option<&str>, colour: Colour) -> String {
    let (ink, word) = match severity {
        Severity::Error => (Ink::Error, "error"),
        Severity::Warning => (Ink::Input, "warning"),
    };
    let mut text = format!("{}{} {}\n", colour.paint(ink, word), colour.paint(Ink::Bold, ":"), shown(message));
    if let Some(hint) = hint {
        let _ = writeln!(text, "  = {} {}", colour.paint(Ink::Bold, "help:"), shown(hint));
    }
    text
}

fn render_one(sources: &Sources, diagnostic: &Diagnostic, colour: Colour) -> String {
    let Some(excerpt) = Excerpt::new(sources, diagnostic.span) else {
        let text = render_plain(diagnostic.severity, &diagnostic.message, diagnostic.hint.as_deref(), colour);
        return text.trim_end().to_owned();
    };
    let caret = AnnotationKind::Primary.span(excerpt.caret.clone());
    let snippet = Snippet::source(&excerpt.text).line_start(excerpt.line).path(&excerpt.path).annotation(caret);
    let group = level(diagnostic.severity).primary_title(shown(&diagnostic.message)).element(snippet);
    let hint = diagnostic.hint.as_deref().map(|hint| Level::HELP.message(shown(hint)));
    let group = hint.into_iter().fold(group, Group::element);
    // The renderer counts the column in the excerpt; the user counts it in the line.
    let place = |column: usize| format!("{}:{}:{column}", excerpt.path, excerpt.line);
    let counted = excerpt.text[..excerpt.caret.start].chars().count() + 1;
    renderer(colour).render(&[group]).replacen(&place(counted), &place(excerpt.column), 1)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

fn renderer(colour: Colour) -> Renderer {
    match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    }
}

/// A message without control characters and of bounded length: it may quote the input.
fn shown(message: &str) -> String {
    let mut kept: String =
        message.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_MESSAGE + 1).collect();
    if let Some((end, _)) = kept.char_indices().nth(MAX_MESSAGE) {
        kept.truncate(end);
        kept.push('…');
    }
    kept
}

/// The part of a line around a span.
struct Excerpt {
    path: String,
    line: usize,
    column: usize,
    text: String,
    /// The span, as bytes of `text`.
    caret: Range<usize>,
}

impl Excerpt {
    fn new(sources: &Sources, span: Span) -> Option<Excerpt> {
        let (source, position) = (sources.get(span.source)?, sources.position(span)?);
        let line = sources.line(span)?;
        let start = source.text.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at + 1);
        // The caret stays on the first line of the span, within the line.
        let from = (span.start as usize - start).min(line.len());
        let to = (span.end as usize).saturating_sub(start).clamp(from, line.len());
        let (before, behind) = (line.get(..from)?, line.get(from..)?);
        let first = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
        let last = behind.char_indices().nth(BEHIND).map_or(line.len(), |(at, _)| from + at);
        let mut text = String::new();
        if first > 0 {
            text.push('…');
        }
        let shift = text.len();
        text.push_str(line.get(first..last)?);
        let caret = shift + from - first..shift + to.min(last) - first;
        if last < line.len() {
            text.push('…');
        }
        let caret = if line.is_char_boundary(to.min(last)) { caret } else { caret.start..caret.start };
        Some(Excerpt {
            path: shown(&source.name),
            line: position.line as usize,
            column: position.column as usize,
            text,
            caret,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders an error at the first `needle` of the text.
    fn check(text: &str, needle: &str, expected: &str) {
        let mut sources = Sources::new();
        let source = sources.add("main.rem", text);
        let start = u32::try_from(text.find(needle).unwrap()).unwrap();
        let span = Span { source, start, end: start + u32::try_from(needle.len()).unwrap() };
        let error = Diagnostic::error(span, "no such variable").hint("declare it first");
        assert_eq!(render(&sources, &[error], Colour::Plain).trim_end(), expected.trim_matches('\n'));
    }

    #[test]
    fn the_line_the_caret_and_the_hint() {
        check(
            "int x;\nx = yy + 1;\n",
            "yy",
            "
error: no such variable
 --> main.rem:2:5
  |
2 | x = yy + 1;
  |     ^^
  |
  = help: declare it first",
        );
    }

    #[test]
    fn tabs_and_wide_characters_keep_the_caret_in_place() {
        check(
            "\tx = \"日本\" + yy;",
            "yy",
            "
error: no such variable
 --> main.rem:1:13
  |
1 |     x = \"日本\" + yy;
  |                  ^^
  |
  = help: declare it first",
        );
    }

    #[test]
    fn a_span_over_lines_stays_on_its_first() {
        check(
            "x = yy +\n  1;",
            "yy +\n  1",
            "
error: no such variable
 --> main.rem:1:5
  |
1 | x = yy +
  |     ^^^^
  |
  = help: declare it first",
        );
    }

    #[test]
    fn a_long_line_is_clipped_around_the_caret() {
        let text = format!("{}yy{}", "a + ".repeat(250_000), " + b".repeat(250_000));
        check(
            &text,
            "yy",
            "
error: no such variable
 --> main.rem:1:1000001
  |
1 | …+ a + a + a + a + a + a + a + a + a + a + a + a + yy + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b + b…
  |                                                    ^^
  |
  = help: declare it first",
        );
    }

    #[test]
    fn the_end_of_the_text_has_a_caret() {
        let mut sources = Sources::new();
        let source = sources.add("a.bp", "begin\n");
        let error = Diagnostic::error(Span { source, start: 6, end: 6 }, "expected end, but the text ends");
        let text = render(&sources, &[error], Colour::Plain);
        assert!(text.contains("a.bp:2:1") && text.contains('^'), "{text}");
    }

    #[test]
    fn an_error_without_a_place_is_two_lines() {
        let text = render_plain(Severity::Error, "there is no such file", Some("check the path"), Colour::Plain);
        assert_eq!(text, "error: there is no such file\n  = help: check the path\n");
    }

    #[test]
    fn spans_that_point_nowhere_are_survived() {
        let mut sources = Sources::new();
        let source = sources.add("a.bp", "é");
        for (start, end) in [(1, 2), (5, 9), (0, 1), (2, 1), (0, 900)] {
            let text = render(&sources, &[Diagnostic::error(Span { source, start, end }, "odd")], Colour::Plain);
            assert!(text.starts_with("error: odd"), "{text}");
        }
    }

    #[test]
    fn control_characters_of_the_input_do_not_reach_the_terminal() {
        let mut sources = Sources::new();
        let source = sources.add("a.bp", "x \x1b[2J y");
        let error = Diagnostic::error(Span { source, start: 2, end: 6 }, "unexpected \x1b[2J");
        assert!(!render(&sources, &[error], Colour::Plain).contains('\x1b'));
    }
}
