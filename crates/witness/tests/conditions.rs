//! Each condition of the check refuses evidence that breaks it, and says which one.
//!
//! The program: `main { g := 0; r := inc(g); assume(r != 1): error }` with
//! `inc(p) returns q { q := p + 1; g := q }`.

use std::collections::BTreeMap;
use tamis_ir::{Action, EdgeId, Interpreter, Loc, Op, ProcId, Program, Proof, Property, PropertyId, Span, Trace};
use tamis_term::{Sort, Term, Terms, Value, Var};
use tamis_witness::{Check, StopSignal, Verdict, check};

struct Example {
    terms: Terms,
    program: Program,
    property: PropertyId,
    g: Var,
    r: Var,
    q: Var,
    old_g: Var,
    old_p: Var,
    /// main: behind `g := 0`, behind the call, the error; inc: behind `q := p + 1`.
    locs: [Loc; 4],
}

const WIDTH: u32 = 4;

fn example() -> Example {
    let mut terms = Terms::new();
    let mut program = Program::new(std::sync::Arc::default());
    let span = Span::default();
    let (main, inc) = (program.add_proc("main", span), program.add_proc("inc", span));
    let word = || Sort::BitVec(WIDTH);
    let [g, r, p, q] = ["g", "main::r", "inc::p", "inc::q"].map(|name| terms.declare(name, word()));
    let [old_g, old_p] = ["old(g)", "old(inc::p)"].map(|name| terms.declare(name, word()));
    program.globals.push(g);
    program.procs[0].locals.push(r);
    program.procs[1].params.push(p);
    program.procs[1].results.push(q);
    let locs = [(); 4].map(|()| program.add_loc(span));
    let [set, called, error, computed] = locs;
    let (zero, one) = (terms.bv(WIDTH, 0), terms.bv(WIDTH, 1));
    let (g_term, r_term, p_term, q_term) = (terms.var(g), terms.var(r), terms.var(p), terms.var(q));
    let next = terms.bvadd(p_term, one);
    let bad = terms.distinct(r_term, one);
    program.add_edge(main, program.procs[0].entry, set, Op::Assign(vec![(g, zero)]), span);
    let call = Op::Call { callee: inc, args: vec![g_term], results: vec![r] };
    program.add_edge(main, set, called, call, span);
    program.add_edge(main, called, error, Op::Assume(bad), span);
    program.add_edge(inc, program.procs[1].entry, computed, Op::Assign(vec![(q, next)]), span);
    program.add_edge(inc, computed, program.procs[1].exit, Op::Assign(vec![(g, q_term)]), span);
    let property = program.add_property(Property::new("error", "the error is reached", vec![error]));
    Example { terms, program, property, g, r, q, old_g, old_p, locs }
}

