//! Names of variables in `--with track=NAME+NAME`: the program must have them.

use crate::load::Loaded;
use crate::trouble::Trouble;
use std::collections::BTreeSet;
use tamis_domains::Tracked;
use tamis_engines::configurable::{KNOBS, lazy};
use tamis_engines::{Setting, Settings};
use tamis_ir::diagnostic::is_near;
use tamis_report::expr::{is_hidden, user_name};

/// How many names a hint lists.
const MAX_LISTED: usize = 20;

/// Refuses names that no variable has.
pub fn check(loaded: &Loaded, settings: &Settings) -> Result<(), Trouble> {
    let known = variables(loaded);
    let is_known = |name: &str| known.iter().any(|full| *full == name || user_name(full) == name);
    let Some(unknown) = names(settings).into_iter().find(|name| !is_known(name)) else { return Ok(()) };
    let known: BTreeSet<String> = known.iter().map(|full| user_name(full).into_owned()).collect();
    Err(Trouble::input(format!("--with track: the program has no variable {unknown}")).hint(hint(&unknown, &known)))
}

/// The variables that are to be tracked by name, whichever engine does it.
fn names(settings: &Settings) -> Vec<String> {
    let named = |setting: &Setting| {
        let knob = KNOBS.iter().find(|knob| knob.name == "track" && knob.name == setting.name)?;
        let mut configuration = lazy();
        (knob.set)(&mut configuration, &setting.value)?;
        match configuration.track {
            Tracked::Named(names) => Some(names),
            Tracked::Nothing | Tracked::Property | Tracked::Selectors => None,
        }
    };
    settings.list.iter().filter_map(named).flatten().collect()
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
