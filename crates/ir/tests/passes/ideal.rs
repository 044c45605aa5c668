//! Ideal integers: terms and formulas mean the same in both arithmetics; what overflow changes.

use crate::explicit;
use crate::laws::{expect_error_trace, search};
use crate::random::{self, Taste};
use crate::words;
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tamis_ir::interpreter::Choices;
use tamis_ir::passes::Back;
use tamis_ir::passes::ideal::{Mode, ideal};
use tamis_ir::validate::validate;
use tamis_ir::{Action, Interpreter, Loc, Notation, Op, Program, Proof, Property, PropertyId, Span};
use tamis_term::walk::post_order;
use tamis_term::{ArraySort, ArrayValue, Fun, Node, Sort, Term, Terms, Value, Var};

const PROPERTY: usize = 0;

/// A program of one procedure with some words, each written as the letter says: `s` signed, `u`
/// unsigned.
fn words(terms: &mut Terms, kinds: &str, width: u32) -> (Program, Vec<Var>) {
    let mut program = Program::new(Arc::default());
    program.add_proc("main", Span::default());
    let mut vars = Vec::new();
    for (number, kind) in kinds.chars().enumerate() {
        let var = terms.declare(&format!("main::x{number}"), Sort::BitVec(width));
        let notation = if kind == 's' { Notation::Signed } else { Notation::Unsigned };
        program.notes.notation.insert(var, notation);
        vars.push(var);
    }
    program.procs[0].params.clone_from(&vars);
    program.add_property(Property::new("error", "an error", vec![]));
    (program, vars)
}

/// The number that a word stands for.
fn number(program: &Program, var: Var, value: &Value) -> BigInt {
    match program.notes.notation.get(&var) {
        Some(Notation::Signed) => value.as_bv().to_signed(),
        _ => value.as_bv().to_big().into(),
    }
}

/// The values of the new variables, given those of the old ones.
fn embed(terms: &Terms, program: &Program, old: &[Var], new: &[Var], values: &[Value]) -> BTreeMap<Var, Value> {
    let pairs = old.iter().zip(new).zip(values);
    pairs
        .map(|((old, new), value)| match (terms.var_sort(*old), terms.var_sort(*new)) {
            (Sort::BitVec(_), Sort::Int) => (*new, Value::int(number(program, *old, value))),
            _ => (*new, value.clone()),
        })
        .collect()
}

#[test]
fn terms_have_the_same_values() {
    let (mut words_left, mut integers) = (0, 0);
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut terms = Terms::new();
        let width = rng.u32(1..7);
        let kinds = ["suu", "sss", "uuu", "sus"][rng.usize(..4)];
        let (mut program, vars) = words(&mut terms, kinds, width);
        let leaves: Vec<Term> = vars[1..].iter().map(|var| terms.var(*var)).collect();
        let depth = rng.u32(1..5);
        let value = words::word(&mut rng, &mut terms, &leaves, depth);
        let other = words::word(&mut rng, &mut terms, &leaves, 1);
        let condition = words::comparison(&mut rng, &mut terms, value, other);
        let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
        program.add_edge(program.main, entry, exit, Op::Assign(vec![(vars[0], value)]), Span::default());
        program.add_edge(program.main, entry, exit, Op::Assume(condition), Span::default());
        let (new, _) = ideal(&mut terms, &program, PropertyId::new(PROPERTY), Mode::Exact);
        validate(&terms, &new).unwrap();
        let edges: Vec<_> = new.procs[0].edges.iter().filter(|edge| edge.to == exit).collect();
        let (Op::Assign(pairs), Op::Assume(holds)) = (&edges[0].op, &edges[1].op) else { panic!("{edges:?}") };
        let changed = *terms.var_sort(new.procs[0].params[0]) == Sort::Int;
        *(if changed { &mut integers } else { &mut words_left }) += 1;
        for _ in 0..20 {
            let values: Vec<Value> = vars.iter().map(|var| words::value(&mut rng, terms.var_sort(*var))).collect();
            let old: BTreeMap<Var, Value> = vars.iter().copied().zip(values.iter().cloned()).collect();
            let now = embed(&terms, &program, &vars, &new.procs[0].params, &values);
            let (machine, integer) =
                (terms.eval(value, |var| old[&var].clone()), terms.eval(pairs[0].1, |var| now[&var].clone()));
            let expected = if changed { Value::int(number(&program, vars[0], &machine)) } else { machine };
            assert_eq!(integer, expected, "seed {seed}: a value, for {old:?}");
            let (machine, integer) =
                (terms.eval(condition, |var| old[&var].clone()), terms.eval(*holds, |var| now[&var].clone()));
            assert_eq!(integer, machine, "seed {seed}: a condition, for {old:?}");
        }
    }
    println!("{integers} with integers, {words_left} left as they were");
    assert!(integers > 1000 && words_left > 100, "{integers} with integers, {words_left} left as they were");
}

