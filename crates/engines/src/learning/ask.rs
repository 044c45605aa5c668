//! Questions about sequences of constraints, and `interpolate(c̃, v)`: which of them are needed for a
//! contradiction.
//!
//! Constraints are assumptions of one solver, which keeps what it knows of them while the path grows
//! and shrinks (`push_system`, `pop_system`): what is deleted is just not assumed, and answers name
//! what they need.

use super::Interpolants;
use super::state::{Positions, Sequence};
use rustc_hash::FxHashMap;
use tamis_cegar::{Context, Outcome};
use tamis_solver::{Answer, Model, Solver, Why};
use tamis_term::{Term, Terms};

/// Cores of no more constraints than this are made smaller one by one, whatever the option says.
const SMALL: usize = 8;

/// After so many questions the solver is made anew: what it learned about paths that were left is in
/// its way.
const QUESTIONS: usize = 2000;

pub(super) struct Asker {
    solver: Option<Box<dyn Solver>>,
    asked: usize,
    how: Interpolants,
}

/// What came of a question.
pub(super) enum Found<T> {
    /// All can be true together.
    Possible(T),
    /// They contradict each other; these suffice.
    Contradiction(Vec<Term>),
    /// Nobody knows.
    Open(Why),
}

impl Asker {
    pub(super) fn new(how: Interpolants) -> Asker {
        Asker { solver: None, asked: 0, how }
    }

    /// Whether formulas can be true together.
    pub(super) fn ask<T>(
        &mut self,
        ctx: &mut Context,
        formulas: &[Term],
        read: impl FnOnce(&Terms, &dyn Model) -> T,
    ) -> Outcome<Found<T>> {
        ctx.budget.check()?;
        self.asked += 1;
        if self.asked.is_multiple_of(QUESTIONS) {
            self.solver = None;
        }
        let solver = match &mut self.solver {
            Some(solver) => solver,
            none => none.insert(ctx.solvers.fresh(&ctx.terms, formulas)?),
        };
        let why = match solver.check(&ctx.terms, formulas)? {
            Answer::Sat(model) => return Ok(Found::Possible(read(&ctx.terms, &*model))),
            Answer::Unsat(core) => return Ok(Found::Contradiction(core.assumptions().to_vec())),
            Answer::Unknown(why) => why,
        };
        // What is not known because time is over must not count as a state to explore.
        ctx.budget.check()?;
        Ok(Found::Open(why))
    }

    /// Whether the kept constraints `among` the sequence contradict a goal, and which of them are needed
    /// for that; a question that nobody answers is no contradiction.
    pub(super) fn refute(
        &mut self,
        ctx: &mut Context,
        sequence: &Sequence,
        goal: &[Term],
        among: impl Fn(usize) -> bool,
    ) -> Outcome<Option<Positions>> {
        let related = sequence.related(&ctx.terms, goal, among);
        self.interpolate(ctx, sequence, related, goal)
    }

    /// The seed's `interpolate`: a smallest set of positions that contradicts the goal, if there is one.
    pub(super) fn interpolate(
        &mut self,
        ctx: &mut Context,
        sequence: &Sequence,
        positions: Vec<usize>,
        goal: &[Term],
    ) -> Outcome<Option<Positions>> {
        let Some(core) = self.core(ctx, sequence, &positions, goal)? else { return Ok(None) };
        match self.how {
            // All but those that were deleted, the first ones first.
            Interpolants::Greedy => self.shrink(ctx, sequence, positions.into_iter().collect(), goal).map(Some),
            Interpolants::Cores | Interpolants::Weakest if core.len() <= SMALL => {
                self.shrink(ctx, sequence, core, goal).map(Some)
            }
            Interpolants::Cores | Interpolants::Weakest => Ok(Some(core)),
        }
    }

    /// Positions that contradict the goal, as the solver names them.
    pub(super) fn core(
        &mut self,
        ctx: &mut Context,
        sequence: &Sequence,
        positions: &[usize],
        goal: &[Term],
    ) -> Outcome<Option<Positions>> {
        let mut first: FxHashMap<Term, usize> = FxHashMap::default();
        for position in positions.iter().rev() {
            first.insert(sequence.at(*position).term, *position);
        }
        let mut question: Vec<Term> = positions.iter().map(|position| sequence.at(*position).term).collect();
        question.extend(goal);
        Ok(match self.ask(ctx, &question, |_, _| ())? {
            Found::Contradiction(core) => Some(core.iter().filter_map(|term| first.get(term).copied()).collect()),
            Found::Possible(()) | Found::Open(_) => None,
        })
    }

    /// Deletes constraints, the first one first, as long as the others contradict the goal.
    pub(super) fn shrink(
        &mut self,
        ctx: &mut Context,
        sequence: &Sequence,
        positions: Positions,
        goal: &[Term],
    ) -> Outcome<Positions> {
        let mut needed = positions.clone();
        for position in positions {
            if !needed.remove(&position) {
                continue;
            }
            let mut question = sequence.max(&needed);
            question.extend(goal);
            match self.ask(ctx, &question, |_, _| ())? {
                // The seed deletes one by one.
                Found::Contradiction(_) if self.how == Interpolants::Greedy => {}
                Found::Contradiction(core) => needed.retain(|kept| core.contains(&sequence.at(*kept).term)),
                Found::Possible(()) | Found::Open(_) => _ = needed.insert(position),
            }
        }
        Ok(needed)
    }

    /// Whether formulas imply another one, as far as somebody knows.
    pub(super) fn implies(&mut self, ctx: &mut Context, formulas: &[Term], goal: Term) -> Outcome<bool> {
        let mut question = formulas.to_vec();
        question.push(ctx.terms.not(goal));
        Ok(matches!(self.ask(ctx, &question, |_, _| ())?, Found::Contradiction(_)))
    }
}
