//! Random conditions: whoever is asked, and in whatever form, the answer is the same.

use crate::check::Check;
use crate::induction::Checker;
use crate::judge::{Backend, Judge, Limits, Policy};
use std::collections::BTreeMap;
use tamis_ir::graph::Flow;
use tamis_ir::{EdgeId, Loc, Op, ProcId, Program, Proof, Span};
use tamis_solver::{StopSignal, diagrams};
use tamis_term::{Sort, Substitution, Term, Terms, Var};

const WIDTH: u32 = 2;
const LIMITS: &[Limits] = &[Limits { steps: u64::MAX, room: diagrams::Config { nodes: 1 << 16, cache: 1 << 10 } }];

/// A program of two procedures that do anything, with invariants that say anything.
struct Case {
    random: fastrand::Rng,
    terms: Terms,
    program: Program,
    proof: Proof,
}

impl Case {
    fn new(seed: u64) -> Case {
        let program = Program::new(std::sync::Arc::default());
        let (random, terms) = (fastrand::Rng::with_seed(seed), Terms::new());
        let mut case = Case { random, terms, program, proof: Proof::default() };
        let word = || Sort::BitVec(WIDTH);
        let span = Span::default();
        let (main, callee) = (case.program.add_proc("main", span), case.program.add_proc("callee", span));
        let [g, x, y, z] = ["g", "x", "y", "z"].map(|name| case.terms.declare(name, word()));
        let [param, result] = ["param", "result"].map(|name| case.terms.declare(name, word()));
        let flag = case.terms.declare("flag", Sort::Bool);
        case.program.globals = vec![g, flag];
        case.program.procs[0].locals = vec![x, y];
        case.program.procs[1].params = vec![param];
        case.program.procs[1].results = vec![result];
        case.program.procs[1].locals = vec![z];
        let mut old = |var: Var| (var, case.terms.declare("old", case.terms.var_sort(var).clone()));
        case.proof.old = BTreeMap::from([old(g), old(flag), old(param)]);
        case.edges(main, x);
        case.edges(callee, z);
        let locs: Vec<Vec<Loc>> = [main, callee].map(|proc| case.locs(proc)).into();
        for (proc, locs) in [main, callee].into_iter().zip(&locs) {
            for loc in locs {
                let formula = case.formula(&case.scope(proc), 2);
                case.proof.invariants.insert(*loc, formula);
            }
        }
        let formula = case.formula(&[g, flag, result, case.proof.old[&g], case.proof.old[&param]], 2);
        case.proof.summaries.insert(callee, formula);
        case.demand(&locs.concat());
        case
    }

    fn locs(&self, proc: ProcId) -> Vec<Loc> {
        let proc = self.program.proc(proc);
        let ends = proc.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        let mut locs: Vec<Loc> = ends.chain([proc.entry, proc.exit]).collect();
        locs.sort_unstable();
        locs.dedup();
        locs
    }

