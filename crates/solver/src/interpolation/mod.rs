//! Interpolation: why formulas contradict each other, said at the places where they meet.
//!
//! A source is a file that implements [`Interpolator`] and a row of [`SOURCES`]. Sources may be
//! wrong or give up: what counts is what [`valid()`] accepts.
//!
//! Files in order of reading: `parts` (the formulas and where they meet), [`valid()`] (what an
//! interpolant must satisfy); the sources [`literals`] (by what the formulas suggest), [`newton`] (by
//! projection), [`proof`] (from SAT
//! proofs) and [`diagrams`] (on decision diagrams); `shape` (bits as formulas that people can
//! read); [`portfolio`] (one after another).
//!
//! ```
//! use tamis_solver::interpolation::{Interpolation, Parts, SOURCES, Validity, valid};
//! use tamis_solver::Solvers;
//! use tamis_term::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let [x, y, z] = ["x", "y", "z"].map(|name| terms.declare(name, Sort::Bool)).map(|var| terms.var(var));
//! let (forth, not_z) = (terms.implies(y, z), terms.not(z));
//! let parts = Parts::chain(vec![terms.and(&[x, y]), forth, not_z]);
//! let solvers = Solvers::default();
//! for source in SOURCES {
//!     match (source.make)(&solvers).interpolate(&mut terms, &parts)? {
//!         Interpolation::Interpolants(found) => {
//!             assert_eq!(found, [y, z]);
//!             let mut solver = solvers.fresh(&terms, &parts.formulas)?;
//!             assert_eq!(valid(&mut terms, &parts, &found, solver.as_mut())?, Validity::Valid);
//!         }
//!         Interpolation::Satisfiable => unreachable!("they contradict each other"),
//!         Interpolation::Unknown(_) => {}
//!     }
//! }
//! # Ok::<(), tamis_solver::Error>(())
//! ```

pub mod diagrams;
pub mod external;
pub mod horn;
pub mod literals;
pub mod newton;
mod parts;
pub mod portfolio;
pub mod proof;
pub mod qe;
mod shape;
mod valid;

use crate::{Error, Solvers, Why};
use diagrams::Choice;
use tamis_term::{Sort, Term, Terms};

pub use parts::Parts;
pub use portfolio::Portfolio;
pub use valid::{Validity, valid};

/// What a source found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// One formula per node except the root, whose is false.
    Interpolants(Vec<Term>),
    /// The formulas do not contradict each other.
    Satisfiable,
    /// The source does not know.
    Unknown(Why),
}

/// A source of interpolants.
pub trait Interpolator {
    /// Its name in the table of sources.
    fn name(&self) -> &'static str;

    /// Interpolants for formulas that contradict each other.
    ///
    /// # Errors
    /// If the formulas are no formulas of one arena, or the source broke.
    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error>;

    /// Learns how long the counterexample is that the next questions are about. What asks one source
    /// alone has nothing to learn from that.
    fn begin_round(&mut self, _length: usize) {}
}

/// A row of the table of sources. `--help` and the documents are made from it.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its name on the command line.
    pub name: &'static str,
    /// How it finds interpolants, as a phrase.
    pub about: &'static str,
    /// Where that was published.
    pub paper: &'static str,
    /// Which sorts it handles.
    pub sorts: Sorts,
    /// Makes it: with the solvers that the user chose, until they are told to stop.
    pub make: fn(&Solvers) -> Box<dyn Interpolator>,
}

/// Which sorts a source handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sorts {
    /// Booleans, bit-vectors, and arrays of these that are small enough to be spelled out.
    Finite,
    /// Those that the solver handles.
    Any,
}

impl Sorts {
    /// Whether variables of this sort may occur.
    #[must_use]
    pub fn include(self, sort: &Sort) -> bool {
        match self {
            Sorts::Finite => sort.is_finite(),
            Sorts::Any => true,
        }
    }
}

