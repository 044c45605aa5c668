//! Renaming of bits, all at once.

use crate::{Bdd, Bit, Manager, Result};
use oxidd::Function;
use oxidd::bcdd::BCDDFunction;
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;

/// Which bits to replace by which others, all at once.
#[derive(Clone)]
pub struct Renaming {
    /// A number that no other renaming of the manager has.
    name: u32,
    /// The literals to replace bits by, by bit.
    replacements: Vec<Option<BCDDFunction>>,
}

impl fmt::Debug for Renaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.replacements.iter().flatten().count();
        f.debug_struct("Renaming").field("name", &self.name).field("bits", &bits).finish()
    }
}

impl Manager {
    /// The renaming that replaces each first bit by its second, all at once: bits may change
    /// places. Make it once and use it often, since results are remembered by renaming.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    ///
    /// # Panics
    /// If a bit has two replacements, or there are 2^32 renamings.
    pub fn renaming(&self, pairs: &[(Bit, Bit)]) -> Result<Renaming> {
        self.check()?;
        let mut replacements: Vec<Option<BCDDFunction>> = Vec::new();
        for (from, to) in pairs {
            let literal = self.bit(*to).0;
            if replacements.len() <= from.index() {
                replacements.resize(from.index() + 1, None);
            }
            let before = replacements[from.index()].replace(literal.clone());
            assert!(before.is_none_or(|before| before == literal), "a bit has one replacement");
        }
        let name = self.renamings.fetch_add(1, Relaxed);
        assert!(name < u32::MAX, "fewer than 2^32 renamings");
        Ok(Renaming { name, replacements })
    }

    /// `f` with its bits renamed.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn rename(&self, f: &Bdd, by: &Renaming) -> Result<Bdd> {
        let replacement = |bit: u32| by.replacements.get(bit as usize).and_then(Option::as_ref);
        self.run(|op| op.substitute(f.0.as_edge(op.store), &replacement, by.name))
    }
}
