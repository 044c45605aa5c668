//! A transition system as a circuit. Circuits can always take a step, so flags say whether all
//! steps so far could be taken, and that none was taken yet.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_ir::TransitionSystem;
use tamis_term::{Sort, Term, Terms, Var};

/// A system.
pub(super) struct Functional {
    pub state: Vec<StateVar>,
    pub inputs: Vec<Var>,
    /// What holds in every step: over state variables and inputs.
    pub constraint: Term,
    /// What must not be reached: over state variables and inputs.
    pub bad: Term,
}

/// Names of variables in another notation.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// The variable's name without its procedure and, if that is nobody's yet, without the number
    /// that made it unique among terms.
    pub(super) fn of(&mut self, terms: &Terms, var: Var) -> String {
        let strange = |c: char| c.is_whitespace() || c == ';';
        let name = terms.name(var).trim_start_matches("main::");
        let name: String = name.chars().map(|c| if strange(c) { '_' } else { c }).collect();
        let short = name.rsplit_once('!').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
        let short = short.map_or(name.as_str(), |(short, _)| short).to_owned();
        let chosen = if self.0.contains(&short) { name } else { short };
        self.0.insert(chosen.clone());
        chosen
    }
}

/// A state variable.
pub(super) struct StateVar {
    pub var: Var,
    /// A term without variables; arbitrary without one.
    pub init: Option<Term>,
    /// Over state variables and inputs.
    pub next: Term,
}

/// The system in this form.
pub(super) fn functional(terms: &mut Terms, system: &TransitionSystem) -> Functional {
    let init: FxHashMap<Var, Term> = system.init.iter().copied().collect();
    let states = system.state.iter().zip(&system.next);
    let mut state: Vec<StateVar> =
        states.map(|((var, _), next)| StateVar { var: *var, init: init.get(var).copied(), next: *next }).collect();
    let mut constraints = vec![system.invariant];
    let (truth, falsity) = (terms.bool(true), terms.bool(false));
    if !terms.is_true(system.start) {
        let first = terms.declare("$start", Sort::Bool);
        state.push(StateVar { var: first, init: Some(truth), next: falsity });
        let first = terms.var(first);
        constraints.push(terms.implies(first, system.start));
    }
    if !terms.is_true(system.step) {
        let valid = terms.declare("$valid", Sort::Bool);
        let now = terms.var(valid);
        state.push(StateVar { var: valid, init: Some(truth), next: terms.and(&[now, system.step]) });
        constraints.push(now);
    }
    Functional { state, inputs: system.inputs.clone(), constraint: terms.and(&constraints), bad: system.bad }
}
