//! The intervals that variables are in at each location of a procedure, so that wrap-around which
//! cannot happen can be left out (Cousot and Cousot, "Static determination of dynamic properties
//! of programs", 1976: intervals, with widening to the constants of the program).
//!
//! Every procedure is looked at for itself, with any values at its entry; a call leaves the
//! globals and what takes its results arbitrary. Arithmetic is the machine's in any case: the
//! intervals are conjoined to proofs, which the machine has to accept.

use super::choice::{Reading, Stand};
use super::forward::Forward;
use super::interval::Interval;
use crate::analysis::Liveness;
use crate::graph::Flow;
use crate::program::{EdgeId, Loc, Op, Program};
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Term, Value, Var};

/// The intervals of words, in their readings; the whole range for those not listed.
pub(super) type State = BTreeMap<Var, Interval>;

/// Visits of a location after which its intervals grow to the next constants, and to the ends.
const CONSTANTS_AFTER: u32 = 3;
const ENDS_AFTER: u32 = 16;

/// The intervals at every location, for variables that are live there; nothing where control
/// does not come.
pub(super) fn ranges(forward: &mut Forward, program: &Program, live: &Liveness) -> Vec<Option<State>> {
    let count = program.locs.len();
    let constants = constants(forward, program);
    let flow = Flow::new(program);
    let (states, visits) = (vec![None; count], vec![0; count]);
    let mut finder = Finder { forward, program, live, flow, constants, states, visits, work: BTreeSet::new() };
    for proc in &program.procs {
        finder.arrive(proc.entry, State::new());
    }
    while let Some(loc) = finder.work.pop_first() {
        for id in finder.flow.out_edges(loc).to_vec() {
            if let Some(state) = finder.take(id) {
                finder.arrive(program.edge(id).to, state);
            }
        }
    }
    finder.states
}

/// The numbers that the program's constants stand for, and their neighbours.
fn constants(forward: &Forward, program: &Program) -> BTreeSet<BigInt> {
    let mut found = BTreeSet::new();
    for term in post_order(forward.terms, &super::choice::roots(program)) {
        if let Some(Value::BitVec(word)) = forward.terms.value(term) {
            for number in [Reading::Signed, Reading::Unsigned].map(|reading| reading.number(word)) {
                found.extend([&number - 1_u32, &number + 1_u32, number]);
            }
        }
    }
    found
}

struct Finder<'f, 't, 'p> {
    forward: &'f mut Forward<'t>,
    program: &'p Program,
    live: &'f Liveness,
    flow: Flow,
    constants: BTreeSet<BigInt>,
    states: Vec<Option<State>>,
    visits: Vec<u32>,
    work: BTreeSet<Loc>,
}

