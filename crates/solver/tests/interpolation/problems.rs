//! Random interpolation problems: trees of formulas, each of which relates the states of its
//! children to its own, as unrolled systems and calls do.

use fastrand::Rng;
use std::time::{Duration, Instant};
use tamis_solver::interpolation::Parts;
use tamis_solver::{Answer, Solvers, StopSignal};
use tamis_term::{ArrayValue, Fun, Sort, Term, Terms, Value};

/// Formulas that contradict each other.
pub struct Problem {
    pub terms: Terms,
    pub parts: Parts,
}

/// What a problem is like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The variables of a state.
    pub state: Vec<Sort>,
    /// The variables of a step that no other step shares.
    pub inputs: Vec<Sort>,
    /// The least and the most nodes.
    pub nodes: (usize, usize),
    /// Whether nodes may have several children.
    pub tree: bool,
    /// How deep right-hand sides are.
    pub depth: usize,
}

/// What states are made of.
pub const THEORIES: [&str; 6] = ["Bool", "bit-vectors", "arrays", "Int", "Real", "mixed"];

/// Shapes by theory. Finite states have few bits, except in the mixture.
pub fn shapes(theory: &str) -> Vec<Shape> {
    let word = Sort::BitVec;
    let finite = |state: Vec<Sort>, inputs: Vec<Sort>| Shape { state, inputs, nodes: (2, 8), tree: false, depth: 2 };
    let chains = match theory {
        "Bool" => vec![finite(vec![Sort::Bool; 4], vec![Sort::Bool; 2])],
        "bit-vectors" => vec![
            finite(vec![word(1), word(2), Sort::Bool], vec![word(2)]),
            finite(vec![word(4), Sort::Bool], vec![word(2)]),
            finite(vec![word(3), word(3)], vec![]),
            Shape { nodes: (2, 5), ..finite(vec![word(8)], vec![]) },
        ],
        "arrays" => vec![
            finite(vec![Sort::array(word(1), word(2)), word(1)], vec![word(2)]),
            finite(vec![Sort::array(word(2), Sort::Bool), word(2)], vec![Sort::Bool]),
            Shape {
                nodes: (2, 4),
                ..finite(vec![Sort::array(Sort::Bool, Sort::array(word(1), word(1)))], vec![word(1)])
            },
        ],
        "Int" => vec![finite(vec![Sort::Int; 2], vec![Sort::Int])],
        "Real" => vec![finite(vec![Sort::Real; 2], vec![Sort::Real])],
        "mixed" => vec![
            finite(vec![Sort::Int, Sort::Bool], vec![Sort::Int]),
            finite(vec![Sort::Real, word(3)], vec![Sort::Bool]),
            Shape { nodes: (2, 5), ..finite(vec![Sort::array(Sort::Int, Sort::Int), Sort::Int], vec![]) },
            Shape { nodes: (2, 5), ..finite(vec![Sort::array(word(16), word(8)), word(16)], vec![word(8)]) },
        ],
        other => panic!("no theory {other}"),
    };
    let trees = chains.clone().into_iter().map(|shape| Shape { tree: true, ..shape });
    chains.iter().cloned().chain(trees).collect()
}

/// A random problem, if one of the shape is found.
pub fn random(random: &mut Rng, shape: &Shape) -> Option<Problem> {
    if shape.state.iter().all(|sort| matches!(sort, Sort::Int | Sort::Real)) {
        return Some(super::linear::random(random, shape));
    }
    (0..20).find_map(|_| attempt(random, shape))
}

/// A tree of the shape: the parent of each node but the last.
pub fn tree(random: &mut Rng, shape: &Shape) -> Vec<usize> {
    let nodes = random.usize(shape.nodes.0..=shape.nodes.1);
    let parent = |node: usize, random: &mut Rng| {
        if shape.tree { random.usize(node + 1..nodes.min(node + 4)) } else { node + 1 }
    };
    (0..nodes - 1).map(|node| parent(node, random)).collect()
}

