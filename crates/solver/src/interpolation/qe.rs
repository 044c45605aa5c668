//! Quantifier elimination by Z3's tactics: `qe-light` (equations), then `qe2` (Bjørner,
//! Janota, Playing with Quantified Satisfaction, LPAR 2015).
//!
//! The tactics are not trusted, because the latter makes *true* of any formula without
//! quantifiers: what they say is asked back.

use crate::limit::Clock;
use crate::numbers::has_products;
use crate::z3::{Encoder, read, watched};
use crate::{Answer, Error, Solvers, Why};
use std::time::Duration;
use tamis_term::{Term, Terms, Var};
use z3::ast::{Ast, Bool, Dynamic, exists_const, forall_const};
use z3::{Goal, SatResult, Tactic};

/// How long it may take if nobody says.
const PATIENCE: Duration = Duration::from_secs(5);

/// A formula that holds where some values of the variables make the given one true, and nowhere
/// else; none if Z3 finds none in time, or if numbers are multiplied, which nothing interrupts.
///
/// # Errors
/// If a solver was misused or broke.
pub fn eliminate(terms: &mut Terms, solvers: &Solvers, formula: Term, vars: &[Var]) -> Result<Option<Term>, Error> {
    crate::z3::library()?;
    super::parts::is_formula(terms, formula)?;
    let mut kept = terms.free_vars(&[formula]);
    let before = kept.len();
    kept.retain(|var| !vars.contains(var));
    if kept.len() == before {
        return Ok(Some(formula));
    }
    if has_products(terms, &[formula]) {
        return Ok(None);
    }
    let clock = Clock::new(solvers.stop.clone());
    clock.begin(Some(solvers.limit.time.unwrap_or(PATIENCE)));
    let stop = clock.signal();
    let kept: Vec<Var> = kept.into_iter().collect();
    let mut encoder = Encoder::default();
    let mut encode = || -> Result<(Bool, Vec<Dynamic>), Why> {
        let body = encoder.truth(terms, formula, &stop)?;
        let vars = vars.iter().map(|var| encoder.var(terms, *var)).collect::<Result<Vec<_>, Why>>()?;
        Ok((body, vars))
    };
    let Ok((body, bound)) = encode() else { return Ok(None) };
    let bound: Vec<&dyn Ast> = bound.iter().map(|var| var as &dyn Ast).collect();
    let closed = exists_const(&bound, &[], &body);
    let (free, interrupted) = watched(&stop, || without_quantifiers(&closed));
    let Some(free) = free.filter(|_| !interrupted) else { return Ok(None) };
    // It must hold only where the formula can: Z3's word, but another part of it.
    let asked = || {
        let solver = z3::Solver::new();
        solver.assert(&free);
        solver.assert(forall_const(&bound, &[], &body.not()));
        solver.check() == SatResult::Unsat
    };
    let (true, false) = watched(&stop, asked) else { return Ok(None) };
    let Some(result) = read(terms, &free, &kept) else { return Ok(None) };
    // It must hold wherever the formula does: a solver's word about what was read.
    let refuted = terms.not(result);
    let mut solver = solvers.fresh(terms, &[formula, refuted])?;
    Ok(match solver.check(terms, &[formula, refuted])? {
        Answer::Unsat(_) => Some(result),
        Answer::Sat(_) | Answer::Unknown(_) => None,
    })
}

/// The formula without quantifiers, if the tactics succeed.
pub(super) fn without_quantifiers(formula: &Bool) -> Option<Bool> {
    let light = apply("qe-light", formula)?;
    // On a formula without quantifiers, the other tactic answers *true*.
    if is_quantified(&light) { apply("qe2", &light) } else { Some(light) }
}

/// Whether quantifiers are in the formula.
pub(super) fn is_quantified(formula: &Bool) -> bool {
    let text = formula.to_string();
    text.contains("(exists ") || text.contains("(forall ")
}

fn apply(tactic: &str, formula: &Bool) -> Option<Bool> {
    let goal = Goal::new(false, false, false);
    goal.assert(formula);
    let goals: Vec<Goal> = Tactic::new(tactic).apply(&goal, None).ok()?.list_subgoals().collect();
    let [goal] = goals.as_slice() else { return None };
    let formulas = goal.get_formulas();
    Some(if formulas.is_empty() { Bool::from_bool(true) } else { Bool::and(&formulas) })
}
