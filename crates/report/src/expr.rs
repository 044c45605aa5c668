//! Terms as people write them: infix, with the user's names, and never longer than asked for.
//! What tools read is SMT-LIB; this notation is not read back.

use crate::style::clip;
use crate::values::{value, value_in};
use std::borrow::Cow;
use std::fmt::Write as _;
use tamis_ir::{Notation, Program};
use tamis_term::{Fun, Node, Term, Terms, Var};

/// How deep a term is followed before an ellipsis stands for the rest.
const MAX_DEPTH: u32 = 60;

/// The user's part of a variable's name: without the procedure. What stands for the value of
/// `f::x` at another time is called `old(f::x)`, and shown as `old(x)`.
#[must_use]
pub fn user_name(name: &str) -> Cow<'_, str> {
    let last = |name: &'_ str| name.rsplit_once("::").map_or(0, |(procedure, _)| procedure.len() + 2);
    match name.split_once('(') {
        Some((time, rest)) if rest.contains("::") => Cow::Owned(format!("{time}({}", &rest[last(rest)..])),
        Some(_) | None => Cow::Borrowed(&name[last(name)..]),
    }
}

/// Whether a variable is a front end's helper, which the user never wrote.
#[must_use]
pub fn is_hidden(name: &str) -> bool {
    user_name(name).starts_with('$')
}

/// What readers know about variables.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// What they call them.
    pub name: &'a dyn Fn(Var) -> String,
    /// How they write their values.
    pub notation: &'a dyn Fn(Var) -> Option<&'a Notation>,
}

/// A term with the user's names, in at most about `limit` characters.
#[must_use]
pub fn term(terms: &Terms, term: Term, limit: usize) -> String {
    let name = |var| user_name(terms.name(var)).into_owned();
    term_with(terms, term, limit, Reading { name: &name, notation: &|_| None })
}

/// The same with numbers as the program's variables are written.
#[must_use]
pub fn term_of(terms: &Terms, program: &Program, term: Term, limit: usize) -> String {
    let name = |var| user_name(terms.name(var)).into_owned();
    let notation = |var| program.notes.notation.get(&var);
    term_with(terms, term, limit, Reading { name: &name, notation: &notation })
}

/// A term as the reader reads it.
#[must_use]
pub fn term_with<'a>(terms: &'a Terms, term: Term, limit: usize, reading: Reading<'a>) -> String {
    let mut printer = Printer { terms, reading, limit, out: String::new(), depth: 0 };
    printer.write(term, 0);
    clip(&printer.out, limit)
}

/// Binding strengths, loosest first, as in C but with comparisons looser than bit operations.
mod bind {
    pub const ITE: u8 = 1;
    pub const OR: u8 = 2;
    pub const XOR: u8 = 3;
    pub const AND: u8 = 4;
    pub const COMPARE: u8 = 5;
    pub const BIT_OR: u8 = 6;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_AND: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const SUM: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const PREFIX: u8 = 12;
    pub const ATOM: u8 = 13;
}