#[test]
fn formulas_come_back_with_the_same_meaning() {
    for seed in 0..3000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut terms = Terms::new();
        let width = rng.u32(1..9);
        let (mut program, _) = words(&mut terms, "suss", width);
        // An integer from the start, which no word stands for.
        let native = terms.declare("main::n", Sort::Int);
        program.procs[0].params.push(native);
        let (new, back) = ideal(&mut terms, &program, PropertyId::new(PROPERTY), Mode::Ideal);
        let params = new.procs[0].params.clone();
        let olds: Vec<Var> = params.iter().map(|_| terms.declare("old", Sort::Int)).collect();
        let mut names: Vec<Var> = params[..4].iter().chain(&olds[..4]).copied().collect();
        if rng.u8(..3) == 0 {
            names.extend([params[4], olds[4]]);
        }
        let leaves: Vec<Term> = names.into_iter().map(|var| terms.var(var)).collect();
        let depth = rng.u32(1..5);
        let invariant = words::formula(&mut rng, &mut terms, &leaves, depth);
        let old = params.iter().copied().zip(olds.iter().copied()).collect();
        let mut proof = Proof { old, ..Proof::default() };
        proof.invariants.insert(program.procs[0].entry, invariant);
        proof.invariants.insert(Loc::new(7), invariant);
        let came = back.proof(&mut terms, proof);
        assert_eq!(came.invariants.len(), 1, "locations that the old program does not have are dropped");
        let formula = came.invariants[&program.procs[0].entry];
        for _ in 0..20 {
            let mut old = BTreeMap::new();
            let mut now = BTreeMap::new();
            for (at, var) in program.procs[0].params.iter().enumerate() {
                for (word, int) in [(*var, params[at]), (came.old[var], olds[at])] {
                    assert_eq!(terms.var_sort(word), terms.var_sort(*var), "old values have the variable's sort");
                    let value = words::value(&mut rng, terms.var_sort(word));
                    let int_value =
                        if *var == native { value.clone() } else { Value::int(number(&program, *var, &value)) };
                    now.insert(int, int_value);
                    old.insert(word, value);
                }
            }
            let integers = terms.eval(invariant, |var| now[&var].clone());
            let machine = terms.eval(formula, |var| old[&var].clone());
            assert_eq!(machine, integers, "seed {seed}: for {old:?}");
        }
    }
}

/// The array of numbers that an array of words stands for.
fn embed_array(value: &Value, signed: bool, width: u32) -> Value {
    let Sort::Array(sort) = of_integers() else { panic!("an array") };
    let cells = (0..1 << width).map(|at| {
        let element = value.as_array().select(&Value::bv(width, at)).as_bv().clone();
        (Value::int(at), Value::int(if signed { element.to_signed() } else { element.to_big().into() }))
    });
    Value::Array(Box::new(ArrayValue::from_cells(sort, Value::int(0), cells)))
}

fn of_integers() -> Sort {
    Sort::Array(Arc::new(ArraySort { index: Sort::Int, element: Sort::Int }))
}

