//! Terms over words as terms over integers.
//!
//! A word of width `w` becomes an integer term that equals it *modulo 2^w*, with an interval
//! around its values. Sums, products, low bits and choices keep that congruence, so they need
//! no wrap-around. Only what reads a word as a number (a comparison, a division, an extension,
//! a variable) brings the term into the range of a reading: not at all where the interval is in
//! the range, by a case distinction where it leaves the range by one turn at most, and by `mod`
//! otherwise.
//!
//! An array of words becomes an array of integers: the index is the word as a number that is not
//! negative, and elements are in the range of their reading. Of an array with arbitrary elements
//! that has to be assumed wherever one is read.
//!
//! In [`Mode::Ideal`] sums, differences and products of signed numbers are assumed to stay in
//! the range: there the interval is cut, and no wrap-around follows.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "each function here is for a few symbols, which its caller tells apart"
)]

use super::Mode;
use super::choice::{Choice, Reading, of_integers, words};
use super::interval::{Interval, power};
use super::operations::shift;
use super::ranges::State;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tamis_term::walk::post_order;
use tamis_term::{ArraySort, ArrayValue, Fun, Node, Sort, Term, Terms, Value};

/// An integer term that is congruent to a word.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) term: Term,
    pub(super) width: u32,
    pub(super) range: Interval,
    /// How the source reads it; constants and extensions fit both.
    pub(super) reading: Option<Reading>,
}

/// What became of a term.
#[derive(Clone, Debug)]
enum Done {
    /// A term of the same sort.
    Plain(Term),
    /// An integer.
    Word(Word),
    /// An array of integers.
    Table(Term),
}

/// Translates terms and keeps what it did.
pub(super) struct Forward<'t> {
    pub(super) terms: &'t mut Terms,
    choice: Choice,
    pub(super) mode: Mode,
    /// What is known of words, in their readings, where the terms are evaluated.
    ranges: State,
    done: FxHashMap<Term, Done>,
    /// The elements that were read, and their ranges.
    reads: FxHashMap<Term, Interval>,
}

impl<'t> Forward<'t> {
    pub(super) fn new(terms: &'t mut Terms, choice: Choice, mode: Mode) -> Forward<'t> {
        Forward { terms, choice, mode, ranges: State::new(), done: FxHashMap::default(), reads: FxHashMap::default() }
    }

    pub(super) fn choice(&self) -> &Choice {
        &self.choice
    }

    pub(super) fn into_choice(self) -> Choice {
        self.choice
    }

    /// Terms are evaluated where these intervals hold.
    pub(super) fn set_ranges(&mut self, ranges: &State) {
        if self.ranges != *ranges {
            self.ranges.clone_from(ranges);
            self.done.clear();
        }
    }

    /// Overflow is treated in this way.
    pub(super) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.done.clear();
    }

    /// The interval around the numbers that a reading makes of a word.
    pub(super) fn range(&mut self, root: Term, reading: Reading) -> Interval {
        self.translate(root);
        let word = self.word_of(root);
        self.read(&word, reading).range
    }

    /// Whether a term becomes a number and is not constant.
    pub(super) fn has_number(&mut self, term: Term) -> bool {
        self.is_word(term)
    }

    /// The reading in which two words are compared for equality.
    pub(super) fn common_reading(&mut self, a: Term, b: Term) -> Reading {
        self.translate(a);
        self.translate(b);
        Forward::common(&self.word_of(a), &self.word_of(b))
    }

    /// A term whose sort stays.
    pub(super) fn plain(&mut self, root: Term) -> Term {
        self.translate(root);
        self.plain_of(root)
    }

    /// A word as the number that a reading makes of it.
    pub(super) fn number(&mut self, root: Term, reading: Reading) -> Term {
        self.translate(root);
        let word = self.word_of(root);
        self.read(&word, reading).term
    }

    /// An array of words as an array of integers.
    pub(super) fn table(&mut self, root: Term) -> Term {
        self.translate(root);
        self.table_of(root)
    }

    /// That the elements which these terms read are in their ranges.
    pub(super) fn reads(&mut self, roots: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        for term in post_order(self.terms, roots) {
            let Some(range) = self.reads.get(&term).cloned() else { continue };
            let (lo, hi) = (self.int(&range.lo), self.int(&range.hi));
            facts.extend([self.terms.le(lo, term), self.terms.le(term, hi)]);
        }
        facts
    }