/// How an application is written.
enum Shape {
    /// Between its arguments.
    Infix(&'static str, u8),
    /// Before its argument.
    Prefix(&'static str),
    /// As `name(arguments)`.
    Call(String),
    /// As its argument: the number is the same.
    Through,
    /// `c ? a : b`
    Ite,
    /// `x[high:low]`
    Extract(u32, u32),
    /// `a[i]`
    Select,
    /// `a[i := v]`
    Store,
    /// `[v, v, …]`
    Fill,
}

fn shape(fun: &Fun) -> Shape {
    let call = |name: &str| Shape::Call(name.to_owned());
    match fun {
        Fun::Not => Shape::Prefix("!"),
        Fun::And => Shape::Infix("&&", bind::AND),
        Fun::Or => Shape::Infix("||", bind::OR),
        Fun::Xor => Shape::Infix("^^", bind::XOR),
        Fun::Ite => Shape::Ite,
        Fun::Eq => Shape::Infix("==", bind::COMPARE),
        Fun::BvNot => Shape::Prefix("~"),
        Fun::BvNeg | Fun::Neg => Shape::Prefix("-"),
        Fun::BvAnd => Shape::Infix("&", bind::BIT_AND),
        Fun::BvOr => Shape::Infix("|", bind::BIT_OR),
        Fun::BvXor => Shape::Infix("^", bind::BIT_XOR),
        Fun::BvAdd | Fun::Add => Shape::Infix("+", bind::SUM),
        Fun::BvSub | Fun::Sub => Shape::Infix("-", bind::SUM),
        Fun::BvMul | Fun::Mul => Shape::Infix("*", bind::PRODUCT),
        Fun::BvUdiv | Fun::RealDiv => Shape::Infix("/", bind::PRODUCT),
        Fun::BvUrem => Shape::Infix("%", bind::PRODUCT),
        Fun::BvSdiv => call("sdiv"),
        Fun::BvSrem => call("srem"),
        Fun::BvSmod => call("smod"),
        Fun::IntDiv => call("div"),
        Fun::IntMod => call("mod"),
        Fun::BvShl => Shape::Infix("<<", bind::SHIFT),
        Fun::BvLshr => Shape::Infix(">>", bind::SHIFT),
        Fun::BvAshr => call("ashr"),
        Fun::BvUlt | Fun::Lt => Shape::Infix("<", bind::COMPARE),
        Fun::BvUle | Fun::Le => Shape::Infix("<=", bind::COMPARE),
        Fun::BvSlt => Shape::Infix("<s", bind::COMPARE),
        Fun::BvSle => Shape::Infix("<=s", bind::COMPARE),
        Fun::Concat => call("concat"),
        Fun::Extract { high, low } => Shape::Extract(*high, *low),
        Fun::ZeroExtend(_) | Fun::ToReal | Fun::UbvToInt => Shape::Through,
        Fun::SignExtend(by) => Shape::Call(format!("sext{by}")),
        Fun::ToInt => call("floor"),
        Fun::IsInt => call("is_int"),
        Fun::SbvToInt => call("signed"),
        Fun::IntToBv(width) => Shape::Call(format!("bv{width}")),
        Fun::Select => Shape::Select,
        Fun::Store => Shape::Store,
        Fun::ConstArray(_) => Shape::Fill,
    }
}

/// The comparison that holds exactly where `fun` does not.
fn negated(fun: &Fun) -> Option<&'static str> {
    match shape(fun) {
        Shape::Infix("==", _) => Some("!="),
        Shape::Infix("<", _) => Some(">="),
        Shape::Infix("<=", _) => Some(">"),
        Shape::Infix("<s", _) => Some(">=s"),
        Shape::Infix("<=s", _) => Some(">s"),
        Shape::Infix("^^", _) => Some("<=>"),
        Shape::Infix(..)
        | Shape::Prefix(_)
        | Shape::Call(_)
        | Shape::Through
        | Shape::Ite
        | Shape::Extract(..)
        | Shape::Select
        | Shape::Store
        | Shape::Fill => None,
    }
}

/// How deep a number's notation is looked for.
const MAX_HINTS: u32 = 3;

/// A comparison's sign where numbers are signed for the reader, who expects the plain sign to
/// respect that.
fn usual<'s>(sign: &'s str, notation: Option<&Notation>) -> &'s str {
    let signed = is_signed(notation);
    match sign {
        "<" if signed => "<u",
        "<=" if signed => "<=u",
        ">" if signed => ">u",
        ">=" if signed => ">=u",
        "<s" | "<=s" | ">s" | ">=s" if signed => &sign[..sign.len() - 1],
        _ => sign,
    }
}

fn is_signed(notation: Option<&Notation>) -> bool {
    matches!(notation, Some(Notation::Signed | Notation::Character))
}

