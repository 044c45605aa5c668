//! `tamis engines`: the table of engines.

use crate::options::Engines;
use crate::output::{self, Exit};
use serde_json::json;
use std::fmt::Write as _;
use tamis_engines::{ENGINES, Engine};
use tamis_report::json::line;

/// Runs the subcommand.
pub fn run(options: &Engines) -> Exit {
    let chosen: Vec<&Engine> =
        ENGINES.iter().filter(|engine| options.name.as_ref().is_none_or(|name| name == engine.name)).collect();
    let text = if options.json {
        let row = |engine: &&Engine| json!({ "name": engine.name, "about": engine.about, "paper": engine.paper, "when": engine.when });
        line(&chosen.iter().map(row).collect::<Vec<_>>()) + "\n"
    } else {
        let rows: Vec<String> = chosen.iter().map(|engine| row(engine)).collect();
        rows.join("\n")
    };
    output::output(&text);
    Exit::Safe
}

fn row(engine: &Engine) -> String {
    let fields = [("", engine.about), ("when", engine.when), ("paper", engine.paper)];
    let mut text = format!("{}\n", engine.name);
    for (field, value) in fields {
        let head = if field.is_empty() { String::new() } else { format!("{field}: ") };
        let _ = writeln!(text, "    {head}{value}");
    }
    text
}
