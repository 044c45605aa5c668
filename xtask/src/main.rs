//! Tasks that are longer than a test: `cargo xtask --help`.

mod answer;
mod asking;
mod c;
mod collection;
mod csmith;
mod fuzz;
mod hardware;
mod jobs;
mod laws;
mod machines;
mod mutate;
mod mutate_c;
mod mutate_systems;
mod programs;
mod questions;
mod replay;
mod results;
mod tasks;
mod tools;
mod torture;

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
    /// Run the command on Csmith's random programs, and compare it with GCC
    Csmith(csmith::Arguments),
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
    /// Ask about small random C programs, and compare with the compiled programs on all inputs
    Questions(questions::Arguments),
    /// Compile what the command calls unsafe among the C tasks of a collection, and run it
    Replay(replay::Arguments),
    /// Run the command on the C tasks of a collection
    Tasks(tasks::Arguments),
    /// Run the command on GCC's torture tests, both ways, and compare it with GCC
    Torture(torture::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().task {
        Task::C(arguments) => c::run(&arguments),
        Task::Csmith(arguments) => csmith::run(&arguments),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Hardware(arguments) => hardware::run(&arguments),
        Task::Laws(arguments) => laws::run(&arguments),
        Task::Machines(arguments) => machines::run(&arguments),
        Task::MutateC(arguments) => mutate_c::run(&arguments),
        Task::MutateSystems(arguments) => mutate_systems::run(&arguments),
        Task::Programs(arguments) => programs::run(&arguments),
        Task::Questions(arguments) => questions::run(&arguments),
        Task::Replay(arguments) => replay::run(&arguments),
        Task::Tasks(arguments) => tasks::run(&arguments),
        Task::Torture(arguments) => torture::run(&arguments),
    }
}
