//! Passes and their ways back: each fact on a program of a few edges, then all laws on random
//! programs ([`laws`]).

mod build;
mod explicit;
mod facts;
mod ideal;
mod laws;
mod random;
mod words;

use build::{Built, build, error};
use std::fmt::Write;
use tamis_ir::passes::{self, Back, INLINE, PASSES, PRUNE, Pass, SLICE, inline};
use tamis_ir::{Action, EdgeId, ProcId, Program, Proof, Step, Trace};

/// Applies one pass and expects the program, as [`Built::show`] writes it.
fn check(pass: &Pass, text: &str, expected: &str) -> (Built, Program, Box<dyn Back>) {
    let mut built = build(text);
    let (program, back) = (pass.apply)(&mut built.terms, &built.program, error());
    tamis_ir::validate::validate(&built.terms, &program).unwrap();
    let tidy = |text: &str| text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(tidy(&built.show(&program)), tidy(expected));
    (built, program, back)
}

/// Finds a trace of the new program, takes it back, and expects it to run into the error.
fn check_trace(built: &Built, program: &Program, back: &dyn Back) -> Trace {
    let goals = &program.property(error()).locs;
    let trace = laws::search(&built.terms, program, goals, 1_000_000).expect("the error can be reached");
    let trace = back.trace(&built.terms, trace);
    laws::expect_error_trace(&built.terms, &built.program, error(), &trace);
    trace
}

/// Proves the new program safe, takes the proof back, and expects it to hold.
fn check_proof(built: &mut Built, program: &Program, back: &dyn Back) -> Proof {
    let reached = explicit::saturate(&built.terms, program, &[]);
    assert!(!explicit::is_unsafe(program, error(), &reached));
    let proof = explicit::proof(&mut built.terms, program, &reached);
    let proof = back.proof(&mut built.terms, proof);
    let subject = inline::expand(&mut built.terms, &built.program, &proof.inlined).unwrap().program;
    assert_eq!(explicit::check(&built.terms, &subject, error(), &proof), Ok(()));
    proof
}

fn edges(trace: &Trace) -> Vec<Option<(usize, u32)>> {
    let edge = |step: &Step| match &step.action {
        Action::Take { edge, .. } => Some((edge.proc.index(), edge.index)),
        Action::Return => None,
    };
    trace.steps.iter().map(edge).collect()
}

#[test]
fn pruning_removes_what_control_does_not_reach() {
    let (built, program, back) = check(
        &PRUNE,
        "proc main locals (x)
           entry -> a: assume false
           a -> error: assume x
           nowhere -> error: assume x
           entry -> b: assume x
           b -> error: assume x
           error -> c: assume x
           c -> error: assume x",
        "globals ()
         proc main() returns () locals (main::x)
           0 -> 5: assume main::x
           5 -> 3: assume main::x",
    );
    assert_eq!(edges(&check_trace(&built, &program, back.as_ref())), [Some((0, 3)), Some((0, 4))]);
}

#[test]
fn pruning_removes_dead_ends_and_proves_nothing_there() {
    let (mut built, program, back) = check(
        &PRUNE,
        "proc main locals (x y)
           entry -> a: x := false
           a -> error: assume x
           a -> dead: assume y
           dead -> exit: call dull()
         proc dull locals (z)
           entry -> exit: z := true",
        "globals ()
         proc main() returns () locals (main::x main::y)
           0 -> 4: main::x := false
           4 -> 5: assume main::x
         proc dull() returns () locals (dull::z)",
    );
    let proof = check_proof(&mut built, &program, back.as_ref());
    for (proc, loc) in [("main", "dead"), ("main", "exit"), ("dull", "entry"), ("dull", "exit")] {
        assert!(built.terms.is_true(proof.invariants[&built.loc(proc, loc)]), "{loc} of {proc}");
    }
    assert!(built.terms.is_true(proof.summaries[&built.proc("dull")]));
}

#[test]
fn pruning_keeps_callees_that_only_return_and_all_calls_of_them() {
    let (mut built, program, back) = check(
        &PRUNE,
        "proc main locals (x)
           entry -> a: x := call not(true)
           a -> error: assume x
           a -> dead: assume !x
           dead -> exit: x := call not(x)
         proc not(p) returns (r)
           entry -> exit: r := !p
           entry -> stuck: assume p",
        "globals ()
         proc main() returns () locals (main::x)
           0 -> 4: main::x := call not(true)
           4 -> 5: assume main::x
           4 -> 6: assume !main::x
           6 -> 1: main::x := call not(main::x)
         proc not(not::p) returns (not::r) locals ()
           2 -> 3: not::r := !not::p",
    );
    check_proof(&mut built, &program, back.as_ref());
}

