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
use super::masks;
use super::ranges::State;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use tamis_term::walk::post_order;
use tamis_term::{ArraySort, ArrayValue, BitVec, Fun, Node, Sort, Term, Terms, Value};

/// An integer term that is congruent to a word.
#[derive(Clone, Debug)]
struct Word {
    term: Term,
    width: u32,
    range: Interval,
    /// How the source reads it; constants and extensions fit both.
    reading: Option<Reading>,
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
    mode: Mode,
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

    fn int(&mut self, value: &BigInt) -> Term {
        self.terms.constant(Value::int(value.clone()))
    }

    fn constant(&mut self, value: &BigInt, width: u32) -> Word {
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
    fn read(&mut self, word: &Word, reading: Reading) -> Word {
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

    fn extended(&mut self, a: &Word, reading: Reading, by: u32) -> Word {
        if by == 0 { a.clone() } else { Word { reading: Some(reading), ..self.read(a, reading) } }
    }

    fn sum(&mut self, a: &Word, b: &Word) -> Word {
        let term = self.terms.add(a.term, b.term);
        Word { term, width: a.width, range: a.range.add(&b.range), reading: join(a.reading, b.reading) }
    }

    fn sub(&mut self, a: &Word, b: &Word) -> Word {
        let term = self.terms.sub(a.term, b.term);
        Word { term, width: a.width, range: a.range.sub(&b.range), reading: join(a.reading, b.reading) }
    }

    fn product(&mut self, a: &Word, b: &Word) -> Word {
        let term = self.terms.mul(a.term, b.term);
        Word { term, width: a.width, range: a.range.mul(&b.range), reading: join(a.reading, b.reading) }
    }

    /// Sums, differences and products, which may be assumed to stay in the range.
    fn arithmetic(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let ideal = self.mode == Mode::Ideal && join(a.reading, b.reading) == Some(Reading::Signed);
        let (a, b) =
            if ideal { (self.read(a, Reading::Signed), self.read(b, Reading::Signed)) } else { (a.clone(), b.clone()) };
        let result = match fun {
            Fun::BvAdd => self.sum(&a, &b),
            Fun::BvSub => self.sub(&a, &b),
            _ => self.product(&a, &b),
        };
        if !ideal {
            return result;
        }
        let range = result.range.clamp(&Interval::signed(result.width));
        Word { range, reading: Some(Reading::Signed), ..result }
    }

    /// The word without its lowest bits, rounded down: congruent modulo `2^(width - by)`.
    fn shifted(&mut self, a: &Word, by: u32) -> Word {
        if by == 0 {
            return a.clone();
        }
        let divisor = power(by);
        let range = a.range.div(&Interval::point(&divisor));
        let divisor = self.int(&divisor);
        Word { term: self.terms.int_div(a.term, divisor), range, ..a.clone() }
    }

    fn shift_right(&mut self, a: &Word, distance: &Word, reading: Reading) -> Word {
        let a = self.read(a, reading);
        let by = match (shift(distance), reading) {
            (Some(by), _) => by,
            (None, Reading::Signed) => a.width - 1,
            (None, Reading::Unsigned) => a.width,
        };
        self.shifted(&a, by)
    }

    /// The lowest bits, as a number.
    fn low(&mut self, a: &Word, bits: u32) -> Word {
        let low = self.read(&Word { width: bits, ..a.clone() }, Reading::Unsigned);
        Word { width: a.width, reading: None, ..low }
    }

    fn bitwise(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let width = a.width;
        let (a, b) = if a.range.single().is_some() { (b, a) } else { (a, b) };
        match b.range.single().map(|value| BitVec::from_int(width, value)) {
            Some(mask) if masks::is_simple(&mask) => self.masked(fun, a, &mask),
            Some(_) | None => self.bits(fun, a, b),
        }
    }

    /// A bitwise function with a constant. Where the word is in the range of a reading and the
    /// constant is read in the same way, so is the result.
    fn masked(&mut self, fun: &Fun, a: &Word, mask: &BitVec) -> Word {
        let fits = |reading: Reading| a.range.within(&reading.range(a.width)).then_some(reading);
        let reading = match a.reading {
            Some(Reading::Unsigned) => fits(Reading::Unsigned),
            Some(Reading::Signed) | None => fits(Reading::Signed).or_else(|| fits(Reading::Unsigned)),
        };
        let number = reading.unwrap_or(Reading::Unsigned).number(mask);
        let number = self.constant(&number, a.width);
        let mut result = match fun {
            Fun::BvAnd => return self.and_mask(a, mask),
            Fun::BvOr => {
                let others = self.and_mask(a, &mask.not());
                self.sum(&others, &number)
            }
            // What is set in both counts twice in the sum.
            _ => {
                let (sum, both) = (self.sum(a, &number), self.and_mask(a, mask));
                let two = self.constant(&BigInt::from(2), a.width);
                let twice = self.product(&both, &two);
                self.sub(&sum, &twice)
            }
        };
        if let Some(reading) = reading {
            result.range = result.range.clamp(&reading.range(a.width));
        }
        Word { reading: a.reading, ..result }
    }

    /// The bits where the mask is one: of each run, what is below its end without what is below
    /// its start.
    fn and_mask(&mut self, a: &Word, mask: &BitVec) -> Word {
        let mut result = self.constant(&BigInt::zero(), a.width);
        for (start, end) in masks::runs(mask) {
            let upper = if end == a.width { a.clone() } else { self.low(a, end) };
            let part = if start == 0 {
                upper
            } else {
                let lower = self.low(&upper, start);
                let step = power(start);
                let down = |value: &BigInt| value.div_floor(&step) * &step;
                let range = Interval::new(down(&upper.range.lo), down(&upper.range.hi));
                Word { range, reading: upper.reading, ..self.sub(&upper, &lower) }
            };
            result = self.sum(&result, &part);
        }
        result
    }

    /// A bitwise function of words that are zero or one.
    fn bits(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let (a, b) = (self.read(a, Reading::Unsigned), self.read(b, Reading::Unsigned));
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        let is_zero = self.terms.eq(a.term, zero);
        let term = match fun {
            Fun::BvAnd => self.terms.ite(is_zero, zero, b.term),
            Fun::BvOr => self.terms.ite(is_zero, b.term, one),
            _ => {
                let not = self.terms.sub(one, b.term);
                self.terms.ite(is_zero, b.term, not)
            }
        };
        Word { term, width: a.width, range: Interval::new(0, 1), reading: None }
    }

    fn unsigned_division(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let (a, b) = (self.read(a, Reading::Unsigned), self.read(b, Reading::Unsigned));
        let (width, reading) = (a.width, Some(Reading::Unsigned));
        let whole = Reading::Unsigned.range(width);
        if *fun == Fun::BvUrem {
            let rest = self.terms.int_mod(a.term, b.term);
            let term = self.unless_zero(&b, rest, a.term);
            return Word { term, width, range: a.range.rem(&b.range), reading };
        }
        let quotient = self.terms.int_div(a.term, b.term);
        let most = self.int(&whole.hi);
        let term = self.unless_zero(&b, quotient, most);
        let by_zero = b.range.contains(&BigInt::zero());
        Word { term, width, range: if by_zero { whole } else { a.range.div(&b.range) }, reading }
    }

    /// `value`, or `instead` where the divisor is zero.
    fn unless_zero(&mut self, divisor: &Word, value: Term, instead: Term) -> Term {
        if !divisor.range.contains(&BigInt::zero()) {
            return value;
        }
        let zero = self.terms.int(0);
        let is_zero = self.terms.eq(divisor.term, zero);
        self.terms.ite(is_zero, instead, value)
    }

    /// Division that rounds towards zero, and the remainders that go with it or with rounding
    /// down. Euclid's division, which integers have, agrees with the first where the dividend is
    /// not negative.
    fn signed_division(&mut self, fun: &Fun, a: &Word, b: &Word) -> Word {
        let (a, b) = (self.read(a, Reading::Signed), self.read(b, Reading::Signed));
        let (width, reading) = (a.width, Some(Reading::Signed));
        let zero = self.terms.int(0);
        let minus = self.terms.sub(zero, a.term);
        let negative = match (a.range.hi < BigInt::zero(), a.range.lo < BigInt::zero()) {
            (true, _) => self.terms.bool(true),
            (false, true) => self.terms.lt(a.term, zero),
            (false, false) => self.terms.bool(false),
        };
        let whole = a.range.hull(&a.range.neg());
        match fun {
            Fun::BvSdiv => {
                let (up, down) = (self.terms.int_div(a.term, b.term), self.terms.int_div(minus, b.term));
                let down = self.terms.sub(zero, down);
                let quotient = self.terms.ite(negative, down, up);
                let (one, minus_one) = (self.terms.int(1), self.terms.int(-1));
                let by_zero = self.terms.ite(negative, one, minus_one);
                let term = self.unless_zero(&b, quotient, by_zero);
                let mut range = whole.hull(&Interval::new(-1, 1));
                if self.mode == Mode::Ideal {
                    range = range.clamp(&Interval::signed(width));
                }
                Word { term, width, range, reading }
            }
            Fun::BvSrem => {
                let (up, down) = (self.terms.int_mod(a.term, b.term), self.terms.int_mod(minus, b.term));
                let down = self.terms.sub(zero, down);
                let rest = self.terms.ite(negative, down, up);
                let term = self.unless_zero(&b, rest, a.term);
                let most = b.range.lo.clone().magnitude().max(b.range.hi.magnitude()).clone();
                let rests = Interval::new(-BigInt::from(most.clone()), BigInt::from(most));
                let by_zero = b.range.contains(&BigInt::zero());
                let range = if by_zero { a.range.hull(&Interval::point(&BigInt::zero())) } else { rests.clamp(&whole) };
                Word { term, width, range, reading }
            }
            _ => {
                let rest = self.terms.int_mod(a.term, b.term);
                let (is_zero, upwards) = (self.terms.eq(rest, zero), self.terms.le(zero, b.term));
                let sum = self.terms.add(rest, b.term);
                let keep = self.terms.or(&[is_zero, upwards]);
                let rest = self.terms.ite(keep, rest, sum);
                let term = self.unless_zero(&b, rest, a.term);
                Word { term, width, range: Interval::signed(width), reading }
            }
        }
    }
}

/// The reading of a function of two words, as C has it: unsigned wins.
fn join(a: Option<Reading>, b: Option<Reading>) -> Option<Reading> {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(Reading::Signed), Some(Reading::Signed)) => Some(Reading::Signed),
        (Some(_), Some(_)) => Some(Reading::Unsigned),
    }
}

/// The distance of a shift by a constant, unless it reaches the width.
fn shift(distance: &Word) -> Option<u32> {
    let value = distance.range.single()?.mod_floor(&power(distance.width));
    u32::try_from(value).ok().filter(|by| *by < distance.width)
}
