//! `tamis engines`: the table of engines.

use crate::options::Engines;
use crate::output::{self, Exit};
use serde_json::{Value, json};
use tamis_engines::options::Row;
use tamis_engines::{ENGINES, Engine, by_name, help};
use tamis_report::json::line;

/// Runs the subcommand.
pub fn run(options: &Engines) -> Exit {
    let only = options.name.as_deref().and_then(by_name);
    let text = if options.json {
        let all = || ENGINES.iter().map(row).collect();
        line(&only.map_or_else(all, |only| vec![row(only)])) + "\n"
    } else {
        only.map_or_else(|| help::list(ENGINES), |only| help::page(only, ENGINES))
    };
    output::output(&text);
    Exit::Safe
}

fn row(engine: &Engine) -> Value {
    let Engine { name, aliases, about, paper, when, .. } = engine;
    let option = |Row { name, about, values, default }| json!({ "name": name, "about": about, "values": values, "default": default });
    let options: Vec<Value> = engine.options.rows().into_iter().map(option).collect();
    let races: Vec<&str> = engine.racers(ENGINES).iter().map(|racer| racer.name).collect();
    json!({ "name": name, "aliases": aliases, "about": about, "paper": paper, "when": when, "options": options, "races": races })
}
