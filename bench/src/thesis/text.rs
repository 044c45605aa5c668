//! The tables as text.

use super::experiments::{Band, EXPERIMENTS, Found};
use super::growth::CURVES;
use super::speed::{Case, Comparison, Ratio};
use crate::measure::Measured;
use crate::measure::text::{check_of, time_of};
use std::fmt::Write as _;

/// The title line of the table of experiments.
#[must_use]
pub fn title() -> String {
    line("experiment", &["rounds", "predicates", "time", "check"].map(String::from), "verdict", "thesis", "band")
}

fn line(name: &str, numbers: &[String; 4], verdict: &str, thesis: &str, band: &str) -> String {
    let [rounds, predicates, time, check] = numbers;
    let text = format!("{name:<22}{rounds:>7}{predicates:>12}{time:>11}{check:>11}  {verdict:<8}{thesis:<18}{band}");
    text.trim_end().to_owned() + "\n"
}

/// A ratio; behind `>` a lower bound.
#[must_use]
pub fn ratio(ratio: Ratio) -> String {
    let mark = if ratio.bound { ">" } else { "" };
    if ratio.value < 100.0 { format!("{mark}{:.2}x", ratio.value) } else { format!("{mark}{:.0}x", ratio.value) }
}

fn band(band: Option<Band>, measured: &Measured) -> String {
    let Some(band) = band else { return String::new() };
    let most = band.predicates.map_or(String::new(), |most| format!(" / {most}"));
    let word = match (band.holds(measured), band.counts(measured) && measured.unchecked) {
        (true, _) => "ok",
        (false, true) => "UNCHECKED",
        (false, false) => "MISSED",
    };
    format!("{word} (at most {}{most})", band.rounds)
}

fn short(verdict: &str) -> String {
    if verdict.len() > 7 { "unknown".into() } else { verdict.to_owned() }
}

/// The lines of an experiment.
#[must_use]
pub fn experiment(found: &Found) -> String {
    let mut text = format!("{}: {}\n", found.experiment.name, found.experiment.about);
    for (row, measured) in found.experiment.rows.iter().zip(&found.rows) {
        let counted = &measured.statistics;
        let numbers =
            [counted.rounds.to_string(), counted.predicates.to_string(), time_of(measured), check_of(measured)];
        let (name, thesis) = (format!("  {}", row.name), row.printed.join(" / "));
        text.push_str(&line(&name, &numbers, &short(&measured.verdict), &thesis, &band(row.band, measured)));
    }
    let pair = &found.comparison;
    for (name, measured, thesis) in [
        ("  no abstraction", &pair.none, format!("- / - / {}", found.experiment.unabstracted)),
        ("  portfolio", &pair.portfolio, String::new()),
    ] {
        let numbers = ["-".into(), "-".into(), time_of(measured), check_of(measured)];
        text.push_str(&line(name, &numbers, &short(&measured.verdict), &thesis, ""));
    }
    text.push_str(&ratios(pair));
    let bad = found.rows.iter().chain([&pair.none, &pair.portfolio]).filter(|measured| !measured.safe);
    for measured in bad.filter(|measured| !measured.late && !measured.unchecked) {
        writeln!(text, "    not settled: {}", measured.verdict).expect("strings take any text");
    }
    text
}

fn ratios(pair: &Comparison) -> String {
    if !pair.none.finished() && !pair.cegar.finished() {
        return "    neither came to an answer\n".into();
    }
    let who = if pair.abstraction_pays() { "abstraction pays" } else { "abstraction costs" };
    let (worse, race) = (ratio(pair.worse_by_better()), ratio(pair.portfolio_by_better()));
    format!("    {who}: worse/better {worse}, portfolio/better {race}\n")
}

/// The title line of the table of speed.
#[must_use]
pub fn speed_title() -> String {
    format!("{:<46}{:>16}{:>16}{:>16}\n", "speed", "no abstraction", "pushdown-cegar", "portfolio")
}

/// The lines of a comparison.
#[must_use]
pub fn speed(case: &Case, pair: &Comparison) -> String {
    let times = [&pair.none, &pair.cegar, &pair.portfolio];
    let row = |name: &str, cells: [String; 3]| format!("{name:<46}{:>16}{:>16}{:>16}\n", cells[0], cells[1], cells[2]);
    let mut text = row(case.about, times.map(time_of));
    text.push_str(&row("    check", times.map(check_of)));
    text.push_str(&ratios(pair));
    for measured in times.into_iter().filter(|measured| !measured.finished() && !measured.late) {
        writeln!(text, "    not settled: {}", measured.verdict).expect("strings take any text");
    }
    text
}

/// The names of the curves and experiments, for help.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
    for curve in CURVES {
        if !names.contains(&curve.name) {
            names.push(curve.name);
        }
    }
    names
}