#[test]
fn pruning_forgets_what_is_said_about_returns_from_an_error() {
    let mut built = build(
        "proc main locals (x)
           entry -> a: call f()
           a -> error: assume x
         proc f locals (y)
           entry -> m: y := false
           m -> exit: assume y",
    );
    let exit = built.loc("f", "exit");
    built.program.errors[0].locs.push(exit);
    let (program, back) = (PRUNE.apply)(&mut built.terms, &built.program, error());
    let reached = explicit::saturate(&built.terms, &program, &[]);
    let mut proof = explicit::proof(&mut built.terms, &program, &reached);
    // Nothing follows from it in the pruned program: after the call there is no edge.
    let anything = built.terms.bool(true);
    proof.summaries.insert(built.proc("f"), anything);
    proof.invariants.insert(built.loc("main", "a"), anything);
    assert_eq!(explicit::check(&built.terms, &program, error(), &proof), Ok(()));
    let proof = back.proof(&mut built.terms, proof);
    assert_eq!(explicit::check(&built.terms, &built.program, error(), &proof), Ok(()));
}

#[test]
fn slicing_removes_variables_that_no_condition_depends_on() {
    let (built, program, back) = check(
        &SLICE,
        "globals (g h)
         proc main locals (x y)
           entry -> a: x y := g h
           a -> b: havoc y h x
           b -> c: y := y
           c -> d: x y := call f(x y)
           d -> error: assume x
         proc f(p q) returns (r s) locals (l)
           entry -> m: l s := p q
           m -> exit: r := l",
        "globals (g)
         proc main() returns () locals (main::x)
           0 -> 4: main::x := g
           4 -> 5: havoc main::x
           5 -> 6: assume true
           6 -> 7: main::x := call f(main::x)
           7 -> 8: assume main::x
         proc f(f::p) returns (f::r) locals (f::l)
           2 -> 9: f::l := f::p
           9 -> 3: f::r := f::l",
    );
    let trace = check_trace(&built, &program, back.as_ref());
    let Action::Take { inputs, .. } = &trace.steps[1].action else { panic!("a havoc") };
    assert_eq!(inputs.len(), 3, "removed inputs have values again");
}

#[test]
fn slicing_makes_a_result_that_nobody_takes_a_local() {
    let (built, program, back) = check(
        &SLICE,
        "proc main locals (x)
           entry -> exit: x := call f()
         proc f returns (r)
           entry -> a: havoc r
           a -> error: assume r",
        "globals ()
         proc main() returns () locals ()
           0 -> 1:  := call f()
         proc f() returns () locals (f::r)
           2 -> 4: havoc f::r
           4 -> 5: assume f::r",
    );
    check_trace(&built, &program, back.as_ref());
}

#[test]
fn slicing_keeps_a_result_for_all_calls_if_one_takes_it() {
    check(
        &SLICE,
        "proc main locals (x y)
           entry -> a: x := call f()
           a -> b: y := call f()
           b -> error: assume x
         proc f returns (r)
           entry -> exit: r := true",
        "globals ()
         proc main() returns () locals (main::x main::y)
           0 -> 4: main::x := call f()
           4 -> 5: main::y := call f()
           5 -> 6: assume main::x
         proc f() returns (f::r) locals ()
           2 -> 3: f::r := true",
    );
}

#[test]
fn slicing_skips_branches_about_irrelevant_variables() {
    let text = "proc main locals (x y z)
           entry -> then: assume y
           entry -> else: assume !y
           then -> deep: assume z
           then -> deeper: assume !z
           deep -> join: havoc z
           deeper -> join: y := z
           else -> join: z := y
           join -> error: assume x";
    let expected = "globals ()
         proc main() returns () locals (main::x)
           0 -> 6: assume true
           2 -> 6: assume true
           4 -> 6: assume true
           5 -> 6: assume true
           3 -> 6: assume true
           6 -> 7: assume main::x";
    let (built, program, back) = check(&SLICE, text, expected);
    let trace = check_trace(&built, &program, back.as_ref());
    assert_eq!(edges(&trace), [Some((0, 1)), Some((0, 6)), Some((0, 7))], "y is false by default");

    let safe =
        text.replace("entry ->", "start ->").replace("join -> error", "entry -> start: x := false\njoin -> error");
    let mut built = build(&safe);
    let (program, back) = passes::pipeline(&mut built.terms, &built.program, error(), &[&SLICE, &PRUNE]);
    let proof = check_proof(&mut built, &program, back.as_ref());
    let not_x = proof.invariants[&built.loc("main", "start")];
    for loc in ["then", "deep", "deeper", "else", "join"] {
        assert_eq!(proof.invariants[&built.loc("main", loc)], not_x, "{loc}");
    }
}

