//! What is to be said to a compiler about a run: the error to look for, the functions and the values
//! to give, and what copies of the program's texts say more than the program.

use super::chance::{Chance, Fill, left_to_chance};
use super::outside::{Outside, absent, outside};
use super::probes::{self, Edit};
use super::unset::{Unset, unset};
use super::{Build, Case, Error, Unit};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::Var;

/// Functions that are errors to call.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error"];

/// All of it.
pub(super) struct Plan<'a> {
    pub(super) error: Error,
    /// The functions that are errors to call.
    pub(super) errors: Vec<&'a str>,
    pub(super) outside: BTreeMap<String, Outside<'a>>,
    /// Variables that get their values from the harness, with the numbers of their functions.
    pub(super) unset: Vec<(usize, Unset)>,
    /// What each text needs more than it says.
    pub(super) additions: Vec<Additions>,
    /// Variables whose values are certain to be those of the run.
    given: BTreeSet<Var>,
}

/// What a text needs more than it says.
#[derive(Debug, Default)]
pub(super) struct Additions {
    /// In its text, from the front.
    pub(super) edits: Vec<Edit>,
    /// Behind its text, in whole lines.
    pub(super) appendix: String,
}

impl<'a> Plan<'a> {
    /// The plan for a run of a program that consists of these texts.
    pub(super) fn new(case: &Case<'a>, build: &'a Build, units: &[Unit]) -> Plan<'a> {
        let others = build.errors.iter().map(String::as_str).filter(|name| !ERRORS.contains(name));
        let mut plan = Plan {
            error: case.error(),
            errors: ERRORS.iter().copied().chain(others).collect(),
            outside: outside(case.program, case.trace),
            unset: Vec::new(),
            additions: Vec::new(),
            given: case.argument_count().map(|(var, _)| var).into_iter().collect(),
        };
        plan.define(case, units);
        plan.probe(units);
        plan.set(case, units);
        for additions in &mut plan.additions {
            additions.edits.sort_by_key(|edit| edit.at);
        }
        plan
    }

    /// Defines what nobody defines and only the program can name.
    fn define(&mut self, case: &Case<'_>, units: &[Unit]) {
        let texts: Vec<&str> = units.iter().map(|unit| unit.preprocessed.as_str()).collect();
        let records = self.outside.iter().filter(|(_, function)| function.is_record());
        let mut records: Vec<&str> = records.map(|(name, _)| name.as_str()).collect();
        for (unit, mut appendix) in units.iter().zip(probes::missing_objects(&texts, &absent(case.program, case.trace)))
        {
            let (functions, defined) = probes::missing_functions(&unit.preprocessed, &records);
            appendix.push_str(&functions);
            records.retain(|name| !defined.contains(name));
            self.additions.push(Additions { edits: Vec::new(), appendix });
        }
    }

    /// Makes the error seen.
    fn probe(&mut self, units: &[Unit]) {
        for (unit, additions) in units.iter().zip(&mut self.additions) {
            additions.edits = match &self.error {
                Error::Label(label) => probes::at_label(&unit.text, label),
                Error::Call => probes::in_functions(&unit.text, &self.errors),
                Error::Assertion
                | Error::Division
                | Error::Bounds
                | Error::Overflow
                | Error::Access
                | Error::Free
                | Error::Leak
                | Error::Lost => Vec::new(),
            };
        }
    }

    /// Gives values to variables that the program does not set.
    fn set(&mut self, case: &Case<'_>, units: &[Unit]) {
        for (number, unset) in unset(case).into_iter().enumerate() {
            let Some((at, place)) = unset.place(number, units) else { continue };
            self.additions[at].edits.extend(place.edits);
            self.additions[at].appendix.push_str(&place.appendix);
            if unset.scalar {
                self.given.insert(unset.var);
            }
            self.unset.push((number, unset));
        }
    }

    /// The first value that matters although the harness does not give it, if it could be any of
    /// those.
    pub(super) fn left_to_chance(&self, case: &Case<'_>, fills: &[Fill]) -> Option<Chance> {
        left_to_chance(case.terms, case.program, case.trace, fills, &|var| self.given.contains(&var))
    }
}
