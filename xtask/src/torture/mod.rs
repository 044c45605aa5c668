//! `cargo xtask torture`: the command `tamis` on GCC's torture tests.
//!
//! Evidence is checked on the program as lowered, so a wrong lowering confirms itself. These are
//! programs that compilers got wrong; each aborts if its compiler does. Each is asked both ways:
//! whether it can fail, which it never does, and, with its end turned into the error, whether it
//! can end well, which it always does. The truth is what GCC's program does here.
//!
//! Files: `suite` (the programs), `directives` (what they ask of the compiler), `wrapper` (how a
//! program becomes a question), `truth` (whether GCC confirms it), `sanitizers` (questions about
//! memory and overflow), `reviewed` (wrong verdicts that stay).

mod directives;
mod reviewed;
mod sanitizers;
mod suite;
mod truth;
mod wrapper;

use crate::asking::{Asking, NO_ERROR, Question};
use crate::results::{Mark, Row};
use sanitizers::Safety;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use suite::Program;
use wrapper::Way;

/// Which tests, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only tests whose name has this in it
    #[arg(long, value_name = "NAME", default_value = "")]
    filter: String,
    /// Only every N-th test
    #[arg(long, value_name = "N", default_value = "1")]
    every: std::num::NonZeroUsize,
    /// Ask about memory and overflow, beside the sanitizers
    #[arg(long)]
    memory: bool,
    /// Where the tests are, or are unpacked to
    #[arg(long, value_name = "DIR", default_value = "target/torture")]
    suite: PathBuf,
    #[command(flatten)]
    asking: Asking,
}

/// Runs the task.
pub fn run(arguments: &Arguments) -> ExitCode {
    match campaign(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

fn campaign(arguments: &Arguments) -> Result<bool, String> {
    let mut programs = suite::programs(&arguments.suite)?;
    programs.retain(|program| program.name.contains(&arguments.filter));
    let programs: Vec<Program> = programs.into_iter().step_by(arguments.every.get()).collect();
    let ask = if arguments.memory { about_memory } else { both_ways };
    arguments.asking.about(&programs, |program, room| {
        let rows = ask(&arguments.asking, program, room);
        rows.into_iter().map(|(word, row)| settled(program, word, row)).collect()
    })
}

/// A question's word, and what came of it, or why it is not asked.
type Asked = Vec<(&'static str, Result<Row, String>)>;

/// Whether a test can fail, and whether it can end well.
fn both_ways(asking: &Asking, program: &Program, room: &Path) -> Asked {
    let ask = |way: Way| {
        let files = truth::confirmed(program, way, room)?;
        let question = Question { word: way.word(), files: &files, formula: NO_ERROR, expected: way.expected() };
        let tell = |command: &mut Command| {
            preprocess_as_asked(command, program);
            command.args(way.macros());
        };
        asking.judge(&program.name, &question, tell, room)
    };
    Way::ALL.map(|way| (way.word(), ask(way))).into()
}

/// Whether a test's accesses and sums are as good as the sanitizers find them.
fn about_memory(asking: &Asking, program: &Program, room: &Path) -> Asked {
    let report = sanitizers::report(program, room);
    let ask = |safety: Safety| {
        let expected = report.as_ref().map_err(Clone::clone)?.expected(safety)?;
        let question = Question { word: safety.word(), files: &program.files, formula: safety.formula(), expected };
        asking.judge(&program.name, &question, |command| preprocess_as_asked(command, program), room)
    };
    Safety::ALL.map(|safety| (safety.word(), ask(safety))).into()
}

/// Tamis preprocesses with the options that a test asks for. A macro makes it do so also where
/// there are no directives, since tests rely on those that GCC defines.
fn preprocess_as_asked(command: &mut Command, program: &Program) {
    let compiler = [&[truth::COMPILER.to_owned()], program.options.as_slice()].concat();
    command.env("CC", compiler.join(" ")).arg("-DTORTURE");
}

/// The row of a question, also if it was not asked.
fn settled(program: &Program, word: &'static str, row: Result<Row, String>) -> Row {
    let mut row = row.unwrap_or_else(|why| Row::left_out(&program.name, word, why));
    if let (Mark::Wrong, Some(why)) = (row.mark, reviewed::reason(&program.name, word)) {
        (row.mark, row.detail) = (Mark::Reviewed, why.to_owned());
    }
    row
}