/// Slices a program in which `y` is only read by conditions, and expects it to stay.
fn check_relevant(text: &str) {
    let mut built = build(text);
    let (program, _) = (SLICE.apply)(&mut built.terms, &built.program, error());
    let y = built.terms.find_var("main::y").unwrap();
    assert!(program.procs[0].locals.contains(&y), "{}", built.show(&program));
}

#[test]
fn slicing_keeps_branches_that_decide_about_relevant_variables() {
    check_relevant(
        "proc main locals (x y)
           entry -> then: assume y
           entry -> join: assume !y
           then -> join: x := true
           join -> error: assume x",
    );
}

#[test]
fn slicing_keeps_branches_around_relevant_branches() {
    check_relevant(
        "proc main locals (x y z)
           entry -> then: assume y
           entry -> join: assume !y
           then -> deep: assume z
           then -> join: assume !z
           deep -> join: havoc x
           join -> error: assume x",
    );
}

#[test]
fn slicing_keeps_branches_that_may_block() {
    check_relevant(
        "proc main locals (x y)
           entry -> then: assume y
           then -> join: assume true
           join -> error: assume x",
    );
    check_relevant(
        "proc main locals (x y z)
           entry -> then: assume y
           entry -> join: assume z
           then -> join: assume true
           join -> error: assume x",
    );
}

#[test]
fn slicing_keeps_loops() {
    check_relevant(
        "proc main locals (x y)
           entry -> entry: assume y
           entry -> join: assume !y
           join -> error: assume x",
    );
}

#[test]
fn slicing_keeps_branches_around_calls_and_errors() {
    check_relevant(
        "proc main locals (x y)
           entry -> then: assume y
           entry -> join: assume !y
           then -> join: call f()
           join -> error: assume x
         proc f
           entry -> entry: assume true",
    );
    check_relevant(
        "proc main locals (y)
           entry -> error: assume y
           entry -> exit: assume !y
           error -> exit: assume true",
    );
}

#[test]
fn slicing_skips_branches_inside_loops() {
    let text = "proc main locals (x y z)
           entry -> body: assume !x
           body -> then: assume y
           body -> else: assume !y
           then -> join: z := y
           else -> join: havoc y
           join -> entry: havoc x
           entry -> error: assume x";
    let mut built = build(text);
    let (program, back) = (SLICE.apply)(&mut built.terms, &built.program, error());
    assert_eq!(program.procs[0].locals.len(), 1, "{}", built.show(&program));
    check_trace(&built, &program, back.as_ref());
}

#[test]
fn inlining_copies_the_body_with_variables_of_its_own() {
    let (built, program, back) = check(
        &INLINE,
        "globals (g)
         proc main locals (x y)
           entry -> a: x y := call two(g x)
           a -> error: assume x
         proc two(p q) returns (r s) locals (l)
           entry -> m: assume !l
           m -> exit: r s g := q p l",
        "globals (g)
         proc main() returns () locals (main::x main::y main::two@7::p main::two@7::q \
              main::two@7::r main::two@7::s main::two@7::l)
           0 -> 10: main::two@7::p main::two@7::q := g main::x
           4 -> 5: assume main::x
           10 -> 7: havoc main::two@7::r main::two@7::s main::two@7::l
           7 -> 9: assume !main::two@7::l
           9 -> 8: main::two@7::r main::two@7::s g := main::two@7::q main::two@7::p main::two@7::l
           8 -> 4: main::x main::y := main::two@7::r main::two@7::s
         proc two(two::p two::q) returns (two::r two::s) locals (two::l)
           2 -> 6: assume !two::l
           6 -> 3: two::r two::s g := two::q two::p two::l",
    );
    let trace = check_trace(&built, &program, back.as_ref());
    assert_eq!(edges(&trace), [Some((0, 0)), Some((1, 0)), Some((1, 1)), None, Some((0, 1))]);
}

