//! Refinement by interpolation on paths of abstract states (Hajdu, Tóth, Vörös, Majzik, FORTE
//! 2016, sections 4.3 and 4.4).
//!
//! A counterexample `ŝ1 … ŝn` is unrolled to the formulas
//!
//! ```text
//! A1   = Init(1) ∧ Inv(1) ∧ Label(ŝ1)(1)
//! Ai   = Tran(i-1, i) ∧ Inv(i) ∧ Label(ŝi)(i)      1 < i ≤ n
//! An+1 = Bad(n)
//! ```
//!
//! where `Init`, `Tran` and `Bad` are the arcs on the way, which mention only what they read and
//! write.
//!
//! If they can be true together, the counterexample is real. If not, interpolants say why, at the states
//! where formulas meet.
//!
//! Files in order of reading: `chain` (the formulas), `strategy` (where to interpolate), `core`
//! (variables instead); `kinds` (which variables it is good to speak about) and `prefixes` (which
//! beginning of the path to refute).

mod chain;
mod core;
mod kinds;
mod prefixes;
mod strategy;

use chain::Chain;
use kinds::Kinds;
pub use prefixes::Sliced;
use std::rc::Rc;
use std::time::Instant;
pub use strategy::{STRATEGIES, Strategy, StrategyRow};
use tamis_cegar::{Context, Cut, Finding, Outcome, Path, Refiner, Stop};
use tamis_ir::{BlockGraph, Program, Trace};
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts};
use tamis_solver::{Answer, Model};
use tamis_term::Term;

/// Examines paths of abstract states.
pub struct PathRefiner<'r> {
    program: &'r Program,
    strategy: Strategy,
    interpolator: Box<dyn Interpolator>,
    chain: Chain,
    kinds: Kinds,
    /// The last counterexamples.
    last: Vec<Path>,
}

/// How far a path can be followed.
enum Prefix {
    /// To the end.
    Real(Trace),
    /// Up to the failure state of this number, but no further.
    Fails(usize),
}

impl<'r> PathRefiner<'r> {
    /// A refiner for paths of a graph.
    #[must_use]
    pub fn new(
        ctx: &Context,
        program: &'r Program,
        graph: &Rc<BlockGraph>,
        strategy: Strategy,
        interpolator: Box<dyn Interpolator>,
    ) -> PathRefiner<'r> {
        PathRefiner {
            program,
            strategy,
            interpolator,
            chain: Chain::new(graph.clone()),
            kinds: Kinds::new(&ctx.terms, graph),
            last: Vec::new(),
        }
    }

    fn examine_path(&mut self, ctx: &mut Context, path: &Path) -> Outcome<Finding<Vec<Cut>>> {
        let formulas = self.chain.formulas(&mut ctx.terms, path);
        // Where states are not split by a formula, one at one state does not exclude the path.
        let again = self.strategy != Strategy::Core && self.last.contains(path);
        if again || self.strategy == Strategy::Sequence {
            return self.examine_at_once(ctx, path, formulas);
        }
        if self.strategy == Strategy::Prefixes {
            return self.examine_prefixes(ctx, path, formulas);
        }
        let failure = match self.follow(ctx, &formulas)? {
            Prefix::Real(trace) => return Ok(Finding::Feasible(trace)),
            Prefix::Fails(at) => at,
        };
        let (at, formula) = match self.strategy {
            Strategy::Core => return Ok(Finding::Spurious(self.core(ctx, path, &formulas)?)),
            Strategy::Craig | Strategy::Sequence | Strategy::Prefixes => {
                self.separate(ctx, &formulas[..failure + 2], failure)?
            }
            Strategy::Backward => {
                let hopeless = last_hopeless(ctx, &formulas)?;
                let rest = &formulas[hopeless..];
                let failure = failure_state(ctx, rest)?;
                let (at, formula) = self.separate(ctx, &rest[..failure + 2], failure)?;
                (hopeless + at, formula)
            }
        };
        Ok(Finding::Spurious(self.cut(ctx, path, at, formula).into_iter().collect()))
    }

    /// Interpolants at every state. Most counterexamples are spurious, so these are looked for first: only
    /// if there are none, the path is followed.
    fn examine_at_once(&mut self, ctx: &mut Context, path: &Path, formulas: Vec<Term>) -> Outcome<Finding<Vec<Cut>>> {
        let parts = Parts::chain(formulas);
        let why = match self.interpolator.interpolate(&mut ctx.terms, &parts)? {
            Interpolation::Interpolants(found) => {
                return Ok(Finding::Spurious(self.cuts(ctx, path, found)));
            }
            Interpolation::Satisfiable => Stop::Failed("expected unsat, got sat".into()),
            Interpolation::Unknown(why) => why.into(),
        };
        match self.follow(ctx, &parts.formulas)? {
            Prefix::Real(trace) => Ok(Finding::Feasible(trace)),
            Prefix::Fails(_) => Err(why),
        }
    }

    /// What interpolants say about the first states of the path.
    fn cuts(&mut self, ctx: &mut Context, path: &Path, found: Vec<Term>) -> Vec<Cut> {
        (0..).zip(found).filter_map(|(at, formula)| self.cut(ctx, path, at, formula)).collect()
    }

    /// What an interpolant says about a state of the path. One without variables separates nothing.
    fn cut(&mut self, ctx: &mut Context, path: &Path, at: usize, formula: Term) -> Option<Cut> {
        let state = path.states.get(at)?.clone();
        let formula = self.chain.back(&mut ctx.terms, formula, at);
        let vars = ctx.terms.free_vars(&[formula]);
        (!vars.is_empty()).then_some(Cut { state, formula, vars })
    }

    /// Concretisation (section 4.3): formula by formula, until there is a contradiction.
    fn follow(&mut self, ctx: &mut Context, formulas: &[Term]) -> Outcome<Prefix> {
        let mut solver = ctx.solvers.fresh(&ctx.terms, formulas)?;
        // The others need not know where it fails.
        let patient = matches!(self.strategy, Strategy::Craig);
        for (at, formula) in formulas.iter().enumerate() {
            solver.assert(&ctx.terms, *formula)?;
            let last = at + 1 == formulas.len();
            if !patient && !last {
                continue;
            }
            match solver.check(&ctx.terms, &[])? {
                Answer::Unsat(_) => return Ok(Prefix::Fails(at.saturating_sub(1))),
                Answer::Unknown(why) => return Err(why.into()),
                Answer::Sat(model) if last => return self.trace(ctx, &*model).map(Prefix::Real),
                Answer::Sat(_) => {}
            }
        }
        Err(Stop::Failed("a path without states".into()))
    }

    /// The run that a valuation of all formulas is.
    fn trace(&mut self, ctx: &mut Context, model: &dyn Model) -> Outcome<Trace> {
        let run = self.chain.run(&ctx.terms, model);
        let trace = self.chain.graph.trace(&ctx.terms, self.program, &run);
        trace.map_err(|why| Stop::refused("a run along arcs is no run of the program", &why))
    }

    /// One interpolant between the formulas up to `at` and the others.
    fn separate(&mut self, ctx: &mut Context, formulas: &[Term], at: usize) -> Outcome<(usize, Term)> {
        let (dead_end, bad) = formulas.split_at(at + 1);
        let [dead_end, bad] = [dead_end, bad].map(|formulas| ctx.terms.and(formulas));
        let found = self.interpolate(ctx, &Parts::pair(dead_end, bad))?;
        let formula = found.first().copied().ok_or_else(|| Stop::Failed("no interpolant for a pair".into()))?;
        Ok((at, formula))
    }

    fn interpolate(&mut self, ctx: &mut Context, parts: &Parts) -> Outcome<Vec<Term>> {
        match self.interpolator.interpolate(&mut ctx.terms, parts)? {
            Interpolation::Interpolants(found) => Ok(found),
            Interpolation::Satisfiable => Err(Stop::Failed("expected unsat, got sat".into())),
            Interpolation::Unknown(why) => Err(why.into()),
        }
    }
}

