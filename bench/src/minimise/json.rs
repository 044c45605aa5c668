//! The table as JSON.

use super::judge::{Claim, Row};
use super::{WAYS, printed};
use serde_json::{Value, json};

/// A program with its runs.
#[must_use]
pub fn row(row: &Row) -> Value {
    let run = |run: &super::Measured| {
        let way = WAYS.iter().find(|way| way.name == run.way);
        let paper = way.zip(row.task.printed).and_then(|(way, name)| printed(name, way));
        json!({
            "select": run.way,
            "verdict": run.verdict,
            "right": run.right,
            "rounds": run.rounds,
            "expressions": run.needed.expressions,
            "predicates": run.needed.predicates,
            "branches": run.needed.branches,
            "candidates": run.needed.candidates,
            "time_s": run.time.as_secs_f64(),
            "memory": run.memory,
            "printed": paper.map(|cell| json!([cell.time, cell.rounds, cell.predicates, cell.memory])),
        })
    };
    json!({
        "program": row.task.name,
        "safe": row.task.safe,
        "printed": row.task.printed,
        "runs": row.runs.iter().map(run).collect::<Vec<_>>(),
    })
}

/// A claim.
#[must_use]
pub fn claim(claim: &Claim) -> Value {
    json!({ "claim": claim.text, "holds": claim.holds })
}
