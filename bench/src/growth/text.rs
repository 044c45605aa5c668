//! A curve as text.

use super::{Claim, Clock, Counts, Grown};
use crate::measure::text::{check_of, time, time_of};
use std::fmt::Write as _;

/// The lines of a curve.
#[must_use]
pub fn growth(grown: &Grown) -> String {
    let curve = grown.curve;
    let set = curve.options.iter().map(|(name, value)| format!(", {name}={value}"));
    let options = set.collect::<Vec<_>>().concat();
    let mut text = format!("{}: {} ({}{options})\n", curve.name, curve.about, curve.engine);
    let which = match curve.clock {
        Clock::Engine => "time",
        Clock::Loop | Clock::Refinement => "refinement",
        Clock::Checked => "with check",
    };
    let mut row = |cells: [&str; 6]| {
        let [size, rounds, predicates, states, time, check] = cells;
        writeln!(text, "{size:>10}{rounds:>8}{predicates:>12}{states:>9}{time:>12}{check:>12}")
            .expect("strings take any text");
    };
    row(["size", "rounds", "predicates", "states", which, "check"]);
    for (size, measured) in &grown.points {
        let counted = &measured.statistics;
        let clock = if measured.late { time_of(measured) } else { time(curve.time(measured)) };
        let numbers = [u64::from(*size), counted.rounds, counted.predicates, counted.states].map(|n| n.to_string());
        let [size, rounds, predicates, states] = &numbers;
        row([size, rounds, predicates, states, &clock, &check_of(measured)]);
    }
    for (_, measured) in grown.points.iter().filter(|(_, run)| !run.finished() && !run.late) {
        writeln!(text, "    not settled: {}", measured.verdict).expect("strings take any text");
    }
    let word = if grown.holds() { "ok" } else { "MISSED" };
    writeln!(text, "    {}: {word} ({})", found(grown), claims(grown)).expect("strings take any text");
    text
}

/// The numbers of a curve.
fn found(grown: &Grown) -> String {
    let number = |number: Option<f64>| number.map_or("-".into(), |number| format!("{number:.2}"));
    let constant = match (grown.is_constant(), grown.curve.counts) {
        (true, _) => "constant",
        (false, Counts::Constant) => "GROW",
        (false, Counts::Free) => "vary",
    };
    let growth = match grown.curve.claim {
        Claim::Factor(_) => format!("factor per step {}", number(grown.step_factor())),
        Claim::Power(_) | Claim::Flat(_) | Claim::Counts => {
            let (all, upper) = (number(grown.exponent()), number(grown.upper_exponent()));
            format!("exponent {all} (upper half {upper}), last/first {}", number(grown.factor()))
        }
    };
    format!("{growth}, rounds and predicates {constant}")
}

/// What must hold.
fn claims(grown: &Grown) -> String {
    let time = match grown.curve.claim {
        Claim::Power(most) => Some(format!("exponent at most {most}")),
        Claim::Flat(most) => Some(format!("last/first at most {most}")),
        Claim::Factor(least) => Some(format!("factor per step at least {least}")),
        Claim::Counts => None,
    };
    let counts = match grown.curve.counts {
        Counts::Constant => Some("constant".to_owned()),
        Counts::Free => None,
    };
    counts.into_iter().chain(time).collect::<Vec<_>>().join(", ")
}