/// All sources.
pub const SOURCES: &[Source] = &[
    Source {
        name: "literals",
        about: "conjunctions of conditions and values that the formulas mention",
        paper: "Beyer, Löwe, Explicit-State Software Model Checking Based on CEGAR and Interpolation, FASE 2013",
        sorts: Sorts::Any,
        make: |solvers| Box::new(literals::Literals::new(solvers.clone())),
    },
    Source {
        name: "newton",
        about: "weakest preconditions of an unsatisfiable core, projected on shared variables",
        paper: "Ball, Rajamani, MSR-TR-2002-09; Dietsch et al., Craig vs. Newton, FSE 2017",
        sorts: Sorts::Any,
        make: |solvers| Box::new(newton::Newton::new(newton::Direction::Weakest, solvers.clone())),
    },
    Source {
        name: "newton-forward",
        about: "strongest postconditions of an unsatisfiable core, projected on shared variables",
        paper: "Dietsch, Heizmann, Musa, Nutz, Podelski, Craig vs. Newton, FSE 2017",
        sorts: Sorts::Any,
        make: |solvers| Box::new(newton::Newton::new(newton::Direction::Strongest, solvers.clone())),
    },
    Source {
        name: "horn",
        about: "solutions of Horn clauses, by Z3's engine Spacer",
        paper: "Komuravelli, Gurfinkel, Chaki, SMT-Based Model Checking for Recursive Programs, CAV 2014",
        sorts: Sorts::Any,
        make: |solvers| Box::new(horn::Horn::new(solvers.clone())),
    },
    Source {
        name: "external",
        about: "the commands of an interpolating solver, if one is chosen: SMTInterpol, OpenSMT, MathSAT, cvc5, old Z3",
        paper: "Christ, Hoenicke, Nutz, SMTInterpol, SPIN 2012; McMillan, Interpolants from Z3 Proofs, FMCAD 2011",
        sorts: Sorts::Any,
        make: |solvers| Box::new(external::External::new(solvers.clone())),
    },
    Source {
        name: "proof",
        about: "from a SAT proof over the bits, as strong as it allows",
        paper: "McMillan, Interpolation and SAT-Based Model Checking, CAV 2003",
        sorts: Sorts::Finite,
        make: |solvers| Box::new(proof::Proof::new(proof::System::McMillan, solvers.stop.clone())),
    },
    Source {
        name: "proof-symmetric",
        about: "from a SAT proof over the bits, both sides treated alike",
        paper: "Pudlák, Lower Bounds for Resolution and Cutting Plane Proofs, JSL 1997",
        sorts: Sorts::Finite,
        make: |solvers| Box::new(proof::Proof::new(proof::System::Pudlak, solvers.stop.clone())),
    },
    Source {
        name: "diagrams",
        about: "decision diagrams: weakest, without the bits that the strongest leaves open",
        paper: "Kiefer, Abstraction Refinement for Pushdown Systems, 2005, section 6.3",
        sorts: Sorts::Finite,
        make: |solvers| diagrams(Choice::Conciliated, solvers),
    },
    Source {
        name: "diagrams-weakest",
        about: "decision diagrams: all that excludes the rest",
        paper: "Kiefer, Abstraction Refinement for Pushdown Systems, 2005, section 5.2.2",
        sorts: Sorts::Finite,
        make: |solvers| diagrams(Choice::Weakest, solvers),
    },
    Source {
        name: "diagrams-strongest",
        about: "decision diagrams: what is possible so far",
        paper: "Kiefer, Abstraction Refinement for Pushdown Systems, 2005, section 5.2.1",
        sorts: Sorts::Finite,
        make: |solvers| diagrams(Choice::Strongest, solvers),
    },
];

fn diagrams(choice: Choice, solvers: &Solvers) -> Box<dyn Interpolator> {
    let config = tamis_bdd::Config { nodes: 1 << 22, cache: 1 << 18 };
    Box::new(diagrams::Diagrams::new(choice, config, solvers.stop.clone()))
}

/// The source of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|source| source.name == name)
}
