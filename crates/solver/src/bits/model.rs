//! Evidence: models read off the SAT solver's assignment, and cores.

use super::cnf::Cnf;
use crate::{Core, Model};
use tamis_circuit::Encoder;
use tamis_term::pack::BitReader;
use tamis_term::{Term, Terms, Value, Var};

/// The SAT solver's last assignment, read through the words of the variables.
pub(super) struct BitsModel<'s> {
    pub(super) encoder: &'s Encoder,
    pub(super) cnf: &'s Cnf,
}

impl Model for BitsModel<'_> {
    fn value(&self, terms: &Terms, var: Var) -> Value {
        let sort = terms.var_sort(var);
        let Some(word) = self.encoder.var_word(var) else { return Value::default_of(sort) };
        let mut packed = vec![0_u64; word.len().div_ceil(64)];
        for (i, edge) in word.iter().enumerate() {
            packed[i / 64] |= u64::from(self.cnf.value(*edge)) << (i % 64);
        }
        BitReader::new(&packed).read(sort)
    }
}

/// The assumptions that the SAT solver's final conflict names.
pub(super) struct BitsCore {
    pub(super) assumptions: Vec<Term>,
}

impl Core for BitsCore {
    fn assumptions(&self) -> &[Term] {
        &self.assumptions
    }
}
