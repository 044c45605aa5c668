//! What the diagrams are good at, and what they need for it.

use crate::support::{diagrams, is_sat};
use tamis_solver::diagrams::{Config, Order};
use tamis_solver::{Answer, Bits, Diagrams, Limit, Solver, StopSignal, Why};
use tamis_term::{Sort, Term, Terms, Var};

fn bools(terms: &mut Terms, count: usize) -> Vec<Term> {
    let vars: Vec<Var> = (0..count).map(|_| terms.declare("b", Sort::Bool)).collect();
    vars.into_iter().map(|var| terms.var(var)).collect()
}

/// The Boolean terms of a word's bits.
fn bits(terms: &mut Terms, word: Term) -> Vec<Term> {
    let one = terms.bv(1, 1);
    let bit = |terms: &mut Terms, at| {
        let bit = terms.extract(word, at, at);
        terms.eq(bit, one)
    };
    (0..terms.width(word)).map(|at| bit(terms, at)).collect()
}

/// The diagram of "each first equals its second", with the pairs from the top in that order.
fn equal_pairs(terms: &mut Terms, pairs: &[(Term, Term)]) -> Term {
    let mut below = terms.bool(true);
    for (a, b) in pairs.iter().rev() {
        let not_b = terms.not(*b);
        let (high, low) = (terms.and(&[*b, below]), terms.and(&[not_b, below]));
        below = terms.ite(*a, high, low);
    }
    below
}

#[test]
fn a_formula_shows_the_order_of_its_diagram() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..20 {
        let mut terms = Terms::new();
        let mut vars = bools(&mut terms, 48);
        random.shuffle(&mut vars);
        let pairs: Vec<(Term, Term)> = vars.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let formula = equal_pairs(&mut terms, &pairs);
        let mut solver = diagrams();
        assert!(is_sat(&mut solver, &terms, &[formula]));
        assert!(solver.peak() < 48 * 8, "{} nodes: in a bad order there are millions", solver.peak());
    }
}

/// The first questions show only a part of the order, and the last one needs all of it.
#[test]
fn hints_show_the_order_of_what_is_to_come() {
    let mut terms = Terms::new();
    let words = ["x", "y"].map(|name| terms.declare(name, Sort::BitVec(24)));
    let [x, y] = words.map(|var| terms.var(var));
    let (x_bits, y_bits) = (bits(&mut terms, x), bits(&mut terms, y));
    let pairs: Vec<(Term, Term)> = x_bits.into_iter().zip(y_bits).collect();
    let equal = equal_pairs(&mut terms, &pairs);
    let zero = terms.bv(24, 0);
    let (some, other, none) = (terms.distinct(x, zero), terms.distinct(y, zero), terms.eq(y, zero));
    let unsupported = terms.declare("n", Sort::Int);
    let unsupported = terms.var(unsupported);
    let number = terms.int(0);
    let unsupported = terms.lt(unsupported, number);
    let groups = || vec![words.to_vec()];
    let orders = [
        Order { groups: groups(), formulas: vec![] },
        Order { groups: vec![], formulas: vec![unsupported, equal] },
        Order { groups: [groups(), groups()].concat(), formulas: vec![equal, equal] },
        // The second word goes below the first; but a full solver starts again.
        Order::default(),
    ];
    for order in orders {
        let config = Config { nodes: 1 << 16, cache: 1 << 12 };
        let mut solver = Diagrams::new(config, StopSignal::never(), order);
        assert!(is_sat(&mut solver, &terms, &[some]));
        assert!(is_sat(&mut solver, &terms, &[some, other]));
        assert!(!is_sat(&mut solver, &terms, &[equal, some, none]));
        assert!(is_sat(&mut solver, &terms, &[equal, some, other]));
        assert!(solver.peak() < 1000, "{} nodes", solver.peak());
    }
}

/// Two relations over words, one after the other: the words between them are not kept.
#[test]
fn relations_are_composed_without_the_middle() {
    let mut terms = Terms::new();
    let copies: Vec<Vec<Term>> = (0..4).map(|_| bools(&mut terms, 16)).collect();
    let relation = |terms: &mut Terms, from: &[Term], to: &[Term], shift: usize| {
        let pairs: Vec<(Term, Term)> = (0..16).map(|at| (from[at], to[(at + shift) % 16])).collect();
        equal_pairs(terms, &pairs)
    };
    let steps: Vec<Term> = (0..3).map(|at| relation(&mut terms, &copies[at], &copies[at + 1], 0)).collect();
    let across = relation(&mut terms, &copies[0], &copies[3], 0);
    let not = terms.not(across);
    let question = [&steps[..], &[not]].concat();
    assert!(!is_sat(&mut diagrams(), &terms, &question));
    assert!(is_sat(&mut diagrams(), &terms, &[steps[0], steps[2], not]));
}

