//! The way back: an invariant of the system becomes a proof about the program, a run of the
//! system a trace.

use super::block::{Arc, Block};
use super::{Extracted, Frame, Frames};
use crate::evidence::{Action, Proof, Trace};
use crate::interpreter::Interpreter;
use crate::program::{EdgeId, Loc, Op, Program};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Sort, Term, Terms, Value, Var};

impl Extracted {
    /// The proof about the program that an inductive invariant of the system is: the invariant at
    /// cut points and while values are chosen there, and weakest preconditions between.
    #[must_use]
    pub fn proof(&self, terms: &mut Terms, program: &Program, invariant: Term) -> Proof {
        let mut proof = Proof::default();
        let main = program.proc(program.main);
        let always = terms.bool(true);
        let mut known: BTreeMap<Loc, Term> = BTreeMap::new();
        for (number, cut) in self.cuts.locs.iter().enumerate() {
            let here = self.here(terms, number, invariant);
            known.insert(*cut, here);
            let mut parts = vec![here];
            for id in &self.cuts.prefixes[number] {
                match &program.edge(*id).op {
                    Op::Assume(condition) => parts.push(*condition),
                    Op::Havoc(vars) => {
                        // What was assumed about other values of these is forgotten; the invariant
                        // does not speak about them.
                        let about = |part: &Term| terms.free_vars(&[*part]).iter().any(|var| vars.contains(var));
                        parts.retain(|part| *part == here || !about(part));
                    }
                    Op::Assign(_) | Op::Call { .. } => unreachable!("a prefix chooses and assumes"),
                }
                known.insert(program.edge(*id).to, terms.and(&parts));
            }
        }
        let never = terms.bool(false);
        // An error that no edge leads to is no place that a proof may speak about.
        let reached = self.errors.iter().filter(|error| self.cuts.into.contains_key(*error));
        known.extend(reached.map(|error| (*error, never)));
        for loc in self.backward(program) {
            if !known.contains_key(&loc) {
                let weakest = self.weakest(terms, program, loc, &known);
                known.insert(loc, weakest);
            }
        }
        if self.prologue.is_some() {
            known.insert(main.entry, always);
        }
        proof.invariants = known;
        proof.summaries.insert(program.main, always);
        proof
    }

    /// What an invariant says at a cut point.
    fn here(&self, terms: &mut Terms, number: usize, invariant: Term) -> Term {
        let mut map = FxHashMap::default();
        if let Some(control) = self.control {
            let Sort::BitVec(width) = *terms.var_sort(control) else { unreachable!("declared so") };
            map.insert(control, terms.bv(width, number as u64));
        }
        for (var, _) in &self.system.state {
            if Some(*var) != self.control && !self.live[number].contains(var) {
                let value = Value::default_of(terms.var_sort(*var));
                map.insert(*var, terms.constant(value));
            }
        }
        terms.substitute(invariant, &map)
    }

    /// All locations that control can come to, each after those that it leads to, but for cuts.
    fn backward(&self, program: &Program) -> Vec<Loc> {
        let entry = program.proc(program.main).entry;
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        for start in self.cuts.locs.iter().copied().chain([entry]) {
            if !seen.insert(start) {
                continue;
            }
            let mut stack = vec![(start, 0)];
            while let Some((loc, next)) = stack.last_mut() {
                let edge = self.cuts.out(*loc).get(*next);
                *next += 1;
                match edge.map(|id| program.edge(*id).to) {
                    None => {
                        order.push(*loc);
                        stack.pop();
                    }
                    Some(to) if self.cuts.number(to).is_none() && seen.insert(to) => stack.push((to, 0)),
                    Some(_) => {}
                }
            }
        }
        order
    }

    /// What must hold at a location so that the rest goes well.
    fn weakest(&self, terms: &mut Terms, program: &Program, loc: Loc, known: &BTreeMap<Loc, Term>) -> Term {
        let always = terms.bool(true);
        let mut demands = Vec::new();
        for id in self.cuts.out(loc) {
            let edge = program.edge(*id);
            let after = known.get(&edge.to).copied().unwrap_or(always);
            demands.push(match &edge.op {
                Op::Assume(condition) => terms.implies(*condition, after),
                Op::Assign(pairs) => terms.substitute(after, &pairs.iter().copied().collect()),
                Op::Havoc(_) | Op::Call { .. } => unreachable!("choices are made at cut points"),
            });
        }
        terms.and(&demands)
    }

