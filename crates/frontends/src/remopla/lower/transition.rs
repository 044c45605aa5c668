//! One rule of the text as a sequence of operations.
//!
//! In the text a rule is atomic: its guard, its checks and its assignments happen together.
//! In a program with one thread the same runs exist when they happen one after the other.

use tamis_ir::Op;
use tamis_term::{Term, Terms, Var};

/// What a rule does, in this order.
#[derive(Debug, Default)]
pub struct Transition {
    /// Conditions on the old values.
    pub before: Vec<Term>,
    /// Variables that take any value now: helpers, or variables whose old values no longer
    /// matter.
    pub choose: Vec<Var>,
    /// Conditions on the old values and what was chosen.
    pub such_that: Vec<Term>,
    /// Assignments, from the old values and what was chosen.
    pub assign: Vec<(Var, Term)>,
    /// Variables that are arbitrary afterwards.
    pub forget: Vec<Var>,
    /// Conditions on those.
    pub legal: Vec<Term>,
}

impl Transition {
    /// The operations; none if the rule does nothing.
    pub fn ops(mut self, terms: &mut Terms) -> Vec<Op> {
        let mut ops = Vec::new();
        if self.choose.is_empty() {
            self.before.append(&mut self.such_that);
        }
        assume(terms, &self.before, &mut ops);
        if !self.choose.is_empty() {
            ops.push(Op::Havoc(self.choose));
        }
        assume(terms, &self.such_that, &mut ops);
        if !self.assign.is_empty() {
            ops.push(Op::Assign(self.assign));
        }
        if !self.forget.is_empty() {
            ops.push(Op::Havoc(self.forget));
        }
        assume(terms, &self.legal, &mut ops);
        ops
    }

    /// The variables that the rule writes.
    pub fn written(&self) -> impl Iterator<Item = Var> {
        self.assign.iter().map(|(var, _)| *var).chain(self.forget.iter().copied())
    }
}

fn assume(terms: &mut Terms, conditions: &[Term], ops: &mut Vec<Op>) {
    let condition = terms.and(conditions);
    if !terms.is_true(condition) {
        ops.push(Op::Assume(condition));
    }
}
