//! Tokens of SMT-LIB text, and the reader that walks over them.

use super::symbol::{decode, is_symbol_byte};
use super::{MAX_SORT_SIZE, MAX_WIDTH};
use crate::sort::Sort;
use std::fmt;

/// Why a text could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The place, in bytes from the beginning of the text.
    pub offset: usize,
    /// What is wrong, as a lower-case phrase.
    pub message: String,
}

impl ReadError {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> ReadError {
        ReadError { offset, message: message.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.offset)
    }
}

impl std::error::Error for ReadError {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Open,
    Close,
    /// A reserved word or a symbol without bars.
    Bare(&'t str),
    /// The content of a symbol between bars.
    Quoted(&'t str),
    /// With its colon.
    Keyword(&'t str),
    Numeral(&'t str),
    Decimal(&'t str),
    /// The digits behind `#x`.
    Hex(&'t str),
    /// The digits behind `#b`.
    Binary(&'t str),
    /// With its quotation marks.
    Text(&'t str),
}

/// Reads one thing after the other from a text: terms, sorts, values and the S-expressions
/// around them, such as the answers of a solver.
#[derive(Clone, Debug)]
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// A reader at the beginning of `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader { text, at: 0 }
    }

    /// How many bytes were read.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// How many bytes the whole text has.
    pub(super) fn length(&self) -> usize {
        self.text.len()
    }

    /// Whether only blanks and comments are left.
    #[must_use]
    pub fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.at == self.text.len()
    }

    /// Refuses anything but blanks and comments.
    ///
    /// # Errors
    /// If there is more text.
    pub fn end(&mut self) -> Result<(), ReadError> {
        if self.is_at_end() { Ok(()) } else { Err(ReadError::new(self.at, "expected the end of the text")) }
    }

    /// Reads an opening parenthesis.
    ///
    /// # Errors
    /// If there is something else.
    pub fn open(&mut self) -> Result<(), ReadError> {
        match self.next()? {
            (_, Token::Open) => Ok(()),
            (at, _) => Err(ReadError::new(at, "expected an opening parenthesis")),
        }
    }

    /// Reads a closing parenthesis.
    ///
    /// # Errors
    /// If there is something else.
    pub fn close(&mut self) -> Result<(), ReadError> {
        match self.next()? {
            (_, Token::Close) => Ok(()),
            (at, _) => Err(ReadError::new(at, "expected a closing parenthesis")),
        }
    }

    /// Reads a closing parenthesis if there is one.
    ///
    /// # Errors
    /// If the text ends here or holds no token.
    pub fn closes(&mut self) -> Result<bool, ReadError> {
        let before = self.at;
        let (_, token) = self.next()?;
        if token != Token::Close {
            self.at = before;
        }
        Ok(token == Token::Close)
    }

    /// Reads a symbol and returns the name that it stands for.
    ///
    /// # Errors
    /// If there is something else.
    pub fn symbol(&mut self) -> Result<String, ReadError> {
        self.raw_symbol().map(|symbol| decode(symbol).into_owned())
    }

    pub(super) fn raw_symbol(&mut self) -> Result<&'t str, ReadError> {
        match self.next()? {
            (_, Token::Bare(symbol) | Token::Quoted(symbol)) => Ok(symbol),
            (at, _) => Err(ReadError::new(at, "expected a symbol")),
        }
    }

    /// Skips one S-expression.
    ///
    /// # Errors
    /// If there is none.
    pub fn skip(&mut self) -> Result<(), ReadError> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                (_, Token::Open) => depth += 1,
                (at, Token::Close) if depth == 0 => return Err(ReadError::new(at, "expected an expression")),
                (_, Token::Close) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips the attributes of an annotation and its closing parenthesis.
    pub(super) fn skip_attributes(&mut self) -> Result<(), ReadError> {
        while !self.closes()? {
            self.skip()?;
        }
        Ok(())
    }

    /// Reads a sort.
    ///
    /// # Errors
    /// If there is none, or it is too large.
    pub fn sort(&mut self) -> Result<Sort, ReadError> {
        // The arrays around the sort that is read, with the index sorts of those that have one.
        let mut arrays: Vec<Option<Sort>> = Vec::new();
        for _ in 0..MAX_SORT_SIZE {
            let Some(mut sort) = self.flat_sort()? else {
                arrays.push(None);
                continue;
            };
            loop {
                match arrays.pop() {
                    None => return Ok(sort),
                    Some(None) => {
                        arrays.push(Some(sort));
                        break;
                    }
                    Some(Some(index)) => {
                        self.close()?;
                        sort = Sort::array(index, sort);
                    }
                }
            }
        }
        Err(ReadError::new(self.at, format!("sorts of more than {MAX_SORT_SIZE} parts are not read")))
    }

    /// Reads a sort, or the beginning of an array's.
    fn flat_sort(&mut self) -> Result<Option<Sort>, ReadError> {
        match self.next()? {
            (_, Token::Bare("Bool")) => Ok(Some(Sort::Bool)),
            (_, Token::Bare("Int")) => Ok(Some(Sort::Int)),
            (_, Token::Bare("Real")) => Ok(Some(Sort::Real)),
            (at, Token::Open) => match self.next()? {
                (_, Token::Bare("Array")) => Ok(None),
                (_, Token::Bare("_")) if self.raw_symbol()? == "BitVec" => {
                    let width = self.index()?;
                    if !(1..=MAX_WIDTH).contains(&width) {
                        return Err(ReadError::new(at, format!("bit-vectors have 1 to {MAX_WIDTH} bits")));
                    }
                    self.close()?;
                    Ok(Some(Sort::BitVec(width)))
                }
                _ => Err(ReadError::new(at, "expected a sort")),
            },
            (at, _) => Err(ReadError::new(at, "expected a sort")),
        }
    }

    /// Reads an index, as in `(_ extract 3 0)`.
    pub(super) fn index(&mut self) -> Result<u32, ReadError> {
        match self.next()? {
            (at, Token::Numeral(digits)) => {
                digits.parse().map_err(|_| ReadError::new(at, format!("the index {digits:.20} is too large")))
            }
            (at, _) => Err(ReadError::new(at, "expected a number")),
        }
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b';') => self.at += length(bytes, self.at, |b| b != b'\n' && b != b'\r'),
                _ => return,
            }
        }
    }

    /// The next token and where it begins.
    pub(super) fn next(&mut self) -> Result<(usize, Token<'t>), ReadError> {
        self.skip_blanks();
        let (text, bytes, at) = (self.text, self.text.as_bytes(), self.at);
        let Some(first) = bytes.get(at) else { return Err(ReadError::new(at, "the text ends too early")) };
        // All slices below begin and end next to ASCII bytes.
        let (token, end) = match first {
            b'(' => (Token::Open, at + 1),
            b')' => (Token::Close, at + 1),
            b'|' => {
                let end = at + 1 + length(bytes, at + 1, |b| b != b'|' && b != b'\\');
                if bytes.get(end) != Some(&b'|') {
                    return Err(ReadError::new(at, "the quoted symbol is not closed by a bar"));
                }
                (Token::Quoted(&text[at + 1..end]), end + 1)
            }
            b'"' => {
                let mut end = at + 1 + length(bytes, at + 1, |b| b != b'"');
                // Two quotation marks stand for one inside.
                while bytes.get(end..end + 2) == Some(b"\"\"") {
                    end += 2 + length(bytes, end + 2, |b| b != b'"');
                }
                if end >= bytes.len() {
                    return Err(ReadError::new(at, "the string is not closed by a quotation mark"));
                }
                (Token::Text(&text[at..=end]), end + 1)
            }
            b':' => {
                let end = at + 1 + length(bytes, at + 1, is_symbol_byte);
                (Token::Keyword(&text[at..end]), end)
            }
            b'#' => {
                let end = at + 1 + length(bytes, at + 1, is_symbol_byte);
                let digits = text.get(at + 2..end).unwrap_or_default();
                let token = match bytes.get(at + 1) {
                    Some(b'x') if digits.bytes().all(|b| b.is_ascii_hexdigit()) => Token::Hex(digits),
                    Some(b'b') if digits.bytes().all(|b| b == b'0' || b == b'1') => Token::Binary(digits),
                    _ => return Err(ReadError::new(at, "expected #x or #b and digits")),
                };
                if digits.is_empty() {
                    return Err(ReadError::new(at, "expected #x or #b and digits"));
                }
                (token, end)
            }
            b'0'..=b'9' => {
                let end = at + length(bytes, at, is_symbol_byte);
                let number = &text[at..end];
                let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
                let token = match number.split_once('.') {
                    None if is_digits(number) => Token::Numeral(number),
                    Some((whole, fraction)) if is_digits(whole) && is_digits(fraction) => Token::Decimal(number),
                    _ => return Err(ReadError::new(at, "malformed number")),
                };
                (token, end)
            }
            byte if is_symbol_byte(*byte) => {
                let end = at + length(bytes, at, is_symbol_byte);
                (Token::Bare(&text[at..end]), end)
            }
            _ => return Err(ReadError::new(at, "this character begins no token")),
        };
        self.at = end;
        Ok((at, token))
    }
}

/// How many bytes from `at` on satisfy `accept`.
fn length(bytes: &[u8], at: usize, accept: impl Fn(u8) -> bool) -> usize {
    bytes[at.min(bytes.len())..].iter().take_while(|b| accept(**b)).count()
}
