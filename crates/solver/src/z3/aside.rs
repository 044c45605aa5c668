//! Questions with products of unknown numbers, or quotients by them, are asked aside: a process of
//! Z3's own answers.
//!
//! On polynomials Z3 multiplies out terms and computes roots of ever longer numbers for hours, and
//! looks at no signal meanwhile. No set of its parameters keeps it from all of that; but a process
//! can be ended.

use crate::pipe::{Command, Pipe};
use crate::valuation::Outcome;
use crate::{Error, Limit, Solver, StopSignal, Why};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;
use tamis_term::{Term, Terms};

/// The program that belongs to Z3's library: where it was when this was built, or in the places
/// where the library is looked for, seen from the binary.
#[must_use]
pub fn program() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(find).as_deref()
}

fn find() -> Option<PathBuf> {
    let built = option_env!("TAMIS_Z3_PROGRAM").map(PathBuf::from);
    let binary = std::env::current_exe().ok();
    let folder = binary.as_deref().and_then(Path::parent);
    let places = ["z3", "../z3/bin/z3", "../../z3/bin/z3", "../../../z3/bin/z3"];
    let beside = folder.into_iter().flat_map(|folder| places.map(|place| folder.join(place)));
    built.into_iter().chain(beside).find(|path| path.is_file())
}

/// Z3's parameters for many questions: without these two parts of it, it gives up soon where it would
/// give up late.
const QUICK: &[&str] = &["smt.arith.nl.nra=false", "smt.arith.nl.optimize_bounds=false"];

/// How many of its steps Z3 takes before it gives up, about a second's worth: what it has not decided
/// by then, it mostly never does.
const STEPS: u64 = 10_000_000;

/// How long it may take, because it does not always count its steps.
const PATIENCE: Duration = Duration::from_mins(1);

/// The process for many questions, and what one more is started with for what it does not know.
pub(super) struct Aside {
    pipe: Pipe,
    thorough: Command,
    stop: StopSignal,
    /// How many steps the caller allows.
    allowed: u64,
}

impl Aside {
    /// A solver without facts. Each process may hold about half of so many bytes, because one waits
    /// while the other works.
    pub(super) fn new(memory: usize, stop: StopSignal) -> Result<Aside, Why> {
        let program = program().and_then(Path::to_str).ok_or_else(|| {
            Why::Unsupported("products of unknown numbers: the program z3 is not beside its library".to_owned())
        })?;
        let [quick, thorough] = [QUICK, &[]].map(|parameters| Command::z3(program, parameters, memory / 2));
        Ok(Aside { pipe: Pipe::run(quick, stop.clone()), thorough, stop, allowed: u64::MAX })
    }

    /// Limits the steps. The time is in the signal.
    pub(super) fn allow(&mut self, steps: Option<u64>) {
        self.allowed = steps.unwrap_or(u64::MAX);
        self.pipe.limit(self.limit());
    }

    fn limit(&self) -> Limit {
        Limit { time: Some(PATIENCE), steps: Some(self.allowed.min(STEPS)) }
    }

    pub(super) fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.pipe.assert(terms, fact)
    }

    pub(super) fn push(&mut self) {
        self.pipe.push();
    }

    pub(super) fn pop(&mut self) {
        self.pipe.pop();
    }

    /// Decides whether the facts, which are repeated here, can be true together with the assumptions.
    pub(super) fn decide(&mut self, terms: &Terms, facts: &[Term], assumptions: &[Term]) -> Result<Outcome, Why> {
        match found(self.pipe.outcome(terms, assumptions)) {
            Err(Why::GaveUp(_)) if self.allowed > STEPS => self.ask_at_once(terms, facts, assumptions),
            decided => decided,
        }
    }

    /// Asks for everything at once: Z3 then looks at the formulas before it chooses how to decide
    /// them, and knows more about some.
    fn ask_at_once(&self, terms: &Terms, facts: &[Term], assumptions: &[Term]) -> Result<Outcome, Why> {
        let mut pipe = Pipe::run(self.thorough.clone(), self.stop.clone());
        pipe.limit(self.limit());
        let mut all = facts.iter().chain(assumptions);
        let asserted = all.try_for_each(|formula| pipe.assert(terms, *formula));
        match found(asserted.and_then(|()| pipe.outcome(terms, &[])))? {
            Outcome::Core(_) => Ok(Outcome::Core(assumptions.to_vec())),
            model @ Outcome::Model(_) => Ok(model),
        }
    }
}

/// What a process found. That it broke is a reason to give up, and no error: some questions are too
/// much for it.
fn found(outcome: Result<Result<Outcome, Why>, Error>) -> Result<Outcome, Why> {
    let outcome = outcome.unwrap_or_else(|error| Err(Why::GaveUp(error.to_string())));
    outcome.map_err(|why| match why {
        Why::GaveUp(what) if what.contains("out of memory") => Why::OutOfMemory,
        Why::GaveUp(what) if what.contains("canceled") => Why::GaveUp("the limit on Z3's steps is reached".to_owned()),
        why @ (Why::Interrupted | Why::OutOfMemory | Why::Unsupported(_) | Why::GaveUp(_)) => why,
    })
}