struct Printer<'a> {
    terms: &'a Terms,
    reading: Reading<'a>,
    limit: usize,
    out: String,
    depth: u32,
}

impl<'a> Printer<'a> {
    /// Writes the term, in parentheses if it binds looser than `around`. Once the limit is
    /// passed nothing more is written: a shared term may be exponentially long as text.
    fn write(&mut self, term: Term, around: u8) {
        if self.out.len() > 4 * self.limit {
            return;
        }
        if self.depth == MAX_DEPTH {
            self.out.push('…');
            return;
        }
        self.depth += 1;
        match self.terms.node(term) {
            Node::Const(constant) => self.out.push_str(&value(constant)),
            Node::Var(var) => {
                let name = (self.reading.name)(*var);
                self.out.push_str(&name);
            }
            Node::App(fun, args) => self.application(fun, args, around),
        }
        self.depth -= 1;
    }

    fn application(&mut self, fun: &Fun, args: &[Term], around: u8) {
        match (shape(fun), args) {
            (Shape::Infix(sign, strength), [_, _, ..]) => self.infix(sign, strength, args, around),
            (Shape::Infix(..), [only]) => self.write(*only, around),
            (Shape::Infix(..), []) => self.out.push_str(if *fun == Fun::And { "true" } else { "false" }),
            (Shape::Prefix(sign), [arg]) => {
                if *fun == Fun::Not
                    && let Node::App(inner, pair) = self.terms.node(*arg)
                    && let Some(sign) = negated(inner)
                {
                    return self.infix(sign, bind::COMPARE, pair, around);
                }
                self.out.push_str(sign);
                self.write(*arg, bind::PREFIX);
            }
            (Shape::Through, [arg]) => self.write(*arg, around),
            // A signed number is the same in more bits. What is computed of some need not be.
            (Shape::Call(_), [arg]) if matches!(fun, Fun::SignExtend(_)) && is_signed(self.notation(*arg, 0)) => {
                self.write(*arg, around);
            }
            (Shape::Ite, [condition, then, otherwise]) => self.grouped(bind::ITE, around, |p| {
                p.write(*condition, bind::ITE + 1);
                p.out.push_str(" ? ");
                p.write(*then, bind::ITE + 1);
                p.out.push_str(" : ");
                p.write(*otherwise, bind::ITE);
            }),
            (Shape::Extract(high, low), [arg]) => {
                self.write(*arg, bind::ATOM);
                let _ = write!(self.out, "[{high}:{low}]");
            }
            (Shape::Select, [array, index]) => {
                self.write(*array, bind::ATOM);
                self.bracketed(&[*index], "");
            }
            (Shape::Store, [array, index, element]) => {
                self.write(*array, bind::ATOM);
                self.bracketed(&[*index, *element], " := ");
            }
            (Shape::Fill, [element]) => {
                self.out.push('[');
                self.write(*element, 0);
                self.out.push_str(", …]");
            }
            (Shape::Call(name), args) => self.call(&name, args),
            (
                Shape::Prefix(_)
                | Shape::Through
                | Shape::Ite
                | Shape::Extract(..)
                | Shape::Select
                | Shape::Store
                | Shape::Fill,
                args,
            ) => self.call(&format!("{fun:?}"), args),
        }
    }