const NESTED: &str = "proc main locals (x)
       entry -> a: x := call f(true)
       a -> b: call g()
       b -> exit: x := call f(x)
     proc f(p) returns (r)
       entry -> a: call g()
       a -> exit: r := !p
     proc g locals (y z)
       entry -> exit: assume !y
       entry -> error: assume z";

#[test]
fn errors_in_a_callee_are_errors_in_its_copies() {
    let mut built = build(NESTED);
    let (program, back) = (INLINE.apply)(&mut built.terms, &built.program, error());
    // Of g: its own, two in the copies of f, one in main, one in f.
    assert_eq!(program.property(error()).locs.len(), 5);
    let trace = check_trace(&built, &program, back.as_ref());
    assert_eq!(edges(&trace), [Some((0, 0)), Some((1, 0)), Some((2, 1))]);
    assert!(!program.procs[0].edges.iter().any(|edge| tamis_ir::graph::callee(edge).is_some()));
}

#[test]
fn expanding_twice_is_expanding_by_both_lists() {
    let mut built = build(NESTED);
    let (f, g) = (built.proc("f"), built.proc("g"));
    for (first, second) in [(f, g), (g, f)] {
        let both = inline::expand(&mut built.terms, &built.program, &[first, second]).unwrap().program;
        let (once, back) = inline::expand(&mut built.terms, &built.program, &[first]).unwrap().passed(&built.program);
        let (twice, again) = inline::expand(&mut built.terms, &once, &[second]).unwrap().passed(&once);
        assert_eq!(format!("{both:?}"), format!("{twice:?}"));
        let proof = again.proof(&mut built.terms, Proof::default());
        assert_eq!(back.proof(&mut built.terms, proof).inlined, [first, second]);
        let trace = laws::search(&built.terms, &twice, &twice.property(error()).locs, 10_000).unwrap();
        let trace = back.trace(&built.terms, again.trace(&built.terms, trace));
        laws::expect_error_trace(&built.terms, &built.program, error(), &trace);
    }
}

#[test]
fn expanding_gives_the_same_names_in_every_arena() {
    let (mut one, mut other) = (build(NESTED), build(NESTED));
    let procs = [one.proc("g"), one.proc("f")];
    let first = inline::expand(&mut one.terms, &one.program, &procs).unwrap().program;
    let again = inline::expand(&mut one.terms, &one.program, &procs).unwrap().program;
    other.terms.declare("in between", tamis_term::Sort::Int);
    let elsewhere = inline::expand(&mut other.terms, &other.program, &procs).unwrap().program;
    assert_eq!(format!("{first:?}"), format!("{again:?}"));
    assert_eq!(one.show(&first), other.show(&elsewhere));
}

#[test]
fn expanding_passes_over_names_that_are_taken() {
    let mut built = build(NESTED);
    let g = built.proc("g");
    let copies = inline::expand(&mut built.terms, &built.program, &[g]).unwrap().program;
    let taken = *copies.procs[0].locals.last().unwrap();
    let name = built.terms.name(taken).to_owned();
    let mut program = built.program.clone();
    program.globals.push(taken);
    let copies = inline::expand(&mut built.terms, &program, &[g]).unwrap().program;
    tamis_ir::validate::validate(&built.terms, &copies).unwrap();
    assert_eq!(built.terms.name(*copies.procs[0].locals.last().unwrap()), format!("{name}'"));
}

#[test]
fn expanding_refuses_what_it_cannot_do() {
    let refusal = |text: &str, procs: &[usize]| {
        let mut built = build(text);
        let procs: Vec<ProcId> = procs.iter().map(|index| ProcId::new(*index)).collect();
        inline::expand(&mut built.terms, &built.program, &procs).map(drop).unwrap_err()
    };
    assert_eq!(refusal(NESTED, &[1, 3]), "there is no procedure 3 to inline");
    let recursive = "proc main
           entry -> exit: call main()";
    assert_eq!(refusal(recursive, &[0]), "main is recursive and cannot be inlined");
    // Thirty procedures that each call the next one twice.
    let mut tower = String::new();
    for level in 0..30 {
        let next = level + 1;
        writeln!(tower, "proc p{level}\n entry -> a: call p{next}()\n a -> exit: call p{next}()").unwrap();
    }
    tower += "proc p30\n entry -> exit: assume true";
    let all: Vec<usize> = (1..=30).rev().collect();
    assert_eq!(refusal(&tower, &all), "inlining p12 makes a program of more than 4194304 edges");
}

