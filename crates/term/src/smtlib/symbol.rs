//! Names of variables as SMT-LIB symbols, in a way that can be reversed.
//!
//! A name may be any string. Most are symbols as they are, or between bars. The others
//! cannot be quoted: those that contain `|`, `\` or a control character, the empty one,
//! those that a solver owns (`and`, `bvadd`, `select`, …, which mean the same between bars),
//! and those that begin with `.`, `@` (reserved for solvers) or `~` (our mark). They are
//! written as `~` and the name, in which `~`, `|`, `\` and control characters become their
//! hexadecimal code between two `~`: the name `a|b` is `~a~7c~b`, and `and` is `~and`.

use std::borrow::Cow;
use std::fmt::Write;

/// The name as SMT-LIB text, between bars where needed.
#[must_use]
pub fn encode(name: &str) -> Cow<'_, str> {
    let symbol = content(name);
    let bare = symbol.bytes().all(is_symbol_byte) && !symbol.starts_with(|c: char| c.is_ascii_digit());
    if bare && !is_keyword(&symbol) { symbol } else { Cow::Owned(format!("|{symbol}|")) }
}

/// The name that [`encode`] wrote as `symbol` (without bars). Symbols that `encode` never
/// writes, as others' files may hold, are names as they are.
#[must_use]
pub fn decode(symbol: &str) -> Cow<'_, str> {
    match unescape(symbol) {
        Some(name) if content(&name) == symbol => Cow::Owned(name),
        Some(_) | None => Cow::Borrowed(symbol),
    }
}

/// The symbol without bars.
fn content(name: &str) -> Cow<'_, str> {
    let fits = !name.is_empty()
        && !name.starts_with(['.', '@', '~'])
        && !name.contains(is_special)
        && !is_owned_by_solvers(name);
    if fits {
        return Cow::Borrowed(name);
    }
    let mut symbol = String::from("~");
    for c in name.chars() {
        if c == '~' || is_special(c) {
            write!(symbol, "~{:x}~", u32::from(c)).expect("strings take any text");
        } else {
            symbol.push(c);
        }
    }
    Cow::Owned(symbol)
}

fn unescape(symbol: &str) -> Option<String> {
    let mut rest = symbol.strip_prefix('~')?;
    let mut name = String::new();
    while let Some((plain, tail)) = rest.split_once('~') {
        let (code, tail) = tail.split_once('~')?;
        name.push_str(plain);
        name.push(u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?);
        rest = tail;
    }
    name.push_str(rest);
    Some(name)
}

/// Characters that no symbol can hold.
fn is_special(c: char) -> bool {
    c == '|' || c == '\\' || c.is_control()
}

/// Bytes of symbols that need no bars.
pub(super) fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

/// Words that are no symbols unless between bars.
fn is_keyword(name: &str) -> bool {
    KEYWORDS.binary_search(&name).is_ok()
}

/// Names that solvers define themselves, with or without bars.
fn is_owned_by_solvers(name: &str) -> bool {
    let theories = ["array.", "bag.", "ff.", "fp.", "int.", "re.", "real.", "seq.", "set.", "sep.", "str.", "tuple."];
    OWNED.binary_search(&name).is_ok() || theories.iter().any(|theory| name.starts_with(theory))
}

const KEYWORDS: &[&str] = &[
    "!",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "_",
    "as",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exists",
    "exit",
    "forall",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "lambda",
    "let",
    "match",
    "par",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

/// The functions of the standard theories and those that Z3 and cvc5 add to them.
const OWNED: &[&str] = &[
    "*",
    "+",
    "-",
    "/",
    "<",
    "<=",
    "=",
    "=>",
    ">",
    ">=",
    "^",
    "abs",
    "acos",
    "acosh",
    "and",
    "array-ext",
    "as-array",
    "asin",
    "asinh",
    "at-least",
    "at-most",
    "atan",
    "atanh",
    "bit0",
    "bit1",
    "bit2bool",
    "bv2int",
    "bv2nat",
    "bvadd",
    "bvand",
    "bvashr",
    "bvcomp",
    "bvlshr",
    "bvmul",
    "bvnand",
    "bvneg",
    "bvnego",
    "bvnor",
    "bvnot",
    "bvor",
    "bvredand",
    "bvredor",
    "bvsaddo",
    "bvsdiv",
    "bvsdivo",
    "bvsge",
    "bvsgt",
    "bvshl",
    "bvsle",
    "bvslt",
    "bvsmod",
    "bvsmod0",
    "bvsmulo",
    "bvsrem",
    "bvssubo",
    "bvsub",
    "bvuaddo",
    "bvudiv",
    "bvudivo",
    "bvuge",
    "bvugt",
    "bvule",
    "bvult",
    "bvumulo",
    "bvurem",
    "bvusubo",
    "bvxnor",
    "bvxor",
    "complement",
    "concat",
    "const",
    "cos",
    "cosh",
    "cot",
    "csc",
    "default",
    "distinct",
    "div",
    "divisible",
    "euler",
    "exp",
    "ext_rotate_left",
    "ext_rotate_right",
    "extract",
    "false",
    "fp",
    "iand",
    "if",
    "iff",
    "implies",
    "int2bv",
    "int_to_bv",
    "intersection",
    "is",
    "is_int",
    "ite",
    "map",
    "mod",
    "nat2bv",
    "not",
    "or",
    "pbeq",
    "pbge",
    "pble",
    "pi",
    "pow2",
    "rem",
    "repeat",
    "rotate_left",
    "rotate_right",
    "sbv_to_int",
    "sec",
    "select",
    "set",
    "setminus",
    "sign_extend",
    "sin",
    "sinh",
    "sqrt",
    "store",
    "subset",
    "tan",
    "tanh",
    "to_int",
    "to_real",
    "true",
    "ubv_to_int",
    "union",
    "update-field",
    "xor",
    "zero_extend",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(KEYWORDS.is_sorted() && OWNED.is_sorted());
    }

    #[test]
    fn names_are_written_as_smtlib_needs() {
        let check = |name: &str, expected: &str| {
            assert_eq!(encode(name), expected);
            let symbol = expected.strip_prefix('|').and_then(|s| s.strip_suffix('|')).unwrap_or(expected);
            assert_eq!(decode(symbol), name);
        };
        check("x", "x");
        check("x!1", "x!1");
        check("main::x", "|main::x|");
        check("a b", "|a b|");
        check("1x", "|1x|");
        check("é", "|é|");
        check("let", "|let|");
        check("", "~");
        check("a|b", "~a~7c~b");
        check("\\", "~~5c~");
        check("a\nb c", "|~a~a~b c|");
        check("and", "~and");
        check("@x", "~@x");
        check(".x", "~.x");
        check("~", "~~7e~");
        check("~and", "~~7e~and");
        check("~~7e~and", "~~7e~~7e~7e~7e~and");
    }

    #[test]
    fn foreign_symbols_stay_as_they_are() {
        for symbol in ["~x", "~a~zz~", "~a~7c", "~~41~", "~a~110000~", "@a", "x~"] {
            assert_eq!(decode(symbol), symbol);
        }
    }
}
