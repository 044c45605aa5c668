//! Infeasible-prefix selection (Beyer, Löwe, Wendler, *Sliced Path Prefixes*, FORTE 2015, and
//! *Refinement Selection*, SPIN 2015).
//!
//! A spurious path mostly has several reasons to be so, and which of them becomes part of the
//! precision decides how many paths are excluded with it. The path is walked formula by formula.
//! Where conditions contradict what was before, there is a reason: the formulas so far and these
//! conditions. Then they are left out, and the walk goes on to the next. What is found are
//! contradictory beginnings of weakened paths; the one that seems to say most is interpolated.

use super::PathRefiner;
use super::kinds::Kind;
use rustc_hash::FxHashSet;
use tamis_cegar::{Context, Cut, Finding, Outcome, Path};
use tamis_ir::Trace;
use tamis_solver::Answer;
use tamis_solver::interpolation::{Interpolation, Parts};
use tamis_term::{Term, Terms};

/// How many beginnings are compared.
const MOST: usize = 12;

/// What a walk along a path finds.
#[derive(Clone, Debug)]
pub enum Sliced {
    /// The path can be followed to its end.
    Real(Trace),
    /// Contradictory beginnings, each with the formulas of its states; none if the solver does not know.
    Prefixes(Vec<Vec<Term>>),
}

/// What speaks against a beginning, the worst first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// Counters that take part in the contradiction.
    counters: usize,
    /// States of it at places where it was before: rounds of loops.
    again: usize,
    /// Other variables of many values.
    plain: usize,
    /// Variables of few values.
    few: usize,
    length: usize,
}

/// What can be left out of a path's formulas so that the path still goes on: when an arc is taken,
/// and what an abstract state says.
#[derive(Clone, Copy, Debug)]
struct Condition {
    /// The condition, in the copies there.
    formula: Term,
    /// The literal of an abstract state that it is, if it is one.
    literal: Option<Term>,
}

