//! The strategies, by name, and what they remember from one refinement to the next.

use super::elimination::{Elimination, Test};
use super::enumerate::{self, Limits};
use super::{greedy, hitting};
use std::collections::BTreeSet;
use tamis_cegar::{Context, Outcome};

/// Which candidates to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// All that were ever chosen, and as many more as the last trace needs.
    Cumulative,
    /// The same, and then those are dropped without which all traces are eliminated (Figure 6).
    Greedy,
    /// The fewest that eliminate all traces, by implicit hitting sets.
    Minimum,
    /// The fewest of the sets that an enumeration by size finds, as in the paper.
    Enumerated,
}

/// Chooses candidates again and again.
#[derive(Clone, Debug)]
pub struct Selector {
    select: Select,
    limits: Limits,
    random: fastrand::Rng,
    /// Of each of these sets at least one candidate is needed.
    needed: Vec<BTreeSet<usize>>,
    /// By trace: sets that eliminate it.
    eliminating: Vec<Vec<BTreeSet<usize>>>,
    /// How many candidates there were.
    known: usize,
}

impl Selector {
    /// A selector that enumerates at most so many sets and keeps so many that eliminate a trace
    /// (MAXSUB and MAXELM), and begins its random orders with that seed.
    #[must_use]
    pub fn new(select: Select, most: usize, kept: usize, seed: u64) -> Selector {
        Selector {
            select,
            limits: Limits { most, kept },
            random: fastrand::Rng::with_seed(seed),
            needed: Vec::new(),
            eliminating: Vec::new(),
            known: 0,
        }
    }

    /// Candidates that eliminate all traces, of which the last is the newest; none if not even all
    /// candidates do. Chosen are those of the last time.
    ///
    /// # Errors
    /// If it is not known what eliminates a trace, or a limit is reached.
    pub fn choose(
        &mut self,
        ctx: &mut Context,
        elimination: &mut dyn Elimination,
        chosen: &BTreeSet<usize>,
    ) -> Outcome<Option<BTreeSet<usize>>> {
        if self.known != elimination.candidates() {
            // What was known speaks about fewer candidates.
            self.known = elimination.candidates();
            self.needed.clear();
            self.eliminating.clear();
        }
        match self.select {
            Select::Cumulative => greedy::cumulative(ctx, elimination, chosen),
            Select::Greedy => match greedy::cumulative(ctx, elimination, chosen)? {
                Some(more) => greedy::reduce(ctx, elimination, more, &mut self.random).map(Some),
                None => Ok(None),
            },
            Select::Minimum => hitting::minimum(ctx, elimination, &mut self.needed),
            Select::Enumerated => enumerate::minimum(ctx, elimination, self.limits, &mut self.eliminating),
        }
    }
}

/// The first trace that the chosen candidates do not eliminate, the newest first, and what could be chosen
/// besides in vain.
pub(super) fn remaining(
    ctx: &mut Context,
    elimination: &mut dyn Elimination,
    chosen: &BTreeSet<usize>,
) -> Outcome<Option<(usize, BTreeSet<usize>)>> {
    for trace in (0..elimination.traces()).rev() {
        if let Test::Remains(agree) = elimination.test(ctx, trace, chosen)? {
            return Ok(Some((trace, agree)));
        }
    }
    Ok(None)
}
