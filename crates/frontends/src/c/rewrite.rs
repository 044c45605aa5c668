//! Spells what the parser cannot read in a way that it can.
//!
//! The parser knows C11 and many GNU extensions, but neither `__int128` nor `a ?: b` nor a label
//! before `}`, to name some. Such places get other tokens here; `elaborate` knows what the names
//! below stand for. The new text may be longer: [`Rewritten::original`] leads back.

use super::report::Problem;
use super::tokens::{Kind, Token};

/// Stands in `a ? ELVIS : b` for `a` itself.
pub(super) const ELVIS: &str = "__tamis_elvis";
/// 128-bit integers.
pub(super) const INT128: &str = "__tamis_int128";
pub(super) const UINT128: &str = "__tamis_uint128";
/// The type of the initialiser.
pub(super) const AUTO: &str = "__auto_type";

/// Stands in `(T){}` for what the parser misses there.
pub(super) const EMPTY: &str = "__tamis_empty";

/// How every rewritten text begins, so that the parser takes these names for types.
const PRELUDE: &str = "typedef int __tamis_int128, __tamis_uint128, __auto_type;\n";

/// A text for the parser. Its first declaration is not the user's.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) text: String,
    /// Where a piece starts here and in the original.
    pieces: Vec<(usize, usize)>,
    pub(super) problems: Vec<Problem>,
    /// Whether there is assembler text outside of functions, which may define what the program calls.
    pub(super) assembler: bool,
}

impl Rewritten {
    /// The offset in the original text of an offset in this one.
    pub(super) fn original(&self, at: usize) -> usize {
        match self.pieces.partition_point(|(start, _)| *start <= at).checked_sub(1) {
            Some(piece) => self.pieces[piece].1 + (at - self.pieces[piece].0),
            None => at,
        }
    }

    /// Where a range of this text ends in the original, given its last byte's place.
    pub(super) fn original_end(&self, end: usize) -> usize {
        if end == 0 { self.original(0) } else { self.original(end - 1) + 1 }
    }
}

/// Rewrites a text of these tokens.
pub(super) fn rewrite(text: &str, tokens: &[Token<'_>]) -> Rewritten {
    let mut rewriter = Rewriter { tokens, at: 0, out: Rewritten::default(), braces: Vec::new(), depth: 0, fresh: true };
    rewriter.out.text.reserve(text.len() + text.len() / 8);
    rewriter.out.text.push_str(PRELUDE);
    while rewriter.at < tokens.len() {
        rewriter.step();
    }
    let Rewriter { mut out, .. } = rewriter;
    out.pieces.push((out.text.len(), text.len()));
    out
}

/// An open brace.
struct Brace {
    /// The attributes to repeat behind it, as tokens.
    attributes: std::ops::Range<usize>,
    /// Whether a function's body may end with it.
    body: bool,
}

struct Rewriter<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    out: Rewritten,
    /// The open braces.
    braces: Vec<Brace>,
    /// Open brackets of all kinds.
    depth: usize,
    /// Whether an external declaration starts here.
    fresh: bool,
}

