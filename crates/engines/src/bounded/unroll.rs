//! Unrolling: all that can happen up to a number of rounds of loops and calls of recursive
//! procedures, as one symbolic state for each place.

use super::guard::{Guard, Guards, are_opposite};
use super::order::{Order, Place};
use super::state::{Frame, Relevant, State, merge};
use super::trace::{History, Stop, Way};
use std::collections::BTreeMap;
use std::rc::Rc;
use tamis_cegar::{Context, Outcome};
use tamis_ir::analysis::Liveness;
use tamis_ir::graph::{Flow, LocSet};
use tamis_ir::{Edge, EdgeId, Loc, Op, ProcId, Program};
use tamis_term::{Sort, Substitution, Term, Terms, Var};

/// How many places are visited between two looks at the budget.
const LOOK: usize = 64;

/// What was unrolled so far.
pub(super) struct Unroller<'p> {
    program: &'p Program,
    flow: Flow,
    order: Order,
    relevant: Relevant,
    /// By procedure: whether it, or one that it calls, writes a global.
    modified: Vec<Vec<Var>>,
    errors: LocSet,
    pub(super) guards: Guards,
    pub(super) history: History,
    /// Where unrolling goes on.
    pub(super) frontier: Frontier,
}

/// The states at places that wait.
pub(super) type Frontier = BTreeMap<Place, Waiting>;

/// The states that came to a place.
pub(super) struct Waiting {
    stop: Stop,
    pub(super) states: Vec<State>,
}

/// When a state is at a place.
#[derive(Clone, Copy)]
enum When {
    /// In this round.
    Now,
    /// In the next.
    Later,
}

/// A way that leaves a place.
struct Leaving {
    edge: EdgeId,
    condition: Option<Term>,
}

