//! Terms over Booleans and bit-vectors as C expressions that mean the same.
//!
//! A bit-vector of up to 64 bits is an expression whose value is the unsigned number.
//! Except at 8 and 16 bits, where C computes in `int` and cannot overflow except where the
//! templates below cast, its type is an unsigned one at least as wide as the vector and as
//! `uint32_t`. So there is no signed overflow, no shift past the width and no division by
//! zero: these cases are told apart first and get SMT-LIB's values. Beyond the C standard
//! we rely on what every compiler does: `int` has 32 bits, casts to signed types keep the
//! bits, and `>>` of a signed number copies the sign. `stdint.h` must be included.
//!
//! C has no sharing, so the text can be exponentially longer than the term; beyond
//! [`MAX_LENGTH`] bytes it is refused.

use crate::fun::Fun;
use crate::sort::Sort;
use crate::terms::{Node, Term, Terms, Var};
use crate::value::Value;
use crate::walk::post_order;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;

/// The longest expression that is printed, in bytes.
pub const MAX_LENGTH: usize = 1 << 20;

/// Why a term has no C expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CError {
    /// C has nothing that means this.
    NotInC(String),
    /// The expression would be longer than [`MAX_LENGTH`].
    TooLong,
}

impl fmt::Display for CError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CError::NotInC(what) => write!(f, "{what} cannot be expressed in C"),
            CError::TooLong => write!(f, "the C expression would be longer than {MAX_LENGTH} bytes"),
        }
    }
}

impl std::error::Error for CError {}

/// The term as a C expression.
///
/// `spell` says how each variable is written in C: an expression of any integer type (of an
/// array or pointer type for arrays), of which the low bits are read as an unsigned number.
/// A Boolean is true when it is not zero. Reads of arrays become `a[i]`; that the array has
/// an element there is the caller's concern.
///
/// # Errors
/// If the term holds something that C does not have, or the text would be too long.
pub fn expression(terms: &Terms, term: Term, mut spell: impl FnMut(Var) -> String) -> Result<String, CError> {
    let order = post_order(terms, &[term]);
    if order.len() > MAX_LENGTH {
        return Err(CError::TooLong);
    }
    let mut drafts: FxHashMap<Term, Draft> = FxHashMap::default();
    for part in order {
        let draft = match terms.node(part) {
            Node::Const(value) => Draft::text(constant(value)?),
            Node::Var(var) => Draft::text(variable(terms.var_sort(*var), &spell(*var))?),
            Node::App(fun, args) => Draft::fill(&application(terms, fun, args)?, args, &drafts)?,
        };
        drafts.insert(part, draft);
    }
    let mut text = String::with_capacity(drafts[&term].length);
    let mut todo: Vec<&Piece> = drafts[&term].pieces.iter().rev().collect();
    while let Some(piece) = todo.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Child(child) => todo.extend(drafts[child].pieces.iter().rev()),
        }
    }
    Ok(text)
}

/// The text of one node, with its arguments left open.
struct Draft {
    pieces: Vec<Piece>,
    /// How long the whole text is.
    length: usize,
    /// Whether it stands beside any operator without parentheses.
    atomic: bool,
}

enum Piece {
    Text(String),
    Child(Term),
}

impl Draft {
    fn text(text: String) -> Draft {
        let atomic = !text.contains(' ');
        Draft { length: text.len(), pieces: vec![Piece::Text(text)], atomic }
    }

    /// A template in which `$0`, `$1`, … stand for the arguments.
    fn fill(template: &str, args: &[Term], drafts: &FxHashMap<Term, Draft>) -> Result<Draft, CError> {
        let mut draft = Draft { pieces: Vec::new(), length: 0, atomic: is_atomic(template) };
        let mut rest = template;
        while let Some((before, tail)) = rest.split_once('$') {
            let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
            let child = args[tail[..digits].parse::<usize>().expect("templates number the arguments")];
            let (open, close) = if drafts[&child].atomic { ("", "") } else { ("(", ")") };
            draft.push(format!("{before}{open}"));
            draft.pieces.push(Piece::Child(child));
            draft.length = draft.length.saturating_add(drafts[&child].length);
            draft.push(close.to_owned());
            rest = &tail[digits..];
        }
        draft.push(rest.to_owned());
        if draft.length > MAX_LENGTH { Err(CError::TooLong) } else { Ok(draft) }
    }

