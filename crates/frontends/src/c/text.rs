//! What happens to a text before it is parsed: comments, pragmas and line markers become blanks.
//!
//! Every byte keeps its offset and every line its number, so that places in the clean text are
//! places in the text that the user gave. Line markers are remembered for `markers`.

use super::report::Problem;

/// A text without comments and directives, as long as the original.
#[derive(Debug)]
pub(super) struct Clean {
    pub(super) text: String,
    pub(super) markers: Vec<Marker>,
    pub(super) problems: Vec<Problem>,
    /// The names that `#pragma weak` lists.
    pub(super) weak: Vec<String>,
}

/// A line marker: what the line that follows is called.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// Where the next line starts.
    pub(super) offset: usize,
    pub(super) line: u64,
    /// The file, if the marker names one.
    pub(super) file: Option<String>,
}

/// Blanks out all that the parser must not see.
pub(super) fn clean(text: &str) -> Clean {
    let bytes = text.as_bytes().to_vec();
    let mut cleaner = Cleaner { bytes, at: 0, markers: Vec::new(), problems: Vec::new(), weak: Vec::new() };
    cleaner.run(text);
    // Only whole comments and directives and backslashes before line breaks were blanked.
    let text = String::from_utf8(cleaner.bytes).expect("whole characters are blanked");
    Clean { text, markers: cleaner.markers, problems: cleaner.problems, weak: cleaner.weak }
}

struct Cleaner {
    bytes: Vec<u8>,
    at: usize,
    markers: Vec<Marker>,
    problems: Vec<Problem>,
    weak: Vec<String>,
}

impl Cleaner {
    fn run(&mut self, text: &str) {
        let mut line_start = true;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => line_start = true,
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {}
                b'/' if self.peek(1) == Some(b'*') => {
                    self.comment();
                    continue;
                }
                b'/' if self.peek(1) == Some(b'/') => {
                    let end = self.line_end();
                    self.blank(self.at, end);
                    self.at = end;
                    continue;
                }
                b'#' if line_start => {
                    self.directive(text);
                    continue;
                }
                b'"' | b'\'' => {
                    line_start = false;
                    self.quoted(byte);
                    continue;
                }
                b'\\' if self.continuation(self.at) > 0 => self.splice(),
                _ => line_start = false,
            }
            self.at += 1;
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// How many bytes a line continuation at this place has.
    fn continuation(&self, at: usize) -> usize {
        match (self.bytes.get(at), self.bytes.get(at + 1), self.bytes.get(at + 2)) {
            (Some(b'\\'), Some(b'\n'), _) => 2,
            (Some(b'\\'), Some(b'\r'), Some(b'\n')) => 3,
            _ => 0,
        }
    }

    /// A line that goes on with the next one. What it cuts in two is put together by the preprocessor.
    fn splice(&mut self) {
        let (start, end) = (self.at, self.at + self.continuation(self.at));
        let is_blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        let before = start.checked_sub(1).and_then(|at| self.bytes.get(at));
        if !is_blank(before) && !is_blank(self.bytes.get(end)) {
            let message = "this line goes on with the next one, in the middle of a word or an operator";
            self.problems.push(Problem::error(start, start + 1, message).hint("preprocess the file first"));
        }
        self.bytes[start] = b' ';
    }

    /// Where the current line ends, continuations included.
    fn line_end(&self) -> usize {
        let mut end = self.at;
        while end < self.bytes.len() && self.bytes[end] != b'\n' {
            end += self.continuation(end).max(1);
        }
        end.min(self.bytes.len())
    }

