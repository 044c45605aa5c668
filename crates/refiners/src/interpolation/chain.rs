//! The formulas of a path of abstract states, one per state and one for the bad condition.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_cegar::Path;
use tamis_ir::{Frames, TransitionSystem, Unrolling};
use tamis_solver::Model;
use tamis_term::{Term, Terms, Var};

/// Unrolls paths.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) unrolling: Unrolling,
    /// The initial condition and what holds in every state.
    pub(super) first: Term,
    /// A step, and what holds in every state with inputs.
    pub(super) step: Term,
    /// What holds in every state.
    pub(super) invariant: Term,
    /// The bad condition.
    pub(super) bad: Term,
    /// The formulas at steps that were unrolled before: the step to each state, and bad there.
    steps: Vec<(Term, Term)>,
    /// Which state variable a copy stands for.
    origin: FxHashMap<Var, Var>,
}

impl Chain {
    pub(super) fn new(terms: &mut Terms, system: &TransitionSystem) -> Chain {
        let (invariant, about_inputs) = system.split_invariant(terms);
        Chain {
            unrolling: Unrolling::new(system),
            first: terms.and(&[system.init, invariant]),
            step: terms.and(&[about_inputs, system.trans]),
            invariant,
            bad: terms.and(&[about_inputs, system.bad]),
            steps: Vec::new(),
            origin: FxHashMap::default(),
        }
    }

    /// The formulas of the path.
    pub(super) fn formulas(&mut self, terms: &mut Terms, path: &Path) -> Vec<Term> {
        let mut formulas = Vec::new();
        for (at, state) in path.0.iter().enumerate() {
            let (step, _) = self.unrolled(terms, at);
            let label = self.unrolling.at(terms, state.label, at);
            formulas.push(terms.and(&[step, label]));
        }
        formulas.extend(path.0.len().checked_sub(1).map(|last| self.unrolled(terms, last).1));
        formulas
    }

    fn unrolled(&mut self, terms: &mut Terms, at: usize) -> (Term, Term) {
        while self.steps.len() <= at {
            let at = self.steps.len();
            let arrived = match at.checked_sub(1) {
                None => self.unrolling.at(terms, self.first, 0),
                Some(before) => {
                    let step = self.unrolling.at(terms, self.step, before);
                    let invariant = self.unrolling.at(terms, self.invariant, at);
                    terms.and(&[step, invariant])
                }
            };
            let bad = self.unrolling.at(terms, self.bad, at);
            self.steps.push((arrived, bad));
            self.origin.extend(self.unrolling.origins(at));
        }
        self.steps[at]
    }

    /// What a formula about a state of the path says about any state.
    pub(super) fn back(&mut self, terms: &mut Terms, formula: Term, at: usize) -> Term {
        self.unrolling.back(terms, formula, at)
    }

    /// The state variables whose copies occur in the formulas.
    pub(super) fn vars(&self, terms: &Terms, formulas: &[Term]) -> BTreeSet<Var> {
        terms.free_vars(formulas).iter().filter_map(|var| self.origin.get(var)).copied().collect()
    }

    /// The run that a valuation of the formulas is.
    pub(super) fn frames(&mut self, terms: &mut Terms, length: usize, model: &dyn Model) -> Frames {
        let value = |terms: &Terms, var: Var| model.value(terms, var);
        Frames((0..length).map(|at| self.unrolling.frame(terms, at, value)).collect())
    }
}
