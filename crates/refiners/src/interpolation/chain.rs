//! The formulas of a path of abstract states: one per state, and one for the error.
//!
//! A variable keeps its copy until an arc writes it (static single assignment), so formulas
//! mention what their arcs read and write, and nothing else. What an arc chooses for a variable is
//! its copy.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_cegar::Path;
use tamis_ir::blocks::{ArcId, BlockGraph, Taken};
use tamis_solver::Model;
use tamis_term::{Node, Substitution, Term, Terms, Var};

/// Unrolls paths.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) graph: Rc<BlockGraph>,
    /// The steps of the last path, which others begin with.
    steps: Vec<Step>,
    /// The copies of variables and inputs by step.
    copies: FxHashMap<(Var, usize), Var>,
    /// The copies behind abstract states that do not tell the variable, by state.
    behind: FxHashMap<(Var, usize), Var>,
    /// Which variable a copy stands for.
    origin: FxHashMap<Var, Var>,
}

/// An arc of a path, in the copies of variables there.
#[derive(Clone, Debug)]
pub(super) struct Step {
    arc: ArcId,
    /// The values of what it writes.
    pub(super) does: Vec<Term>,
    /// When it is taken, and what holds at its end.
    pub(super) conditions: Vec<Term>,
    /// The copies of variables at its start.
    before: Substitution,
    /// The copies of its inputs.
    inputs: Vec<(Var, Var)>,
    /// The copies of variables at its end.
    after: Substitution,
}

impl Chain {
    pub(super) fn new(graph: Rc<BlockGraph>) -> Chain {
        Chain {
            graph,
            steps: Vec::new(),
            copies: FxHashMap::default(),
            behind: FxHashMap::default(),
            origin: FxHashMap::default(),
        }
    }

    /// The arcs of the path, the last of which leads to the error.
    pub(super) fn steps(&mut self, terms: &mut Terms, path: &Path) -> &[Step] {
        let same = self.steps.iter().zip(&path.arcs).take_while(|(step, arc)| step.arc == **arc).count();
        self.steps.truncate(same);
        for arc in &path.arcs[same..] {
            let step = self.step(terms, *arc);
            self.steps.push(step);
        }
        &self.steps
    }

    fn step(&mut self, terms: &mut Terms, id: ArcId) -> Step {
        let graph = self.graph.clone();
        let (number, arc) = (self.steps.len(), graph.arc(id));
        let before = match self.steps.last() {
            Some(step) => step.after.clone(),
            None => self.at_start(terms, id),
        };
        let (mut names, mut after) = (before.clone(), before.clone());
        let mut inputs = Vec::new();
        for input in graph.block(id).inputs() {
            let copy = self.copy(terms, input, number + 1);
            names.insert(input, terms.var(copy));
            inputs.push((input, copy));
        }
        let mut conditions = terms.conjuncts(&[arc.guard]);
        if let Some(from) = graph.from(id) {
            conditions.extend(terms.conjuncts(&[graph.point(from).invariant]));
        }
        let mut conditions = terms.substitute_all(&conditions, &names);
        let mut does = Vec::new();
        if let Some(to) = graph.to(id) {
            let point = graph.point(to);
            let chosen: BTreeSet<Var> = inputs.iter().map(|(input, _)| *input).collect();
            let mut given = BTreeSet::new();
            for var in &point.live {
                let Some(value) = arc.values.get(*var) else { continue };
                let own = terms.var(*var);
                if value == own {
                    continue;
                }
                let value_here = terms.substitute(value, &names);
                let is_chosen = matches!(terms.node(value), Node::Var(input) if chosen.contains(input));
                if is_chosen && given.insert(value) {
                    after.insert(*var, value_here);
                    if let Node::Var(copy) = terms.node(value_here) {
                        self.origin.insert(*copy, *var);
                    }
                } else {
                    let copy = self.copy(terms, *var, number + 1);
                    let copy = terms.var(copy);
                    after.insert(*var, copy);
                    does.push(terms.eq(copy, value_here));
                }
            }
            let invariant = terms.conjuncts(&[point.invariant]);
            conditions.extend(terms.substitute_all(&invariant, &after));
        }
        Step { arc: id, does, conditions, before, inputs, after }
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

    fn copy(&mut self, terms: &mut Terms, var: Var, step: usize) -> Var {
        if let Some(known) = self.copies.get(&(var, step)) {
            return *known;
        }
        let (name, sort) = (format!("{}@{step}", terms.name(var)), terms.var_sort(var).clone());
        let copy = terms.declare(&name, sort);
        self.copies.insert((var, step), copy);
        self.origin.insert(copy, var);
        copy
    }

    /// The formulas of the path.
    pub(super) fn formulas(&mut self, terms: &mut Terms, path: &Path) -> Vec<Term> {
        self.steps(terms, path);
        let mut formulas = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            let mut parts = [step.does.as_slice(), &step.conditions].concat();
            if let Some(state) = path.states.get(at) {
                parts.push(terms.substitute(state.label, &step.after));
            }
            formulas.push(terms.and(&parts));
        }
        formulas
    }

