//! Oracles of Method II: which conjuncts are dropped after a step.
//!
//! A widening may drop any conjuncts of any disjuncts, and nothing else (section 4, (3)). So an oracle
//! cannot make the method unsound, only useless.

use super::formula::{Conj, Formula};
use super::prover::Prover;
use super::system::System;
use std::collections::BTreeSet;
use tamis_cegar::{Context, Outcome};
use tamis_term::{Term, Terms, Var};

/// Guesses a widening for each step.
pub(super) trait Oracle {
    /// What is left of `φ ∨ F(φ)` in round `n`, where `φ` is the iterate before.
    fn widen(
        &mut self,
        ctx: &mut Context,
        prover: &mut Prover,
        n: usize,
        before: &Formula,
        next: Formula,
    ) -> Outcome<Formula>;
}

/// Drops what mentions variables: in each round other ones, the last for good.
pub(super) struct Mentions {
    pub schedule: Vec<BTreeSet<Var>>,
}

impl Mentions {
    /// The oracle that these names describe.
    ///
    /// # Errors
    /// Names a variable that there is not, as a phrase.
    pub(super) fn named(terms: &Terms, system: &System<'_>, schedule: &[Vec<String>]) -> Result<Mentions, String> {
        let var =
            |name: &String| system.named(terms, name).ok_or_else(|| format!("there is no variable {name} to drop"));
        let list = |names: &Vec<String>| names.iter().map(var).collect();
        Ok(Mentions { schedule: schedule.iter().map(list).collect::<Result<_, String>>()? })
    }
}

impl Oracle for Mentions {
    fn widen(&mut self, ctx: &mut Context, _: &mut Prover, n: usize, _: &Formula, next: Formula) -> Outcome<Formula> {
        let Some(vars) = self.schedule.get(n).or(self.schedule.last()) else { return Ok(next) };
        Ok(without(&ctx.terms, &next, |terms, atom| terms.free_vars(&[atom]).iter().any(|var| vars.contains(var))))
    }
}

/// The formula without the conjuncts that are dropped.
fn without(terms: &Terms, formula: &Formula, dropped: impl Fn(&Terms, Term) -> bool) -> Formula {
    let mut left = Formula::default();
    for conj in &formula.disjuncts {
        left.join(conj.iter().copied().filter(|atom| !dropped(terms, *atom)).collect());
    }
    left
}

/// Drops what is not stable: of a disjunct at a value of the program counter, the conjuncts that new states
/// there do not satisfy (Cousot, Halbwachs, POPL 1978). Each location keeps one disjunct, which only
/// loses conjuncts, so iteration ends.
pub(super) struct Stability<'s> {
    pub system: &'s System<'s>,
}

impl Stability<'_> {
    fn place(&self, terms: &Terms, conj: &Conj) -> Conj {
        conj.iter().copied().filter(|atom| self.system.is_control(terms, *atom)).collect()
    }
}

impl Oracle for Stability<'_> {
    fn widen(
        &mut self,
        ctx: &mut Context,
        prover: &mut Prover,
        _: usize,
        before: &Formula,
        next: Formula,
    ) -> Outcome<Formula> {
        let mut widened = Formula::default();
        for conj in &next.disjuncts {
            let here = self.place(&ctx.terms, conj);
            let mut stable = conj.clone();
            if before.disjuncts.contains(conj) {
                for new in next.disjuncts.difference(&before.disjuncts) {
                    if self.place(&ctx.terms, new) != here {
                        continue;
                    }
                    for atom in stable.clone() {
                        let single = Formula { disjuncts: BTreeSet::from([Conj::from([atom])]) };
                        if !prover.implies(ctx, new, &single)? {
                            stable.remove(&atom);
                        }
                    }
                }
            }
            widened.join(stable);
        }
        // What the widened disjuncts say already need not be said again.
        let mut left = Formula::default();
        for conj in &widened.disjuncts {
            let others =
                Formula { disjuncts: widened.disjuncts.iter().filter(|other| *other != conj).cloned().collect() };
            if before.disjuncts.contains(conj) || !prover.implies(ctx, conj, &others)? {
                left.join(conj.clone());
            }
        }
        Ok(left)
    }
}
