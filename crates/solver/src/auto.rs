//! The solver that chooses for itself: the bit-level backend as long as everything that it is
//! asked has a finite sort that fits, and Z3 from then on.

use crate::bits::{self, Bits};
use crate::scopes::{Scopes, Told};
use crate::{Answer, Error, Limit, Solver, StopSignal, z3};
use rustc_hash::FxHashSet;
use tamis_term::{Sort, Term, Terms};

/// Bits, or Z3.
pub(crate) struct Auto {
    solver: Box<dyn Solver>,
    stop: StopSignal,
    memory: usize,
    limit: Limit,
    /// What is needed to begin again with Z3, and what was seen to fit; nothing after that.
    history: Option<History>,
}

#[derive(Default)]
struct History {
    facts: Scopes,
    fits: FxHashSet<Term>,
}

impl Auto {
    pub(crate) fn new(memory: usize, stop: StopSignal) -> Auto {
        let config = bits::Config { memory, ..bits::Config::default() };
        let solver = Box::new(Bits::new(config, stop.clone()));
        Auto { solver, stop, memory, limit: Limit::default(), history: Some(History::default()) }
    }

    /// Turns to Z3 if one of the terms needs that.
    fn suit(&mut self, terms: &Terms, asked: &[Term]) -> Result<(), Error> {
        let Some(history) = &mut self.history else { return Ok(()) };
        // What is no term of the arena is for the solver to refuse.
        let asked = asked.iter().copied().filter(|term| term.index() < terms.len());
        if history.all_fit(terms, asked.collect()) {
            return Ok(());
        }
        let mut solver = z3::Z3::new(z3::Config { memory: self.memory }, self.stop.clone());
        solver.limit(self.limit);
        history.facts.retell(|told| match told {
            Told::Push => {
                solver.push();
                Ok(())
            }
            Told::Fact(fact) => solver.assert(terms, fact),
        })?;
        self.solver = Box::new(solver);
        self.history = None;
        Ok(())
    }
}

impl History {
    /// Whether the terms and all that they are made of fit the bit-level backend.
    fn all_fit(&mut self, terms: &Terms, mut open: Vec<Term>) -> bool {
        while let Some(term) = open.pop() {
            if self.fits.insert(term) {
                if !fits(terms.sort(term)) {
                    return false;
                }
                open.extend(terms.node(term).args());
            }
        }
        true
    }
}

/// Whether the bit-level backend has room for the values of a sort.
pub(crate) fn fits(sort: &Sort) -> bool {
    match sort {
        Sort::Bool | Sort::BitVec(_) => true,
        Sort::Int | Sort::Real => false,
        Sort::Array(_) => sort.bits().is_some_and(|bits| bits <= bits::Config::default().array_bits),
    }
}

impl Solver for Auto {
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.suit(terms, &[fact])?;
        self.solver.assert(terms, fact)?;
        if let Some(history) = &mut self.history {
            history.facts.keep(fact);
        }
        Ok(())
    }

    fn push(&mut self) {
        self.solver.push();
        if let Some(history) = &mut self.history {
            history.facts.push();
        }
    }

    fn pop(&mut self) {
        self.solver.pop();
        if let Some(history) = &mut self.history
            && history.facts.pop().is_none()
        {
            // The solver was misused and will say so: it must not be replaced.
            self.history = None;
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer<'_>, Error> {
        self.suit(terms, assumptions)?;
        self.solver.check(terms, assumptions)
    }

    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
        self.solver.limit(limit);
    }
}
