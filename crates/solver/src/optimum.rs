//! Fewest: the smallest set that satisfies monotone constraints, found by Z3's optimiser (Bjørner, Phan,
//! Fleckenstein, *νZ: An Optimizing SMT Solver*, TACAS 2015), which is a `MaxSAT` solver here: to leave a
//! number out is a soft constraint, and its engine raises a lower bound core by core.
//!
//! What it answers is checked: a set that breaks a constraint is no answer.

use crate::limit::Clock;
use crate::z3::watched;
use crate::{Error, StopSignal, Why};
use std::collections::{BTreeMap, BTreeSet};
use z3::ast::Bool;
use z3::{Optimize, SatResult};

/// One of these sets must be contained in the solution.
pub type Constraint = Vec<BTreeSet<usize>>;

/// A smallest set of which each constraint has a subset; none if there is no such set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// Here is one, and none is smaller.
    Set(BTreeSet<usize>),
    /// A constraint lists nothing.
    Impossible,
    /// It is not known.
    Unknown(Why),
}

/// A smallest set of which each constraint has a subset.
///
/// # Errors
/// If Z3 cannot be had.
pub fn fewest(constraints: &[Constraint], stop: &StopSignal) -> Result<Fewest, Error> {
    if constraints.iter().any(Vec::is_empty) {
        return Ok(Fewest::Impossible);
    }
    crate::z3::library()?;
    let numbers: BTreeSet<usize> = constraints.iter().flatten().flatten().copied().collect();
    let names: BTreeMap<usize, Bool> =
        numbers.iter().map(|number| (*number, Bool::new_const(format!("p{number}")))).collect();
    let optimize = Optimize::new();
    for constraint in constraints {
        let ways: Vec<Bool> = constraint
            .iter()
            .map(|set| Bool::and(&set.iter().map(|number| &names[number]).collect::<Vec<&Bool>>()))
            .collect();
        optimize.assert(Bool::or(&ways));
    }
    for name in names.values() {
        optimize.assert_soft(&name.not(), 1_u32, None);
    }
    let clock = Clock::new(stop.clone());
    clock.begin(None);
    let (found, interrupted) = watched(&clock.signal(), || match optimize.check(&[]) {
        SatResult::Sat => optimize.get_model().map(|model| {
            let chosen = |name: &Bool| model.eval(name, true).and_then(|value| value.as_bool()) == Some(true);
            names.iter().filter(|(_, name)| chosen(name)).map(|(number, _)| *number).collect::<BTreeSet<usize>>()
        }),
        SatResult::Unsat | SatResult::Unknown => None,
    });
    if interrupted {
        return Ok(Fewest::Unknown(Why::Interrupted));
    }
    let Some(set) = found else { return Ok(Fewest::Unknown(Why::GaveUp("the optimiser found no optimum".into()))) };
    if !constraints.iter().all(|constraint| constraint.iter().any(|way| way.is_subset(&set))) {
        return Ok(Fewest::Unknown(Why::GaveUp("the optimiser's answer breaks a constraint".into())));
    }
    Ok(Fewest::Set(set))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[usize]) -> BTreeSet<usize> {
        numbers.iter().copied().collect()
    }

    /// Example 5 of Chaki, Clarke, Groce, Strichman (CHARME 2003).
    #[test]
    fn example_5_needs_three_predicates() {
        let traces = [vec![set(&[1, 3, 5]), set(&[2, 5])], vec![set(&[2, 3]), set(&[4])]];
        let found = fewest(&traces, &StopSignal::never()).unwrap();
        // {2, 5, 4}, as printed; {2, 3, 5} is as small.
        let Fewest::Set(found) = found else { panic!("{found:?}") };
        assert!([set(&[2, 4, 5]), set(&[2, 3, 5])].contains(&found), "{found:?}");
    }

    #[test]
    fn nothing_is_needed_if_nothing_is_asked_and_no_way_is_no_set() {
        assert_eq!(fewest(&[], &StopSignal::never()), Ok(Fewest::Set(set(&[]))));
        assert_eq!(fewest(&[vec![set(&[])]], &StopSignal::never()), Ok(Fewest::Set(set(&[]))));
        assert_eq!(fewest(&[vec![set(&[1])], vec![]], &StopSignal::never()), Ok(Fewest::Impossible));
    }
}