/// Variables of the given sorts.
pub fn declare(terms: &mut Terms, name: &str, sorts: &[Sort]) -> Vec<Term> {
    let vars = sorts.iter().enumerate().map(|(at, sort)| terms.declare(&format!("{name}{at}"), sort.clone()));
    let vars: Vec<_> = vars.collect();
    vars.into_iter().map(|var| terms.var(var)).collect()
}

fn attempt(random: &mut Rng, shape: &Shape) -> Option<Problem> {
    let mut terms = Terms::new();
    let parents = tree(random, shape);
    let nodes = parents.len() + 1;
    let states: Vec<Vec<Term>> =
        (0..nodes - 1).map(|node| declare(&mut terms, &format!("s{node}_"), &shape.state)).collect();
    let mut formulas = Vec::new();
    let mut scopes: Vec<Vec<Term>> = Vec::new();
    for node in 0..nodes {
        let inputs = declare(&mut terms, &format!("i{node}_"), &shape.inputs);
        let below: Vec<Term> =
            (0..node).filter(|child| parents[*child] == node).flat_map(|c| states[c].clone()).collect();
        let known: Vec<Term> = below.into_iter().chain(inputs).collect();
        let own = states.get(node).cloned().unwrap_or_default();
        let ways = if random.u8(..4) == 0 { 2 } else { 1 };
        let ways: Vec<Term> = (0..ways).map(|_| step(random, &mut terms, &known, &own, shape.depth)).collect();
        formulas.push(terms.or(&ways));
        scopes.push(known.into_iter().chain(own).collect());
    }
    // Random demands, until they are too much.
    for _ in 0..12 {
        let parts = Parts { formulas: formulas.clone(), parents: parents.clone() };
        if contradictory(&terms, &parts) {
            return Some(Problem { terms, parts });
        }
        let node = random.usize(..nodes);
        let demand = formula(random, &mut terms, &scopes[node], shape.depth);
        formulas[node] = terms.and(&[formulas[node], demand]);
    }
    None
}

/// Solvers that give up after a while.
pub fn for_a_while(time: Duration) -> Solvers {
    let start = Instant::now();
    Solvers { stop: StopSignal::when(move || start.elapsed() >= time), ..Solvers::default() }
}

/// Whether a solver finds that the parts contradict each other.
pub fn contradictory(terms: &Terms, parts: &Parts) -> bool {
    let mut solver = for_a_while(Duration::from_secs(1)).fresh(terms, &parts.formulas).expect("a solver");
    match solver.check(terms, &parts.formulas).expect("formulas") {
        Answer::Unsat(_) => true,
        Answer::Sat(_) | Answer::Unknown(_) => false,
    }
}

/// A conjunction of assignments to some of the state, and a guard.
fn step(random: &mut Rng, terms: &mut Terms, known: &[Term], own: &[Term], depth: usize) -> Term {
    let mut conjuncts = Vec::new();
    for target in own {
        let sort = terms.sort(*target).clone();
        match random.u8(..8) {
            0 => {}
            1 => {
                let all: Vec<Term> = known.iter().chain(own).copied().collect();
                conjuncts.push(formula(random, terms, &all, depth));
            }
            _ => {
                let value = term(random, terms, known, &sort, depth);
                conjuncts.push(terms.eq(*target, value));
            }
        }
    }
    if random.bool() {
        conjuncts.push(formula(random, terms, known, depth));
    }
    terms.and(&conjuncts)
}