#[test]
fn arrays_have_the_same_elements() {
    let mut tables = 0;
    for seed in 0..1000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut terms = Terms::new();
        let (width, signed) = (rng.u32(1..4), rng.bool());
        let (mut program, vars) = words(&mut terms, "sus", width);
        let word = Sort::BitVec(width);
        let sort = Sort::Array(Arc::new(ArraySort { index: word.clone(), element: word }));
        let array = terms.declare("main::a", sort);
        program.notes.notation.insert(array, if signed { Notation::Signed } else { Notation::Unsigned });
        program.procs[0].params.push(array);
        let a = terms.var(array);
        let leaves: Vec<Term> = vars[1..].iter().map(|var| terms.var(*var)).collect();
        let mut some = |terms: &mut Terms| words::word(&mut rng, terms, &leaves, 1);
        let (index, element, other) = (some(&mut terms), some(&mut terms), some(&mut terms));
        let stored = terms.store(a, index, element);
        let mut more = leaves.clone();
        more.extend([terms.select(a, other), terms.select(stored, other)]);
        let value = words::word(&mut rng, &mut terms, &more, 2);
        let (left, right) = (words::word(&mut rng, &mut terms, &more, 1), more[rng.usize(..more.len())]);
        let condition = words::comparison(&mut rng, &mut terms, left, right);
        let (entry, exit) = (program.procs[0].entry, program.procs[0].exit);
        let both = Op::Assign(vec![(vars[0], value), (array, stored)]);
        program.add_edge(program.main, entry, exit, both, Span::default());
        program.add_edge(program.main, entry, exit, Op::Assume(condition), Span::default());
        let (new, back) = ideal(&mut terms, &program, PropertyId::new(PROPERTY), Mode::Exact);
        validate(&terms, &new).unwrap();
        let edges: Vec<_> = new.procs[0].edges.iter().filter(|edge| edge.to == exit).collect();
        let (Op::Assign(pairs), Op::Assume(holds)) = (&edges[0].op, &edges[1].op) else { panic!("{edges:?}") };
        let params = new.procs[0].params.clone();
        if *terms.var_sort(params[3]) != of_integers() {
            continue;
        }
        tables += 1;
        // A formula about an element, to come back: the index is a word that is not negative.
        let [int, table] = [1, 3].map(|at| terms.var(params[at]));
        let read = terms.select(table, int);
        let fact = words::formula(&mut rng, &mut terms, &[read, int], 2);
        let mut proof = Proof::default();
        proof.invariants.insert(entry, fact);
        let came = back.proof(&mut terms, proof).invariants[&entry];
        for _ in 0..20 {
            let old: BTreeMap<Var, Value> = program.procs[0]
                .params
                .iter()
                .map(|var| match terms.var_sort(*var) {
                    Sort::Array(sort) => {
                        let cells =
                            (0..1 << width).map(|at| (Value::bv(width, at), words::value(&mut rng, &sort.element)));
                        let cells: Vec<(Value, Value)> = cells.collect();
                        let default = Value::bv(width, 0);
                        (*var, Value::Array(Box::new(ArrayValue::from_cells(sort.clone(), default, cells))))
                    }
                    other @ (Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real) => {
                        (*var, words::value(&mut rng, other))
                    }
                })
                .collect();
            let values: Vec<Value> = vars.iter().map(|var| old[var].clone()).collect();
            let mut now = embed(&terms, &program, &vars, &params[..3], &values);
            now.insert(params[3], embed_array(&old[&array], signed, width));
            let machine = |terms: &Terms, term: Term| terms.eval(term, |var| old[&var].clone());
            let integer = |terms: &Terms, term: Term| terms.eval(term, |var| now[&var].clone());
            let expected = Value::int(number(&program, vars[0], &machine(&terms, value)));
            assert_eq!(integer(&terms, pairs[0].1), expected, "seed {seed}: a value, for {old:?}");
            let expected = embed_array(&machine(&terms, stored), signed, width);
            assert_eq!(integer(&terms, pairs[1].1), expected, "seed {seed}: an array, for {old:?}");
            assert_eq!(integer(&terms, *holds), machine(&terms, condition), "seed {seed}: a condition, for {old:?}");
            assert_eq!(machine(&terms, came), integer(&terms, fact), "seed {seed}: a fact, for {old:?}");
        }
    }
    assert!(tables > 300, "only {tables} programs with arrays of integers");
}

/// Whether a signed operation of the term overflows for these values.
fn overflows(terms: &mut Terms, roots: &[Term], values: &BTreeMap<Var, Value>) -> bool {
    for term in post_order(terms, roots) {
        let Node::App(fun @ (Fun::BvAdd | Fun::BvSub | Fun::BvMul | Fun::BvNeg | Fun::BvSdiv | Fun::BvShl), args) =
            terms.node(term).clone()
        else {
            continue;
        };
        let width = terms.width(term);
        // At four times the width nothing overflows.
        let mut wide = |arg: Term| terms.sign_extend(arg, 3 * width);
        let args: Vec<Term> = match (&fun, args.as_slice()) {
            (Fun::BvShl, [a, by]) => vec![wide(*a), terms.zero_extend(*by, 3 * width)],
            (_, args) => args.iter().map(|arg| wide(*arg)).collect(),
        };
        let exact = terms.app(fun, &args);
        let value = |term| terms.eval(term, |var: Var| values[&var].clone()).as_bv().to_signed();
        if value(exact) != value(term) {
            return true;
        }
    }
    false
}

