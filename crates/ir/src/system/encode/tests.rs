use super::*;
use crate::system::machine::{Bad, Machine};
use crate::{Loc, Op, Property, Sources, Span};

fn names(terms: &Terms, vars: impl IntoIterator<Item = Var>) -> Vec<String> {
    vars.into_iter().map(|var| terms.name(var).to_owned()).collect()
}

fn texts(terms: &Terms, formulas: &[Term]) -> Vec<String> {
    formulas.iter().map(|formula| terms.smtlib(*formula).to_string()).collect()
}

#[test]
fn a_machine_keeps_its_functions() {
    let mut terms = Terms::new();
    let [x, limit] = ["x", "limit"].map(|name| terms.declare(name, Sort::BitVec(3)));
    let up = terms.declare("main::up", Sort::Bool);
    let [x_term, limit_term] = [x, limit].map(|var| terms.var(var));
    let (up_term, zero, one, seven) = (terms.var(up), terms.bv(3, 0), terms.bv(3, 1), terms.bv(3, 7));
    let more = terms.bvadd(x_term, one);
    let machine = Machine {
        state: vec![x, limit],
        inputs: vec![up],
        init: vec![(x, zero)],
        start: terms.bvult(limit_term, seven),
        constraint: terms.bvule(x_term, limit_term),
        update: vec![(x, terms.ite(up_term, more, x_term)), (limit, limit_term)],
        next: vec![],
        relation: terms.bool(true),
        bads: vec![Bad {
            name: "full".into(),
            about: "the counter is full".into(),
            condition: terms.eq(x_term, seven),
            span: Span::default(),
        }],
        span: Span::default(),
    };
    let program = machine.program(&mut terms, Sources::new().into());
    let Encoding { system, counter, .. } =
        encode(&mut terms, &program, program.default.expect("one")).expect("it has no calls");
    system.validate(&terms).expect("valid");
    assert_eq!(
        (counter, names(&terms, system.state.iter().map(|(now, _)| *now))),
        (None, vec!["x".into(), "limit".into()])
    );
    assert_eq!(texts(&terms, &system.next), ["(ite |main::up!1| (bvadd x #b001) x)", "limit"]);
    assert_eq!((system.init.len(), system.init[0].0), (1, x));
    let others = [system.start, system.invariant, system.step, system.bad];
    assert_eq!(texts(&terms, &others), ["(bvult limit #b111)", "(bvule x limit)", "true", "(= x #b111)"]);
}

/// `while (x < 3) x++; while (1) { if (y > 3) error; y++; }`, from any `y`.
fn two_loops(terms: &mut Terms) -> Program {
    let mut program = Program::new(Sources::new().into());
    let span = Span::default();
    let main = program.add_proc("main", span);
    let [x, y] = ["main::x", "main::y"].map(|name| terms.declare(name, Sort::BitVec(4)));
    program.procs[0].locals = vec![x, y];
    let [x_term, y_term] = [x, y].map(|var| terms.var(var));
    let [zero, one, three] = [0, 1, 3].map(|value| terms.bv(4, value));
    let [first, around, second, error] = [0; 4].map(|_| program.add_loc(span));
    let (small, up) = (terms.bvult(x_term, three), terms.bvadd(x_term, one));
    let large = terms.not(small);
    let (sum, bad) = (terms.bvadd(y_term, one), terms.bvult(three, y_term));
    let edges: [(Loc, Loc, Op); 6] = [
        (program.procs[0].entry, first, Op::Assign(vec![(x, zero)])),
        (first, around, Op::Assume(small)),
        (around, first, Op::Assign(vec![(x, up)])),
        (first, second, Op::Assume(large)),
        (second, second, Op::Assign(vec![(y, sum)])),
        (second, error, Op::Assume(bad)),
    ];
    for (from, to, op) in edges {
        program.add_edge(main, from, to, op, span);
    }
    program.default = Some(program.add_property(Property::new("error", "an error", vec![error])));
    program
}

#[test]
fn several_loops_are_counted() {
    let mut terms = Terms::new();
    let program = two_loops(&mut terms);
    let Encoding { system, .. } = encode(&mut terms, &program, program.default.expect("one")).expect("no calls");
    system.validate(&terms).expect("valid");
    assert_eq!(names(&terms, system.state.iter().map(|(now, _)| *now)), ["main::$at", "main::x", "main::y"]);
    // Step by step, from x = 0 and y = 2: three rounds, the next loop, two rounds, the error.
    let mut state: Vec<Value> = vec![Value::bv(1, 0), Value::bv(4, 0), Value::bv(4, 2)];
    let value = |state: &[Value], var: Var| {
        let at = system.state.iter().position(|(now, _)| *now == var).expect("there are no inputs");
        state[at].clone()
    };
    let first = system.initial(&mut terms);
    assert!(terms.eval(first, |var| value(&state, var)).as_bool());
    let mut steps = 0;
    while !terms.eval(system.bad, |var| value(&state, var)).as_bool() {
        assert!(terms.eval(system.step, |var| value(&state, var)).as_bool(), "after {steps} steps");
        state = system.next.iter().map(|next| terms.eval(*next, |var| value(&state, var))).collect();
        steps += 1;
        assert!(steps < 20, "the error is reached before");
    }
    assert_eq!(steps, 6);
}
