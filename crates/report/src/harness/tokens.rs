//! The tokens of a C text, as far as finding declarations and labels needs them.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    /// A number, a string or a character.
    Literal,
    /// One character of anything else.
    Mark,
}

/// A token and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// The offset of its first byte.
    pub(super) start: usize,
    /// Whether it is in a header of the system, as line markers say.
    pub(super) system: bool,
}

impl Token<'_> {
    /// One past its last byte.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this mark or this word.
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }
}

/// The tokens of a text, without comments and directives.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0, system: false, found: Vec::new() };
    lexer.run();
    lexer.found
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    system: bool,
    found: Vec<Token<'t>>,
}

impl<'t> Lexer<'t> {
    fn run(&mut self) {
        let mut line_start = true;
        while let Some(character) = self.rest().chars().next() {
            let rest = self.rest();
            if character == '\n' {
                line_start = true;
                self.at += 1;
            } else if character.is_whitespace() {
                self.at += character.len_utf8();
            } else if rest.starts_with("//") || character == '#' && line_start {
                self.line(character == '#');
            } else if let Some(body) = rest.strip_prefix("/*") {
                self.at += body.find("*/").map_or(rest.len(), |end| end + 4);
            } else {
                line_start = false;
                let (kind, length) = token(rest, character);
                self.found.push(Token { kind, text: &rest[..length], start: self.at, system: self.system });
                self.at += length;
            }
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Steps over the rest of a line and over those that continue it.
    fn line(&mut self, directive: bool) {
        let rest = self.rest();
        let breaks = rest.match_indices('\n').map(|(at, _)| at);
        let end = breaks.into_iter().find(|at| !rest[..*at].trim_end_matches('\r').ends_with('\\'));
        let line = &rest[..end.unwrap_or(rest.len())];
        self.at += line.len();
        // `# 28 "/usr/include/stdlib.h" 3 4`
        let marker = line.strip_prefix('#').map(|marker| marker.trim_start().trim_start_matches("line").trim_start());
        if let Some((_, name)) = marker.filter(|_| directive).and_then(|marker| marker.split_once('"')) {
            let (name, flags) = name.rsplit_once('"').unwrap_or((name, ""));
            self.system = name.starts_with("/usr/") || flags.split_whitespace().any(|flag| flag == "3");
        }
    }
}

/// The kind and the length of the token that a text begins with.
fn token(text: &str, first: char) -> (Kind, usize) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let run = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    match first {
        '"' | '\'' => (Kind::Literal, quoted(text, first)),
        _ if first.is_ascii_digit() => (Kind::Literal, run),
        _ if is_part(first) => (Kind::Word, run),
        _ => (Kind::Mark, first.len_utf8()),
    }
}

/// The length of a string or character constant; one that does not end takes the rest of its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The place of the mark that closes the one at `open`.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(text).iter().map(|token| token.text).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn comments_and_directives_are_no_tokens() {
        check(
            "a/* b */c // d\n#define e \\\n f\n g \"h // \\\" i\" '\\''",
            &["a", "c", "g", "\"h // \\\" i\"", "'\\''"],
        );
        check("x # y\n", &["x", "#", "y"]);
        check("a /* open", &["a"]);
        check("\"open\nb", &["\"open", "b"]);
    }

    #[test]
    fn markers_tell_what_belongs_to_the_system() {
        let text = "# 1 \"a.c\"\nx\n# 1 \"/opt/s.h\" 1 3 4\ny\n# 2 \"a.c\" 2\nz\n#line 3 \"/usr/include/b.h\"\nw";
        let system: Vec<bool> = tokens(text).iter().map(|token| token.system).collect();
        assert_eq!(system, [false, true, false, true]);
    }

    #[test]
    fn brackets_close() {
        let tokens = tokens("f(a[1], \")\", {b}) c");
        assert_eq!(closing(&tokens, 1).map(|at| tokens[at + 1].text), Some("c"));
        assert_eq!(closing(&tokens[..4], 1), None);
    }
}
