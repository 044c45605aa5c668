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
//! (variables instead), `minimise` (as little as refutes the path); `kinds` (which variables it is good to speak about) and `prefixes` (which
//! beginning of the path to refute); `dual` (predicates of no path).

mod chain;
mod core;
mod dual;
mod kinds;
mod minimise;
mod prefixes;
mod strategy;

use chain::Chain;
use core::everywhere;
use dual::Dual;
use kinds::Kinds;
pub use minimise::Minimise;
pub use prefixes::Sliced;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::time::Instant;
pub use strategy::{STRATEGIES, Strategy, StrategyRow};
use tamis_cegar::{Context, Cut, Finding, Outcome, Path, Refiner, Stop};
use tamis_ir::{BlockGraph, Program, Trace};
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts};
use tamis_solver::{Answer, Model};
use tamis_term::Term;

/// What a refinement of the domain needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What separates the concrete states of an abstract one.
    Formulas,
    /// Which variables must be told apart.
    Variables,
    /// Both.
    Both,
}

/// How a path is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Where to look for a reason.
    pub strategy: Strategy,
    /// What is made of the reason.
    pub minimise: Minimise,
    /// What of it counts.
    pub wanted: Wanted,
}

impl Config {
    /// Interpolants as they are found, as in the paper.
    #[must_use]
    pub fn plain(strategy: Strategy) -> Config {
        Config { strategy, minimise: Minimise::Nothing, wanted: Wanted::Both }
    }
}

/// Examines paths of abstract states.
pub struct PathRefiner<'r> {
    program: &'r Program,
    config: Config,
    interpolator: Box<dyn Interpolator>,
    chain: Chain,
    kinds: Kinds,
    /// The last counterexamples.
    last: Vec<Path>,
    /// How often paths were examined.
    rounds: usize,
    dual: Dual,
}

