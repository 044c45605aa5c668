//! `--list-properties`: what can be asked about a program.

use crate::load::Loaded;
use crate::options::Voice;
use crate::output::{Ending, Exit};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use tamis_ir::{Loc, Program, Property, PropertyId};
use tamis_report::json;
use tamis_report::style::{count, one_line};

/// How to ask.
const HOW: &str = "\
hint: --property NAME asks about one of these, --label NAME about any label; --spec FILE.prp asks as a property file says
";

/// How many places of a property are listed.
const MAX_PLACES: usize = 8;

/// What marks the property that is checked if none is named.
const DEFAULT: &str = " (default)";

/// What marks those that are looked for only if they are asked for.
const ON_REQUEST: &str = " (only if it is asked for)";

/// A row of the list.
struct Row<'p> {
    name: &'p str,
    about: &'p str,
    /// The word in the verdict.
    kind: &'p str,
    /// What is said after the row.
    mark: &'static str,
    places: Vec<(&'p str, u32)>,
}

/// What can be asked about the program.
pub fn list(loaded: &Loaded, voice: Voice) -> Ending {
    let rows = rows(loaded);
    let err = if voice.json || voice.quiet { String::new() } else { HOW.to_owned() };
    let out = if voice.json { as_json(&rows) } else { as_text(&rows) };
    Ending { err, out, exit: Exit::Safe }
}

/// The program's properties, and those that a front end looks for only if they are asked for.
fn rows(loaded: &Loaded) -> Vec<Row<'_>> {
    let program = &loaded.program;
    let default = program.default.map(PropertyId::index);
    let own = program.errors.iter().enumerate().map(|(number, property)| Row {
        name: &property.name,
        about: &property.about,
        kind: &property.kind,
        mark: if default == Some(number) { DEFAULT } else { "" },
        places: places(program, property),
    });
    let others =
        loaded.on_request().map(|(name, about)| Row { name, about, kind: name, mark: ON_REQUEST, places: vec![] });
    own.chain(others).collect()
}

fn as_json(rows: &[Row<'_>]) -> String {
    let entry = |row: &Row<'_>| {
        let lines: Vec<u32> = row.places.iter().map(|(_, line)| *line).collect();
        let files: Vec<&str> = row.places.iter().map(|(file, _)| *file).collect();
        serde_json::json!({
            "name": row.name, "about": row.about, "default": row.mark == DEFAULT,
            "kind": row.kind, "lines": lines, "files": files,
        })
    };
    json::line(&rows.iter().map(entry).collect::<Vec<_>>()) + "\n"
}

fn as_text(rows: &[Row<'_>]) -> String {
    let files: BTreeSet<&str> = rows.iter().flat_map(|row| &row.places).map(|(file, _)| *file).collect();
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        let (name, about) = (one_line(row.name), one_line(row.about));
        let _ = writeln!(out, "{name:width$}  {about}{}{}", lines(&row.places, files.len() > 1, &about), row.mark);
    }
    out
}

/// The files and lines of a property, in order, each once.
fn places<'p>(program: &'p Program, property: &Property) -> Vec<(&'p str, u32)> {
    let place = |loc: &Loc| {
        let span = program.locs[loc.index()].span;
        let file = &program.sources.get(span.source).filter(|_| span.end > 0)?.name;
        Some((file.as_str(), program.sources.position(span)?.line))
    };
    // Where the model of a program ends is no error of the program.
    let unmodelled: BTreeSet<Loc> =
        program.notes.approximations.keys().map(|edge| program.edge(*edge)).map(|edge| edge.to).collect();
    let errors = property.locs.iter().filter(|loc| !unmodelled.contains(loc));
    let found: BTreeSet<(&str, u32)> = errors.filter_map(place).collect();
    found.into_iter().collect()
}

/// The places as ` (line 3, 7)`, unless the phrase about the property says it.
fn lines(places: &[(&str, u32)], with_file: bool, about: &str) -> String {
    if let [(_, line)] = places
        && about.contains(&format!("line {line}"))
    {
        return String::new();
    }
    let shown =
        |(file, line): &(&str, u32)| if with_file { format!("{}:{line}", one_line(file)) } else { line.to_string() };
    let list = places.iter().take(MAX_PLACES).map(shown).collect::<Vec<_>>().join(", ");
    let more = match places.len().checked_sub(MAX_PLACES) {
        Some(more) if more > 0 => format!(" and {} more", count(more as u64)),
        Some(_) | None => String::new(),
    };
    let word = if with_file { "" } else { "line " };
    if places.is_empty() { String::new() } else { format!(" ({word}{list}{more})") }
}
