//! The command line of Tamis.
//!
//! Files in order of reading: [`options`] (what can be asked for) with [`quantity`] (its
//! numbers), [`languages`] (what can be chosen about languages) and [`misuse`] (what does not go together), then a file for each subcommand: [`verify`], [`check`], [`engines`],
//! [`translate`], [`mod@bench`]. They share [`task`] (files that stand for options), [`load`] (from
//! files to a program and a question) with [`properties`] and [`tracked`] (what it has), [`input`] (reading files), [`outside`]
//! (what languages are lent before they read), [`replay`] (C that is compiled and run) and [`leash`] (what both start), [`supervise`] (the work on its own thread, within limits) with
//! [`progress`] and [`memory`], [`album`] (the folder of `--report`), [`precision`] (what runs leave to each other), [`trouble`] (what can go wrong before a verdict) and [`output`] (streams,
//! files, exit codes).

mod album;
mod bench;
mod check;
mod engines;
mod hardware;
mod input;
mod languages;
mod leash;
mod load;
mod memory;
mod misuse;
mod options;
mod output;
mod outside;
mod precision;
mod progress;
mod properties;
mod quantity;
mod replay;
mod supervise;
mod task;
mod tracked;
mod translate;
mod trouble;
mod verify;

use cap::Cap;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use options::{Cli, Command};
use output::Exit;
use std::alloc::System;

/// Counts every byte that is allocated. The limit of `--memory` is not set here, because an
/// allocation that fails would end the process without a verdict: engines look at the count,
/// and [`supervise`] does where they do not.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// How many bytes are allocated now, by us and by Z3, which has an allocator of its own.
fn allocated() -> u64 {
    ALLOCATOR.allocated() as u64 + tamis_solver::z3::allocated()
}

/// The most bytes that were allocated at any time.
fn most_allocated() -> u64 {
    ALLOCATOR.max_allocated() as u64
}

fn main() {
    supervise::catch_panics();
    let exit = std::panic::catch_unwind(run).unwrap_or_else(|_| supervise::panicked().report(None));
    // No destructors: freeing gigabytes one by one would only delay the end.
    std::process::exit(exit.code());
}

/// Reads the command line.
fn parse() -> Result<Cli, clap::Error> {
    let cli = Cli::try_parse()?;
    match &cli.command {
        Command::Verify(options) => match options.misuse() {
            Some(misuse) => Err(Cli::command().error(ErrorKind::ArgumentConflict, misuse)),
            None => Ok(cli),
        },
        Command::Check(_) | Command::Engines(_) | Command::Translate(_) | Command::Bench(_) => Ok(cli),
    }
}

fn run() -> Exit {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Safe };
            // Whoever closed the stream does not want the text.
            let _ = error.print();
            return exit;
        }
    };
    let colour = cli.color.resolve();
    match cli.command {
        Command::Verify(options) => verify::run(*options, colour),
        Command::Check(options) => check::run(options, colour),
        Command::Engines(options) => engines::run(&options),
        Command::Translate(options) => translate::run(options, colour),
        Command::Bench(options) => bench::run(options, colour),
    }
}
