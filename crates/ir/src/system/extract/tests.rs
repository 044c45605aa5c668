use super::*;
use crate::evidence::Trace;
use crate::system::machine::{Bad, Machine};
use crate::{Property, Refusal, Sources, Span};
use std::sync::Arc as Shared;
use tamis_term::Sort;

/// A counter of three bits that goes up by the input, a coin that nobody tosses, and a limit that
/// the relation leaves open; bad at seven.
fn counter(terms: &mut Terms) -> Program {
    let [x, limit] = ["x", "limit"].map(|name| terms.declare(name, Sort::BitVec(3)));
    let coin = terms.declare("coin", Sort::Bool);
    let input = terms.declare("main::up", Sort::Bool);
    let next = terms.declare("main::$limit'", Sort::BitVec(3));
    let [x_term, limit_term, next_term] = [x, limit, next].map(|var| terms.var(var));
    let (up, zero, one, seven) = (terms.var(input), terms.bv(3, 0), terms.bv(3, 1), terms.bv(3, 7));
    let more = terms.bvadd(x_term, one);
    let machine = Machine {
        state: vec![x, limit, coin],
        inputs: vec![input],
        init: vec![(x, zero)],
        start: terms.bvult(limit_term, seven),
        constraint: terms.bvule(x_term, limit_term),
        update: vec![(x, terms.ite(up, more, x_term))],
        next: vec![(limit, next)],
        relation: terms.bvule(limit_term, next_term),
        bads: vec![Bad {
            name: "full".into(),
            about: "the counter is full".into(),
            condition: terms.eq(x_term, seven),
            span: Span::default(),
        }],
        span: Span::default(),
    };
    machine.program(terms, Shared::new(Sources::new()))
}

fn names(terms: &Terms, vars: impl IntoIterator<Item = Var>) -> Vec<String> {
    vars.into_iter().map(|var| terms.name(var).to_owned()).collect()
}

#[test]
fn a_machine_comes_back_as_its_system() {
    let mut terms = Terms::new();
    let program = counter(&mut terms);
    crate::validate::validate(&terms, &program).expect("valid");
    let found = extract(&mut terms, &program, program.default.expect("one"), Size::Large).expect("a system");
    found.system.validate(&terms).expect("valid");
    // The coin does not matter; the next limit is no input.
    assert_eq!(names(&terms, found.system.state.iter().map(|(now, _)| *now)), ["x", "limit"]);
    assert_eq!(found.system.inputs.len(), 1);
    assert_eq!(found.control, None);
    assert_eq!(terms.smtlib(found.system.invariant).to_string(), "(bvule x limit)");
}

/// A run of the counter system that goes up in every step.
fn climb(found: &Extracted, steps: u64) -> Frames {
    let frame = |at: u64| Frame {
        state: found.system.state.iter().zip([at, 6.max(at)]).map(|((var, _), v)| (*var, Value::bv(3, v))).collect(),
        inputs: found.system.inputs.iter().map(|var| (*var, Value::Bool(true))).collect(),
    };
    Frames((0..=steps).map(frame).collect())
}

#[test]
fn a_run_of_the_system_is_a_trace_of_the_program() {
    let mut terms = Terms::new();
    let program = counter(&mut terms);
    let found = extract(&mut terms, &program, program.default.expect("one"), Size::Large).expect("a system");
    let trace: Trace = found.trace(&terms, &program, &climb(&found, 7)).expect("a trace");
    assert!(program.errors[0].locs.contains(&trace.last(&program)));
    // Not bad yet, and no step of the system.
    assert_eq!(found.trace(&terms, &program, &climb(&found, 6)), Err(Refusal::NotHere));
    let mut broken = climb(&found, 7);
    broken.0.remove(3);
    assert_eq!(found.trace(&terms, &program, &broken), Err(Refusal::NotHere));
}

/// Two loops in a row with a branch between, whose ways only a choice tells apart.
fn two_loops(terms: &mut Terms) -> Program {
    let mut program = Program::new(Shared::new(Sources::new()));
    let span = Span::default();
    let main = program.add_proc("main", span);
    let x = terms.declare("main::x", Sort::BitVec(4));
    let y = terms.declare("main::y", Sort::BitVec(4));
    program.procs[0].locals = vec![x, y];
    let [x_term, y_term] = [x, y].map(|var| terms.var(var));
    let [zero, one, three] = [0, 1, 3].map(|value| terms.bv(4, value));
    let locs: Vec<Loc> = (0..5).map(|_| program.add_loc(span)).collect();
    let (entry, [first, middle, second, done, error]) = (program.procs[0].entry, [0, 1, 2, 3, 4].map(|at| locs[at]));
    let (small, up) = (terms.bvult(x_term, three), terms.bvadd(x_term, one));
    let large = terms.not(small);
    let (sum, bad) = (terms.bvadd(y_term, one), terms.bvult(three, y_term));
    let fine = terms.not(bad);
    for (from, to, op) in [
        (entry, first, Op::Assign(vec![(x, zero)])),
        (first, done, Op::Assume(small)),
        (done, first, Op::Assign(vec![(x, up)])),
        (first, middle, Op::Assume(large)),
        (middle, second, Op::Assign(vec![(y, x_term)])),
        (middle, second, Op::Assign(vec![(y, zero)])),
        (second, second, Op::Assign(vec![(y, sum)])),
        (second, error, Op::Assume(bad)),
        (second, program.procs[0].exit, Op::Assume(fine)),
    ] {
        program.add_edge(main, from, to, op, span);
    }
    program.default = Some(program.add_property(Property::new("error", "an error", vec![error])));
    program
}

#[test]
fn several_loops_are_counted() {
    let mut terms = Terms::new();
    let program = two_loops(&mut terms);
    crate::validate::validate(&terms, &program).expect("valid");
    let found = extract(&mut terms, &program, program.default.expect("one"), Size::Large).expect("a system");
    found.system.validate(&terms).expect("valid");
    assert_eq!(names(&terms, found.system.state.iter().map(|(now, _)| *now)), ["main::$at", "main::x", "main::y"]);
}
