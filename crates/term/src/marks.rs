//! Sets and maps of terms that are plain arrays where the terms lie close together, and
//! hash tables where they are a few among many.

use crate::terms::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::{Index, IndexMut};

/// A set of terms that grows.
pub(crate) enum TermSet {
    Few(FxHashSet<Term>),
    /// A bit for each term of the arena up to the largest.
    Many(Vec<u64>),
}

/// A set this small stays a hash table.
const FEW: usize = 256;
/// Clearing a bit for this many terms costs about as much as one entry of a hash table.
const BITS_PER_ENTRY: usize = 2048;

impl TermSet {
    pub(crate) fn new() -> TermSet {
        TermSet::Few(FxHashSet::default())
    }

    /// Adds the term, which is not larger than `largest`; returns whether it is new.
    pub(crate) fn insert(&mut self, term: Term, largest: Term) -> bool {
        match self {
            TermSet::Few(few) => {
                let new = few.insert(term);
                if few.len() > FEW && few.len().saturating_mul(BITS_PER_ENTRY) > largest.index() {
                    let mut bits = vec![0; largest.index() / 64 + 1];
                    // The order does not matter: all of them are set.
                    #[expect(clippy::iter_over_hash_type, reason = "setting bits commutes")]
                    for term in few.iter() {
                        bits[term.index() / 64] |= 1 << (term.index() % 64);
                    }
                    *self = TermSet::Many(bits);
                }
                new
            }
            TermSet::Many(bits) => {
                let (word, bit) = (&mut bits[term.index() / 64], 1 << (term.index() % 64));
                let new = *word & bit == 0;
                *word |= bit;
                new
            }
        }
    }
}

/// A map from each of some terms, known beforehand, to a value.
pub(crate) enum TermMap<T> {
    Sparse(FxHashMap<Term, T>),
    /// Values of all terms from the first on.
    Dense(usize, Vec<T>),
}

/// A dense map may be this many times longer than the number of its terms.
const SLACK: usize = 16;

impl<T: Clone> TermMap<T> {
    /// A map from `terms`, which are in increasing order, to `value`.
    pub(crate) fn new(terms: &[Term], value: &T) -> TermMap<T> {
        let (Some(first), Some(last)) = (terms.first(), terms.last()) else { return TermMap::Dense(0, Vec::new()) };
        let span = last.index() - first.index() + 1;
        if span <= terms.len().saturating_mul(SLACK) {
            TermMap::Dense(first.index(), vec![value.clone(); span])
        } else {
            TermMap::Sparse(terms.iter().map(|term| (*term, value.clone())).collect())
        }
    }
}

impl<T> Index<Term> for TermMap<T> {
    type Output = T;

    fn index(&self, term: Term) -> &T {
        match self {
            TermMap::Sparse(map) => &map[&term],
            TermMap::Dense(first, values) => &values[term.index() - first],
        }
    }
}

impl<T> IndexMut<Term> for TermMap<T> {
    fn index_mut(&mut self, term: Term) -> &mut T {
        match self {
            TermMap::Sparse(map) => map.get_mut(&term).expect("one of the map's terms"),
            TermMap::Dense(first, values) => &mut values[term.index() - *first],
        }
    }
}
