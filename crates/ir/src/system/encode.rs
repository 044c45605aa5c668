//! The transition system that a block graph is. A state is a cut point and the values there: where
//! there are several cut points, a variable counts them, the program counter.

use super::TransitionSystem;
use crate::blocks::{ArcId, Block, BlockGraph, PointId, Size, Taken};
use crate::evidence::{Proof, Trace};
use crate::interpreter::Refusal;
use crate::program::{Program, PropertyId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Sort, Term, Terms, Value, Var};

/// A transition system that means the same as a program for one property.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The system. Its state variables are variables of the program, and the program counter.
    pub system: TransitionSystem,
    /// The program counter, if there are several cut points.
    pub counter: Option<Var>,
    graph: BlockGraph,
    /// When each arc is taken: those between cut points, and those to errors.
    steps: Vec<(ArcId, Term)>,
    bads: Vec<(ArcId, Term)>,
}

/// The transition system that the program is for the property.
///
/// # Errors
/// If there are calls, says so as a phrase.
pub fn encode(terms: &mut Terms, program: &Program, property: PropertyId) -> Result<Encoding, String> {
    let mut graph = BlockGraph::new(terms, program, property, Size::Large)?;
    if !starts_are_states(terms, &graph) {
        graph = BlockGraph::with_start(terms, program, property, Size::Large)?;
    }
    let counter = (graph.points.len() > 1).then(|| {
        let width = usize::BITS - (graph.points.len() - 1).leading_zeros();
        ["main::$at", "main::$at'"].map(|name| terms.declare(name, Sort::BitVec(width)))
    });
    let state = graph.state();
    let mut encoder = Encoder { terms, graph: &graph, counter: counter.map(|[now, _]| now), state };
    let (system, steps, bads) = encoder.system(counter);
    Ok(Encoding { system, counter: counter.map(|[now, _]| now), graph, steps, bads })
}

/// Whether what the code before the first cut points reads is the same there: then the values at the
/// start need no names of their own.
fn starts_are_states(terms: &Terms, graph: &BlockGraph) -> bool {
    graph.starts().iter().all(|id| {
        let (arc, Some(to)) = (graph.arc(*id), graph.to(*id)) else { return false };
        let live = &graph.point(to).live;
        let values = live.iter().filter_map(|var| arc.values.get(*var));
        let read = terms.free_vars(&values.chain([arc.guard]).collect::<Vec<Term>>());
        read.iter().all(|var| live.contains(var) && arc.values.get(*var).is_none())
    })
}

impl Encoding {
    /// The proof about the program that an inductive invariant of the system is.
    #[must_use]
    pub fn proof(&self, terms: &mut Terms, program: &Program, invariant: Term) -> Proof {
        self.graph.proof(terms, program, |terms, at| self.here(terms, at, invariant))
    }

    /// The trace of the program that a run of the system is: for each step, up to the one in which the
    /// error is seen, the values of the state variables and of the inputs, as far as they matter for the
    /// error. What was chosen before the first state, who solves formulas finds: values of their
    /// variables, if there are some.
    ///
    /// # Errors
    /// If it is none.
    pub fn trace(
        &self,
        terms: &mut Terms,
        program: &Program,
        run: &[FxHashMap<Var, Value>],
        mut solve: impl FnMut(&mut Terms, Term) -> Option<FxHashMap<Var, Value>>,
    ) -> Result<Trace, Refusal> {
        let run = self.whole(terms, run);
        let (last, before) = run.split_last().ok_or(Refusal::NotHere)?;
        let first = run.first().ok_or(Refusal::NotHere)?;
        let begun = self.graph.starts().iter().find_map(|arc| {
            let arrives = self.arrives(terms, *arc, first)?;
            Some(Taken { arc: *arc, values: solve(terms, arrives)? })
        });
        let mut taken = vec![begun.ok_or(Refusal::NotHere)?];
        for values in before {
            let arc = arc_of(terms, &self.steps, values).ok_or(Refusal::NotHere)?;
            taken.push(Taken { arc, values: values.clone() });
        }
        let arc = arc_of(terms, &self.bads, last).ok_or(Refusal::NotHere)?;
        taken.push(Taken { arc, values: last.clone() });
        self.graph.trace(terms, program, &taken)
    }

