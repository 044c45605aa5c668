//! What stops a solver is unknown, and leaves it fit for the next question.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tamis_solver::bits::Config;
use tamis_solver::diagrams::{self, Order};
use tamis_solver::{Answer, Bits, Diagrams, Limit, Solver, StopSignal, Why};
use tamis_term::{Fun, Sort, Term, Terms};

/// Solvers that hear the signal.
fn backends(stop: &StopSignal) -> [Box<dyn Solver>; 2] {
    let config = diagrams::Config { nodes: 1 << 16, cache: 1 << 12 };
    let diagrams = Diagrams::new(config, stop.clone(), Order::default());
    [Box::new(Bits::new(Config::default(), stop.clone())), Box::new(diagrams)]
}

fn why(solver: &mut dyn Solver, terms: &Terms, assumptions: &[Term]) -> Why {
    match solver.check(terms, assumptions).unwrap() {
        Answer::Unknown(why) => why,
        answer @ (Answer::Sat(_) | Answer::Unsat(_)) => panic!("{answer:?}"),
    }
}

#[test]
fn a_set_signal_is_unknown_even_for_plain_contradictions() {
    let mut terms = Terms::new();
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let x = terms.declare("x", Sort::Bool);
    let x = terms.var(x);
    let not_x = terms.not(x);
    for facts in [vec![], vec![yes], vec![no], vec![x], vec![x, not_x]] {
        for assumptions in [vec![], vec![no], vec![x, not_x]] {
            for mut solver in backends(&StopSignal::when(|| true)) {
                for fact in &facts {
                    solver.assert(&terms, *fact).unwrap();
                }
                assert_eq!(why(solver.as_mut(), &terms, &assumptions), Why::Interrupted);
            }
        }
    }
}

/// `x * y = p` with both factors above one and no overflow: contradictory if `p` is prime,
/// but not at first sight.
fn factors(terms: &mut Terms, width: u32, p: u64) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|name| terms.declare(name, Sort::BitVec(width))).map(|var| terms.var(var));
    let (one, zero, p) = (terms.bv(width, 1), terms.bv(width, 0), terms.bv(2 * width, p));
    let [wide_x, wide_y] = [x, y].map(|factor| terms.concat(zero, factor));
    let product = terms.bvmul(wide_x, wide_y);
    vec![terms.eq(product, p), terms.bvult(one, x), terms.bvult(one, y)]
}

/// Stops at the n-th look at the signal, for every n until the check ends by itself: it may
/// never say anything else than what is true, and it must recover.
fn stop_everywhere(terms: &Terms, facts: &[Term], expected: bool, make: impl Fn(StopSignal) -> Box<dyn Solver>) {
    let mut patience = 0;
    let mut finished = false;
    while !finished {
        let left = Arc::new(AtomicUsize::new(patience));
        let signal = {
            let left = left.clone();
            StopSignal::when(move || {
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err()
            })
        };
        let mut solver = make(signal);
        solver.push();
        for fact in facts {
            solver.assert(terms, *fact).unwrap();
        }
        let verdict = |solver: &mut dyn Solver| match solver.check(terms, &[]).unwrap() {
            Answer::Sat(model) => {
                assert!(facts.iter().all(|fact| model.eval(terms, *fact).as_bool()));
                Some(true)
            }
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(why) => {
                assert_eq!(why, Why::Interrupted);
                None
            }
        };
        let first = verdict(solver.as_mut());
        finished = first.is_some();
        assert!(first.is_none_or(|answer| answer == expected));
        left.store(usize::MAX, Ordering::Relaxed);
        assert_eq!(verdict(solver.as_mut()), Some(expected));
        solver.pop();
        assert!(matches!(solver.check(terms, &[]), Ok(Answer::Sat(_))));
        patience = patience * 5 / 4 + 1;
    }
    assert!(patience > 5, "the signal is looked at while working, {patience} times");
}

#[test]
fn wherever_it_is_stopped_it_stays_correct() {
    let mut terms = Terms::new();
    for (product, expected) in [(991 * 997, true), (899_981, false)] {
        let facts = factors(&mut terms, 10, product);
        stop_everywhere(&terms, &facts, expected, |stop| Box::new(Bits::new(Config::default(), stop)));
    }
    for (product, expected) in [(251 * 241, true), (60_493, false)] {
        let facts = factors(&mut terms, 8, product);
        let config = diagrams::Config { nodes: 1 << 18, cache: 1 << 14 };
        stop_everywhere(&terms, &facts, expected, |stop| Box::new(Diagrams::new(config, stop, Order::default())));
    }
}

#[test]
fn encoding_hears_the_signal() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::BitVec(4096));
    let mut term = terms.var(x);
    for _ in 0..100 {
        term = terms.bvudiv(term, term);
    }
    let zero = terms.bv(4096, 0);
    let fact = terms.eq(term, zero);
    let start = std::time::Instant::now();
    let signal = StopSignal::when(move || start.elapsed().as_millis() > 50);
    let config = Config { memory: usize::MAX, ..Config::default() };
    assert_eq!(why(&mut Bits::new(config, signal.clone()), &terms, &[fact]), Why::Interrupted);
    for mut solver in backends(&signal) {
        assert_eq!(why(solver.as_mut(), &terms, &[fact]), Why::Interrupted);
    }
}

