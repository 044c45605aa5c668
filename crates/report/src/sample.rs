//! A small program, lowered by hand, for the tests of this crate.

use std::sync::Arc;
use tamis_ir::{
    Action, EdgeId, Interpreter, Op, Procedure, Program, Proof, Property, PropertyId, Sources, Span, Trace,
};
use tamis_term::{Sort, Term, Terms, Value, Var};

pub const SOURCE: &str = "\
int g;
main() {
  int x, y;
  x = 0, y = g;
  x = half(y);
  if (x < y) goto bad;
  goto 5;
  bad: skip;
}
half(n) {
  m = *;
  return n / 2 + m;
}
";

pub struct Sample {
    pub terms: Terms,
    pub program: Program,
    pub property: PropertyId,
    pub trace: Trace,
    pub proof: Proof,
}

struct Builder {
    terms: Terms,
    program: Program,
}

impl Builder {
    fn span(text: &str) -> Span {
        let start = u32::try_from(SOURCE.find(text).expect("the text is in the source")).unwrap();
        Span { start, end: start + u32::try_from(text.len()).unwrap(), ..Span::default() }
    }

    fn declare(&mut self, name: &str) -> (Var, Term) {
        let var = self.terms.declare(name, Sort::BitVec(4));
        (var, self.terms.var(var))
    }

    fn proc(&mut self, index: usize) -> &mut Procedure {
        &mut self.program.procs[index]
    }
}

impl Sample {
    /// The program, and the trace that goes through the loop `rounds` times.
    pub fn new(rounds: usize) -> Sample {
        let mut sources = Sources::new();
        sources.add("dir/half.c", SOURCE);
        let mut build = Builder { terms: Terms::new(), program: Program::new(Arc::new(sources)) };
        let (g, g_term) = build.declare("g");
        let (x, x_term) = build.declare("main::x");
        let (y, y_term) = build.declare("main::y");
        let (param, n_term) = build.declare("half::n");
        let (noise, m_term) = build.declare("half::m");
        let (result, _) = build.declare("half::$result");
        build.program.globals = vec![g];
        let main = build.program.add_proc("main", Builder::span("main() {"));
        let half = build.program.add_proc("half", Builder::span("half(n) {"));
        build.proc(0).locals = vec![x, y];
        build.proc(1).params = vec![param];
        build.proc(1).results = vec![result];
        build.proc(1).locals = vec![noise];

        let [call, branch, again, bad, inner] = ["x = half(y)", "if (x < y)", "goto 5", "bad: skip", "return n"]
            .map(|at| build.program.add_loc(Builder::span(at)));
        build.program.locs[bad.index()].label = Some("bad".into());
        let (entry, exit) = (build.proc(0).entry, build.proc(0).exit);
        let zero = build.terms.bv(4, 0);
        let start = Op::Assign(vec![(x, zero), (y, g_term)]);
        build.program.add_edge(main, entry, call, start, Builder::span("x = 0, y = g;"));
        let op = Op::Call { callee: half, args: vec![y_term], results: vec![x] };
        build.program.add_edge(main, call, branch, op, Builder::span("x = half(y)"));
        let less = build.terms.bvult(x_term, y_term);
        let not_less = build.terms.not(less);
        let always = build.terms.bool(true);
        build.program.add_edge(main, branch, bad, Op::Assume(less), Builder::span("x < y"));
        build.program.add_edge(main, branch, again, Op::Assume(not_less), Builder::span("x < y"));
        build.program.add_edge(main, again, call, Op::Assume(always), Builder::span("goto 5"));
        build.program.add_edge(main, bad, exit, Op::Assume(always), Builder::span("bad: skip"));
        let (entry, exit) = (build.proc(1).entry, build.proc(1).exit);
        build.program.add_edge(half, entry, inner, Op::Havoc(vec![noise]), Builder::span("m = *"));
        let two = build.terms.bv(4, 2);
        let quotient = build.terms.bvudiv(n_term, two);
        let sum = build.terms.bvadd(quotient, m_term);
        build.program.add_edge(half, inner, exit, Op::Assign(vec![(result, sum)]), Builder::span("return n / 2 + m"));
        let about = "label bad is reached".to_owned();
        let property = build.program.add_property(Property::new("bad", about, vec![bad]));

        let proof = Sample::proof(&mut build, half, (x_term, y_term));
        let trace = Sample::record(&build, rounds);
        Sample { terms: build.terms, program: build.program, property, trace, proof }
    }

    fn record(build: &Builder, rounds: usize) -> Trace {
        let take = |proc: usize, index: u32, inputs: Vec<Value>| {
            let proc = tamis_ir::ProcId::new(proc);
            Action::Take { edge: EdgeId { proc, index }, inputs }
        };
        let bv = |value| Value::bv(4, value);
        let mut actions = vec![take(0, 0, vec![])];
        for round in 1..=rounds {
            let last = round == rounds;
            actions.push(take(0, 1, vec![bv(0), bv(9)]));
            actions.push(take(1, 0, vec![bv(if last { 1 } else { 4 })]));
            actions.extend([take(1, 1, vec![]), Action::Return]);
            actions.push(take(0, if last { 2 } else { 3 }, vec![]));
            if !last {
                actions.push(take(0, 4, vec![]));
            }
        }
        let start = vec![bv(3), bv(7), bv(8)];
        Interpreter::new(&build.terms, &build.program).record(start, actions).unwrap()
    }

    /// Something of the shape of a proof; it proves nothing.
    fn proof(build: &mut Builder, half: tamis_ir::ProcId, (x, y): (Term, Term)) -> Proof {
        let (old, old_term) = build.declare("g@old");
        let g = build.program.globals[0];
        let g_term = build.terms.var(g);
        let (same, le) = (build.terms.eq(g_term, old_term), build.terms.bvule(x, y));
        let both = build.terms.and(&[same, le]);
        let always = build.terms.bool(true);
        let mut proof = Proof::default();
        proof.old.insert(g, old);
        proof.invariants.insert(build.program.procs[0].entry, always);
        proof.invariants.insert(build.program.procs[0].edges[1].from, both);
        proof.invariants.insert(build.program.procs[0].edges[2].from, le);
        proof.invariants.insert(build.program.procs[1].entry, same);
        proof.summaries.insert(half, same);
        proof
    }
}
