//! Ideal integers: bit-vector variables become integers, because that is where predicates
//! generalise; proofs come back as formulas over words that are wide enough not to overflow.
//! (Griggio, "Effective word-level interpolation for software verification", FMCAD 2011, tries
//! the theories in layers in the same spirit.)
//!
//! Files in order of reading: `choice` (which variables become integers, and how each word is
//! read), `interval` and `masks`, `forward` (terms over words as terms over integers) with `operations`, `ranges`
//! (which wrap-around cannot happen), `wide` (the other direction), `back`.
//!
//! An integer is in the range of its word wherever values are arbitrary: what a havoc chooses,
//! and what a procedure's variables are at its entry, is assumed to be in the range on an extra
//! edge, for variables that are live there. Assignments keep the integer in its range, by
//! wrap-around where that can happen. That it cannot happen is known from intervals of variables
//! at locations; proofs need them as well, so the way back conjoins them.
//!
//! **Exact** ([`Mode::Exact`]), the new program has the runs of the old one. Every proof about it
//! comes back as a proof, since each step of the old program is one or two steps of the new one
//! on the numbers that its words stand for.
//!
//! **Ideal** ([`Mode::Ideal`]), sums, differences and products of signed numbers are assumed not
//! to overflow, and have no wrap-around. What comes back may then be wrong: a trace may not run,
//! and a proof may not be inductive, in machine arithmetic. Whoever checks the evidence decides,
//! and whoever asked goes on with the exact program or with words.

mod back;
mod choice;
mod forward;
mod interval;
mod masks;
mod operations;
mod ranges;
mod wide;

use super::{EdgeMap, Passed};
use crate::analysis::Liveness;
use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Program, PropertyId};
use back::Idealised;
use choice::Choice;
use forward::Forward;
use ranges::State;
use tamis_term::{Term, Terms, Value, Var};

/// What happens where signed arithmetic overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It wraps around, as on the machine.
    Exact,
    /// It is assumed not to happen.
    Ideal,
}

/// Makes integers of words where arithmetic allows it. Locations, procedures and properties keep
/// their numbers, except that a procedure may have a new entry.
#[must_use]
pub fn ideal(terms: &mut Terms, program: &Program, _property: PropertyId, mode: Mode) -> Passed {
    let choice = Choice::new(terms, program);
    let live = Liveness::new(terms, program);
    let mut forward = Forward::new(terms, choice, Mode::Exact);
    let ranges = ranges::ranges(&mut forward, program, &live);
    forward.set_mode(mode);
    let mut writer = Writer { old: program, new: program.clone(), live, forward, ranges, useful: mode == Mode::Ideal };
    let mut origins = Vec::new();
    for (id, _) in program.procs() {
        origins.push(writer.procedure(id));
    }
    writer.new.globals = writer.vars(&program.globals);
    let Writer { new, forward, ranges, useful, .. } = writer;
    let Choice { stands, tables, elements, .. } = forward.into_choice();
    let ranges = if useful { ranges } else { Vec::new() };
    (new, Box::new(Idealised { old: program.clone(), origins: EdgeMap(origins), stands, tables, elements, ranges }))
}

/// Writes the new program.
struct Writer<'w> {
    old: &'w Program,
    new: Program,
    live: Liveness,
    forward: Forward<'w>,
    /// By location.
    ranges: Vec<Option<State>>,
    /// Whether proofs need the intervals: if they changed anything, or might excuse that overflow
    /// was forgotten.
    useful: bool,
}