impl PathRefiner<'_> {
    /// The formulas of a path.
    pub fn formulas(&mut self, ctx: &mut Context, path: &Path) -> Vec<Term> {
        self.chain.formulas(&mut ctx.terms, path)
    }

    /// What a formula about a state of the last path says in the formulas of the path.
    pub fn copied(&self, terms: &mut Terms, formula: Term, at: usize) -> Term {
        self.chain.forth(terms, formula, at)
    }

    /// Interpolants for the best of the contradictory beginnings. Where there is none, or nobody
    /// has interpolants for it, all formulas are looked at.
    pub(super) fn examine_prefixes(
        &mut self,
        ctx: &mut Context,
        path: &Path,
        formulas: Vec<Term>,
    ) -> Outcome<Finding<Vec<Cut>>> {
        let found = match self.sliced(ctx, path)? {
            Sliced::Real(trace) => return Ok(Finding::Feasible(trace)),
            Sliced::Prefixes(found) => found,
        };
        if let Some(best) = self.best(ctx, path, found)? {
            if let Some(cuts) = self.tracked(ctx, path, &best, &(0..=path.states.len()))? {
                return Ok(Finding::Spurious(cuts));
            }
            let parts = Parts::chain(best);
            if let Interpolation::Interpolants(found) = self.interpolator.interpolate(&mut ctx.terms, &parts)? {
                let cuts = self.cuts(ctx, path, &parts, found)?;
                if !cuts.is_empty() {
                    return Ok(Finding::Spurious(cuts));
                }
            }
        }
        self.examine_at_once(ctx, path, formulas)
    }

    /// Walks along the path, and collects its contradictory beginnings.
    ///
    /// # Errors
    /// If a solver breaks.
    pub fn sliced(&mut self, ctx: &mut Context, path: &Path) -> Outcome<Sliced> {
        let steps = self.chain.steps(&mut ctx.terms, path).to_vec();
        let about: Vec<Term> = steps.iter().flat_map(|step| step.does.iter().copied()).collect();
        let mut solver = ctx.solvers.fresh(&ctx.terms, &about)?;
        let mut found: Vec<Vec<Term>> = Vec::new();
        let mut kept: Vec<Term> = Vec::new();
        // What abstract states say that was left out is not said again by later ones.
        let mut silent: FxHashSet<Term> = FxHashSet::default();
        for (at, step) in steps.iter().enumerate() {
            let does = ctx.terms.and(&step.does);
            solver.assert(&ctx.terms, does)?;
            let taken = step.conditions.iter().map(|formula| Condition { formula: *formula, literal: None });
            let mut conditions: Vec<Condition> = taken.collect();
            for literal in path.states.get(at).iter().flat_map(|state| &state.literals) {
                if !silent.contains(literal) {
                    let formula = self.chain.forth(&mut ctx.terms, *literal, at);
                    conditions.push(Condition { formula, literal: Some(*literal) });
                }
            }
            loop {
                let asked: Vec<Term> = conditions.iter().map(|condition| condition.formula).collect();
                let core = match solver.check(&ctx.terms, &asked)? {
                    Answer::Unknown(_) => return Ok(Sliced::Prefixes(found)),
                    Answer::Sat(model) if at + 1 == steps.len() && found.is_empty() => {
                        return self.trace(ctx, &*model).map(Sliced::Real);
                    }
                    Answer::Sat(_) => break,
                    Answer::Unsat(core) => core.assumptions().to_vec(),
                };
                let last = ctx.terms.and(&[core.as_slice(), &[does]].concat());
                found.push([kept.as_slice(), &[last]].concat());
                // Without conditions there is nothing to leave out.
                if core.is_empty() || found.len() >= MOST {
                    return Ok(Sliced::Prefixes(found));
                }
                let is_out = |condition: &Condition| core.contains(&condition.formula);
                let (out, rest): (Vec<Condition>, Vec<Condition>) = conditions.into_iter().partition(is_out);
                silent.extend(out.iter().filter_map(|condition| condition.literal));
                conditions = rest;
            }
            let rest: Vec<Term> = conditions.iter().map(|condition| condition.formula).collect();
            let rest = ctx.terms.and(&rest);
            solver.assert(&ctx.terms, rest)?;
            kept.push(ctx.terms.and(&[does, rest]));
        }
        Ok(Sliced::Prefixes(found))
    }

    /// The beginning that costs least, the first of several.
    fn best(&self, ctx: &mut Context, path: &Path, mut found: Vec<Vec<Term>>) -> Outcome<Option<Vec<Term>>> {
        if found.len() <= 1 {
            return Ok(found.pop());
        }
        let mut best: Option<(Cost, Vec<Term>)> = None;
        for prefix in found {
            let cost = self.cost(ctx, path, &prefix)?;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, prefix));
            }
        }
        Ok(best.map(|(_, prefix)| prefix))
    }

    /// What speaks against a beginning, as a core of its contradiction shows.
    fn cost(&self, ctx: &mut Context, path: &Path, prefix: &[Term]) -> Outcome<Cost> {
        let pieces: Vec<Vec<Term>> = prefix.iter().map(|formula| ctx.terms.conjuncts(&[*formula])).collect();
        let mut core = pieces.concat();
        let mut solver = ctx.solvers.fresh(&ctx.terms, &core)?;
        if let Answer::Unsat(found) = solver.check(&ctx.terms, &core)? {
            core = found.assumptions().to_vec();
        }
        let needed: FxHashSet<Term> = core.iter().copied().collect();
        let takes_part = |pieces: &Vec<Term>| pieces.iter().any(|piece| needed.contains(piece));
        let first = pieces.iter().position(takes_part).unwrap_or(0);
        let mut seen = FxHashSet::default();
        let states = path.states.iter().take(prefix.len()).skip(first);
        let again = states.filter(|state| !seen.insert(state.at)).count();
        let vars = self.chain.vars(&ctx.terms, &core);
        let count = |kind: Kind| vars.iter().filter(|var| self.kinds.of(**var) == kind).count();
        let (counters, plain, few) = (count(Kind::Counter), count(Kind::Plain), count(Kind::Few));
        Ok(Cost { counters, again, plain, few, length: prefix.len() })
    }
}
