//! What an edge does, as a relation between values before and after it.
//!
//! A question about an assignment speaks about the invariant behind it with values substituted.
//! Where these are products of others, or chosen from others as a cell of an array is by its
//! index, the diagram of that is large on the way: each part of the invariant is composed with
//! all combinations. As a relation the step is small, and the values before it need not be kept
//! (so engines that compute with diagrams do it). Simple values are better substituted: that two
//! words are equal is a small relation only if their bits are close in the order.
//!
//! Between two control points some engines list what must hold for the rest of the way, which
//! is a substitution too. Where an invariant is, as a term, what the only edge that leaves its
//! location demands, the question is asked about the end of that edge.

use crate::induction::{Checker, Map};
use std::collections::BTreeSet;
use tamis_ir::graph::Flow;
use tamis_ir::{EdgeId, Op};
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Substitution, Term, Terms};

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
        let mut equations = guards;
        let mut after = Map::default();
        for var in self.terms.free_vars(&[behind]) {
            let Some(mut value) = values.get(&var).copied() else { continue };
            if combines(self.terms, value) {
                let new = self.stand_in(var);
                let new = self.terms.var(new);
                equations.push(self.terms.eq(new, value));
                value = new;
            }
            after.insert(var, value);
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
            Op::Assign(pairs) => Some(self.terms.substitute(behind, &pairs.iter().copied().collect::<Substitution>())),
            Op::Havoc(_) | Op::Call { .. } => None,
        }
    }
}

/// Whether a value is made of several others, or chosen from them.
fn combines(terms: &Terms, value: Term) -> bool {
    let chooses = |part: &Term| matches!(terms.node(*part), Node::App(Fun::Ite | Fun::Select | Fun::Store, _));
    terms.free_vars(&[value]).len() > 1 || post_order(terms, &[value]).iter().any(chooses)
}