    fn blank(&mut self, from: usize, to: usize) {
        for byte in &mut self.bytes[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        let body = &self.bytes[start + 2..];
        let end = body.windows(2).position(|pair| pair == b"*/").map(|at| start + 2 + at + 2);
        if end.is_none() {
            self.problems.push(Problem::error(start, start + 2, "this comment does not end").hint("add `*/`"));
        }
        let end = end.unwrap_or(self.bytes.len());
        self.blank(start, end);
        self.at = end;
    }

    /// Steps over a string or character constant.
    fn quoted(&mut self, quote: u8) {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => self.at += self.continuation(self.at).max(2),
                b'\n' => break,
                _ => self.at += 1,
            }
            if byte == quote {
                return;
            }
        }
        self.at = self.at.min(self.bytes.len());
        let what = if quote == b'"' { "string" } else { "character constant" };
        self.problems.push(Problem::error(start, start + 1, format!("this {what} does not end on its line")));
        self.blank(start, self.at);
    }

    fn directive(&mut self, text: &str) {
        let (start, end) = (self.at, self.line_end());
        let line = text[start + 1..end].trim();
        let word = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        match word {
            "pragma" if ["scalar_storage_order", "redefine_extname"].iter().any(|word| line.contains(word)) => {
                let message = "this pragma changes what the program means, and is not supported";
                self.problems.push(Problem::error(start, end, message));
            }
            // A pragma that changes the layout of records must not be passed over.
            "pragma" if line[word.len()..].trim_start().starts_with("pack") => self.problems.push(
                Problem::error(start, end, "`#pragma pack` is not supported")
                    .hint("write `__attribute__((packed))` at the structs that it concerns"),
            ),
            "pragma" if line[word.len()..].trim_start().starts_with("weak") => self.weak_name(line, start, end),
            "" | "pragma" | "ident" | "sccs" => {}
            "line" => self.marker(&line[word.len()..], end),
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => self.marker(line, end),
            // One such error says all; a text that was not preprocessed has many of them.
            _ if self.problems.iter().any(|problem| problem.message.contains("preprocessor")) => {}
            _ => self.problems.push(
                Problem::error(start, end, format!("`#{word}` is left for the preprocessor to do"))
                    .hint("preprocess the file first, for instance with `cc -E`"),
            ),
        }
        self.blank(start, end);
        self.at = end;
    }

    /// `#pragma weak name`
    fn weak_name(&mut self, line: &str, start: usize, end: usize) {
        let words: Vec<&str> = line.split_ascii_whitespace().skip_while(|word| *word != "weak").collect();
        match words[..] {
            ["weak", name] if !name.contains('=') => self.weak.push(name.to_owned()),
            ["weak", ..] => self.problems.push(
                Problem::error(start, end, "this `#pragma weak` is not supported")
                    .hint("write `__attribute__((weak, alias(\"target\")))` at a declaration"),
            ),
            _ => {}
        }
    }

    /// `N "file" flags`
    fn marker(&mut self, line: &str, end: usize) {
        let line = line.trim();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(number) = line[..digits].parse() else { return };
        let rest = line[digits..].trim_start();
        let file = rest.strip_prefix('"').and_then(|rest| rest.rfind('"').map(|end| rest[..end].to_owned()));
        self.markers.push(Marker { offset: end + 1, line: number, file });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let clean = clean(text);
        assert_eq!(clean.text, expected);
        assert_eq!(clean.text.len(), text.len());
        assert!(clean.problems.is_empty(), "{:?}", clean.problems);
    }

    #[test]
    fn comments_become_blanks_of_the_same_length() {
        check("a/* é\n */b // c\nd", "a     \n   b     \nd");
        check("a /* \" */ \"/* no */\" '\"' // x \\\n still\nb", "a         \"/* no */\" '\"'       \n      \nb");
        check(r#""\"//" '\'' /**/ 1"#, r#""\"//" '\''      1"#);
    }

    #[test]
    fn pragmas_and_markers_become_blanks() {
        check("#pragma once\n  # 3 \"f.c\" 2\nx", &format!("{}\n{}\nx", " ".repeat(12), " ".repeat(13)));
        let clean = clean("#line 7 \"a b.c\"\nx\n# 9\ny");
        let named = Marker { offset: 16, line: 7, file: Some("a b.c".to_owned()) };
        assert_eq!(clean.markers, [named, Marker { offset: 22, line: 9, file: None }]);
    }

    #[test]
    fn other_directives_are_one_error() {
        let clean = clean("#include <a>\n#define X\nint x;");
        assert_eq!(clean.problems.len(), 1);
        assert!(clean.problems[0].message.contains("#include"));
    }

    #[test]
    fn what_does_not_end_is_an_error() {
        for text in ["/* ", "\"abc", "'a\n", "\"a\\"] {
            assert_eq!(clean(text).problems.len(), 1, "{text}");
        }
    }
}
