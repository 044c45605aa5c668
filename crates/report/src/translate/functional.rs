//! A transition system whose next states are functions, as circuits have them.
//!
//! Equations for next values are found among the conjuncts of the relation. What is left of it is
//! kept by helpers: a next value that no equation tells is an input, a flag says whether all steps so
//! far were steps of the relation, and another one that no step was taken yet.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_ir::TransitionSystem;
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

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
    /// Over state variables and inputs; arbitrary without one.
    pub next: Option<Term>,
}

/// The system in this form.
pub(super) fn functional(terms: &mut Terms, system: &TransitionSystem) -> Functional {
    let (starts, open_start) =
        equations(terms, system.init, &system.state.iter().map(|pair| pair.0).collect(), |t, v| {
            t.free_vars(&[v]).is_empty()
        });
    let nexts: BTreeSet<Var> = system.state.iter().map(|pair| pair.1).collect();
    let (defined, open_step) =
        equations(terms, system.trans, &nexts, |terms, value| terms.free_vars(&[value]).is_disjoint(&nexts));
    let open_step = terms.and(&open_step);
    let open_step = terms.substitute(open_step, &defined);
    let told: BTreeSet<Var> = terms.free_vars(&[open_step]).into_iter().filter(|var| nexts.contains(var)).collect();
    let mut state = Vec::new();
    for (now, next) in &system.state {
        let guessed = if told.contains(next) { Some(terms.var(*next)) } else { None };
        let next = defined.get(next).copied().or(guessed);
        state.push(StateVar { var: *now, init: starts.get(now).copied(), next });
    }
    let mut constraints = vec![system.invariant];
    let (truth, falsity) = (terms.bool(true), terms.bool(false));
    if !open_start.is_empty() {
        let first = terms.declare("$start", Sort::Bool);
        state.push(StateVar { var: first, init: Some(truth), next: Some(falsity) });
        let (first, start) = (terms.var(first), terms.and(&open_start));
        constraints.push(terms.implies(first, start));
    }
    if !terms.is_true(open_step) {
        let valid = terms.declare("$valid", Sort::Bool);
        let now = terms.var(valid);
        let next = terms.and(&[now, open_step]);
        state.push(StateVar { var: valid, init: Some(truth), next: Some(next) });
        constraints.push(now);
    }
    let inputs = system.inputs.iter().copied().chain(told).collect();
    Functional { state, inputs, constraint: terms.and(&constraints), bad: system.bad }
}

/// The conjuncts that say what one of the variables equals, and the others.
fn equations(
    terms: &mut Terms,
    formula: Term,
    vars: &BTreeSet<Var>,
    suits: impl Fn(&Terms, Term) -> bool,
) -> (FxHashMap<Var, Term>, Vec<Term>) {
    let mut known: FxHashMap<Var, Term> = FxHashMap::default();
    let mut others = Vec::new();
    for conjunct in conjuncts(terms, formula) {
        let truth = terms.bool(true);
        let mut sides = match terms.node(conjunct) {
            Node::Var(_) => vec![(conjunct, truth)],
            Node::App(Fun::Not, args) => vec![(args[0], terms.bool(false))],
            Node::App(Fun::Eq, args) => vec![(args[0], args[1]), (args[1], args[0])],
            Node::App(..) | Node::Const(_) => vec![],
        };
        sides.retain(|(var, value)| match terms.node(*var) {
            Node::Var(var) => vars.contains(var) && !known.contains_key(var) && suits(terms, *value),
            Node::App(..) | Node::Const(_) => false,
        });
        match sides.first().map(|(var, value)| (terms.node(*var), *value)) {
            Some((Node::Var(var), value)) => _ = known.insert(*var, value),
            Some((Node::App(..) | Node::Const(_), _)) | None => others.push(conjunct),
        }
    }
    (known, others)
}

/// The parts of nested conjunctions, each once, without true.
fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    let (mut open, mut seen, mut found) = (vec![formula], BTreeSet::new(), Vec::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) || terms.is_true(term) {
            continue;
        }
        match terms.node(term) {
            Node::App(Fun::And, args) => open.extend(args.iter().rev()),
            Node::App(..) | Node::Var(_) | Node::Const(_) => found.push(term),
        }
    }
    found
}
