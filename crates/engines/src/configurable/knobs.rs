//! The parts of a configuration that a user can exchange, by name.

use super::{Configuration, Integers};
use crate::tree::{Order, Prune};
use tamis_domains::{Accuracy, Granularity, Learn, Pieces, Start, Tracked};
use tamis_ir::blocks::Size;
use tamis_refiners::interpolation::STRATEGIES;
use tamis_solver::interpolation::portfolio;

/// A part that the user can exchange.
#[derive(Debug)]
pub struct Knob {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it decides, as a phrase.
    pub about: &'static str,
    /// What it can be set to, as a phrase.
    pub values: &'static str,
    /// Sets it. Fails for what it cannot be set to.
    pub set: fn(&mut Configuration, &str) -> Option<()>,
}

/// Sets a part to the value of that name.
fn choose<T: Clone>(part: &mut T, choices: &[(&str, T)], name: &str) -> Option<()> {
    let (_, value) = choices.iter().find(|(known, _)| *known == name)?;
    *part = value.clone();
    Some(())
}

/// All parts that the user can exchange.
pub const KNOBS: &[Knob] = &[
    Knob {
        name: "integers",
        about: "what machine integers are taken for at first",
        values: "machine, ideal",
        set: |parts, name| {
            choose(&mut parts.integers, &[("machine", Integers::Machine), ("ideal", Integers::Ideal)], name)
        },
    },
    Knob {
        name: "equations",
        about: "whether linear equations are found ahead",
        values: "assumed, ignored",
        set: |parts, name| choose(&mut parts.equations, &[("assumed", true), ("ignored", false)], name),
    },
    Knob {
        name: "blocks",
        about: "how much code lies between two abstract states",
        values: "large, single",
        set: |parts, name| choose(&mut parts.tree.blocks, &[("large", Size::Large), ("single", Size::Single)], name),
    },
    Knob {
        name: "order",
        about: "which abstract state is explored next",
        values: "depth, breadth, distance",
        set: |parts, name| {
            let choices = [("depth", Order::Depth), ("breadth", Order::Breadth), ("distance", Order::Distance)];
            choose(&mut parts.tree.order, &choices, name)
        },
    },
    Knob {
        name: "prune",
        about: "what of the tree a refutation cuts away",
        values: "lazily, fully",
        set: |parts, name| choose(&mut parts.tree.prune, &[("lazily", Prune::Lazily), ("fully", Prune::Fully)], name),
    },
    Knob {
        name: "suspects",
        about: "how many suspects are looked for before they are examined",
        values: "a number",
        set: |parts, name| {
            parts.tree.suspects = name.parse().ok().filter(|number| *number > 0)?;
            Some(())
        },
    },
    Knob {
        name: "refine",
        about: "where on a spurious path to look for a reason",
        values: "craig, sequence, backward, prefixes, core",
        set: |parts, name| {
            let row = STRATEGIES.iter().find(|row| row.name == name)?;
            parts.strategy = row.strategy;
            Some(())
        },
    },
    Knob {
        name: "sources",
        about: "who finds interpolants, one after another",
        values: "literals, newton, newton-forward, horn, external, proof, proof-symmetric, diagrams, \
                 diagrams-weakest, diagrams-strongest, or several with + between",
        set: |parts, names| {
            let named = portfolio::Config::named(&names.replace('+', ",")).ok()?;
            parts.sources = Some(named).filter(|named| !named.order.is_empty())?;
            Some(())
        },
    },
    Knob {
        name: "learn",
        about: "what a refutation adds",
        values: "predicates, variables, variables-first",
        set: |parts, name| {
            let choices = [
                ("predicates", Learn::Predicates),
                ("variables", Learn::Variables),
                ("variables-first", Learn::VariablesFirst),
            ];
            choose(&mut parts.learn, &choices, name)
        },
    },
    Knob {
        name: "accuracy",
        about: "how much abstract states say about predicates",
        values: "boolean, cartesian",
        set: |parts, name| {
            choose(&mut parts.accuracy, &[("boolean", Accuracy::Boolean), ("cartesian", Accuracy::Cartesian)], name)
        },
    },
    Knob {
        name: "states",
        about: "whether states that differ only in predicates are explored one by one",
        values: "apart, together",
        set: |parts, name| choose(&mut parts.together, &[("apart", false), ("together", true)], name),
    },
    Knob {
        name: "precision",
        about: "where a predicate counts",
        values: "state, location, procedure, global",
        set: |parts, name| {
            let choices = [
                ("state", Granularity::State),
                ("location", Granularity::Location),
                ("procedure", Granularity::Procedure),
                ("global", Granularity::Global),
            ];
            choose(&mut parts.granularity, &choices, name)
        },
    },
    Knob {
        name: "pieces",
        about: "what of an interpolant becomes a predicate",
        values: "whole, conjuncts, atoms",
        set: |parts, name| {
            let choices = [("whole", Pieces::Whole), ("conjuncts", Pieces::Conjuncts), ("atoms", Pieces::Atoms)];
            choose(&mut parts.pieces, &choices, name)
        },
    },
    Knob {
        name: "start",
        about: "the predicates to begin with",
        values: "empty, property",
        set: |parts, name| choose(&mut parts.start, &[("empty", Start::Empty), ("property", Start::Property)], name),
    },
    Knob {
        name: "track",
        about: "the variables to track from the beginning",
        values: "nothing, property, selectors, or names with + between",
        set: |parts, name| {
            let choices =
                [("nothing", Tracked::Nothing), ("property", Tracked::Property), ("selectors", Tracked::Selectors)];
            choose(&mut parts.track, &choices, name).or_else(|| {
                let names: Vec<String> = name.split('+').map(|name| name.trim().to_owned()).collect();
                parts.track = Tracked::Named(Some(names).filter(|names| names.iter().all(|name| !name.is_empty()))?);
                Some(())
            })
        },
    },
    Knob {
        name: "bound",
        about: "how many values a tracked variable may have among the successors of a state",
        values: "a number",
        set: |parts, name| {
            parts.bound = name.parse().ok().filter(|number| *number > 0)?;
            Some(())
        },
    },
];

/// Exchanges parts: each is a name of [`KNOBS`] and a value.
///
/// # Errors
/// Says which setting is none, as a phrase.
pub fn adjust(parts: &mut Configuration, settings: &[(String, String)]) -> Result<(), String> {
    for (name, value) in settings {
        let known: Vec<&str> = KNOBS.iter().map(|knob| knob.name).collect();
        let knob = KNOBS.iter().find(|knob| knob.name == name);
        let knob = knob.ok_or_else(|| format!("there is no part {name}; known are {}", known.join(", ")))?;
        (knob.set)(parts, value).ok_or_else(|| format!("{name} cannot be {value}; it can be {}", knob.values))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_solver::interpolation::SOURCES;

    #[test]
    fn all_sources_are_named() {
        let knob = KNOBS.iter().find(|knob| knob.name == "sources").unwrap();
        let named: Vec<&str> = knob.values.split(", ").filter(|name| !name.contains(' ')).collect();
        assert_eq!(named, SOURCES.iter().map(|source| source.name).collect::<Vec<_>>());
    }
}
