//! Random small programs: structured code with a few jumps, over Booleans and two-bit numbers.
//!
//! With [`Taste::Bits`] most variables are Boolean; with [`Taste::Words`] most are numbers, each
//! written as signed or unsigned, and all their functions occur.

use crate::words;
use std::sync::Arc;
use tamis_ir::{Loc, Notation, Op, ProcId, Program, Property, Span};
use tamis_term::{Sort, Term, Terms, Value, Var};

/// What programs are mostly about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taste {
    Bits,
    Words,
}

/// A program of main and two procedures, with one property.
pub fn program(rng: &mut fastrand::Rng, terms: &mut Terms, taste: Taste) -> Program {
    let mut program = Program::new(Arc::default());
    for name in ["main", "f", "g"] {
        program.add_proc(name, Span::default());
    }
    program.main = ProcId::new(0);
    program.globals = vars(rng, terms, taste, "", "g", 1..3);
    let sizes = match taste {
        Taste::Bits => [[0..2, 0..1, 2..4], [0..3, 0..3, 0..2], [0..2, 0..2, 0..2]],
        // Frames are enumerated, and integers have more values than bits.
        Taste::Words => [[0..1, 0..1, 1..3], [0..2, 0..2, 0..2], [0..2, 0..2, 0..1]],
    };
    for (index, sizes) in sizes.into_iter().enumerate() {
        let [params, results, locals] = sizes;
        let name = format!("{}::", program.procs[index].name);
        program.procs[index].params = vars(rng, terms, taste, &name, "p", params);
        program.procs[index].results = vars(rng, terms, taste, &name, "r", results);
        program.procs[index].locals = vars(rng, terms, taste, &name, "l", locals);
    }
    let mut errors = Vec::new();
    for proc in 0..3 {
        let procedure = &program.procs[proc];
        let scope = program.globals.iter().copied().chain(procedure.vars()).collect();
        let (entry, exit) = (procedure.entry, procedure.exit);
        let program = &mut program;
        let mut writer = Writer { rng, terms, taste, program, proc: ProcId::new(proc), scope, errors: vec![] };
        writer.block(entry, exit, 2);
        errors.append(&mut writer.errors);
    }
    if errors.is_empty() || rng.u8(..4) == 0 {
        errors.push(Loc::new(rng.usize(..program.locs.len())));
    }
    program.add_property(Property::new("error", "an error is reached", errors));
    if taste == Taste::Words {
        let vars: Vec<Var> = program.vars().collect();
        for var in vars.into_iter().filter(|var| *terms.var_sort(*var) != Sort::Bool) {
            match rng.u8(..3) {
                0 => drop(program.notes.notation.insert(var, Notation::Signed)),
                1 => drop(program.notes.notation.insert(var, Notation::Unsigned)),
                _ => {}
            }
        }
    }
    program
}

fn vars(
    rng: &mut fastrand::Rng,
    terms: &mut Terms,
    taste: Taste,
    prefix: &str,
    kind: &str,
    count: std::ops::Range<usize>,
) -> Vec<Var> {
    let count = rng.usize(count);
    let words = if taste == Taste::Bits { 1 } else { 5 };
    let sort = |rng: &mut fastrand::Rng| if rng.u8(..6) < words { Sort::BitVec(2) } else { Sort::Bool };
    (0..count).map(|i| terms.declare(&format!("{prefix}{kind}{i}"), sort(rng))).collect()
}

struct Writer<'w> {
    rng: &'w mut fastrand::Rng,
    terms: &'w mut Terms,
    taste: Taste,
    program: &'w mut Program,
    proc: ProcId,
    scope: Vec<Var>,
    errors: Vec<Loc>,
}

