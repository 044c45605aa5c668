//! `tamis bench`: published experiments, run again on this machine, and how times grow. A file
//! for each suite; [`teller`] tells results.

mod configurable;
mod learning;
mod minimise;
pub mod options;
mod programs;
mod teller;
mod thesis;

use crate::output::Exit;
use options::{Bench, Suite};
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(options: Bench, colour: Colour) -> Exit {
    match options.suite {
        Suite::Thesis(options) => thesis::run(options, colour),
        Suite::Configurable(options) => configurable::run(options, colour),
        Suite::Minimise(options) => minimise::run(options, colour),
        Suite::Programs(options) => programs::run(options, colour),
        Suite::Learning(options) => learning::run(options, colour),
    }
}
