//! Tasks that are longer than a test: `cargo xtask --help`.

mod c;
mod fuzz;
mod laws;
mod mutate_c;
mod tasks;

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
    /// Compare the C front end with a compiler on random programs
    C(c::Arguments),
    /// Compare all engines with the interpreter, and with each other, on random programs
    Fuzz(fuzz::Arguments),
    /// Check the laws of abstraction refinement on random pushdown systems
    Laws(laws::Arguments),
    /// Give the C front end damaged programs
    MutateC(mutate_c::Arguments),
    /// Run the command on the C tasks of a collection
    Tasks(tasks::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::C(arguments) => c::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Laws(arguments) => laws::run(&arguments),
        Task::MutateC(arguments) => mutate_c::run(&arguments),
        Task::Tasks(arguments) => tasks::run(&arguments),
    }
}