/// The words that are read as signed: those whose number can be negative.
fn signed(terms: &mut Terms, back: &dyn Back, names: &BTreeMap<Var, Var>) -> BTreeSet<Var> {
    let mut signed = BTreeSet::new();
    for (old, new) in names {
        if *terms.var_sort(*new) != Sort::Int {
            continue;
        }
        let (int, zero) = (terms.var(*new), terms.int(0));
        let mut proof = Proof::default();
        proof.invariants.insert(Loc::new(0), terms.lt(int, zero));
        let negative = back.proof(terms, proof).invariants[&Loc::new(0)];
        if !terms.is_false(negative) {
            signed.insert(*old);
        }
    }
    signed
}

/// Choices at random.
struct Dice(fastrand::Rng);

impl Choices for Dice {
    fn branch(&mut self, count: usize) -> usize {
        self.0.usize(..count)
    }

    fn value(&mut self, sort: &Sort) -> Value {
        words::value(&mut self.0, sort)
    }
}

/// What a run of the old program does in the new one, until signed arithmetic overflows. Returns
/// how many steps were compared.
fn follow(seed: u64, mode: Mode) -> usize {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut terms = Terms::new();
    let program = random::program(&mut rng, &mut terms, Taste::Words);
    let (new, back) = ideal(&mut terms, &program, PropertyId::new(PROPERTY), mode);
    validate(&terms, &new).unwrap();
    let mut names: BTreeMap<Var, Var> = program.globals.iter().copied().zip(new.globals.iter().copied()).collect();
    for (old, new) in program.procs.iter().zip(&new.procs) {
        names.extend(old.vars().zip(new.vars()));
    }
    let signed = signed(&mut terms, &*back, &names);
    let run = Interpreter::new(&terms, &program).run(&mut Dice(rng), &[], 40);
    let frozen = terms.clone();
    let mut interpreter = Interpreter::new(&frozen, &new);
    let mut machine = Interpreter::new(&frozen, &program);
    let number = |var: Var, value: &Value| match (value, frozen.var_sort(names[&var])) {
        (Value::BitVec(bits), Sort::Int) if signed.contains(&var) => Value::int(bits.to_signed()),
        (Value::BitVec(bits), Sort::Int) => Value::int(bits.to_big()),
        _ => value.clone(),
    };
    let start: Vec<Value> = run.trace.start.iter().map(|(var, value)| number(*var, value)).collect();
    let mut config = interpreter.start(start).unwrap();
    let mut before = machine.start(run.trace.start.iter().map(|(_, value)| value.clone()).collect()).unwrap();
    let mut compared = 0;
    // Edges that only assume ranges are taken when control is at their start.
    let silent = |interpreter: &mut Interpreter, config: &mut tamis_ir::Config| {
        while config.loc().index() >= program.locs.len() {
            let edge = interpreter.out_edges(config.loc())[0];
            interpreter.step(config, &Action::Take { edge, inputs: vec![] }).expect("values are in their ranges");
        }
    };
    silent(&mut interpreter, &mut config);
    for step in &run.trace.steps {
        let action = match &step.action {
            Action::Return => Action::Return,
            Action::Take { edge, inputs } => {
                let roots = match &program.edge(*edge).op {
                    Op::Assume(condition) => vec![*condition],
                    Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
                    Op::Havoc(_) => vec![],
                    Op::Call { args, .. } => args.clone(),
                };
                let scope = program.globals.iter().copied().chain(program.proc(edge.proc).vars());
                let values = scope.map(|var| (var, machine.value(&before, var).unwrap().clone())).collect();
                if mode == Mode::Ideal && overflows(&mut terms, &roots, &values) {
                    return compared;
                }
                let inputs = machine.inputs(*edge).iter().zip(inputs).map(|(var, value)| number(*var, value)).collect();
                // The new edges are in the order of the old ones, with silent ones between them.
                let kept =
                    new.proc(edge.proc).edges.iter().enumerate().filter(|(_, e)| e.from.index() < program.locs.len());
                let (index, _) = kept.clone().nth(edge.index as usize).unwrap();
                Action::Take { edge: tamis_ir::EdgeId { index: u32::try_from(index).unwrap(), ..*edge }, inputs }
            }
        };
        let writes = interpreter.step(&mut config, &action).expect("the same step");
        silent(&mut interpreter, &mut config);
        machine.step(&mut before, &step.action).unwrap();
        assert_eq!(config.loc(), before.loc());
        for ((var, value), (new, now)) in step.writes.iter().zip(&writes) {
            assert_eq!(names[var], *new);
            assert_eq!(number(*var, value), *now, "{} after step {compared}", frozen.name(*var));
        }
        compared += 1;
    }
    compared
}

