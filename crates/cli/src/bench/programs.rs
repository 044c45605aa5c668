//! `tamis bench programs`: how the engines for C grow with the size of programs.

use super::options::{Programs, Sizes};
use super::teller::{Teller, curves};
use crate::options::Limits;
use crate::output::{Ending, Existing, Exit, check_target, write_file};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::trouble::{Manner, Trouble};
use std::sync::Arc;
use std::time::Duration;
use tamis_bench::growth::{Extent, plot::plot};
use tamis_bench::measure::Settings;
use tamis_bench::programs::CURVES;
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(options: Programs, colour: Colour) -> Exit {
    let manner = Manner { file: "bench programs".into(), json: options.json, colour };
    // Each run has its own limit of time; all of them together have none.
    let limits = Limits { time: Duration::MAX, memory: options.limits.memory };
    let work = move |job: &Job| growth(job, &options);
    supervise(limits, true, &Arc::new(Gauge::default()), work).end(&manner, |reason| Ending {
        err: format!("stopped: {reason}\n"),
        out: String::new(),
        exit: Exit::Unknown,
    })
}

fn growth(job: &Job, options: &Programs) -> Result<Ending, Trouble> {
    let existing = Existing::from_force(options.force);
    if let Some(file) = &options.plot {
        check_target(file, existing, &[])?;
    }
    let settings = Settings { budget: job.budget.clone(), time: options.limits.time };
    let extent = match options.sizes {
        Sizes::All => Extent::Full,
        Sizes::Small => Extent::Small,
    };
    let mut teller = Teller::new(options.json);
    let chosen = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    let grown = teller.growth(&settings, extent, CURVES.iter().filter(|curve| chosen(curve.name)));
    if let Some((file, picture)) = options.plot.as_deref().zip(plot(&grown)) {
        write_file(file, existing, &picture)?;
    }
    Ok(teller.end(job, curves(&grown)))
}