#[test]
fn memory_runs_out_and_comes_back() {
    let mut terms = Terms::new();
    let vars = [0; 8].map(|_| terms.declare("x", Sort::BitVec(64)));
    let [first, rest @ ..] = vars.map(|var| terms.var(var));
    let zero = terms.bv(64, 0);
    let product = rest.into_iter().fold(first, |product, x| terms.bvmul(product, x));
    let (large, small) = (terms.eq(product, zero), terms.eq(first, zero));
    let mut solver = Bits::new(Config { memory: 4 << 20, ..Config::default() }, StopSignal::never());
    solver.push();
    solver.assert(&terms, large).unwrap();
    assert_eq!(why(&mut solver, &terms, &[]), Why::OutOfMemory);
    assert!(solver.effort().bytes <= 4 << 20);
    solver.pop();
    assert!(matches!(solver.check(&terms, &[small]), Ok(Answer::Sat(_))));

    let [_, mut solver] = backends(&StopSignal::never());
    assert!(matches!(solver.check(&terms, &[small]), Ok(Answer::Sat(_))));
    solver.push();
    solver.assert(&terms, large).unwrap();
    assert_eq!(why(solver.as_mut(), &terms, &[]), Why::OutOfMemory);
    assert_eq!(why(solver.as_mut(), &terms, &[small]), Why::OutOfMemory);
    solver.pop();
    assert!(matches!(solver.check(&terms, &[small]), Ok(Answer::Sat(_))));
}

#[test]
fn a_limit_on_steps_is_a_reason_of_its_own() {
    let mut terms = Terms::new();
    let facts = factors(&mut terms, 10, 899_981);
    let mut solver = Bits::default();
    solver.limit(Limit { steps: Some(10_000), ..Limit::default() });
    assert!(matches!(why(&mut solver, &terms, &facts), Why::GaveUp(_)));
    let conflicts = solver.effort().conflicts;
    assert!(matches!(why(&mut solver, &terms, &facts), Why::GaveUp(_)));
    assert!(solver.effort().conflicts < 3 * conflicts, "the limit is one for each check");
    assert!(matches!(solver.check(&terms, &facts[1..]), Ok(Answer::Sat(_))), "small questions need few steps");
    solver.limit(Limit::default());
    assert!(matches!(solver.check(&terms, &facts), Ok(Answer::Unsat(_))));
}

#[test]
fn learnt_clauses_count_as_memory() {
    let mut terms = Terms::new();
    let facts = factors(&mut terms, 20, 68_719_476_731);
    let mut solver = Bits::new(Config { memory: 3 << 19, ..Config::default() }, StopSignal::never());
    assert_eq!(why(&mut solver, &terms, &facts), Why::OutOfMemory);
    assert!(matches!(solver.check(&terms, &facts[1..]), Ok(Answer::Sat(_))), "it was the search that ran out");
}

#[test]
fn absurd_widths_are_refused_before_they_are_built() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::BitVec(u32::MAX));
    let x = terms.var(x);
    let y = terms.declare("y", Sort::BitVec(u32::MAX));
    let y = terms.var(y);
    let fact = terms.eq(x, y);
    for mut solver in backends(&StopSignal::never()) {
        assert_eq!(why(solver.as_mut(), &terms, &[fact]), Why::OutOfMemory);
    }
}

#[test]
fn infinite_sorts_are_unsupported() {
    let mut terms = Terms::new();
    let (infinite, large) = (Sort::array(Sort::Int, Sort::Bool), Sort::array(Sort::BitVec(32), Sort::BitVec(8)));
    let vars = [Sort::Int, Sort::Real, infinite, Sort::BitVec(4), large].map(|sort| terms.declare("v", sort));
    let [int, real, infinite, word, large] = vars.map(|var| terms.var(var));
    let (zero, number) = (terms.int(0), terms.app(Fun::UbvToInt, &[word]));
    let address = terms.bv(32, 5);
    let (cell, byte) = (terms.select(large, address), terms.bv(8, 1));
    let facts = [
        terms.lt(int, zero),
        terms.raw_app(Fun::Eq, &[real, real]).unwrap(),
        terms.select(infinite, zero),
        terms.eq(number, zero),
        terms.eq(cell, byte),
    ];
    let no = terms.bool(false);
    for fact in facts {
        for mut solver in backends(&StopSignal::never()) {
            solver.assert(&terms, fact).unwrap();
            assert!(matches!(why(solver.as_mut(), &terms, &[]), Why::Unsupported(_)));
            assert!(matches!(why(solver.as_mut(), &terms, &[no]), Why::Unsupported(_)));
        }
    }
}
