//! Solvers: the one seam through which Tamis asks whether formulas can be true together.
//!
//! A backend is a module that implements [`Solver`]: [`bits`] turns terms of finite sorts into
//! clauses, [`diagrams`] into decision diagrams; [`z3`] asks Z3, [`pipe`] any other solver. Everything
//! else names only the trait, and lets [`choice`] choose.
//!
//! ```
//! use tamis_solver::{Answer, Bits, Solver};
//! use tamis_term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.declare("x", Sort::BitVec(8));
//! let (term, two, seven) = (terms.var(x), terms.bv(8, 2), terms.bv(8, 7));
//! let double = terms.bvmul(term, two);
//! let odd = terms.eq(double, seven);
//! let large = terms.bvult(seven, term);
//!
//! let mut solver = Bits::default();
//! solver.assert(&terms, large)?;
//! match solver.check(&terms, &[odd])? {
//!     Answer::Sat(model) => panic!("{:?}", model.value(&terms, x)),
//!     Answer::Unsat(core) => assert_eq!(core.assumptions(), [odd]),
//!     Answer::Unknown(why) => panic!("{why}"),
//! }
//! # Ok::<(), tamis_solver::Error>(())
//! ```
//!
//! **Invariants**
//! - [`Answer::Unknown`] is never [`Answer::Unsat`]: whatever stops a backend (time, memory,
//!   a sort that it does not know) has a [`Why`] of its own.
//! - Evidence borrows the solver, so a model or a core cannot outlive the question it answers.
//! - A solver serves one arena of terms: handles of another would be read as other formulas.
//!   Backends refuse what they can recognise ([`Error::ForeignTerms`]).

mod auto;
pub mod bits;
pub mod choice;
pub mod diagrams;
mod entrance;
pub mod interpolation;
mod limit;
mod log;
mod numbers;
pub mod optimum;
pub mod pipe;
pub mod sat;
mod scopes;
mod script;
mod tseitin;
mod valuation;
pub mod z3;

use std::fmt;
use tamis_term::{Sort, Term, Terms, Value, Var};

pub use bits::Bits;
pub use choice::{Chosen, Solvers};
pub use diagrams::Diagrams;
pub use limit::Limit;
pub use log::QueryLog;
pub use pipe::Pipe;
pub use tamis_term::StopSignal;
pub use z3::Z3;

/// Decides conjunctions of Boolean terms, incrementally.
///
/// A backend that fails where it cannot say so (in [`Solver::push`] or [`Solver::pop`])
/// says so in every later [`Solver::assert`] and [`Solver::check`].
pub trait Solver {
    /// Adds a fact to the innermost open scope. Backends may postpone all work, and
    /// therefore what stops them, to the next check.
    ///
    /// # Errors
    /// If the fact is no Boolean term of the solver's arena, or the solver was misused before.
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error>;

    /// Opens a scope; prefer [`scoped`].
    fn push(&mut self);

    /// Forgets the facts of the innermost scope and closes it.
    fn pop(&mut self);

    /// Whether some valuation makes all facts and all assumptions true. The assumptions hold
    /// for this check only.
    ///
    /// # Errors
    /// If an assumption is no Boolean term of the solver's arena, if scopes were closed that
    /// had not been opened, or if the backend failed.
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer<'_>, Error>;

    /// Limits how much each check to come may take. At first there is no limit but the stop
    /// signal and the memory.
    fn limit(&mut self, limit: Limit);
}

/// What a solver found, with its evidence.
pub enum Answer<'s> {
    /// Some valuation makes everything true: here is one.
    Sat(Box<dyn Model + 's>),
    /// No valuation does: here are assumptions that suffice for the contradiction.
    Unsat(Box<dyn Core + 's>),
    /// The solver does not know.
    Unknown(Why),
}

impl fmt::Debug for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat(_) => f.write_str("Sat"),
            Answer::Unsat(core) => f.debug_tuple("Unsat").field(&core.assumptions()).finish(),
            Answer::Unknown(why) => f.debug_tuple("Unknown").field(why).finish(),
        }
    }
}

/// A valuation that makes all facts and assumptions of a check true.
pub trait Model {
    /// The value of a variable. Total: a variable that the solver never met has
    /// [`Value::default_of`] its sort.
    fn value(&self, terms: &Terms, var: Var) -> Value;

    /// The value of a term under this valuation.
    fn eval(&self, terms: &Terms, term: Term) -> Value {
        terms.eval(term, |var| self.value(terms, var))
    }
}

/// Why a check found a contradiction.
pub trait Core {
    /// Assumptions that contradict the facts: a subset of those given, in their order, each
    /// term once. Not necessarily minimal; empty if the facts alone are contradictory.
    fn assumptions(&self) -> &[Term];
}

/// Why a solver does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The stop signal was set.
    Interrupted,
    /// The solver reached its memory limit.
    OutOfMemory,
    /// The formula uses what this backend does not handle: a phrase that names it.
    Unsupported(String),
    /// The backend gave up for a reason of its own, in its own words.
    GaveUp(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Interrupted => f.write_str("interrupted"),
            Why::OutOfMemory => f.write_str("the solver's memory limit is reached"),
            Why::Unsupported(what) => write!(f, "this solver does not handle {what}"),
            Why::GaveUp(reason) => write!(f, "the solver gave up: {reason}"),
        }
    }
}

/// A solver was misused or broke: nothing can be concluded, not even that it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A fact or an assumption of the given sort.
    NotBoolean(Sort),
    /// A term of another arena than the one that the solver has served so far.
    ForeignTerms,
    /// A scope was closed that had not been opened.
    Unbalanced,
    /// The backend broke: what it said.
    Backend(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotBoolean(sort) => write!(f, "only Boolean terms can be asserted or assumed, not one of {sort}"),
            Error::ForeignTerms => f.write_str("the term belongs to another arena: use one solver per arena"),
            Error::Unbalanced => f.write_str("a scope was closed that had not been opened"),
            Error::Backend(message) => write!(f, "the solver broke: {message}"),
        }
    }
}

impl std::error::Error for Error {}

/// Runs `body` in a scope of its own: facts that it asserts are forgotten when it returns.
pub fn scoped<S: Solver + ?Sized, R>(solver: &mut S, body: impl FnOnce(&mut S) -> R) -> R {
    solver.push();
    let result = body(solver);
    solver.pop();
    result
}
