//! The tokens of a clean text: just enough of C's lexical grammar to rewrite what the parser
//! cannot read (`rewrite`) and to bound how deeply a text is nested.

use super::report::Problem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Quoted,
    Punct,
}

/// A token, by its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) start: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

const PUNCTUATORS: [&str; 25] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=",
    "-=", "&=", "^=", "|=", "##", "<:", ":>",
];

/// The tokens of a text, or what cannot be one.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Vec<Problem>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut problems) = (Vec::with_capacity(text.len() / 4), Vec::new());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        let kind = match byte {
            b if b.is_ascii_whitespace() || *b == 0x0b => {
                at += 1;
                continue;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                at += word_len(&bytes[at..]);
                // The prefix of a string or character constant belongs to it.
                if matches!(bytes.get(at), Some(b'"' | b'\'')) && matches!(&text[start..at], "L" | "u" | "U" | "u8") {
                    at += quoted_len(&bytes[at..]);
                    Kind::Quoted
                } else {
                    Kind::Word
                }
            }
            b'0'..=b'9' => {
                at += number_len(&bytes[at..]);
                Kind::Number
            }
            b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {
                at += number_len(&bytes[at..]);
                Kind::Number
            }
            b'"' | b'\'' => {
                at += quoted_len(&bytes[at..]);
                Kind::Quoted
            }
            b if b.is_ascii_punctuation() && !matches!(b, b'`' | b'@' | b'$' | b'\\' | b'#') => {
                at += PUNCTUATORS.iter().find(|p| text[at..].starts_with(**p)).map_or(1, |p| p.len());
                Kind::Punct
            }
            _ => {
                let character = text[at..].chars().next().unwrap_or(' ');
                at += character.len_utf8();
                problems.push(Problem::error(start, at, format!("the character {character:?} has no meaning here")));
                continue;
            }
        };
        tokens.push(Token { kind, text: &text[start..at], start });
    }
    if problems.is_empty() {
        return Ok(tokens);
    }
    problems.truncate(10);
    Err(problems)
}

fn word_len(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

/// A preprocessing number: digits, letters, dots, and signs after an exponent's letter.
fn number_len(bytes: &[u8]) -> usize {
    let mut len = 1;
    while let Some(byte) = bytes.get(len) {
        let exponent = matches!(byte, b'+' | b'-') && matches!(bytes[len - 1], b'e' | b'E' | b'p' | b'P');
        // In `0x1e+2` the sign is an operator.
        let hexadecimal = bytes.starts_with(b"0x") || bytes.starts_with(b"0X");
        let exponent = exponent && !(hexadecimal && matches!(bytes[len - 1], b'e' | b'E'));
        if !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'_') && !exponent {
            break;
        }
        len += 1;
    }
    len
}

/// The clean text has no unfinished constants.
fn quoted_len(bytes: &[u8]) -> usize {
    let mut len = 1;
    while len < bytes.len() {
        match bytes[len] {
            b'\\' => len += 2,
            byte if byte == bytes[0] => return len + 1,
            _ => len += 1,
        }
    }
    bytes.len()
}

/// How deeply brackets may be nested, and how long a chain of operators or statements may be that
/// makes a tree as deep. The stack of `on_large_stack` suffices for texts within these bounds.
pub(super) const MOST_BRACKETS: usize = 1_000;
pub(super) const MOST_LINKS: usize = 60_000;
/// How deeply types may be nested in expressions in types: the parser tries each of them several
/// times, so that its time grows exponentially.
const MOST_TYPES: usize = 6;
/// The parser copies what it has read at every level of brackets: this bounds how much.
const MOST_COPIES: usize = 5_000_000;

/// One level of brackets.
#[derive(Default)]
struct Level {
    /// Operators since the last separator: each may be a level of an expression.
    operators: usize,
    /// Statements that contain each other without braces.
    statements: usize,
    /// Whether a type is inside that may contain expressions.
    of_type: bool,
}

/// Refuses a text whose tree would be too deep to walk.
pub(super) fn bound_depth(tokens: &[Token<'_>]) -> Result<(), Problem> {
    let mut levels = vec![Level::default()];
    let (mut links, mut types) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        let level = levels.last_mut().expect("the outermost level stays");
        let more = tokens.get(at + 1).is_some_and(|next| next.text == "else");
        match token.text {
            "(" | "[" | "{" => {
                let of_type =
                    at > 0 && holds_type(tokens[at - 1].text, tokens.get(at + 1).map_or("", |next| next.text));
                types += usize::from(of_type);
                levels.push(Level { of_type, ..Level::default() });
            }
            ")" | "]" | "}" => {
                types -= usize::from(level.of_type);
                links -= level.operators + level.statements;
                if levels.len() > 1 {
                    levels.pop();
                } else {
                    levels[0] = Level::default();
                }
                let level = levels.last_mut().expect("the outermost level stays");
                if token.text == "}" && !more {
                    links -= level.operators + level.statements;
                    *level = Level::default();
                } else {
                    // A cast, a call, an index: the next operand is one level deeper.
                    level.operators += 1;
                    links += 1;
                }
            }
            ";" => {
                links -= level.operators;
                level.operators = 0;
                if !more {
                    links -= level.statements;
                    level.statements = 0;
                }
            }
            "," => {
                links -= level.operators;
                level.operators = 0;
            }
            "if" | "else" | "while" | "for" | "do" | "switch" | "case" | "default" | ":" => {
                level.statements += 1;
                links += 1;
            }
            _ if token.kind == Kind::Punct || token.text == "sizeof" => {
                level.operators += 1;
                links += 1;
            }
            _ => {}
        }
        let copies = levels.len() * links;
        if levels.len() > MOST_BRACKETS || links > MOST_LINKS || types > MOST_TYPES || copies > MOST_COPIES {
            return Err(Problem::error(token.start, token.end(), "this is nested too deeply")
                .hint("split the expression or the statement into several"));
        }
    }
    Ok(())
}

/// Whether a bracket between these two tokens is around a type.
fn holds_type(before: &str, after: &str) -> bool {
    match before {
        "typeof" | "__typeof__" | "__typeof" | "_Alignof" | "__alignof__" | "__alignof" => true,
        "sizeof" | "_Alignas" | "_Atomic" | "(" | "," | "=" => matches!(after, "struct" | "union" | "enum"),
        _ => false,
    }
}
