//! The proof where all paths end: no run of the program, as a transition system, takes more than
//! `k` steps, and none is bad. Interpolants of that unrolling (`McMillan`, *Interpolation and
//! SAT-Based Model Checking*, CAV 2003) say for each step what holds after it. What holds after
//! one of them is an invariant: a step leads from each to the next, and none leads from the last.
//!
//! A bad state is made to stay, so that one chain of formulas refutes bad states at all steps: the
//! variable `$bad` says that there was one.

use std::time::Duration;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::{Program, Proof, PropertyId, TransitionSystem, Unrolling, encode};
use tamis_solver::Answer;
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts, Portfolio, portfolio};
use tamis_term::{Sort, Substitution, Term, Terms, Var};
use tamis_witness::Reason;

/// How long a source of interpolants may take: this engine is for errors.
const PATIENCE: Duration = Duration::from_secs(2);

/// The most steps of the transition system.
const STEPS: usize = 100;

/// The proof about a program of which all paths end without an error.
///
/// # Errors
/// If none is found: the program has calls, or nobody finds interpolants.
pub(super) fn prove(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Proof> {
    let encoding = encode(&mut ctx.terms, program, property).map_err(|why| {
        Reason::Unsupported(format!("a proof where {why}; all paths end without an error (try --engine boolean)"))
    })?;
    let mut chain = Chain::new(&mut ctx.terms, &encoding.system);
    let length = length(ctx, &mut chain)?;
    let parts = Parts::chain(chain.formulas(&mut ctx.terms, length));
    let config = portfolio::Config { time: PATIENCE, literals_first: true, ..portfolio::Config::default() };
    let mut interpolator = Portfolio::new(config, ctx.solvers.clone());
    let unknown = |why: String| {
        Reason::Unsupported(format!("a proof, for want of interpolants ({why}); all paths end without an error"))
    };
    let found = match interpolator.interpolate(&mut ctx.terms, &parts)? {
        Interpolation::Interpolants(found) => found,
        Interpolation::Satisfiable => return Err(Stop::Failed("a path that ends has no end".into())),
        Interpolation::Unknown(why) => {
            ctx.budget.check()?;
            return Err(unknown(why.to_string()).into());
        }
    };
    let layers: Vec<Term> =
        found.iter().enumerate().map(|(at, formula)| chain.layer(&mut ctx.terms, *formula, at)).collect();
    let invariant = ctx.terms.or(&layers);
    Ok(encoding.proof(&mut ctx.terms, program, invariant))
}

/// How many steps there can be at most.
fn length(ctx: &mut Context, chain: &mut Chain) -> Outcome<usize> {
    let mut solver = ctx.solvers.fresh(&ctx.terms, &[])?;
    for length in 0..STEPS {
        ctx.budget.check()?;
        let arrived = chain.arrived(&mut ctx.terms, length);
        solver.assert(&ctx.terms, arrived)?;
        let goes_on = chain.goes_on(&mut ctx.terms, length);
        match solver.check(&ctx.terms, &[goes_on])? {
            Answer::Unsat(_) => return Ok(length),
            Answer::Sat(_) => {}
            Answer::Unknown(why) => return Err(why.into()),
        }
    }
    Err(Reason::Unsupported(format!("a proof about {STEPS} rounds of loops; all paths end without an error")).into())
}

/// The unrolled system with bad states that stay.
struct Chain {
    unrolling: Unrolling,
    init: Term,
    step: Term,
    bad: Term,
    /// By step: that there was a bad state before.
    was_bad: Vec<Var>,
}

impl Chain {
    fn new(terms: &mut Terms, system: &TransitionSystem) -> Chain {
        let (relation, _) = system.relation(terms);
        Chain {
            unrolling: Unrolling::new(system),
            init: system.initial(terms),
            step: terms.and(&[system.invariant, relation]),
            bad: terms.and(&[system.invariant, system.bad]),
            was_bad: Vec::new(),
        }
    }

    fn was_bad(&mut self, terms: &mut Terms, at: usize) -> Term {
        while self.was_bad.len() <= at {
            self.was_bad.push(terms.declare("$bad", Sort::Bool));
        }
        terms.var(self.was_bad[at])
    }

    /// How the state of that number is reached from the one before.
    fn arrived(&mut self, terms: &mut Terms, at: usize) -> Term {
        let now = self.was_bad(terms, at);
        let fine = terms.not(now);
        let Some(before) = at.checked_sub(1) else {
            let init = self.unrolling.at(terms, self.init, 0);
            return terms.and(&[init, fine]);
        };
        let was = self.was_bad(terms, before);
        let was_fine = terms.not(was);
        let step = self.unrolling.at(terms, self.step, before);
        let bad = self.unrolling.at(terms, self.bad, before);
        let cases = [terms.and(&[was, now]), terms.and(&[was_fine, bad, now]), terms.and(&[was_fine, step, fine])];
        terms.or(&cases)
    }

    /// That there is something after the state of that number, or a bad state up to there.
    fn goes_on(&mut self, terms: &mut Terms, at: usize) -> Term {
        let was = self.was_bad(terms, at);
        let step = self.unrolling.at(terms, self.step, at);
        let bad = self.unrolling.at(terms, self.bad, at);
        terms.or(&[was, bad, step])
    }

    fn formulas(&mut self, terms: &mut Terms, length: usize) -> Vec<Term> {
        let mut formulas: Vec<Term> = (0..=length).map(|at| self.arrived(terms, at)).collect();
        formulas.push(self.goes_on(terms, length));
        formulas
    }

    /// What an interpolant says about any state, if there was no bad one before.
    fn layer(&mut self, terms: &mut Terms, interpolant: Term, at: usize) -> Term {
        let fine = terms.bool(false);
        let map: Substitution = [(self.was_bad[at], fine)].into_iter().collect();
        let formula = terms.substitute(interpolant, &map);
        self.unrolling.back(terms, formula, at)
    }
}