impl<'p> Unroller<'p> {
    pub(super) fn new(terms: &mut Terms, program: &'p Program, errors: &[Loc]) -> Unroller<'p> {
        let flow = Flow::new(program);
        let liveness = Liveness::new(terms, program);
        let live = (0..program.locs.len()).map(|loc| liveness.live(Loc::new(loc)).collect()).collect();
        let modified = program
            .procs()
            .map(|(id, _)| program.globals.iter().copied().filter(|global| liveness.modifies(id, *global)).collect());
        let mut unroller = Unroller {
            program,
            order: Order::new(program, &flow),
            relevant: Relevant { live },
            modified: modified.collect(),
            errors: LocSet::of(program, errors),
            guards: Guards::new(terms),
            history: History::default(),
            frontier: Frontier::new(),
            flow,
        };
        unroller.start(terms);
        unroller
    }

    fn start(&mut self, terms: &mut Terms) {
        let loc = self.program.proc(self.program.main).entry;
        let mut values = Substitution::default();
        for var in self.relevant.at(loc).clone() {
            let input = input(terms, var);
            values.insert(var, terms.var(input));
            self.history.start.push((var, input));
        }
        let state = State { loc, guard: Guard::ALWAYS, values, frames: Vec::new() };
        let stop = self.history.stop();
        self.frontier.insert(self.order.start(loc), Waiting { stop, states: vec![state] });
    }

    /// The one state that several are at a place.
    pub(super) fn merged(&mut self, terms: &mut Terms, states: Vec<State>) -> Option<State> {
        let program = self.program;
        merge(terms, &mut self.guards, &self.relevant, |call| program.edge(call).to, states)
    }

    /// Goes on until every state is at the next round of a loop, in the next call of a recursive
    /// procedure, or at an error. Returns when errors are reached.
    pub(super) fn round(&mut self, ctx: &mut Context) -> Outcome<Vec<Term>> {
        ctx.budget.check()?;
        let mut now = std::mem::take(&mut self.frontier);
        let mut errors = Vec::new();
        let mut count = 0_usize;
        while let Some((place, Waiting { stop, states })) = now.pop_first() {
            count += 1;
            if count.is_multiple_of(LOOK) {
                ctx.budget.check()?;
            }
            ctx.statistics.states += 1;
            ctx.budget.check_states(ctx.statistics.states)?;
            let Some(state) = self.merged(&mut ctx.terms, states) else { continue };
            if self.errors.contains(state.loc) {
                errors.push(self.guards.whole(state.guard));
                continue;
            }
            self.leave(&mut ctx.terms, &mut now, &place, stop, state);
        }
        Ok(errors)
    }

    /// All ways that leave a place.
    fn leave(&mut self, terms: &mut Terms, now: &mut Frontier, place: &Place, stop: Stop, state: State) {
        if self.flow.exit_of(state.loc).is_some() {
            self.give_back(terms, now, place, stop, state);
            return;
        }
        let ways = self.open(terms, &state);
        let decided = match ways.as_slice() {
            [] | [_] => true,
            [Leaving { condition: Some(a), .. }, Leaving { condition: Some(b), .. }] => are_opposite(terms, *a, *b),
            _ => false,
        };
        let last = ways.len().saturating_sub(1);
        let mut others = state.guard;
        for (at, way) in ways.into_iter().enumerate() {
            let mut guard = others;
            let selector = (!decided && at < last).then(|| terms.declare("$way", Sort::Bool));
            if let Some(selector) = selector {
                let this = terms.var(selector);
                let not = terms.not(this);
                guard = self.guards.and(terms, others, this);
                others = self.guards.and(terms, others, not);
            }
            if let Some(condition) = way.condition {
                guard = self.guards.and(terms, guard, condition);
            }
            if !terms.is_false(self.guards.whole(guard)) {
                self.take(terms, now, (place, stop), State { guard, ..state.clone() }, way.edge, selector);
            }
        }
    }

    /// The edges that leave a state, without those whose condition cannot hold.
    fn open(&self, terms: &mut Terms, state: &State) -> Vec<Leaving> {
        let mut ways = Vec::new();
        for edge in self.flow.out_edges(state.loc) {
            let condition = match self.program.edge(*edge).op {
                Op::Assume(condition) => Some(terms.substitute(condition, &state.values)),
                Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => None,
            };
            if !condition.is_some_and(|condition| terms.is_false(condition)) {
                ways.push(Leaving { edge: *edge, condition });
            }
        }
        ways
    }

    /// Follows an edge whose condition is part of the state's guard.
    fn take(
        &mut self,
        terms: &mut Terms,
        now: &mut Frontier,
        (place, stop): (&Place, Stop),
        mut state: State,
        id: EdgeId,
        selector: Option<Var>,
    ) {
        let edge = self.program.edge(id);
        let mut chosen = Vec::new();
        match &edge.op {
            Op::Assume(_) => {}
            Op::Assign(pairs) => {
                let live = self.relevant.at(edge.to);
                let (vars, values): (Vec<Var>, Vec<Term>) =
                    pairs.iter().copied().filter(|(var, _)| live.contains(var)).unzip();
                let values = terms.substitute_all(&values, &state.values);
                if !vars.is_empty() {
                    state.values.extend(vars.into_iter().zip(values));
                }
            }
            Op::Havoc(vars) => {
                let live = self.relevant.at(edge.to);
                chosen = choose(terms, &mut state.values, vars.iter().filter(|var| live.contains(var)));
            }
            Op::Call { callee, args, .. } => {
                let to = self.program.proc(*callee).entry;
                let chosen = self.enter(terms, &mut state, id, *callee, args);
                let there = self.order.called(place, id.index, to);
                let when = if self.order.is_recursive(*callee) { When::Later } else { When::Now };
                self.arrive(now, there, state, when, (stop, Way { edge: Some(id), selector, chosen }));
                return;
            }
        }
        let when = self.when(edge);
        state.loc = edge.to;
        self.arrive(
            now,
            self.order.moved(place, edge.to),
            state,
            when,
            (stop, Way { edge: Some(id), selector, chosen }),
        );
    }

    /// Suspends the caller and gives the callee its variables. Returns what is chosen.
    fn enter(
        &self,
        terms: &mut Terms,
        state: &mut State,
        id: EdgeId,
        callee: ProcId,
        args: &[Term],
    ) -> Vec<(Var, Var)> {
        let proc = self.program.proc(callee);
        let live = self.relevant.at(proc.entry);
        let mut values = Substitution::default();
        let wanted = proc.params.iter().copied().zip(args.iter().copied());
        let (params, args): (Vec<Var>, Vec<Term>) = wanted.filter(|(param, _)| live.contains(param)).unzip();
        let args = terms.substitute_all(&args, &state.values);
        values.extend(params.into_iter().zip(args));
        let globals = live.iter().filter_map(|var| Some((*var, state.values.get(*var)?)));
        values.extend(globals.filter(|(var, _)| self.program.globals.contains(var)).collect::<Vec<_>>());
        let chosen = choose(terms, &mut values, proc.inputs().filter(|var| live.contains(var)));
        let after = self.relevant.at(self.program.edge(id).to);
        let modified = &self.modified[callee.index()];
        let kept = after.iter().filter(|var| !modified.contains(var));
        let kept = kept.filter_map(|var| Some((*var, state.values.get(*var)?))).collect();
        state.frames.push(Rc::new(Frame { call: id, kept }));
        state.loc = proc.entry;
        state.values = values;
        chosen
    }

    /// Returns to the caller, if there is one.
    fn give_back(&mut self, terms: &mut Terms, now: &mut Frontier, place: &Place, stop: Stop, mut state: State) {
        let Some(frame) = state.frames.pop() else { return };
        let edge = self.program.edge(frame.call);
        let Op::Call { callee, results, .. } = &edge.op else { unreachable!("only calls suspend a caller") };
        let mut values = frame.kept.clone();
        let live = self.relevant.at(edge.to);
        for var in self.modified[callee.index()].iter().filter(|var| live.contains(var)) {
            values.insert(*var, state.values.get(*var).unwrap_or_else(|| terms.var(*var)));
        }
        let delivered = results.iter().zip(&self.program.proc(*callee).results);
        for (var, result) in delivered.filter(|(var, _)| live.contains(var)) {
            values.insert(*var, state.values.get(*result).unwrap_or_else(|| terms.var(*result)));
        }
        state.values = values;
        state.loc = edge.to;
        let when = self.when(edge);
        self.arrive(
            now,
            self.order.returned(place, edge.to),
            state,
            when,
            (stop, Way { edge: None, selector: None, chosen: Vec::new() }),
        );
    }

    /// When the end of an edge is reached.
    fn when(&self, edge: &Edge) -> When {
        if self.order.closes_loop(edge.from, edge.to) { When::Later } else { When::Now }
    }

    /// A state comes to a place.
    fn arrive(&mut self, now: &mut Frontier, place: Place, state: State, when: When, (from, way): (Stop, Way)) {
        let waiting = match when {
            When::Now => now,
            When::Later => &mut self.frontier,
        };
        let history = &mut self.history;
        let there = waiting.entry(place).or_insert_with(|| Waiting { stop: history.stop(), states: Vec::new() });
        there.states.push(state);
        let to = there.stop;
        history.lead(from, way, to);
    }

    /// The guard of a state as a formula.
    pub(super) fn reached(&self, guard: Guard) -> Term {
        self.guards.whole(guard)
    }
}

/// A fresh input for a variable.
fn input(terms: &mut Terms, var: Var) -> Var {
    let (name, sort) = (terms.name(var).to_owned(), terms.var_sort(var).clone());
    terms.declare(&name, sort)
}

/// Gives variables arbitrary values. Returns the input of each.
fn choose<'v>(terms: &mut Terms, values: &mut Substitution, vars: impl Iterator<Item = &'v Var>) -> Vec<(Var, Var)> {
    let mut chosen = Vec::new();
    for var in vars {
        let input = input(terms, *var);
        values.insert(*var, terms.var(input));
        chosen.push((*var, input));
    }
    chosen
}
