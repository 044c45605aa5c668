//! The minimum by implicit hitting sets (Reiter, 1987; Davies, Bacchus, *Solving MAXSAT by Solving a
//! Sequence of Simpler SAT Instances*, CP 2011), instead of the paper's enumeration of subsets.
//!
//! A smallest set for what is known is proposed. If a trace remains, the proposal is grown as far as the
//! trace remains: what is left outside is a minimal correction set, of which every solution has a member.
//! A proposal that eliminates all traces is a minimum, because it is one of a weaker problem.

use super::elimination::{Elimination, Test};
use super::select::remaining;
use std::collections::BTreeSet;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_solver::optimum::{Constraint, Fewest, fewest};
use tamis_witness::Reason;

/// The fewest candidates that eliminate all traces; none if not all candidates together do.
pub(super) fn minimum(
    ctx: &mut Context,
    elimination: &mut dyn Elimination,
    needed: &mut Vec<BTreeSet<usize>>,
) -> Outcome<Option<BTreeSet<usize>>> {
    loop {
        ctx.budget.check()?;
        let one_of = |set: &BTreeSet<usize>| set.iter().map(|number| BTreeSet::from([*number])).collect();
        let constraints: Vec<Constraint> = needed.iter().map(one_of).collect();
        let proposal = match fewest(&constraints, &ctx.solvers.stop)? {
            Fewest::Set(proposal) => proposal,
            Fewest::Impossible => return Ok(None),
            Fewest::Unknown(why) => return Err(Stop::GaveUp(Reason::SolverUnknown(why.to_string()))),
        };
        let Some((trace, agree)) = remaining(ctx, elimination, &proposal)? else { return Ok(Some(proposal)) };
        let correction = correction(ctx, elimination, trace, agree)?;
        if correction.is_empty() {
            return Ok(None);
        }
        needed.push(correction);
    }
}

/// What is left outside of a largest set with which the trace remains.
fn correction(
    ctx: &mut Context,
    elimination: &mut dyn Elimination,
    trace: usize,
    mut grown: BTreeSet<usize>,
) -> Outcome<BTreeSet<usize>> {
    let mut left: BTreeSet<usize> = (0..elimination.candidates()).filter(|number| !grown.contains(number)).collect();
    let mut found = BTreeSet::new();
    while let Some(number) = left.pop_first() {
        let mut more = grown.clone();
        more.insert(number);
        match elimination.test(ctx, trace, &more)? {
            Test::Eliminated(_) => _ = found.insert(number),
            Test::Remains(agree) => {
                left.retain(|other| !agree.contains(other));
                grown = agree;
            }
        }
    }
    // A later model may agree with what was refused when fewer were chosen: never, as more eliminate more.
    Ok(found)
}
