//! Transition systems: the model of hardware and of protocols.
//!
//! Files: [`machine`] (what front ends describe, and the program that means the same),
//! [`encode`](mod@encode) (the transition system that a program is), [`unroll`] (its formulas at
//! numbered steps).

pub mod encode;
pub mod machine;
pub mod unroll;

use tamis_term::{Node, Sort, Substitution, Term, Terms, Var};

/// A symbolic transition system whose next states are functions.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// State variables, each with the variable that stands for its next value.
    pub state: Vec<(Var, Var)>,
    /// Variables that are chosen anew in every step.
    pub inputs: Vec<Var>,
    /// Initial values, without variables; the others start arbitrary.
    pub init: Vec<(Var, Term)>,
    /// What else holds in initial states: over state variables.
    pub start: Term,
    /// What holds in every state: over state variables and inputs.
    pub invariant: Term,
    /// The next values of the state variables, in their order: over state variables and inputs.
    pub next: Vec<Term>,
    /// When a step can be taken: over state variables and inputs.
    pub step: Term,
    /// What must not be reached: over state variables and inputs.
    pub bad: Term,
}

impl TransitionSystem {
    /// What holds in initial states.
    pub fn initial(&self, terms: &mut Terms) -> Term {
        let mut parts = vec![self.start];
        for (var, value) in &self.init {
            let var = terms.var(*var);
            parts.push(terms.eq(var, *value));
        }
        terms.and(&parts)
    }

    /// How a state relates to the next, over state variables, next variables and inputs; and the
    /// inputs that are needed for it. An input that only is a next value is called by that.
    pub fn relation(&self, terms: &mut Terms) -> (Term, Vec<Var>) {
        let mut map = Substitution::default();
        let elsewhere = terms.free_vars(&[self.invariant, self.bad]);
        for ((_, next), value) in self.state.iter().zip(&self.next) {
            if let Node::Var(input) = terms.node(*value)
                && self.inputs.contains(input)
                && !elsewhere.contains(input)
                && map.get(*input).is_none()
            {
                let input = *input;
                map.insert(input, terms.var(*next));
            }
        }
        let mut parts = vec![terms.substitute(self.step, &map)];
        for ((_, next), value) in self.state.iter().zip(&self.next) {
            let (next, value) = (terms.var(*next), terms.substitute(*value, &map));
            parts.push(terms.eq(next, value));
        }
        let inputs = self.inputs.iter().copied().filter(|input| map.get(*input).is_none()).collect();
        (terms.and(&parts), inputs)
    }

    /// The same with its formulas replaced.
    #[must_use]
    pub fn map(mut self, mut change: impl FnMut(Term) -> Term) -> TransitionSystem {
        for formula in [&mut self.start, &mut self.invariant, &mut self.step, &mut self.bad] {
            *formula = change(*formula);
        }
        for value in self.next.iter_mut().chain(self.init.iter_mut().map(|(_, value)| value)) {
            *value = change(*value);
        }
        self
    }

    /// Checks that the formulas are formulas, over the variables that they may mention.
    ///
    /// # Errors
    /// Names the first rule that does not hold, as a phrase.
    pub fn validate(&self, terms: &Terms) -> Result<(), String> {
        let current: Vec<Var> = self.state.iter().map(|(now, _)| *now).collect();
        let next: Vec<Var> = self.state.iter().map(|(_, next)| *next).collect();
        let mut all: Vec<Var> = [current.as_slice(), &next, &self.inputs].concat();
        all.sort_unstable();
        if let Some(pair) = all.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("variable {} has two roles", terms.name(pair[0])));
        }
        for (now, next) in &self.state {
            if terms.var_sort(*now) != terms.var_sort(*next) {
                return Err(format!("{} and its next value differ in sort", terms.name(*now)));
            }
        }
        let here = [current.as_slice(), &self.inputs].concat();
        let rules: [(&str, Term, &[Var]); 4] = [
            ("the initial condition", self.start, &current),
            ("the invariant", self.invariant, &here),
            ("the condition of steps", self.step, &here),
            ("the bad condition", self.bad, &here),
        ];
        for (what, formula, allowed) in rules {
            if *terms.sort(formula) != Sort::Bool {
                return Err(format!("{what} is not a formula but has sort {}", terms.sort(formula)));
            }
            if let Some(var) = terms.free_vars(&[formula]).into_iter().find(|var| !allowed.contains(var)) {
                return Err(format!("{what} mentions {}, which it may not", terms.name(var)));
            }
        }
        if self.next.len() != self.state.len() {
            return Err(format!("{} state variables have {} next values", self.state.len(), self.next.len()));
        }
        for ((var, _), value) in self.state.iter().zip(&self.next) {
            if terms.sort(*value) != terms.var_sort(*var) {
                return Err(format!("the next value of {} has sort {}", terms.name(*var), terms.sort(*value)));
            }
        }
        Ok(())
    }
}
