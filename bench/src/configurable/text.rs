//! The tables as text.

use super::judge::{Claim, Row};
use super::{Measured, Printed};
use std::fmt::Write as _;

/// The title line.
#[must_use]
pub fn title() -> String {
    let printed = "printed: time, refinements, states";
    format!(
        "{:<22}{:<20}{:<7}{:<9}{:>9}{:>7}{:>8}{:>9}   {printed}\n",
        "model", "configuration", "set as", "verdict", "time", "ref.", "states", "check"
    )
}

/// The lines of a model.
#[must_use]
pub fn row(row: &Row) -> String {
    let mut text = String::new();
    let best = row.best().map(|run| (run.engine, run.variant));
    for (at, run) in row.runs.iter().enumerate() {
        let name = if at == 0 { row.model.name } else { "" };
        let printed = row.printed(run.engine);
        let mark = if best == Some((run.engine, run.variant)) { "*" } else { " " };
        let Measured { statistics, time, check, .. } = run;
        let _ = writeln!(
            text,
            "{name:<22}{:<19}{mark}{:<7}{:<9}{:>8.3}s{:>7}{:>8}{:>8.3}s   {}",
            run.engine,
            run.variant.name(),
            verdict(run),
            time.as_secs_f64(),
            statistics.rounds,
            statistics.states,
            check.as_secs_f64(),
            printed.map(cell).unwrap_or_default(),
        );
    }
    if let Some(ratio) = row.ratio() {
        let _ = writeln!(text, "{:<22}automatic choice: {ratio:.2} times the best of the paper's", "");
    }
    text
}

fn verdict(run: &Measured) -> &str {
    match run.right {
        Some(true) => &run.verdict,
        Some(false) => "WRONG",
        None if run.verdict == "out of time" => "time",
        None => "unknown",
    }
}

fn cell(printed: &Printed) -> String {
    match printed {
        Printed { time: "", .. } => "not run".into(),
        Printed { time: "-", .. } => "out of time".into(),
        Printed { time, refinements, states, .. } => format!("{time} s, {refinements}, {states}"),
    }
}

/// How fast the machine is.
#[must_use]
pub fn machine(factor: f64) -> String {
    format!("this machine takes {factor:.2} times as long as the reference for the printed times\n\n")
}

/// A claim and whether it holds.
#[must_use]
pub fn claim(claim: &Claim) -> String {
    format!("{} {}\n", if claim.holds { "ok    " } else { "MISSED" }, claim.text)
}
