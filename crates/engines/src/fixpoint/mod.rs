//! Fixpoints over formulas: predicate abstraction with refinement, and iteration with widening that an
//! oracle guides (Ball, Podelski, Rajamani, *Relative Completeness of Abstraction Refinement for Software
//! Model Checking*, TACAS 2002).
//!
//! - Method I iterates an abstract operator over the free distributive lattice of the predicates so far;
//!   the predicates are the atoms of the concrete iterates, forward (`post` from init) or backward (`pre`
//!   from unsafe).
//! - Method II iterates the concrete operator, and drops conjuncts as an oracle says.
//! - Method III iterates forward, over the complements of the atoms of the backward iterates.
//!
//! Whenever Method II proves a program with some oracle, Method I backward (Theorem 1) and Method III
//! (Theorem 2) do so without. That rests on `pre` being substitution and nothing else: disjuncts that
//! nothing satisfies stay, because their atoms are predicates.
//!
//! Files in order of reading: `system` (programs as guarded commands), `formula` (disjunctions of
//! conjunctions of atoms), `operators` (`pre` and `post`), `prover` (the order by provable implication),
//! `lattice` (the abstract operator and its least fixpoint), `abstraction` (Methods I and III), `oracle` and
//! `widening` (Method II), `schedules` (a search for an oracle), `evidence` (fixpoints as proofs, disjuncts
//! as runs), `rounds` (what is shown of a round), `knobs`.

mod abstraction;
mod evidence;
mod formula;
mod knobs;
mod lattice;
mod operators;
mod oracle;
mod prover;
mod rounds;
mod schedules;
mod system;
#[cfg(test)]
mod tests;
mod widening;

pub use knobs::OPTIONS;

use formula::Equalities;
use system::System;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::{Program, PropertyId};
use tamis_witness::{Reason, Verdict};

/// Which method runs, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The method.
    pub method: Method,
    /// Where Methods I and II begin.
    pub direction: Direction,
    /// Who guides Method II.
    pub oracle: Guide,
    /// What is made of equations.
    pub equalities: Equal,
    /// Which disjuncts of `pre` stay.
    pub disjuncts: Disjuncts,
    /// How many rounds there may be.
    pub rounds: Option<u64>,
}

/// The methods of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Predicate abstraction whose predicates are the atoms of concrete iterates (section 3).
    Abstraction,
    /// Iteration with widening (section 4).
    Widening,
    /// Forward abstraction with backward refinement by the dual of `pre` (section 5).
    Dual,
}

/// Which way iterates go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the initial states, by `post`.
    Forward,
    /// From the unsafe states, by `pre`.
    Backward,
}

/// Who says which conjuncts are dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guide {
    /// Nobody: none are.
    Nothing,
    /// Those that mention one of these variables, always.
    Drop(Vec<String>),
    /// Those that the new states do not satisfy.
    Stability,
    /// In each round those that mention one of these variables; the last list counts for all rounds to
    /// come.
    Script(Vec<Vec<String>>),
    /// Schedules like these are tried, shorter ones first.
    Search,
}

/// What is made of equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equal {
    /// They are atoms.
    Whole,
    /// They are two inequalities each (section 7: Method I is then more powerful).
    Split,
}

/// Which disjuncts of `pre` stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disjuncts {
    /// All, as the theorems demand.
    All,
    /// Only those that some state satisfies: the usual optimisation, which loses relative completeness.
    Satisfiable,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            method: Method::Abstraction,
            direction: Direction::Backward,
            oracle: Guide::Nothing,
            equalities: Equal::Whole,
            disjuncts: Disjuncts::All,
            rounds: None,
        }
    }
}

/// Answers the question by one of the methods.
///
/// # Errors
/// If the program has calls, or the method gives up.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    let outer = ctx.budget.rounds;
    ctx.budget.rounds = outer.into_iter().chain(config.rounds).min();
    let verdict = answer(ctx, program, property, config);
    ctx.budget.rounds = outer;
    verdict
}

fn answer(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    ctx.watched(|ctx| {
        let equalities = match config.equalities {
            Equal::Whole => Equalities::Whole,
            Equal::Split => Equalities::Split,
        };
        let unsupported = |why: String| Stop::GaveUp(Reason::Unsupported(why));
        let system = System::new(&mut ctx.terms, program, property, equalities).map_err(unsupported)?;
        match (config.method, &config.oracle) {
            (Method::Abstraction | Method::Dual, _) => abstraction::run(ctx, &system, config),
            (Method::Widening, Guide::Search) => schedules::run(ctx, &system, config),
            (Method::Widening, Guide::Nothing | Guide::Drop(_) | Guide::Stability | Guide::Script(_)) => {
                widening::run(ctx, &system, config)
            }
        }
    })
}