/// The last formula that those before it and the next one contradict.
fn failure_state(ctx: &mut Context, formulas: &[Term]) -> Outcome<usize> {
    let mut solver = ctx.solvers.fresh(&ctx.terms, formulas)?;
    for (at, formula) in formulas.iter().enumerate() {
        solver.assert(&ctx.terms, *formula)?;
        match solver.check(&ctx.terms, &[])? {
            Answer::Unsat(_) => return Ok(at.saturating_sub(1)),
            Answer::Sat(_) => {}
            Answer::Unknown(why) => return Err(why.into()),
        }
    }
    Err(Stop::Failed("expected unsat, got sat".into()))
}

/// The last formula that contradicts those after it.
fn last_hopeless(ctx: &mut Context, formulas: &[Term]) -> Outcome<usize> {
    let mut solver = ctx.solvers.fresh(&ctx.terms, formulas)?;
    for (at, formula) in formulas.iter().enumerate().rev() {
        solver.assert(&ctx.terms, *formula)?;
        match solver.check(&ctx.terms, &[])? {
            Answer::Unsat(_) => return Ok(at),
            Answer::Sat(_) => {}
            Answer::Unknown(why) => return Err(why.into()),
        }
    }
    Err(Stop::Failed("expected unsat, got sat".into()))
}

impl Refiner for PathRefiner<'_> {
    type Counterexample = Vec<Path>;
    type Refutation = Vec<Cut>;

    fn examine(&mut self, ctx: &mut Context, counterexamples: &Vec<Path>) -> Outcome<Finding<Vec<Cut>>> {
        let start = Instant::now();
        let mut cuts = Vec::new();
        for path in counterexamples {
            match self.examine_path(ctx, path)? {
                Finding::Feasible(trace) => return Ok(Finding::Feasible(trace)),
                Finding::Spurious(found) => cuts.extend(found),
            }
        }
        self.last.clone_from(counterexamples);
        ctx.statistics.refinement += start.elapsed();
        Ok(Finding::Spurious(cuts))
    }
}
