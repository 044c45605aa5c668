//! `tamis bench`: published experiments, run again on this machine. A file for each paper.

mod configurable;
mod thesis;

use crate::options::{Bench, Suite};
use crate::output::Exit;
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(options: Bench, colour: Colour) -> Exit {
    match options.suite {
        Suite::Thesis(options) => thesis::run(options, colour),
        Suite::Configurable(options) => configurable::run(options, colour),
    }
}
