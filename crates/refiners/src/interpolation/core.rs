//! Unsatisfiable cores instead of interpolants: the variables of formulas that contradict each
//! other are the ones to track.

use super::PathRefiner;
use tamis_cegar::{Context, Cut, Outcome, Path, Stop};
use tamis_solver::Answer;
use tamis_term::Term;

/// How many formulas of a core are tried to be left out.
const TRIES: usize = 64;

impl PathRefiner<'_> {
    /// Makes the variables of a small contradiction matter in all states of the path.
    pub(super) fn core(&mut self, ctx: &mut Context, path: &Path, formulas: &[Term]) -> Outcome<Vec<Cut>> {
        let pieces: Vec<Term> = formulas.iter().flat_map(|formula| ctx.terms.conjuncts(&[*formula])).collect();
        let core = small(ctx, &pieces)?;
        let vars = self.chain.vars(&ctx.terms, &core);
        let formula = ctx.terms.bool(true);
        Ok(path.states.iter().map(|state| Cut { state: state.clone(), formula, vars: vars.clone() }).collect())
    }
}

/// Formulas of a contradiction, few of which can be left out.
fn small(ctx: &mut Context, pieces: &[Term]) -> Outcome<Vec<Term>> {
    let mut solver = ctx.solvers.fresh(&ctx.terms, pieces)?;
    let mut ask = |pieces: &[Term]| match solver.check(&ctx.terms, pieces) {
        Ok(Answer::Unsat(core)) => Ok(Some(core.assumptions().to_vec())),
        Ok(Answer::Sat(_)) => Ok(None),
        Ok(Answer::Unknown(why)) => Err(Stop::from(why)),
        Err(error) => Err(error.into()),
    };
    let mut core = ask(pieces)?.ok_or_else(|| Stop::Failed("expected unsat, got sat".into()))?;
    let (mut at, mut tries) = (0, 0);
    while at < core.len() && tries < TRIES {
        let mut rest = core.clone();
        rest.remove(at);
        tries += 1;
        match ask(&rest)? {
            // What comes before is needed still: cores keep the order.
            Some(smaller) => core = smaller,
            None => at += 1,
        }
    }
    Ok(core)
}
