//! A counterexample of the Boolean program as formulas: a tree in which a call that returned is a subtree
//! that speaks with the rest only about its inputs and what it returned (Heizmann, Hoenicke,
//! Podelski, *Nested Interpolants*, POPL 2010).
//!
//! Every frame has copies of its inputs and of its current values, and each node stands for the
//! arrival at a cut point: what its subtree and the rest share are the values of that frame there
//! and its inputs, so interpolants become predicates of that place by renaming. What happened
//! before a call that did not return is known in the callee only through its inputs.

use super::skeleton::{Map, Move, MoveId, Skeleton};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_ir::interpreter::Interpreter;
use tamis_ir::{Action, EdgeId, Loc, Op, ProcId, Refusal, Trace};
use tamis_solver::Model;
use tamis_solver::interpolation::Parts;
use tamis_term::{Term, Terms, Value, Var};

/// A step of a counterexample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Move(MoveId),
    /// A call that returned, of which nothing else is told: it may have done anything.
    Skip(MoveId),
    Return,
}

/// The formulas of a counterexample.
#[derive(Default)]
pub(super) struct Path {
    formulas: Vec<Term>,
    parents: Vec<usize>,
    /// For each node, where it is, and what the copies there are called.
    places: Vec<(ProcId, Loc, Map)>,
    /// The copies of what the program starts with.
    start: Map,
    /// What the interpreter is to do, with the copies of values that matter for it.
    deeds: Vec<Deed>,
}

enum Deed {
    /// An arc, with the copies of the values before it and of what is chosen.
    Arc {
        proc: ProcId,
        cut: usize,
        arc: usize,
        values: Map,
    },
    /// A call, with the copies of what it leaves arbitrary.
    Call {
        edge: EdgeId,
        inputs: Vec<Term>,
    },
    Return,
}

/// A procedure that runs.
struct Frame {
    proc: ProcId,
    at: Loc,
    /// Copies of inputs, by their names.
    inputs: Map,
    /// Copies of current values.
    now: Map,
    /// The last node.
    node: Option<usize>,
    /// The call that it waits for, if it waits.
    calling: Option<EdgeId>,
}

impl Path {
    /// The formulas of the steps.
    pub fn new(terms: &mut Terms, skeleton: &Skeleton<'_>, steps: &[Step]) -> Path {
        let mut path = Path::default();
        let returns = returning(skeleton, steps);
        let first = enter(terms, skeleton, skeleton.program.main);
        path.start.clone_from(&first.now);
        let mut stack = vec![first];
        for (at, step) in steps.iter().enumerate() {
            let Some(mut frame) = stack.pop() else { break };
            match *step {
                Step::Move(MoveId(number)) => match skeleton.moves[number] {
                    Move::Arc { proc, cut, arc } => {
                        path.arc(terms, skeleton, &mut frame, proc, cut, arc);
                        stack.push(frame);
                    }
                    Move::Call(edge) => {
                        let call = skeleton.call(edge);
                        let mut callee = enter(terms, skeleton, call.callee);
                        let inputs = skeleton.program.proc(call.callee).inputs().map(|var| callee.now[var]).collect();
                        path.deeds.push(Deed::Call { edge, inputs });
                        if !returns[at] {
                            let binding = bind(terms, skeleton, &frame, &callee, edge);
                            callee.node = Some(path.node(terms, &callee, binding, frame.node.as_slice()));
                        }
                        frame.calling = Some(edge);
                        stack.extend([frame, callee]);
                    }
                },
                Step::Skip(MoveId(number)) => {
                    if let Move::Call(edge) = skeleton.moves[number] {
                        path.skip(terms, skeleton, &mut frame, edge);
                    }
                    stack.push(frame);
                }
                Step::Return => {
                    if let Some(mut caller) = stack.pop() {
                        path.comes_back(terms, skeleton, &mut caller, &frame);
                        stack.push(caller);
                    }
                    path.deeds.push(Deed::Return);
                }
            }
        }
        path
    }