impl Writer<'_> {
    fn edge(&mut self, from: Loc, to: Loc, op: Op) {
        self.program.add_edge(self.proc, from, to, op, Span::default());
    }

    fn loc(&mut self) -> Loc {
        self.program.add_loc(Span::default())
    }

    fn block(&mut self, from: Loc, to: Loc, depth: u32) {
        let mut at = from;
        for _ in 0..self.rng.usize(..4) {
            let next = self.loc();
            self.statement(at, next, depth);
            at = next;
        }
        self.statement(at, to, depth);
    }

    fn statement(&mut self, from: Loc, to: Loc, depth: u32) {
        match self.rng.u8(..if depth == 0 { 8 } else { 16 }) {
            0..=3 => {
                let op = self.assignment();
                self.edge(from, to, op);
            }
            4 => {
                let targets = self.some_vars();
                self.edge(from, to, Op::Havoc(targets));
            }
            5 => {
                // Blocks if the condition is false; sometimes it always is.
                let condition = if self.rng.u8(..4) == 0 { self.terms.bool(false) } else { self.condition() };
                self.edge(from, to, Op::Assume(condition));
            }
            6 => {
                let (error, condition) = (self.loc(), self.condition());
                self.errors.push(error);
                self.branch(from, condition, error, to);
            }
            7 | 8 => {
                let op = self.call();
                self.edge(from, to, op);
            }
            9..=12 => {
                let (then, otherwise, condition) = (self.loc(), self.loc(), self.condition());
                self.branch(from, condition, then, otherwise);
                self.block(then, to, depth - 1);
                self.block(otherwise, to, depth - 1);
            }
            13 => {
                let body = self.loc();
                let op = self.assignment();
                self.edge(from, body, op);
                self.edge(from, to, Op::Havoc(vec![]));
                self.block(body, to, depth - 1);
            }
            14 => {
                let (body, condition) = (self.loc(), self.condition());
                self.branch(from, condition, body, to);
                self.block(body, from, depth - 1);
            }
            _ => {
                // A jump, and code behind it that only other jumps reach.
                let (entry, exit) = (self.program.proc(self.proc).entry, self.program.proc(self.proc).exit);
                let goals = [entry, exit, to, self.loc()];
                let goal = goals[self.rng.usize(..goals.len())];
                let op = self.assignment();
                self.edge(from, goal, op);
                self.block(goals[3], to, depth - 1);
            }
        }
    }

    fn branch(&mut self, from: Loc, condition: Term, then: Loc, otherwise: Loc) {
        let not = self.terms.not(condition);
        self.edge(from, then, Op::Assume(condition));
        self.edge(from, otherwise, Op::Assume(not));
    }

    fn some_vars(&mut self) -> Vec<Var> {
        let mut vars = self.scope.clone();
        self.rng.shuffle(&mut vars);
        vars.truncate(self.rng.usize(1..3));
        vars
    }

    fn assignment(&mut self) -> Op {
        let targets = self.some_vars();
        Op::Assign(targets.into_iter().map(|var| (var, self.value(&self.terms.var_sort(var).clone()))).collect())
    }

    /// A call with random arguments, if there are variables of the right sorts for the results.
    fn call(&mut self) -> Op {
        let callee = ProcId::new(if self.rng.u8(..8) == 0 { 0 } else { self.rng.usize(1..3) });
        let (params, results) = (self.program.proc(callee).params.clone(), self.program.proc(callee).results.clone());
        let mut free = self.scope.clone();
        self.rng.shuffle(&mut free);
        let mut targets = Vec::new();
        for result in results {
            match free.iter().position(|var| self.terms.var_sort(*var) == self.terms.var_sort(result)) {
                Some(at) => targets.push(free.swap_remove(at)),
                None => return self.assignment(),
            }
        }
        let args = params.into_iter().map(|param| self.value(&self.terms.var_sort(param).clone())).collect();
        Op::Call { callee, args, results: targets }
    }

    fn condition(&mut self) -> Term {
        let value = self.value(&Sort::Bool);
        // Constant conditions are rare enough to be interesting.
        if self.terms.value(value).is_some() && self.rng.u8(..4) != 0 { self.condition() } else { value }
    }

    fn value(&mut self, sort: &Sort) -> Term {
        let like: Vec<Var> = self.scope.iter().copied().filter(|var| self.terms.var_sort(*var) == sort).collect();
        let pick = |this: &mut Self| match like.get(this.rng.usize(..=like.len())) {
            Some(var) => this.terms.var(*var),
            None if *sort == Sort::Bool => this.terms.bool(this.rng.bool()),
            None => this.terms.constant(Value::bv(2, this.rng.u64(..4))),
        };
        let (a, b) = (pick(self), pick(self));
        if self.taste == Taste::Words && self.rng.bool() {
            return match sort {
                Sort::Bool => {
                    let (x, y) = (self.value(&Sort::BitVec(2)), self.value(&Sort::BitVec(2)));
                    words::comparison(self.rng, self.terms, x, y)
                }
                Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(_) => {
                    words::function(self.rng, self.terms, a, b)
                }
            };
        }
        match (sort, self.rng.u8(..6)) {
            (Sort::Bool, 0) => self.terms.not(a),
            (Sort::Bool, 1) => self.terms.and(&[a, b]),
            (Sort::Bool, 2) => self.terms.xor(a, b),
            (Sort::Bool, 3) if !like.is_empty() => {
                let (x, y) = (self.value(&Sort::BitVec(2)), self.value(&Sort::BitVec(2)));
                self.terms.bvult(x, y)
            }
            (Sort::BitVec(_), 0..3) => self.terms.bvadd(a, b),
            _ => a,
        }
    }
}
