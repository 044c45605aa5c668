//! Unrolled random circuits: what hardware model checking asks for.

use super::problems::{Problem, contradictory, declare};
use fastrand::Rng;
use std::time::Instant;
use tamis_solver::StopSignal;
use tamis_solver::interpolation::proof::{Proof, System};
use tamis_solver::interpolation::{Interpolator, Parts};
use tamis_term::{Sort, Term, Terms};

/// Gates over latches and inputs: each has arguments among the latest.
fn gates(random: &mut Rng, terms: &mut Terms, bits: &[Term], count: usize) -> Vec<Term> {
    let mut pool = bits.to_vec();
    for _ in 0..count {
        let recent = pool.len().saturating_sub(2 * bits.len());
        let mut pick = |terms: &mut Terms| {
            let term = pool[random.usize(recent..pool.len())];
            if random.bool() { terms.not(term) } else { term }
        };
        let (a, b, c) = (pick(terms), pick(terms), pick(terms));
        pool.push(match random.u8(..4) {
            0 => terms.xor(a, b),
            1 => terms.ite(a, b, c),
            2 => terms.or(&[a, b]),
            _ => terms.and(&[a, b]),
        });
    }
    pool.split_off(bits.len())
}

/// A circuit from zero to a state that its few inputs do not reach, if that is so.
fn circuit(seed: u64, latches: usize, steps: usize) -> Option<Problem> {
    let mut terms = Terms::new();
    let state = vec![Sort::Bool; latches];
    let mut now = declare(&mut terms, "s0_", &state);
    let zero: Vec<Term> = now.iter().map(|bit| terms.not(*bit)).collect();
    let mut formulas = vec![terms.and(&zero)];
    for step in 1..=steps {
        let inputs = declare(&mut terms, &format!("i{step}_"), &[Sort::Bool, Sort::Bool]);
        let next = declare(&mut terms, &format!("s{step}_"), &state);
        let bits: Vec<Term> = now.iter().chain(&inputs).copied().collect();
        // The same circuit at every step.
        let mut random = Rng::with_seed(seed);
        let pool = gates(&mut random, &mut terms, &bits, 4 * latches);
        let equal = next.iter().map(|bit| (*bit, pool[random.usize(pool.len() / 2..pool.len())]));
        let equal: Vec<Term> = equal.collect::<Vec<_>>().into_iter().map(|(a, b)| terms.eq(a, b)).collect();
        formulas.push(terms.and(&equal));
        now = next;
    }
    let mut random = Rng::with_seed(seed + 1);
    let goal = now.iter().map(|bit| if random.bool() { terms.not(*bit) } else { *bit });
    let goal: Vec<Term> = goal.take(2 * steps + 4).collect();
    formulas.push(terms.and(&goal));
    let parts = Parts::chain(formulas);
    contradictory(&terms, &parts).then_some(Problem { terms, parts })
}

/// So many random circuits.
pub fn random(latches: usize, steps: usize, count: usize) -> Vec<Problem> {
    (0..100).filter_map(|seed| circuit(100 * seed, latches, steps)).take(count).collect()
}

/// Two words that take the same steps in different ways, and differ in the end: a proof with
/// much search.
fn twins(width: u32, steps: usize) -> Problem {
    let mut terms = Terms::new();
    let sort = Sort::BitVec(width);
    let mut now = declare(&mut terms, "s0_", &[sort.clone(), sort.clone()]);
    let mut formulas = vec![terms.eq(now[0], now[1])];
    for step in 1..=steps {
        let input = declare(&mut terms, &format!("i{step}_"), std::slice::from_ref(&sort))[0];
        let next = declare(&mut terms, &format!("s{step}_"), &[sort.clone(), sort.clone()]);
        let three = terms.bv(width, 3);
        let sum = terms.bvadd(now[0], input);
        let one = terms.bvmul(sum, three);
        let (product, other) = (terms.bvmul(now[1], three), terms.bvmul(input, three));
        let other = terms.bvadd(product, other);
        let (one, other) = (terms.eq(next[0], one), terms.eq(next[1], other));
        formulas.push(terms.and(&[one, other]));
        now = next;
    }
    formulas.push(terms.distinct(now[0], now[1]));
    Problem { terms, parts: Parts::chain(formulas) }
}

/// What proofs cost, step by step.
pub fn effort() {
    println!(
        "\n{:<16}\t{:>8}\t{:>8}\t{:>8}\t{:>8}\t{:>9}\t{:>9}\t{:>8}",
        "proof", "clauses", "core", "learnt", "derived", "resolved", "seconds", "Mprops/s"
    );
    let mut problems = vec![("twins 3x4".to_owned(), twins(3, 4)), ("twins 4x5".to_owned(), twins(4, 5))];
    problems.extend((0..4).zip(random(40, 8, 4)).map(|(at, problem)| (format!("circuit 40x8 #{at}"), problem)));
    for (name, mut problem) in problems {
        let start = Instant::now();
        let stop = StopSignal::when(move || start.elapsed().as_secs() > 60);
        let mut proof = Proof::new(System::McMillan, stop);
        // Whatever comes of it, the effort is told.
        let _ = proof.interpolate(&mut problem.terms, &problem.parts);
        let (effort, time) = (proof.effort(), start.elapsed().as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "a count of work for a rate of three digits")]
        let rate = effort.propagations as f64 / effort.checking.as_secs_f64().max(1e-9) / 1e6;
        println!(
            "{name:<16}\t{:>8}\t{:>8}\t{:>8}\t{:>8}\t{:>9}\t{time:>9.3}\t{rate:>8.2}",
            effort.clauses, effort.core, effort.learnt, effort.derived, effort.resolutions
        );
    }
}
