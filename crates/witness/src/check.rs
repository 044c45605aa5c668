//! The door of the independent check.

use crate::induction;
use crate::replay;
use crate::verdict::Verdict;
use tamis_ir::passes::inline;
use tamis_ir::{Program, PropertyId};
use tamis_solver::StopSignal;
use tamis_term::Terms;

/// What the check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// The evidence establishes the verdict.
    Accepted,
    /// It does not; the phrase says where it fails.
    Rejected(String),
    /// The check itself had no answer (it was stopped, or the sorts are infinite).
    Undecided(String),
}

/// Checks a verdict's evidence; `Unknown` claims nothing and is accepted. Once `stop` is set,
/// the check ends with `Undecided`.
pub fn check(
    terms: &mut Terms,
    program: &Program,
    property: PropertyId,
    verdict: &Verdict,
    stop: &StopSignal,
) -> Check {
    let result = match verdict {
        Verdict::Unknown(_) => Ok(()),
        Verdict::Unsafe(trace) => replay::check(terms, program, property, trace, stop),
        Verdict::Safe(proof) if proof.inlined.is_empty() => induction::check(terms, program, property, proof, stop),
        Verdict::Safe(proof) => match inline::expand(terms, program, &proof.inlined) {
            Ok(expansion) => induction::check(terms, &expansion.program, property, proof, stop),
            Err(why) => Err(Check::Rejected(why)),
        },
    };
    match result {
        Ok(()) => Check::Accepted,
        Err(check) => check,
    }
}
