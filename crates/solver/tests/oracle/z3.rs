//! What stops Z3, what it cannot say, and when it is chosen.

use crate::support::is_sat;
use std::time::{Duration, Instant};
use tamis_solver::choice::BACKENDS;
use tamis_solver::{Answer, Chosen, Error, Limit, Solver, Solvers, StopSignal, Why, Z3, z3};
use tamis_term::{Fun, Sort, Term, Terms};

fn vars<const N: usize>(terms: &mut Terms, sort: &Sort) -> [Term; N] {
    [(); N].map(|()| {
        let var = terms.declare("x", sort.clone());
        terms.var(var)
    })
}

fn why(solver: &mut dyn Solver, terms: &Terms, assumptions: &[Term]) -> Why {
    match solver.check(terms, assumptions).unwrap() {
        Answer::Unknown(why) => why,
        answer @ (Answer::Sat(_) | Answer::Unsat(_)) => panic!("{answer:?}"),
    }
}

/// Factors of the product of two large primes, which nobody finds soon; the first alone is easy.
fn factors(terms: &mut Terms) -> Vec<Term> {
    let [x, y] = vars(terms, &Sort::BitVec(64));
    let (one, product) = (terms.bv(64, 1), terms.bv(64, 4_294_967_291));
    let other = terms.bv(64, 4_294_967_279);
    let (wide_x, wide_y) = (terms.zero_extend(x, 64), terms.zero_extend(y, 64));
    let (p, q) = (terms.zero_extend(product, 64), terms.zero_extend(other, 64));
    let (left, right) = (terms.bvmul(wide_x, wide_y), terms.bvmul(p, q));
    vec![terms.bvult(one, x), terms.bvult(one, y), terms.eq(left, right), terms.bvult(x, y)]
}

#[test]
fn the_signal_is_heard_soon() {
    let mut terms = Terms::new();
    let facts = factors(&mut terms);
    for delay in [0, 1, 30, 200] {
        let start = Instant::now();
        let delay = Duration::from_millis(delay);
        let mut solver = Z3::new(z3::Config::default(), StopSignal::when(move || start.elapsed() >= delay));
        assert_eq!(why(&mut solver, &terms, &facts), Why::Interrupted);
        assert!(start.elapsed() < delay + Duration::from_secs(2), "{:?}", start.elapsed());
    }
}

