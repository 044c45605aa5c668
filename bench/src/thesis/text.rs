//! The tables as text.

use super::effects::{EFFECTS, Effect};
use super::experiments::{EXPERIMENTS, Found, Row};
use super::growth::CURVES;
use super::judge::{Outcome, Printed};
use super::speed::{Case, Comparison, Ratio};
use crate::measure::Measured;
use crate::measure::text::{check_of, time_of};
use std::fmt::Write as _;

/// The title line of the table of experiments, and what its words mean.
#[must_use]
pub fn title() -> String {
    let words = "held: at most the printed rounds and predicates, and more than half of them. better: at most half of \
                 either. worse: more of either.\n";
    let columns = ["rounds", "predicates", "time", "check"].map(String::from);
    words.to_owned() + &line("experiment", &columns, "verdict", "thesis", "judged")
}

fn line(name: &str, numbers: &[String; 4], verdict: &str, thesis: &str, judged: &str) -> String {
    let [rounds, predicates, time, check] = numbers;
    let text = format!("{name:<24}{rounds:>7}{predicates:>12}{time:>11}{check:>11}  {verdict:<8}{thesis:<28}{judged}");
    text.trim_end().to_owned() + "\n"
}

/// A ratio; behind `>` a lower bound.
#[must_use]
pub fn ratio(ratio: Ratio) -> String {
    let mark = if ratio.bound { ">" } else { "" };
    if ratio.value < 100.0 { format!("{mark}{:.2}x", ratio.value) } else { format!("{mark}{:.0}x", ratio.value) }
}

fn judged(row: &Row, measured: &Measured, outcome: Outcome) -> String {
    match (outcome == row.expected, outcome) {
        (true, Outcome::Held) => "held".into(),
        (true, _) => format!("{}: {}", outcome.word(), row.why),
        (false, Outcome::Unsettled) if measured.unchecked => format!("UNCHECKED (must be {})", row.expected.word()),
        (false, _) => format!("MISSED: {} (must be {})", outcome.word(), row.expected.word()),
    }
}

/// What the thesis prints; times in seconds have no unit there.
fn thesis(printed: &Printed) -> String {
    let [rounds, predicates, time] = printed.cells;
    let is_time = time.chars().any(|c| c.is_ascii_digit());
    format!("{rounds} / {predicates} / {time}{}", if is_time { " s" } else { "" })
}

fn short(verdict: &str) -> String {
    if verdict.len() > 7 { "unknown".into() } else { verdict.to_owned() }
}

/// The lines of an experiment.
#[must_use]
pub fn experiment(found: &Found) -> String {
    let mut text = format!("{}: {}\n", found.experiment.name, found.experiment.about);
    for (row, measured, outcome) in found.judged() {
        let name = format!("  {}", row.name());
        let judged = judged(row, measured, outcome);
        text.push_str(&line(&name, &counted(measured), &short(&measured.verdict), &thesis(&row.printed), &judged));
    }
    let pair = &found.comparison;
    for (name, measured, thesis) in [
        ("  no abstraction", &pair.none, thesis(&found.experiment.unabstracted)),
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

fn counted(measured: &Measured) -> [String; 4] {
    let counted = &measured.statistics;
    [counted.rounds.to_string(), counted.predicates.to_string(), time_of(measured), check_of(measured)]
}

/// What the options bring, with each row's usual numbers in front.
#[must_use]
pub fn effect(effect: &Effect) -> String {
    let mut text = format!("  {} {}: ", effect.experiment, effect.heuristic.name());
    let cell = |measured: &Measured| {
        let counted = &measured.statistics;
        format!("{} / {} / {}", counted.rounds, counted.predicates, time_of(measured))
    };
    text.push_str(&cell(&effect.usual));
    for ((name, value), measured) in EFFECTS.iter().zip(&effect.changed) {
        write!(text, "; {name}={value} {}", cell(measured)).expect("strings take any text");
    }
    text + "\n"
}

/// The title of what the options bring.
#[must_use]
pub fn effect_title() -> String {
    "what options bring: rounds / predicates / time\n".into()
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