impl Finder<'_, '_, '_> {
    fn stand(&self, var: Var) -> Option<Stand> {
        self.forward.choice().stands.get(&var).copied()
    }

    /// Control comes to a location with these intervals.
    fn arrive(&mut self, loc: Loc, mut state: State) {
        let live: BTreeSet<Var> = self.live.live(loc).collect();
        state.retain(|var, _| live.contains(var));
        let next = match &self.states[loc.index()] {
            None => state,
            Some(old) => self.join(old, &state, self.visits[loc.index()]),
        };
        if self.states[loc.index()].as_ref() != Some(&next) {
            self.states[loc.index()] = Some(next);
            self.visits[loc.index()] += 1;
            self.work.insert(loc);
        }
    }

    /// Intervals around both; what grows, grows farther the more often that happened.
    fn join(&self, old: &State, new: &State, visits: u32) -> State {
        let mut joined = State::new();
        for (var, before) in old {
            let (Some(now), Some(stand)) = (new.get(var), self.stand(*var)) else { continue };
            let whole = stand.range();
            let mut hull = before.hull(now);
            if visits >= CONSTANTS_AFTER {
                let near = visits < ENDS_AFTER;
                if hull.lo < before.lo {
                    let below = self.constants.range(..=hull.lo.clone()).next_back().filter(|_| near);
                    hull.lo.clone_from(below.unwrap_or(&whole.lo).max(&whole.lo));
                }
                if hull.hi > before.hi {
                    let above = self.constants.range(hull.hi.clone()..).next().filter(|_| near);
                    hull.hi.clone_from(above.unwrap_or(&whole.hi).min(&whole.hi));
                }
            }
            if hull != whole {
                joined.insert(*var, hull);
            }
        }
        joined
    }

    /// The intervals after an edge, if it can be taken.
    fn take(&mut self, id: EdgeId) -> Option<State> {
        let edge = self.program.edge(id);
        let mut state = self.states[edge.from.index()].clone()?;
        match &edge.op {
            Op::Assume(condition) => self.assume(&mut state, *condition)?,
            Op::Assign(pairs) => {
                self.forward.set_ranges(&state);
                let values: Vec<(Var, Option<Interval>)> =
                    pairs.iter().map(|(var, v)| (*var, self.value(*var, *v))).collect();
                for (var, range) in values {
                    set(&mut state, var, range);
                }
            }
            Op::Havoc(vars) => vars.iter().for_each(|var| set(&mut state, *var, None)),
            Op::Call { results, .. } => {
                let globals = &self.program.globals;
                globals.iter().chain(results).for_each(|var| set(&mut state, *var, None));
            }
        }
        Some(state)
    }

    /// The interval of what a variable is given, if it is not its whole range.
    fn value(&mut self, var: Var, value: Term) -> Option<Interval> {
        let stand = self.stand(var)?;
        let range = self.forward.range(value, stand.reading);
        (range != stand.range()).then_some(range)
    }

    /// Cuts the intervals to what a condition allows, unless it allows nothing.
    fn assume(&mut self, state: &mut State, condition: Term) -> Option<()> {
        let mut stack = vec![(condition, true)];
        while let Some((term, holds)) = stack.pop() {
            match self.forward.terms.node(term).clone() {
                Node::Const(Value::Bool(value)) if value != holds => return None,
                Node::App(Fun::Not, args) => stack.push((args[0], !holds)),
                Node::App(Fun::And, args) if holds => stack.extend(args.iter().map(|arg| (*arg, true))),
                Node::App(Fun::Or, args) if !holds => stack.extend(args.iter().map(|arg| (*arg, false))),
                Node::App(fun, args) => {
                    if let Some((order, reading)) = order(&fun) {
                        let (a, b) = (args[0], args[1]);
                        // What does not hold, holds the other way round.
                        let (order, a, b) = if holds { (order, a, b) } else { (order.negated(), b, a) };
                        self.compare(state, order, reading, a, b)?;
                    }
                }
                Node::Const(_) | Node::Var(_) => {}
            }
        }
        Some(())
    }

    fn compare(&mut self, state: &mut State, order: Order, reading: Option<Reading>, a: Term, b: Term) -> Option<()> {
        if !self.forward.has_number(a) && !self.forward.has_number(b) {
            return Some(());
        }
        self.forward.set_ranges(state);
        let reading = match reading {
            Some(reading) => reading,
            None => self.forward.common_reading(a, b),
        };
        let (left, right) = (self.forward.range(a, reading), self.forward.range(b, reading));
        match order {
            Order::Less | Order::AtMost => {
                let step = u32::from(order == Order::Less);
                self.cut(
                    state,
                    a,
                    reading,
                    &Interval { lo: left.lo.clone(), hi: left.hi.clone().min(&right.hi - step) },
                )?;
                self.cut(state, b, reading, &Interval { lo: right.lo.max(&left.lo + step), hi: right.hi })
            }
            Order::Same => {
                let both = Interval { lo: left.lo.max(right.lo), hi: left.hi.min(right.hi) };
                self.cut(state, a, reading, &both)?;
                self.cut(state, b, reading, &both)
            }
            Order::Other => {
                self.cut(state, a, reading, &left.without(right.single()))?;
                self.cut(state, b, reading, &right.without(left.single()))
            }
        }
    }

    /// A term's number is in the interval; nothing if that is empty.
    fn cut(&self, state: &mut State, term: Term, reading: Reading, to: &Interval) -> Option<()> {
        if to.lo > to.hi {
            return None;
        }
        let Node::Var(var) = self.forward.terms.node(term) else { return Some(()) };
        let Some(stand) = self.stand(*var) else { return Some(()) };
        let now = state.get(var).cloned().unwrap_or(stand.range());
        // The number that was compared is the variable's own.
        if now.within(&reading.range(stand.width)) {
            let cut = Interval { lo: now.lo.max(to.lo.clone()), hi: now.hi.min(to.hi.clone()) };
            if cut.lo > cut.hi {
                return None;
            }
            set(state, *var, (cut != stand.range()).then_some(cut));
        }
        Some(())
    }
}

fn set(state: &mut State, var: Var, range: Option<Interval>) {
    match range {
        Some(range) => drop(state.insert(var, range)),
        None => drop(state.remove(&var)),
    }
}

/// How two numbers are related.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Less,
    AtMost,
    Same,
    Other,
}

impl Order {
    /// The relation that holds of the second and the first where this one does not hold of the
    /// first and the second.
    fn negated(self) -> Order {
        match self {
            Order::Less => Order::AtMost,
            Order::AtMost => Order::Less,
            Order::Same => Order::Other,
            Order::Other => Order::Same,
        }
    }
}

/// The relation of a comparison, and its reading if it matters.
fn order(fun: &Fun) -> Option<(Order, Option<Reading>)> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "few functions are comparisons")]
    match fun {
        Fun::BvUlt => Some((Order::Less, Some(Reading::Unsigned))),
        Fun::BvUle => Some((Order::AtMost, Some(Reading::Unsigned))),
        Fun::BvSlt => Some((Order::Less, Some(Reading::Signed))),
        Fun::BvSle => Some((Order::AtMost, Some(Reading::Signed))),
        Fun::Eq => Some((Order::Same, None)),
        _ => None,
    }
}