    fn infix(&mut self, sign: &str, strength: u8, args: &[Term], around: u8) {
        // People write x >= 1, not 1 <= x.
        let constant = |term: Term| self.terms.value(term).is_some();
        let turned = match (sign, args) {
            (_, [a, b]) if !constant(*a) || constant(*b) => None,
            ("<", [a, b]) => Some((">", [*b, *a])),
            ("<=", [a, b]) => Some((">=", [*b, *a])),
            (">", [a, b]) => Some(("<", [*b, *a])),
            (">=", [a, b]) => Some(("<=", [*b, *a])),
            ("<s", [a, b]) => Some((">s", [*b, *a])),
            ("<=s", [a, b]) => Some((">=s", [*b, *a])),
            (">s", [a, b]) => Some(("<s", [*b, *a])),
            (">=s", [a, b]) => Some(("<=s", [*b, *a])),
            ("==", [a, b]) => Some(("==", [*b, *a])),
            ("!=", [a, b]) => Some(("!=", [*b, *a])),
            _ => None,
        };
        let (sign, args) = turned.as_ref().map_or((sign, args), |(sign, args)| (*sign, args.as_slice()));
        let notation = args.iter().find_map(|arg| self.notation(*arg, MAX_HINTS));
        let sign = usual(sign, notation);
        self.grouped(strength, around, |p| {
            for (at, arg) in args.iter().enumerate() {
                if at > 0 {
                    let _ = write!(p.out, " {sign} ");
                }
                if let (Some(constant), Some(_)) = (p.terms.value(*arg), notation) {
                    p.out.push_str(&value_in(constant, notation));
                    continue;
                }
                // All but the first bind tighter, as in a - (b - c), unless that makes no difference.
                let loose = if at == 0 { strength != bind::COMPARE } else { p.continues(*arg, sign) };
                p.write(*arg, if loose { strength } else { strength + 1 });
            }
        });
    }