#[test]
fn inlining_stays_within_its_limits() {
    let built = build(NESTED);
    let names = |limits| -> Vec<String> {
        inline::select(&built.program, limits).iter().map(|id| built.program.proc(*id).name.clone()).collect()
    };
    assert_eq!(names(inline::LIMITS), ["g", "f"]);
    // g has two edges and two calls; with its copy f has six edges, and two calls as well.
    assert_eq!(names(inline::Limits { callee: 5, growth: 100 }), ["g"]);
    assert_eq!(names(inline::Limits { callee: 6, growth: 23 }), ["g"]);
    assert_eq!(names(inline::Limits { callee: 6, growth: 24 }), ["g", "f"]);
    assert_eq!(names(inline::Limits { callee: 6, growth: 7 }), [""; 0]);
}

#[test]
fn ways_back_compose_in_reverse() {
    let mut built = build(
        "proc main locals (x y)
           entry -> a: assume false
           entry -> a: y := true
           a -> b: x := call not(x)
           b -> error: assume x
         proc not(p) returns (r) locals (l)
           entry -> exit: assume false
           entry -> m: havoc l
           m -> exit: r := !p",
    );
    let (program, back) =
        passes::pipeline(&mut built.terms, &built.program, error(), &[&INLINE, &PRUNE, &SLICE, &PRUNE]);
    let trace = check_trace(&built, &program, back.as_ref());
    assert_eq!(edges(&trace), [Some((0, 1)), Some((0, 2)), Some((1, 1)), Some((1, 2)), None, Some((0, 3))]);
}

#[test]
fn what_is_no_run_is_none_after_the_way_back() {
    for pass in PASSES {
        let mut built = build(NESTED);
        let (_, back) = (pass.apply)(&mut built.terms, &built.program, error());
        let edge = EdgeId { proc: ProcId::new(7), index: 9 };
        let step = |action| Step { action, writes: vec![] };
        let steps = vec![step(Action::Take { edge, inputs: vec![] }), step(Action::Return)];
        let trace = back.trace(&built.terms, Trace { start: vec![], steps });
        let mut interpreter = tamis_ir::Interpreter::new(&built.terms, &built.program);
        let start = tamis_ir::passes::replay::Replay::new(&built.terms, &built.program, &trace.start).finish().start;
        let actions = trace.steps.into_iter().map(|step| step.action).collect();
        assert!(interpreter.record(start.into_iter().map(|(_, value)| value).collect(), actions).is_err());
    }
}

#[test]
fn passes_are_found_by_name() {
    for pass in PASSES {
        assert_eq!(passes::find(pass.name).map(|found| found.about), Some(pass.about));
    }
    assert!(passes::find("none").is_none());
}

/// Slicing a chain of a hundred thousand branches, nested and in a row, takes no time to speak of.
#[test]
fn passes_are_nearly_linear() {
    let mut text = String::from("proc main locals (x y z)\n");
    for i in 0..50_000 {
        let (next, arm) = (i + 1, format!("arm{i}"));
        writeln!(text, "l{i} -> {arm}: assume y\n l{i} -> l{next}: assume !y\n {arm} -> l{next}: z := y").unwrap();
    }
    for i in 0..50_000 {
        let next = i + 1;
        writeln!(text, "n{i} -> n{next}: assume y\n n{i} -> end: assume !y").unwrap();
    }
    text +=
        "entry -> l0: assume true\n l50000 -> n0: assume true\n n50000 -> end: assume true\n end -> error: assume x";
    let mut built = build(&text);
    let (program, back) =
        passes::pipeline(&mut built.terms, &built.program, error(), &[&INLINE, &PRUNE, &SLICE, &PRUNE]);
    assert_eq!(program.procs[0].locals.len(), 1);
    check_trace(&built, &program, back.as_ref());
    let anything = built.terms.bool(true);
    let everywhere = (0..program.locs.len()).map(|loc| (tamis_ir::Loc::new(loc), anything)).collect();
    let proof = back.proof(&mut built.terms, Proof { invariants: everywhere, ..Proof::default() });
    assert!(built.terms.is_true(proof.invariants[&built.loc("main", "n40000")]));
}
