//! Products of unknown numbers, and numbers that get long: every question ends.
//!
//! Z3 does not hear every signal. So these tests do not wait for it themselves: a watchdog says
//! which question has no end.

use crate::support::is_sat;
use fastrand::Rng;
use num_rational::BigRational;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use tamis_solver::interpolation::{Interpolation, Parts, SOURCES, Sorts, Validity, qe, valid};
use tamis_solver::{Answer, Limit, Solver, Solvers, StopSignal, Why, Z3, z3};
use tamis_term::{Fun, Sort, Term, Terms, Value, Var};

/// How long a question may take.
const MOMENT: Duration = Duration::from_millis(100);
/// When a question has no end: much more than a busy machine needs.
const NEVER: Duration = Duration::from_mins(1);

/// Does the work for each seed on a thread of its own, and fails if one has no end.
fn each_ends(seeds: std::ops::Range<u64>, work: impl Fn(u64) + Send + 'static) {
    let (tell, begun) = mpsc::channel();
    let worker = thread::spawn(move || {
        for seed in seeds {
            tell.send(seed).unwrap();
            work(seed);
        }
    });
    let mut last = None;
    loop {
        match begun.recv_timeout(NEVER) {
            Ok(seed) => last = Some(seed),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("the question of seed {last:?} has no end"),
        }
    }
    worker.join().unwrap();
}

/// What is asked about numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Products,
    /// Linear, with constants of up to six machine words.
    LongConstants,
}

/// Random facts about a few numbers.
struct World {
    rng: Rng,
    kind: Kind,
    sort: Sort,
    terms: Terms,
    vars: Vec<Var>,
    facts: Vec<Term>,
}

impl World {
    fn new(seed: u64, kind: Kind) -> World {
        let mut rng = Rng::with_seed(seed);
        let sort = if rng.u32(0..4) == 0 { Sort::Real } else { Sort::Int };
        let mut terms = Terms::new();
        let vars: Vec<Var> = (0..rng.usize(1..4)).map(|_| terms.declare("x", sort.clone())).collect();
        let mut world = World { rng, kind, sort, terms, vars, facts: Vec::new() };
        let (count, depth) = match kind {
            Kind::Products => (world.rng.usize(1..4), world.rng.u32(2..5)),
            Kind::LongConstants => (3, 4),
        };
        for _ in 0..count {
            let (a, b) = (world.number(depth), world.number(depth));
            let fun = world.rng.choice([Fun::Eq, Fun::Lt, Fun::Le]).unwrap();
            let fact = world.terms.app(fun, &[a, b]);
            world.facts.push(fact);
        }
        world
    }

    fn constant(&mut self) -> Term {
        let words = match self.kind {
            Kind::Products => self.rng.u32(0..2),
            Kind::LongConstants => self.rng.u32(0..6),
        };
        let mut constant = self.terms.int(self.rng.i64(-5..100));
        for _ in 0..words {
            let word = self.terms.int(self.rng.i64(-3_000_000_000..3_000_000_000));
            constant = self.terms.mul(constant, word);
        }
        let one = self.terms.int(1);
        let constant = self.terms.add(constant, one);
        if self.sort == Sort::Real { self.terms.app(Fun::ToReal, &[constant]) } else { constant }
    }

    fn number(&mut self, depth: u32) -> Term {
        if depth == 0 || self.kind == Kind::Products && self.rng.u32(0..6) == 0 {
            let var = self.rng.choice(&self.vars).copied().unwrap();
            return if self.rng.u32(0..4) == 0 { self.constant() } else { self.terms.var(var) };
        }
        let a = self.number(depth - 1);
        let b = match self.rng.u32(0..4) {
            0 => a,
            _ => self.number(depth - 1),
        };
        let factor = if self.kind == Kind::Products { b } else { self.constant() };
        match (self.rng.u32(0..10), &self.sort) {
            (0..=4, _) => {
                let product = self.terms.mul(a, factor);
                self.terms.add(product, b)
            }
            (5, _) => self.terms.sub(a, b),
            (6, _) => {
                let smaller = self.terms.lt(a, b);
                self.terms.ite(smaller, b, a)
            }
            (7 | 8, Sort::Int) => self.terms.int_mod(a, factor),
            (_, Sort::Int) => self.terms.int_div(a, factor),
            (_, _) => self.terms.app(Fun::RealDiv, &[a, factor]),
        }
    }

    /// Whether values between -3 and 3 make all facts true.
    fn is_true_nearby(&self) -> bool {
        let value = |number: i64| match self.sort {
            Sort::Real => Value::Real(Box::new(BigRational::from_integer(number.into()))),
            Sort::Int | Sort::Bool | Sort::BitVec(_) | Sort::Array(_) => Value::int(number),
        };
        (0..7_i64.pow(3)).any(|row| {
            let digit = |var: Var| {
                let place = self.vars.iter().position(|other| *other == var).unwrap();
                value(row / [1, 7, 49][place] % 7 - 3)
            };
            self.facts.iter().all(|fact| self.terms.eval(*fact, digit).as_bool())
        })
    }

