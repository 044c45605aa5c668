//! The operations that make new diagrams.

use crate::apply::{Edge, Store, not, not_owned};
use crate::{Bdd, Bit, Manager, Result};
use oxidd::bcdd::BCDDFunction;
use oxidd::{Function, Manager as _, ManagerRef};

/// A set of bits to quantify over.
#[derive(Clone, Debug)]
pub struct Cube {
    bits: Vec<Bit>,
    conjunction: Bdd,
}

impl Cube {
    /// The bits, in ascending order, each once.
    #[must_use]
    pub fn bits(&self) -> &[Bit] {
        &self.bits
    }

    /// Whether there is nothing to quantify over.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    fn edge<'a, 'id>(&'a self, store: &Store<'id>) -> Edge<'a, 'id> {
        self.conjunction.0.as_edge(store)
    }
}

impl Manager {
    /// The complement, at no cost.
    pub fn not(&self, f: &Bdd) -> Bdd {
        self.store.with_manager_shared(|store| {
            let edge = not_owned(store.clone_edge(f.0.as_edge(store)));
            Bdd(BCDDFunction::from_edge(store, edge))
        })
    }

    /// Conjunction.
    ///
    /// # Errors
    /// If no node is left or the stop signal is set, as for every operation.
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|op| op.and(f.0.as_edge(op.store), g.0.as_edge(op.store)))
    }

    /// Disjunction.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|op| op.or(f.0.as_edge(op.store), g.0.as_edge(op.store)))
    }

    /// Where exactly one holds.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|op| op.xor(f.0.as_edge(op.store), g.0.as_edge(op.store)))
    }

    /// Where both are equal.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|op| op.xor(not(f.0.as_edge(op.store)), g.0.as_edge(op.store)))
    }

    /// Where `g` holds or `f` does not.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|op| op.or(not(f.0.as_edge(op.store)), g.0.as_edge(op.store)))
    }

    /// `then` where `condition` holds, else `otherwise`.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn ite(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Result<Bdd> {
        self.run(|op| op.ite(condition.0.as_edge(op.store), then.0.as_edge(op.store), otherwise.0.as_edge(op.store)))
    }

    /// The conjunction of any number of functions, as a balanced tree.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn all(&self, fs: impl IntoIterator<Item = Bdd>) -> Result<Bdd> {
        let mut row: Vec<Bdd> = fs.into_iter().collect();
        while row.len() > 1 {
            if row.iter().any(Bdd::is_false) {
                return Ok(self.constant(false));
            }
            let join = |pair: &[Bdd]| match pair {
                [f, g] => self.and(f, g),
                one => Ok(one[0].clone()),
            };
            row = row.chunks(2).map(join).collect::<Result<_>>()?;
        }
        Ok(row.pop().unwrap_or_else(|| self.constant(true)))
    }

    /// The disjunction of any number of functions, as a balanced tree.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn any(&self, fs: impl IntoIterator<Item = Bdd>) -> Result<Bdd> {
        Ok(self.not(&self.all(fs.into_iter().map(|f| self.not(&f)))?))
    }

    /// The set of the bits, in whatever order and however often they are given.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn cube(&self, bits: &[Bit]) -> Result<Cube> {
        let mut sorted = bits.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let conjunction = self.conjunction(sorted.iter().map(|bit| (*bit, true)).collect())?;
        Ok(Cube { bits: sorted, conjunction })
    }

    /// The conjunction of literals of different bits, built from the lowest.
    fn conjunction(&self, mut literals: Vec<(Bit, bool)>) -> Result<Bdd> {
        self.store.with_manager_shared(|store| literals.sort_unstable_by_key(|(bit, _)| store.var_to_level(bit.0)));
        let mut result = self.constant(true);
        for (bit, value) in literals.into_iter().rev() {
            let literal = if value { self.bit(bit) } else { self.not(&self.bit(bit)) };
            result = self.and(&literal, &result)?;
        }
        Ok(result)
    }

    /// Where `f` holds for some values of the bits.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn exists(&self, f: &Bdd, over: &Cube) -> Result<Bdd> {
        self.run(|op| op.exists(f.0.as_edge(op.store), over.edge(op.store)))
    }

    /// Where `f` holds for all values of the bits.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn forall(&self, f: &Bdd, over: &Cube) -> Result<Bdd> {
        self.run(|op| Ok(not_owned(op.exists(not(f.0.as_edge(op.store)), over.edge(op.store))?)))
    }

    /// Where `f` and `g` hold for some values of the bits, without building the conjunction.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, over: &Cube) -> Result<Bdd> {
        self.run(|op| op.and_exists(f.0.as_edge(op.store), g.0.as_edge(op.store), over.edge(op.store)))
    }

    /// Where `f` implies `g` for all values of the bits, without building the implication.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn forall_implies(&self, f: &Bdd, g: &Bdd, over: &Cube) -> Result<Bdd> {
        self.run(|op| {
            let (f, g) = (f.0.as_edge(op.store), not(g.0.as_edge(op.store)));
            Ok(not_owned(op.and_exists(f, g, over.edge(op.store))?))
        })
    }

    /// `f` where the bits have these values; if a bit has two, the first counts.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn restrict(&self, f: &Bdd, values: &[(Bit, bool)]) -> Result<Bdd> {
        let mut values = values.to_vec();
        values.sort_by_key(|(bit, _)| *bit);
        values.dedup_by_key(|(bit, _)| *bit);
        let at = self.conjunction(values)?;
        self.run(|op| op.restrict(f.0.as_edge(op.store), at.0.as_edge(op.store)))
    }

    /// Whether `g` holds wherever `f` does.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn entails(&self, f: &Bdd, g: &Bdd) -> Result<bool> {
        Ok(self.and(f, &self.not(g))?.is_false())
    }
}
