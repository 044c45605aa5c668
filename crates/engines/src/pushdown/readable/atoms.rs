//! The atoms of readable formulas: what people say about one, two or three numbers.

use tamis_term::{Term, Terms};

/// What a word is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// A truth value.
    Flag,
    /// An unsigned number of so many bits, at most 64.
    Number(u32),
}

impl Kind {
    pub fn width(self) -> u32 {
        match self {
            Kind::Flag => 1,
            Kind::Number(width) => width,
        }
    }

    /// The largest value.
    pub fn max(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }
}

/// The values of all words.
pub(super) type Point = Vec<u64>;

/// A fact about words, which go by their position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// The flag is set.
    Set(usize),
    /// The flags are equal.
    Same(usize, usize),
    /// The number is the constant.
    Is(usize, u64),
    /// The number is at most the constant, which is not the largest one.
    AtMost(usize, u64),
    /// The number is odd.
    Odd(usize),
    /// The numbers are equal.
    Equal(usize, usize),
    /// The first number is smaller.
    Less(usize, usize),
    /// A sum.
    Sum(Sum),
}

/// The sum of the numbers on the left is the number on the right, if any, plus an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub left: Vec<usize>,
    pub right: Option<usize>,
    pub offset: i128,
    /// Whether sums that need another bit lose it; then all words have the same width.
    pub wraps: Option<u32>,
}

impl Sum {
    /// By how much the left side is larger than the right one, offset not counted.
    pub fn difference(&self, point: &Point) -> i128 {
        let left: i128 = self.left.iter().map(|word| i128::from(point[*word])).sum();
        let difference = left - self.right.map_or(0, |word| i128::from(point[word]));
        self.wraps.map_or(difference, |width| difference.rem_euclid(1 << width))
    }

    fn term(&self, terms: &mut Terms, kinds: &[Kind], words: &[Term]) -> Term {
        let offset = match self.wraps {
            // What adds nearly everything takes away a little.
            Some(width) if self.offset > 1 << (width - 1) => self.offset - (1 << width),
            _ => self.offset,
        };
        let right: Vec<usize> = self.right.into_iter().collect();
        let mut sides = [(&self.left, (-offset).max(0)), (&right, offset.max(0))];
        if sides[0].0.len() == 1 && sides[0].1 > 0 {
            // Sums come first, except that one number is told from another.
            sides.swap(0, 1);
        }
        // Wide enough for both.
        let most = |(words, more): &(&Vec<usize>, i128)| {
            words.iter().map(|word| i128::from(kinds[*word].max())).sum::<i128>() + more
        };
        let width = i128::BITS - sides.iter().map(most).max().unwrap_or(1).leading_zeros();
        let [left, right] = sides.map(|(slots, more)| {
            if let (Some(_), [slot], 0) = (self.wraps, slots.as_slice(), more) {
                return words[*slot];
            }
            let extended = slots.iter().map(|slot| terms.zero_extend(words[*slot], width - kinds[*slot].width()));
            let mut parts: Vec<Term> = extended.collect();
            if more > 0 || parts.is_empty() {
                parts.push(terms.bv(width, u64::try_from(more).unwrap_or_default()));
            }
            let first = parts.remove(0);
            let sum = parts.into_iter().fold(first, |sum, part| terms.bvadd(sum, part));
            self.wraps.map_or(sum, |kept| terms.extract(sum, kept - 1, 0))
        });
        terms.eq(left, right)
    }
}

impl Atom {
    /// How hard it is to read.
    pub fn cost(&self) -> u64 {
        match self {
            Atom::Set(_) => 2,
            Atom::Is(..) | Atom::AtMost(..) | Atom::Odd(_) => 4,
            Atom::Same(..) | Atom::Equal(..) | Atom::Less(..) => 5,
            Atom::Sum(sum) => {
                let extras = [sum.left.len() > 1, sum.right.is_some(), sum.offset != 0, sum.wraps.is_some()];
                3 + 2 * extras.into_iter().map(u64::from).sum::<u64>()
            }
        }
    }

