//! What the operators mean.
//!
//! Operands have the sorts that the caller checked. Those of one bit are `Bool`s.

use super::node::{plain, vector};
use tamis_term::{Fun, Sort, Term, Terms};

/// What the sorts of an operator's arguments and of its result have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Words of one width, the result too.
    Same,
    /// Words of one width, or arrays of one sort; the result is one bit.
    Equality,
    /// Words of one width; the result is one bit.
    Comparison,
    /// A word; the result is one bit.
    Reduction,
    /// All are one bit.
    Condition,
    /// Words; the result is as wide as both.
    Concat,
    /// An array and an index; the result is an element.
    Read,
    /// An array, an index and an element.
    Write,
    /// A condition, and two of the result's sort.
    Choice,
}

/// A row of the table: the operator's name, its number of arguments, their sorts.
pub(super) type Row = (&'static str, usize, Shape);

/// The operators whose arguments are nodes only.
#[rustfmt::skip]
pub(super) const OPERATORS: &[Row] = &[
    ("not", 1, Shape::Same), ("inc", 1, Shape::Same), ("dec", 1, Shape::Same), ("neg", 1, Shape::Same),
    ("redand", 1, Shape::Reduction), ("redor", 1, Shape::Reduction), ("redxor", 1, Shape::Reduction),
    ("iff", 2, Shape::Condition), ("implies", 2, Shape::Condition),
    ("eq", 2, Shape::Equality), ("neq", 2, Shape::Equality),
    ("ugt", 2, Shape::Comparison), ("ugte", 2, Shape::Comparison),
    ("ult", 2, Shape::Comparison), ("ulte", 2, Shape::Comparison),
    ("sgt", 2, Shape::Comparison), ("sgte", 2, Shape::Comparison),
    ("slt", 2, Shape::Comparison), ("slte", 2, Shape::Comparison),
    ("and", 2, Shape::Same), ("nand", 2, Shape::Same), ("or", 2, Shape::Same), ("nor", 2, Shape::Same),
    ("xor", 2, Shape::Same), ("xnor", 2, Shape::Same),
    ("rol", 2, Shape::Same), ("ror", 2, Shape::Same),
    ("sll", 2, Shape::Same), ("srl", 2, Shape::Same), ("sra", 2, Shape::Same),
    ("add", 2, Shape::Same), ("sub", 2, Shape::Same), ("mul", 2, Shape::Same),
    ("udiv", 2, Shape::Same), ("urem", 2, Shape::Same),
    ("sdiv", 2, Shape::Same), ("srem", 2, Shape::Same), ("smod", 2, Shape::Same),
    ("uaddo", 2, Shape::Comparison), ("saddo", 2, Shape::Comparison),
    ("usubo", 2, Shape::Comparison), ("ssubo", 2, Shape::Comparison),
    ("umulo", 2, Shape::Comparison), ("smulo", 2, Shape::Comparison), ("sdivo", 2, Shape::Comparison),
    ("concat", 2, Shape::Concat), ("read", 2, Shape::Read), ("write", 3, Shape::Write), ("ite", 3, Shape::Choice),
];

/// The term of an operator of the table.
pub(super) fn apply(terms: &mut Terms, name: &str, args: &[Term]) -> Term {
    if let Some(term) = logical(terms, name, args) {
        return term;
    }
    let words: Vec<Term> = args.iter().map(|arg| vector(terms, *arg)).collect();
    let term = word_operator(terms, name, &words);
    plain(terms, term)
}

/// Operators on `Bool`s that stay among them, and those that do not care.
fn logical(terms: &mut Terms, name: &str, args: &[Term]) -> Option<Term> {
    let bits = args.iter().all(|arg| *terms.sort(*arg) == Sort::Bool);
    let term = match (name, args) {
        ("eq" | "iff", [a, b]) => terms.eq(*a, *b),
        ("neq", [a, b]) => terms.distinct(*a, *b),
        ("implies", [a, b]) => terms.implies(*a, *b),
        ("ite", [condition, then, otherwise]) => terms.ite(*condition, *then, *otherwise),
        ("redand" | "redor" | "redxor" | "neg", [a]) if bits => *a,
        ("not" | "inc" | "dec", [a]) if bits => terms.not(*a),
        ("and" | "mul", [a, b]) if bits => terms.and(&[*a, *b]),
        ("or", [a, b]) if bits => terms.or(&[*a, *b]),
        ("xor" | "add" | "sub", [a, b]) if bits => terms.xor(*a, *b),
        ("nand" | "nor" | "xnor", [a, b]) if bits => {
            let inner = logical(terms, positive(name), &[*a, *b])?;
            terms.not(inner)
        }
        // A bit is 0 or 1, and with a sign 0 or -1.
        ("ult" | "sgt", [a, b]) if bits => less(terms, *a, *b),
        ("ugt" | "slt", [a, b]) if bits => less(terms, *b, *a),
        ("ulte" | "sgte", [a, b]) if bits => terms.implies(*a, *b),
        ("ugte" | "slte", [a, b]) if bits => terms.implies(*b, *a),
        _ => return None,
    };
    Some(term)
}

/// `a` is false and `b` is true.
fn less(terms: &mut Terms, a: Term, b: Term) -> Term {
    let not = terms.not(a);
    terms.and(&[not, b])
}

/// The operator that a negated one negates.
fn positive(name: &str) -> &'static str {
    match name {
        "nand" => "and",
        "nor" => "or",
        _ => "xor",
    }
}

fn word_operator(terms: &mut Terms, name: &str, args: &[Term]) -> Term {
    match *args {
        [a] => unary(terms, name, a),
        [a, b] => binary(terms, name, a, b),
        [array, index, element] => terms.store(array, index, element),
        _ => unreachable!("operators have one to three arguments"),
    }
}