    fn push(&mut self, text: String) {
        self.length = self.length.saturating_add(text.len());
        if !text.is_empty() {
            self.pieces.push(Piece::Text(text));
        }
    }
}

/// Whether a template binds at least as tightly as a cast: it has no operator outside
/// parentheses and brackets.
fn is_atomic(template: &str) -> bool {
    let mut depth = 0_usize;
    template.bytes().all(|byte| {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        byte != b' ' || depth > 0
    })
}

fn refuse<T>(what: impl Into<String>) -> Result<T, CError> {
    Err(CError::NotInC(what.into()))
}

/// The width of a bit-vector that C can hold; one for Booleans.
fn width(sort: &Sort) -> Result<u32, CError> {
    match sort {
        Sort::Bool => Ok(1),
        Sort::BitVec(width @ 1..=64) => Ok(*width),
        Sort::BitVec(width) => refuse(format!("a bit-vector of {width} bits")),
        Sort::Int => refuse("an unbounded integer"),
        Sort::Real => refuse("a real number"),
        Sort::Array(_) => refuse("an array as a value"),
    }
}

fn constant(value: &Value) -> Result<String, CError> {
    let width = width(&value.sort())?;
    Ok(match value {
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::BitVec(bits) => number(width, bits.to_u64().unwrap_or_default()),
        Value::Int(_) | Value::Real(_) | Value::Array(_) => return refuse(format!("the constant {value}")),
    })
}

/// An unsigned literal.
fn number(width: u32, value: u64) -> String {
    if width <= 32 { format!("{value}U") } else { format!("{value}ULL") }
}

fn ones(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The type in which a vector is computed.
fn wide(width: u32) -> &'static str {
    if width <= 32 { "uint32_t" } else { "uint64_t" }
}

/// The least type that holds a vector.
fn least(width: u32) -> &'static str {
    match width {
        0..=8 => "uint8_t",
        9..=16 => "uint16_t",
        17..=32 => "uint32_t",
        33.. => "uint64_t",
    }
}

/// Whether a C type has exactly this width.
fn is_standard(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64)
}

/// The expression reduced to its low bits.
fn low_bits(width: u32, text: &str) -> String {
    if is_standard(width) { format!("({})({text})", least(width)) } else { masked(width, &format!("({text})")) }
}

fn masked(width: u32, atom: &str) -> String {
    format!("{atom} & {}", number(width, ones(width)))
}

/// A variable or an element of an array, whose C type is the caller's.
fn variable(sort: &Sort, name: &str) -> Result<String, CError> {
    let simple = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let name = if simple { name.to_owned() } else { format!("({name})") };
    Ok(match sort {
        Sort::Array(array) => {
            width(&array.index)?;
            name
        }
        Sort::Bool => format!("{name} != 0"),
        Sort::BitVec(_) | Sort::Int | Sort::Real => element(width(sort)?, &name),
    })
}

fn element(width: u32, name: &str) -> String {
    let cast = format!("({}){name}", least(width));
    if is_standard(width) { cast } else { masked(width, &cast) }
}

/// The argument as a signed number, of a type that holds twice its range below 64 bits.
fn signed(width: u32, arg: &str) -> String {
    let sign = 1_u64 << (width - 1);
    match width {
        64 => format!("(int64_t){arg}"),
        8 | 16 | 32 => format!("(int64_t)(int{width}_t){arg}"),
        _ => format!("((int64_t)({arg} ^ {}) - {sign}LL)", number(width, sign)),
    }
}

