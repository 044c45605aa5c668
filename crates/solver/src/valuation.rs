//! What checks find, as plain values: models, and whether they are models; contradictions.

use crate::{Answer, Core, Model};
use std::collections::BTreeMap;
use tamis_term::{Code, Term, Terms, Value, Var};

/// A value for each variable of a question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Valuation {
    pub(crate) values: BTreeMap<Var, Value>,
}

impl Valuation {
    /// Whether all formulas are true under the valuation.
    pub(crate) fn confirms(&self, terms: &Terms, formulas: &[Term]) -> bool {
        let mut environment = Vec::new();
        let code = Code::new(terms, formulas, |var| {
            environment.push(self.value(terms, var));
            environment.len() - 1
        });
        let mut scratch = Vec::new();
        code.run(&environment, &mut scratch);
        (0..formulas.len()).all(|i| code.result(i, &scratch).as_bool())
    }
}

impl Model for Valuation {
    fn value(&self, terms: &Terms, var: Var) -> Value {
        self.values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)))
    }
}

/// What a check found, before it is wrapped as evidence.
pub(crate) enum Outcome {
    Model(Valuation),
    /// Assumptions that suffice for a contradiction.
    Core(Vec<Term>),
}

impl<'s> From<Outcome> for Answer<'s> {
    fn from(outcome: Outcome) -> Answer<'s> {
        match outcome {
            Outcome::Model(valuation) => Answer::Sat(Box::new(valuation)),
            Outcome::Core(assumptions) => Answer::Unsat(Box::new(Assumptions(assumptions))),
        }
    }
}

/// Assumptions that contradict the facts.
struct Assumptions(Vec<Term>);

impl Core for Assumptions {
    fn assumptions(&self) -> &[Term] {
        &self.0
    }
}