impl Example {
    /// Formulas over the variables by name, in SMT-LIB.
    fn read(&mut self, text: &str) -> Term {
        self.terms.read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    fn proof(&mut self) -> Proof {
        let p = self.terms.find_var("inc::p").expect("declared");
        let [set, called, _, computed] = self.locs;
        let (main, inc) = (&self.program.procs[0], &self.program.procs[1]);
        let (start, entry, exit) = (main.entry, inc.entry, inc.exit);
        let mut proof = Proof { old: BTreeMap::from([(self.g, self.old_g), (p, self.old_p)]), ..Proof::default() };
        for (loc, text) in [
            (start, "true"),
            (set, "(= g #b0000)"),
            (called, "(= |main::r| #b0001)"),
            (entry, "(= |inc::p| |old(inc::p)|)"),
            (computed, "(= |inc::q| (bvadd |old(inc::p)| #b0001))"),
            (exit, "(and (= |inc::q| (bvadd |old(inc::p)| #b0001)) (= g |inc::q|))"),
        ] {
            let formula = self.read(text);
            proof.invariants.insert(loc, formula);
        }
        let summary = self.read("(= |inc::q| (bvadd |old(inc::p)| #b0001))");
        proof.summaries.insert(ProcId::new(1), summary);
        proof
    }

    fn check(&mut self, verdict: &Verdict) -> Check {
        check(&mut self.terms, &self.program, self.property, verdict, &StopSignal::never())
    }

    /// The proof with one formula replaced must be refused with that phrase.
    fn refuses(&mut self, change: impl FnOnce(&mut Example, &mut Proof), phrase: &str) {
        let mut proof = self.proof();
        change(self, &mut proof);
        match self.check(&Verdict::Safe(proof)) {
            Check::Rejected(why) => assert!(why.contains(phrase), "refused for another reason: {why}"),
            other @ (Check::Accepted | Check::Undecided(_)) => panic!("expected a refusal ({phrase}), got {other:?}"),
        }
    }
}

#[test]
fn the_proof_is_accepted() {
    let mut example = example();
    let proof = example.proof();
    assert_eq!(example.check(&Verdict::Safe(proof)), Check::Accepted);
}

#[test]
fn each_condition_refuses_what_breaks_it() {
    let mut example = example();
    let [set, called, error, _] = example.locs;
    let (start, entry) = (example.program.procs[0].entry, example.program.procs[1].entry);
    let inc = ProcId::new(1);
    example.refuses(
        |e, proof| {
            proof.invariants.insert(start, e.read("(= g #b0011)"));
        },
        "does not hold at the start",
    );
    example.refuses(
        |e, proof| {
            proof.invariants.insert(error, e.read("true"));
        },
        "can be true",
    );
    example.refuses(
        |e, proof| {
            proof.invariants.insert(called, e.read("true"));
        },
        "edge 2 of main leaves",
    );
    example.refuses(
        |e, proof| {
            proof.invariants.insert(set, e.read("(= g #b0001)"));
        },
        "edge 0 of main leaves",
    );
    example.refuses(
        |e, proof| {
            proof.invariants.insert(entry, e.read("(= |inc::p| #b0111)"));
        },
        "enters inc outside its invariant",
    );
    example.refuses(
        |e, proof| {
            proof.summaries.insert(inc, e.read("true"));
        },
        "leaves the invariant when inc returns",
    );
    example.refuses(
        |_, proof| {
            proof.summaries.remove(&inc);
        },
        "returns where its summary does not hold",
    );
    example.refuses(
        |e, proof| {
            proof.invariants.insert(called, e.read("(= |inc::q| #b0001)"));
        },
        "not in scope",
    );
    example.refuses(
        |e, proof| {
            proof.old.insert(e.g, e.r);
        },
        "stands for two things",
    );
    example.refuses(
        |e, proof| {
            proof.old.insert(e.g, e.old_p);
        },
        "stands for two things",
    );
    example.refuses(
        |e, proof| {
            proof.invariants.insert(called, e.terms.var(e.q));
        },
        "is no formula",
    );
}

#[test]
fn a_set_stop_signal_leaves_the_proof_undecided() {
    let mut example = example();
    let proof = Verdict::Safe(example.proof());
    let result = check(&mut example.terms, &example.program, example.property, &proof, &StopSignal::when(|| true));
    assert!(matches!(result, Check::Undecided(_)), "{result:?}");
}

/// The run with `g := 0` and what follows: it ends behind the call, not at the error.
fn run(example: &Example, edges: &[Action]) -> Trace {
    let mut interpreter = Interpreter::new(&example.terms, &example.program);
    let start = vec![Value::bv(WIDTH, 5), Value::bv(WIDTH, 9)];
    interpreter.record(start, edges.to_vec()).expect("a run")
}

#[test]
fn a_run_that_misses_the_error_is_refused() {
    let mut example = example();
    let take = |proc: usize, index: u32| EdgeId { proc: ProcId::new(proc), index };
    let actions = [
        Action::Take { edge: take(0, 0), inputs: vec![] },
        Action::Take { edge: take(0, 1), inputs: vec![Value::bv(WIDTH, 3)] },
        Action::Take { edge: take(1, 0), inputs: vec![] },
        Action::Take { edge: take(1, 1), inputs: vec![] },
        Action::Return,
    ];
    let trace = run(&example, &actions);
    let refused = |example: &mut Example, trace: Trace, phrase: &str| match example.check(&Verdict::Unsafe(trace)) {
        Check::Rejected(why) => assert!(why.contains(phrase), "refused for another reason: {why}"),
        other @ (Check::Accepted | Check::Undecided(_)) => panic!("expected a refusal ({phrase}), got {other:?}"),
    };
    refused(&mut example, trace.clone(), "does not end at an error");
    let mut wrong = trace.clone();
    wrong.steps[0].writes[0].1 = Value::bv(WIDTH, 1);
    refused(&mut example, wrong, "the value of g is wrong");
    let mut wrong = trace.clone();
    wrong.start.swap(0, 1);
    refused(&mut example, wrong, "start values");
    let mut wrong = trace;
    wrong.steps.push(tamis_ir::Step { action: Action::Take { edge: take(0, 2), inputs: vec![] }, writes: vec![] });
    refused(&mut example, wrong, "the condition of the edge is false");
}
