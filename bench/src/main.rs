//! Throughput of the parts, measured on generated input: `tamis-bench [SUITE ...] [--against FILE]`.
//!
//! A suite is one file and one row of [`SUITES`]. The input comes from a fixed seed, so two
//! runs do the same work and their tables can be compared line by line.

mod frontends;
mod interpolation;
mod table;
mod term;

use std::process::ExitCode;
use table::Table;

/// A group of measurements.
struct Suite {
    name: &'static str,
    about: &'static str,
    run: fn(&mut Table),
}

const SUITES: &[Suite] = &[
    Suite { name: "term", about: "building, evaluating, printing and reading terms", run: term::run },
    Suite { name: "frontends", about: "from text to programs, by language", run: frontends::run },
    Suite { name: "interpolation", about: "which source of interpolants answers what", run: interpolation::run },
];

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}\n\nusage: tamis-bench [SUITE ...] [--against FILE]");
            for suite in SUITES {
                eprintln!("  {:<12} {}", suite.name, suite.about);
            }
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: impl Iterator<Item = String>) -> Result<(), String> {
    let mut chosen: Vec<&Suite> = Vec::new();
    let mut before = None;
    while let Some(arg) = args.next() {
        if arg == "--against" {
            let path = args.next().ok_or("--against needs the output of an earlier run")?;
            before = Some(std::fs::read_to_string(&path).map_err(|error| format!("cannot read {path}: {error}"))?);
        } else {
            let suite = SUITES.iter().find(|suite| suite.name == arg);
            chosen.push(suite.ok_or_else(|| format!("there is no suite {arg}"))?);
        }
    }
    if chosen.is_empty() {
        chosen.extend(SUITES);
    }
    let mut table = Table::new(before.as_deref().unwrap_or_default());
    for suite in chosen {
        (suite.run)(&mut table);
    }
    Ok(())
}
