//! Paths as sequences of constraints: what an arc adds to them, over copies of variables (section 4,
//! where a state is a goal `(k, x̃), c̃`).
//!
//! A variable keeps its copy until an arc writes it (static single assignment). Every written variable
//! has a copy of its own, so the copies at a cut point tell which variable they stand for. Copies are
//! numbered by the depth of the tree: siblings share them, and so do the nodes after a restart.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_ir::blocks::{ArcId, BlockGraph, Taken};
use tamis_solver::Model;
use tamis_term::{Node, Substitution, Term, Terms, Var};

/// A constraint of a state.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) term: Term,
    pub(super) kind: Kind,
    pub(super) vars: Rc<[Var]>,
}

/// Where a constraint comes from.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The copy of a variable has this value.
    Equation(Var, Term),
    /// The arc is taken, or the cut point left, only if it holds.
    Condition,
    /// The constraints at these positions imply it; it was added as something that may be kept where
    /// they are deleted.
    Implied(BTreeSet<usize>),
}

impl Constraint {
    pub(super) fn new(terms: &Terms, term: Term, kind: Kind) -> Constraint {
        let vars: Vec<Var> = terms.free_vars(&[term]).into_iter().collect();
        Constraint { term, kind, vars: vars.into() }
    }
}

/// An arc of a path.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The arc; the root of the tree has none.
    pub(super) arc: Option<ArcId>,
    /// The copies of variables at its start.
    pub(super) before: Substitution,
    /// The copies of what is chosen on it.
    inputs: Vec<(Var, Var)>,
    /// The copies of the variables that matter at its end.
    pub(super) after: Substitution,
}

impl Step {
    /// The root: no arc was taken.
    pub(super) fn root() -> Step {
        Step { arc: None, before: Substitution::default(), inputs: Vec::new(), after: Substitution::default() }
    }

    /// The variables at its end by their copies.
    pub(super) fn names(&self, terms: &mut Terms) -> Substitution {
        let named: Vec<(Var, Var)> = copies(terms, &self.after);
        named.into_iter().map(|(var, copy)| (copy, terms.var(var))).collect()
    }

    /// The copies of the variables at its end.
    pub(super) fn primary(&self, terms: &Terms) -> BTreeSet<Var> {
        copies(terms, &self.after).into_iter().map(|(_, copy)| copy).collect()
    }

    /// What a run does on the arc, given a valuation of copies.
    pub(super) fn taken(&self, terms: &Terms, model: &dyn Model) -> Option<Taken> {
        let all = copies(terms, &self.before).into_iter().chain(self.inputs.iter().copied());
        let values = all.map(|(var, copy)| (var, model.value(terms, copy))).collect();
        self.arc.map(|arc| Taken { arc, values })
    }
}

/// The copies that stand for variables.
fn copies(terms: &Terms, names: &Substitution) -> Vec<(Var, Var)> {
    let copy = |(var, term): (Var, Term)| match terms.node(term) {
        Node::Var(copy) => Some((var, *copy)),
        Node::Const(_) | Node::App(..) => None,
    };
    names.pairs().into_iter().filter_map(copy).collect()
}

/// Makes steps.
#[derive(Debug)]
pub(super) struct Stepper {
    pub(super) graph: Rc<BlockGraph>,
    copies: FxHashMap<(Var, usize), Var>,
}

impl Stepper {
    pub(super) fn new(graph: Rc<BlockGraph>) -> Stepper {
        Stepper { graph, copies: FxHashMap::default() }
    }

    fn copy(&mut self, terms: &mut Terms, var: Var, depth: usize) -> Var {
        if let Some(known) = self.copies.get(&(var, depth)) {
            return *known;
        }
        let (name, sort) = (format!("{}@{depth}", terms.name(var)), terms.var_sort(var).clone());
        let copy = terms.declare(&name, sort);
        self.copies.insert((var, depth), copy);
        copy
    }

    /// The step along an arc from a node of this depth, and the constraints that it adds.
    pub(super) fn step(
        &mut self,
        terms: &mut Terms,
        from: &Substitution,
        id: ArcId,
        depth: usize,
    ) -> (Step, Vec<Constraint>) {
        let graph = self.graph.clone();
        let arc = graph.arc(id);
        let before = if graph.from(id).is_some() { from.clone() } else { self.at_start(terms, id) };
        let (mut names, mut inputs) = (before.clone(), Vec::new());
        for input in graph.block(id).inputs() {
            let copy = self.copy(terms, input, depth + 1);
            names.insert(input, terms.var(copy));
            inputs.push((input, copy));
        }
        let mut found = Vec::new();
        for condition in terms.conjuncts(&[arc.guard]) {
            let here = terms.substitute(condition, &names);
            found.extend(conditions(terms, here));
        }
        let mut after = Substitution::default();
        if let Some(to) = graph.to(id) {
            let point = graph.point(to);
            let chosen: BTreeSet<Var> = inputs.iter().map(|(input, _)| *input).collect();
            let mut given = BTreeSet::new();
            for var in &point.live {
                let own = terms.var(*var);
                let Some(value) = arc.values.get(*var).filter(|value| *value != own) else {
                    after.extend(before.get(*var).map(|copy| (*var, copy)));
                    continue;
                };
                let value_here = terms.substitute(value, &names);
                let is_chosen = matches!(terms.node(value), Node::Var(input) if chosen.contains(input));
                if is_chosen && given.insert(value) {
                    after.insert(*var, value_here);
                    continue;
                }
                let copy = self.copy(terms, *var, depth + 1);
                let own = terms.var(copy);
                after.insert(*var, own);
                let equation = terms.eq(own, value_here);
                found.push(Constraint::new(terms, equation, Kind::Equation(copy, value_here)));
            }
            for condition in terms.conjuncts(&[point.invariant]) {
                let here = terms.substitute(condition, &after);
                found.extend(conditions(terms, here));
            }
        }
        (Step { arc: Some(id), before, inputs, after }, found)
    }

    /// The copies of the variables at the start, all that any way behind this arc may read.
    fn at_start(&mut self, terms: &mut Terms, id: ArcId) -> Substitution {
        let graph = self.graph.clone();
        let (arc, inputs) = (graph.arc(id), graph.block(id).inputs().collect::<BTreeSet<Var>>());
        let mut read: BTreeSet<Var> = graph.to(id).map(|to| graph.point(to).live.clone()).unwrap_or_default();
        let values: Vec<Term> = read.iter().filter_map(|var| arc.values.get(*var)).chain([arc.guard]).collect();
        read.extend(terms.free_vars(&values));
        let mut names = Substitution::default();
        for var in read.difference(&inputs) {
            let copy = self.copy(terms, *var, 0);
            names.insert(*var, terms.var(copy));
        }
        names
    }
}

/// The conditions that a formula is made of.
fn conditions(terms: &Terms, formula: Term) -> Vec<Constraint> {
    let parts = terms.conjuncts(&[formula]);
    parts.into_iter().map(|part| Constraint::new(terms, part, Kind::Condition)).collect()
}
