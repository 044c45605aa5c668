//! Tasks that are longer than a test: `cargo xtask --help`.

mod fuzz;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Tasks of the Tamis workspace")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compare all engines with the interpreter, and with each other, on random programs
    Fuzz(fuzz::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::Fuzz(arguments) => fuzz::run(&arguments),
    }
}
