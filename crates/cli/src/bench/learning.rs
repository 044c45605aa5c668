//! `tamis bench learning`: the families of TRACER's figures, with learning and refinement side by side.

use super::options::{Learning, Sizes};
use super::teller::{Teller, curves};
use crate::options::Limits;
use crate::output::{Ending, Exit};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::trouble::Manner;
use std::sync::Arc;
use std::time::Duration;
use tamis_bench::growth::Extent;
use tamis_bench::learning::CURVES;
use tamis_bench::measure::Settings;
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(options: Learning, colour: Colour) -> Exit {
    let manner = Manner { file: "bench learning".into(), json: options.json, colour };
    // Each run has its own limit of time; all of them together have none.
    let limits = Limits { time: Duration::MAX, memory: options.limits.memory };
    let work = move |job: &Job| Ok(growth(job, &options));
    supervise(limits, true, &Arc::new(Gauge::default()), work).end(&manner, |reason| Ending {
        err: format!("stopped: {reason}\n"),
        out: String::new(),
        exit: Exit::Unknown,
    })
}

fn growth(job: &Job, options: &Learning) -> Ending {
    let settings = Settings { budget: job.budget.clone(), time: options.limits.time };
    let extent = match options.sizes {
        Sizes::All => Extent::Full,
        Sizes::Small => Extent::Small,
    };
    let mut teller = Teller::new(options.json);
    let chosen = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    let grown = teller.growth(&settings, extent, CURVES.iter().filter(|curve| chosen(curve.name)));
    teller.end(job, curves(&grown))
}
