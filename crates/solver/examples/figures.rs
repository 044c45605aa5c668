//! How fast the solvers are on this machine:
//! `cargo run --release -p tamis-solver --example figures`

use std::time::{Duration, Instant};
use tamis_solver::bits::{Config, Contradictions};
use tamis_solver::diagrams::{self, Order};
use tamis_solver::{Answer, Bits, Diagrams, Solver, StopSignal};
use tamis_term::{Fun, Sort, Term, Terms};

/// Each search may take this long.
const PATIENCE: Duration = Duration::from_mins(1);

/// The processor time of this thread, which other programs do not disturb; the time since
/// `start` where the system does not tell.
fn spent(start: Instant) -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics.split(' ').next().and_then(|field| field.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn var(terms: &mut Terms, name: &str, sort: Sort) -> Term {
    let var = terms.declare(name, sort);
    terms.var(var)
}

fn word(terms: &mut Terms, name: &str, width: u32) -> Term {
    var(terms, name, Sort::BitVec(width))
}

fn run(what: &str, terms: &Terms, facts: &[Term]) {
    run_with(what, terms, facts, Contradictions::Trusted);
    run_with("  audited", terms, facts, Contradictions::Audited);
}

fn run_with(what: &str, terms: &Terms, facts: &[Term], contradictions: Contradictions) {
    let start = Instant::now();
    let before = spent(start);
    let stop = StopSignal::when(move || start.elapsed() > PATIENCE);
    let mut solver = Bits::new(Config { contradictions, ..Config::default() }, stop);
    for fact in facts {
        solver.assert(terms, *fact).expect("a Boolean fact");
    }
    let answer = match solver.check(terms, &[]) {
        Ok(Answer::Sat(_)) => "sat".to_owned(),
        Ok(Answer::Unsat(_)) => "unsat".to_owned(),
        Ok(Answer::Unknown(why)) => why.to_string(),
        Err(error) => error.to_string(),
    };
    let (time, effort) = (spent(start).saturating_sub(before), solver.effort());
    println!(
        "{what:44} {answer:11} {:9.1} ms {:9} gates {:9} clauses {:8} conflicts {:6.1} MB",
        time.as_secs_f64() * 1e3,
        effort.gates,
        effort.clauses,
        effort.conflicts,
        f64::from(u32::try_from(effort.bytes >> 10).unwrap_or(u32::MAX)) / 1024.0,
    );
}

/// The same with diagrams.
fn compare(what: &str, terms: &Terms, facts: &[Term]) {
    run(what, terms, facts);
    let start = Instant::now();
    let before = spent(start);
    let config = diagrams::Config { nodes: 1 << 22, cache: 1 << 20 };
    let mut solver = Diagrams::new(config, StopSignal::never(), Order::default());
    let answer = match solver.check(terms, facts) {
        Ok(Answer::Sat(_)) => "sat".to_owned(),
        Ok(Answer::Unsat(_)) => "unsat".to_owned(),
        Ok(Answer::Unknown(why)) => why.to_string(),
        Err(error) => error.to_string(),
    };
    let time = spent(start).saturating_sub(before);
    println!("{:44} {answer:11} {:9.1} ms {:9} nodes", "  diagrams", time.as_secs_f64() * 1e3, solver.peak());
}

fn differ(terms: &mut Terms, a: Term, b: Term) -> Term {
    let equal = terms.raw_app(Fun::Eq, &[a, b]).expect("of one sort");
    terms.not(equal)
}

fn encoding() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..16).map(|_| word(&mut terms, "x", 32)).collect();
    let mut acc = vars[0];
    for i in 0..100_000 {
        let fun = [Fun::BvAdd, Fun::BvXor, Fun::BvAnd, Fun::BvSub, Fun::BvOr][i % 5].clone();
        acc = terms.app(fun, &[acc, vars[(i * 7 + i / 16) % 16]]);
    }
    let zero = terms.bv(32, 0);
    let fact = terms.eq(acc, zero);
    run("100,000 additions and the like at 32 bits", &terms, &[fact]);

    let mut terms = Terms::new();
    let bits: Vec<Term> = (0..64).map(|_| var(&mut terms, "b", Sort::Bool)).collect();
    let mut acc = bits[0];
    for i in 0..1_000_000 {
        let (x, y) = (bits[(i * 7 + i / 64) % 64], bits[(i * 11 + i / 32) % 64]);
        acc = if i % 2 == 0 { terms.xor(acc, x) } else { terms.app(Fun::Ite, &[x, acc, y]) };
    }
    run("1,000,000 Boolean connectives", &terms, &[acc]);

    for (name, fun) in [("multiplication", Fun::BvMul), ("division", Fun::BvUdiv), ("signed modulo", Fun::BvSmod)] {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| word(&mut terms, name, 64));
        let result = terms.app(fun, &[x, y]);
        let fact = terms.eq(result, z);
        run(&format!("one {name} at 64 bits"), &terms, &[fact]);
    }
}

