//! Diagrams as sums of products without redundancy (Minato, *Fast Generation of Irredundant
//! Sum-of-Products Forms from Binary Decision Diagrams*, SASIMI 1992; Morreale, IEEE TC 1970).

use crate::{Bdd, Bit, Manager, Result};

/// A conjunction of literals, by the order of their bits.
pub type Product = Vec<(Bit, bool)>;

impl Manager {
    /// Products whose sum is the function, and none of which can be left out, or be said with
    /// fewer literals; none if they are more than `most`. One call per bit.
    ///
    /// # Errors
    /// If there is no room, or somebody said stop.
    pub fn products(&self, function: &Bdd, most: usize) -> Result<Option<Vec<Product>>> {
        let mut cover = Cover { m: self, most, path: Product::new(), products: Vec::new() };
        let covered = cover.between(function, function)?;
        Ok(covered.map(|_| cover.products))
    }
}

struct Cover<'m> {
    m: &'m Manager,
    most: usize,
    /// The literals that all products to come begin with.
    path: Product,
    products: Vec<Product>,
}

impl Cover<'_> {
    /// Adds products whose sum is implied by `least` and implies `greatest`, below the path.
    /// Returns what they cover, or none if there are too many.
    fn between(&mut self, least: &Bdd, greatest: &Bdd) -> Result<Option<Bdd>> {
        let m = self.m;
        if least.is_false() {
            return Ok(Some(m.constant(false)));
        }
        let Some((bit, ..)) = m.children(greatest) else {
            self.products.push(self.path.clone());
            return Ok((self.products.len() <= self.most).then(|| m.constant(true)));
        };
        let part = |f: &Bdd, value: bool| m.restrict(f, &[(bit, value)]);
        let least = [part(least, false)?, part(least, true)?];
        let greatest = [part(greatest, false)?, part(greatest, true)?];
        let (mut rest, mut covered) = (m.constant(false), m.constant(false));
        for (here, there, value) in [(0, 1, false), (1, 0, true)] {
            // What only products with this literal can cover.
            let only = m.and(&least[here], &m.not(&greatest[there]))?;
            self.path.push((bit, value));
            let some = self.between(&only, &greatest[here])?;
            self.path.pop();
            let Some(some) = some else { return Ok(None) };
            rest = m.or(&rest, &m.and(&least[here], &m.not(&some))?)?;
            let literal = if value { m.bit(bit) } else { m.not(&m.bit(bit)) };
            covered = m.or(&covered, &m.and(&literal, &some)?)?;
        }
        // And then what is left for both.
        let Some(some) = self.between(&rest, &m.and(&greatest[0], &greatest[1])?)? else { return Ok(None) };
        Ok(Some(m.or(&covered, &some)?))
    }
}
