//! `tamis engines`: the table of engines.

use crate::options::Engines;
use crate::output::{self, Exit};
use serde_json::json;
use std::fmt::Write as _;
use tamis_engines::{ENGINES, Engine, Takes};
use tamis_report::json::line;
use tamis_solver::interpolation::SOURCES;

/// Runs the subcommand.
pub fn run(options: &Engines) -> Exit {
    let chosen: Vec<&Engine> =
        ENGINES.iter().filter(|engine| options.name.as_ref().is_none_or(|name| name == engine.name)).collect();
    let text = if options.json {
        let row = |engine: &&Engine| json!({ "name": engine.name, "about": engine.about, "paper": engine.paper, "when": engine.when });
        line(&chosen.iter().map(row).collect::<Vec<_>>()) + "\n"
    } else {
        let mut text = chosen.iter().map(|engine| row(engine)).collect::<Vec<_>>().join("\n");
        if let [only] = chosen[..] {
            text.push_str(&parts(only));
        }
        text
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

/// What `--with` can exchange, and who finds interpolants.
fn parts(engine: &Engine) -> String {
    let parts = engine.parts();
    if parts.is_empty() {
        return String::new();
    }
    let mut text = "\nparts to exchange with --with NAME=VALUE,...:\n".to_owned();
    for (name, about, values) in parts {
        let _ = writeln!(text, "    {name:<10} {about}: {values}");
    }
    if engine.takes != Takes::Systems {
        return text;
    }
    text.push_str("\nsources of interpolants:\n");
    for source in SOURCES {
        let _ = writeln!(text, "    {:<18} {}", source.name, source.about);
    }
    text
}
