//! `cargo xtask csmith`: the command `tamis` on Csmith's random programs (Yang, Chen, Eide, Regehr,
//! PLDI 2011).
//!
//! A program computes a checksum of its variables, without inputs and without undefined behaviour.
//! GCC's program says what the checksum is. Then `tamis` is asked with the checksum asserted, which
//! never fails, and denied, which always does. In place of Csmith's header, `csmith.h` beside this
//! file is included, whose checksum takes few steps.

mod generator;

use crate::asking::{Asking, NO_ERROR, Question};
use crate::results::{Mark, Row};
use crate::tools::Said;
use generator::{Generator, Program, is_installed};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Which programs, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many programs
    #[arg(long, value_name = "N", default_value_t = 100)]
    programs: u64,
    /// The seed of the first program
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    generator: Generator,
    /// Where programs with wrong verdicts are written
    #[arg(long, value_name = "DIR", default_value = "target/csmith")]
    save: PathBuf,
    #[command(flatten)]
    asking: Asking,
}

/// How the checksum is spoken about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Asserted,
    Denied,
}

impl Way {
    const ALL: [Way; 2] = [Way::Asserted, Way::Denied];

    fn word(self) -> &'static str {
        match self {
            Way::Asserted => "asserted",
            Way::Denied => "denied",
        }
    }

    fn expected(self) -> Said {
        match self {
            Way::Asserted => Said::Safe,
            Way::Denied => Said::Unsafe,
        }
    }

    fn macros(self, checksum: u64) -> Vec<String> {
        let mut macros = vec![format!("-DCHECKSUM={checksum}ULL")];
        macros.extend((self == Way::Denied).then(|| "-DDENIED".to_owned()));
        macros
    }
}

/// Runs the task.
pub fn run(arguments: &Arguments) -> ExitCode {
    let seeds: Vec<u64> = (arguments.seed..arguments.seed + arguments.programs).collect();
    let ask = |seed: &u64, room: &Path| both_ways(arguments, *seed, room);
    match is_installed().and_then(|()| arguments.asking.about(&seeds, ask)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// Asks about the program of a seed.
fn both_ways(arguments: &Arguments, seed: u64, room: &Path) -> Vec<Row> {
    let name = format!("seed {seed}");
    let program = arguments.generator.program(seed, room);
    let ask = |way: Way| {
        let row = program.as_ref().map_err(Clone::clone).and_then(|program| ask(arguments, &name, program, way, room));
        row.unwrap_or_else(|why| Row::left_out(&name, way.word(), why))
    };
    Way::ALL.map(ask).into()
}

fn ask(arguments: &Arguments, name: &str, program: &Program, way: Way, room: &Path) -> Result<Row, String> {
    let files = [program.file.clone()];
    let question = Question { word: way.word(), files: &files, formula: NO_ERROR, expected: way.expected() };
    let macros = way.macros(program.checksum);
    let tell = |command: &mut Command| {
        command.arg("-I").arg(room).args(&macros);
    };
    let row = arguments.asking.judge(name, &question, tell, room)?;
    if row.mark == Mark::Wrong {
        program.save(&arguments.save, &format!("{name} {}", way.word()), &macros)?;
    }
    Ok(row)
}
