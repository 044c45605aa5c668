//! The traits of an abstraction, a refiner and a precision, and the loop over them.

use crate::context::{Context, Outcome, Progress, Stop};
use std::fmt::Debug;
use tamis_ir::{Proof, Trace};
use tamis_term::Terms;
use tamis_witness::{Reason, Resource, Verdict};

/// Explores an abstraction of the problem at a precision.
pub trait Abstractor {
    /// How precise the abstraction is.
    type Precision: Precision;
    /// A possible way into an error: a path, or a graph of paths.
    type Counterexample: PartialEq + Debug;

    /// Explores until the abstraction is proved safe or a counterexample is found.
    ///
    /// # Errors
    /// If it gives up or fails.
    fn explore(&mut self, ctx: &mut Context, precision: &Self::Precision)
    -> Outcome<Exploration<Self::Counterexample>>;

    /// Learns that the last counterexample was spurious. Lazy abstractors prune their own tree.
    fn refuted(&mut self, _why: &<Self::Precision as Precision>::Refutation) {}
}

/// What exploring an abstraction found.
#[derive(Debug)]
pub enum Exploration<S> {
    /// The abstraction has no way into an error.
    Safe(Proof),
    /// It has one, which may not exist in the concrete program.
    Counterexample(S),
}

/// Examines counterexamples.
pub trait Refiner {
    /// What it examines.
    type Counterexample;
    /// Why a counterexample is spurious: what, tracked, excludes it.
    type Refutation;

    /// Finds out whether the counterexample is real.
    ///
    /// # Errors
    /// If it gives up or fails.
    fn examine(
        &mut self,
        ctx: &mut Context,
        counterexample: &Self::Counterexample,
    ) -> Outcome<Finding<Self::Refutation>>;
}

/// What examining a counterexample found.
#[derive(Debug)]
pub enum Finding<R> {
    /// It is real.
    Feasible(Trace),
    /// It is not, for this reason.
    Spurious(R),
}

/// How precise an abstraction is.
pub trait Precision {
    /// Why a counterexample is spurious: what, tracked, excludes it.
    type Refutation;

    /// Takes in a refutation. Returns whether anything was new.
    fn absorb(&mut self, terms: &mut Terms, why: &Self::Refutation) -> bool;

    /// The length of the longest list of predicates at any location.
    fn size(&self) -> u64;
}

/// The loop: explore; if safe, return the proof; examine the counterexample; if feasible, return
/// the trace; absorb the refutation, and repeat. The precision is as it was in the last round.
///
/// # Errors
/// If a part gives up or fails, and with `RefinementStuck` if a counterexample comes back although
/// the precision did not grow.
pub fn refine<A: Abstractor>(
    ctx: &mut Context,
    abstractor: &mut A,
    refiner: &mut dyn Refiner<Counterexample = A::Counterexample, Refutation = <A::Precision as Precision>::Refutation>,
    precision: &mut A::Precision,
) -> Outcome<Verdict> {
    let mut stale: Option<A::Counterexample> = None;
    loop {
        ctx.budget.check()?;
        let counterexample = match abstractor.explore(ctx, precision)? {
            Exploration::Safe(proof) => return Ok(Verdict::Safe(proof)),
            Exploration::Counterexample(counterexample) => counterexample,
        };
        if stale.as_ref() == Some(&counterexample) {
            return Err(Stop::GaveUp(Reason::RefinementStuck));
        }
        let refutation = match refiner.examine(ctx, &counterexample)? {
            Finding::Feasible(trace) => return Ok(Verdict::Unsafe(trace)),
            Finding::Spurious(refutation) => refutation,
        };
        if ctx.budget.rounds.is_some_and(|limit| ctx.statistics.rounds >= limit) {
            return Err(Stop::GaveUp(Reason::OutOfBudget(Resource::Rounds)));
        }
        ctx.statistics.rounds += 1;
        abstractor.refuted(&refutation);
        let grown = precision.absorb(&mut ctx.terms, &refutation);
        stale = (!grown).then_some(counterexample);
        ctx.statistics.predicates = ctx.statistics.predicates.max(precision.size());
        ctx.observer.tell(&Progress { statistics: ctx.statistics, ..Progress::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks whether a counter that walks 0, 2, 4, … (modulo 12) meets a number of `bad`.
    /// The abstraction knows the counter only modulo the precision, a divisor of 12.
    struct Wheel {
        bad: Vec<u64>,
    }

    struct Modulus {
        number: u64,
        stuck: bool,
    }

    impl Precision for Modulus {
        type Refutation = ();
        fn absorb(&mut self, _: &mut Terms, (): &()) -> bool {
            if self.stuck || self.number == 12 {
                return false;
            }
            self.number = if self.number == 1 { 2 } else { 12 };
            true
        }
        fn size(&self) -> u64 {
            self.number
        }
    }

    impl Abstractor for Wheel {
        type Precision = Modulus;
        type Counterexample = u64;
        fn explore(&mut self, _: &mut Context, precision: &Modulus) -> Outcome<Exploration<u64>> {
            let reached: Vec<u64> = (0..12).map(|step| step * 2 % 12 % precision.number).collect();
            let counterexample = self.bad.iter().find(|bad| reached.contains(&(*bad % precision.number)));
            Ok(counterexample.map_or(Exploration::Safe(Proof::default()), |bad| Exploration::Counterexample(*bad)))
        }
    }

    struct Parity;
    impl Refiner for Parity {
        type Counterexample = u64;
        type Refutation = ();
        fn examine(&mut self, _: &mut Context, counterexample: &u64) -> Outcome<Finding<()>> {
            Ok(if counterexample.is_multiple_of(2) {
                Finding::Feasible(Trace { start: vec![], steps: vec![] })
            } else {
                Finding::Spurious(())
            })
        }
    }

    fn run(bad: &[u64], stuck: bool, rounds: Option<u64>) -> (Outcome<Verdict>, u64) {
        let mut ctx = Context::default();
        ctx.budget.rounds = rounds;
        let verdict =
            refine(&mut ctx, &mut Wheel { bad: bad.to_vec() }, &mut Parity, &mut Modulus { number: 1, stuck });
        (verdict, ctx.statistics.rounds)
    }

    #[test]
    fn an_odd_number_is_excluded_by_one_refinement() {
        let (verdict, rounds) = run(&[5], false, None);
        assert!(matches!(verdict, Ok(Verdict::Safe(_))));
        assert_eq!(rounds, 1);
    }

    #[test]
    fn an_even_number_is_met() {
        let (verdict, rounds) = run(&[5, 6], false, None);
        assert!(matches!(verdict, Ok(Verdict::Unsafe(_))));
        assert_eq!(rounds, 1);
    }

    #[test]
    fn the_same_counterexample_at_the_same_precision_is_given_up() {
        assert_eq!(run(&[5], true, None).0.unwrap_err(), Stop::GaveUp(Reason::RefinementStuck));
    }

    #[test]
    fn rounds_are_limited() {
        let stop = run(&[5], false, Some(0)).0.unwrap_err();
        assert_eq!(stop, Stop::GaveUp(Reason::OutOfBudget(Resource::Rounds)));
    }

    #[test]
    fn an_interrupt_is_seen() {
        let mut ctx = Context::default();
        ctx.budget.interrupted.store(true, std::sync::atomic::Ordering::Relaxed);
        let mut precision = Modulus { number: 1, stuck: false };
        let stop = refine(&mut ctx, &mut Wheel { bad: vec![5] }, &mut Parity, &mut precision).unwrap_err();
        assert_eq!(stop, Stop::GaveUp(Reason::Interrupted));
    }
}
