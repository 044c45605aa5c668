//! Engines: each a module that answers questions about programs, and a row of [`ENGINES`].
//!
//! Files in order of reading: [`engine`] (what a row has), [`options`] (what can be chosen), this
//! one (the rows), [`help`] (what users are told about them), [`driver`] (passes, engine, check),
//! then a module for each engine.

use options::{Knobs, NONE};
use tamis_refiners::interpolation::Strategy;

mod around;
pub mod auto;
pub mod bmc;
pub mod boolean;
pub mod bounded;
pub mod configurable;
mod depth_bounded;
pub mod driver;
pub mod engine;
mod evidence;
pub mod explicit;
pub mod fixpoint;
pub mod greybox;
pub mod help;
pub mod ic3;
pub mod ideal;
pub mod learning;
pub mod magic;
mod netlist;
pub mod portfolio;
pub mod pushdown;
pub mod tree;

pub use engine::{Can, Decides, Engine, Run, Takes};
pub use tamis_options as options;
pub use tamis_options::{Setting, Settings};

/// Where the configurable framework comes from.
const FRAMEWORK: &str = "Hajdu, Tóth, Vörös, Majzik, A Configurable CEGAR Framework (FORTE 2016)";

/// An engine of the configurable framework: a configuration, which is what its options set.
macro_rules! configured {
    ($name:literal, $aliases:expr, $takes:ident, $make:expr, $about:literal, $when:literal, $paper:expr) => {
        Engine {
            name: $name,
            aliases: $aliases,
            about: $about,
            paper: $paper,
            when: $when,
            takes: Takes::$takes,
            decides: Decides::Refinable,
            can: Can { precision: true, ..Can::NOTHING },
            expands: |_, _| true,
            races: |_| false,
            options: &Knobs { default: || $make, knobs: configurable::KNOBS },
            run: |ctx, program, property, settings| {
                configurable::run_named(ctx, program, property, $name, || $make, settings)
            },
        }
    };
}

