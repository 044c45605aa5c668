//! Bounded model checking of circuits: is there an error after so many steps, and after one more?
//!
//! Biere, Cimatti, Clarke, Zhu, *Symbolic Model Checking without BDDs* (TACAS 1999), incrementally (Eén,
//! Sörensson, BMC 2003): one solver for all depths, one circuit of all steps in which equal gates are shared
//! and what is known from the initial state is simplified away.
//!
//! Files in order of reading: `unroll` (the circuit of all steps), this one (the search).

mod unroll;

use crate::netlist::{Built, Frame};
use crate::options::{Knob, Knobs, knob};
use std::collections::BTreeMap;
use tamis_cegar::{Context, Outcome, Progress};
use tamis_ir::{Program, PropertyId, Trace};
use tamis_witness::{Reason, Verdict};
use unroll::Unrolled;

/// The depth that ends a search without a time limit.
const DEPTH: usize = 100;

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// How many steps are taken at most.
    pub bound: Option<usize>,
    /// Whether latches and gates that are equal by induction are merged first.
    pub equal: bool,
}

/// What can be chosen.
pub const OPTIONS: &Knobs<Config> = &Knobs {
    default: Config::default,
    knobs: &[
        Knob {
            name: "bound",
            about: "how many steps are taken at most",
            values: || format!("a number, {UNBOUNDED}"),
            get: |config| config.bound.map_or_else(|| UNBOUNDED.to_owned(), |bound| bound.to_string()),
            set: |config, bound| {
                config.bound = if bound == UNBOUNDED { None } else { Some(bound.parse().ok()?) };
                Some(())
            },
        },
        knob!("equal", "whether latches and gates that are equal by induction are merged first", equal: "yes" => true, "no" => false),
    ],
};

/// Until the budget is used up.
const UNBOUNDED: &str = "none";

/// Searches for an error until the budget is used up, or up to the depth that the user set.
///
/// # Errors
/// If it gives up: nothing was found up to a bound, a limit was reached, or the program is no circuit.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    ctx.watched(|ctx| {
        let built = Built::new(ctx, program, property)?;
        match search(ctx, &built, config)? {
            Ended::Error(start, frames) => {
                let trace: Trace = built.trace(ctx, program, &start, &frames)?;
                Ok(Verdict::Unsafe(trace))
            }
            // No run is longer, so an invariant exists that excludes all longer ones; it is looked for.
            Ended::Everywhere => crate::ic3::run(ctx, program, property, &crate::ic3::Config::default()),
        }
    })
}

/// How a search ends.
enum Ended {
    /// With a run into an error: values of latches at the start, and the inputs of each step.
    Error(BTreeMap<usize, bool>, Vec<Frame>),
    /// All runs have ended.
    Everywhere,
}

fn search(ctx: &mut Context, built: &Built, config: &Config) -> Outcome<Ended> {
    let reduced = built.netlist.reduced(ctx, config.equal)?;
    let mut unrolled = Unrolled::new(&reduced.netlist, ctx.solvers.stop.clone(), ctx.solvers.memory);
    for depth in 0.. {
        ctx.budget.check()?;
        if !unrolled.advance()? {
            return Ok(Ended::Everywhere);
        }
        if unrolled.is_bad()? {
            let (start, frames) = unrolled.run();
            return Ok(Ended::Error(start, frames));
        }
        ctx.statistics.states += 1;
        let statistics = ctx.statistics;
        ctx.observer.tell(&Progress { statistics, ..Progress::default() });
        let tired = ctx.budget.deadline.is_none() && depth >= DEPTH;
        if config.bound.map_or(tired, |bound| depth >= bound) {
            return Err(Reason::Bounded(depth as u64).into());
        }
    }
    unreachable!("the loop has no end")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::random::{circuit, distance};
    use tamis_solver::StopSignal;

    #[test]
    fn the_first_error_is_found_at_its_depth() {
        let mut errors = 0;
        for seed in 0..300 {
            let netlist = circuit(seed);
            let mut unrolled = Unrolled::new(&netlist, StopSignal::never(), usize::MAX);
            let mut found = None;
            for depth in 0..40 {
                if !unrolled.advance().unwrap() {
                    break;
                }
                if unrolled.is_bad().unwrap() {
                    assert_eq!(unrolled.run().1.len(), depth + 1, "inputs for each step");
                    found = Some(depth);
                    break;
                }
            }
            assert_eq!(found, distance(&netlist), "seed {seed}");
            errors += usize::from(found.is_some());
        }
        assert!(errors > 20, "there are errors: {errors}");
    }
}
