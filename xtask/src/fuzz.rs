//! `cargo xtask fuzz`: a campaign of random programs. A failure ends as a small `.rem` file.

use std::process::ExitCode;
use std::time::{Duration, Instant};
use tamis_engines::ENGINES;
use tamis_frontends::remopla::print::to_remopla;
use tamis_fuzz::campaign::{Counts, Failure, campaign};
use tamis_fuzz::compare::everything;
use tamis_fuzz::generate;
use tamis_term::Terms;

/// How long to run, and where to start.
#[derive(clap::Args)]
pub struct Arguments {
    /// Stop after this many minutes
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Stop after this many programs
    #[arg(long, value_name = "N")]
    programs: Option<u64>,
    /// The seed of the first program; without a bound, only that one runs
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Print the program of the seed, and compare nothing
    #[arg(long, conflicts_with_all = ["minutes", "programs"])]
    show: bool,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    if arguments.show {
        return show(arguments.seed);
    }
    let start = Instant::now();
    let deadline = arguments.minutes.map(|minutes| Duration::from_secs(60 * minutes));
    // With no bound at all, one program: the one whose seed was given.
    let programs = arguments.programs.or(if deadline.is_none() { Some(1) } else { None });
    let go_on = |counts: &Counts| {
        if counts.programs > 0 && counts.programs.is_multiple_of(5_000) {
            eprintln!("{:>6.0} s  {}", start.elapsed().as_secs_f64(), summary(counts));
        }
        deadline.is_none_or(|limit| start.elapsed() < limit) && programs.is_none_or(|limit| counts.programs < limit)
    };
    match campaign(arguments.seed.., &everything(ENGINES), go_on) {
        Ok(counts) => {
            println!("no disagreement: {}", summary(&counts));
            ExitCode::SUCCESS
        }
        Err(failure) => {
            report(&failure);
            ExitCode::FAILURE
        }
    }
}

/// Prints a program, such as one on which an engine hangs.
fn show(seed: u64) -> ExitCode {
    let mut terms = Terms::new();
    let program = generate::program(&mut terms, seed);
    match to_remopla(&terms, &program) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("it cannot be written as Remopla: {why}");
            ExitCode::FAILURE
        }
    }
}

fn summary(counts: &Counts) -> String {
    let tally = counts.tally;
    format!(
        "{} programs ({} safe, {} violated, {} given up; {} decided by the interpreter alone), {} corruptions refused",
        counts.programs, tally.safe, tally.violated, tally.unknown, tally.searched, counts.refused
    )
}

fn report(failure: &Failure) {
    println!("seed {}: {}", failure.seed, failure.what);
    println!("shrunk: {}", failure.shrunk_what);
    match to_remopla(&failure.terms, &failure.shrunk) {
        Ok(text) => {
            let file = format!("fuzz-{}.rem", failure.seed);
            match std::fs::File::create_new(&file)
                .and_then(|mut out| std::io::Write::write_all(&mut out, text.as_bytes()))
            {
                Ok(()) => println!("written to {file}; keep it in tests/corpus once the cause is mended"),
                Err(error) => println!("{file} cannot be written ({error}):\n{text}"),
            }
        }
        Err(why) => println!("it cannot be written as Remopla ({why}): {:#?}", failure.shrunk.procs),
    }
}