/// After so many rounds, refinement along paths is taken to diverge.
const PATIENCE: usize = 8;

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
        config: Config,
        interpolator: Box<dyn Interpolator>,
    ) -> PathRefiner<'r> {
        PathRefiner {
            program,
            config,
            interpolator,
            chain: Chain::new(graph.clone()),
            kinds: Kinds::new(&ctx.terms, graph),
            last: Vec::new(),
            rounds: 0,
            dual: Dual::new(graph.clone()),
        }
    }

    /// The run along a path, if it is one.
    ///
    /// # Errors
    /// If that is not known.
    pub fn feasible(&mut self, ctx: &mut Context, path: &Path) -> Outcome<Option<Trace>> {
        let formulas = self.chain.formulas(&mut ctx.terms, path);
        match self.follow(ctx, &formulas)? {
            Prefix::Real(trace) => Ok(Some(trace)),
            Prefix::Fails(_) => Ok(None),
        }
    }

    fn examine_path(&mut self, ctx: &mut Context, path: &Path) -> Outcome<Finding<Vec<Cut>>> {
        self.interpolator.begin_round(path.states.len());
        let formulas = self.chain.formulas(&mut ctx.terms, path);
        // Where states are not split by a formula, one at one state does not exclude the path.
        let strategy = self.config.strategy;
        let again = strategy != Strategy::Core && self.last.contains(path);
        if again || matches!(strategy, Strategy::Sequence | Strategy::RelativelyComplete) {
            return self.examine_at_once(ctx, path, formulas);
        }
        if strategy == Strategy::Prefixes {
            return self.examine_prefixes(ctx, path, formulas);
        }
        let failure = match self.follow(ctx, &formulas)? {
            Prefix::Real(trace) => return Ok(Finding::Feasible(trace)),
            Prefix::Fails(at) => at,
        };
        match strategy {
            Strategy::Core => self.core(ctx, path, &formulas),
            Strategy::Craig | Strategy::Sequence | Strategy::Prefixes | Strategy::RelativelyComplete => {
                self.separate(ctx, path, &formulas[..failure + 2], 0, failure)
            }
            Strategy::Backward => {
                let hopeless = last_hopeless(ctx, &formulas)?;
                let rest = &formulas[hopeless..];
                let failure = failure_state(ctx, rest)?;
                self.separate(ctx, path, &rest[..failure + 2], hopeless, failure)
            }
        }
        .map(Finding::Spurious)
    }

    /// Interpolants at every state. Most counterexamples are spurious, so these are looked for first: only
    /// if there are none, the path is followed.
    fn examine_at_once(&mut self, ctx: &mut Context, path: &Path, formulas: Vec<Term>) -> Outcome<Finding<Vec<Cut>>> {
        if let Some(cuts) = self.tracked(ctx, path, &formulas, &(0..=path.states.len()))? {
            return Ok(Finding::Spurious(cuts));
        }
        let parts = Parts::chain(formulas);
        let why = match self.interpolator.interpolate(&mut ctx.terms, &parts)? {
            Interpolation::Interpolants(found) => {
                return self.cuts(ctx, path, &parts, found).map(Finding::Spurious);
            }
            Interpolation::Satisfiable => Stop::Failed("expected unsat, got sat".into()),
            Interpolation::Unknown(why) => why.into(),
        };
        match self.follow(ctx, &parts.formulas)? {
            Prefix::Real(trace) => Ok(Finding::Feasible(trace)),
            Prefix::Fails(_) => Err(why),
        }
    }

    /// Few variables that refute the path, if only variables are wanted and some do.
    fn tracked(
        &mut self,
        ctx: &mut Context,
        path: &Path,
        formulas: &[Term],
        between: &RangeInclusive<usize>,
    ) -> Outcome<Option<Vec<Cut>>> {
        let Config { minimise, wanted, .. } = self.config;
        if (minimise, wanted) != (Minimise::Refutations, Wanted::Variables) {
            return Ok(None);
        }
        let found = self.fewest(ctx, path, formulas, between)?.filter(|vars| !vars.is_empty());
        Ok(found.map(|vars| everywhere(ctx, path, &vars)))
    }

    /// What interpolants say about the first states of the path.
    fn cuts(&mut self, ctx: &mut Context, path: &Path, parts: &Parts, found: Vec<Term>) -> Outcome<Vec<Cut>> {
        let found = self.needed(ctx, parts, found)?;
        Ok((0..).zip(found).filter_map(|(at, formula)| self.cut(ctx, path, at, formula)).collect())
    }

    /// What of interpolants is needed.
    fn needed(&self, ctx: &mut Context, parts: &Parts, found: Vec<Term>) -> Outcome<Vec<Term>> {
        match self.config.minimise {
            Minimise::Nothing => Ok(found),
            Minimise::Refutations => minimise::weakened(ctx, parts, found),
        }
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
        let patient = matches!(self.config.strategy, Strategy::Craig);
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

    /// One interpolant between the formulas up to the failure state and the others, where the first
    /// formula is that of this state of the path.
    fn separate(
        &mut self,
        ctx: &mut Context,
        path: &Path,
        formulas: &[Term],
        first: usize,
        failure: usize,
    ) -> Outcome<Vec<Cut>> {
        let at = first + failure;
        let all = [&vec![ctx.terms.bool(true); first], formulas].concat();
        if let Some(cuts) = self.tracked(ctx, path, &all, &(at..=at))? {
            return Ok(cuts);
        }
        let (dead_end, bad) = formulas.split_at(failure + 1);
        let [dead_end, bad] = [dead_end, bad].map(|formulas| ctx.terms.and(formulas));
        let parts = Parts::pair(dead_end, bad);
        let found = match self.interpolator.interpolate(&mut ctx.terms, &parts)? {
            Interpolation::Interpolants(found) => self.needed(ctx, &parts, found)?,
            Interpolation::Satisfiable => return Err(Stop::Failed("expected unsat, got sat".into())),
            Interpolation::Unknown(why) => return Err(why.into()),
        };
        let formula = found.first().copied().ok_or_else(|| Stop::Failed("no interpolant for a pair".into()))?;
        Ok(self.cut(ctx, path, at, formula).into_iter().collect())
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
        self.rounds += 1;
        if self.config.strategy == Strategy::RelativelyComplete && self.rounds > PATIENCE {
            cuts.extend(self.dual.step(&mut ctx.terms));
        }
        ctx.statistics.refinement += start.elapsed();
        Ok(Finding::Spurious(cuts))
    }
}
