//! The parts of a configuration that a user can exchange, by name.

use super::{Configuration, Integers};
use crate::options::{Knob, choose, knob, listed, named, positive};
use crate::tree::{Order, Prune};
use tamis_cegar::Pieces;
use tamis_domains::{Accuracy, Granularity, Learn, Start, Tracked};
use tamis_ir::blocks::Size;
use tamis_refiners::interpolation::{Minimise, STRATEGIES};
use tamis_refiners::selection::Select;
use tamis_solver::interpolation::SOURCES;
use tamis_solver::interpolation::portfolio::{self, Choice};

/// The sources of those who choose none: those that suit the sorts.
const BY_SORTS: &str = "auto";

/// Whose variables are tracked, if not those of some names.
const TRACKED: &[(&str, Tracked)] =
    &[("nothing", Tracked::Nothing), ("property", Tracked::Property), ("selectors", Tracked::Selectors)];

/// All parts that the user can exchange.
pub const KNOBS: &[Knob<Configuration>] = &[
    knob!("integers", "what machine integers are taken for at first",
        integers: "machine" => Integers::Machine, "ideal" => Integers::Ideal),
    knob!("equations", "whether linear equations are found ahead",
        equations: "assumed" => true, "ignored" => false),
    knob!("blocks", "how much code lies between two abstract states",
        tree.blocks: "large" => Size::Large, "branches" => Size::Branches, "single" => Size::Single),
    knob!("order", "which abstract state is explored next",
        tree.order: "depth" => Order::Depth, "breadth" => Order::Breadth, "distance" => Order::Distance),
    knob!("prune", "what of the tree a refutation cuts away",
        tree.prune: "lazily" => Prune::Lazily, "fully" => Prune::Fully),
    Knob {
        name: "counterexamples",
        about: "how many counterexamples are looked for before they are examined",
        values: || "a number".into(),
        get: |parts| parts.tree.counterexamples.to_string(),
        set: |parts, number| positive(&mut parts.tree.counterexamples, number),
    },
    Knob {
        name: "refine",
        about: "where on a spurious path to look for a reason",
        values: || listed(STRATEGIES.iter().map(|row| row.name)),
        get: |parts| {
            let row = STRATEGIES.iter().find(|row| row.strategy == parts.strategy);
            row.map_or_else(String::new, |row| row.name.to_owned())
        },
        set: |parts, name| {
            parts.strategy = STRATEGIES.iter().find(|row| row.name == name)?.strategy;
            Some(())
        },
    },
    knob!("select", "which predicates of all interpolants are kept: as they come, or chosen anew after each trace",
        select: "cumulative" => None, "greedy" => Some(Select::Greedy), "minimum" => Some(Select::Minimum),
        "enumerated" => Some(Select::Enumerated)),
    knob!("minimise", "what is made of a reason that says more than it needs",
        minimise: "nothing" => Minimise::Nothing, "refutations" => Minimise::Refutations),
    Knob {
        name: "sources",
        about: "who finds interpolants, one after another",
        values: || {
            let names = SOURCES.iter().map(|source| source.name);
            listed(names.chain([BY_SORTS, "or several with + between"]))
        },
        get: |parts| match parts.sources.order[..] {
            [] => BY_SORTS.into(),
            ref order => order.iter().map(|source| source.name).collect::<Vec<_>>().join("+"),
        },
        set: |parts, names| {
            parts.sources.order = match names {
                BY_SORTS => Vec::new(),
                names => {
                    let order = portfolio::Config::named(&names.replace('+', ",")).ok()?.order;
                    Some(order).filter(|order| !order.is_empty())?
                }
            };
            Some(())
        },
    },
    knob!("choice", "how the order of the sources comes about",
        sources.choice: "fixed" => Choice::Fixed, "learned" => Choice::Learned),
    knob!("learn", "what a refutation adds",
        learn: "predicates" => Learn::Predicates, "variables" => Learn::Variables,
        "variables-first" => Learn::VariablesFirst),
    knob!("accuracy", "how much abstract states say about predicates",
        accuracy: "boolean" => Accuracy::Boolean, "cartesian" => Accuracy::Cartesian),
    knob!("states", "whether states that differ only in predicates are explored one by one",
        together: "apart" => false, "together" => true),
    knob!("precision", "where a predicate counts",
        granularity: "state" => Granularity::State, "location" => Granularity::Location,
        "procedure" => Granularity::Procedure, "global" => Granularity::Global),
    knob!("pieces", "what of an interpolant becomes a predicate",
        pieces: "whole" => Pieces::Whole, "conjuncts" => Pieces::Conjuncts, "atoms" => Pieces::Atoms),
    knob!("start", "the predicates to begin with",
        start: "empty" => Start::Empty, "property" => Start::Property),
    Knob {
        name: "track",
        about: "the variables to track from the beginning",
        values: || listed(TRACKED.iter().map(|(name, _)| *name).chain(["or names with + between"])),
        get: |parts| match &parts.track {
            Tracked::Named(names) => names.join("+"),
            some @ (Tracked::Nothing | Tracked::Property | Tracked::Selectors) => named(some, TRACKED),
        },
        set: |parts, name| {
            choose(&mut parts.track, TRACKED, name).or_else(|| {
                let names: Vec<String> = name.split('+').map(|name| name.trim().to_owned()).collect();
                parts.track = Tracked::Named(Some(names).filter(|names| names.iter().all(|name| !name.is_empty()))?);
                Some(())
            })
        },
    },
    Knob {
        name: "bound",
        about: "how many values a tracked variable may have among the successors of a state",
        values: || "a number".into(),
        get: |parts| parts.bound.to_string(),
        set: |parts, number| positive(&mut parts.bound, number),
    },
];