fn searches() {
    for width in [4, 5, 6] {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| word(&mut terms, name, width));
        let (sum, left, right) = (terms.bvadd(y, z), terms.bvmul(x, y), terms.bvmul(x, z));
        let (outer, inner) = (terms.bvmul(x, sum), terms.bvadd(left, right));
        let fact = differ(&mut terms, outer, inner);
        compare(&format!("x*(y+z) = x*y + x*z at {width} bits"), &terms, &[fact]);
    }
    // The encoder orders factors, which makes x*y = y*x trivial; behind a variable that
    // equals x it cannot know.
    for width in [6, 7, 8, 9, 10] {
        let mut terms = Terms::new();
        let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| word(&mut terms, name, width));
        let (same_x, same_y) = (terms.eq(x, a), terms.eq(y, b));
        let (left, right) = (terms.bvmul(a, b), terms.bvmul(y, x));
        let fact = differ(&mut terms, left, right);
        compare(&format!("commutativity at {width} bits"), &terms, &[same_x, same_y, fact]);
    }
    for width in [8, 10, 12] {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| word(&mut terms, name, width));
        let (quotient, rest) = (terms.bvudiv(x, y), terms.bvurem(x, y));
        let product = terms.bvmul(quotient, y);
        let sum = terms.bvadd(product, rest);
        let fact = differ(&mut terms, sum, x);
        compare(&format!("(x/y)*y + x%y = x at {width} bits"), &terms, &[fact]);
    }
    for (width, number) in [(14, 16_249_u64 * 16_381), (16, 65_521 * 65_519), (20, 1_048_573 * 1_048_571)] {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| word(&mut terms, name, width));
        let (one, zero, number) = (terms.bv(width, 1), terms.bv(width, 0), terms.bv(2 * width, number));
        let (wide_x, wide_y) = (terms.concat(zero, x), terms.concat(zero, y));
        let product = terms.bvmul(wide_x, wide_y);
        let facts = [terms.eq(product, number), terms.bvult(one, x), terms.bvult(one, y)];
        compare(&format!("factors of {width} bits"), &terms, &facts);
    }
}

fn questions() {
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..50).map(|_| word(&mut terms, "x", 32)).collect();
    let mut solver = Bits::default();
    for pair in vars.windows(2) {
        let fact = terms.bvule(pair[0], pair[1]);
        solver.assert(&terms, fact).expect("a Boolean fact");
    }
    let start = Instant::now();
    let before = spent(start);
    let mut count = 0_u32;
    for i in 0..50 {
        for j in 0..50 {
            let fact = terms.bvult(vars[j], vars[i]);
            let answer = solver.check(&terms, &[fact]).expect("well used");
            assert_eq!(matches!(answer, Answer::Unsat(_)), i <= j);
            count += 1;
        }
    }
    let time = spent(start).saturating_sub(before);
    println!("{count} questions about a chain of 50 words: {:.1} µs each", time.as_secs_f64() * 1e6 / f64::from(count));
}

fn main() {
    questions();
    encoding();
    searches();
}