    fn arc(
        &mut self,
        terms: &mut Terms,
        skeleton: &Skeleton<'_>,
        frame: &mut Frame,
        proc: ProcId,
        cut: usize,
        arc: usize,
    ) {
        let (block, step) = skeleton.arc(proc, cut, arc);
        let mut values = frame.now.clone();
        for input in block.inputs() {
            values.insert(input, copy(terms, input));
        }
        let mut parts = vec![terms.substitute(step.guard, &values)];
        let mut new = Map::default();
        let changed: BTreeMap<Var, Term> = step.values.pairs().into_iter().collect();
        for (var, value) in changed {
            let value = terms.substitute(value, &values);
            let own = copy(terms, var);
            parts.push(terms.eq(own, value));
            new.insert(var, own);
        }
        parts.extend(advance(terms, skeleton, frame, step.to, new));
        let formula = terms.and(&parts);
        let before = frame.node;
        frame.node = Some(self.node(terms, frame, formula, before.as_slice()));
        self.deeds.push(Deed::Arc { proc, cut, arc, values });
    }

    /// The caller goes on with anything that the callee can leave behind.
    fn skip(&mut self, terms: &mut Terms, skeleton: &Skeleton<'_>, frame: &mut Frame, edge: EdgeId) {
        let call = skeleton.call(edge);
        let globals = skeleton.program.globals.iter().filter(|global| skeleton.touches(call.callee, **global));
        let left = globals.chain(call.results);
        let new = left.map(|var| (*var, copy(terms, *var))).collect();
        let equations = advance(terms, skeleton, frame, call.edge.to, new);
        let formula = terms.and(&equations);
        let before = frame.node;
        frame.node = Some(self.node(terms, frame, formula, before.as_slice()));
    }

    /// The caller goes on with what the callee left behind.
    fn comes_back(&mut self, terms: &mut Terms, skeleton: &Skeleton<'_>, caller: &mut Frame, ended: &Frame) {
        let Some(edge) = caller.calling.take() else { return };
        let call = skeleton.call(edge);
        let mut parts = vec![bind(terms, skeleton, caller, ended, edge)];
        let mut new = Map::default();
        for global in skeleton.program.globals.iter().filter(|global| skeleton.touches(call.callee, **global)) {
            new.insert(*global, ended.now[global]);
        }
        for (result, target) in skeleton.program.proc(call.callee).results.iter().zip(call.results) {
            new.insert(*target, ended.now[result]);
        }
        parts.extend(advance(terms, skeleton, caller, call.edge.to, new));
        let formula = terms.and(&parts);
        let children: Vec<usize> = caller.node.into_iter().chain(ended.node).collect();
        caller.node = Some(self.node(terms, caller, formula, &children));
    }

    fn node(&mut self, terms: &mut Terms, frame: &Frame, formula: Term, children: &[usize]) -> usize {
        let number = self.formulas.len();
        self.formulas.push(formula);
        self.parents.push(number);
        for child in children {
            self.parents[*child] = number;
        }
        // Inputs come last: what has an input's copy is called by the input's name.
        let names = frame.now.iter().map(|(var, copy)| (*var, *copy)).collect::<BTreeMap<Var, Term>>();
        let inputs = frame.inputs.iter().map(|(old, copy)| (*old, *copy)).collect::<BTreeMap<Var, Term>>();
        let mut back = Map::default();
        for (name, copy) in names.into_iter().chain(inputs) {
            for var in terms.free_vars(&[copy]) {
                back.insert(var, terms.var(name));
            }
        }
        self.places.push((frame.proc, frame.at, back));
        number
    }

    /// The formulas in their tree.
    pub fn parts(&self) -> Parts {
        let inner = self.parents.len().saturating_sub(1);
        Parts { formulas: self.formulas.clone(), parents: self.parents[..inner].to_vec() }
    }

    /// What a node's interpolant says about any arrival there; nothing if it speaks about what is
    /// not known there.
    pub fn back(&self, terms: &mut Terms, node: usize, interpolant: Term) -> Option<(ProcId, Loc, Term)> {
        let (proc, loc, names) = &self.places[node];
        let known = terms.free_vars(&[interpolant]).iter().all(|var| names.contains_key(var));
        known.then(|| (*proc, *loc, terms.substitute(interpolant, names)))
    }

