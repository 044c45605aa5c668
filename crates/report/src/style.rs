//! Colours, and text that fits: clipped, without control characters, of known width.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Whether a text carries terminal colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Plain,
    /// With ANSI escape sequences.
    Ansi,
}

/// How a piece of text is to stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// As it is.
    Plain,
    /// In the background: places, elisions.
    Faint,
    /// In the foreground: titles.
    Bold,
    /// An error.
    Error,
    /// An input, a warning.
    Input,
    /// A value that changed.
    Value,
    /// A call or a return.
    Call,
}

impl Colour {
    /// The text in the given ink.
    #[must_use]
    pub fn paint(self, ink: Ink, text: &str) -> String {
        let code = match (self, ink) {
            (Colour::Plain, _) | (Colour::Ansi, Ink::Plain) => return text.to_owned(),
            (Colour::Ansi, Ink::Faint) => "2",
            (Colour::Ansi, Ink::Bold) => "1",
            (Colour::Ansi, Ink::Error) => "1;91",
            (Colour::Ansi, Ink::Input) => "93",
            (Colour::Ansi, Ink::Value) => "92",
            (Colour::Ansi, Ink::Call) => "96",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// How many columns of a terminal the text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text on one line: runs of blanks become one, and control characters, which could
/// steer the reader's terminal, are shown as a replacement character.
#[must_use]
pub fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The text in at most `columns` columns, with an ellipsis where something is missing.
#[must_use]
pub fn clip(text: &str, columns: usize) -> String {
    // A long text is not measured as a whole: no character is wider than its bytes.
    if text.len() <= columns || (text.len() <= 8 * columns && width(text) <= columns) {
        return text.to_owned();
    }
    let mut used = 0;
    let mut kept = String::new();
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used + 1 > columns {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

/// A number with its thousands set apart: `1,204`.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with the noun that it counts: `1 step`, `2 steps`.
#[must_use]
pub fn plural(number: u64, noun: &str) -> String {
    let many = if number == 1 { "" } else { "s" };
    format!("{} {noun}{many}", count(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_counts_columns_not_bytes() {
        assert_eq!(clip("naïve", 5), "naïve");
        assert_eq!(clip("abcdef", 4), "abc…");
        assert_eq!(clip("日本語", 6), "日本語");
        assert_eq!(clip("日本語", 5), "日本…");
    }

    #[test]
    fn blanks_collapse_and_escapes_are_disarmed() {
        assert_eq!(one_line("  a\t b\r\n c "), "a b c");
        assert_eq!(one_line("a\x1b[2Jb"), "a\u{fffd}[2Jb");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((plural(1, "step"), plural(1204, "step")), ("1 step".into(), "1,204 steps".into()));
    }
}
