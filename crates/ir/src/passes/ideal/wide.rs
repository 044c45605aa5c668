//! Formulas over integers as formulas over the words that the integers stand for.
//!
//! Every integer term becomes a word that is wide enough for all its values, so that no
//! operation overflows: an interval around the values tells the width. What cannot be a word (a
//! variable that was an integer before, a number of too many bits) makes its atom fall back on
//! SMT-LIB's functions from words to integers. Either way the result holds of some words exactly
//! if the formula holds of the integers that they stand for.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "each function here is for a few symbols, which its caller tells apart"
)]

use super::choice::{Reading, words};
use super::interval::Interval;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;
use tamis_term::walk::post_order;
use tamis_term::{BitVec, Fun, Node, Sort, Term, Terms, Value, Var};

/// Words of more bits are not made.
const MOST_BITS: u32 = 1024;

/// A word that equals an integer in its reading.
#[derive(Clone, Debug)]
struct Wide {
    term: Term,
    reading: Reading,
    range: Interval,
}

/// What became of a term.
#[derive(Clone, Debug)]
enum Done {
    /// A term of the same sort, over words.
    Plain(Term),
    /// A word for an integer.
    Wide(Wide),
    /// An array of words for one of integers, and how its elements are read.
    Table(Term, Reading),
    /// Nothing: an integer that has no word.
    Open,
}

/// Translates formulas and keeps what it did.
pub(super) struct Widener<'t> {
    pub(super) terms: &'t mut Terms,
    words: FxHashMap<Var, (Var, Reading)>,
    /// The integer variables as functions of their words.
    functions: FxHashMap<Var, Term>,
    done: FxHashMap<Term, Done>,
}