/// Z3 simplifies such terms for a while before it searches.
#[test]
fn the_signal_is_heard_in_large_terms() {
    let mut terms = Terms::new();
    let [x, y] = vars(&mut terms, &Sort::Int);
    let mut term = x;
    for i in 0..30_000 {
        let number = terms.int(i);
        let case = terms.lt(y, number);
        term = terms.ite(case, term, number);
    }
    let seven = terms.int(7);
    let fact = terms.eq(term, seven);
    let start = Instant::now();
    let delay = Duration::from_millis(500);
    let mut solver = Z3::new(z3::Config::default(), StopSignal::when(move || start.elapsed() >= delay));
    assert_eq!(why(&mut solver, &terms, &[fact]), Why::Interrupted);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

/// Each pigeon in a hole, no two in one, and one more pigeon than holes: easy to say, and many steps
/// to refute.
fn pigeons(terms: &mut Terms, holes: usize) -> Vec<Term> {
    let mut place = || (0..holes).map(|_| vars::<1>(terms, &Sort::Bool)[0]).collect::<Vec<Term>>();
    let places: Vec<Vec<Term>> = (0..=holes).map(|_| place()).collect();
    let mut facts: Vec<Term> = places.iter().map(|places| terms.or(places)).collect();
    for (at, one) in places.iter().enumerate() {
        for other in &places[..at] {
            for (one, other) in one.iter().zip(other) {
                let both = terms.and(&[*one, *other]);
                facts.push(terms.not(both));
            }
        }
    }
    facts
}

/// What a short question may use must not bound the long one after it. The second is long because
/// of the chain, and hard because of the pigeons. Were it bounded, everything would be asked again at
/// once, without a core.
#[test]
fn a_long_question_may_follow_a_short_one() {
    let mut terms = Terms::new();
    let chain: Vec<Term> = (0..30_000).map(|_| vars::<1>(&mut terms, &Sort::Bool)[0]).collect();
    let steps: Vec<Term> = chain.windows(2).map(|pair| terms.implies(pair[0], pair[1])).collect();
    let pigeons = pigeons(&mut terms, 7);
    let mut solver = Z3::default();
    solver.assert(&terms, steps[0]).unwrap();
    assert!(is_sat(&mut solver, &terms, &[]));
    for fact in steps.iter().chain(&pigeons) {
        solver.assert(&terms, *fact).unwrap();
    }
    match solver.check(&terms, &[chain[0]]).unwrap() {
        Answer::Unsat(core) => assert_eq!(core.assumptions(), [], "the pigeons alone are a contradiction"),
        answer @ (Answer::Sat(_) | Answer::Unknown(_)) => panic!("{answer:?}"),
    }
}

#[test]
fn limits_are_reasons_of_their_own_and_hold_for_one_check() {
    let mut terms = Terms::new();
    let facts = factors(&mut terms);
    let mut solver = Z3::default();
    for limit in
        [Limit { time: Some(Duration::from_millis(50)), steps: None }, Limit { time: None, steps: Some(200_000) }]
    {
        solver.limit(limit);
        assert!(matches!(why(&mut solver, &terms, &facts), Why::GaveUp(_)));
        assert!(matches!(why(&mut solver, &terms, &facts), Why::GaveUp(_)));
        assert!(is_sat(&mut solver, &terms, &facts[..2]));
    }
    solver.limit(Limit::default());
    assert!(is_sat(&mut solver, &terms, &facts[..2]));
}

#[test]
fn an_irrational_solution_is_no_answer() {
    let mut terms = Terms::new();
    let [x] = vars(&mut terms, &Sort::Real);
    let two = terms.int(2);
    let (square, two) = (terms.mul(x, x), terms.app(Fun::ToReal, &[two]));
    let root = terms.eq(square, two);
    let Why::GaveUp(reason) = why(&mut Z3::default(), &terms, &[root]) else { panic!("it gave up") };
    assert!(reason.contains("no model of constants"), "{reason}");
}

#[test]
fn numbers_may_be_long() {
    let mut terms = Terms::new();
    let [x] = vars(&mut terms, &Sort::Int);
    let (mut power, ten) = (terms.int(1), terms.int(10));
    for _ in 0..300 {
        power = terms.mul(power, ten);
    }
    let zero = terms.int(0);
    let (over, negated) = (terms.lt(power, x), terms.sub(zero, x));
    assert!(is_sat(&mut Z3::default(), &terms, &[over]));
    let under = terms.lt(power, negated);
    assert!(is_sat(&mut Z3::default(), &terms, &[under]));
    assert!(!is_sat(&mut Z3::default(), &terms, &[over, under]));
}

#[test]
fn thousands_of_questions_leave_the_facts_alone() {
    let mut terms = Terms::new();
    let [x] = vars(&mut terms, &Sort::Int);
    let hundred = terms.int(100);
    let small = terms.lt(x, hundred);
    let mut solver = Z3::default();
    solver.assert(&terms, small).unwrap();
    solver.push();
    for i in 0..2000 {
        let number = terms.int(i);
        let large = terms.le(number, x);
        assert_eq!(is_sat(&mut solver, &terms, &[large]), i < 100);
    }
}

#[test]
fn the_choice_turns_to_z3_when_it_must() {
    let mut terms = Terms::new();
    let [word] = vars(&mut terms, &Sort::BitVec(8));
    let [number] = vars(&mut terms, &Sort::Int);
    let (five, limit) = (terms.bv(8, 5), terms.int(4));
    let (small, value) = (terms.bvult(word, five), terms.app(Fun::UbvToInt, &[word]));
    let (same, large) = (terms.eq(value, number), terms.lt(limit, number));
    let mut solver = Solvers::default().fresh(&terms, &[]).unwrap();
    solver.assert(&terms, small).unwrap();
    assert!(is_sat(solver.as_mut(), &terms, &[]));
    solver.push();
    solver.assert(&terms, same).unwrap();
    assert!(!is_sat(solver.as_mut(), &terms, &[large]));
    solver.pop();
    assert!(is_sat(solver.as_mut(), &terms, &[large]));
    solver.pop();
    assert!(matches!(solver.check(&terms, &[]), Err(Error::Unbalanced)));
}

#[test]
fn each_backend_of_the_table_answers_or_says_that_it_cannot() {
    let mut terms = Terms::new();
    let [word] = vars(&mut terms, &Sort::BitVec(8));
    let [number] = vars(&mut terms, &Sort::Int);
    let (five, limit) = (terms.bv(8, 5), terms.int(4));
    let (small, large) = (terms.bvult(word, five), terms.lt(limit, number));
    for backend in BACKENDS {
        let chosen = Chosen::named(backend.name).unwrap();
        let solvers = Solvers { chosen, ..Solvers::default() };
        assert!(is_sat(solvers.fresh(&terms, &[small]).unwrap().as_mut(), &terms, &[small]));
        match solvers.fresh(&terms, &[large]) {
            Ok(mut solver) => assert!(is_sat(solver.as_mut(), &terms, &[large])),
            Err(error) => assert!(matches!(error, Error::Backend(_)) && backend.name != "z3"),
        }
    }
    assert!(Chosen::named("nonsense").is_none());
}
