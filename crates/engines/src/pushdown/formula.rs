//! Diagrams as formulas.

use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Bit, Manager};
use tamis_term::{Sort, Term, Terms};

/// What the bits of diagrams stand for: each is a Boolean term, and a bit of a word.
#[derive(Default)]
pub(super) struct Names {
    bits: FxHashMap<Bit, Name>,
    words: Vec<Term>,
}

/// What one bit stands for.
#[derive(Clone, Copy)]
struct Name {
    truth: Term,
    word: usize,
    at: u32,
}

impl Names {
    /// The bits, least significant first, stand for those of the term; arrays cell by cell.
    pub fn add(&mut self, terms: &mut Terms, term: Term, bits: &[Bit]) {
        match terms.sort(term).clone() {
            Sort::Bool => {
                let name = Name { truth: term, word: self.words.len(), at: 0 };
                self.bits.extend(bits.first().map(|bit| (*bit, name)));
                self.words.push(term);
            }
            Sort::BitVec(width) => {
                let (word, one) = (self.words.len(), terms.bv(1, 1));
                for (at, bit) in (0..width).zip(bits) {
                    let extracted = terms.extract(term, at, at);
                    let truth = terms.eq(extracted, one);
                    self.bits.insert(*bit, Name { truth, word, at });
                }
                self.words.push(term);
            }
            Sort::Array(array) => {
                let size = array.element.bits().and_then(|bits| usize::try_from(bits).ok());
                let cells = bits.chunks(size.unwrap_or(usize::MAX).max(1));
                for (index, cell_bits) in tamis_term::value::values(&array.index).zip(cells) {
                    let index = terms.constant(index);
                    let cell = terms.select(term, index);
                    self.add(terms, cell, cell_bits);
                }
            }
            Sort::Int | Sort::Real => unreachable!("diagrams are about finite sorts"),
        }
    }

    /// The Boolean term that a bit stands for.
    pub fn truth(&self, bit: Bit) -> Term {
        self.bits[&bit].truth
    }

    /// The word that a bit belongs to, by number, and its position there.
    pub fn place(&self, bit: Bit) -> (usize, u32) {
        let Name { word, at, .. } = self.bits[&bit];
        (word, at)
    }

    /// A word by its number: a term that is Boolean or a bit-vector.
    pub fn word(&self, number: usize) -> Term {
        self.words[number]
    }
}

/// The formula of a diagram: one conditional per node, shared as the nodes are.
#[allow(clippy::mutable_key_type, reason = "what changes in a handle does not tell it from others")]
pub(super) fn formula(m: &Manager, terms: &mut Terms, names: &Names, f: &Bdd, memo: &mut FxHashMap<Bdd, Term>) -> Term {
    let mut open = vec![f.clone()];
    while let Some(g) = open.last().cloned() {
        if memo.contains_key(&g) {
            open.pop();
            continue;
        }
        let Some((bit, high, low)) = m.children(&g) else {
            let truth = terms.bool(g.is_true());
            memo.insert(g, truth);
            continue;
        };
        match (memo.get(&high).copied(), memo.get(&low).copied()) {
            (Some(high), Some(low)) => {
                let node = terms.ite(names.truth(bit), high, low);
                memo.insert(g, node);
            }
            (known, _) => open.push(if known.is_none() { high } else { low }),
        }
    }
    memo[f]
}
