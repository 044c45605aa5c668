//! Names of variables in `--with track=NAME+NAME`: the program must have them.

use crate::load::Loaded;
use crate::options::Parts;
use crate::trouble::Trouble;
use std::collections::BTreeSet;
use tamis_domains::Tracked;
use tamis_engines::configurable::{CONFIGURATIONS, adjust};
use tamis_report::expr::{is_hidden, user_name};

/// How many names a hint lists.
const MAX_LISTED: usize = 20;

/// In how many letters a name may differ from one that is meant.
const NEAR: usize = 2;

/// Refuses names that no variable has.
pub fn check(loaded: &Loaded, parts: &Parts) -> Result<(), Trouble> {
    let known = variables(loaded);
    let is_known = |name: &str| known.iter().any(|full| *full == name || user_name(full) == name);
    let Some(unknown) = names(parts).into_iter().find(|name| !is_known(name)) else { return Ok(()) };
    let known: BTreeSet<String> = known.iter().map(|full| user_name(full).into_owned()).collect();
    Err(Trouble::input(format!("--with track: the program has no variable {unknown}")).hint(hint(&unknown, &known)))
}

/// The variables that are to be tracked by name.
fn names(parts: &Parts) -> Vec<String> {
    let mut configuration = (CONFIGURATIONS[0].make)();
    match adjust(&mut configuration, &parts.0).map(|()| configuration.track) {
        Ok(Tracked::Named(names)) => names,
        Ok(Tracked::Nothing | Tracked::Property | Tracked::Selectors) | Err(_) => Vec::new(),
    }
}

/// The full names of the variables that the user wrote.
fn variables(loaded: &Loaded) -> Vec<&str> {
    let program = &loaded.program;
    let locals = program.procs.iter().flat_map(|proc| [&proc.params, &proc.results, &proc.locals]).flatten();
    let names = program.globals.iter().chain(locals).map(|var| loaded.terms.name(*var));
    names.filter(|name| !is_hidden(name)).collect()
}

/// The names that are nearly the same, or else some of those that there are.
fn hint(name: &str, known: &BTreeSet<String>) -> String {
    let near: Vec<&str> = known.iter().map(String::as_str).filter(|other| is_near(name, other)).collect();
    let all: Vec<&str> = known.iter().map(String::as_str).take(MAX_LISTED).collect();
    match (near.is_empty(), known.len().checked_sub(MAX_LISTED)) {
        (false, _) => format!("is {} meant?", near.join(" or ")),
        (true, Some(more)) if more > 0 => format!("known are {} and {more} more", all.join(", ")),
        (true, _) => format!("known are {}; nothing, property and selectors stand for some of them", all.join(", ")),
    }
}

/// Whether one name is the other with few letters changed, added or left out.
fn is_near(one: &str, other: &str) -> bool {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    // What it takes to make each beginning of the other name of the letters so far (Levenshtein 1965).
    let mut costs: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.to_lowercase().chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut costs[0], at + 1);
        for to in 1..costs.len() {
            let changed = diagonal + usize::from(other[to - 1] != letter);
            diagonal = costs[to];
            costs[to] = changed.min(costs[to] + 1).min(costs[to - 1] + 1);
        }
    }
    // Short names are all near each other.
    costs[other.len()] <= NEAR.min(other.len() / 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_if_few_letters_differ() {
        for (one, other) in [("stat", "state"), ("State", "state"), ("countr", "counter")] {
            assert!(is_near(one, other), "{one} {other}");
        }
        for (one, other) in [("x", "y"), ("nosuch", "state"), ("", "a"), ("i", "index")] {
            assert!(!is_near(one, other), "{one} {other}");
        }
    }
}
