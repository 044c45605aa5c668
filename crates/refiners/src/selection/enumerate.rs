//! The minimum as in the paper (section 3.2): for each trace the sets of candidates that eliminate it are
//! enumerated by size, and of all their combinations a smallest is the optimum of a pseudo-Boolean formula.
//!
//! As in section 4, at most MAXSUB sets are tried and at most MAXELM kept for each trace, and sizes end with
//! the first at which one was found. So the result need not be a minimum.

use super::elimination::{Elimination, Test};
use super::greedy;
use std::collections::BTreeSet;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_solver::optimum::{Fewest, fewest};
use tamis_witness::Reason;

/// Limits of the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    /// MAXSUB: how many sets are tried for a trace.
    pub most: usize,
    /// MAXELM: how many eliminating sets are kept for a trace.
    pub kept: usize,
}

/// The fewest candidates of the sets found.
pub(super) fn minimum(
    ctx: &mut Context,
    elimination: &mut dyn Elimination,
    limits: Limits,
    eliminating: &mut Vec<Vec<BTreeSet<usize>>>,
) -> Outcome<Option<BTreeSet<usize>>> {
    while eliminating.len() < elimination.traces() {
        let trace = eliminating.len();
        let mut found = of_trace(ctx, elimination, trace, limits)?;
        if found.is_empty() {
            // Where no small set was among those tried, a large one must do.
            let Some(large) = sufficient(ctx, elimination, trace)? else { return Ok(None) };
            found.push(large);
        }
        eliminating.push(found);
    }
    match fewest(eliminating, &ctx.solvers.stop)? {
        Fewest::Set(set) => Ok(Some(set)),
        Fewest::Impossible => Ok(None),
        Fewest::Unknown(why) => Err(Stop::GaveUp(Reason::SolverUnknown(why.to_string()))),
    }
}

/// Sets that eliminate a trace, all of one size.
fn of_trace(
    ctx: &mut Context,
    elimination: &mut dyn Elimination,
    trace: usize,
    limits: Limits,
) -> Outcome<Vec<BTreeSet<usize>>> {
    let count = elimination.candidates();
    let (mut found, mut tried) = (Vec::new(), 0);
    for size in 0..=count {
        let mut next = Some((0..size).collect::<Vec<usize>>());
        while let Some(numbers) = next {
            if tried >= limits.most || found.len() >= limits.kept {
                return Ok(found);
            }
            tried += 1;
            let set: BTreeSet<usize> = numbers.iter().copied().collect();
            if let Test::Eliminated(_) = elimination.test(ctx, trace, &set)? {
                found.push(set);
            }
            next = successor(numbers, count);
        }
        if !found.is_empty() {
            break;
        }
    }
    Ok(found)
}

/// The next set of the same size, in lexicographic order.
fn successor(mut numbers: Vec<usize>, count: usize) -> Option<Vec<usize>> {
    let size = numbers.len();
    let at = (0..size).rev().find(|at| numbers[*at] < count - size + at)?;
    numbers[at] += 1;
    for later in at + 1..size {
        numbers[later] = numbers[later - 1] + 1;
    }
    Some(numbers)
}

/// Some set that eliminates one trace.
fn sufficient(ctx: &mut Context, elimination: &mut dyn Elimination, trace: usize) -> Outcome<Option<BTreeSet<usize>>> {
    let mut single = Only { all: elimination, trace };
    greedy::cumulative(ctx, &mut single, &BTreeSet::new())
}

/// One of the traces.
struct Only<'e> {
    all: &'e mut dyn Elimination,
    trace: usize,
}

impl Elimination for Only<'_> {
    fn candidates(&self) -> usize {
        self.all.candidates()
    }

    fn traces(&self) -> usize {
        1
    }

    fn test(&mut self, ctx: &mut Context, _: usize, chosen: &BTreeSet<usize>) -> Outcome<Test> {
        self.all.test(ctx, self.trace, chosen)
    }

    fn on(&self, _: usize) -> Vec<usize> {
        self.all.on(self.trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_in_lexicographic_order() {
        let mut sets = vec![vec![0, 1]];
        while let Some(next) = successor(sets[sets.len() - 1].clone(), 4) {
            sets.push(next);
        }
        assert_eq!(sets, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]].map(|set| set.to_vec()));
        assert_eq!(successor(vec![], 4), None);
    }
}
