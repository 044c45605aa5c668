//! The abstract operator `F# = α ∘ F ∘ γ` over the free distributive lattice of a finite set of predicates,
//! and its least fixpoint (section 3).
//!
//! `α(φ)` is the smallest element of the lattice, in the lattice's own order, that `φ` implies. There is no
//! negation, so an element is an upward closed set of valuations of the predicates, and the smallest one
//! above `φ` is the upward closure of the valuations that states of `φ` have. Its disjuncts are the minimal
//! ones, which the prover finds: each model is made smaller until no state of `φ` satisfies fewer
//! predicates.

use super::Direction;
use super::formula::{Conj, Formula};
use super::prover::Prover;
use super::system::System;
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Context, Outcome, Progress};
use tamis_term::{Substitution, Term, Terms};

/// The abstraction of the concrete operator by predicates.
pub(super) struct Abstraction<'a, 's> {
    pub system: &'a System<'s>,
    pub predicates: &'a BTreeSet<Term>,
    pub direction: Direction,
}

impl Abstraction<'_, '_> {
    /// `lfp(F#, start)`
    pub(super) fn lfp(&self, ctx: &mut Context, prover: &mut Prover, start: &Formula) -> Outcome<Formula> {
        let mut psi = Formula::default();
        let mut waiting: Vec<Conj> = Vec::new();
        for conj in &start.disjuncts {
            let facts: Vec<Term> = conj.iter().copied().collect();
            let pairs: Vec<(Term, Term)> = self.predicates.iter().map(|atom| (*atom, *atom)).collect();
            let found = alpha(ctx, prover, &facts, &pairs)?;
            waiting.extend(found.into_iter().filter(|conj| psi.join(conj.clone())));
        }
        while let Some(conj) = waiting.pop() {
            // What a weaker disjunct has replaced leads nowhere else.
            if !psi.disjuncts.contains(&conj) {
                continue;
            }
            ctx.statistics.states += 1;
            ctx.budget.check_states(ctx.statistics.states)?;
            let frontier = waiting.len() as u64;
            ctx.observer.tell(&Progress { statistics: ctx.statistics, frontier, counterexample: None });
            for found in self.image(ctx, prover, &conj)? {
                if psi.join(found.clone()) {
                    waiting.push(found);
                }
            }
        }
        Ok(psi)
    }

    /// `α(F(conj))`, without the elimination of quantifiers: the prover is asked about a state before and a
    /// state after the command, and the one is a function of the other.
    fn image(&self, ctx: &mut Context, prover: &mut Prover, conj: &Conj) -> Outcome<Vec<Conj>> {
        let mut found = Vec::new();
        for command in &self.system.commands {
            let after = self.system.after(&mut ctx.terms, command);
            let mut facts = vec![command.guard];
            let mut pairs: Vec<(Term, Term)> = Vec::new();
            match self.direction {
                Direction::Forward => {
                    facts.extend(conj);
                    pairs.extend(self.predicates.iter().map(|atom| (*atom, ctx.terms.substitute(*atom, &after))));
                }
                Direction::Backward => {
                    facts.extend(conj.iter().map(|atom| ctx.terms.substitute(*atom, &after)));
                    pairs.extend(self.predicates.iter().map(|atom| (*atom, *atom)));
                }
            }
            // Where control is needs no prover.
            let mut here = Substitution::default();
            here.insert(self.system.pc, self.system.place(&mut ctx.terms, command.from));
            let facts = ctx.terms.substitute_all(&facts, &here);
            for (_, before) in &mut pairs {
                *before = ctx.terms.substitute(*before, &here);
            }
            found.extend(alpha(ctx, prover, &facts, &pairs)?);
        }
        Ok(found)
    }
}

/// The minimal sets of predicates that a state of the facts satisfies. Beside each predicate stands
/// what it says about the state that the facts speak about.
fn alpha(ctx: &mut Context, prover: &mut Prover, facts: &[Term], pairs: &[(Term, Term)]) -> Outcome<Vec<Conj>> {
    let always: Conj = pairs.iter().filter(|(_, here)| ctx.terms.is_true(*here)).map(|(atom, _)| *atom).collect();
    // Several predicates may say the same here.
    let mut open: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    for (atom, here) in pairs.iter().filter(|(_, here)| ctx.terms.value(*here).is_none()) {
        open.entry(*here).or_default().push(*atom);
    }
    let open: Vec<(Term, Vec<Term>)> = open.into_iter().collect();
    let mut facts = facts.to_vec();
    let mut found: Vec<Conj> = Vec::new();
    while let Some(mut truths) = prover.ask(ctx, &facts, |ctx, model| truths_of(&ctx.terms, model, &open))? {
        loop {
            let mut smaller = facts.clone();
            let (holds, fails): (Vec<_>, Vec<_>) = open.iter().zip(&truths).partition(|(_, truth)| **truth);
            for ((here, _), _) in fails {
                smaller.push(ctx.terms.not(*here));
            }
            smaller.push(one_fails(&mut ctx.terms, holds.iter().map(|((here, _), _)| *here)));
            match prover.ask(ctx, &smaller, |ctx, model| truths_of(&ctx.terms, model, &open))? {
                Some(fewer) => truths = fewer,
                None => break,
            }
        }
        let least: Vec<&(Term, Vec<Term>)> =
            open.iter().zip(&truths).filter(|(_, truth)| **truth).map(|(entry, _)| entry).collect();
        let mut conj = always.clone();
        conj.extend(least.iter().flat_map(|(_, atoms)| atoms));
        found.push(conj);
        facts.push(one_fails(&mut ctx.terms, least.iter().map(|(here, _)| *here)));
    }
    Ok(found)
}

fn truths_of(terms: &Terms, model: &dyn tamis_solver::Model, open: &[(Term, Vec<Term>)]) -> Vec<bool> {
    open.iter().map(|(here, _)| model.eval(terms, *here).as_bool()).collect()
}

/// That not all of these hold.
fn one_fails(terms: &mut Terms, all: impl Iterator<Item = Term>) -> Term {
    let negated: Vec<Term> = all.map(|atom| terms.not(atom)).collect();
    terms.or(&negated)
}