    fn translate(&mut self, root: Term) {
        if self.done.contains_key(&root) {
            return;
        }
        for term in post_order(self.terms, &[root]) {
            if !self.done.contains_key(&term) {
                let done = self.step(term);
                self.done.insert(term, done);
            }
        }
    }

    fn plain_of(&self, term: Term) -> Term {
        match self.done.get(&term) {
            Some(Done::Plain(plain)) => *plain,
            // Only constants are asked for in both forms.
            Some(Done::Word(_) | Done::Table(_)) | None => term,
        }
    }

    fn table_of(&mut self, term: Term) -> Term {
        if let Some(Done::Table(table)) = self.done.get(&term) {
            return *table;
        }
        let Some(Value::Array(array)) = self.terms.value(term).cloned() else {
            unreachable!("groups hold arrays of one form, apart from constants")
        };
        let reading = self.choice.element(array.sort());
        let number = |word: &Value, reading: Reading| Value::int(reading.number(word.as_bv()));
        let cells = array.cells().map(|(index, element)| (number(index, Reading::Unsigned), number(element, reading)));
        let sort = Arc::new(ArraySort { index: Sort::Int, element: Sort::Int });
        let table = ArrayValue::from_cells(sort, number(array.default(), reading), cells);
        self.terms.constant(Value::Array(Box::new(table)))
    }

    fn word_of(&mut self, term: Term) -> Word {
        if let Some(Done::Word(word)) = self.done.get(&term) {
            return word.clone();
        }
        let Some(Value::BitVec(value)) = self.terms.value(term) else {
            unreachable!("groups hold words of one form, apart from constants")
        };
        let (number, width) = (value.to_signed(), value.width());
        self.constant(&number, width)
    }

    pub(super) fn int(&mut self, value: &BigInt) -> Term {
        self.terms.constant(Value::int(value.clone()))
    }

    pub(super) fn constant(&mut self, value: &BigInt, width: u32) -> Word {
        Word { term: self.int(value), width, range: Interval::point(value), reading: None }
    }

    fn is_word(&mut self, term: Term) -> bool {
        let is_word = matches!(self.terms.sort(term), Sort::BitVec(_)) && self.terms.value(term).is_none();
        is_word && !self.choice.stays(term)
    }

    fn is_table(&mut self, term: Term) -> bool {
        let is_table = words(self.terms.sort(term)).is_some() && self.terms.value(term).is_none();
        is_table && !self.choice.stays(term)
    }

    fn step(&mut self, term: Term) -> Done {
        let (fun, args) = match self.terms.node(term).clone() {
            Node::Const(_) => return Done::Plain(term),
            Node::Var(var) => {
                return match self.choice.stands.get(&var).copied() {
                    Some(stand) => Done::Word(Word {
                        term: self.terms.var(stand.int),
                        width: stand.width,
                        range: self.ranges.get(&var).cloned().unwrap_or(stand.range()),
                        reading: Some(stand.reading),
                    }),
                    None => match self.choice.tables.get(&var).copied() {
                        Some(table) => Done::Table(self.terms.var(table)),
                        None => Done::Plain(term),
                    },
                };
            }
            Node::App(fun, args) => (fun, args),
        };
        if self.is_table(term) {
            return Done::Table(self.array(term, &fun, &args));
        }
        if self.is_word(term) {
            let word = self.word(term, &fun, &args);
            return Done::Word(self.modest(word));
        }
        if args.iter().any(|arg| self.is_word(*arg)) {
            return Done::Plain(self.observation(&fun, &args));
        }
        let new: Vec<Term> = args.iter().map(|arg| self.plain_of(*arg)).collect();
        Done::Plain(if new.as_slice() == args.as_slice() { term } else { self.terms.app(fun, &new) })
    }