/// The low bits of a signed expression.
fn from_signed(width: u32, text: &str) -> String {
    if is_standard(width) { low_bits(width, text) } else { masked(width, &format!("({})({text})", wide(width))) }
}

/// The template of an application.
fn application(terms: &Terms, fun: &Fun, args: &[Term]) -> Result<String, CError> {
    // Arrays are variables or elements of them; `Select` looks at its array itself.
    let widths: SmallVec<[u32; 4]> = if matches!(fun, Fun::Select | Fun::Store | Fun::ConstArray(_)) {
        SmallVec::new()
    } else {
        args.iter().map(|arg| width(terms.sort(*arg))).collect::<Result<_, _>>()?
    };
    let constant = |arg: usize| match terms.value(args[arg]) {
        Some(Value::BitVec(bits)) => bits.to_u64(),
        Some(Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Array(_)) | None => None,
    };
    let w = widths.last().copied().unwrap_or(1);
    let k = wide(w);
    Ok(match fun {
        Fun::Not => "!$0".to_owned(),
        Fun::And => junction(args.len(), " && ", "1"),
        Fun::Or => junction(args.len(), " || ", "0"),
        Fun::Xor => "$0 != $1".to_owned(),
        Fun::Ite => "$0 ? $1 : $2".to_owned(),
        Fun::Eq => "$0 == $1".to_owned(),
        Fun::BvNot => low_bits(w, "~$0"),
        Fun::BvNeg => low_bits(w, &format!("{} - $0", number(w, 0))),
        Fun::BvAnd => "$0 & $1".to_owned(),
        Fun::BvOr => "$0 | $1".to_owned(),
        Fun::BvXor => "$0 ^ $1".to_owned(),
        Fun::BvAdd => low_bits(w, "$0 + $1"),
        Fun::BvSub => low_bits(w, "$0 - $1"),
        Fun::BvMul => low_bits(w, &format!("({k})$0 * $1")),
        Fun::BvUdiv | Fun::BvUrem | Fun::BvSdiv | Fun::BvSrem | Fun::BvSmod => division(fun, w, constant(1)),
        Fun::BvShl | Fun::BvLshr | Fun::BvAshr => shift(fun, w, constant(1)),
        Fun::BvUlt => "$0 < $1".to_owned(),
        Fun::BvUle => "$0 <= $1".to_owned(),
        Fun::BvSlt => comparison(w, "<"),
        Fun::BvSle => comparison(w, "<="),
        Fun::Concat => {
            let width = width(&Sort::BitVec(widths[0] + widths[1]))?;
            format!("({})$0 << {} | $1", wide(width), widths[1])
        }
        Fun::Extract { high, low } => {
            let shifted = if *low == 0 { "$0".to_owned() } else { format!("$0 >> {low}") };
            low_bits(high - low + 1, &shifted)
        }
        Fun::ZeroExtend(by) => format!("({})$0", wide(width(&Sort::BitVec(w.saturating_add(*by)))?)),
        Fun::SignExtend(by) => {
            let width = width(&Sort::BitVec(w.saturating_add(*by)))?;
            from_signed(width, &signed(w, "$0"))
        }
        Fun::Select => {
            let Sort::Array(array) = terms.sort(args[0]) else { return refuse("a read of no array") };
            width(&array.index)?;
            match &array.element {
                Sort::Array(_) => "$0[$1]".to_owned(),
                Sort::Bool => "$0[$1] != 0".to_owned(),
                sort @ (Sort::BitVec(_) | Sort::Int | Sort::Real) => element(width(sort)?, "$0[$1]"),
            }
        }
        Fun::Neg
        | Fun::Add
        | Fun::Sub
        | Fun::Mul
        | Fun::Lt
        | Fun::Le
        | Fun::IntDiv
        | Fun::IntMod
        | Fun::RealDiv
        | Fun::ToReal
        | Fun::ToInt
        | Fun::IsInt
        | Fun::UbvToInt
        | Fun::SbvToInt
        | Fun::IntToBv(_)
        | Fun::Store
        | Fun::ConstArray(_) => return refuse(format!("the function {fun}")),
    })
}

