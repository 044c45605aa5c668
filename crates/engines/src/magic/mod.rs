//! Predicate abstraction with minimum predicates (Chaki, Clarke, Groce, Strichman, CHARME 2003), as in MAGIC:
//! the predicates are branch conditions of the program and their weakest preconditions, and after each
//! spurious trace those branches are chosen that eliminate all of them.
//!
//! ```text
//! T := ∅; P := ∅
//! forever
//!     if A(Π, P) has no trace into an error: safe; else let τ be one
//!     if τ is a run: unsafe
//!     if no set of branches eliminates τ: unknown
//!     T := T ∪ {τ}; P := a minimal set of branches that eliminates all of T
//! ```
//!
//! The loop is that of all refinement here, the abstraction is the tree's, the choice is the refiner's.
//! States of the abstraction lie where ways part or meet, so that straight code is one transition; that is at
//! least as precise as a state for each statement.
//!
//! Files in order of reading: this one, `count` (the columns of Figure 7), `tests`.

mod count;
#[cfg(test)]
mod tests;

use crate::configurable::{self, Configuration, selecting};
use crate::options::{Knob, Knobs, knob, positive};
use crate::tree::{Order, Prune};
use count::count;
use tamis_cegar::{Context, Outcome};
use tamis_ir::blocks::Size;
use tamis_ir::{Program, PropertyId};
use tamis_refiners::interpolation::Strategy;
use tamis_refiners::selection::{Select, Selection, Selector, Source, branches};
use tamis_witness::Verdict;

/// How predicates are chosen, and from what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which branches are kept.
    pub select: Select,
    /// Where abstract states lie.
    pub blocks: Size,
    /// How many predicates a branch brings to a location.
    pub limit: usize,
    /// How many sets of branches the enumeration tries for a trace.
    pub maxsub: usize,
    /// How many of those that eliminate it are kept.
    pub maxelm: usize,
    /// Begins the random orders of the greedy choice.
    pub seed: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            select: Select::Minimum,
            blocks: Size::Branches,
            limit: 8,
            maxsub: selecting::MAXSUB,
            maxelm: selecting::MAXELM,
            seed: 1,
        }
    }
}

/// What can be chosen.
pub const OPTIONS: &Knobs<Config> = &Knobs {
    default: Config::default,
    knobs: &[
        knob!("select", "which branches are kept: all ever chosen, these without the needless ones, the fewest, or the fewest that an enumeration finds",
            select: "cumulative" => Select::Cumulative, "greedy" => Select::Greedy, "minimum" => Select::Minimum,
            "enumerated" => Select::Enumerated),
        knob!("blocks", "how much code lies between two abstract states",
            blocks: "large" => Size::Large, "branches" => Size::Branches, "single" => Size::Single),
        Knob {
            name: "limit",
            about: "how many predicates a branch brings to a location at most",
            values: || "a number".into(),
            get: |config| config.limit.to_string(),
            set: |config, number| positive(&mut config.limit, number),
        },
        Knob {
            name: "maxsub",
            about: "how many sets of branches the enumeration tries for a trace",
            values: || "a number".into(),
            get: |config| config.maxsub.to_string(),
            set: |config, number| positive(&mut config.maxsub, number),
        },
        Knob {
            name: "maxelm",
            about: "how many sets that eliminate a trace the enumeration keeps",
            values: || "a number".into(),
            get: |config| config.maxelm.to_string(),
            set: |config, number| positive(&mut config.maxelm, number),
        },
        Knob {
            name: "seed",
            about: "begins the random orders of the greedy choice",
            values: || "a number".into(),
            get: |config| config.seed.to_string(),
            set: |config, number| positive(&mut config.seed, number),
        },
    ],
};

/// What was needed, in the columns of Figure 7.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needed {
    /// All different expressions at any location.
    pub expressions: usize,
    /// The same with expressions that exclude each other as one.
    pub predicates: usize,
    /// The branches.
    pub branches: usize,
    /// All branches of the program.
    pub candidates: usize,
}

/// Answers the question.
///
/// # Errors
/// If the program has calls, or a part gives up.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, config: &Config) -> Outcome<Verdict> {
    selected(ctx, program, property, config).0
}

/// The same, with what was needed.
///
/// # Errors
/// The verdict is an error as in [`run`]; what was needed by then is told nevertheless.
pub fn measured(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    config: &Config,
) -> (Outcome<Verdict>, Outcome<Needed>) {
    let (verdict, selection) = selected(ctx, program, property, config);
    let predicates = count(ctx, &selection.expressions);
    let needed = predicates.map(|predicates| Needed {
        expressions: selection.expressions.len(),
        predicates,
        branches: selection.chosen,
        candidates: selection.candidates,
    });
    (verdict, needed)
}

fn selected(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    config: &Config,
) -> (Outcome<Verdict>, Selection) {
    let candidates = match branches(ctx, program, config.limit) {
        Ok(candidates) => candidates,
        Err(stop) => return (Err(stop), Selection::default()),
    };
    let selector = Selector::new(config.select, config.maxsub, config.maxelm, config.seed as u64);
    let lazy = configurable::lazy();
    let tree =
        crate::tree::Config { blocks: config.blocks, order: Order::Breadth, prune: Prune::Fully, counterexamples: 1 };
    let parts = Configuration { tree, strategy: Strategy::Sequence, ..lazy };
    selecting::run(ctx, program, property, &parts, Source::Given, &candidates, &selector)
}
