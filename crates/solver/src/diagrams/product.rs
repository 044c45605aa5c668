//! Conjunctions of diagrams that need not be built.
//!
//! Whether parts can be true together is a question about one bit, so the others go as early
//! as they can (early quantification: Burch, Clarke, Long, VLSI 1991): the parts are multiplied
//! one after another, and a bit that no later part depends on is quantified with the part that
//! is multiplied. A valuation is found on the way back.

use rustc_hash::FxHashMap;
use tamis_bdd::{Bdd, Bit, Full, Manager};

/// What parts have in common.
pub(super) enum Product {
    /// Nothing: the first so many parts contradict each other.
    Empty(usize),
    /// Some valuations.
    Inhabited(Factors),
}

/// The factors of a product, from which its valuations can be picked.
pub(super) struct Factors {
    /// The part, and the product of the parts before it without bits that are not needed.
    steps: Vec<(Bdd, Bdd)>,
}

impl Product {
    /// Multiplies the parts, in their order.
    pub(super) fn of(m: &Manager, parts: &[Bdd]) -> Result<Product, Full> {
        let mut last: FxHashMap<Bit, usize> = FxHashMap::default();
        for (at, part) in parts.iter().enumerate() {
            last.extend(m.support(part).into_iter().map(|bit| (bit, at)));
        }
        let mut done: Vec<Vec<Bit>> = vec![Vec::new(); parts.len()];
        let mut bits: Vec<(Bit, usize)> = last.into_iter().collect();
        bits.sort_unstable();
        for (bit, at) in bits {
            done[at].push(bit);
        }

        let mut steps = Vec::with_capacity(parts.len());
        let mut product = m.constant(true);
        for (part, done) in parts.iter().zip(done) {
            let over = m.cube(&done)?;
            let next = m.and_exists(&product, part, &over)?;
            if next.is_false() {
                return Ok(Product::Empty(steps.len() + 1));
            }
            steps.push((part.clone(), std::mem::replace(&mut product, next)));
        }
        Ok(Product::Inhabited(Factors { steps }))
    }
}

impl Factors {
    /// Values of some bits that make all parts true whatever the others are.
    pub(super) fn pick(&self, m: &Manager) -> Result<Vec<(Bit, bool)>, Full> {
        let mut values: Vec<(Bit, bool)> = Vec::new();
        for (part, before) in self.steps.iter().rev() {
            // Later parts have chosen their bits: this one and those before it agree to that.
            let (part, before) = (m.restrict(part, &values)?, m.restrict(before, &values)?);
            values.extend(m.pick(&m.and(&part, &before)?).unwrap_or_default());
        }
        Ok(values)
    }
}