    /// The first word that it is about.
    pub fn first(&self) -> usize {
        match self {
            Atom::Set(word) | Atom::Is(word, _) | Atom::AtMost(word, _) | Atom::Odd(word) => *word,
            Atom::Same(a, b) | Atom::Equal(a, b) | Atom::Less(a, b) => *a.min(b),
            Atom::Sum(sum) => sum.left.iter().chain(&sum.right).copied().min().unwrap_or_default(),
        }
    }

    /// Whether it holds at the point.
    pub fn holds(&self, point: &Point) -> bool {
        match self {
            Atom::Set(word) => point[*word] == 1,
            Atom::Same(a, b) | Atom::Equal(a, b) => point[*a] == point[*b],
            Atom::Is(word, value) => point[*word] == *value,
            Atom::AtMost(word, value) => point[*word] <= *value,
            Atom::Odd(word) => point[*word] & 1 == 1,
            Atom::Less(a, b) => point[*a] < point[*b],
            Atom::Sum(sum) => sum.difference(point) == sum.offset,
        }
    }

    fn term(&self, terms: &mut Terms, kinds: &[Kind], words: &[Term], positive: bool) -> Term {
        let widened = |terms: &mut Terms, a: usize, b: usize| {
            let width = kinds[a].width().max(kinds[b].width());
            [a, b].map(|word| terms.zero_extend(words[word], width - kinds[word].width()))
        };
        let fact = match self {
            Atom::Set(word) => words[*word],
            Atom::Same(a, b) => terms.eq(words[*a], words[*b]),
            Atom::Is(word, value) => {
                let value = terms.bv(kinds[*word].width(), *value);
                terms.eq(words[*word], value)
            }
            Atom::AtMost(word, value) => {
                // What is not at most two is at least three.
                let (word, width) = (words[*word], kinds[*word].width());
                let bound = terms.bv(width, if positive { *value } else { *value + 1 });
                return if positive { terms.bvule(word, bound) } else { terms.bvule(bound, word) };
            }
            Atom::Odd(word) => {
                let (bit, one) = (terms.extract(words[*word], 0, 0), terms.bv(1, 1));
                terms.eq(bit, one)
            }
            Atom::Equal(a, b) => {
                let [a, b] = widened(terms, *a, *b);
                terms.eq(a, b)
            }
            Atom::Less(a, b) => {
                let [a, b] = widened(terms, *a, *b);
                return if positive { terms.bvult(a, b) } else { terms.bvule(b, a) };
            }
            Atom::Sum(sum) => sum.term(terms, kinds, words),
        };
        if positive { fact } else { terms.not(fact) }
    }
}

/// An atom or its negation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub atom: Atom,
    pub positive: bool,
}

impl Literal {
    pub fn holds(&self, point: &Point) -> bool {
        self.atom.holds(point) == self.positive
    }

    pub fn term(&self, terms: &mut Terms, kinds: &[Kind], words: &[Term]) -> Term {
        self.atom.term(terms, kinds, words, self.positive)
    }

    fn negation(&self) -> Literal {
        Literal { atom: self.atom.clone(), positive: !self.positive }
    }
}

/// Where some literal of each clause holds; or, turned, where all of some clause do.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub clauses: Vec<Vec<Literal>>,
    pub turned: bool,
}

impl Shape {
    /// Its negation.
    pub fn negation(&self) -> Shape {
        let clauses = self.clauses.iter().map(|clause| clause.iter().map(Literal::negation).collect()).collect();
        Shape { clauses, turned: !self.turned }
    }

    /// How hard it is to read.
    pub fn cost(&self) -> u64 {
        self.clauses.iter().flatten().map(|literal| literal.atom.cost()).sum()
    }

    /// The formula about these words.
    pub fn term(&self, terms: &mut Terms, kinds: &[Kind], words: &[Term]) -> Term {
        let mut parts = Vec::with_capacity(self.clauses.len());
        for clause in &self.clauses {
            let literals: Vec<Term> = clause.iter().map(|literal| literal.term(terms, kinds, words)).collect();
            parts.push(if self.turned { terms.and(&literals) } else { terms.or(&literals) });
        }
        if self.turned { terms.or(&parts) } else { terms.and(&parts) }
    }
}
