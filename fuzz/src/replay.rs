//! A trace of a C program, replayed by a real compiler: for random tests, which have the program and
//! the trace at hand.

use crate::c::compiler::limited;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tamis_frontends::c::DataModel;
use tamis_report::harness::{Build, Case, Ended, Kit, Outcome, Ran, Stage, Unit};

/// How long a command may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// Compiles the files of a program, preprocessed and each with its name, with the inputs of a trace,
/// and sees whether the compiled program runs into the error.
///
/// # Errors
/// If files cannot be written.
pub fn replay(case: &Case<'_>, files: &[(&str, &str)], model: DataModel) -> Result<Outcome, String> {
    let unit = |(name, text): &(&str, &str)| Unit {
        name: (*name).to_owned(),
        text: (*text).to_owned(),
        preprocessed: (*text).to_owned(),
    };
    let units = files.iter().map(unit).collect();
    let build = Build { units, narrow: model == DataModel::Ilp32, ..Build::default() };
    let kit = Kit::new(case, &build);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for (name, text) in kit.files() {
        fs::write(folder.path().join(name), text).map_err(|error| error.to_string())?;
    }
    kit.replay(&["cc".to_owned()], &mut |stage, words| Ok(carry_out(folder.path(), stage, words)))
}

/// Carries out a command of a replay.
fn carry_out(folder: &Path, stage: Stage, words: &[String]) -> Ran {
    let (name, arguments) = words.split_first().expect("a command has a name");
    let mut command = Command::new(name);
    command.args(arguments).current_dir(folder);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match (limited(&mut command, folder, PATIENCE), stage) {
        (Ok(output), _) => {
            let signal = output.status.signal().map(Ended::Signal);
            let ended = output.status.code().map(Ended::Code).or(signal).unwrap_or(Ended::Late);
            Ran { ended, out: text(&output.stdout), err: text(&output.stderr) }
        }
        (Err(why), Stage::Compile) => Ran { ended: Ended::Missing, out: String::new(), err: why },
        (Err(why), Stage::Run) => Ran { ended: Ended::Late, out: String::new(), err: why },
    }
}
