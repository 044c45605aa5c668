//! A curve as JSON.

use super::Grown;
use crate::measure::Measured;
use crate::measure::json::{run, seconds};
use serde_json::{Value, json};

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
        "upper_exponent": grown.upper_exponent(), "factor_per_step": grown.step_factor(),
        "last_by_first": grown.factor(), "constant": grown.is_constant(), "holds": grown.holds(),
    })
}