    /// A formula about a state of the last path, in the copies there.
    pub(super) fn forth(&self, terms: &mut Terms, formula: Term, at: usize) -> Term {
        terms.substitute(formula, &self.steps[at].after)
    }

    /// What a formula about a state of the last path says about any state at its cut point.
    pub(super) fn back(&self, terms: &mut Terms, formula: Term, at: usize) -> Term {
        let mut map = Substitution::default();
        for (var, copy) in named(terms, &self.steps[at].after) {
            map.insert(copy, terms.var(var));
        }
        terms.substitute(formula, &map)
    }

    /// The copies of the variables that matter at a state of the last path.
    pub(super) fn copies(&self, terms: &Terms, at: usize) -> Vec<(Var, Var)> {
        let step = &self.steps[at];
        let live = self.graph.to(step.arc).map(|to| &self.graph.point(to).live);
        let mut copies = named(terms, &step.after);
        copies.retain(|(var, _)| live.is_some_and(|live| live.contains(var)));
        copies
    }

    /// The copy of a variable behind a state that does not tell it.
    pub(super) fn behind(&mut self, terms: &mut Terms, var: Var, at: usize) -> Var {
        if let Some(known) = self.behind.get(&(var, at)) {
            return *known;
        }
        let (name, sort) = (format!("{}@{at}'", terms.name(var)), terms.var_sort(var).clone());
        let copy = terms.declare(&name, sort);
        self.behind.insert((var, at), copy);
        copy
    }

    /// The variables whose copies occur in the formulas.
    pub(super) fn vars(&self, terms: &Terms, formulas: &[Term]) -> BTreeSet<Var> {
        let state = self.graph.state();
        let found = terms.free_vars(formulas);
        found.iter().filter_map(|var| self.origin.get(var)).copied().filter(|var| state.contains(var)).collect()
    }

    /// The run along the last path that a valuation of its formulas is.
    pub(super) fn run(&self, terms: &Terms, model: &dyn Model) -> Vec<Taken> {
        let value = |terms: &Terms, (var, copy): (Var, Var)| (var, model.value(terms, copy));
        let taken = |step: &Step| {
            let copies = named(terms, &step.before).into_iter().chain(step.inputs.iter().copied());
            Taken { arc: step.arc, values: copies.map(|pair| value(terms, pair)).collect() }
        };
        self.steps.iter().map(taken).collect()
    }
}

/// The copies that stand for variables.
fn named(terms: &Terms, names: &Substitution) -> Vec<(Var, Var)> {
    let copy = |(var, term): (Var, Term)| match terms.node(term) {
        Node::Var(copy) => Some((var, *copy)),
        Node::Const(_) | Node::App(..) => None,
    };
    names.pairs().into_iter().filter_map(copy).collect()
}