    /// A function of words that is no word.
    fn observation(&mut self, fun: &Fun, args: &[Term]) -> Term {
        let words: Vec<Word> = args.iter().map(|arg| self.word_of(*arg)).collect();
        match fun {
            Fun::BvUlt => self.compare(&Fun::Lt, &words, Reading::Unsigned),
            Fun::BvUle => self.compare(&Fun::Le, &words, Reading::Unsigned),
            Fun::BvSlt => self.compare(&Fun::Lt, &words, Reading::Signed),
            Fun::BvSle => self.compare(&Fun::Le, &words, Reading::Signed),
            Fun::Eq => {
                let reading = Forward::common(&words[0], &words[1]);
                self.compare(&Fun::Eq, &words, reading)
            }
            Fun::UbvToInt => self.read(&words[0], Reading::Unsigned).term,
            Fun::SbvToInt => self.read(&words[0], Reading::Signed).term,
            _ => unreachable!("{fun} is applied to words that have no reading"),
        }
    }

    fn compare(&mut self, fun: &Fun, words: &[Word], reading: Reading) -> Term {
        let (a, b) = (self.read(&words[0], reading), self.read(&words[1], reading));
        match a.range.decides(fun, &b.range) {
            Some(value) => self.terms.bool(value),
            None => self.terms.app(fun.clone(), &[a.term, b.term]),
        }
    }

    /// The reading in which two words are compared for equality: one that costs nothing, or the
    /// one of the source.
    fn common(a: &Word, b: &Word) -> Reading {
        let free = |word: &Word, reading: Reading| {
            word.range.single().is_some() || word.range.within(&reading.range(word.width))
        };
        for reading in [Reading::Signed, Reading::Unsigned] {
            if free(a, reading) && free(b, reading) {
                return reading;
            }
        }
        join(a.reading, b.reading).unwrap_or(Reading::Unsigned)
    }

    /// The number that a reading makes of a word.
    pub(super) fn read(&mut self, word: &Word, reading: Reading) -> Word {
        let range = reading.range(word.width);
        if word.range.within(&range) {
            return word.clone();
        }
        let turn = power(word.width);
        if let Some(value) = word.range.single() {
            let value = (value - &range.lo).mod_floor(&turn) + &range.lo;
            return Word { reading: word.reading, ..self.constant(&value, word.width) };
        }
        let term = if &word.range.lo + &turn >= range.lo && &word.range.hi - &turn <= range.hi {
            self.turn_once(word, &range, &turn)
        } else {
            let (low, turn) = (self.int(&range.lo), self.int(&turn));
            let shifted = self.terms.sub(word.term, low);
            let rest = self.terms.int_mod(shifted, turn);
            self.terms.add(rest, low)
        };
        Word { term, range, reading: Some(reading), width: word.width }
    }

    /// Wrap-around by one turn in either direction, where it can happen.
    fn turn_once(&mut self, word: &Word, range: &Interval, turn: &BigInt) -> Term {
        let by = self.int(turn);
        let mut result = word.term;
        if word.range.hi > range.hi {
            let (most, less) = (self.int(&range.hi), self.terms.sub(word.term, by));
            let fits = self.terms.le(word.term, most);
            result = self.terms.ite(fits, result, less);
        }
        if word.range.lo < range.lo {
            let (least, more) = (self.int(&range.lo), self.terms.add(word.term, by));
            let fits = self.terms.le(least, word.term);
            result = self.terms.ite(fits, result, more);
        }
        result
    }

    /// A word whose term is not much wider than itself.
    fn modest(&mut self, word: Word) -> Word {
        let limit = word.width.saturating_mul(3).saturating_add(8);
        if word.range.signed_bits() <= limit {
            return word;
        }
        let reading = word.reading.unwrap_or(Reading::Unsigned);
        self.read(&word, reading)
    }