    /// The trace of the program that a run of the system is, if it is one.
    #[must_use]
    pub fn trace(&self, terms: &Terms, program: &Program, run: &Frames) -> Option<Trace> {
        let mut interpreter = Interpreter::new(terms, program);
        let vars = interpreter.start_vars();
        let first = run.0.first()?;
        let (start, mut actions) = match &self.prologue {
            None => (first.state.iter().cloned().collect::<FxHashMap<Var, Value>>(), Vec::new()),
            Some(block) => self.begin(terms, program, block, first)?,
        };
        for (at, frame) in run.0.iter().enumerate() {
            let values = self.values(frame, run.0.get(at + 1));
            let block = &self.blocks[self.number(frame)?];
            let holds = |arc: &&Arc| {
                terms.eval(arc.guard, |var| lookup(terms, &values, var)).as_bool()
                    && match run.0.get(at + 1) {
                        None => self.errors.contains(&arc.to),
                        Some(next) => self.leads(terms, arc, &values, next),
                    }
            };
            let arc = block.arcs.iter().find(holds)?;
            let prefix = &self.cuts.prefixes[self.number(frame)?];
            let edges = prefix.iter().copied().chain(path(terms, program, block, arc, &values));
            actions.extend(edges.map(|id| self.action(terms, program, id, &values)));
        }
        let value = |var: &Var| start.get(var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(*var)));
        interpreter.record(vars.iter().map(value).collect(), actions).ok()
    }

    /// The start of a run that comes to the first frame, and what happens before it.
    fn begin(
        &self,
        terms: &Terms,
        program: &Program,
        block: &Block,
        first: &Frame,
    ) -> Option<(FxHashMap<Var, Value>, Vec<Action>)> {
        let state: FxHashMap<Var, Value> = first.state.iter().cloned().collect();
        for (arc, names) in block.arcs.iter().zip(&self.renamed) {
            let start: FxHashMap<Var, Value> =
                names.iter().filter_map(|(was, is)| Some((*was, state.get(is)?.clone()))).collect();
            let taken = terms.eval(arc.guard, |var| lookup(terms, &start, var)).as_bool();
            if taken && self.leads(terms, arc, &start, first) {
                let edges = path(terms, program, block, arc, &start);
                let actions = edges.into_iter().map(|id| self.action(terms, program, id, &start)).collect();
                return Some((start, actions));
            }
        }
        None
    }

    /// The cut point at which a frame is.
    fn number(&self, frame: &Frame) -> Option<usize> {
        let Some(control) = self.control else { return Some(0) };
        let (_, value) = frame.state.iter().find(|(var, _)| *var == control)?;
        let Value::BitVec(number) = value else { return None };
        usize::try_from(number.to_u64()?).ok().filter(|number| *number < self.blocks.len())
    }

    /// All values of a frame, and those of inputs that only the next one tells.
    fn values(&self, frame: &Frame, next: Option<&Frame>) -> FxHashMap<Var, Value> {
        let mut values: FxHashMap<Var, Value> = frame.state.iter().chain(&frame.inputs).cloned().collect();
        for (input, var) in &self.from_next {
            if let Some((_, value)) = next.and_then(|next| next.state.iter().find(|(other, _)| other == var)) {
                values.insert(*input, value.clone());
            }
        }
        values
    }

    /// Whether an arc ends in the next frame.
    fn leads(&self, terms: &Terms, arc: &Arc, values: &FxHashMap<Var, Value>, next: &Frame) -> bool {
        let Some(number) = self.cuts.number(arc.to) else { return false };
        self.number(next) == Some(number)
            && next.state.iter().filter(|(var, _)| self.live[number].contains(var)).all(|(var, value)| {
                let found = arc.values.get(var).map(|term| terms.eval(*term, |var| lookup(terms, values, var)));
                found.unwrap_or_else(|| lookup(terms, values, *var)) == *value
            })
    }

    fn action(&self, terms: &Terms, program: &Program, edge: EdgeId, values: &FxHashMap<Var, Value>) -> Action {
        let inputs = match &program.edge(edge).op {
            Op::Havoc(vars) => {
                let chosen = |var: &Var| match self.chosen.get(&(edge, *var)) {
                    Some(input) => lookup(terms, values, *input),
                    None => Value::default_of(terms.var_sort(*var)),
                };
                vars.iter().map(chosen).collect()
            }
            Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => Vec::new(),
        };
        Action::Take { edge, inputs }
    }
}

fn lookup(terms: &Terms, values: &FxHashMap<Var, Value>, var: Var) -> Value {
    values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)))
}

/// The edges of a block up to and including an arc's.
fn path(terms: &Terms, program: &Program, block: &Block, arc: &Arc, values: &FxHashMap<Var, Value>) -> Vec<EdgeId> {
    let mut edges = vec![arc.edge];
    let mut at = program.edge(arc.edge).from;
    while let Some(ways) = block.between.get(&at) {
        let taken = |(_, guard): &&(EdgeId, Term)| terms.eval(*guard, |var| lookup(terms, values, var)).as_bool();
        // The way whose values were taken where ways meet is the first.
        let Some((id, _)) = ways.iter().find(taken) else { break };
        edges.push(*id);
        at = program.edge(*id).from;
    }
    edges.reverse();
    edges
}
