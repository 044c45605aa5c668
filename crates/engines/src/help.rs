//! What users are told about engines: the table as text.

use crate::Engine;
use crate::options::{Row, listed};
use std::fmt::Write as _;
use tamis_solver::interpolation::SOURCES;

/// The engines of a table one below the other.
#[must_use]
pub fn list(table: &[Engine]) -> String {
    table.iter().map(lines).collect::<Vec<_>>().join("\n")
}

/// An engine of a table with all that can be chosen about it.
#[must_use]
pub fn page(engine: &Engine, table: &[Engine]) -> String {
    lines(engine) + &other_names(engine) + &race(engine, table) + &options(engine)
}

fn lines(engine: &Engine) -> String {
    let Engine { name, about, when, paper, .. } = engine;
    format!("{name}\n    {about}\n    when: {when}\n    paper: {paper}\n")
}

fn other_names(Engine { aliases, .. }: &Engine) -> String {
    if aliases.is_empty() { String::new() } else { format!("    also called: {}\n", aliases.join(", ")) }
}

/// What can be set of those who race. Many have the same options.
fn race(engine: &Engine, table: &[Engine]) -> String {
    let mut kinds: Vec<(String, Vec<&str>)> = Vec::new();
    for racer in engine.racers(table) {
        let options = listed(racer.options.rows().iter().map(|row| row.name));
        match kinds.iter_mut().find(|(known, _)| *known == options) {
            Some((_, names)) => names.push(racer.name),
            None => kinds.push((options, vec![racer.name])),
        }
    }
    kinds.retain(|(options, _)| !options.is_empty());
    let mut text = String::new();
    if !kinds.is_empty() {
        text.push_str("\noptions of its racers, set with --with NAME=VALUE,... or, of one, ENGINE.NAME=VALUE:\n");
    }
    for (options, names) in kinds {
        let _ = writeln!(text, "    {}: {options}", names.join(", "));
    }
    text
}

/// What can be set, and who finds interpolants.
fn options(engine: &Engine) -> String {
    let rows = engine.options.rows();
    let mut text = String::new();
    if !rows.is_empty() {
        text.push_str("\noptions, set with --with NAME=VALUE,...:\n");
    }
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    for Row { name, about, values, default } in rows {
        let _ = writeln!(text, "    {name:<width$} {about}: {values} [default: {default}]");
    }
    if engine.options.has("sources") {
        text.push_str("\nsources of interpolants:\n");
        for source in SOURCES {
            let _ = writeln!(text, "    {:<18} {}", source.name, source.about);
        }
    }
    text
}
