//! Source texts and places in them.

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
    /// The text.
    pub text: String,
    /// Where each line starts.
    lines: Vec<u32>,
}

/// The source texts of a program.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
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
        let (name, text) = (name.into(), text.into());
        let offset = |at: usize| u32::try_from(at).expect("a source text is smaller than 4 GiB");
        offset(text.len());
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(at, _)| offset(at + 1))).collect();
        self.files.push(Source { name, text, lines });
        SourceId(offset(self.files.len() - 1))
    }

    /// The text of that number.
    #[must_use]
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.files.get(id.0 as usize)
    }

    /// The place where the span starts, if its source is in this table.
    #[must_use]
    pub fn position(&self, span: Span) -> Option<Position> {
        let source = self.get(span.source)?;
        let line = source.lines.partition_point(|start| *start <= span.start);
        let before = source.text.get(source.lines[line - 1] as usize..span.start as usize)?;
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Some(Position { line: count(line), column: count(before.chars().count() + 1) })
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
