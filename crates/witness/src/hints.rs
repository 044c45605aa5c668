//! What a proof tells about the order of bits, which decides how large diagrams become.
//!
//! Invariants that were diagrams show their order, and so do the summaries as a caller sees
//! them; what is asked about an edge is such a formula with values substituted, and may not.
//! The copies of a variable are interleaved: its value now, at the procedure's entry, and
//! after a step. Hints change how long the check takes, never what it finds.

use crate::induction::Checker;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_ir::{Loc, Op, ProcId};
use tamis_solver::diagrams::Order;
use tamis_term::{Term, Var};

impl Checker<'_> {
    /// The order for the conditions of a procedure.
    pub(crate) fn order(&mut self, id: ProcId) -> Order {
        let (program, proof) = (self.program, self.proof);
        let proc = program.proc(id);
        let mut groups = Groups::default();
        for var in program.globals.iter().copied().chain(proc.vars()) {
            let old = proof.old.get(&var).copied().unwrap_or(var);
            groups.join(var, old);
            groups.join(var, self.stand_in(var));
        }
        let locs = proc.edges.iter().flat_map(|edge| [edge.from, edge.to]).chain([proc.entry, proc.exit]);
        let locs: BTreeSet<Loc> = locs.collect();
        let invariants = locs.iter().filter_map(|loc| proof.invariants.get(loc));
        let mut formulas: Vec<Term> = invariants.chain(proof.summaries.get(&id)).copied().collect();
        for edge in &proc.edges {
            let Op::Call { callee, args, results } = &edge.op else { continue };
            if proof.invariants.contains_key(&edge.from) {
                formulas.push(self.entered(*callee, args));
                formulas.push(self.returned(*callee, args, results).0);
                for (to, from) in results.iter().zip(&program.proc(*callee).results) {
                    groups.join(*to, self.stand_in(*from));
                }
            }
        }
        Order { groups: groups.members, formulas }
    }
}

/// Disjoint sets of variables.
#[derive(Default)]
struct Groups {
    members: Vec<Vec<Var>>,
    of: FxHashMap<Var, usize>,
}

impl Groups {
    /// The group of a variable, which has one from now on.
    fn find(&mut self, var: Var) -> usize {
        *self.of.entry(var).or_insert_with(|| {
            self.members.push(vec![var]);
            self.members.len() - 1
        })
    }

    /// Puts the groups of two variables together.
    fn join(&mut self, a: Var, b: Var) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            let moved = std::mem::take(&mut self.members[b]);
            self.of.extend(moved.iter().map(|var| (*var, a)));
            self.members[a].extend(moved);
        }
    }
}