impl<'t> Widener<'t> {
    /// Given the word that each integer variable stands for, and how it is read.
    pub(super) fn new(terms: &'t mut Terms, words: FxHashMap<Var, (Var, Reading)>) -> Widener<'t> {
        let mut pairs: Vec<(Var, (Var, Reading))> = words.iter().map(|(int, word)| (*int, *word)).collect();
        pairs.retain(|(int, _)| *terms.var_sort(*int) == Sort::Int);
        pairs.sort_unstable_by_key(|(int, _)| *int);
        let function = |(int, (word, reading))| {
            let fun = match reading {
                Reading::Signed => Fun::SbvToInt,
                Reading::Unsigned => Fun::UbvToInt,
            };
            let word = terms.var(word);
            (int, terms.app(fun, &[word]))
        };
        let functions = pairs.into_iter().map(function).collect();
        Widener { terms, words, functions, done: FxHashMap::default() }
    }

    /// The formula over words.
    pub(super) fn formula(&mut self, root: Term) -> Term {
        for term in post_order(self.terms, &[root]) {
            if !self.done.contains_key(&term) {
                let done = self.step(term);
                self.done.insert(term, done);
            }
        }
        match self.done.get(&root) {
            Some(Done::Plain(plain)) => *plain,
            Some(Done::Wide(_) | Done::Table(..) | Done::Open) | None => self.fallback(root),
        }
    }

    /// The term with functions of the words. Arrays of words have no such function: a formula
    /// that says more of them than their elements is true.
    fn fallback(&mut self, term: Term) -> Term {
        let result = self.terms.substitute(term, &self.functions);
        let is_left = self.terms.free_vars(&[result]).iter().any(|var| self.words.contains_key(var));
        if is_left && *self.terms.sort(term) == Sort::Bool { self.terms.bool(true) } else { result }
    }

    fn step(&mut self, term: Term) -> Done {
        let is_int = *self.terms.sort(term) == Sort::Int;
        match self.terms.node(term).clone() {
            Node::Const(Value::Int(value)) => self.constant(&value),
            Node::Const(_) => Done::Plain(term),
            Node::Var(var) => match self.words.get(&var) {
                Some((word, reading)) if !is_int => Done::Table(self.terms.var(*word), *reading),
                Some((word, reading)) => {
                    let (term, reading) = (self.terms.var(*word), *reading);
                    Done::Wide(Wide { term, reading, range: reading.range(self.terms.width(term)) })
                }
                None if is_int => Done::Open,
                None => Done::Plain(term),
            },
            Node::App(fun, args) => self.application(term, &fun, &args),
        }
    }

    fn application(&mut self, term: Term, fun: &Fun, args: &[Term]) -> Done {
        let done: Vec<Done> = args.iter().map(|arg| self.done.get(arg).cloned().unwrap_or(Done::Open)).collect();
        let plain = |done: &Done| match done {
            Done::Plain(plain) => Some(*plain),
            Done::Wide(_) | Done::Table(..) | Done::Open => None,
        };
        let all_plain: Option<Vec<Term>> = done.iter().map(plain).collect();
        let made = match (fun, done.as_slice()) {
            (Fun::UbvToInt, [Done::Plain(word)]) => Some(self.wide(*word, Reading::Unsigned)),
            (Fun::SbvToInt, [Done::Plain(word)]) => Some(self.wide(*word, Reading::Signed)),
            (Fun::IntToBv(width), [Done::Wide(wide)]) => Some(Done::Plain(self.extend(wide, *width))),
            (Fun::Select, [Done::Table(array, reading), Done::Wide(index)]) => self.element(*array, *reading, index),
            (Fun::Store, [Done::Table(array, reading), Done::Wide(index), Done::Wide(element)]) => {
                self.store(*array, index, element).map(|array| Done::Table(array, *reading))
            }
            (Fun::Ite, [Done::Plain(condition), Done::Table(a, reading), Done::Table(b, _)])
                if self.terms.sort(*a) == self.terms.sort(*b) =>
            {
                Some(Done::Table(self.terms.ite(*condition, *a, *b), *reading))
            }
            (Fun::Eq, [Done::Table(a, _), Done::Table(b, _)]) if self.terms.sort(*a) == self.terms.sort(*b) => {
                Some(Done::Plain(self.terms.eq(*a, *b)))
            }
            (Fun::Ite, [Done::Plain(condition), Done::Wide(a), Done::Wide(b)]) => self.choice(*condition, a, b),
            (Fun::Lt | Fun::Le | Fun::Eq, [Done::Wide(a), Done::Wide(b)]) => Some(Done::Plain(self.compare(fun, a, b))),
            (Fun::Neg, [Done::Wide(a)]) => {
                let zero = self.number(&BigInt::zero());
                self.arithmetic(&Fun::Sub, &zero, a)
            }
            (Fun::Add | Fun::Sub | Fun::Mul, [Done::Wide(a), Done::Wide(b)]) => self.arithmetic(fun, a, b),
            (Fun::IntDiv | Fun::IntMod, [Done::Wide(a), Done::Wide(b)]) => self.division(fun, a, b),
            _ => match all_plain {
                Some(new) if new.as_slice() == args => Some(Done::Plain(term)),
                Some(new) if *self.terms.sort(term) != Sort::Int => {
                    Some(Done::Plain(self.terms.app(fun.clone(), &new)))
                }
                Some(_) | None => None,
            },
        };
        match made {
            Some(Done::Plain(same)) if *self.terms.sort(same) == Sort::Int => Done::Open,
            Some(made) => made,
            None if *self.terms.sort(term) == Sort::Bool => Done::Plain(self.fallback(term)),
            None => match self.fallback(term) {
                plain if *self.terms.sort(term) != Sort::Int && self.is_free(plain) => Done::Plain(plain),
                _ => Done::Open,
            },
        }
    }

    /// Whether a term mentions no integer that stands for a word.
    fn is_free(&self, term: Term) -> bool {
        self.terms.free_vars(&[term]).iter().all(|var| !self.words.contains_key(var))
    }

    fn element(&mut self, array: Term, reading: Reading, index: &Wide) -> Option<Done> {
        let (_, width, _) = words(self.terms.sort(array))?;
        let index = self.extend(index, width);
        let element = self.terms.select(array, index);
        Some(self.wide(element, reading))
    }

    fn store(&mut self, array: Term, index: &Wide, element: &Wide) -> Option<Term> {
        let (_, width, size) = words(self.terms.sort(array))?;
        let (index, element) = (self.extend(index, width), self.extend(element, size));
        Some(self.terms.store(array, index, element))
    }

    fn wide(&mut self, word: Term, reading: Reading) -> Done {
        Done::Wide(Wide { term: word, reading, range: reading.range(self.terms.width(word)) })
    }

    fn constant(&mut self, value: &BigInt) -> Done {
        let wide = Interval::point(value).signed_bits() > MOST_BITS;
        if wide { Done::Open } else { Done::Wide(self.number(value)) }
    }

    /// A constant, in as few bits as it needs.
    fn number(&mut self, value: &BigInt) -> Wide {
        let range = Interval::point(value);
        let (reading, width) = match range.unsigned_bits() {
            Some(bits) => (Reading::Unsigned, bits),
            None => (Reading::Signed, range.signed_bits()),
        };
        let term = self.terms.constant(Value::BitVec(BitVec::from_int(width, value)));
        Wide { term, reading, range }
    }

    /// The integer modulo `2^width`.
    fn extend(&mut self, wide: &Wide, width: u32) -> Term {
        let own = self.terms.width(wide.term);
        if own >= width {
            return if own == width { wide.term } else { self.terms.extract(wide.term, width - 1, 0) };
        }
        match wide.reading {
            Reading::Signed => self.terms.sign_extend(wide.term, width - own),
            Reading::Unsigned => self.terms.zero_extend(wide.term, width - own),
        }
    }

    fn choice(&mut self, condition: Term, a: &Wide, b: &Wide) -> Option<Done> {
        let range = a.range.hull(&b.range);
        let (reading, width) = shape(&range)?;
        let (a, b) = (self.extend(a, width), self.extend(b, width));
        Some(Done::Wide(Wide { term: self.terms.ite(condition, a, b), reading, range }))
    }

    fn compare(&mut self, fun: &Fun, a: &Wide, b: &Wide) -> Term {
        if let Some(value) = a.range.decides(fun, &b.range) {
            return self.terms.bool(value);
        }
        let (reading, width) = both(&a.range, &b.range);
        let (a, b) = (self.extend(a, width), self.extend(b, width));
        let fun = match (fun, reading) {
            (Fun::Lt, Reading::Signed) => Fun::BvSlt,
            (Fun::Lt, Reading::Unsigned) => Fun::BvUlt,
            (Fun::Le, Reading::Signed) => Fun::BvSle,
            (Fun::Le, Reading::Unsigned) => Fun::BvUle,
            (other, _) => other.clone(),
        };
        self.terms.app(fun, &[a, b])
    }

    fn arithmetic(&mut self, fun: &Fun, a: &Wide, b: &Wide) -> Option<Done> {
        let (range, fun) = match fun {
            Fun::Add => (a.range.add(&b.range), Fun::BvAdd),
            Fun::Sub => (a.range.sub(&b.range), Fun::BvSub),
            _ => (a.range.mul(&b.range), Fun::BvMul),
        };
        // Sums and products of congruent words are congruent, so only the result must fit.
        let (reading, width) = shape(&range)?;
        let (a, b) = (self.extend(a, width), self.extend(b, width));
        Some(Done::Wide(Wide { term: self.terms.app(fun, &[a, b]), reading, range }))
    }

    /// Euclid's division, of which bit-vectors have that which rounds towards zero and the
    /// remainder that follows the divisor's sign.
    fn division(&mut self, fun: &Fun, a: &Wide, b: &Wide) -> Option<Done> {
        let range = if *fun == Fun::IntDiv { a.range.div(&b.range) } else { a.range.rem(&b.range) };
        let (reading, fit) = shape(&range)?;
        if let Some(bits) = b.range.single().and_then(log2) {
            return Some(Done::Wide(Wide { term: self.by_power(fun, a, bits, &range, fit), reading, range }));
        }
        let width = a.range.signed_bits().max(b.range.signed_bits()).max(range.signed_bits()) + 1;
        if width > MOST_BITS {
            return None;
        }
        let (x, y) = (self.extend(a, width), self.extend(b, width));
        let zero = self.terms.bv(width, 0);
        let is_zero = self.terms.eq(y, zero);
        let size = if b.range.lo.is_negative() {
            let (negative, minus) = (self.terms.bvslt(y, zero), self.terms.app(Fun::BvNeg, &[y]));
            self.terms.ite(negative, minus, y)
        } else {
            y
        };
        let rest = self.terms.bvsmod(x, size);
        let term = if *fun == Fun::IntMod {
            self.terms.ite(is_zero, x, rest)
        } else {
            let multiple = self.terms.bvsub(x, rest);
            let quotient = self.terms.bvsdiv(multiple, y);
            self.terms.ite(is_zero, zero, quotient)
        };
        let made = Wide { term, reading: Reading::Signed, range: range.clone() };
        let term = self.extend(&made, fit);
        Some(Done::Wide(Wide { term, reading, range }))
    }

    /// Division by `2^bits`: the upper or the lower bits.
    fn by_power(&mut self, fun: &Fun, a: &Wide, bits: u32, range: &Interval, fit: u32) -> Term {
        let width = a.range.signed_bits().max(bits + 1).max(fit);
        let word = self.extend(a, width);
        let part = if *fun == Fun::IntDiv {
            Wide { term: self.terms.extract(word, width - 1, bits), reading: Reading::Signed, range: range.clone() }
        } else if bits == 0 {
            return self.terms.bv(fit, 0);
        } else {
            Wide { term: self.terms.extract(word, bits - 1, 0), reading: Reading::Unsigned, range: range.clone() }
        };
        self.extend(&part, fit)
    }
}

/// The exponent of a power of two.
fn log2(value: &BigInt) -> Option<u32> {
    let bits = u32::try_from(value.bits()).ok()?.checked_sub(1)?;
    (value.is_positive() && *value == BigInt::one() << bits && bits < MOST_BITS).then_some(bits)
}

/// The reading and the fewest bits for an interval, unless they are too many.
fn shape(range: &Interval) -> Option<(Reading, u32)> {
    let shape = match range.unsigned_bits() {
        Some(bits) => (Reading::Unsigned, bits),
        None => (Reading::Signed, range.signed_bits()),
    };
    (shape.1 <= MOST_BITS).then_some(shape)
}

/// The reading and the bits that hold both intervals.
fn both(a: &Interval, b: &Interval) -> (Reading, u32) {
    match (a.unsigned_bits(), b.unsigned_bits()) {
        (Some(a), Some(b)) => (Reading::Unsigned, a.max(b)),
        (Some(_) | None, Some(_) | None) => (Reading::Signed, a.signed_bits().max(b.signed_bits())),
    }
}
