//! Lines as words with their places.

use num_bigint::BigInt;
use tamis_ir::{Diagnostic, SourceId, Span};

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// A line that is not empty, without its comment.
#[derive(Debug)]
pub(super) struct Line<'a> {
    words: Vec<Word<'a>>,
    /// The end of the last word.
    end: Span,
}

/// The lines of a text that are not empty.
pub(super) fn lines(text: &str, source: SourceId) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let begin = start;
        start += line.len();
        words(line, begin, source)
    })
}

fn words(line: &str, begin: usize, source: SourceId) -> Option<Line<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    // The places of words are where they are in the line, which they are parts of.
    let place = |at: usize| u32::try_from(begin + at).unwrap_or(u32::MAX);
    let mut at = 0;
    for text in line.split(|c: char| c.is_ascii_whitespace()) {
        if text.starts_with(';') {
            break;
        }
        if !text.is_empty() {
            words.push(Word { text, span: Span { source, start: place(at), end: place(at + text.len()) } });
        }
        at += text.len() + 1;
    }
    let end = words.last()?.span;
    Some(Line { words, end: Span { start: end.end, ..end } })
}

impl<'a> Line<'a> {
    /// The word at a position, which the line must have.
    pub(super) fn word(&self, position: usize, what: &str) -> Result<Word<'a>, Diagnostic> {
        let missing = || Diagnostic::error(self.end, format!("the line ends where {what} should be"));
        self.words.get(position).copied().ok_or_else(missing)
    }

    /// The place of the word at a position, or of the line's end.
    pub(super) fn span_at(&self, position: usize) -> Span {
        self.words.get(position).map_or(self.end, |word| word.span)
    }

    /// The whole line.
    pub(super) fn span(&self) -> Span {
        Span { start: self.words[0].span.start, ..self.words[0].span }.to(self.end)
    }

    /// A number that is not negative.
    pub(super) fn number(&self, position: usize, what: &str) -> Result<u32, Diagnostic> {
        let word = self.word(position, what)?;
        let wrong = || Diagnostic::error(word.span, format!("this should be {what}, a number"));
        word.text.parse().map_err(|_| wrong())
    }

    /// The number of a node: positive, or negative for its negation.
    pub(super) fn id(&self, position: usize, what: &str) -> Result<i64, Diagnostic> {
        let word = self.word(position, what)?;
        match word.text.parse::<i64>() {
            Ok(id) if id != 0 && id != i64::MIN && !word.text.starts_with('+') => Ok(id),
            _ => Err(Diagnostic::error(word.span, format!("this should be {what}, the number of a line"))),
        }
    }

    /// The symbol at a position, which the line may have; nothing must follow.
    pub(super) fn symbol(&self, position: usize) -> Result<&'a str, Diagnostic> {
        match self.words.get(position + 1) {
            Some(word) => Err(Diagnostic::error(word.span, "nothing is expected here")
                .hint("a line ends with at most one symbol; comments begin with `;`")),
            None => Ok(self.words.get(position).map_or("", |word| word.text)),
        }
    }
}

/// A number in some base, if it is one.
pub(super) fn parse(text: &str, base: u32) -> Option<BigInt> {
    let digits = if base == 10 { text.strip_prefix('-').unwrap_or(text) } else { text };
    let proper = !digits.is_empty() && digits.chars().all(|c| c.is_digit(base));
    proper.then(|| BigInt::parse_bytes(text.as_bytes(), base)).flatten()
}
