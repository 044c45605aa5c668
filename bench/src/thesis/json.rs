//! The tables as JSON.

use super::effects::{EFFECTS, Effect};
use super::experiments::Found;
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
    let rows = found.judged().map(|(row, measured, outcome)| {
        let [rounds, predicates, time] = row.printed.cells;
        let mut value = run(measured);
        value["heuristic"] = json!(row.heuristic.name());
        value["options"] = json!(row.options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>());
        value["thesis"] = json!({ "rounds": rounds, "predicates": predicates, "time": time });
        value["outcome"] = json!(outcome.word());
        value["expected"] = json!(row.expected.word());
        value["why"] = json!(row.why);
        value["holds"] = json!(outcome == row.expected);
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

/// What the options bring.
#[must_use]
pub fn effect(effect: &Effect) -> Value {
    let changed = EFFECTS.iter().zip(&effect.changed);
    let changed = changed.map(|((name, value), measured)| (format!("{name}={value}"), run(measured)));
    json!({
        "experiment": effect.experiment, "heuristic": effect.heuristic.name(), "usual": run(&effect.usual),
        "changed": changed.collect::<serde_json::Map<String, Value>>(),
    })
}
