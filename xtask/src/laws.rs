//! `cargo xtask laws`: the laws of abstraction refinement on random systems.

use std::process::ExitCode;
use std::time::Instant;
use tamis_fuzz::laws::{Seen, examine};

/// How many systems, and where to start.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many systems to examine
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    systems: u64,
    /// The seed of the first system
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let start = Instant::now();
    let mut tally = Seen::default();
    for seed in arguments.seed..arguments.seed.saturating_add(arguments.systems) {
        if let Err(what) = examine(seed, &mut tally) {
            println!("seed {seed}: {what}\n`cargo xtask laws --seed {seed} --systems 1` shows it again");
            return ExitCode::FAILURE;
        }
        if (seed - arguments.seed + 1).is_multiple_of(1_000) {
            eprintln!("{:>6.0} s  {tally:?}", start.elapsed().as_secs_f64());
        }
    }
    println!("all laws hold: {tally:?}");
    ExitCode::SUCCESS
}
