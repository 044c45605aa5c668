//! What must hold of all runs together.

use super::{Measured, Model};
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
    /// The quickest configuration of the paper that solves the model.
    #[must_use]
    pub fn best(&self) -> Option<&Measured> {
        let of_paper = |engine: &str| self.model.printed.iter().any(|printed| printed.configuration == engine);
        let solved = self.runs.iter().filter(|run| run.solved() && of_paper(run.engine));
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

/// All claims.
#[must_use]
pub fn claims(rows: &[Row]) -> Vec<Claim> {
    let wrong = rows.iter().flat_map(|row| &row.runs).filter(|run| run.right == Some(false)).count();
    let mut claims = vec![Claim { text: format!("wrong verdicts: {wrong}"), holds: wrong == 0 }];
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

fn within(rows: &[Row], what: &str, limit: Duration, is: impl Fn(&Model) -> bool) -> Option<Claim> {
    let rows: Vec<&Row> = rows.iter().filter(|row| is(&row.model)).collect();
    let quick = rows.iter().filter(|row| row.best().is_some_and(|best| best.time <= limit)).count();
    let text = format!("{what} under {} s in some configuration: {quick} of {}", limit.as_secs(), rows.len());
    (!rows.is_empty()).then_some(Claim { text, holds: quick == rows.len() })
}
