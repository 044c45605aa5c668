//! As little as refutes a path: the fewest variables whose values do, and interpolants of the fewest
//! literals.
//!
//! What an abstract state does not tell, the concrete states before and behind it may disagree
//! about: a variable that is not visible has a copy before the state and another one behind it. To
//! make it visible is to link the two. The path is excluded by a set of variables if and only if
//! its formulas contradict these links, so a small core over the links is a small set of variables
//! to track (Clarke, Gupta, Strichman, 2004, separate dead-end from bad states at one state so;
//! here it is all states of the path at once). Interpolants suffice for this, too, but mention more
//! than they need.

use super::PathRefiner;
use super::kinds::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use tamis_cegar::{Context, Outcome, Path};
use tamis_solver::interpolation::Parts;
use tamis_solver::{Answer, Solver};
use tamis_term::{Substitution, Term, Terms, Var};

/// What is made of refutations that say more than they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Minimise {
    /// They stay as they are found, as in the paper.
    Nothing,
    /// Variables are the fewest that refute the path, and interpolants lose the literals that the
    /// next one does not need.
    Refutations,
}

/// How often something is tried to be left out.
const TRIES: usize = 96;

impl PathRefiner<'_> {
    /// Few variables that refute the last path, if they are visible at these states and what
    /// happens between two other states is known; none if the solver does not know.
    pub(super) fn fewest(
        &mut self,
        ctx: &mut Context,
        path: &Path,
        formulas: &[Term],
        between: &RangeInclusive<usize>,
    ) -> Outcome<Option<BTreeSet<Var>>> {
        let (apart, links) = self.apart(&mut ctx.terms, path, formulas, between);
        let all: Vec<Term> = apart.iter().chain(links.iter().map(|(_, link)| link)).copied().collect();
        let mut solver = ctx.solvers.fresh(&ctx.terms, &all)?;
        for formula in &apart {
            solver.assert(&ctx.terms, *formula)?;
        }
        // What is dear is tried first to be left out.
        let mut links = links;
        links.sort_by_key(|(var, _)| std::cmp::Reverse(self.price(&ctx.terms, *var)));
        let asked: Vec<Term> = links.iter().map(|(_, link)| *link).collect();
        let Some(core) = smaller(&ctx.terms, &mut *solver, &asked)? else { return Ok(None) };
        Ok(Some(links.into_iter().filter(|(_, link)| core.contains(link)).map(|(var, _)| var).collect()))
    }

    /// What it costs to tell the values of a variable: what there are many of, or always new ones,
    /// makes many states.
    fn price(&self, terms: &Terms, var: Var) -> (Kind, Option<u64>, Var) {
        let bits = terms.var_sort(var).bits();
        (self.kinds.of(var), bits.map_or(Some(u64::MAX), Some), var)
    }

    /// The formulas of the last path with copies of their own behind each of these states, and for
    /// each variable, that the copies before and behind are the same.
    fn apart(
        &mut self,
        terms: &mut Terms,
        path: &Path,
        formulas: &[Term],
        between: &RangeInclusive<usize>,
    ) -> (Vec<Term>, Vec<(Var, Term)>) {
        let mut names = Substitution::default();
        let mut links: BTreeMap<Var, Vec<Term>> = BTreeMap::new();
        let mut apart = Vec::new();
        for (at, formula) in formulas.iter().enumerate() {
            apart.push(terms.substitute(*formula, &names));
            let Some(state) = path.states.get(at).filter(|_| between.contains(&at)) else { continue };
            let mut here = Substitution::default();
            for (var, copy) in self.chain.copies(terms, at) {
                let before = names.get(copy).unwrap_or_else(|| terms.var(copy));
                let behind = self.chain.behind(terms, var, at);
                let behind = terms.var(behind);
                here.insert(var, behind);
                names.insert(copy, behind);
                links.entry(var).or_default().push(terms.eq(before, behind));
            }
            apart.push(terms.substitute(state.label, &here));
        }
        (apart, links.into_iter().map(|(var, links)| (var, terms.and(&links))).collect())
    }
}

/// The same interpolants without the conjuncts that the next one does not need, from the last
/// one back. What a solver does not know stays.
pub(super) fn weakened(ctx: &mut Context, parts: &Parts, mut found: Vec<Term>) -> Outcome<Vec<Term>> {
    let mut goal = ctx.terms.bool(false);
    for at in (0..found.len()).rev() {
        if ctx.terms.is_true(goal) {
            found[at] = goal;
            continue;
        }
        let pieces = ctx.terms.conjuncts(&[found[at]]);
        let facts = [parts.formulas[at + 1], ctx.terms.not(goal)];
        let mut solver = ctx.solvers.fresh(&ctx.terms, &[&facts[..], &pieces].concat())?;
        for fact in facts {
            solver.assert(&ctx.terms, fact)?;
        }
        if let Some(needed) = smaller(&ctx.terms, &mut *solver, &pieces)? {
            found[at] = ctx.terms.and(&needed);
        }
        goal = found[at];
    }
    Ok(found)
}

/// Assumptions that contradict what the solver knows, few of which can be left out: those at the
/// front go first. None if there is no contradiction, or the solver does not know.
pub(super) fn smaller(terms: &Terms, solver: &mut dyn Solver, asked: &[Term]) -> Outcome<Option<Vec<Term>>> {
    let mut ask = |asked: &[Term]| match solver.check(terms, asked) {
        Ok(Answer::Unsat(core)) => Ok(Some(core.assumptions().to_vec())),
        Ok(Answer::Sat(_) | Answer::Unknown(_)) => Ok(None),
        Err(error) => Err(error),
    };
    let Some(mut core) = ask(asked)? else { return Ok(None) };
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
    Ok(Some(core))
}