    /// The run with the values that state variables have which do not matter for the error: other code
    /// may depend on these.
    fn whole(&self, terms: &Terms, run: &[FxHashMap<Var, Value>]) -> Vec<FxHashMap<Var, Value>> {
        let eval = |term: Term, values: &FxHashMap<Var, Value>| {
            let value = |var| values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)));
            terms.eval(term, value)
        };
        let mut whole: Vec<FxHashMap<Var, Value>> = Vec::new();
        for told in run {
            let mut values = told.clone();
            match whole.last() {
                None => values.extend(self.system.init.iter().map(|(var, term)| (*var, eval(*term, told)))),
                Some(before) => {
                    let next = self.system.state.iter().zip(&self.system.next);
                    values.extend(next.map(|((var, _), term)| (*var, eval(*term, before))));
                }
            }
            whole.push(values);
        }
        whole
    }

    /// When an arc from the start leads to a state.
    fn arrives(&self, terms: &mut Terms, arc: ArcId, first: &FxHashMap<Var, Value>) -> Option<Term> {
        let (to, code) = (self.graph.to(arc)?, self.graph.arc(arc));
        let value =
            |terms: &Terms, var| first.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)));
        if let Some(counter) = self.counter {
            let Value::BitVec(at) = value(terms, counter) else { return None };
            if at.to_u64() != Some(to.index() as u64) {
                return None;
            }
        }
        let mut parts = vec![code.guard];
        for var in &self.graph.point(to).live {
            let arrived = code.values.get(*var).unwrap_or_else(|| terms.var(*var));
            let wanted = value(terms, *var);
            let wanted = terms.constant(wanted);
            parts.push(terms.eq(arrived, wanted));
        }
        Some(terms.and(&parts))
    }

    /// What an invariant says at a cut point.
    fn here(&self, terms: &mut Terms, at: PointId, invariant: Term) -> Term {
        let mut map = FxHashMap::default();
        for (var, _) in &self.system.state {
            if Some(*var) == self.counter {
                map.insert(*var, number(terms, *var, at));
            } else if !self.graph.point(at).live.contains(var) {
                map.insert(*var, default(terms, *var));
            }
        }
        terms.substitute(invariant, &map)
    }
}

/// The arc that is taken.
fn arc_of(terms: &Terms, arcs: &[(ArcId, Term)], values: &FxHashMap<Var, Value>) -> Option<ArcId> {
    let value = |var: Var| values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)));
    arcs.iter().find(|(_, taken)| terms.eval(*taken, value).as_bool()).map(|(arc, _)| *arc)
}

/// Arcs, and when each is taken.
type Taking = Vec<(ArcId, Term)>;

struct Encoder<'e> {
    terms: &'e mut Terms,
    graph: &'e BlockGraph,
    counter: Option<Var>,
    state: BTreeSet<Var>,
}

