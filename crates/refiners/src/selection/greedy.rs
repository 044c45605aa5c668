//! Keeping what was chosen (the refinement of section 1), and Figure 6, which drops what is not needed.

use super::elimination::{Elimination, Test};
use super::select::remaining;
use std::collections::BTreeSet;
use tamis_cegar::{Context, Outcome};

/// The candidates chosen before, and branches of the traces that remain, one after another in the order of
/// the trace, until they are eliminated.
pub(super) fn cumulative(
    ctx: &mut Context,
    elimination: &mut dyn Elimination,
    chosen: &BTreeSet<usize>,
) -> Outcome<Option<BTreeSet<usize>>> {
    let mut chosen = chosen.clone();
    while let Some((trace, _)) = remaining(ctx, elimination, &chosen)? {
        let on_trace = elimination.on(trace);
        let others = (0..elimination.candidates()).filter(|number| !on_trace.contains(number));
        let order: Vec<usize> =
            on_trace.iter().copied().chain(others).filter(|number| !chosen.contains(number)).collect();
        let mut eliminated = false;
        for number in order {
            chosen.insert(number);
            if let Test::Eliminated(_) = elimination.test(ctx, trace, &chosen)? {
                eliminated = true;
                break;
            }
        }
        if !eliminated {
            return Ok(None);
        }
    }
    Ok(Some(chosen))
}

/// Figure 6: drops one candidate after another in a random order, and begins again after each.
pub(super) fn reduce(
    ctx: &mut Context,
    elimination: &mut dyn Elimination,
    mut chosen: BTreeSet<usize>,
    random: &mut fastrand::Rng,
) -> Outcome<BTreeSet<usize>> {
    'again: loop {
        let mut order: Vec<usize> = chosen.iter().copied().collect();
        random.shuffle(&mut order);
        for number in order {
            let mut fewer = chosen.clone();
            fewer.remove(&number);
            if remaining(ctx, elimination, &fewer)?.is_none() {
                chosen = fewer;
                continue 'again;
            }
        }
        return Ok(chosen);
    }
}
