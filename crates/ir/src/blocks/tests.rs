use super::*;
use crate::program::{Loc, Op, Program};
use crate::{Bad, Machine, Property, Sources, Span};
use rustc_hash::FxHashMap;
use tamis_term::{Sort, Term, Terms, Value, Var};

/// Two loops in a row with a branch between, whose ways only a choice tells apart.
fn two_loops(terms: &mut Terms) -> Program {
    let mut program = Program::new(Sources::new().into());
    let span = Span::default();
    let main = program.add_proc("main", span);
    let [x, y] = ["main::x", "main::y"].map(|name| terms.declare(name, Sort::BitVec(4)));
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

fn graph(terms: &mut Terms, program: &Program, size: Size) -> BlockGraph {
    crate::validate::validate(terms, program).expect("valid");
    BlockGraph::new(terms, program, program.default.expect("one"), size).expect("it has no calls")
}

fn names(terms: &Terms, vars: impl IntoIterator<Item = Var>) -> Vec<String> {
    vars.into_iter().map(|var| terms.name(var).to_owned()).collect()
}

#[test]
fn arcs_mention_what_they_read_and_write() {
    let mut terms = Terms::new();
    let program = two_loops(&mut terms);
    let graph = graph(&mut terms, &program, Size::Large);
    let [first, second] = &graph.points[..] else { panic!("one cut point for each loop") };
    assert_eq!(names(&terms, first.live.iter().copied()), ["main::x"]);
    assert_eq!(names(&terms, second.live.iter().copied()), ["main::y"]);
    // One arc around the first loop, one to the second; the two ways there are told apart by an input.
    let ends: Vec<_> = first.out.iter().map(|arc| graph.to(*arc)).collect();
    assert_eq!(ends, [Some(first.id), Some(second.id)]);
    let [around, ahead] = [first.out[0], first.out[1]].map(|arc| graph.arc(arc));
    assert_eq!(terms.smtlib(around.guard).to_string(), "(bvult |main::x| #x3)");
    assert_eq!(names(&terms, around.values.pairs().into_iter().map(|(var, _)| var)), ["main::x"]);
    let (_, y) = ahead.values.pairs()[0];
    assert_eq!(names(&terms, terms.free_vars(&[y])), ["main::x", "$way"]);
    assert_eq!(graph.block(first.out[1]).selectors.len(), 1);
    // The error is behind the second.
    assert!(first.bad.is_empty());
    assert_eq!(terms.smtlib(graph.arc(second.bad[0]).guard).to_string(), "(bvult #x3 |main::y|)");
    assert_eq!(graph.starts().iter().map(|arc| graph.to(*arc)).collect::<Vec<_>>(), [Some(first.id)]);
}

/// What is taken, with the values by names that begin so.
fn taken(terms: &Terms, graph: &BlockGraph, arc: ArcId, values: &[(&str, u64)]) -> Taken {
    let inputs = graph.block(arc).inputs();
    let vars: Vec<Var> = graph.state().into_iter().chain(inputs).collect();
    let value = |var: &Var| match terms.var_sort(*var) {
        Sort::Bool => |number: u64| Value::Bool(number == 1),
        Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(_) => |number: u64| Value::bv(4, number),
    };
    let mut found = FxHashMap::default();
    for (name, number) in values {
        for var in vars.iter().filter(|var| terms.name(**var).starts_with(name)) {
            found.insert(*var, value(var)(*number));
        }
    }
    Taken { arc, values: found }
}

#[test]
fn a_run_along_arcs_is_a_trace() {
    let mut terms = Terms::new();
    let program = two_loops(&mut terms);
    let graph = graph(&mut terms, &program, Size::Large);
    let [first, second] = &graph.points[..] else { panic!("one cut point for each loop") };
    let mut run = vec![taken(&terms, &graph, graph.starts()[0], &[])];
    run.extend((0..3).map(|x| taken(&terms, &graph, first.out[0], &[("main::x", x)])));
    run.push(taken(&terms, &graph, first.out[1], &[("main::x", 3), ("$way", 1)]));
    run.push(taken(&terms, &graph, second.out[0], &[("main::y", 3)]));
    run.push(taken(&terms, &graph, second.bad[0], &[("main::y", 4)]));
    let trace = graph.trace(&terms, &program, &run).expect("a trace");
    assert!(program.errors[0].locs.contains(&trace.last(&program)));
    // A round less is no run.
    run.remove(2);
    assert!(graph.trace(&terms, &program, &run).is_err());
}

#[test]
fn statements_are_arcs_of_their_own() {
    let mut terms = Terms::new();
    let program = two_loops(&mut terms);
    let graph = graph(&mut terms, &program, Size::Single);
    // All locations are cut points but the error and main's exit.
    assert_eq!(graph.points.len(), 5);
    let middle =
        graph.points.iter().find(|point| point.out.len() == 1 && !graph.block(point.out[0]).selectors.is_empty());
    assert!(middle.is_some(), "two statements to the same place are one arc, and an input says which");
}

#[test]
fn a_machine_is_one_point_with_one_arc() {
    let mut terms = Terms::new();
    let [x, limit] = ["x", "limit"].map(|name| terms.declare(name, Sort::BitVec(4)));
    let coin = terms.declare("coin", Sort::Bool);
    let up = terms.declare("main::up", Sort::Bool);
    let next = terms.declare("main::$limit'", Sort::BitVec(4));
    let [x_term, limit_term, next_term] = [x, limit, next].map(|var| terms.var(var));
    let (up_term, zero, one, seven) = (terms.var(up), terms.bv(4, 0), terms.bv(4, 1), terms.bv(4, 7));
    let more = terms.bvadd(x_term, one);
    let stepped: Term = terms.ite(up_term, more, x_term);
    let machine = Machine {
        state: vec![x, limit, coin],
        inputs: vec![up],
        init: vec![(x, zero)],
        start: terms.bvult(limit_term, seven),
        constraint: terms.bvule(x_term, limit_term),
        update: vec![(x, stepped)],
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
    let program = machine.program(&mut terms, Sources::new().into());
    let graph = graph(&mut terms, &program, Size::Large);
    let [point] = &graph.points[..] else { panic!("one") };
    // The coin does not matter.
    assert_eq!(names(&terms, point.live.iter().copied()), ["x", "limit"]);
    assert_eq!(terms.smtlib(point.invariant).to_string(), "(bvule x limit)");
    assert_eq!((point.out.len(), point.bad.len(), graph.starts().len()), (1, 1, 1));
    // Its next-state functions are its values, up to the names of inputs.
    let arc = graph.arc(point.out[0]);
    let value = |var| terms.smtlib(arc.values.get(var).expect("written")).to_string();
    assert_eq!(value(x), "(ite |main::up!1| (bvadd x #x1) x)");
    assert!(value(limit).starts_with("|main::$limit'"));
}
