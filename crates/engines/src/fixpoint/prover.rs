//! The theorem prover: the order `φ ≤ φ'` is that the implication is proved. What it does not know is no
//! proof, and no refutation either.

use super::formula::{Conj, Formula, term};
use tamis_cegar::{Context, Outcome};
use tamis_solver::{Answer, Model, Solver};
use tamis_term::Term;

/// Asks one solver after the other questions.
pub(super) struct Prover {
    solver: Box<dyn Solver>,
}

impl Prover {
    pub(super) fn new(ctx: &mut Context) -> Outcome<Prover> {
        Ok(Prover { solver: ctx.solvers.fresh(&ctx.terms, &[])? })
    }

    /// Whether some state satisfies all facts.
    pub(super) fn is_possible(&mut self, ctx: &mut Context, facts: &[Term]) -> Outcome<bool> {
        Ok(self.ask(ctx, facts, |_, _| ())?.is_some())
    }

    /// What is read off a valuation that makes all facts true, if there is one.
    pub(super) fn ask<T>(
        &mut self,
        ctx: &mut Context,
        facts: &[Term],
        read: impl FnOnce(&Context, &dyn Model) -> T,
    ) -> Outcome<Option<T>> {
        ctx.budget.check()?;
        if facts.iter().any(|fact| ctx.terms.is_false(*fact)) {
            return Ok(None);
        }
        self.solver.push();
        let asked = facts.iter().try_for_each(|fact| self.solver.assert(&ctx.terms, *fact));
        let found = match asked {
            Err(error) => Err(error.into()),
            Ok(()) => match self.solver.check(&ctx.terms, &[]) {
                Err(error) => Err(error.into()),
                Ok(Answer::Sat(model)) => Ok(Some(read(ctx, &*model))),
                Ok(Answer::Unsat(_)) => Ok(None),
                Ok(Answer::Unknown(why)) => Err(why.into()),
            },
        };
        self.solver.pop();
        found
    }

    /// `conj ≤ φ`
    pub(super) fn implies(&mut self, ctx: &mut Context, conj: &Conj, formula: &Formula) -> Outcome<bool> {
        if formula.disjuncts.iter().any(|weaker| weaker.is_subset(conj)) {
            return Ok(true);
        }
        let mut facts: Vec<Term> = conj.iter().copied().collect();
        for disjunct in &formula.disjuncts {
            let holds = term(&mut ctx.terms, disjunct);
            facts.push(ctx.terms.not(holds));
        }
        Ok(!self.is_possible(ctx, &facts)?)
    }

    /// `φ ≤ φ'`
    pub(super) fn is_below(&mut self, ctx: &mut Context, formula: &Formula, other: &Formula) -> Outcome<bool> {
        if formula.is_below(other) {
            return Ok(true);
        }
        for conj in &formula.disjuncts {
            if !self.implies(ctx, conj, other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a conjunction and a formula have a state in common.
    pub(super) fn meets(&mut self, ctx: &mut Context, conj: &Conj, formula: &Formula) -> Outcome<bool> {
        let other = formula.term(&mut ctx.terms);
        let facts: Vec<Term> = conj.iter().copied().chain([other]).collect();
        self.is_possible(ctx, &facts)
    }
}
