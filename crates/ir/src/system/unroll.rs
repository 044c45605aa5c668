//! Unrolling: the formulas of a transition system at numbered steps. `φ(i)` speaks about the
//! variables `V_i` of step `i`, and `Tran(i)` about `V_i`, the inputs of step `i` and `V_{i+1}`.

use crate::system::TransitionSystem;
use rustc_hash::FxHashMap;
use tamis_term::{Term, Terms, Var};

/// Copies of a system's variables for every step.
#[derive(Clone, Debug)]
pub struct Unrolling {
    state: Vec<(Var, Var)>,
    inputs: Vec<Var>,
    /// By step: the copies of the state variables, then those of the inputs.
    steps: Vec<Vec<Var>>,
}

impl Unrolling {
    /// No steps yet.
    #[must_use]
    pub fn new(system: &TransitionSystem) -> Unrolling {
        Unrolling { state: system.state.clone(), inputs: system.inputs.clone(), steps: Vec::new() }
    }

    fn step(&mut self, terms: &mut Terms, step: usize) -> &[Var] {
        while self.steps.len() <= step {
            let number = self.steps.len();
            let own = self.state.iter().map(|(now, _)| *now).chain(self.inputs.iter().copied());
            let copy = |var| {
                let (name, sort) = (format!("{}@{number}", terms.name(var)), terms.var_sort(var).clone());
                terms.declare(&name, sort)
            };
            self.steps.push(own.map(copy).collect());
        }
        &self.steps[step]
    }

    /// What stands for the variables of a formula about step `step`: state variables, inputs, and
    /// the next state.
    fn forth(&mut self, terms: &mut Terms, step: usize) -> FxHashMap<Var, Term> {
        let now = self.step(terms, step).to_vec();
        let next = self.step(terms, step + 1).to_vec();
        let own = self.state.iter().map(|(now, _)| *now).chain(self.inputs.iter().copied());
        let after = self.state.iter().map(|(_, next)| *next);
        own.zip(now).chain(after.zip(next)).map(|(var, copy)| (var, terms.var(copy))).collect()
    }

    /// The formula at a step.
    pub fn at(&mut self, terms: &mut Terms, formula: Term, step: usize) -> Term {
        let map = self.forth(terms, step);
        terms.substitute(formula, &map)
    }

    /// What a formula about the state variables of a step says about any step.
    pub fn back(&mut self, terms: &mut Terms, formula: Term, step: usize) -> Term {
        let copies = self.step(terms, step).to_vec();
        let map = copies.into_iter().zip(self.state.iter().map(|(now, _)| *now));
        let map: FxHashMap<_, _> = map.map(|(copy, var)| (copy, terms.var(var))).collect();
        terms.substitute(formula, &map)
    }
}
