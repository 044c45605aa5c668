//! Engines: each a module that answers questions about programs, and a row of [`ENGINES`].

use tamis_cegar::{Context, Outcome};
use tamis_ir::{Program, PropertyId};
use tamis_refiners::bdd::Heuristic;
use tamis_term::Terms;
use tamis_witness::Verdict;

pub mod auto;
pub mod boolean;
pub mod bounded;
pub mod configurable;
pub mod driver;
mod evidence;
pub mod explicit;
pub mod portfolio;
pub mod pushdown;
pub mod runs;
mod stacks;
pub mod tree;

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
    /// What it takes.
    pub takes: Takes,
    /// Answers the question.
    pub run: Run,
}

impl Engine {
    /// Whether it reads [`Settings::parts`].
    #[must_use]
    pub fn has_parts(&self) -> bool {
        self.takes == Takes::Systems || ["auto", "bounded"].contains(&self.name)
    }

    /// The parts of its own that [`Settings::parts`] can set: a name, what it decides, what it can be.
    #[must_use]
    pub fn parts(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        match self.takes {
            Takes::Systems => configurable::KNOBS.iter().map(|knob| (knob.name, knob.about, knob.values)).collect(),
            Takes::Programs if self.name == "bounded" => bounded::PARTS.to_vec(),
            Takes::Programs => Vec::new(),
        }
    }

    /// Whether procedures are to be copied to their calls first.
    #[must_use]
    pub fn wants_expansion(&self, terms: &Terms, program: &Program) -> bool {
        self.takes == Takes::Systems || self.name == "auto" && auto::wants_expansion(terms, program)
    }

    /// Whether it begins with a precision that is given, and has one in the end.
    #[must_use]
    pub fn has_precision(&self) -> bool {
        self.takes == Takes::Systems || ["auto", "boolean"].contains(&self.name)
    }

    /// Whether it reads [`Settings::interpolants`].
    #[must_use]
    pub fn has_interpolants(&self) -> bool {
        ["auto", "portfolio", "pushdown-cegar"].contains(&self.name)
    }
}

/// What an engine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any program of finite values, with procedures and recursion.
    Programs,
    /// Programs without calls, as transition systems over any values; it need not end.
    Systems,
}

/// How an engine is called.
pub type Run = fn(&mut Context, &Program, PropertyId, &Settings) -> Outcome<Verdict>;

/// What the user can choose about engines; each engine reads what concerns it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which interpolants become predicates, on decision diagrams.
    pub interpolants: Heuristic,
    /// Parts of a configuration to exchange: names of [`configurable::KNOBS`], and values.
    pub parts: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { interpolants: Heuristic::Combined, parts: Vec::new() }
    }
}

/// An engine of the configurable framework.
const fn configured(name: &'static str, about: &'static str, when: &'static str, run: Run) -> Engine {
    Engine { name, about, paper: FRAMEWORK, when, takes: Takes::Systems, run }
}

/// Where the configurable framework comes from.
const FRAMEWORK: &str = "Hajdu, Tóth, Vörös, Majzik, A Configurable CEGAR Framework (FORTE 2016)";

macro_rules! configured {
    ($name:literal, $about:literal, $when:literal) => {
        configured($name, $about, $when, |ctx, program, property, settings| {
            configurable::run_named(ctx, program, property, $name, &settings.parts)
        })
    };
    ($name:literal, $about:literal, $when:literal, $paper:literal) => {
        Engine { paper: $paper, ..configured!($name, $about, $when) }
    };
}

