//! Source texts and places in them.

use std::sync::Arc;

/// A source text of a [`Sources`] table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(u32);

/// A range of bytes in a source text. The default span is the empty range at the start of
/// the first source: for code that has no place in any text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from the start of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { end: other.end.max(self.end), ..self }
    }
}

/// A place in a text as people name it, both counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// One source text.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the user calls it: usually its path.
    pub name: String,
    /// The text. Of a file that is not text: the lines that it begins with and that are.
    pub text: String,
    /// All bytes of a file that is not text.
    bytes: Option<Vec<u8>>,
    /// Where each line starts.
    lines: Vec<u32>,
    /// How many characters start before every [`STRIDE`]-th byte, so that columns in very
    /// long lines are found without counting from the line's start.
    counts: Vec<u32>,
}

/// How many bytes are between two stored counts of characters.
const STRIDE: usize = 1 << 10;

impl Source {
    /// All bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// Whether the file is text.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.bytes.is_none()
    }

    /// How many characters start before a byte.
    fn characters(&self, before: usize) -> u32 {
        let known = before / STRIDE;
        self.counts.get(known).map_or(0, |count| count + starts(&self.text.as_bytes()[known * STRIDE..before]))
    }
}

/// How many characters start in these bytes of a text.
fn starts(bytes: &[u8]) -> u32 {
    let count = bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
    u32::try_from(count).expect("a source text is smaller than 4 GiB")
}

/// The source texts of a program. Copies share the texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<Source>>,
}

impl Sources {
    /// An empty table.
    #[must_use]
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Adds a text.
    ///
    /// # Panics
    /// If the text has 4 GiB or more: front ends refuse such input before.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.add_source(name.into(), text.into(), None)
    }

    /// Adds a file that may be text or not. Places in one that is not are those of the lines of
    /// text that it begins with.
    ///
    /// # Panics
    /// If it has 4 GiB or more: front ends refuse such input before.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> SourceId {
        let zero = bytes.iter().position(|byte| *byte == 0);
        let wrong = std::str::from_utf8(&bytes).err().map(|error| error.valid_up_to());
        let Some(end) = zero.into_iter().chain(wrong).min() else {
            return self.add(name, String::from_utf8(bytes).unwrap_or_default());
        };
        let end = bytes[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
        self.add_source(name.into(), text, Some(bytes))
    }

    fn add_source(&mut self, name: String, text: String, bytes: Option<Vec<u8>>) -> SourceId {
        let offset = |at: usize| u32::try_from(at).expect("a source text is smaller than 4 GiB");
        offset(text.len());
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(at, _)| offset(at + 1))).collect();
        let counts = text.as_bytes().chunks(STRIDE).scan(0, |count, chunk| {
            let before = *count;
            *count += starts(chunk);
            Some(before)
        });
        let mut counts: Vec<u32> = counts.collect();
        // A text that ends with a chunk has a place behind it.
        counts.push(counts.last().map_or(0, |last| last + starts(&text.as_bytes()[(counts.len() - 1) * STRIDE..])));
        self.files.push(Arc::new(Source { name, text, bytes, lines, counts }));
        SourceId(offset(self.files.len() - 1))
    }

    /// The text of that number.
    #[must_use]
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.files.get(id.0 as usize).map(Arc::as_ref)
    }

    /// All texts, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = SourceId> + use<> {
        (0..u32::try_from(self.files.len()).unwrap_or(u32::MAX)).map(SourceId)
    }

    /// The place where the span starts, if its source is in this table.
    #[must_use]
    pub fn position(&self, span: Span) -> Option<Position> {
        let source = self.get(span.source)?;
        let line = source.lines.partition_point(|start| *start <= span.start);
        let (start, at) = (source.lines[line - 1] as usize, span.start as usize);
        if !source.text.is_char_boundary(at) {
            return None;
        }
        let column = source.characters(at) - source.characters(start) + 1;
        Some(Position { line: u32::try_from(line).unwrap_or(u32::MAX), column })
    }

    /// The text of the span.
    #[must_use]
    pub fn text(&self, span: Span) -> Option<&str> {
        self.get(span.source)?.text.get(span.start as usize..span.end as usize)
    }

    /// The whole line (without its line break) in which the span starts.
    #[must_use]
    pub fn line(&self, span: Span) -> Option<&str> {
        let source = self.get(span.source)?;
        let line = source.lines.partition_point(|start| *start <= span.start);
        let end = source.lines.get(line).map_or(source.text.len(), |next| *next as usize);
        Some(source.text.get(source.lines[line - 1] as usize..end)?.trim_end_matches(['\n', '\r']))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_what_counting_gives() {
        let mut text = String::new();
        for at in 0..3_000 {
            text.push_str(["x", "é", "日", "\n", "𝄞"][at * at % 5]);
            if at == 500 {
                text.push_str(&"é".repeat(5_000));
            }
        }
        let mut sources = Sources::new();
        let source = sources.add("text", text.as_str());
        let (mut line, mut column) = (1, 1);
        let ends = [(text.len(), ' ')];
        for (start, character) in text.char_indices().chain(ends) {
            let at = u32::try_from(start).unwrap();
            let position = sources.position(Span { source, start: at, end: at });
            assert_eq!(position, Some(Position { line, column }), "at byte {start}");
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        let outside = Span { source, start: u32::MAX, end: u32::MAX };
        assert_eq!(sources.position(outside), None);
    }

    #[test]
    fn binary_files_keep_the_lines_that_they_begin_with() {
        let mut sources = Sources::new();
        let check = |id: SourceId, sources: &Sources, text: &str, bytes: &[u8]| {
            let source = sources.get(id).unwrap();
            assert_eq!((source.text.as_str(), source.bytes()), (text, bytes));
        };
        for (bytes, text) in
            [(&b"a\nb"[..], "a\nb"), (b"a\nb\x00c\n", "a\n"), (b"a\nb\n\xffd\x00", "a\nb\n"), (b"\xff", "")]
        {
            let id = sources.add_bytes("file", bytes.to_vec());
            check(id, &sources, text, bytes);
        }
    }

    #[test]
    fn many_positions_in_one_long_line_are_found_quickly() {
        let mut sources = Sources::new();
        let source = sources.add("long", "x".repeat(10_000_000));
        for start in (0..10_000_000).step_by(100) {
            assert_eq!(sources.position(Span { source, start, end: start }).unwrap().column, start + 1);
        }
    }
}