    /// A function whose value is a word.
    fn word(&mut self, term: Term, fun: &Fun, args: &[Term]) -> Word {
        let width = self.terms.width(term);
        if *fun == Fun::Ite {
            let condition = self.plain_of(args[0]);
            let (then, otherwise) = (self.word_of(args[1]), self.word_of(args[2]));
            let reading = join(then.reading, otherwise.reading);
            let term = self.terms.ite(condition, then.term, otherwise.term);
            return Word { term, width, range: then.range.hull(&otherwise.range), reading };
        }
        if *fun == Fun::Select {
            return self.element(args[0], args[1], width);
        }
        let words: Vec<Word> = args.iter().map(|arg| self.word_of(*arg)).collect();
        match (fun, words.as_slice()) {
            (Fun::BvAdd | Fun::BvSub | Fun::BvMul, [a, b]) => self.arithmetic(fun, a, b),
            (Fun::BvNeg, [a]) => {
                let zero = self.constant(&BigInt::zero(), width);
                self.arithmetic(&Fun::BvSub, &zero, a)
            }
            (Fun::BvNot, [a]) => {
                let ones = self.constant(&-BigInt::one(), width);
                self.sub(&ones, a)
            }
            (Fun::BvShl, [a, distance]) => match shift(distance) {
                Some(by) => {
                    let factor = self.constant(&power(by), width);
                    self.arithmetic(&Fun::BvMul, a, &factor)
                }
                None => self.constant(&BigInt::zero(), width),
            },
            (Fun::BvLshr, [a, distance]) => self.shift_right(a, distance, Reading::Unsigned),
            (Fun::BvAshr, [a, distance]) => self.shift_right(a, distance, Reading::Signed),
            (Fun::BvAnd | Fun::BvOr | Fun::BvXor, [a, b]) => self.bitwise(fun, a, b),
            (Fun::BvUdiv | Fun::BvUrem, [a, b]) => self.unsigned_division(fun, a, b),
            (Fun::BvSdiv | Fun::BvSrem | Fun::BvSmod, [a, b]) => self.signed_division(fun, a, b),
            (Fun::Concat, [high, low]) => {
                let low = self.read(low, Reading::Unsigned);
                let factor = self.constant(&power(low.width), width);
                let high = Word { width, ..high.clone() };
                let high = self.product(&high, &factor);
                Word { reading: None, ..self.sum(&high, &low) }
            }
            (Fun::Extract { low, .. }, [a]) => {
                let shifted = self.shifted(a, *low);
                Word { width, ..shifted }
            }
            (Fun::ZeroExtend(by), [a]) => Word { width, reading: None, ..self.extended(a, Reading::Unsigned, *by) },
            (Fun::SignExtend(by), [a]) => Word { width, ..self.extended(a, Reading::Signed, *by) },
            _ => unreachable!("{fun} makes no word that has a reading"),
        }
    }

    /// An element of an array.
    fn element(&mut self, array: Term, index: Term, width: u32) -> Word {
        let reading = words(self.terms.sort(array)).map_or(Reading::Unsigned, |(sort, ..)| self.choice.element(sort));
        let (table, index) = (self.table_of(array), self.word_of(index));
        let index = self.read(&index, Reading::Unsigned);
        let (term, range) = (self.terms.select(table, index.term), reading.range(width));
        if matches!(self.terms.node(term), Node::App(Fun::Select, _)) {
            self.reads.insert(term, range.clone());
        }
        Word { term, width, range, reading: Some(reading) }
    }

    /// A function whose value is an array of words.
    fn array(&mut self, term: Term, fun: &Fun, args: &[Term]) -> Term {
        let reading = words(self.terms.sort(term)).map_or(Reading::Unsigned, |(sort, ..)| self.choice.element(sort));
        match (fun, args) {
            (Fun::Ite, [condition, then, otherwise]) => {
                let condition = self.plain_of(*condition);
                let (then, otherwise) = (self.table_of(*then), self.table_of(*otherwise));
                self.terms.ite(condition, then, otherwise)
            }
            (Fun::Store, [array, index, element]) => {
                let (table, index, element) = (self.table_of(*array), self.word_of(*index), self.word_of(*element));
                let (index, element) = (self.read(&index, Reading::Unsigned), self.read(&element, reading));
                self.terms.store(table, index.term, element.term)
            }
            (Fun::ConstArray(_), [element]) => {
                let element = self.word_of(*element);
                let element = self.read(&element, reading);
                self.terms.const_array(&of_integers(), element.term)
            }
            _ => unreachable!("{fun} makes no array that has a reading"),
        }
    }
}

/// The reading of a function of two words, as C has it: unsigned wins.
pub(super) fn join(a: Option<Reading>, b: Option<Reading>) -> Option<Reading> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(Reading::Signed), Some(Reading::Signed)) => Some(Reading::Signed),
        (Some(_), Some(_)) => Some(Reading::Unsigned),
    }
}
