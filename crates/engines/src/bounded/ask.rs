//! Questions to the solver: whether a guard can hold, and with which inputs.

use super::reads::{Reads, are_only_read};
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::Program;
use tamis_solver::{Answer, Limit, Solver, Why};
use tamis_term::{Term, Terms, Value, Var};

/// One solver for all questions about a program.
pub(super) struct Asker {
    solver: Box<dyn Solver>,
    /// Formulas without large arrays, unless the program compares such.
    reads: Option<Reads>,
}

/// What is known about a guard.
pub(super) enum Found<T> {
    /// It can hold: what was made of a model.
    Possible(T),
    /// It cannot.
    Impossible,
    /// The solver does not know.
    Open(Why),
}

impl Asker {
    pub(super) fn new(ctx: &Context, program: &Program) -> Outcome<Asker> {
        let reads = are_only_read(&ctx.terms, program).then(Reads::default);
        Ok(Asker { solver: ctx.solvers.fresh(&ctx.terms, &[])?, reads })
    }

    /// Whether a guard can hold. Then `read` gets the values of inputs.
    pub(super) fn ask<T>(
        &mut self,
        terms: &mut Terms,
        guard: Term,
        limit: Limit,
        read: impl FnOnce(&Terms, &dyn Fn(Var) -> Value) -> T,
    ) -> Outcome<Found<T>> {
        let mut question = guard;
        if let Some(reads) = &mut self.reads {
            question = reads.lower(terms, guard);
            for fact in reads.facts() {
                self.solver.assert(terms, fact).map_err(Stop::from)?;
            }
        }
        if terms.is_false(question) {
            return Ok(Found::Impossible);
        }
        self.solver.limit(limit);
        Ok(match self.solver.check(terms, &[question])? {
            Answer::Sat(model) => {
                let words = |var| model.value(terms, var);
                let arrays = self.reads.as_ref().map(|reads| reads.arrays(terms, &words)).unwrap_or_default();
                Found::Possible(read(terms, &|var| arrays.get(&var).cloned().unwrap_or_else(|| words(var))))
            }
            Answer::Unsat(_) => Found::Impossible,
            Answer::Unknown(why) => Found::Open(why),
        })
    }
}
