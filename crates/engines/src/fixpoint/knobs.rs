//! What users choose about the methods, by name.

use super::{Config, Direction, Disjuncts, Equal, Guide, Method};
use crate::options::{Knob, Knobs, knob};

/// What can be chosen.
pub const OPTIONS: &Knobs<Config> = &Knobs {
    default: Config::default,
    knobs: &[
        knob!("method", "Method I (abstraction with refinement), II (widening by an oracle) or III (forward abstraction, backward refinement)",
            method: "1" => Method::Abstraction, "2" => Method::Widening, "3" => Method::Dual),
        knob!("direction", "where Methods I and II begin",
            direction: "backward" => Direction::Backward, "forward" => Direction::Forward),
        Knob {
            name: "oracle",
            about: "which conjuncts Method II drops",
            values: || {
                "nothing, stability, search, or what mentions variables: names with + between, one list \
                 for each round with / between, where 0 is an empty list"
                    .into()
            },
            get: |config| match &config.oracle {
                Guide::Nothing => "nothing".into(),
                Guide::Stability => "stability".into(),
                Guide::Search => "search".into(),
                Guide::Drop(names) => list(names),
                Guide::Script(rounds) => rounds.iter().map(|names| list(names)).collect::<Vec<_>>().join("/"),
            },
            set: |config, text| {
                config.oracle = match text {
                    "nothing" => Guide::Nothing,
                    "stability" => Guide::Stability,
                    "search" => Guide::Search,
                    text => {
                        let rounds = text.split('/').map(names).collect::<Option<Vec<_>>>()?;
                        match <[Vec<String>; 1]>::try_from(rounds) {
                            Ok([only]) => Guide::Drop(only),
                            Err(rounds) => Guide::Script(rounds),
                        }
                    }
                };
                Some(())
            },
        },
        knob!("equalities", "whether an equation is one atom or two inequalities",
            equalities: "whole" => Equal::Whole, "split" => Equal::Split),
        knob!("disjuncts", "whether disjuncts stay that nothing satisfies, as the theorems demand",
            disjuncts: "all" => Disjuncts::All, "satisfiable" => Disjuncts::Satisfiable),
        Knob {
            name: "rounds",
            about: "how many rounds there may be",
            values: || "a number, or any".into(),
            get: |config| config.rounds.map_or("any".into(), |rounds| rounds.to_string()),
            set: |config, text| {
                config.rounds = if text == "any" { None } else { Some(text.parse().ok()?) };
                Some(())
            },
        },
    ],
};

/// The names of a list, as it is written.
fn list(names: &[String]) -> String {
    if names.is_empty() { "0".into() } else { names.join("+") }
}

fn names(text: &str) -> Option<Vec<String>> {
    if text.trim() == "0" {
        return Some(Vec::new());
    }
    let names: Vec<String> = text.split('+').map(|name| name.trim().to_owned()).collect();
    Some(names).filter(|names| names.iter().all(|name| !name.is_empty()))
}
