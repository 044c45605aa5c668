//! The table as text: a line for each run, with the paper's numbers at its end.

use super::judge::{Claim, Row};
use super::{Measured, WAYS, printed};
use std::fmt::Write as _;

/// The names of the columns.
#[must_use]
pub fn title() -> String {
    format!(
        "{:<20} {:<11} {:>9} {:>7} {:>12} {:>8}  {:<24} {}\n",
        "program",
        "select",
        "time",
        "rounds",
        "predicates",
        "memory",
        "verdict",
        "the paper's: time, rounds, predicates, memory"
    )
}

/// A program.
#[must_use]
pub fn row(row: &Row) -> String {
    let mut text = String::new();
    for run in &row.runs {
        let paper = WAYS
            .iter()
            .find(|way| way.name == run.way)
            .zip(row.task.printed)
            .and_then(|(way, name)| printed(name, way).map(|cell| (name, cell)));
        let paper = paper.map_or_else(String::new, |(name, cell)| {
            format!("{name}: {} s, {}, {}, {} MB", cell.time, cell.rounds, cell.predicates, cell.memory)
        });
        let line = format!("{:<20} {} {paper}", row.task.name, cells(run));
        writeln!(text, "{}", line.trim_end()).expect("strings take any text");
    }
    text
}

fn cells(run: &Measured) -> String {
    let needed = &run.needed;
    let predicates = format!("{}/{}/{}", needed.expressions, needed.predicates, needed.branches);
    let megabytes = run.memory / (1 << 20);
    let seconds = run.time.as_secs_f64();
    format!(
        "{:<11} {seconds:>7.2} s {:>7} {predicates:>12} {megabytes:>5} MB  {:<24}",
        run.way, run.rounds, run.verdict
    )
}

/// A claim.
#[must_use]
pub fn claim(claim: &Claim) -> String {
    format!("{} {}\n", if claim.holds { "holds " } else { "MISSED" }, claim.text)
}
