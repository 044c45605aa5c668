//! Results, told as they come: tables at once, JSON in the end.

use crate::output::{self, Ending, Exit};
use crate::supervise::Job;
use serde_json::{Value, json};
use tamis_bench::growth::{Curve, Extent, Grown, json as object, text};
use tamis_bench::measure::Settings;
use tamis_report::json::line;

/// Who tells.
pub struct Teller {
    pub json: bool,
    /// Whether everything holds so far.
    pub holds: bool,
}

impl Teller {
    pub fn new(json: bool) -> Teller {
        Teller { json, holds: true }
    }

    /// Tells something that JSON will have in the end.
    pub fn tell(&self, text: &str) {
        if !self.json {
            output::output(text);
        }
    }

    /// Measures curves.
    pub fn growth(
        &mut self,
        settings: &Settings,
        extent: Extent,
        curves: impl Iterator<Item = &'static Curve>,
    ) -> Vec<Grown> {
        let measure = |curve: &'static Curve| {
            let grown = curve.run(settings, extent);
            self.holds &= grown.holds();
            self.tell(&text::growth(&grown));
            grown
        };
        curves.map(measure).collect()
    }

    /// The last word, and the exit code.
    pub fn end(mut self, job: &Job, mut result: Value) -> Ending {
        let interrupted = job.budget.check().is_err();
        self.holds &= !interrupted;
        result["holds"] = json!(self.holds);
        let out = if self.json {
            line(&result) + "\n"
        } else {
            let word = match (self.holds, interrupted) {
                (_, true) => "stopped: what is shown is not complete",
                (true, false) => "all bands hold",
                (false, false) => "a band is missed",
            };
            format!("\n{word}\n")
        };
        Ending { err: String::new(), out, exit: if self.holds { Exit::Safe } else { Exit::Unknown } }
    }
}

/// Curves as JSON.
pub fn curves(grown: &[Grown]) -> Value {
    json!({ "growth": grown.iter().map(object::growth).collect::<Vec<Value>>() })
}
