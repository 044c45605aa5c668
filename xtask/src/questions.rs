//! `cargo xtask questions`: verdicts on small random C programs, against the compiled program on all
//! inputs.

use std::process::ExitCode;
use std::time::Instant;
use tamis_fuzz::c::questions::compare::{Asking, Report, compare};
use tamis_fuzz::c::questions::write::{PRELUDE, program};

/// Which programs.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many programs
    #[arg(long, value_name = "N", default_value_t = 1)]
    programs: u64,
    /// The seed of the first program
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Replay one of so many traces
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    replay: u64,
    /// Print the programs, and ask nothing
    #[arg(long)]
    print: bool,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let (first, end) = (arguments.seed, arguments.seed + arguments.programs);
    if arguments.print {
        (first..end).for_each(|seed| print!("{PRELUDE}{}", program(seed).print("")));
        return ExitCode::SUCCESS;
    }
    let (start, mut report) = (Instant::now(), Report::default());
    let asking = Asking { replay: arguments.replay, ..Asking::default() };
    for from in (first..end).step_by(200) {
        if let Err(why) = compare(from..(from + 200).min(end), asking, &mut report) {
            println!("from seed {from}: {why}");
            return ExitCode::FAILURE;
        }
        eprintln!("{:>6.0} s  {}", start.elapsed().as_secs_f64(), summary(&report));
    }
    println!("{}", summary(&report));
    for wrong in &report.wrong {
        println!("seed {}, asked about {:?}: {}\n{}", wrong.seed, wrong.asked, wrong.what, wrong.small);
    }
    if report.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn summary(report: &Report) -> String {
    let Report { programs, safe, violated, unknown, replayed, wrong } = report;
    format!(
        "{programs} programs: {safe} safe, {violated} violated, {unknown} unknown, {replayed} replayed, {} wrong",
        wrong.len()
    )
}
