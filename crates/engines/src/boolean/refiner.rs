//! The refiner, SLAM's Newton (Ball, Rajamani, *Generating Abstract Explanations of Spurious
//! Counterexamples in C Programs*, MSR-TR-2002-09): is a counterexample real? If not, nested interpolants say why, and their atoms become
//! predicates of the cut points where they hold.

use super::outline;
use super::path::{Path, Step};
use super::precision::Reasons;
use super::skeleton::Skeleton;
use std::collections::BTreeSet;
use std::time::Instant;
use tamis_cegar::Pieces;
use tamis_cegar::{Context, Finding, Outcome, Progress, Refiner, Stop};
use tamis_solver::Answer;
use tamis_solver::interpolation::{Interpolation, Interpolator};
use tamis_term::{Fun, Node, Term, Terms, Var};

/// A formula with more atoms than this is cut into larger pieces.
const ATOMS: usize = 6;

pub(super) struct Nested<'s, 'p> {
    pub skeleton: &'s Skeleton<'p>,
    pub interpolator: Box<dyn Interpolator>,
}

impl Refiner for Nested<'_, '_> {
    type Counterexample = Vec<Step>;
    type Refutation = Reasons;

    /// Newton: counterexample analysis.
    fn examine(&mut self, ctx: &mut Context, counterexample: &Vec<Step>) -> Outcome<Finding<Reasons>> {
        let start = Instant::now();
        let length = Some(counterexample.len() as u64);
        ctx.observer.tell(&Progress { statistics: ctx.statistics, counterexample: length, ..Progress::default() });
        let path = Path::new(&mut ctx.terms, self.skeleton, counterexample);
        let parts = path.parts();
        let mut solver = ctx.solvers.fresh(&ctx.terms, &parts.formulas)?;
        for formula in &parts.formulas {
            solver.assert(&ctx.terms, *formula)?;
        }
        match solver.check(&ctx.terms, &[])? {
            Answer::Unsat(_) => {}
            Answer::Unknown(why) => return Err(why.into()),
            // What was left out decides.
            Answer::Sat(_) if counterexample.iter().any(|step| matches!(step, Step::Skip(_))) => {
                let reasons = outline::reasons(&mut ctx.terms, self.skeleton, counterexample);
                ctx.statistics.refinement += start.elapsed();
                return Ok(Finding::Spurious(reasons));
            }
            Answer::Sat(model) => {
                let trace = path.trace(&ctx.terms, self.skeleton, &*model);
                let trace = trace.map_err(|why| Stop::refused("a path of the program does not run", &why))?;
                return Ok(Finding::Feasible(trace));
            }
        }
        let interpolants = match self.interpolator.interpolate(&mut ctx.terms, &parts)? {
            Interpolation::Interpolants(found) => found,
            Interpolation::Satisfiable => return Err(Stop::Failed("expected unsat, got sat".into())),
            Interpolation::Unknown(why) => return Err(why.into()),
        };
        let inputs: BTreeSet<Var> = self.skeleton.old.values().copied().collect();
        let mut reasons = Reasons::new();
        for (node, interpolant) in interpolants.into_iter().enumerate() {
            let said = path.back(&mut ctx.terms, node, interpolant);
            let (proc, loc, formula) = said.ok_or_else(|| Stop::Failed("an interpolant leaves its frame".into()))?;
            for piece in predicates(&ctx.terms, formula) {
                let predicate = solved(&mut ctx.terms, piece);
                reasons.push((loc, predicate));
                // What is about inputs alone tells calls apart.
                if ctx.terms.free_vars(&[predicate]).iter().all(|var| inputs.contains(var)) {
                    reasons.push((self.skeleton.program.proc(proc).entry, predicate));
                }
            }
        }
        ctx.statistics.refinement += start.elapsed();
        Ok(Finding::Spurious(reasons))
    }
}

/// What of a formula becomes predicates: atoms, or larger pieces if these are many.
fn predicates(terms: &Terms, formula: Term) -> Vec<Term> {
    [Pieces::Atoms, Pieces::Conjuncts]
        .iter()
        .map(|pieces| pieces.of(terms, formula))
        .find(|found| found.len() <= ATOMS)
        .unwrap_or_else(|| Pieces::Whole.of(terms, formula))
}

/// An equation with a number, without numbers that are added on the other side: one predicate
/// instead of many that say the same.
pub(super) fn solved(terms: &mut Terms, mut predicate: Term) -> Term {
    loop {
        let Node::App(Fun::Eq, sides) = terms.node(predicate) else { return predicate };
        let (sum, number) = match (terms.value(sides[0]), terms.value(sides[1])) {
            (Some(_), None) => (sides[1], sides[0]),
            (None, Some(_)) => (sides[0], sides[1]),
            (Some(_), Some(_)) | (None, None) => return predicate,
        };
        let Node::App(fun, args) = terms.node(sum) else { return predicate };
        let [left, right] = args[..] else { return predicate };
        let (sums, differs) = (*fun == Fun::BvAdd, *fun == Fun::BvSub);
        let (rest, number) = match (terms.value(left), terms.value(right)) {
            (None, Some(_)) if sums => (left, terms.bvsub(number, right)),
            (Some(_), None) if sums => (right, terms.bvsub(number, left)),
            (None, Some(_)) if differs => (left, terms.bvadd(number, right)),
            (_, Some(_) | None) => return predicate,
        };
        predicate = terms.eq(rest, number);
    }
}
