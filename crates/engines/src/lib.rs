//! Engines: each a module that answers questions about programs, and a row of [`ENGINES`].

use tamis_cegar::{Context, Outcome};
use tamis_ir::{Program, PropertyId};
use tamis_refiners::bdd::Heuristic;
use tamis_witness::Verdict;

pub mod auto;
pub mod driver;
mod evidence;
pub mod explicit;
pub mod portfolio;
pub mod pushdown;
pub mod runs;

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
pub type Run = fn(&mut Context, &Program, PropertyId, &Settings) -> Outcome<Verdict>;

/// What the user can choose about engines; each engine reads what concerns it.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which interpolants become predicates.
    pub interpolants: Heuristic,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { interpolants: Heuristic::Combined }
    }
}

/// All engines.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "auto",
        about: "explicit while there are few states, then portfolio; runs first where inputs are wide",
        paper: "see these",
        when: "always, unless you know better; it is what runs if you name no engine",
        run: auto::run,
    },
    Engine {
        name: "explicit",
        about: "explicit pushdown saturation: procedure summaries over single states, exact on recursion",
        paper: "Reps, Horwitz, Sagiv (POPL 1995); shortest traces by Knuth's generalisation of Dijkstra (1977)",
        when: "small finite-state programs, and wherever an exact answer is needed to compare with",
        run: |ctx, program, property, _| explicit::run(ctx, program, property),
    },
    Engine {
        name: "pushdown",
        about: "symbolic pushdown saturation: procedure summaries as decision diagrams, exact on recursion",
        paper: "Esparza, Schwoon (CAV 2001), Moped",
        when: "finite-state programs with many states and enough structure for decision diagrams",
        run: |ctx, program, property, _| pushdown::run(ctx, program, property, pushdown::Traces::Shortest),
    },
    Engine {
        name: "pushdown-backward",
        about: "the same from the errors back to the start",
        paper: "Bouajjani, Esparza, Maler (CONCUR 1997); Schwoon (2002)",
        when: "few states lead to the error and many can be reached",
        run: |ctx, program, property, _| pushdown::backward::run(ctx, program, property),
    },
    Engine {
        name: "pushdown-cegar",
        about: "abstraction refinement on symbolic pushdown systems, with interpolants as decision diagrams",
        paper: "Kiefer, Abstraction Refinement for Pushdown Systems (2005)",
        when: "finite-state programs of which only a part matters for the property",
        run: |ctx, program, property, settings| {
            pushdown::cegar::run(ctx, program, property, &pushdown::cegar::Config::new(settings.interpolants))
        },
    },
    Engine {
        name: "runs",
        about: "concrete runs with guessed inputs, led by what is new and near: finds errors, never proves",
        paper: "Böhme, Pham, Nguyen, Roychoudhury, Directed Greybox Fuzzing (CCS 2017)",
        when: "programs with wide inputs that probably have an error",
        run: |ctx, program, property, _| runs::run(ctx, program, property),
    },
    Engine {
        name: "portfolio",
        about: "races pushdown-cegar and pushdown; the first verdict counts",
        paper: "Kiefer (2005), section 6.5: either may win by orders of magnitude",
        when: "finite-state programs, on a machine with two cores",
        run: portfolio::run,
    },
];

/// The engine of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.name == name)
}
