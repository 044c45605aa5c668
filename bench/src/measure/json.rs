//! A run as JSON.

use super::Measured;
use serde_json::{Value, json};
use std::time::Duration;

/// Seconds, to a microsecond.
#[must_use]
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// A run.
#[must_use]
pub fn run(measured: &Measured) -> Value {
    let counted = &measured.statistics;
    json!({
        "verdict": measured.verdict, "rounds": counted.rounds, "predicates": counted.predicates,
        "states": counted.states, "nodes": counted.nodes, "time_s": seconds(measured.time), "stopped": measured.late,
        "check_s": seconds(measured.check), "check_stopped": measured.unchecked,
    })
}
