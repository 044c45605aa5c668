//! Evidence: valuations picked from a product, and cores.

use super::product::Product;
use super::solver::{Part, with_room};
use crate::{Core, Model};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use tamis_bdd::{Bdd, Bit, Manager};
use tamis_term::pack::BitReader;
use tamis_term::{Term, Terms, Value, Var};

/// Values of some bits; the others are false.
pub(super) struct DiagramsModel<'s> {
    pub(super) bits: &'s FxHashMap<Var, Vec<Bit>>,
    pub(super) values: FxHashMap<Bit, bool>,
}

impl Model for DiagramsModel<'_> {
    fn value(&self, terms: &Terms, var: Var) -> Value {
        let sort = terms.var_sort(var);
        let Some(bits) = self.bits.get(&var) else { return Value::default_of(sort) };
        let mut packed = vec![0_u64; bits.len().div_ceil(64)];
        for (at, bit) in bits.iter().enumerate() {
            packed[at / 64] |= u64::from(self.values.get(bit).copied().unwrap_or(false)) << (at % 64);
        }
        BitReader::new(&packed).read(sort)
    }
}

/// Facts and assumptions that contradict each other. Which of the assumptions are not needed
/// is found out when somebody asks: it takes a product for each.
pub(super) struct DiagramsCore<'s> {
    pub(super) manager: &'s Manager,
    /// How many bits the diagrams have.
    pub(super) depth: usize,
    pub(super) parts: Vec<Part>,
    pub(super) needed: OnceCell<Vec<Term>>,
}

impl Core for DiagramsCore<'_> {
    fn assumptions(&self) -> &[Term] {
        let DiagramsCore { manager, depth, parts, needed } = self;
        needed.get_or_init(|| with_room(*depth, || shrink(manager, parts)))
    }
}

/// The assumptions that are left after leaving out one after another, if the rest suffices.
fn shrink(m: &Manager, parts: &[Part]) -> Vec<Term> {
    let mut needed = parts.to_vec();
    let mut at = 0;
    while at < needed.len() {
        let others = needed.iter().enumerate().filter(|(other, _)| *other != at);
        let others: Vec<Bdd> = others.map(|(_, (_, diagram))| diagram.clone()).collect();
        // Whatever stops it, what is left suffices.
        if needed[at].0.is_some() && matches!(Product::of(m, &others), Ok(Product::Empty(_))) {
            needed.remove(at);
        } else {
            at += 1;
        }
    }
    needed.into_iter().filter_map(|(assumption, _)| assumption).collect()
}
