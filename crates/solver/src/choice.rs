//! Which backend answers: the table of backends, and what the user chose.

use crate::auto::Auto;
use crate::diagrams::{self, Diagrams, Order};
use crate::log::{Logged, QueryLog};
use crate::{Bits, Error, Limit, Pipe, Solver, StopSignal, bits, z3};
use tamis_term::{Sort, Term, Terms};

/// A backend that can be chosen by its name.
#[derive(Clone, Copy, Debug)]
pub struct Backend {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in half a line.
    pub about: &'static str,
    /// Whether it handles terms of a sort.
    pub handles: fn(&Sort) -> bool,
    make: fn(&Solvers) -> Box<dyn Solver>,
}

/// All backends that are part of Tamis.
pub static BACKENDS: &[Backend] = &[
    Backend {
        name: "bits",
        about: "a SAT solver on circuits; finite sorts, small arrays",
        handles: crate::auto::fits,
        make: |solvers| {
            let config = bits::Config { memory: solvers.memory, ..bits::Config::default() };
            Box::new(Bits::new(config, solvers.stop.clone()))
        },
    },
    Backend {
        name: "diagrams",
        about: "decision diagrams; finite sorts, small arrays, little arithmetic",
        handles: crate::auto::fits,
        make: |solvers| Box::new(Diagrams::new(diagrams::Config::default(), solvers.stop.clone(), Order::default())),
    },
    Backend {
        name: "z3",
        about: "Z3 in this process; all sorts",
        handles: |_| true,
        make: |solvers| Box::new(z3::Z3::new(z3::Config { memory: solvers.memory }, solvers.stop.clone())),
    },
];

/// Whom the user chose to answer.
#[derive(Clone, Debug, Default)]
pub enum Chosen {
    /// The bit-level backend where all sorts are finite and fit it, Z3 elsewhere.
    #[default]
    Auto,
    /// One of [`BACKENDS`].
    Named(&'static Backend),
    /// The command line of an SMT-LIB 2 solver, such as `cvc5 --incremental --lang smt2`: see
    /// [`Pipe`].
    Command(String),
}

/// Makes solvers: what the user chose, and what they may use.
#[derive(Clone, Debug)]
pub struct Solvers {
    /// When the solvers give up.
    pub stop: StopSignal,
    /// Which backend answers.
    pub chosen: Chosen,
    /// About how many bytes each solver may hold.
    pub memory: usize,
    /// How much each check may take.
    pub limit: Limit,
    /// Where all questions are written down, if they are.
    pub log: Option<QueryLog>,
}

impl Default for Solvers {
    /// The backend that suits, two gibibytes, and all the time in the world.
    fn default() -> Solvers {
        Solvers { stop: StopSignal::never(), chosen: Chosen::Auto, memory: 2 << 30, limit: Limit::default(), log: None }
    }
}

impl Solvers {
    /// Solvers that give up when `stop` is set.
    #[must_use]
    pub fn new(stop: StopSignal) -> Solvers {
        Solvers { stop, ..Solvers::default() }
    }

    /// A solver without facts for questions about the given formulas.
    ///
    /// # Errors
    /// If the backend that the user chose cannot be had, or does not handle the formulas' sorts.
    pub fn fresh(&self, terms: &Terms, about: &[Term]) -> Result<Box<dyn Solver>, Error> {
        let mut solver: Box<dyn Solver> = match &self.chosen {
            Chosen::Auto => Box::new(Auto::new(self.memory, self.stop.clone())),
            Chosen::Named(backend) => {
                backend.accept(terms, about)?;
                (backend.make)(self)
            }
            Chosen::Command(command) => Box::new(Pipe::new(command, self.stop.clone())),
        };
        solver.limit(self.limit);
        Ok(match &self.log {
            Some(log) => Box::new(Logged::new(solver, log.clone())),
            None => solver,
        })
    }
}

impl Chosen {
    /// The choice of that name: `auto`, or a backend of the table.
    #[must_use]
    pub fn named(name: &str) -> Option<Chosen> {
        match name {
            "auto" => Some(Chosen::Auto),
            name => BACKENDS.iter().find(|backend| backend.name == name).map(Chosen::Named),
        }
    }
}

impl Backend {
    fn accept(&self, terms: &Terms, about: &[Term]) -> Result<(), Error> {
        let sorts = tamis_term::walk::post_order(terms, about).into_iter().map(|term| terms.sort(term));
        match sorts.into_iter().find(|sort| !(self.handles)(sort)) {
            Some(sort) => Err(Error::Backend(format!("{} does not handle {sort}", self.name))),
            None => Ok(()),
        }
    }
}