/// All engines. The first one runs if nobody names one.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "auto",
        aliases: &[],
        about: "explicit while there are few states, then a race; ic3 and bmc on circuits; where inputs are wide, greybox and bounded beside abstraction refinement; configurable where values are endless",
        paper: "see these",
        when: "always, unless you know better; it is what runs if you name no engine",
        takes: Takes::Programs,
        decides: Decides::Finite,
        can: Can::NOTHING,
        expands: auto::wants_expansion,
        races: auto::races,
        options: NONE,
        run: auto::run,
    },
    Engine {
        name: "explicit",
        aliases: &[],
        about: "explicit pushdown saturation: procedure summaries over single states, exact on recursion",
        paper: "Reps, Horwitz, Sagiv (POPL 1995); shortest traces by Knuth's generalisation of Dijkstra (1977)",
        when: "small finite-state programs, and wherever an exact answer is needed to compare with",
        takes: Takes::Programs,
        decides: Decides::Finite,
        can: Can { shortest: true, ..Can::NOTHING },
        expands: |_, _| false,
        races: |_| false,
        options: NONE,
        run: |ctx, program, property, _| explicit::run(ctx, program, property),
    },
    Engine {
        name: "pushdown",
        aliases: &[],
        about: "symbolic pushdown saturation: procedure summaries as decision diagrams, exact on recursion",
        paper: "Esparza, Schwoon (CAV 2001), Moped",
        when: "finite-state programs with many states and enough structure for decision diagrams",
        takes: Takes::Programs,
        decides: Decides::Finite,
        can: Can { shortest: true, ..Can::NOTHING },
        expands: |_, _| false,
        races: |_| false,
        options: NONE,
        run: |ctx, program, property, _| pushdown::run(ctx, program, property, pushdown::Traces::Shortest),
    },
    Engine {
        name: "pushdown-backward",
        aliases: &[],
        about: "the same from the errors back to the start",
        paper: "Bouajjani, Esparza, Maler (CONCUR 1997); Schwoon (2002)",
        when: "few states lead to the error and many can be reached",
        takes: Takes::Programs,
        decides: Decides::Finite,
        can: Can::NOTHING,
        expands: |_, _| false,
        races: |_| false,
        options: NONE,
        run: |ctx, program, property, _| pushdown::backward::run(ctx, program, property),
    },
    Engine {
        name: "pushdown-cegar",
        aliases: &[],
        about: "abstraction refinement on symbolic pushdown systems, with interpolants as decision diagrams",
        paper: "Kiefer, Abstraction Refinement for Pushdown Systems (2005)",
        when: "finite-state programs of which only a part matters for the property",
        takes: Takes::Programs,
        decides: Decides::Finite,
        can: Can { rounds: true, ..Can::NOTHING },
        expands: |_, _| false,
        races: |_| false,
        options: pushdown::cegar::OPTIONS,
        run: |ctx, program, property, settings| {
            pushdown::cegar::run(ctx, program, property, &pushdown::cegar::OPTIONS.configured(settings)?)
        },
    },
    Engine {
        name: "greybox",
        aliases: &["runs"],
        about: "greybox fuzzing: concrete runs with guessed inputs, led by what is new and near: finds errors, never proves",
        paper: "Böhme, Pham, Nguyen, Roychoudhury, Directed Greybox Fuzzing (CCS 2017)",
        when: "programs with wide inputs that probably have an error",
        takes: Takes::Programs,
        decides: Decides::Errors,
        can: Can::NOTHING,
        expands: |_, _| false,
        races: |_| false,
        options: NONE,
        run: |ctx, program, property, _| greybox::run(ctx, program, property),
    },
    Engine {
        name: "bounded",
        aliases: &[],
        about: "symbolic execution of all paths together, deeper and deeper: finds errors, proves only what ends",
        paper: "King (CACM 1976); Clarke, Kroening, Lerda, A Tool for Checking ANSI-C Programs (TACAS 2004)",
        when: "programs that probably have an error that inputs decide, a few rounds of loops from the start",
        takes: Takes::Programs,
        decides: Decides::Bounded,
        can: Can::NOTHING,
        expands: |_, _| false,
        races: |_| false,
        options: bounded::OPTIONS,
        run: |ctx, program, property, settings| {
            bounded::run(ctx, program, property, &bounded::OPTIONS.configured(settings)?)
        },
    },
    Engine {
        name: "ic3",
        aliases: &["pdr"],
        about: "clauses that are inductive relative to each other, from SAT questions about single steps, on bits",
        paper: "Bradley, SAT-Based Model Checking without Unrolling (VMCAI 2011); Eén, Mishchenko, Brayton (FMCAD 2011)",
        when: "circuits, and other systems of finite values",
        takes: Takes::Systems,
        decides: Decides::Finite,
        can: Can::NOTHING,
        expands: |_, _| true,
        races: |_| false,
        options: ic3::OPTIONS,
        run: |ctx, program, property, settings| ic3::run(ctx, program, property, &ic3::OPTIONS.configured(settings)?),
    },
    Engine {
        name: "bmc",
        aliases: &[],
        about: "bounded model checking on bits: is there an error after so many steps, and after one more; finds errors",
        paper: "Biere, Cimatti, Clarke, Zhu, Symbolic Model Checking without BDDs (TACAS 1999); Eén, Sörensson (BMC 2003)",
        when: "circuits that probably have an error",
        takes: Takes::Systems,
        decides: Decides::Bounded,
        can: Can::NOTHING,
        expands: |_, _| true,
        races: |_| false,
        options: bmc::OPTIONS,
        run: |ctx, program, property, settings| bmc::run(ctx, program, property, &bmc::OPTIONS.configured(settings)?),
    },
    Engine {
        name: "boolean",
        aliases: &[],
        about: "abstraction to Boolean programs over predicates, exact on recursion; nested interpolants refine it",
        paper: "Ball, Rajamani, The SLAM Project (POPL 2002); Kiefer (2005), section 8.5; Heizmann, Hoenicke, Podelski, Nested Interpolants (POPL 2010)",
        when: "recursive programs over integers",
        takes: Takes::Programs,
        decides: Decides::Refinable,
        can: Can { precision: true, ..Can::NOTHING },
        expands: |_, _| false,
        races: |_| false,
        options: NONE,
        run: |ctx, program, property, _| boolean::run(ctx, program, property),
    },
    Engine {
        name: "configurable",
        aliases: &[],
        about: "races two of the configurations below, chosen by what the system is made of",
        paper: FRAMEWORK,
        when: "transition systems: protocols, controllers, circuits",
        takes: Takes::Systems,
        decides: Decides::Refinable,
        can: Can::NOTHING,
        expands: |_, _| true,
        races: configurable::choose::races,
        options: NONE,
        run: configurable::choose::run,
    },
    configured!(
        "predicate-craig",
        &[],
        Systems,
        configurable::predicate(Strategy::Craig),
        "predicate abstraction of transition systems; one interpolant where a counterexample fails",
        "protocols with clocks or unbounded integers, and circuits",
        FRAMEWORK
    ),
    configured!(
        "predicate-sequence",
        &[],
        Systems,
        configurable::predicate(Strategy::Sequence),
        "predicate abstraction of transition systems; an interpolant at every state of a counterexample",
        "systems where few states need many predicates",
        FRAMEWORK
    ),
    configured!(
        "explicit-craig",
        &[],
        Systems,
        configurable::explicit(Strategy::Craig),
        "explicit values of visible variables; those of one interpolant become visible",
        "systems of which few variables with few values matter",
        FRAMEWORK
    ),
    configured!(
        "explicit-sequence",
        &[],
        Systems,
        configurable::explicit(Strategy::Sequence),
        "explicit values of visible variables; those of interpolants at every state become visible",
        "controllers: systems of which few variables with few values matter",
        FRAMEWORK
    ),
    configured!(
        "combined-craig",
        &[],
        Systems,
        configurable::combined(Strategy::Craig),
        "explicit values of variables that select what happens, predicates about the others",
        "systems with a location variable",
        FRAMEWORK
    ),
    configured!(
        "combined-sequence",
        &[],
        Systems,
        configurable::combined(Strategy::Sequence),
        "the same, with an interpolant at every state of a counterexample",
        "large systems with a location variable",
        FRAMEWORK
    ),
    configured!(
        "predicate",
        &[],
        Expanded,
        configurable::lazy(),
        "lazy predicate abstraction of programs in large blocks, with precision per location",
        "programs with loops over integers",
        "Henzinger, Jhala, Majumdar, Sutre (POPL 2002); Beyer, Keremoglu, Wendler, Adjustable-Block Encoding (FMCAD 2010)"
    ),
    configured!(
        "value-analysis",
        &["explicit-values"],
        Expanded,
        configurable::value_analysis(),
        "value analysis: explicit values of the variables that matter, in large blocks",
        "programs whose control is in variables with few values: state machines, schedulers",
        "Beyer, Löwe, Explicit-State Software Model Checking Based on CEGAR and Interpolation (FASE 2013)"
    ),
    configured!(
        "combined",
        &[],
        Expanded,
        configurable::lazy_combined(),
        "explicit values of variables that select what happens, predicates about the others, in large blocks",
        "programs with a state variable and arithmetic beside it",
        FRAMEWORK
    ),
    configured!(
        "blast",
        &["lazy-single-block"],
        Expanded,
        configurable::blast(),
        "lazy abstraction statement by statement, with predicates per location, each seen by itself",
        "comparing with what BLAST did",
        "Henzinger, Jhala, Majumdar, Sutre, Lazy Abstraction (POPL 2002); Henzinger, Jhala, Majumdar, McMillan, Abstractions from Proofs (POPL 2004)"
    ),
    configured!(
        "armc",
        &[],
        Expanded,
        configurable::armc(),
        "the same in breadth, and from scratch after each refinement",
        "comparing with what ARMC did",
        "Podelski, Rybalchenko, ARMC: The Logical Choice for Software Model Checking with Abstraction Refinement (PADL 2007)"
    ),
    Engine {
        name: "fixpoint",
        aliases: &[],
        about: "fixpoints over formulas: abstraction by the atoms of pre or post, or widening that an oracle guides",
        paper: "Ball, Podelski, Rajamani, Relative Completeness of Abstraction Refinement for Software Model Checking (TACAS 2002)",
        when: "guarded commands and other small programs with loops that a way to the error cannot pass",
        takes: Takes::Expanded,
        decides: Decides::Refinable,
        can: Can { rounds: true, ..Can::NOTHING },
        expands: |_, _| true,
        races: |_| false,
        options: fixpoint::OPTIONS,
        run: |ctx, program, property, settings| {
            fixpoint::run(ctx, program, property, &fixpoint::OPTIONS.configured(settings)?)
        },
    },
    Engine {
        name: "magic",
        aliases: &[],
        about: "predicate abstraction by the fewest branch conditions that eliminate all spurious traces",
        paper: "Chaki, Clarke, Groce, Strichman, Predicate Abstraction with Minimum Predicates (CHARME 2003)",
        when: "programs whose control is in variables that they test: protocols, drivers",
        takes: Takes::Expanded,
        decides: Decides::Refinable,
        can: Can::NOTHING,
        expands: |_, _| true,
        races: |_| false,
        options: magic::OPTIONS,
        run: |ctx, program, property, settings| {
            magic::run(ctx, program, property, &magic::OPTIONS.configured(settings)?)
        },
    },
    Engine {
        name: "learn",
        aliases: &["tracer", "abstraction-learning"],
        about: "abstraction learning: symbolic execution that forgets what turns out to be irrelevant, and subsumes by what is left",
        paper: "Jaffar, Navas, Santosa, TRACER (2009); McMillan, Lazy Annotation (CAV 2010)",
        when: "programs with many infeasible paths, and loops whose invariants are conditions of the program",
        takes: Takes::Expanded,
        decides: Decides::Refinable,
        can: Can { rounds: true, ..Can::NOTHING },
        expands: |_, _| true,
        races: |_| false,
        options: learning::OPTIONS,
        run: |ctx, program, property, settings| {
            learning::run(ctx, program, property, &learning::OPTIONS.configured(settings)?)
        },
    },
    Engine {
        name: "portfolio",
        aliases: &[],
        about: "races pushdown-cegar and pushdown, and soon pushdown-backward; the first verdict counts",
        paper: "Kiefer (2005), section 6.5: either may win by orders of magnitude",
        when: "finite-state programs, on a machine with two cores",
        takes: Takes::Programs,
        decides: Decides::Finite,
        can: Can::NOTHING,
        expands: |_, _| false,
        races: portfolio::races,
        options: NONE,
        run: portfolio::run,
    },
];

/// The engine of that name, which may be an alias.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.is_called(name))
}
