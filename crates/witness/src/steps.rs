//! What an edge does, as a relation between values before and after it.
//!
//! A question about an assignment speaks about the invariant behind it with values substituted,
//! and the diagram of that may be large on the way: each part of a relation over an array is
//! composed with each cell that an index may mean. As a relation the step is small, and the
//! values before it need not be kept (this is how an engine of diagrams computes it).
//!
//! Between two control points some engines list what must hold for the rest of the way, which
//! is a substitution too. Where an invariant is, as a term, what the only edge that leaves its
//! location demands, the question is asked about the end of that edge.

use crate::induction::{Checker, Map};
use std::collections::BTreeSet;
use tamis_ir::graph::Flow;
use tamis_ir::{EdgeId, Op};
use tamis_term::Term;

impl Checker<'_> {
    /// Formulas that contradict each other if and only if the edge, an assumption or an
    /// assignment, does not leave the invariant: what holds before, the relation of the step
    /// and of those that must follow, and that the invariant fails behind them.
    pub(crate) fn as_relation(&mut self, id: EdgeId) -> Option<Vec<Term>> {
        let program = self.program;
        let (mut guards, mut values) = (Vec::new(), Map::default());
        let mut edge = program.edge(id);
        let before = self.invariant(edge.from);
        let mut seen = BTreeSet::new();
        let behind = loop {
            match &edge.op {
                Op::Assume(condition) => guards.push(self.terms.substitute(*condition, &values)),
                Op::Assign(pairs) => {
                    let new: Vec<Term> = pairs.iter().map(|(_, value)| *value).collect();
                    let new = self.terms.substitute_all(&new, &values);
                    values.extend(pairs.iter().map(|(var, _)| *var).zip(new));
                }
                Op::Havoc(_) | Op::Call { .. } => return None,
            }
            let claim = self.invariant(edge.to);
            let flow = self.flow.get_or_insert_with(|| Flow::new(program));
            let [next] = *flow.out_edges(edge.to) else { break claim };
            if !seen.insert(edge.to) || self.demanded(next) != Some(claim) {
                break claim;
            }
            edge = program.edge(next);
        };
        // A constant needs no name, and what the claim does not speak about no value.
        let mut equations = guards;
        let mut after = Map::default();
        for var in self.terms.free_vars(&[behind]) {
            let Some(value) = values.get(&var).copied() else { continue };
            if self.terms.value(value).is_some() {
                after.insert(var, value);
                continue;
            }
            let new = self.stand_in(var);
            let new = self.terms.var(new);
            equations.push(self.terms.eq(new, value));
            after.insert(var, new);
        }
        let relation = self.terms.and(&equations);
        let claim = self.terms.substitute(behind, &after);
        Some(vec![before, relation, self.terms.not(claim)])
    }

    /// What must hold before an edge for the invariant to hold behind it, if that takes no
    /// quantifier.
    fn demanded(&mut self, id: EdgeId) -> Option<Term> {
        let edge = self.program.edge(id);
        let behind = self.invariant(edge.to);
        match &edge.op {
            Op::Assume(condition) => Some(self.terms.implies(*condition, behind)),
            Op::Assign(pairs) => Some(self.terms.substitute(behind, &pairs.iter().copied().collect())),
            Op::Havoc(_) | Op::Call { .. } => None,
        }
    }
}