impl<'t> Rewriter<'t> {
    fn text(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word)
    }

    /// Writes other text in the place of a token.
    fn put(&mut self, text: &str, at: usize) {
        let place = self.tokens.get(at).or(self.tokens.last()).map_or(0, |token| token.start);
        self.out.pieces.push((self.out.text.len(), place));
        self.out.text.push_str(text);
        self.out.pieces.push((self.out.text.len(), place));
        self.out.text.push(' ');
    }

    /// Writes a token as it is.
    fn copy(&mut self, at: usize) {
        let token = self.tokens[at];
        self.out.pieces.push((self.out.text.len(), token.start));
        if token.kind == Kind::Quoted && ["\n", "\\u", "\\U"].iter().any(|part| token.text.contains(part)) {
            let joined = token.text.replace("\\\r\n", "").replace("\\\n", "");
            self.out.text.push_str(&universal(&joined));
        } else {
            self.out.text.push_str(token.text);
        }
        // The parser takes the double parentheses of attributes for one token each.
        if !matches!(token.text, "(" | ")") {
            self.out.text.push(' ');
        }
    }

    fn refuse(&mut self, at: usize, what: &str, hint: &str) {
        let token = self.tokens[at];
        self.out.problems.push(Problem::error(token.start, token.end(), format!("{what} not supported")).hint(hint));
    }

    /// Whether the brace belongs to a compound literal: behind a type in parentheses, where an
    /// operand is expected.
    fn is_literal(&self, brace: usize) -> bool {
        let Some(close) = brace.checked_sub(1).filter(|at| self.text(*at) == ")") else { return false };
        let mut depth = 0_usize;
        for at in (0..=close).rev() {
            match self.text(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let before = at.checked_sub(1).map_or("", |before| self.text(before));
                // `f() {}`, `if (c) {}` and `({ … }) {}` are none.
                let operator = before.starts_with(|c: char| c.is_ascii_punctuation() && c != '_');
                return before == "return" || operator && !matches!(before, ")" | "]" | "}" | ";");
            }
        }
        false
    }

    /// The bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The first comma directly inside the parentheses.
    fn comma(&self, open: usize, close: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (open..close).find(|at| {
            match self.text(*at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 1 && self.text(*at) == ","
        })
    }

    /// The attributes that start at a token, as a range of tokens.
    fn attributes(&self, from: usize) -> std::ops::Range<usize> {
        let mut end = from;
        while matches!(self.text(end), "__attribute__" | "__attribute") && self.text(end + 1) == "(" {
            let Some(close) = self.closing(end + 1) else { break };
            end = close + 1;
        }
        from..end
    }

    /// Rewrites a range of tokens.
    fn range(&mut self, end: usize) {
        while self.at < end {
            self.step();
        }
    }

    fn step(&mut self) {
        let at = self.at;
        let fresh = std::mem::replace(&mut self.fresh, false);
        if fresh && self.depth == 0 && self.external(at) {
            return;
        }
        self.at += 1;
        match self.text(at) {
            "(" | "[" => {
                self.depth += 1;
                self.copy(at);
            }
            ")" | "]" => {
                self.depth = self.depth.saturating_sub(1);
                self.copy(at);
            }
            "{" => {
                self.depth += 1;
                let body = at > 0 && matches!(self.text(at - 1), ")" | ";");
                self.braces.push(Brace { attributes: 0..0, body });
                self.copy(at);
                if self.text(at + 1) == "}" && self.is_literal(at) {
                    self.put(EMPTY, at);
                }
            }
            "}" => self.close_brace(at),
            ";" => {
                self.fresh = self.depth == 0;
                self.copy(at);
            }
            "?" if self.text(at + 1) == ":" => {
                self.copy(at);
                self.put(ELVIS, at);
            }
            ":" => self.colon(at),
            "&&" if self.prefix(at) && self.is_word(at + 1) => {
                self.refuse(at, "the address of a label (`&&label`) is", "use a switch over numbers instead");
            }
            "*" if self.text(at.wrapping_sub(1)) == "goto" => {
                self.refuse(at, "a computed `goto` is", "use a switch over numbers instead");
            }
            word if self.is_word(at) => self.word(word, at),
            _ => self.copy(at),
        }
    }

    /// Whether an operator here has no left operand.
    fn prefix(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| self.tokens[before]) else { return true };
        match before.kind {
            Kind::Punct => !matches!(before.text, ")" | "]" | "}" | "++" | "--"),
            Kind::Word => matches!(before.text, "return" | "case" | "else" | "do"),
            Kind::Number | Kind::Quoted => false,
        }
    }

    fn close_brace(&mut self, at: usize) {
        self.depth = self.depth.saturating_sub(1);
        self.copy(at);
        let Some(brace) = self.braces.pop() else { return };
        for attribute in brace.attributes {
            self.copy(attribute);
        }
        self.fresh = self.depth == 0 && brace.body;
    }

    /// A label must be followed by a statement.
    fn colon(&mut self, at: usize) {
        self.copy(at);
        let attributes = self.attributes(at + 1);
        let next = attributes.end;
        let labelled = self.is_word(at - usize::from(at > 0)) && at > 1 && {
            matches!(self.text(at - 2), ";" | "{" | "}" | ":" | ")" | "else" | "do") && !self.is_word(at - 2)
                || matches!(self.text(at - 2), "else" | "do")
        };
        if labelled && !attributes.is_empty() {
            self.at = next;
        }
        let declares = is_type_word(self.text(next))
            || (self.is_word(next) && !is_statement_word(self.text(next)) && self.is_word(next + 1));
        if self.text(next) == "}" || declares {
            self.put(";", at);
        }
    }

    /// The start of an external declaration: whether it was dealt with.
    fn external(&mut self, at: usize) -> bool {
        match self.text(at) {
            "asm" | "__asm__" | "__asm" if self.text(at + 1) == "(" => {
                let Some(close) = self.closing(at + 1) else { return false };
                let (start, end) = (self.tokens[at].start, self.tokens[close].end());
                let text = (at + 2..close).map(|at| self.text(at).trim_matches('"').trim());
                self.out.assembler |= text.into_iter().any(|text| !text.is_empty());
                self.out.problems.push(Problem::warning(start, end, "assembler text outside of functions is ignored"));
                self.at = close + 1;
                self.fresh = true;
                true
            }
            // `main() {`, or `f(a) char a; {`: the result is an int. What goes on otherwise behind the
            // parentheses, such as `t (*p)(int);`, starts with the name of a type.
            _ => {
                let mut name = at;
                while matches!(self.text(name), "static" | "extern" | "inline" | "__inline" | "__inline__") {
                    name += 1;
                }
                let named = self.is_word(name) && self.text(name + 1) == "(" && !is_keyword(self.text(name));
                let behind = named.then(|| self.closing(name + 1)).flatten().map(|close| close + 1);
                if behind.is_some_and(|behind| self.text(behind) == "{" || self.is_word(behind)) {
                    self.put("int", name);
                }
                false
            }
        }
    }

    fn word(&mut self, word: &str, at: usize) {
        match word {
            "__extension__" => {}
            "__thread" => self.put("_Thread_local", at),
            "__const__" => self.put("const", at),
            "__float128" => self.put("_Float128", at),
            "__null" => self.put("((void*)0)", at),
            "_Pragma" if self.text(at + 1) == "(" => {
                if ["pack", "weak", "scalar_storage_order", "redefine_extname"]
                    .iter()
                    .any(|word| self.text(at + 2).contains(word))
                {
                    self.refuse(at, "this `_Pragma` is", "preprocess the file first, or write attributes");
                }
                self.at = self.closing(at + 1).map_or(at + 1, |close| close + 1);
            }
            "__label__" => {
                while self.at < self.tokens.len() && self.text(self.at) != ";" {
                    self.at += 1;
                }
                self.at += 1;
            }
            "__real__" | "__imag__" | "__real" | "__imag" => {
                self.refuse(at, &format!("`{word}` is"), "complex numbers cannot be modelled");
            }
            "signed" | "unsigned" | "__signed__" | "__signed" if is_int128(self.text(at + 1)) => {
                self.at += 1;
                self.put(if word == "unsigned" { UINT128 } else { INT128 }, at);
            }
            "__uint128_t" => self.put(UINT128, at),
            _ if is_int128(word) => {
                let unsigned = self.text(at + 1) == "unsigned";
                self.at += usize::from(unsigned || self.text(at + 1) == "signed");
                self.put(if unsigned { UINT128 } else { INT128 }, at);
            }
            "struct" | "union" | "enum" => self.tagged(at),
            "asm" | "__asm__" | "__asm" => self.assembler(at),
            "__alignof__" | "__alignof" if self.text(at + 1) == "(" => self.alignment(at, "_Alignof(__typeof__("),
            "_Alignof" if self.text(at + 1) == "(" => self.alignment(at, "_Alignof(const __typeof__("),
            "_Static_assert" if self.text(at + 1) == "(" => self.assertion(at),
            "__builtin_types_compatible_p" if self.text(at + 1) == "(" => self.compatible(at),
            _ => self.copy(at),
        }
    }

    /// The parser loses attributes between `struct` and its tag: they go behind the members.
    fn tagged(&mut self, at: usize) {
        self.copy(at);
        let attributes = self.attributes(at + 1);
        if attributes.is_empty() {
            return;
        }
        self.at = attributes.end;
        if self.is_word(self.at) {
            self.copy(self.at);
            self.at += 1;
        }
        if self.text(self.at) == "{" {
            self.depth += 1;
            self.braces.push(Brace { attributes, body: false });
            self.copy(self.at);
            self.at += 1;
        }
    }

    /// `asm volatile goto (...)`: jumps out of assembler text cannot be followed.
    fn assembler(&mut self, at: usize) {
        let mut next = at + 1;
        let mut volatile = None;
        while matches!(self.text(next), "volatile" | "__volatile__" | "__volatile" | "goto" | "inline" | "__inline__") {
            if self.text(next) == "goto" {
                self.refuse(next, "`asm goto` is", "write the jump in C");
            } else if self.text(next).contains("volatile") {
                volatile = Some(next);
            }
            next += 1;
        }
        self.copy(at);
        if let Some(volatile) = volatile {
            self.copy(volatile);
        }
        self.at = next;
    }

    /// `__alignof__(expression)` is the alignment of its type; `const` tells `_Alignof` from it.
    fn alignment(&mut self, at: usize, opening: &str) {
        let Some(close) = self.closing(at + 1) else { return self.copy(at) };
        self.put(opening, at);
        self.at = at + 2;
        self.range(close);
        self.put("))", close);
        self.at = close + 1;
    }

    /// The message of an assertion may be left out.
    fn assertion(&mut self, at: usize) {
        self.copy(at);
        let Some(close) = self.closing(at + 1) else { return };
        if self.comma(at + 1, close).is_none() {
            self.range(close);
            self.put(",\"\")", close);
            self.depth = self.depth.saturating_sub(1);
            self.at = close + 1;
        }
    }

    /// `__builtin_types_compatible_p(A, B)` becomes `__builtin_va_arg(sizeof(A), B)`: no argument
    /// list is a size, so that `elaborate` can tell.
    fn compatible(&mut self, at: usize) {
        let Some(close) = self.closing(at + 1) else { return self.copy(at) };
        let Some(comma) = self.comma(at + 1, close) else { return self.copy(at) };
        self.put("__builtin_va_arg(sizeof(", at);
        self.at = at + 2;
        self.range(comma);
        self.put("),", comma);
        self.at = comma + 1;
        self.range(close);
        self.put(")", close);
        self.at = close + 1;
    }
}

