//! Places: which line of which file a byte of the preprocessed text comes from.
//!
//! Preprocessors say where lines come from with markers (`# 12 "file.c"`). For every file that
//! they name a text is rebuilt: its line n is the line that a marker calls n, and lines that
//! nothing is known about are empty. If the table has a text of that name already, its lines
//! are the ones that the user reads, and they are used instead.

use super::text::Marker;
use rustc_hash::FxHashMap;
use tamis_ir::{SourceId, Sources, Span};

/// No file that people write has more lines; a marker beyond is not believed.
const MOST_LINES: u64 = 4_000_000;

/// From offsets of a preprocessed text to places that the user knows.
#[derive(Debug)]
pub(super) struct Places {
    /// The lines of the text, in order.
    lines: Vec<Line>,
    source: SourceId,
    /// The length of the text.
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Where it starts in the preprocessed text.
    start: usize,
    /// The place that its first byte stands for.
    source: SourceId,
    target: u32,
    /// How many bytes the line has there.
    target_len: u32,
    /// Whether columns mean the same in both texts.
    same: bool,
}

/// A line that some marker names.
struct Named<'t> {
    file: usize,
    number: usize,
    text: &'t str,
}

impl Places {
    /// The places of a text, `source` of the table. Files that markers name join the table.
    pub(super) fn new(sources: &mut Sources, source: SourceId, text: &str, markers: &[Marker]) -> Places {
        let starts: Vec<usize> = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1))
            .collect();
        let line_text = |at: usize| {
            let end = starts.get(at + 1).map_or(text.len(), |next| next - 1);
            text[starts[at]..end].trim_end_matches('\r')
        };
        let mut files: Vec<String> = Vec::new();
        let mut named = name_lines(&starts, markers, &mut files, line_text);
        // Markers that name the text itself lead nowhere: its lines are what the user reads.
        let own = sources.get(source).and_then(|own| files.iter().position(|file| *file == own.name));
        for line in &mut named {
            line.take_if(|line| Some(line.file) == own);
        }
        let tables: Vec<(SourceId, Vec<usize>)> =
            files.iter().enumerate().map(|(at, file)| table(sources, file, at, &named)).collect();
        let lines = starts.iter().enumerate().map(|(at, start)| {
            let own = Line {
                start: *start,
                source,
                target: offset(*start),
                target_len: offset(line_text(at).len()),
                same: true,
            };
            let Some(line) = &named[at] else { return own };
            let (source, table) = &tables[line.file];
            let Some(found) = sources.get(*source) else { return own };
            let Some(target) = table.get(line.number - 1) else { return own };
            let end = table.get(line.number).map_or(found.text.len(), |next| next - 1);
            let there = found.text[*target..end].trim_end_matches('\r');
            let same = there == line.text;
            let indent = if same { 0 } else { there.len() - there.trim_start().len() };
            let target = offset(target + indent);
            Line { start: *start, source: *source, target, target_len: offset(there.len() - indent), same }
        });
        Places { lines: lines.collect(), source, len: text.len() }
    }

    /// The place of a range of bytes of the preprocessed text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let (start, end) = (start.min(self.len), end.clamp(start.min(self.len), self.len));
        let first = self.line(start);
        let from = first.place(start);
        let last = self.line(end);
        let to = if last.source == first.source { last.place(end) } else { from };
        Span { source: first.source, start: from, end: to.max(from) }
    }

    /// The preprocessed text itself.
    pub(super) fn source(&self) -> SourceId {
        self.source
    }

    fn line(&self, at: usize) -> &Line {
        let line = self.lines.partition_point(|line| line.start <= at);
        &self.lines[line - 1]
    }
}

impl Line {
    fn place(&self, at: usize) -> u32 {
        if self.same { self.target + offset(at - self.start).min(self.target_len) } else { self.target }
    }
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("a source text is smaller than 4 GiB")
}

/// What the markers call each line of the text.
fn name_lines<'t>(
    starts: &[usize],
    markers: &[Marker],
    files: &mut Vec<String>,
    line_text: impl Fn(usize) -> &'t str,
) -> Vec<Option<Named<'t>>> {
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    let mut current: Option<(usize, u64)> = None;
    let mut markers = markers.iter().peekable();
    let mut named = Vec::with_capacity(starts.len());
    for (at, start) in starts.iter().enumerate() {
        while let Some(marker) = markers.next_if(|marker| marker.offset <= *start) {
            let file = match &marker.file {
                Some(file) => Some(*known.entry(file).or_insert_with(|| {
                    files.push(file.clone());
                    files.len() - 1
                })),
                None => current.map(|(file, _)| file),
            };
            current = file.map(|file| (file, marker.line));
        }
        named.push(current.filter(|(_, number)| (1..=MOST_LINES).contains(number)).map(|(file, number)| Named {
            file,
            number: usize::try_from(number).expect("at most MOST_LINES"),
            text: line_text(at),
        }));
        if let Some((_, number)) = &mut current {
            *number = number.saturating_add(1);
        }
    }
    named
}

/// The text of a file in the table, rebuilt if need be, and where its lines start.
fn table(sources: &mut Sources, file: &str, at: usize, named: &[Option<Named<'_>>]) -> (SourceId, Vec<usize>) {
    let source = find(sources, file).unwrap_or_else(|| {
        let own = || named.iter().flatten().filter(|line| line.file == at);
        let count = own().filter(|line| !line.text.trim().is_empty()).map(|line| line.number).max().unwrap_or(0);
        let mut lines = vec![""; count];
        for line in own().filter(|line| !line.text.trim().is_empty()) {
            // A macro call that spans lines gives several texts to one line: the first one is it.
            if lines[line.number - 1].is_empty() {
                lines[line.number - 1] = line.text;
            }
        }
        let mut text = lines.join("\n");
        text.push('\n');
        sources.add(file, text)
    });
    let text = sources.get(source).map_or("", |source| source.text.as_str());
    let starts = std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1));
    (source, starts.collect())
}

/// The first text of that name.
fn find(sources: &Sources, name: &str) -> Option<SourceId> {
    sources.ids().find(|id| sources.get(*id).is_some_and(|source| source.name == name))
}
