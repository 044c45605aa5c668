//! The tables as JSON.

use super::experiments::{Band, Found};
use super::speed::{Case, Comparison, Ratio};
use crate::measure::json::run;
use serde_json::{Value, json};

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