    /// How the numbers are written that meet this one: as its first variable is.
    fn notation(&self, term: Term, hints: u32) -> Option<&'a Notation> {
        match self.terms.node(term) {
            Node::Const(_) => None,
            Node::Var(var) => (self.reading.notation)(*var),
            Node::App(fun, args) => match (shape(fun), args.as_ref()) {
                (Shape::Select, [array, _]) => self.notation(*array, hints),
                (Shape::Call(_), [arg]) if matches!(fun, Fun::SignExtend(_)) => {
                    self.notation(*arg, hints).filter(|notation| is_signed(Some(notation)))
                }
                (Shape::Infix(_, bind::BIT_OR..), args) if hints > 0 => {
                    args.iter().find_map(|arg| self.notation(*arg, hints - 1))
                }
                (_, _) => None,
            },
        }
    }

    /// Whether the term goes on with the same associative sign.
    fn continues(&self, term: Term, sign: &str) -> bool {
        let associative = matches!(sign, "&&" | "||" | "+" | "*" | "&" | "|" | "^");
        let Node::App(fun, _) = self.terms.node(term) else { return false };
        associative && matches!(shape(fun), Shape::Infix(inner, _) if inner == sign)
    }

    fn call(&mut self, name: &str, args: &[Term]) {
        self.out.push_str(name);
        self.out.push('(');
        for (at, arg) in args.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.write(*arg, 0);
        }
        self.out.push(')');
    }

    fn bracketed(&mut self, args: &[Term], between: &str) {
        self.out.push('[');
        for (at, arg) in args.iter().enumerate() {
            if at > 0 {
                self.out.push_str(between);
            }
            self.write(*arg, 0);
        }
        self.out.push(']');
    }

    fn grouped(&mut self, strength: u8, around: u8, write: impl FnOnce(&mut Self)) {
        let open = strength < around;
        if open {
            self.out.push('(');
        }
        write(self);
        if open {
            self.out.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_term::Sort;

    fn check(build: impl FnOnce(&mut Terms, Term, Term, Term) -> Term, expected: &str) {
        let mut terms = Terms::new();
        let [x, y] = ["main::x", "y"].map(|name| terms.declare(name, Sort::BitVec(4)));
        let a = terms.declare("a", Sort::array(Sort::BitVec(4), Sort::BitVec(4)));
        let [x, y, a] = [x, y, a].map(|var| terms.var(var));
        let made = build(&mut terms, x, y, a);
        assert_eq!(term(&terms, made, 80), expected);
    }

    #[test]
    fn sums_and_products_need_few_parentheses() {
        check(
            |t, x, y, _| {
                let (product, sum) = (t.bvmul(x, y), t.bvadd(x, y));
                let left = t.bvsub(product, sum);
                let right = t.bvmul(sum, y);
                t.bvult(left, right)
            },
            "x * y - (x + y) < (x + y) * y",
        );
    }

    #[test]
    fn negated_comparisons_turn_round() {
        check(
            |t, x, y, _| {
                let (eq, less) = (t.eq(x, y), t.bvult(x, y));
                let (a, b) = (t.not(eq), t.not(less));
                t.and(&[a, b])
            },
            "x != y && x >= y",
        );
    }

    #[test]
    fn chains_need_no_parentheses_and_constants_come_last() {
        check(
            |t, x, y, _| {
                let (one, two) = (t.bv(4, 1), t.bv(4, 2));
                let (low, same) = (t.bvule(one, x), t.eq(x, y));
                let high = t.bvult(two, y);
                let inner = t.raw_app(Fun::And, &[same, high]).unwrap();
                t.raw_app(Fun::And, &[low, inner]).unwrap()
            },
            "x >= 1 && x == y && y > 2",
        );
        check(
            |t, x, y, _| {
                let inner = t.bvsub(y, x);
                t.bvsub(x, inner)
            },
            "x - (y - x)",
        );
    }

    #[test]
    fn arrays_are_indexed_with_brackets() {
        check(
            |t, x, y, a| {
                let stored = t.store(a, x, y);
                let one = t.bv(4, 1);
                let next = t.bvadd(x, one);
                t.select(stored, next)
            },
            "a[x := y][x + 1]",
        );
    }

    #[test]
    fn a_term_that_is_exponential_as_text_is_clipped() {
        let mut terms = Terms::new();
        let x = terms.declare("x", Sort::BitVec(64));
        let mut big = terms.var(x);
        for _ in 0..10_000 {
            big = terms.bvmul(big, big);
        }
        let text = term(&terms, big, 50);
        assert!(text.ends_with('…') && crate::style::width(&text) <= 50, "{text}");
    }

    #[test]
    fn formulas_follow_the_notation_of_their_variables() {
        let mut terms = Terms::new();
        let mut program = Program::new(std::sync::Arc::default());
        let [x, y] = ["main::x", "y"].map(|name| terms.declare(name, Sort::BitVec(8)));
        program.notes.notation.insert(x, Notation::Signed);
        let [x, y] = [x, y].map(|var| terms.var(var));
        let minus = terms.bv(8, 254);
        let sum = terms.bvadd(x, minus);
        let (less, below, plain) = (terms.bvslt(sum, minus), terms.bvult(x, minus), terms.bvslt(y, minus));
        let [wide_x, wide_y] = [x, y].map(|term| terms.sign_extend(term, 8));
        let ten = terms.bv(16, 10);
        let inside = [wide_x, wide_y].map(|term| terms.bvult(term, ten));
        let outside = inside.map(|term| terms.not(term));
        let product = terms.bvmul(x, x);
        let (wide_product, product_wide) = (terms.bvmul(wide_x, wide_x), terms.sign_extend(product, 8));
        let overflow = terms.distinct(wide_product, product_wide);
        let shown = |term| term_of(&terms, &program, term, 80);
        assert_eq!(outside.map(shown), ["x >=u 10", "sext8(y) >= 10"]);
        assert_eq!(shown(overflow), "x * x != sext8(x * x)");
        assert_eq!(
            (shown(less).as_str(), shown(below).as_str(), shown(plain).as_str()),
            ("x + -2 < -2", "x <u -2", "y <s 254")
        );
    }

    #[test]
    fn helpers_are_hidden() {
        assert!(is_hidden("main::$t") && is_hidden("$t") && !is_hidden("main::t"));
        assert_eq!(user_name("main::x"), "x");
    }
}
