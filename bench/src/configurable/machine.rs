//! How fast this machine is: a fixed piece of work, whose time is compared with what it takes on
//! the machine for which the printed times count as they are. (The paper does not tell its machine;
//! the reference is a core of some 3 GHz, as desktops had when it was written.)

use fastrand::Rng;
use std::time::{Duration, Instant};
use tamis_solver::{Answer, Bits, Solver};
use tamis_term::{Sort, Term, Terms};

/// How long the work takes on the reference.
const REFERENCE: Duration = Duration::from_millis(300);

/// How often the work is done.
const REPEATS: u32 = 3;

/// This machine's time over the reference's. Above 1 it is slower, or has other work to do.
#[must_use]
pub fn factor() -> f64 {
    let start = Instant::now();
    for seed in 0..REPEATS {
        std::hint::black_box(work(u64::from(seed)));
    }
    (start.elapsed() / REPEATS).as_secs_f64() / REFERENCE.as_secs_f64()
}

/// Random clauses of three literals, at the ratio at which they are hard. Returns how many of the
/// questions have a model.
fn work(seed: u64) -> usize {
    let mut rng = Rng::with_seed(seed);
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..VARS)
        .map(|number| {
            let var = terms.declare(&format!("v{number}"), Sort::Bool);
            terms.var(var)
        })
        .collect();
    let mut found = 0;
    for _ in 0..QUESTIONS {
        let mut solver = Bits::default();
        for _ in 0..VARS * 43 / 10 {
            let literals: Vec<Term> = (0..3)
                .map(|_| {
                    let var = vars[rng.usize(..VARS)];
                    if rng.bool() { var } else { terms.not(var) }
                })
                .collect();
            let clause = terms.or(&literals);
            if solver.assert(&terms, clause).is_err() {
                return found;
            }
        }
        found += usize::from(matches!(solver.check(&terms, &[]), Ok(Answer::Sat(_))));
    }
    found
}

/// How large a question is, and how many there are.
const VARS: usize = 120;
const QUESTIONS: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_the_same_every_time() {
        let found = work(1);
        assert!(found > 0 && found < QUESTIONS, "{found} of {QUESTIONS}");
        assert_eq!(found, work(1));
    }
}