impl Writer<'_> {
    /// Translates a procedure. Returns the old edges that its new ones stand for; edges that only
    /// assume ranges stand for none.
    fn procedure(&mut self, id: ProcId) -> Vec<Option<EdgeId>> {
        let old = self.old.proc(id);
        let lists = [&old.params, &old.results, &old.locals].map(|vars| self.vars(vars));
        let new = &mut self.new.procs[id.index()];
        [new.params, new.results, new.locals] = lists;
        new.edges.clear();
        let mut origins = Vec::new();
        let mut arbitrary: Vec<Var> = old.inputs().copied().collect();
        if id == self.old.main {
            arbitrary.extend(self.old.globals.iter().chain(&old.params));
        }
        if let Some(ranges) = self.ranges(&arbitrary, old.entry) {
            let entry = self.new.add_loc(old.span);
            self.new.procs[id.index()].entry = entry;
            self.edge(id, Edge { from: entry, to: old.entry, op: Op::Assume(ranges), span: old.span });
            origins.push(None);
        }
        for (index, edge) in (0..).zip(&old.edges) {
            let (op, elements) = self.op_at(edge.from, &edge.op);
            let from = match elements {
                None => edge.from,
                Some(elements) => {
                    let middle = self.new.add_loc(edge.span);
                    self.edge(id, Edge { to: middle, op: Op::Assume(elements), ..edge.clone() });
                    origins.push(None);
                    middle
                }
            };
            let ranges = match &edge.op {
                Op::Havoc(vars) => self.ranges(vars, edge.to),
                Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => None,
            };
            let middle = ranges.map(|ranges| (ranges, self.new.add_loc(edge.span)));
            let to = middle.map_or(edge.to, |(_, middle)| middle);
            self.edge(id, Edge { from, to, op, ..edge.clone() });
            origins.push(Some(EdgeId { proc: id, index }));
            if let Some((ranges, from)) = middle {
                self.edge(id, Edge { from, op: Op::Assume(ranges), ..edge.clone() });
                origins.push(None);
            }
        }
        origins
    }

    fn edge(&mut self, proc: ProcId, edge: Edge) {
        self.new.procs[proc.index()].edges.push(edge);
    }

    fn vars(&self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|var| self.var(*var)).collect()
    }

    fn var(&self, var: Var) -> Var {
        let choice = self.forward.choice();
        choice.stands.get(&var).map(|stand| stand.int).or(choice.tables.get(&var).copied()).unwrap_or(var)
    }

    /// That those of the variables which are live at the location are in the ranges of their
    /// words; nothing if that says nothing.
    fn ranges(&mut self, vars: &[Var], loc: Loc) -> Option<Term> {
        let mut facts = Vec::new();
        for var in self.live.live(loc).filter(|var| vars.contains(var)) {
            let Some(stand) = self.forward.choice().stands.get(&var).copied() else { continue };
            let (range, terms) = (stand.range(), &mut *self.forward.terms);
            let int = terms.var(stand.int);
            let [lo, hi] = [range.lo, range.hi].map(|end| terms.constant(Value::int(end)));
            facts.extend([terms.le(lo, int), terms.le(int, hi)]);
        }
        (!facts.is_empty()).then(|| self.forward.terms.and(&facts))
    }

    /// The operation, and what must be assumed before it of the array elements that it reads.
    fn op_at(&mut self, loc: Loc, op: &Op) -> (Op, Option<Term>) {
        match self.op_known(loc, op) {
            // One condition says both.
            Op::Assume(condition) => {
                let mut facts = self.forward.reads(&[condition]);
                facts.push(condition);
                (Op::Assume(self.forward.terms.and(&facts)), None)
            }
            op @ (Op::Assign(_) | Op::Havoc(_) | Op::Call { .. }) => {
                let roots: Vec<Term> = match &op {
                    Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
                    Op::Call { args, .. } => args.clone(),
                    Op::Assume(_) | Op::Havoc(_) => Vec::new(),
                };
                let facts = self.forward.reads(&roots);
                (op, (!facts.is_empty()).then(|| self.forward.terms.and(&facts)))
            }
        }
    }

    /// The operation, with what is known at a location.
    fn op_known(&mut self, loc: Loc, op: &Op) -> Op {
        self.forward.set_ranges(&State::new());
        let new = self.op(op);
        match self.ranges[loc.index()].clone().filter(|state| !state.is_empty()) {
            None => new,
            Some(state) => {
                self.forward.set_ranges(&state);
                let better = self.op(op);
                self.useful |= better != new;
                better
            }
        }
    }

    fn op(&mut self, op: &Op) -> Op {
        match op {
            Op::Assume(condition) => Op::Assume(self.forward.plain(*condition)),
            Op::Assign(pairs) => {
                Op::Assign(pairs.iter().map(|(var, value)| (self.var(*var), self.value(*var, *value))).collect())
            }
            Op::Havoc(vars) => Op::Havoc(self.vars(vars)),
            Op::Call { callee, args, results } => {
                let params = &self.old.proc(*callee).params;
                Op::Call {
                    callee: *callee,
                    args: params.iter().zip(args).map(|(param, arg)| self.value(*param, *arg)).collect(),
                    results: self.vars(results),
                }
            }
        }
    }

    /// What a variable is given.
    fn value(&mut self, var: Var, value: Term) -> Term {
        match self.forward.choice().stands.get(&var).copied() {
            Some(stand) => self.forward.number(value, stand.reading),
            None if self.forward.choice().tables.contains_key(&var) => self.forward.table(value),
            None => self.forward.plain(value),
        }
    }
}