    /// The run of the program that a model of all formulas is.
    ///
    /// # Errors
    /// If the interpreter refuses it.
    pub fn trace(&self, terms: &Terms, skeleton: &Skeleton<'_>, model: &dyn Model) -> Result<Trace, Refusal> {
        let program = skeleton.program;
        let mut interpreter = Interpreter::new(terms, program);
        let value = |map: &Map, var: Var| match map.get(&var) {
            Some(copy) => model.eval(terms, *copy),
            None => Value::default_of(terms.var_sort(var)),
        };
        let start = interpreter.start_vars().into_iter().map(|var| value(&self.start, var)).collect();
        let mut actions = Vec::new();
        for deed in &self.deeds {
            match deed {
                Deed::Return => actions.push(Action::Return),
                Deed::Call { edge, inputs } => {
                    let inputs = inputs.iter().map(|copy| model.eval(terms, *copy)).collect();
                    actions.push(Action::Take { edge: *edge, inputs });
                }
                Deed::Arc { proc, cut, arc, values } => {
                    let (block, arc) = skeleton.arc(*proc, *cut, *arc);
                    let chosen: FxHashMap<(EdgeId, Var), Var> = block.chosen.iter().copied().collect();
                    for edge in block.path(terms, program, arc, &|var| value(values, var)) {
                        let inputs = match &program.edge(edge).op {
                            Op::Havoc(vars) => vars.iter().map(|var| value(values, chosen[&(edge, *var)])).collect(),
                            Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => Vec::new(),
                        };
                        actions.push(Action::Take { edge, inputs });
                    }
                }
            }
        }
        interpreter.record(start, actions).map_err(|(_, refusal)| refusal)
    }
}

/// The frame of a procedure at its entry.
fn enter(terms: &mut Terms, skeleton: &Skeleton<'_>, proc: ProcId) -> Frame {
    let procedure = skeleton.program.proc(proc);
    let (mut inputs, mut now) = (Map::default(), Map::default());
    for var in skeleton.inputs(proc) {
        let copy = copy(terms, var);
        inputs.insert(skeleton.old[&var], copy);
        now.insert(var, copy);
    }
    for var in procedure.inputs() {
        now.insert(*var, copy(terms, *var));
    }
    Frame { proc, at: procedure.entry, inputs, now, node: None, calling: None }
}

/// Goes on to another cut point, with new values. What the procedure may write and has its
/// input's copy gets its own: returns these equations.
fn advance(terms: &mut Terms, skeleton: &Skeleton<'_>, frame: &mut Frame, to: Loc, new: Map) -> Vec<Term> {
    let mut equations = Vec::new();
    if frame.at == skeleton.program.proc(frame.proc).entry {
        let touched = skeleton.inputs(frame.proc).filter(|var| skeleton.touches(frame.proc, *var));
        for var in touched.filter(|var| !new.contains_key(var)) {
            let own = copy(terms, var);
            equations.push(terms.eq(own, frame.now[&var]));
            frame.now.insert(var, own);
        }
    }
    frame.now.extend(new);
    frame.at = to;
    equations
}

/// For each step, whether it is a call that returns.
fn returning(skeleton: &Skeleton<'_>, steps: &[Step]) -> Vec<bool> {
    let mut returns = vec![false; steps.len()];
    let mut open = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match *step {
            Step::Move(MoveId(number)) => {
                if matches!(skeleton.moves[number], Move::Call(_)) {
                    open.push(at);
                }
            }
            Step::Skip(_) => {}
            Step::Return => {
                if let Some(call) = open.pop() {
                    returns[call] = true;
                }
            }
        }
    }
    returns
}

/// The inputs of a callee are what the caller gives it.
fn bind(terms: &mut Terms, skeleton: &Skeleton<'_>, caller: &Frame, entered: &Frame, edge: EdgeId) -> Term {
    let call = skeleton.call(edge);
    let mut equations = Vec::new();
    let args = terms.substitute_all(call.args, &caller.now);
    for (param, arg) in skeleton.program.proc(call.callee).params.iter().zip(args) {
        equations.push(terms.eq(entered.inputs[&skeleton.old[param]], arg));
    }
    for global in &skeleton.program.globals {
        equations.push(terms.eq(entered.inputs[&skeleton.old[global]], caller.now[global]));
    }
    terms.and(&equations)
}

fn copy(terms: &mut Terms, var: Var) -> Term {
    let (name, sort) = (terms.name(var).to_owned(), terms.var_sort(var).clone());
    let copy = terms.declare(&name, sort);
    terms.var(copy)
}
