//! Interpolation: which source answers what, how fast, and how much it has to say.
//!
//! The problems are those of the solver's tests, and unrolled circuits. Every answer is
//! validated; the sizes are numbers of distinct subterms of all interpolants of a problem.

mod circuits;
#[path = "../../../crates/solver/tests/interpolation/linear.rs"]
mod linear;
#[path = "../../../crates/solver/tests/interpolation/problems.rs"]
mod problems;

use crate::table::Table;
use fastrand::Rng;
use problems::{Problem, Shape, THEORIES, random, shapes};
use std::time::{Duration, Instant};
use tamis_solver::interpolation::{Interpolation, SOURCES, Source, Validity, valid};
use tamis_term::Sort;

/// How many problems there are of each shape.
const PROBLEMS: u64 = 15;
/// How long a source may take for one.
const PATIENCE: Duration = Duration::from_secs(3);

/// What came of one source on some problems.
#[derive(Default)]
struct Row {
    asked: usize,
    valid: usize,
    wrong: usize,
    times: Vec<Duration>,
    sizes: Vec<usize>,
}

impl Row {
    fn ask(&mut self, source: &Source, problem: &mut Problem) {
        let Problem { terms, parts } = problem;
        let start = Instant::now();
        let found = (source.make)(&problems::for_a_while(PATIENCE)).interpolate(terms, parts);
        let time = start.elapsed();
        self.asked += 1;
        let Ok(Interpolation::Interpolants(found)) = found else { return };
        let judge = problems::for_a_while(2 * PATIENCE).fresh(terms, &parts.formulas);
        let verdict = judge.and_then(|mut solver| valid(terms, parts, &found, solver.as_mut()));
        match verdict {
            Ok(Validity::Valid) => {
                self.valid += 1;
                self.times.push(time);
                self.sizes.push(found.iter().map(|term| terms.dag_size(*term)).sum());
            }
            Ok(Validity::Invalid(_)) => self.wrong += 1,
            Ok(Validity::Undecided(_)) | Err(_) => {}
        }
    }

    fn print(mut self, what: &str, source: &str) {
        self.times.sort_unstable();
        self.sizes.sort_unstable();
        let time = self.times.get(self.times.len() / 2).map_or(0.0, Duration::as_secs_f64) * 1e3;
        let size = self.sizes.get(self.sizes.len() / 2).copied().unwrap_or(0);
        let Row { asked, valid, wrong, .. } = self;
        println!("{what:<16}\t{source:<20}\t{asked:>5}\t{valid:>5}\t{wrong:>5}\t{time:>9.2}\t{size:>7}");
    }
}

/// Words as programs have them.
fn words() -> Vec<Shape> {
    let word = Sort::BitVec(32);
    let chain = Shape { state: vec![word.clone(); 2], inputs: vec![word], nodes: (2, 8), tree: false, depth: 1 };
    vec![chain.clone(), Shape { tree: true, ..chain }]
}

/// Asks all sources about problems.
fn compare(what: &str, mut problems: Vec<Problem>) {
    for source in SOURCES {
        let mut row = Row::default();
        for problem in &mut problems {
            row.ask(source, problem);
        }
        row.print(what, source.name);
    }
}

fn of_shapes(shapes: &[Shape]) -> Vec<Problem> {
    let seeds = shapes.iter().flat_map(|shape| (0..PROBLEMS).map(move |seed| (shape, seed)));
    seeds.filter_map(|(shape, seed)| random(&mut Rng::with_seed(seed), shape)).collect()
}

/// Prints the table.
pub fn run(_: &mut Table) {
    println!(
        "{:<16}\t{:<20}\t{:>5}\t{:>5}\t{:>5}\t{:>9}\t{:>7}",
        "problems", "source", "asked", "valid", "wrong", "median ms", "size"
    );
    for theory in THEORIES {
        compare(theory, of_shapes(&shapes(theory)));
    }
    compare("32-bit words", of_shapes(&words()));
    for (latches, steps) in [(10, 5), (20, 8), (30, 10), (50, 15)] {
        compare(&format!("circuit {latches}x{steps}"), circuits::random(latches, steps, 6));
    }
    circuits::effort();
}
