//! Transition systems: the model of hardware and of protocols.
//!
//! Files: [`machine`] (what front ends describe, and the program that means the same),
//! [`extract`] (the transition system that a program is, with the way back for evidence),
//! [`unroll`] (its formulas at numbered steps).

pub mod extract;
pub mod machine;
pub mod unroll;

use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

/// A symbolic transition system.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// State variables, each with the variable that stands for its next value.
    pub state: Vec<(Var, Var)>,
    /// Variables that are chosen anew in every step.
    pub inputs: Vec<Var>,
    /// What holds in every state: over state variables and inputs.
    pub invariant: Term,
    /// What holds in initial states: over state variables.
    pub init: Term,
    /// How a state relates to the next: over state variables, next variables and inputs.
    pub trans: Term,
    /// What must not be reached: over state variables and inputs.
    pub bad: Term,
}

impl TransitionSystem {
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
            ("the invariant", self.invariant, &here),
            ("the initial condition", self.init, &current),
            ("the transition relation", self.trans, &all),
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
        Ok(())
    }

    /// What the invariant says about states alone, and what it says about inputs too.
    pub fn split_invariant(&self, terms: &mut Terms) -> (Term, Term) {
        let parts = match terms.node(self.invariant) {
            Node::App(Fun::And, args) => args.to_vec(),
            Node::App(..) | Node::Var(_) | Node::Const(_) => vec![self.invariant],
        };
        let about_inputs = |part: &Term| terms.free_vars(&[*part]).iter().any(|var| self.inputs.contains(var));
        let (steps, states): (Vec<Term>, Vec<Term>) = parts.into_iter().partition(about_inputs);
        (terms.and(&states), terms.and(&steps))
    }
}
