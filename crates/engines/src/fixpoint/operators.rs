//! The concrete operators. `pre` is simultaneous substitution, without any test whether the result can be
//! true; `post` eliminates the values before the command.
//!
//! Only the program counter is decided on the way: what a command says about places where it does not lead
//! is no disjunct, as in the paper's listing of the iterates in section 6.
//!
//! A command that makes choices is one for each choice; its `pre` and `post` are projected, and what is said
//! about a choice that cannot be projected is dropped. So both may be too large then, never too small.

use super::formula::{Conj, Equalities, Formula};
use super::prover::Prover;
use super::system::{Command, CommandId, System};
use super::{Direction, Disjuncts};
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Context, Outcome};
use tamis_solver::interpolation::newton::{Projected, project};
use tamis_term::{Fun, Node, Substitution, Term, Var};

/// Where an atom would become so many disjuncts, it stays one.
const MOST: usize = 1_024;

/// `pre` and `post` of the commands of a system.
pub(super) struct Operators<'s> {
    system: &'s System<'s>,
    disjuncts: Disjuncts,
    /// What stands for the value before a command of what it writes.
    old: BTreeMap<Var, Var>,
}

impl<'s> Operators<'s> {
    pub(super) fn new(system: &'s System<'s>, disjuncts: Disjuncts) -> Operators<'s> {
        Operators { system, disjuncts, old: BTreeMap::new() }
    }

    /// The disjuncts of `F` of a conjunction for one command.
    pub(super) fn apply(
        &mut self,
        ctx: &mut Context,
        prover: &mut Prover,
        direction: Direction,
        command: CommandId,
        conj: &Conj,
    ) -> Outcome<Vec<Conj>> {
        ctx.budget.check()?;
        match direction {
            Direction::Backward => self.pre(ctx, prover, command, conj),
            Direction::Forward => self.post(ctx, prover, command, conj),
        }
    }

    /// `pre_c(φ) ≡ g(X) ∧ φ[e1(X), …, em(X) / x1, …, xm]`
    fn pre(&mut self, ctx: &mut Context, prover: &mut Prover, id: CommandId, conj: &Conj) -> Outcome<Vec<Conj>> {
        let system = self.system;
        let command = system.command(id);
        let after = system.after(&mut ctx.terms, command);
        let mut ways: Vec<Conj> = command.ways.disjuncts.iter().cloned().collect();
        for atom in conj {
            let before = ctx.terms.substitute(*atom, &after);
            if ctx.terms.is_false(before) && system.is_control(&ctx.terms, *atom) {
                return Ok(Vec::new());
            }
            // An atom about a truth value may become any formula.
            let mut parts = self.formula(ctx, before).disjuncts;
            if parts.len() * ways.len() > MOST {
                parts = BTreeSet::from([Conj::from([before])]);
            }
            let all = |way: &Conj| parts.iter().map(|part| way.union(part).copied().collect()).collect::<Vec<Conj>>();
            ways = ways.iter().flat_map(all).collect();
        }
        let here = system.at(&mut ctx.terms, command.from);
        let mut found: Vec<Conj> = Vec::new();
        for mut way in ways {
            way.insert(here);
            found.extend(self.without_choices(ctx, command, way)?);
        }
        if self.disjuncts == Disjuncts::Satisfiable {
            let mut possible = Vec::new();
            for conj in found {
                let facts: Vec<Term> = conj.iter().copied().collect();
                if prover.is_possible(ctx, &facts)? {
                    possible.push(conj);
                }
            }
            return Ok(possible);
        }
        Ok(found)
    }

    /// The conjunction where only what speaks about choices is projected.
    fn without_choices(&self, ctx: &mut Context, command: &Command, conj: Conj) -> Outcome<Vec<Conj>> {
        let chosen: BTreeSet<Var> = command.inputs.iter().map(|(_, input)| *input).collect();
        let about = |atom: &Term| !ctx.terms.free_vars(&[*atom]).is_disjoint(&chosen);
        let (facts, rest): (Vec<Term>, Vec<Term>) = conj.into_iter().partition(about);
        let rest: Conj = rest.into_iter().collect();
        if facts.is_empty() {
            return Ok(vec![rest]);
        }
        let projected = self.project(ctx, facts)?;
        Ok(projected.disjuncts.iter().map(|way| rest.union(way).copied().collect()).collect())
    }

    /// `post_c(φ) ≡ (∃X. φ ∧ g(X) ∧ x1' = e1(X) ∧ … ∧ xm' = em(X))[X/X']`
    fn post(&mut self, ctx: &mut Context, prover: &mut Prover, id: CommandId, conj: &Conj) -> Outcome<Vec<Conj>> {
        let system = self.system;
        let command = system.command(id);
        let mut here = Substitution::default();
        here.insert(system.pc, system.place(&mut ctx.terms, command.from));
        let mut before = Substitution::default();
        for (var, _) in command.values.pairs() {
            let old = self.old(ctx, var);
            before.insert(var, ctx.terms.var(old));
        }
        let mut found = Vec::new();
        for way in &command.ways.disjuncts {
            let mut facts: Vec<Term> = Vec::new();
            for atom in conj.iter().chain(way) {
                let atom = ctx.terms.substitute(*atom, &here);
                facts.push(ctx.terms.substitute(atom, &before));
            }
            for (var, value) in command.values.pairs() {
                let (var, value) = (ctx.terms.var(var), ctx.terms.substitute(value, &before));
                facts.push(ctx.terms.eq(var, value));
            }
            facts.retain(|fact| !ctx.terms.is_true(*fact));
            if facts.iter().any(|fact| ctx.terms.is_false(*fact)) {
                continue;
            }
            let there = system.at(&mut ctx.terms, command.to);
            for conj in self.project(ctx, facts)?.disjuncts {
                // Eliminating quantifiers makes false of what is impossible.
                let facts: Vec<Term> = conj.iter().copied().collect();
                if prover.is_possible(ctx, &facts)? {
                    let mut conj = needed(ctx, prover, conj)?;
                    conj.insert(there);
                    found.push(conj);
                }
            }
        }
        Ok(found)
    }

    fn old(&mut self, ctx: &mut Context, var: Var) -> Var {
        *self.old.entry(var).or_insert_with(|| {
            let (name, sort) = (format!("{}°", ctx.terms.name(var)), ctx.terms.var_sort(var).clone());
            ctx.terms.declare(&name, sort)
        })
    }

    fn project(&self, ctx: &mut Context, facts: Vec<Term>) -> Outcome<Formula> {
        match project(&mut ctx.terms, &ctx.solvers, facts, &self.system.vars)? {
            Projected::Formula { formula, .. } => Ok(self.formula(ctx, formula)),
            Projected::Unknown(why) => Err(why.into()),
        }
    }

    fn formula(&self, ctx: &mut Context, term: Term) -> Formula {
        let equalities: Equalities = self.system.equalities;
        Formula::of(&mut ctx.terms, term, equalities)
    }
}

/// The conjunction without inequalities that the rest implies: the elimination of a value leaves what was
/// known of it, which says nothing where an equation tells the new one.
fn needed(ctx: &mut Context, prover: &mut Prover, conj: Conj) -> Outcome<Conj> {
    let mut left = conj.clone();
    for atom in conj {
        if matches!(ctx.terms.node(atom), Node::App(Fun::Eq, _)) || left.len() == 1 {
            continue;
        }
        left.remove(&atom);
        let single = Formula { disjuncts: BTreeSet::from([Conj::from([atom])]) };
        if !prover.implies(ctx, &left, &single)? {
            left.insert(atom);
        }
    }
    Ok(left)
}
