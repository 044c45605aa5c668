//! Tasks that are longer than a test: `cargo xtask --help`.

mod c;
mod collection;
mod fuzz;
mod hardware;
mod laws;
mod machines;
mod mutate;
mod mutate_c;
mod mutate_systems;
mod programs;
mod tasks;
mod tools;

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
    /// Run the command on circuits, beside other tools, and check its evidence independently
    Hardware(hardware::Arguments),
    /// Check the laws of abstraction refinement on random pushdown systems
    Laws(laws::Arguments),
    /// Compare the configurable framework with breadth-first search on random transition systems
    Machines(machines::Arguments),
    /// Give the C front end damaged programs
    MutateC(mutate_c::Arguments),
    /// Give the command damaged systems and automata
    MutateSystems(mutate_systems::Arguments),
    /// Run the command on C programs, beside other tools, and compare them
    Programs(programs::Arguments),
    /// Run the command on the C tasks of a collection
    Tasks(tasks::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::C(arguments) => c::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Hardware(arguments) => hardware::run(&arguments),
        Task::Laws(arguments) => laws::run(&arguments),
        Task::Machines(arguments) => machines::run(&arguments),
        Task::MutateC(arguments) => mutate_c::run(&arguments),
        Task::MutateSystems(arguments) => mutate_systems::run(&arguments),
        Task::Programs(arguments) => programs::run(&arguments),
        Task::Tasks(arguments) => tasks::run(&arguments),
    }
}