/// A random formula over the variables.
pub fn formula(random: &mut Rng, terms: &mut Terms, scope: &[Term], depth: usize) -> Term {
    let Some(subject) = (!scope.is_empty()).then(|| scope[random.usize(..scope.len())]) else {
        return terms.bool(true);
    };
    let sort = terms.sort(subject).clone();
    let other = term(random, terms, scope, &sort, depth);
    match sort {
        Sort::BitVec(_) => {
            let fun = [Fun::Eq, Fun::BvUlt, Fun::BvUle, Fun::BvSlt][random.usize(..4)].clone();
            let atom = terms.app(fun, &[subject, other]);
            if random.bool() { terms.not(atom) } else { atom }
        }
        Sort::Int | Sort::Real => {
            let fun = [Fun::Eq, Fun::Lt, Fun::Le][random.usize(..3)].clone();
            let atom = terms.app(fun, &[subject, other]);
            if random.bool() { terms.not(atom) } else { atom }
        }
        Sort::Bool | Sort::Array(_) => {
            let atom = terms.eq(subject, other);
            if random.bool() { terms.not(atom) } else { atom }
        }
    }
}

/// A random term.
fn term(random: &mut Rng, terms: &mut Terms, scope: &[Term], sort: &Sort, depth: usize) -> Term {
    let fitting: Vec<Term> = scope.iter().copied().filter(|other| terms.sort(*other) == sort).collect();
    if depth == 0 || random.u8(..5) == 0 {
        if !fitting.is_empty() && random.u8(..4) > 0 {
            return fitting[random.usize(..fitting.len())];
        }
        let value = constant(random, sort);
        return terms.constant(value);
    }
    let arrays: Vec<Term> =
        scope.iter().copied().filter(|other| element(terms, *other).as_ref() == Some(sort)).collect();
    if !arrays.is_empty() && random.bool() {
        let array = arrays[random.usize(..arrays.len())];
        let Sort::Array(sorts) = terms.sort(array).clone() else { unreachable!("an array") };
        let index = term(random, terms, scope, &sorts.index, depth - 1);
        return terms.select(array, index);
    }
    let a = term(random, terms, scope, sort, depth - 1);
    let b = term(random, terms, scope, sort, depth - 1);
    match sort {
        Sort::Bool => match random.u8(..5) {
            0 => terms.and(&[a, b]),
            1 => terms.or(&[a, b]),
            2 => terms.xor(a, b),
            3 => terms.not(a),
            _ => formula(random, terms, scope, depth - 1),
        },
        Sort::BitVec(_) => {
            let funs = [Fun::BvAdd, Fun::BvSub, Fun::BvAnd, Fun::BvOr, Fun::BvXor, Fun::BvMul, Fun::BvShl, Fun::BvUrem];
            if random.u8(..6) == 0 {
                let condition = formula(random, terms, scope, depth - 1);
                return terms.ite(condition, a, b);
            }
            terms.app(funs[random.usize(..funs.len())].clone(), &[a, b])
        }
        Sort::Array(sorts) => {
            let index = term(random, terms, scope, &sorts.index, depth - 1);
            let element = term(random, terms, scope, &sorts.element, depth - 1);
            terms.store(a, index, element)
        }
        Sort::Int | Sort::Real => match random.u8(..6) {
            0 => {
                let condition = formula(random, terms, scope, depth - 1);
                terms.ite(condition, a, b)
            }
            1 => {
                let factor = constant(random, sort);
                let factor = terms.constant(factor);
                terms.mul(factor, a)
            }
            2 | 3 => terms.sub(a, b),
            _ => terms.add(a, b),
        },
    }
}

fn element(terms: &Terms, array: Term) -> Option<Sort> {
    match terms.sort(array) {
        Sort::Array(sorts) => Some(sorts.element.clone()),
        Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real => None,
    }
}

fn constant(random: &mut Rng, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.bool()),
        Sort::BitVec(width) => Value::bv(*width, random.u64(..)),
        Sort::Int => Value::int(random.i64(-3..4)),
        Sort::Real => Value::Real(Box::new((random.i64(-3..4).into(), 2.into()).into())),
        Sort::Array(array) => {
            let element = constant(random, &array.element);
            let constant_array = ArrayValue::constant(array.clone(), element);
            let (at, other) = (constant(random, &array.index), constant(random, &array.element));
            Value::Array(Box::new(constant_array.store(at, other)))
        }
    }
}
