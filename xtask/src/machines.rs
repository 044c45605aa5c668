//! `cargo xtask machines`: random transition systems against breadth-first search.

use std::process::ExitCode;
use std::time::Instant;
use tamis_fuzz::machines::compare::{Seen, examine};

/// How many systems, and where to start.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many systems to examine
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    systems: u64,
    /// The seed of the first system
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let start = Instant::now();
    let mut seen = Seen::default();
    for seed in arguments.seed..arguments.seed.saturating_add(arguments.systems) {
        if let Err(what) = examine(seed, &mut seen) {
            println!("seed {seed}: {what}\n`cargo xtask machines --seed {seed} --systems 1` shows it again");
            return ExitCode::FAILURE;
        }
        if (seed - arguments.seed + 1).is_multiple_of(1_000) {
            eprintln!("{:>6.0} s  {seen:?}", start.elapsed().as_secs_f64());
        }
    }
    println!("no contradiction: {seen:?}");
    ExitCode::SUCCESS
}
