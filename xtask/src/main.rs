//! Tasks that are longer than a test: `cargo xtask --help`.

mod fuzz;
mod laws;

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
    /// Check the laws of abstraction refinement on random pushdown systems
    Laws(laws::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Laws(arguments) => laws::run(&arguments),
    }
}
