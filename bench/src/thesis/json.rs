//! The tables as JSON.

use super::experiments::{Band, Found};
use super::growth::Grown;
use super::measure::Measured;
use super::speed::{Case, Comparison, Ratio};
use serde_json::{Value, json};
use std::time::Duration;

/// Seconds, to a microsecond.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

fn run(measured: &Measured) -> Value {
    let counted = &measured.statistics;
    json!({
        "verdict": measured.verdict, "rounds": counted.rounds, "predicates": counted.predicates,
        "nodes": counted.nodes, "time_s": seconds(measured.time), "stopped": measured.late,
        "check_s": seconds(measured.check), "check_stopped": measured.unchecked,
    })
}

fn ratio(ratio: Ratio) -> Value {
    json!({ "value": ratio.value, "at_least": ratio.bound })
}

fn comparison(pair: &Comparison) -> Value {
    json!({
        "no_abstraction": run(&pair.none), "pushdown_cegar": run(&pair.cegar), "portfolio": run(&pair.portfolio),
        "abstraction_pays": pair.abstraction_pays(), "worse_by_better": ratio(pair.worse_by_better()),
        "portfolio_by_better": ratio(pair.portfolio_by_better()),
    })
}

/// An experiment.
#[must_use]
pub fn experiment(found: &Found) -> Value {
    let band = |band: Option<Band>| band.map(|band| json!({ "rounds": band.rounds, "predicates": band.predicates }));
    let rows = found.experiment.rows.iter().zip(&found.rows).map(|(row, measured)| {
        let mut value = run(measured);
        value["heuristic"] = json!(row.name);
        value["thesis"] = json!({ "rounds": row.printed[0], "predicates": row.printed[1], "time": row.printed[2] });
        value["band"] = json!(band(row.band));
        value["within"] = json!(row.band.map(|band| band.holds(measured)));
        value
    });
    json!({
        "name": found.experiment.name, "about": found.experiment.about, "rows": rows.collect::<Vec<_>>(),
        "comparison": comparison(&found.comparison), "holds": found.holds(),
    })
}

/// A comparison.
#[must_use]
pub fn speed(case: &Case, pair: &Comparison) -> Value {
    json!({ "name": case.name, "about": case.about, "comparison": comparison(pair) })
}

/// A curve.
#[must_use]
pub fn growth(grown: &Grown) -> Value {
    let point = |(size, measured): &(u32, Measured)| {
        let mut value = run(measured);
        value["size"] = json!(size);
        value["measured_s"] = json!(seconds(grown.curve.time(measured)));
        value
    };
    json!({
        "name": grown.curve.name, "about": grown.curve.about, "engine": grown.curve.engine,
        "points": grown.points.iter().map(point).collect::<Vec<_>>(), "exponent": grown.exponent(),
        "last_by_first": grown.factor(), "constant": grown.is_constant(), "holds": grown.holds(),
    })
}