#[test]
fn exact_runs_are_those_of_the_machine() {
    let steps: usize = (0..2000).map(|seed| follow(seed, Mode::Exact)).sum();
    assert!(steps > 10_000, "only {steps} steps were compared");
}

#[test]
fn ideal_runs_are_those_of_the_machine_until_it_overflows() {
    let steps: usize = (0..2000).map(|seed| follow(seed, Mode::Ideal)).sum();
    assert!(steps > 5_000, "only {steps} steps were compared");
}

/// `x := 0; while (*) x := x + 1;` and an error where the word, in its reading, is below or above
/// the bound. The loop is at the location after the entry and the exit.
fn counter(terms: &mut Terms, kind: &str, fun: &Fun, bound: u64) -> Program {
    let (mut program, vars) = words(terms, kind, 3);
    let (x, zero, one, bound) = (terms.var(vars[0]), terms.bv(3, 0), terms.bv(3, 1), terms.bv(3, bound));
    let [head, error] = [(); 2].map(|()| program.add_loc(Span::default()));
    let (next, wrong) = (terms.bvadd(x, one), terms.app(fun.clone(), &[x, bound]));
    let entry = program.procs[0].entry;
    program.add_edge(program.main, entry, head, Op::Assign(vec![(vars[0], zero)]), Span::default());
    program.add_edge(program.main, head, head, Op::Assign(vec![(vars[0], next)]), Span::default());
    program.add_edge(program.main, head, error, Op::Assume(wrong), Span::default());
    program.errors[PROPERTY].locs.push(error);
    validate(terms, &program).unwrap();
    program
}

/// Expects whether the error is reached by the machine, by exact integers, and by ideal ones as
/// far as they are searched; and that the ideal trace runs on the machine, or does not.
fn check(terms: &mut Terms, program: &Program, machine: bool, ideally: bool) {
    let property = PropertyId::new(PROPERTY);
    let found = |terms: &Terms, program: &Program| search(terms, program, &program.property(property).locs, 300);
    assert_eq!(found(terms, program).is_some(), machine, "the machine");
    let (exact, back) = ideal(terms, program, property, Mode::Exact);
    let trace = found(terms, &exact);
    assert_eq!(trace.is_some(), machine, "exact integers");
    if let Some(trace) = trace {
        expect_error_trace(terms, program, property, &back.trace(terms, trace));
    }
    let (idealised, back) = ideal(terms, program, property, Mode::Ideal);
    let trace = found(terms, &idealised);
    assert_eq!(trace.is_some(), ideally, "ideal integers");
    if let Some(trace) = trace {
        let (steps, back) = (trace.steps.len(), back.trace(terms, trace));
        assert!(back.steps.len() <= steps);
        let values = back.start.iter().map(|(_, value)| value.clone()).collect();
        let actions = back.steps.iter().map(|step| step.action.clone()).collect();
        let replayed = Interpreter::new(terms, program).record(values, actions);
        assert_eq!(replayed.is_ok(), machine, "the trace of ideal integers, on the machine");
    }
}

#[test]
fn overflow_that_reaches_the_error_is_lost_on_ideal_integers() {
    let mut terms = Terms::new();
    let program = counter(&mut terms, "s", &Fun::BvSlt, 0);
    check(&mut terms, &program, true, false);
}

