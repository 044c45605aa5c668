//! Unsatisfiable cores instead of interpolants: the variables of formulas that contradict each
//! other are the ones to track.

use super::PathRefiner;
use super::minimise::smaller;
use std::collections::BTreeSet;
use tamis_cegar::{Context, Cut, Outcome, Path, Stop};
use tamis_term::{Term, Var};

impl PathRefiner<'_> {
    /// Makes the variables of a small contradiction matter in all states of the path.
    pub(super) fn core(&mut self, ctx: &mut Context, path: &Path, formulas: &[Term]) -> Outcome<Vec<Cut>> {
        let pieces: Vec<Term> = formulas.iter().flat_map(|formula| ctx.terms.conjuncts(&[*formula])).collect();
        let mut solver = ctx.solvers.fresh(&ctx.terms, &pieces)?;
        let core = smaller(&ctx.terms, &mut *solver, &pieces)?;
        let core = core.ok_or_else(|| Stop::Failed("expected unsat, got sat".into()))?;
        let vars = self.chain.vars(&ctx.terms, &core);
        Ok(everywhere(ctx, path, &vars))
    }
}

/// That variables matter in all states of a path.
pub(super) fn everywhere(ctx: &mut Context, path: &Path, vars: &BTreeSet<Var>) -> Vec<Cut> {
    let formula = ctx.terms.bool(true);
    path.states.iter().map(|state| Cut { state: state.clone(), formula, vars: vars.clone() }).collect()
}
