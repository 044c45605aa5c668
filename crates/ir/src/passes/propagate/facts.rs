//! What is known of variables at a location: that one is a constant, or a copy of another.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// Equations of variables with constants and with other variables. No variable that has an
/// equation is on the right-hand side of another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts(BTreeMap<Var, Term>);

impl Facts {
    /// The equations.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Var, Term)> {
        self.0.iter().map(|(var, value)| (*var, *value))
    }

    /// Keeps the equations of these variables.
    pub(super) fn retain(&mut self, keep: impl Fn(Var) -> bool) {
        self.0.retain(|var, _| keep(*var));
    }

    /// Keeps what both know. Returns whether anything was lost.
    pub(super) fn meet(&mut self, other: &Facts) -> bool {
        let before = self.0.len();
        self.0.retain(|var, value| other.0.get(var) == Some(value));
        self.0.len() < before
    }

    /// Forgets what mentions these variables, because they are written.
    pub(super) fn forget(&mut self, terms: &Terms, vars: &BTreeSet<Var>) {
        self.0.retain(|var, value| !vars.contains(var) && copied(terms, *value).is_none_or(|of| !vars.contains(&of)));
    }

    /// Notes that a variable has a value, if that is a constant or a variable. Neither the
    /// variable nor one that the value mentions has an equation.
    pub(super) fn note(&mut self, terms: &Terms, var: Var, value: Term) {
        let scalar = match terms.var_sort(var) {
            Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real => true,
            Sort::Array(_) => false,
        };
        let simple = match terms.node(value) {
            Node::Const(_) => true,
            Node::Var(of) => *of != var,
            Node::App(..) => false,
        };
        if scalar && simple {
            for copy in self.0.values_mut() {
                if copied(terms, *copy) == Some(var) {
                    *copy = value;
                }
            }
            self.0.insert(var, value);
        }
    }

    /// What is known of a value: itself, if it is not a variable that has an equation.
    pub(super) fn resolve(&self, terms: &Terms, value: Term) -> Term {
        copied(terms, value).and_then(|var| self.0.get(&var).copied()).unwrap_or(value)
    }

    /// The terms with what is known put in.
    pub(super) fn apply(&self, terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
        let known = |var: Var| self.0.get(&var).map(|value| (var, *value));
        let map: FxHashMap<Var, Term> = terms.free_vars(roots).into_iter().filter_map(known).collect();
        if map.is_empty() { roots.to_vec() } else { terms.substitute_all(roots, &map) }
    }

    /// Notes what a condition says that holds, and in which nothing known is left to put in.
    pub(super) fn learn(&mut self, terms: &mut Terms, condition: Term) {
        let mut stack = vec![condition];
        while let Some(term) = stack.pop() {
            // What was learnt from one part may say more about another.
            let term = self.apply(terms, &[term])[0];
            match terms.node(term).clone() {
                Node::App(Fun::And, args) => stack.extend(args),
                Node::Var(var) => {
                    let value = terms.bool(true);
                    self.note(terms, var, value);
                }
                Node::App(Fun::Not, args) => {
                    if let Node::Var(var) = *terms.node(args[0]) {
                        let value = terms.bool(false);
                        self.note(terms, var, value);
                    }
                }
                Node::App(Fun::Eq, args) => {
                    for (side, other) in [(args[0], args[1]), (args[1], args[0])] {
                        if let (Node::Var(var), Some(_)) = (terms.node(side), terms.value(other)) {
                            self.note(terms, *var, other);
                        }
                    }
                }
                Node::App(..) | Node::Const(_) => {}
            }
        }
    }

    /// The equations as formulas.
    pub(super) fn formulas(&self, terms: &mut Terms) -> Vec<Term> {
        let equation = |(var, value): (&Var, &Term)| {
            let var = terms.var(*var);
            terms.eq(var, *value)
        };
        self.0.iter().map(equation).collect()
    }
}

/// The variable that a value is a copy of.
pub(super) fn copied(terms: &Terms, value: Term) -> Option<Var> {
    match terms.node(value) {
        Node::Var(var) => Some(*var),
        Node::Const(_) | Node::App(..) => None,
    }
}

/// Whether a condition is known not to hold.
pub(super) fn fails(terms: &Terms, condition: Term) -> bool {
    terms.value(condition) == Some(&Value::Bool(false))
}