#[test]
fn wrap_around_that_saves_is_lost_on_ideal_integers() {
    let mut terms = Terms::new();
    let mut program = counter(&mut terms, "ss", &Fun::BvSlt, 0);
    // `y := x; x := x + 1;` and the error where `y` is three and `x` is positive.
    let [x, y] = [0, 1].map(|at| program.procs[0].params[at]);
    let (before, after) = (terms.var(x), program.add_loc(Span::default()));
    let (copy, three, zero) = (terms.var(y), terms.bv(3, 3), terms.bv(3, 0));
    let both = [terms.eq(copy, three), terms.bvslt(zero, before)];
    let edges = &mut program.procs[0].edges;
    edges[0].op = Op::Assign(vec![(y, before)]);
    edges[1].to = after;
    edges[2].from = after;
    edges[2].op = Op::Assume(terms.and(&both));
    check(&mut terms, &program, false, true);
}

#[test]
fn unsigned_words_wrap_around_on_ideal_integers_too() {
    let mut terms = Terms::new();
    let mut program = counter(&mut terms, "u", &Fun::BvUlt, 1);
    // `x := 7; x := x + 1;` and the error where `x` is zero.
    let (var, seven, after) = (program.procs[0].params[0], terms.bv(3, 7), program.add_loc(Span::default()));
    let edges = &mut program.procs[0].edges;
    edges[0].op = Op::Assign(vec![(var, seven)]);
    edges[1].to = after;
    edges[2].from = after;
    check(&mut terms, &program, true, true);
}

#[test]
fn a_proof_that_forgets_overflow_is_a_proof_only_where_intervals_exclude_it() {
    let cases = [(Mode::Ideal, None, false), (Mode::Ideal, Some(2), true), (Mode::Exact, Some(2), true)];
    for (mode, bound, inductive) in cases {
        let mut terms = Terms::new();
        let mut program = counter(&mut terms, "s", &Fun::BvSlt, 0);
        if let Some(bound) = bound {
            // The loop stops in time.
            let (x, bound, head) = (terms.var(program.procs[0].params[0]), terms.bv(3, bound), Loc::new(2));
            let (body, below) = (program.add_loc(Span::default()), terms.bvslt(x, bound));
            program.procs[0].edges[1].from = body;
            program.add_edge(program.main, head, body, Op::Assume(below), Span::default());
        }
        let property = PropertyId::new(PROPERTY);
        let (new, back) = ideal(&mut terms, &program, property, mode);
        let (int, zero, always) = (terms.var(new.procs[0].params[0]), terms.int(0), terms.bool(true));
        let mut proof = Proof::default();
        proof.invariants.insert(program.procs[0].entry, always);
        proof.invariants.insert(Loc::new(2), terms.le(zero, int));
        if bound.is_some() {
            proof.invariants.insert(Loc::new(4), terms.le(zero, int));
        }
        let proof = back.proof(&mut terms, proof);
        let found = explicit::check(&terms, &program, property, &proof);
        assert_eq!(found.is_ok(), inductive, "{found:?}");
    }
}

#[test]
fn a_trace_brings_its_arrays_back() {
    let mut terms = Terms::new();
    let (mut program, vars) = words(&mut terms, "us", 3);
    let word = Sort::BitVec(3);
    let array = terms.declare("main::a", Sort::Array(Arc::new(ArraySort { index: word.clone(), element: word })));
    program.procs[0].params.push(array);
    // The error is reached where an element is three.
    let (a, index, three) = (terms.var(array), terms.var(vars[0]), terms.bv(3, 3));
    let (read, error) = (terms.select(a, index), program.add_loc(Span::default()));
    let (entry, wrong) = (program.procs[0].entry, terms.eq(read, three));
    program.add_edge(program.main, entry, error, Op::Assume(wrong), Span::default());
    program.errors[PROPERTY].locs.push(error);
    let property = PropertyId::new(PROPERTY);
    let (new, back) = ideal(&mut terms, &program, property, Mode::Exact);
    let Sort::Array(sort) = of_integers() else { panic!("an array") };
    // No word is the index nine; as a word it would be one.
    let cells = [(Value::int(1), Value::int(3)), (Value::int(9), Value::int(5))];
    let table = Value::Array(Box::new(ArrayValue::from_cells(sort, Value::int(0), cells)));
    let actions = (0..2).map(|at| tamis_ir::EdgeId { proc: new.main, index: at });
    let actions = actions.map(|edge| Action::Take { edge, inputs: vec![] }).collect();
    let start = vec![Value::int(1), Value::int(0), table];
    let trace = Interpreter::new(&terms, &new).record(start, actions).unwrap();
    expect_error_trace(&terms, &program, property, &back.trace(&terms, trace));
}
