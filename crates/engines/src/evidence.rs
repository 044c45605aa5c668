//! What proofs of all engines have in common.

use std::collections::BTreeMap;
use tamis_ir::analysis::Liveness;
use tamis_ir::evidence::declare_old;
use tamis_ir::{ProcId, Program};
use tamis_term::{Term, Terms, Var};

/// A variable for the old value of each global and parameter.
pub(crate) fn old_vars(terms: &mut Terms, program: &Program) -> BTreeMap<Var, Var> {
    let given = program.procs.iter().flat_map(|proc| &proc.params).chain(&program.globals);
    let given: Vec<Var> = given.copied().collect();
    given.into_iter().map(|var| (var, declare_old(terms, var))).collect()
}

/// What holds throughout a procedure: the globals that it never modifies are as they were.
pub(crate) fn frame(terms: &mut Terms, liveness: &Liveness, old: &BTreeMap<Var, Var>, id: ProcId) -> Term {
    let untouched: Vec<Var> = liveness.untouched(id).collect();
    let equal: Vec<Term> = untouched
        .into_iter()
        .map(|var| {
            let (now, before) = (terms.var(var), terms.var(old[&var]));
            terms.eq(now, before)
        })
        .collect();
    terms.and(&equal)
}
