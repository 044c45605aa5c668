//! The operations that make new diagrams.

use crate::{Bdd, Bit, Manager, Result};
use oxidd::bcdd::BCDDFunction;
use oxidd::error::OutOfMemory;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, Manager as _, ManagerRef};

/// The operations with two operands; the last three take a conjunction of literals second.
#[derive(Clone, Copy)]
enum Operation {
    And,
    Or,
    Xor,
    Iff,
    Implies,
    Exists,
    Forall,
    Restrict,
}

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
}

impl Manager {
    fn apply(&self, operation: Operation, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.run(|store| {
            let (f, g) = (f.0.as_edge(store), g.0.as_edge(store));
            let edge = match operation {
                Operation::And => BCDDFunction::and_edge(store, f, g),
                Operation::Or => BCDDFunction::or_edge(store, f, g),
                Operation::Xor => BCDDFunction::xor_edge(store, f, g),
                Operation::Iff => BCDDFunction::equiv_edge(store, f, g),
                Operation::Implies => BCDDFunction::imp_edge(store, f, g),
                Operation::Exists => BCDDFunction::exists_edge(store, f, g),
                Operation::Forall => BCDDFunction::forall_edge(store, f, g),
                Operation::Restrict => BCDDFunction::restrict_edge(store, f, g),
            };
            Ok(BCDDFunction::from_edge(store, edge?))
        })
    }

    /// The complement, at no cost.
    pub fn not(&self, f: &Bdd) -> Bdd {
        self.store.with_manager_shared(|store| match BCDDFunction::not_edge(store, f.0.as_edge(store)) {
            Ok(edge) => Bdd(BCDDFunction::from_edge(store, edge)),
            Err(OutOfMemory) => unreachable!("a complement has the same node"),
        })
    }

    /// Conjunction.
    ///
    /// # Errors
    /// If no node is left or the stop signal is set, as for every operation.
    pub fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.apply(Operation::And, f, g)
    }

    /// Disjunction.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.apply(Operation::Or, f, g)
    }

    /// Where exactly one holds.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.apply(Operation::Xor, f, g)
    }

    /// Where both are equal.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn iff(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.apply(Operation::Iff, f, g)
    }

    /// Where `g` holds or `f` does not.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn implies(&self, f: &Bdd, g: &Bdd) -> Result<Bdd> {
        self.apply(Operation::Implies, f, g)
    }

    /// `then` where `condition` holds, else `otherwise`.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn ite(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Result<Bdd> {
        self.run(|store| {
            let (c, t, e) = (condition.0.as_edge(store), then.0.as_edge(store), otherwise.0.as_edge(store));
            Ok(BCDDFunction::from_edge(store, BCDDFunction::ite_edge(store, c, t, e)?))
        })
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
        self.apply(Operation::Exists, f, &over.conjunction)
    }

    /// Where `f` holds for all values of the bits.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn forall(&self, f: &Bdd, over: &Cube) -> Result<Bdd> {
        self.apply(Operation::Forall, f, &over.conjunction)
    }

    /// Where `f` and `g` hold for some values of the bits, without building the conjunction.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, over: &Cube) -> Result<Bdd> {
        self.run(|store| {
            let (f, g, over) = (f.0.as_edge(store), g.0.as_edge(store), over.conjunction.0.as_edge(store));
            let edge = BCDDFunction::apply_exists_edge(store, BooleanOperator::And, f, g, over)?;
            Ok(BCDDFunction::from_edge(store, edge))
        })
    }

    /// Where `f` implies `g` for all values of the bits, without building the implication.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn forall_implies(&self, f: &Bdd, g: &Bdd, over: &Cube) -> Result<Bdd> {
        self.run(|store| {
            let (f, g, over) = (f.0.as_edge(store), g.0.as_edge(store), over.conjunction.0.as_edge(store));
            let edge = BCDDFunction::apply_forall_edge(store, BooleanOperator::Imp, f, g, over)?;
            Ok(BCDDFunction::from_edge(store, edge))
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
        self.apply(Operation::Restrict, f, &self.conjunction(values)?)
    }

    /// Whether `g` holds wherever `f` does.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn entails(&self, f: &Bdd, g: &Bdd) -> Result<bool> {
        Ok(self.and(f, &self.not(g))?.is_false())
    }
}