fn junction(args: usize, operator: &str, empty: &str) -> String {
    let holes: Vec<String> = (0..args).map(|i| format!("${i}")).collect();
    if args == 0 { empty.to_owned() } else { holes.join(operator) }
}

/// Signed comparison; at odd widths by moving the numbers into the unsigned range.
fn comparison(w: u32, operator: &str) -> String {
    if is_standard(w) {
        format!("(int{w}_t)$0 {operator} (int{w}_t)$1")
    } else {
        let sign = number(w, 1 << (w - 1));
        format!("($0 ^ {sign}) {operator} ($1 ^ {sign})")
    }
}

/// Shifts, with the distance known or compared with the width first.
#[expect(clippy::wildcard_enum_match_arm, reason = "called for three functions only")]
fn shift(fun: &Fun, w: u32, distance: Option<u64>) -> String {
    let shifted = |distance: &str| match fun {
        Fun::BvShl => low_bits(w, &format!("({})$0 << {distance}", wide(w))),
        Fun::BvLshr => format!("$0 >> {distance}"),
        _ => from_signed(w, &format!("{} >> {distance}", signed(w, "$0"))),
    };
    let zero = number(w, 0);
    match (fun, distance) {
        (_, Some(known)) if known < u64::from(w) => shifted(&known.to_string()),
        (Fun::BvAshr, Some(_)) => shifted(&(w - 1).to_string()),
        (_, Some(_)) => zero,
        (Fun::BvAshr, None) => shifted(&format!("($1 < {w}U ? $1 : {}U)", w - 1)),
        (_, None) => format!("$1 < {w}U ? {} : {zero}", shifted("$1")),
    }
}

/// Divisions, with SMT-LIB's values for zero and, at 64 bits, the one overflow of C.
#[expect(clippy::wildcard_enum_match_arm, reason = "called for five functions only")]
fn division(fun: &Fun, w: u32, divisor: Option<u64>) -> String {
    let (zero, one, minus_one) = (number(w, 0), number(w, 1), number(w, ones(w)));
    let (a, b) = (signed(w, "$0"), signed(w, "$1"));
    let negative = |arg: &str| format!("{arg} >= {}", number(w, 1 << (w - 1)));
    let (by_zero, by_minus_one, plain) = match fun {
        Fun::BvUdiv => (minus_one.clone(), None, "$0 / $1".to_owned()),
        Fun::BvUrem => ("$0".to_owned(), None, "$0 % $1".to_owned()),
        Fun::BvSdiv => (
            format!("({} ? {one} : {minus_one})", negative("$0")),
            Some(format!("{zero} - $0")),
            from_signed(w, &format!("{a} / {b}")),
        ),
        Fun::BvSrem => ("$0".to_owned(), Some(zero.clone()), from_signed(w, &format!("{a} % {b}"))),
        // The rest has the sign of the dividend and moves by one divisor where that differs.
        _ if w == 64 => {
            let rest = format!("(uint64_t)({a} % {b})");
            let moves = format!("{rest} != {zero} && ({}) != ({})", negative("$0"), negative("$1"));
            ("$0".to_owned(), Some(zero.clone()), format!("({moves} ? {rest} + $1 : {rest})"))
        }
        _ => ("$0".to_owned(), None, from_signed(w, &format!("({a} % {b} + {b}) % {b}"))),
    };
    let by_minus_one = by_minus_one.filter(|_| w == 64);
    match (divisor, by_minus_one) {
        (Some(0), _) => by_zero,
        (Some(known), Some(special)) if known == ones(w) => special,
        (Some(_), _) => plain,
        (None, None) => format!("$1 == {zero} ? {by_zero} : {plain}"),
        (None, Some(special)) => {
            format!("$1 == {zero} ? {by_zero} : $1 == {minus_one} ? {special} : {plain}")
        }
    }
}