impl Encoder<'_> {
    fn system(&mut self, counter: Option<[Var; 2]>) -> (TransitionSystem, Taking, Taking) {
        let graph = self.graph;
        let mut state: Vec<(Var, Var)> = counter.map(|[now, next]| (now, next)).into_iter().collect();
        for var in &self.state {
            let (name, sort) = (format!("{}'", self.terms.name(*var)), self.terms.var_sort(*var).clone());
            state.push((*var, self.terms.declare(&name, sort)));
        }
        let (mut invariants, mut steps, mut bads) = (Vec::new(), Vec::new(), Vec::new());
        let mut choices = BTreeSet::new();
        for point in &graph.points {
            let here = self.at(point.id);
            invariants.push(self.terms.implies(here, point.invariant));
            for (arc, chosen) in point.out.iter().zip(self.choices(&point.out, &mut choices)) {
                steps.push((*arc, self.terms.and(&[here, graph.arc(*arc).guard, chosen])));
            }
            for arc in &point.bad {
                bads.push((*arc, self.terms.and(&[here, graph.arc(*arc).guard])));
            }
        }
        let next = state.iter().map(|(var, _)| self.next(*var, &steps)).collect();
        let taken: Vec<Term> = steps.iter().map(|(_, taken)| *taken).collect();
        let seen: Vec<Term> = bads.iter().map(|(_, seen)| *seen).collect();
        let (init, start) = self.init();
        let mut system = TransitionSystem {
            state,
            inputs: Vec::new(),
            init,
            start,
            invariant: self.terms.and(&invariants),
            next,
            step: self.terms.or(&taken),
            bad: self.terms.or(&seen),
        };
        let blocks = graph.points.iter().flat_map(|point| point.out.iter().chain(&point.bad));
        let inputs: BTreeSet<Var> = blocks.flat_map(|arc| Block::inputs(graph.block(*arc))).chain(choices).collect();
        let formulas = [system.next.as_slice(), &[system.invariant, system.step, system.bad]].concat();
        system.inputs = self.terms.free_vars(&formulas).intersection(&inputs).copied().collect();
        (system, steps, bads)
    }

    /// For each of the arcs of a cut point, when it is the one to be taken: next states are functions,
    /// so where conditions leave several, inputs choose.
    fn choices(&mut self, arcs: &[ArcId], inputs: &mut BTreeSet<Var>) -> Vec<Term> {
        let guards: Vec<Term> = arcs.iter().map(|arc| self.graph.arc(*arc).guard).collect();
        let truth = self.terms.bool(true);
        let mut exclusive = true;
        for (at, guard) in guards.iter().enumerate() {
            for other in &guards[..at] {
                let both = self.terms.and(&[*guard, *other]);
                exclusive &= self.terms.is_false(both);
            }
        }
        if exclusive {
            return vec![truth; arcs.len()];
        }
        let (mut others, mut found) = (truth, Vec::new());
        for _ in 1..arcs.len() {
            let choice = self.terms.declare("main::$arc", Sort::Bool);
            inputs.insert(choice);
            let this = self.terms.var(choice);
            let not = self.terms.not(this);
            found.push(self.terms.and(&[others, this]));
            others = self.terms.and(&[others, not]);
        }
        found.push(others);
        found
    }

    /// That control is at a cut point.
    fn at(&mut self, at: PointId) -> Term {
        let Some(counter) = self.counter else { return self.terms.bool(true) };
        let (own, number) = (self.terms.var(counter), number(self.terms, counter, at));
        self.terms.eq(own, number)
    }

    /// The value of a variable at the end of an arc. What does not matter there has a fixed one.
    fn value(&mut self, var: Var, arc: ArcId) -> Term {
        let to = self.graph.to(arc).expect("it leads to a cut point");
        if Some(var) == self.counter {
            return number(self.terms, var, to);
        }
        if !self.graph.point(to).live.contains(&var) {
            return default(self.terms, var);
        }
        self.graph.arc(arc).values.get(var).unwrap_or_else(|| self.terms.var(var))
    }

    /// The value of a variable after a step, given when each arc is taken.
    fn next(&mut self, var: Var, steps: &[(ArcId, Term)]) -> Term {
        let mut ways: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
        for (arc, taken) in steps {
            let value = self.value(var, *arc);
            ways.entry(value).or_default().push(*taken);
        }
        let own = self.terms.var(var);
        let mut ways: Vec<(Term, Vec<Term>)> = ways.into_iter().collect();
        // The last need not be asked about: that it stays is the best one for that.
        ways.sort_by_key(|(value, _)| *value == own);
        let mut next = ways.pop().map_or(own, |(value, _)| value);
        for (value, taken) in ways.into_iter().rev() {
            let taken = self.terms.or(&taken);
            next = self.terms.ite(taken, value, next);
        }
        next
    }

    /// Initial values, and what else holds at the start.
    fn init(&mut self) -> (Vec<(Var, Term)>, Term) {
        let graph = self.graph;
        let vars: Vec<Var> = self.counter.into_iter().chain(self.state.iter().copied()).collect();
        let mut ways = Vec::new();
        for start in graph.starts() {
            let values: Vec<(Var, Term)> = vars.iter().map(|var| (*var, self.value(*var, *start))).collect();
            ways.push((graph.arc(*start).guard, values));
        }
        if let [(guard, values)] = &mut ways[..] {
            let (init, others): (Vec<_>, Vec<_>) =
                values.drain(..).partition(|(_, value)| self.terms.value(*value).is_some());
            let mut start = vec![*guard];
            for (var, value) in others {
                let var = self.terms.var(var);
                start.push(self.terms.eq(var, value));
            }
            return (init, self.terms.and(&start));
        }
        let mut cases = Vec::new();
        for (guard, values) in ways {
            let mut parts = vec![guard];
            for (var, value) in values {
                let var = self.terms.var(var);
                parts.push(self.terms.eq(var, value));
            }
            cases.push(self.terms.and(&parts));
        }
        (Vec::new(), self.terms.or(&cases))
    }
}

/// The number of a cut point as a value of the program counter.
fn number(terms: &mut Terms, counter: Var, at: PointId) -> Term {
    let Sort::BitVec(width) = *terms.var_sort(counter) else { unreachable!("declared so") };
    terms.bv(width, at.index() as u64)
}

fn default(terms: &mut Terms, var: Var) -> Term {
    let value = Value::default_of(terms.var_sort(var));
    terms.constant(value)
}

#[cfg(test)]
mod tests;