fn unary(terms: &mut Terms, name: &str, a: Term) -> Term {
    let width = terms.width(a);
    match name {
        "not" => terms.app(Fun::BvNot, &[a]),
        "neg" => terms.app(Fun::BvNeg, &[a]),
        "inc" | "dec" => {
            let one = terms.bv(width, 1);
            if name == "inc" { terms.bvadd(a, one) } else { terms.bvsub(a, one) }
        }
        "redand" => {
            let zero = terms.bv(width, 0);
            let ones = terms.app(Fun::BvNot, &[zero]);
            terms.eq(a, ones)
        }
        "redor" => {
            let zero = terms.bv(width, 0);
            terms.distinct(a, zero)
        }
        _ => parity(terms, a, width),
    }
}

/// Whether an odd number of bits is set: halves of the word are joined until one bit is left.
fn parity(terms: &mut Terms, a: Term, width: u32) -> Term {
    let (mut word, mut width, mut odd) = (a, width, terms.bool(false));
    while width > 1 {
        let half = width / 2;
        if width % 2 == 1 {
            let top = terms.extract(word, width - 1, width - 1);
            let top = plain(terms, top);
            odd = terms.xor(odd, top);
        }
        let (high, low) = (terms.extract(word, 2 * half - 1, half), terms.extract(word, half - 1, 0));
        (word, width) = (terms.bvxor(high, low), half);
    }
    let last = plain(terms, word);
    terms.xor(odd, last)
}

fn binary(terms: &mut Terms, name: &str, a: Term, b: Term) -> Term {
    match name {
        "and" => terms.bvand(a, b),
        "or" => terms.bvor(a, b),
        "xor" => terms.bvxor(a, b),
        "nand" | "nor" | "xnor" => {
            let inner = binary(terms, positive(name), a, b);
            terms.app(Fun::BvNot, &[inner])
        }
        "rol" => rotate(terms, a, b, true),
        "ror" => rotate(terms, a, b, false),
        "sll" => terms.bvshl(a, b),
        "srl" => terms.bvlshr(a, b),
        "sra" => terms.bvashr(a, b),
        "add" => terms.bvadd(a, b),
        "sub" => terms.bvsub(a, b),
        "mul" => terms.bvmul(a, b),
        "udiv" => terms.bvudiv(a, b),
        "urem" => terms.bvurem(a, b),
        "sdiv" => terms.bvsdiv(a, b),
        "srem" => terms.bvsrem(a, b),
        "smod" => terms.bvsmod(a, b),
        "ult" => terms.bvult(a, b),
        "ulte" => terms.bvule(a, b),
        "ugt" => terms.bvult(b, a),
        "ugte" => terms.bvule(b, a),
        "slt" => terms.bvslt(a, b),
        "slte" => terms.bvsle(a, b),
        "sgt" => terms.bvslt(b, a),
        "sgte" => terms.bvsle(b, a),
        "concat" => terms.concat(a, b),
        "read" => terms.select(a, b),
        "usubo" => terms.bvult(a, b),
        "sdivo" => division_overflows(terms, a, b),
        _ => overflows(terms, name, a, b),
    }
}

/// Whether addition, subtraction or multiplication gives what the width cannot hold: it is done
/// with more bits, and those must follow from the others.
fn overflows(terms: &mut Terms, name: &str, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let signed = name.starts_with('s');
    let more = if name.ends_with("mulo") { width } else { 1 };
    let extend = if signed { Fun::SignExtend } else { Fun::ZeroExtend };
    let (a, b) = (terms.app(extend(more), &[a]), terms.app(extend(more), &[b]));
    let exact = match &name[1..] {
        "addo" => terms.bvadd(a, b),
        "subo" => terms.bvsub(a, b),
        _ => terms.bvmul(a, b),
    };
    let low = terms.extract(exact, width - 1, 0);
    let same = terms.app(extend(more), &[low]);
    terms.distinct(exact, same)
}

/// Whether the quotient is the one that the width cannot hold: the least number by -1.
fn division_overflows(terms: &mut Terms, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let (one, zero, last) = (terms.bv(1, 1), terms.bv(width, 0), terms.bv(width, u64::from(width) - 1));
    let bit = if width == 1 { one } else { terms.zero_extend(one, width - 1) };
    let minimum = terms.bvshl(bit, last);
    let ones = terms.app(Fun::BvNot, &[zero]);
    let (left, right) = (terms.eq(a, minimum), terms.eq(b, ones));
    terms.and(&[left, right])
}

/// The word turned by an amount modulo its width.
fn rotate(terms: &mut Terms, a: Term, by: Term, left: bool) -> Term {
    let width = terms.width(a);
    // A word of one bit stays as it is; for others the width fits the word.
    if width == 1 {
        return a;
    }
    let whole = terms.bv(width, u64::from(width));
    let amount = terms.bvurem(by, whole);
    let rest = terms.bvsub(whole, amount);
    let (up, down) = if left { (amount, rest) } else { (rest, amount) };
    let (high, low) = (terms.bvshl(a, up), terms.bvlshr(a, down));
    terms.bvor(high, low)
}

/// Bits in front: zeros, or copies of the sign bit.
pub(super) fn extend(terms: &mut Terms, a: Term, by: u32, signed: bool) -> Term {
    let word = vector(terms, a);
    let wide = if signed { terms.sign_extend(word, by) } else { terms.zero_extend(word, by) };
    plain(terms, wide)
}

/// A part of a word.
pub(super) fn slice(terms: &mut Terms, a: Term, high: u32, low: u32) -> Term {
    let word = vector(terms, a);
    let part = terms.extract(word, high, low);
    plain(terms, part)
}