    /// What invariants of a procedure speak about.
    fn scope(&self, proc: ProcId) -> Vec<Var> {
        let procedure = self.program.proc(proc);
        let now: Vec<Var> = self.program.globals.iter().copied().chain(procedure.vars()).collect();
        let params = procedure.params.iter().chain(&self.program.globals);
        now.into_iter().chain(params.filter_map(|var| self.proof.old.get(var)).copied()).collect()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.usize(..from.len())]
    }

    fn word(&mut self, scope: &[Var]) -> Term {
        let words: Vec<Var> = scope.iter().copied().filter(|var| *self.terms.var_sort(*var) != Sort::Bool).collect();
        let (one, other, flag) = (self.pick(&words), self.pick(&words), self.program.globals[1]);
        let [one, other, flag] = [one, other, flag].map(|var| self.terms.var(var));
        let constant = self.terms.bv(WIDTH, self.random.u64(..4));
        match self.random.u8(..6) {
            0 => constant,
            1 => self.terms.bvadd(one, constant),
            2 => self.terms.bvmul(one, other),
            3 => self.terms.ite(flag, one, other),
            _ => one,
        }
    }

    fn formula(&mut self, scope: &[Var], depth: u32) -> Term {
        let (a, b) = (self.word(scope), self.word(scope));
        if depth == 0 || self.random.u8(..4) == 0 {
            return match self.random.u8(..4) {
                0 => self.terms.bvule(a, b),
                1 => {
                    let flag = self.program.globals[1];
                    self.terms.var(flag)
                }
                2 => self.terms.bool(true),
                _ => self.terms.eq(a, b),
            };
        }
        let [a, b, c] = [(); 3].map(|()| self.formula(scope, depth - 1));
        match self.random.u8(..4) {
            0 => self.terms.and(&[a, b]),
            1 => self.terms.or(&[a, b]),
            2 => self.terms.not(a),
            _ => self.terms.ite(a, b, c),
        }
    }

    /// A way from the entry to the exit, and some edges across.
    fn edges(&mut self, proc: ProcId, target: Var) {
        let procedure = self.program.proc(proc);
        let (entry, exit) = (procedure.entry, procedure.exit);
        let vars: Vec<Var> = self.program.globals.iter().copied().chain(procedure.vars()).collect();
        let mut locs = vec![entry];
        locs.extend((0..4).map(|_| self.program.add_loc(Span::default())));
        locs.push(exit);
        let mut ends: Vec<(Loc, Loc)> = locs.windows(2).map(|pair| (pair[0], pair[1])).collect();
        for _ in 0..2 {
            ends.push((self.pick(&locs[..5]), self.pick(&locs)));
        }
        for (from, to) in ends {
            let op = match self.random.u8(..6) {
                0 | 1 => Op::Assume(self.formula(&vars, 1)),
                2 => Op::Havoc(vec![target, self.program.globals[0]]),
                3 => Op::Call { callee: ProcId::new(1), args: vec![self.word(&vars)], results: vec![target] },
                _ => Op::Assign(vec![(target, self.word(&vars)), (self.program.globals[0], self.word(&vars))]),
            };
            self.program.add_edge(proc, from, to, op, Span::default());
        }
    }

    /// Some invariants become what the next location demands, as engines write them.
    fn demand(&mut self, locs: &[Loc]) {
        let flow = Flow::new(&self.program);
        for loc in locs.iter().rev() {
            let [next] = *flow.out_edges(*loc) else { continue };
            let edge = self.program.edge(next);
            let behind = self.proof.invariants[&edge.to];
            let demanded = match &edge.op {
                Op::Assume(condition) => self.terms.implies(*condition, behind),
                Op::Assign(pairs) => self.terms.substitute(behind, &pairs.iter().copied().collect::<Substitution>()),
                Op::Havoc(_) | Op::Call { .. } => continue,
            };
            if self.random.u8(..4) > 0 {
                self.proof.invariants.insert(*loc, demanded);
            }
        }
    }

    /// Which edges keep the invariants.
    fn answers(&mut self, first: Backend) -> Vec<bool> {
        let policy = Policy { first, limits: LIMITS };
        let edges: Vec<EdgeId> = self.program.edges().map(|(id, _)| id).collect();
        let judge = || Judge::new(policy, StopSignal::never());
        let mut checker = Checker::new(&mut self.terms, &self.program, &self.proof, judge());
        let mut last = None;
        let mut ask = |id: EdgeId| {
            if last.replace(id.proc) != Some(id.proc) {
                checker.turn(id.proc, judge());
            }
            match checker.edge(id) {
                Ok(()) => true,
                Err(Check::Rejected(_)) => false,
                Err(other @ (Check::Accepted | Check::Undecided(_))) => panic!("{other:?}"),
            }
        };
        edges.into_iter().map(&mut ask).collect()
    }
}

#[test]
fn both_solvers_agree_about_every_edge() {
    let mut counts = [0, 0];
    for seed in 0..2000 {
        let mut case = Case::new(seed);
        let answers = case.answers(Backend::Bits);
        assert_eq!(answers, case.answers(Backend::Diagrams), "seed {seed}");
        for kept in answers {
            counts[usize::from(kept)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 5000), "of both kinds: {counts:?}");
}