/// All engines.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "auto",
        about: "explicit while there are few states, then a race; where inputs are wide, runs and bounded beside abstraction refinement; configurable where values are endless",
        paper: "see these",
        when: "always, unless you know better; it is what runs if you name no engine",
        takes: Takes::Programs,
        run: auto::run,
    },
    Engine {
        name: "explicit",
        about: "explicit pushdown saturation: procedure summaries over single states, exact on recursion",
        paper: "Reps, Horwitz, Sagiv (POPL 1995); shortest traces by Knuth's generalisation of Dijkstra (1977)",
        when: "small finite-state programs, and wherever an exact answer is needed to compare with",
        takes: Takes::Programs,
        run: |ctx, program, property, _| explicit::run(ctx, program, property),
    },
    Engine {
        name: "pushdown",
        about: "symbolic pushdown saturation: procedure summaries as decision diagrams, exact on recursion",
        paper: "Esparza, Schwoon (CAV 2001), Moped",
        when: "finite-state programs with many states and enough structure for decision diagrams",
        takes: Takes::Programs,
        run: |ctx, program, property, _| pushdown::run(ctx, program, property, pushdown::Traces::Shortest),
    },
    Engine {
        name: "pushdown-backward",
        about: "the same from the errors back to the start",
        paper: "Bouajjani, Esparza, Maler (CONCUR 1997); Schwoon (2002)",
        when: "few states lead to the error and many can be reached",
        takes: Takes::Programs,
        run: |ctx, program, property, _| pushdown::backward::run(ctx, program, property),
    },
    Engine {
        name: "pushdown-cegar",
        about: "abstraction refinement on symbolic pushdown systems, with interpolants as decision diagrams",
        paper: "Kiefer, Abstraction Refinement for Pushdown Systems (2005)",
        when: "finite-state programs of which only a part matters for the property",
        takes: Takes::Programs,
        run: |ctx, program, property, settings| {
            pushdown::cegar::run(ctx, program, property, &pushdown::cegar::Config::new(settings.interpolants))
        },
    },
    Engine {
        name: "runs",
        about: "concrete runs with guessed inputs, led by what is new and near: finds errors, never proves",
        paper: "Böhme, Pham, Nguyen, Roychoudhury, Directed Greybox Fuzzing (CCS 2017)",
        when: "programs with wide inputs that probably have an error",
        takes: Takes::Programs,
        run: |ctx, program, property, _| runs::run(ctx, program, property),
    },
    Engine {
        name: "bounded",
        about: "symbolic execution of all paths together, deeper and deeper: finds errors, proves only what ends",
        paper: "King (CACM 1976); Clarke, Kroening, Lerda, A Tool for Checking ANSI-C Programs (TACAS 2004)",
        when: "programs that probably have an error that inputs decide, a few rounds of loops from the start",
        takes: Takes::Programs,
        run: bounded::run,
    },
    Engine {
        name: "boolean",
        about: "abstraction to Boolean programs over predicates, exact on recursion; nested interpolants refine it",
        paper: "Ball, Rajamani, The SLAM Project (POPL 2002); Kiefer (2005), section 8.5; Heizmann, Hoenicke, Podelski, Nested Interpolants (POPL 2010)",
        when: "recursive programs over integers",
        takes: Takes::Programs,
        run: |ctx, program, property, _| boolean::run(ctx, program, property),
    },
    configured(
        "configurable",
        "races two of the configurations below, chosen by what the system is made of",
        "transition systems: protocols, controllers, circuits",
        configurable::choose::run,
    ),
    configured!(
        "predicate-craig",
        "predicate abstraction of transition systems; one interpolant where a suspect fails",
        "protocols with clocks or unbounded integers, and circuits"
    ),
    configured!(
        "predicate-sequence",
        "predicate abstraction of transition systems; an interpolant at every state of a suspect",
        "systems where few states need many predicates"
    ),
    configured!(
        "explicit-craig",
        "explicit values of visible variables; those of one interpolant become visible",
        "systems of which few variables with few values matter"
    ),
    configured!(
        "explicit-sequence",
        "explicit values of visible variables; those of interpolants at every state become visible",
        "controllers: systems of which few variables with few values matter"
    ),
    configured!(
        "combined-craig",
        "explicit values of variables that select what happens, predicates about the others",
        "systems with a location variable"
    ),
    configured!(
        "combined-sequence",
        "the same, with an interpolant at every state of a suspect",
        "large systems with a location variable"
    ),
    configured!(
        "predicate",
        "lazy predicate abstraction of programs in large blocks, with precision per location",
        "programs with loops over integers",
        "Henzinger, Jhala, Majumdar, Sutre (POPL 2002); Beyer, Keremoglu, Wendler, Adjustable-Block Encoding (FMCAD 2010)"
    ),
    configured!(
        "explicit-values",
        "explicit values of the variables that matter, in large blocks",
        "programs whose control is in variables with few values: state machines, schedulers",
        "Beyer, Löwe, Explicit-State Software Model Checking Based on CEGAR and Interpolation (FASE 2013)"
    ),
    configured!(
        "combined",
        "explicit values of variables that select what happens, predicates about the others, in large blocks",
        "programs with a state variable and arithmetic beside it"
    ),
    configured!(
        "lazy-single-block",
        "lazy predicate abstraction statement by statement, each predicate seen by itself",
        "comparing with what BLAST and ARMC do",
        "Henzinger, Jhala, Majumdar, Sutre (POPL 2002); Podelski, Rybalchenko, ARMC (PADL 2007)"
    ),
    Engine {
        name: "portfolio",
        about: "races pushdown-cegar and pushdown; the first verdict counts",
        paper: "Kiefer (2005), section 6.5: either may win by orders of magnitude",
        when: "finite-state programs, on a machine with two cores",
        takes: Takes::Programs,
        run: portfolio::run,
    },
];

/// The engine of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.name == name)
}