/// A literal with the characters that `\u00e9` and the like name.
fn universal(literal: &str) -> String {
    let mut text = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        text.push_str(before);
        let digits = match escape.as_bytes().get(1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let number = escape.get(2..2 + digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(named) = number.and_then(char::from_u32).filter(|named| !named.is_ascii()) {
            text.push(named);
            rest = &escape[2 + digits..];
        } else {
            // The backslash and what it escapes stay together.
            let len = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
            text.push_str(&escape[..len]);
            rest = &escape[len..];
        }
    }
    text + rest
}

fn is_int128(word: &str) -> bool {
    matches!(word, "__int128" | "__int128_t")
}

/// Whether a word can only start a declaration.
fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "_Bool"
            | "struct"
            | "union"
            | "enum"
            | "const"
            | "volatile"
            | "static"
            | "extern"
            | "register"
            | "typedef"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__auto_type"
            | "__int128"
            | "_Static_assert"
            | "_Alignas"
    )
}

/// Whether a word can only start a statement, or an expression with a word after it.
fn is_statement_word(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "while"
            | "for"
            | "do"
            | "switch"
            | "case"
            | "default"
            | "goto"
            | "return"
            | "break"
            | "continue"
            | "sizeof"
            | "asm"
            | "__asm__"
            | "__asm"
            | "_Alignof"
            | "__alignof__"
            | "__extension__"
            | "__attribute__"
    )
}

/// Whether a word followed by `(` at the start of a declaration is something else than a name.
fn is_keyword(word: &str) -> bool {
    is_type_word(word)
        || is_statement_word(word)
        || matches!(
            word,
            "__attribute" | "_Atomic" | "_Noreturn" | "_Thread_local" | "__declspec" | "_Pragma" | "__alignof"
        )
}
