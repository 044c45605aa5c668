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
    lines(engine) + &race(engine, table) + &options(engine)
}

fn lines(engine: &Engine) -> String {
    let Engine { name, about, when, paper, .. } = engine;
    format!("{name}\n    {about}\n    when: {when}\n    paper: {paper}\n")
}

/// What can be set of those who race.
fn race(engine: &Engine, table: &[Engine]) -> String {
    let racers = engine.racers(table);
    let mut text = String::new();
    if racers.iter().any(|racer| !racer.options.rows().is_empty()) {
        text.push_str("\noptions of its racers, set with --with NAME=VALUE,... or, of one, ENGINE.NAME=VALUE:\n");
    }
    for racer in racers {
        let rows = racer.options.rows();
        if !rows.is_empty() {
            let _ = writeln!(text, "    {:<18} {}", racer.name, listed(rows.iter().map(|row| row.name)));
        }
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
    for Row { name, about, values, default } in rows {
        let _ = writeln!(text, "    {name:<12} {about}: {values} [default: {default}]");
    }
    if engine.options.has("sources") {
        text.push_str("\nsources of interpolants:\n");
        for source in SOURCES {
            let _ = writeln!(text, "    {:<18} {}", source.name, source.about);
        }
    }
    text
}
