//! Lists of predicates, one per cut point: localized as in Kiefer's thesis, chapter 5.

use std::collections::BTreeMap;
use tamis_cegar::Precision;
use tamis_ir::Loc;
use tamis_term::{Term, Terms};

/// The predicates of each cut point, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists(BTreeMap<Loc, Vec<Term>>);

impl Lists {
    /// The lists of these predicates.
    pub fn new(given: &Reasons) -> Lists {
        let mut lists = Lists::default();
        lists.extend(given);
        lists
    }

    /// All predicates, each with its cut point.
    pub fn all(&self) -> impl Iterator<Item = (Loc, Term)> {
        self.0.iter().flat_map(|(loc, list)| list.iter().map(|predicate| (*loc, *predicate)))
    }

    /// Adds predicates. Returns whether any is new.
    fn extend(&mut self, why: &Reasons) -> bool {
        let mut grown = false;
        for (loc, predicate) in why {
            let list = self.0.entry(*loc).or_default();
            if !list.contains(predicate) {
                list.push(*predicate);
                grown = true;
            }
        }
        grown
    }

    pub fn at(&self, loc: Loc) -> &[Term] {
        self.0.get(&loc).map_or(&[], Vec::as_slice)
    }
}

/// Predicates that exclude a counterexample, with the places where they do.
pub(super) type Reasons = Vec<(Loc, Term)>;

impl Precision for Lists {
    type Refutation = Reasons;

    fn absorb(&mut self, _: &mut Terms, why: &Reasons) -> bool {
        self.extend(why)
    }

    fn size(&self) -> u64 {
        self.0.values().map(Vec::len).max().unwrap_or(0) as u64
    }
}
