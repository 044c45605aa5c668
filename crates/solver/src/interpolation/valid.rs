//! What an interpolant must satisfy, asked of a solver that has nothing to do with its source.

use super::Parts;
use super::parts::is_formula;
use crate::{Answer, Error, Solver, Why, scoped};
use tamis_term::{Term, Terms};

/// Whether formulas are interpolants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validity {
    /// They are.
    Valid,
    /// They are not: what is wrong, as a phrase.
    Invalid(String),
    /// The solver does not know.
    Undecided(Why),
}

/// Whether the formulas, one per node except the root, are interpolants of the parts: each
/// speaks only about what its subtree and the rest share, and follows from its children's and
/// its own part; the root's part contradicts its children's.
///
/// The solver should have no facts. It is asked once per node.
///
/// # Errors
/// If the parts are no tree of formulas, or the solver was misused or broke.
pub fn valid(
    terms: &mut Terms,
    parts: &Parts,
    interpolants: &[Term],
    solver: &mut dyn Solver,
) -> Result<Validity, Error> {
    parts.check(terms)?;
    if let Some(objection) = malformed(terms, parts, interpolants) {
        return Ok(Validity::Invalid(objection));
    }
    let absurd = terms.bool(false);
    for (node, children) in parts.children().into_iter().enumerate() {
        let goal = interpolants.get(node).copied().unwrap_or(absurd);
        let refuted = terms.not(goal);
        let known = children.into_iter().map(|child| interpolants[child]);
        let question: Vec<Term> = known.chain([parts.formulas[node], refuted]).collect();
        if question.iter().any(|fact| terms.is_false(*fact)) {
            continue;
        }
        let answer = scoped(solver, |solver| {
            question.iter().try_for_each(|fact| solver.assert(terms, *fact))?;
            Ok(match solver.check(terms, &[])? {
                Answer::Unsat(_) => Validity::Valid,
                Answer::Sat(_) => Validity::Invalid(format!("the interpolant of part {node} does not follow")),
                Answer::Unknown(why) => Validity::Undecided(why),
            })
        })?;
        if answer != Validity::Valid {
            return Ok(answer);
        }
    }
    Ok(Validity::Valid)
}

/// What is wrong with the formulas at first sight.
fn malformed(terms: &Terms, parts: &Parts, interpolants: &[Term]) -> Option<String> {
    if interpolants.len() != parts.parents.len() {
        return Some(format!("there are {} interpolants for {} parts", interpolants.len(), parts.formulas.len()));
    }
    for (node, (interpolant, shared)) in interpolants.iter().zip(parts.shared(terms)).enumerate() {
        if let Err(error) = is_formula(terms, *interpolant) {
            return Some(format!("the interpolant of part {node} is no formula: {error}"));
        }
        let vars = terms.free_vars(&[*interpolant]);
        if let Some(foreign) = vars.iter().find(|var| shared.binary_search(var).is_err()) {
            let name = terms.name(*foreign);
            return Some(format!("the interpolant of part {node} mentions {name}, which is not shared"));
        }
    }
    None
}
