//! What must hold of all runs together.

use super::section_5::{self, CONFIGURATIONS};
use super::{Measured, Model, Printed, Variant, number};
use std::time::Duration;

/// The automatic choice.
pub const AUTOMATIC: &str = "configurable";

/// All runs on a model.
#[derive(Clone, Debug)]
pub struct Row {
    /// The model.
    pub model: Model,
    /// One run per configuration, and the automatic choice last.
    pub runs: Vec<Measured>,
}

impl Row {
    /// What is printed about a configuration.
    #[must_use]
    pub fn printed(&self, configuration: &str) -> Option<&Printed> {
        self.model.printed.iter().find(|cell| cell.configuration == configuration)
    }

    /// The run of a configuration.
    #[must_use]
    pub fn run(&self, configuration: &str, variant: Variant) -> Option<&Measured> {
        self.runs.iter().find(|run| run.engine == configuration && run.variant == variant)
    }

    /// The quickest configuration of the paper that solves the model.
    #[must_use]
    pub fn best(&self) -> Option<&Measured> {
        let solved = self.runs.iter().filter(|run| run.solved() && self.printed(run.engine).is_some());
        solved.min_by_key(|run| run.time)
    }

    /// The automatic choice's time over that of the best configuration.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let automatic = self.runs.iter().find(|run| run.engine == AUTOMATIC && run.solved())?;
        Some(automatic.time.as_secs_f64() / self.best()?.time.as_secs_f64().max(1e-4))
    }
}

/// A claim about the runs.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed, with the numbers.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

/// How much slower the automatic choice may be than the best configuration, and on how many of a
/// hundred models.
const RATIO: f64 = 1.5;
const PERCENT: usize = 80;

/// The limits of the best configuration: on every hardware model, and on the protocol with three
/// components.
const HARDWARE: Duration = Duration::from_secs(5);
const FISCHER: Duration = Duration::from_secs(2);

/// How far refinements and states, summed up by configuration, may be from the printed ones, in
/// either direction: another solver has other interpolants, but not another algorithm.
const BAND: f64 = 4.0;

/// All claims, on a machine that is so many times slower than the reference.
#[must_use]
pub fn claims(rows: &[Row], factor: f64) -> Vec<Claim> {
    let wrong = rows.iter().flat_map(|row| &row.runs).filter(|run| run.right == Some(false)).count();
    let mut claims = vec![Claim { text: format!("wrong verdicts: printed 0, here {wrong}"), holds: wrong == 0 }];
    for configuration in CONFIGURATIONS {
        claims.push(answered(rows, configuration));
        claims.push(in_time(rows, configuration, factor));
        claims.extend(counted(rows, configuration));
    }
    claims.extend(section_5::claims(rows));
    claims.extend(within(rows, "hardware models", HARDWARE, |model| model.table == "hardware"));
    claims.extend(within(rows, "models of Fischer's protocol with three components", FISCHER, |model| {
        model.name.starts_with("fischer-3")
    }));
    let near = rows.iter().filter(|row| row.ratio().is_some_and(|ratio| ratio <= RATIO)).count();
    claims.push(Claim {
        text: format!("the automatic choice is within {RATIO} of the paper's best on {near} of {} models", rows.len()),
        holds: near * 100 >= PERCENT * rows.len(),
    });
    claims
}

/// Every cell that the paper answers, we answer.
fn answered(rows: &[Row], configuration: &str) -> Claim {
    let printed: Vec<&Row> =
        rows.iter().filter(|row| row.printed(configuration).is_some_and(Printed::is_answered)).collect();
    let is_open = |row: &&&Row| !row.run(configuration, Variant::Default).is_some_and(Measured::solved);
    let open: Vec<&str> = printed.iter().filter(is_open).map(|row| row.model.name).collect();
    let missing = if open.is_empty() { String::new() } else { format!(", without {}", open.join(", ")) };
    let text =
        format!("{configuration}: answers printed {}, ours {}{missing}", printed.len(), printed.len() - open.len());
    Claim { text, holds: open.is_empty() }
}

/// The total time is at most the printed one on this machine. What is not answered counts as it took.
fn in_time(rows: &[Row], configuration: &str, factor: f64) -> Claim {
    let times = rows.iter().filter_map(|row| {
        let printed = number(row.printed(configuration)?.time)?;
        Some((printed, row.run(configuration, Variant::Default)?.time.as_secs_f64()))
    });
    let (printed, ours) = times.fold((0.0, 0.0), |sum, (printed, ours)| (sum.0 + printed, sum.1 + ours));
    let limit = printed * factor;
    let text =
        format!("{configuration}: total time printed {printed:.1} s, at most {limit:.1} s here, ours {ours:.1} s");
    Claim { text, holds: ours <= limit }
}

/// Refinements and states are those of the same algorithm.
fn counted(rows: &[Row], configuration: &str) -> Vec<Claim> {
    let total = |printed: fn(&Printed) -> &'static str, ours: fn(&Measured) -> u64| {
        let pairs = rows.iter().filter_map(|row| {
            let run = row.run(configuration, Variant::Paper).filter(|run| run.solved())?;
            Some((number(printed(row.printed(configuration)?))?, ours(run)))
        });
        pairs.fold((0.0, 0), |sum, (printed, ours)| (sum.0 + printed, sum.1 + ours))
    };
    let claim = |what: &str, (printed, ours): (f64, u64)| {
        #[allow(clippy::cast_precision_loss, reason = "they are counted one by one")]
        let share = ours as f64 / printed;
        let text = format!(
            "{configuration}: {what} as in the paper printed {printed}, here {ours} (from 1/{BAND} to {BAND} times as many)"
        );
        (printed > 0.0).then(|| Claim { text, holds: (1.0 / BAND..=BAND).contains(&share) })
    };
    let refinements = total(|cell| cell.refinements, |run| run.statistics.rounds);
    let states = total(|cell| cell.states, |run| run.statistics.states);
    [claim("refinements", refinements), claim("states", states)].into_iter().flatten().collect()
}

fn within(rows: &[Row], what: &str, limit: Duration, is: impl Fn(&Model) -> bool) -> Option<Claim> {
    let rows: Vec<&Row> = rows.iter().filter(|row| is(&row.model)).collect();
    let quick = rows.iter().filter(|row| row.best().is_some_and(|best| best.time <= limit)).count();
    let text = format!("{what} under {} s in some configuration: {quick} of {}", limit.as_secs(), rows.len());
    (!rows.is_empty()).then_some(Claim { text, holds: quick == rows.len() })
}
