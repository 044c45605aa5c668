//! Engines: each a module that answers questions about programs, and a row of [`ENGINES`].

use tamis_cegar::{Context, Outcome};
use tamis_ir::{Program, PropertyId};
use tamis_witness::Verdict;

pub mod driver;
pub mod explicit;

/// A row of the table of engines. `--help`, the documents and the benchmark tables are made
/// from it.
#[derive(Debug)]
pub struct Engine {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, as a phrase.
    pub about: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// When to use it, as a phrase.
    pub when: &'static str,
    /// Answers the question.
    pub run: Run,
}

/// How an engine is called.
pub type Run = fn(&mut Context, &Program, PropertyId) -> Outcome<Verdict>;

/// All engines.
pub const ENGINES: &[Engine] = &[Engine {
    name: "explicit",
    about: "explicit pushdown saturation: procedure summaries over single states, exact on recursion",
    paper: "Reps, Horwitz, Sagiv (POPL 1995); shortest traces by Knuth's generalisation of Dijkstra (1977)",
    when: "small finite-state programs, and wherever an exact answer is needed to compare with",
    run: explicit::run,
}];

/// The engine of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.name == name)
}
