//! The tables as JSON.

use super::judge::{Claim, Row};
use serde_json::{Value, json};

/// A model with its runs.
#[must_use]
pub fn row(row: &Row) -> Value {
    let run = |run: &super::Measured| {
        let printed = row.printed(run.engine);
        json!({
            "engine": run.engine,
            "set_as": run.variant.name(),
            "verdict": run.verdict,
            "right": run.right,
            "refinements": run.statistics.rounds,
            "predicates": run.statistics.predicates,
            "states": run.statistics.states,
            "time_s": run.time.as_secs_f64(),
            "check_s": run.check.as_secs_f64(),
            "printed": printed.map(|cell| json!([cell.time, cell.refinements, cell.states])),
        })
    };
    json!({
        "table": row.model.table,
        "model": row.model.name,
        "safe": row.model.safe,
        "runs": row.runs.iter().map(run).collect::<Vec<_>>(),
        "ratio": row.ratio(),
    })
}

/// A claim.
#[must_use]
pub fn claim(claim: &Claim) -> Value {
    json!({ "claim": claim.text, "holds": claim.holds })
}