#[test]
fn parity_is_easy_for_diagrams_only() {
    let mut terms = Terms::new();
    let vars = bools(&mut terms, 64);
    let mut shuffled = vars.clone();
    fastrand::Rng::with_seed(9).shuffle(&mut shuffled);
    let [one, other] = [vars, shuffled].map(|vars| vars.into_iter().reduce(|a, b| terms.xor(a, b)).unwrap());
    let differ = terms.xor(one, other);
    let mut solver = Bits::default();
    solver.limit(Limit { steps: Some(1 << 20), ..Limit::default() });
    assert!(matches!(solver.check(&terms, &[differ]), Ok(Answer::Unknown(Why::GaveUp(_)))));
    assert!(!is_sat(&mut diagrams(), &terms, &[differ]));
}

#[test]
fn arrays_are_cells() {
    let mut terms = Terms::new();
    let (index, element) = (Sort::BitVec(3), Sort::BitVec(2));
    let array = terms.declare("a", Sort::array(index.clone(), element.clone()));
    let [i, j] = ["i", "j"].map(|name| terms.declare(name, index.clone())).map(|var| terms.var(var));
    let a = terms.var(array);
    let (at_i, at_j) = (terms.select(a, i), terms.select(a, j));
    let once = terms.store(a, i, at_j);
    let swapped = terms.store(once, j, at_i);
    let (now_i, now_j) = (terms.select(swapped, i), terms.select(swapped, j));
    let laws = [terms.eq(now_i, at_j), terms.eq(now_j, at_i)];
    let broken: Vec<Term> = laws.into_iter().map(|law| terms.not(law)).collect();
    let changed = terms.distinct(swapped, a);
    let same = terms.eq(at_i, at_j);
    let mut solver = diagrams();
    for law in broken {
        assert!(!is_sat(&mut solver, &terms, &[law]));
    }
    assert!(!is_sat(&mut solver, &terms, &[changed, same]));
    match solver.check(&terms, &[changed]).unwrap() {
        Answer::Sat(model) => assert_eq!(model.value(&terms, array).sort(), *terms.var_sort(array)),
        answer @ (Answer::Unsat(_) | Answer::Unknown(_)) => panic!("{answer:?}"),
    }
}

#[test]
fn thousands_of_bits_need_no_stack_of_the_caller() {
    let mut terms = Terms::new();
    let vars = bools(&mut terms, 20_000);
    let pairs: Vec<(Term, Term)> = vars.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let equal = equal_pairs(&mut terms, &pairs);
    let apart: Vec<Term> = pairs.iter().map(|(a, b)| terms.xor(*a, *b)).collect();
    let differ = terms.or(&apart);
    let work = move || {
        let mut solver = diagrams();
        match solver.check(&terms, &[vars[7], equal, differ]).unwrap() {
            Answer::Unsat(core) => assert_eq!(core.assumptions(), [equal, differ]),
            answer @ (Answer::Sat(_) | Answer::Unknown(_)) => panic!("{answer:?}"),
        }
        assert!(is_sat(&mut solver, &terms, &[differ, vars[7]]));
    };
    std::thread::Builder::new().stack_size(1 << 18).spawn(work).unwrap().join().unwrap();
}

#[test]
fn more_bits_than_nodes_are_refused() {
    let mut terms = Terms::new();
    let words = ["x", "y"].map(|name| terms.declare(name, Sort::BitVec(40_000)));
    let [x, y] = words.map(|var| terms.var(var));
    let equal = terms.eq(x, y);
    let config = Config { nodes: 1 << 16, cache: 1 << 10 };
    let mut solver = Diagrams::new(config, StopSignal::never(), Order::default());
    assert!(matches!(solver.check(&terms, &[equal]), Ok(Answer::Unknown(Why::OutOfMemory))));
    assert!(matches!(solver.check(&terms, &[]), Ok(Answer::Sat(_))));
}