    /// Asks whether the facts can be true together, some of them as assumptions. A model is tried by
    /// the solver; that there is none must not be refuted by values at hand.
    fn ask(&self) {
        let mut solver = Solvers::default().fresh(&self.terms, &[]).unwrap();
        solver.limit(Limit { time: Some(MOMENT), steps: None });
        let (first, rest) = self.facts.split_first().unwrap();
        solver.assert(&self.terms, *first).unwrap();
        match solver.check(&self.terms, rest).unwrap() {
            Answer::Sat(_) | Answer::Unknown(_) => {}
            Answer::Unsat(_) => assert!(!self.is_true_nearby(), "claimed unsatisfiable"),
        }
    }
}

#[test]
fn questions_about_products_end() {
    each_ends(0..100, |seed| World::new(seed, Kind::Products).ask());
}

#[test]
fn questions_with_long_constants_end() {
    each_ends(100..150, |seed| World::new(seed, Kind::LongConstants).ask());
}

#[test]
fn no_source_of_interpolants_is_without_an_end() {
    each_ends(0..12, |seed| {
        let kind = if seed % 3 == 0 { Kind::LongConstants } else { Kind::Products };
        let World { mut terms, facts, vars, .. } = World::new(seed, kind);
        let formula = terms.and(&facts);
        let parts = Parts::pair(formula, terms.not(formula));
        let start = Instant::now();
        let limit = Limit { time: Some(MOMENT), steps: None };
        let stop = StopSignal::when(move || start.elapsed() > Duration::from_secs(5));
        let solvers = Solvers { limit, stop, ..Solvers::default() };
        for source in SOURCES.iter().filter(|source| source.sorts == Sorts::Any) {
            let found = (source.make)(&solvers).interpolate(&mut terms, &parts).unwrap();
            if let Interpolation::Interpolants(found) = found {
                let mut solver = solvers.fresh(&terms, &[]).unwrap();
                let validity = valid(&mut terms, &parts, &found, solver.as_mut()).unwrap();
                assert!(!matches!(validity, Validity::Invalid(_)), "{} at seed {seed}: {validity:?}", source.name);
            }
        }
        qe::eliminate(&mut terms, &solvers, formula, &vars[..1]).unwrap();
    });
}

/// Whether `x³ + y³ + z³ = 42` has a solution, which people took until 2019 to find out.
fn cubes(terms: &mut Terms) -> Term {
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.declare(name, Sort::Int)).map(|var| {
        let var = terms.var(var);
        let square = terms.mul(var, var);
        terms.mul(square, var)
    });
    let (sum, number) = (terms.add(x, y), terms.int(42));
    let sum = terms.add(sum, z);
    terms.eq(sum, number)
}

fn why(solver: &mut dyn Solver, terms: &Terms, assumptions: &[Term]) -> Why {
    match solver.check(terms, assumptions).unwrap() {
        Answer::Unknown(why) => why,
        answer @ (Answer::Sat(_) | Answer::Unsat(_)) => panic!("{answer:?}"),
    }
}

#[test]
fn what_stops_a_question_is_said_and_leaves_the_solver_fit() {
    let mut terms = Terms::new();
    let hard = cubes(&mut terms);
    let x = terms.find_var("x").unwrap();
    let x = terms.var(x);
    let (square, nine, minus) = (terms.mul(x, x), terms.int(9), terms.int(-1));
    let (easy, wrong) = (terms.eq(square, nine), terms.eq(square, minus));
    let start = Instant::now();
    let stop = StopSignal::when(move || start.elapsed().as_millis() % 400 > 200);
    let mut solver = Z3::new(z3::Config::default(), stop);
    // The signal comes and goes, so that some of these are interrupted and others are answered.
    let mut interrupted = 0;
    while interrupted < 3 {
        interrupted += usize::from(why(&mut solver, &terms, &[hard]) == Why::Interrupted);
    }
    let mut solver = Z3::default();
    for limit in [
        Limit { time: Some(Duration::from_millis(300)), steps: None },
        Limit { time: None, steps: Some(100_000) },
        Limit::default(),
    ] {
        solver.limit(limit);
        solver.push();
        solver.assert(&terms, hard).unwrap();
        let Why::GaveUp(reason) = why(&mut solver, &terms, &[]) else { panic!("it gave up") };
        assert!(reason.contains("limit"), "{reason}");
        solver.pop();
        solver.limit(Limit::default());
        assert!(is_sat(&mut solver, &terms, &[easy]));
        assert!(!is_sat(&mut solver, &terms, &[wrong]));
    }
}

/// High powers of sums, which fill any memory when they are multiplied out.
#[test]
fn memory_is_limited() {
    let mut terms = Terms::new();
    let vars = [0; 8].map(|_| terms.declare("x", Sort::Int)).map(|var| terms.var(var));
    let mut power = |vars: &[Term], exponent: u32| {
        let (mut sum, mut power) = (terms.int(0), terms.int(1));
        for var in vars {
            sum = terms.add(sum, *var);
        }
        for _ in 0..exponent {
            power = terms.mul(power, sum);
        }
        power
    };
    let (long, short) = (power(&vars, 16), power(&vars[1..7], 15));
    let rest = terms.int(17);
    let short = terms.add(short, rest);
    let facts = [terms.eq(long, short), terms.lt(vars[2], vars[1]), terms.lt(rest, vars[2])];
    let mut solver = Z3::new(z3::Config { memory: 60 << 20 }, StopSignal::never());
    assert_eq!(why(&mut solver, &terms, &facts), Why::OutOfMemory);
    assert!(is_sat(&mut solver, &terms, &facts[1..]));
}
