//! Tools that are run on tasks: how they are found, confined and understood.

use crate::collection::Task;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tamis_fuzz::c::compiler::limited;

/// How much memory a run may use, in kilobytes and as `tamis` reads it.
const MEMORY: (u64, &str) = (4 << 20, "4G");

/// What a tool said about a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    Safe,
    Unsafe,
    Nothing,
}

impl Said {
    pub fn word(self) -> &'static str {
        match self {
            Said::Safe => "true",
            Said::Unsafe => "false",
            Said::Nothing => "unknown",
        }
    }

    pub fn from_word(word: &str) -> Said {
        match word {
            "true" => Said::Safe,
            "false" => Said::Unsafe,
            _ => Said::Nothing,
        }
    }
}

/// Who runs on tasks, and how long.
#[derive(clap::Args)]
pub struct Race {
    /// The time limit for each run, in seconds
    #[arg(long, value_name = "T", default_value = "60s", value_parser = seconds)]
    pub time: u64,
    /// An engine; may be repeated
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub engine: Vec<String>,
    /// Run no other tools
    #[arg(long)]
    pub alone: bool,
    /// The command to run
    #[arg(long, value_name = "PATH", default_value = "tamis")]
    pub cli: PathBuf,
}

/// A limit of time on the command line.
pub fn seconds(text: &str) -> Result<u64, String> {
    text.strip_suffix('s').unwrap_or(text).parse().map_err(|_| "write a number of seconds, like 60s".to_owned())
}

/// The first of these commands that there is.
pub fn installed(names: &[&str]) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&paths).collect();
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}

/// The limit for a process that is told to end by itself.
pub fn patience(time: u64) -> Duration {
    Duration::from_secs(time + time / 10 + 5)
}

/// A command that may use only so much memory, and not much more time than given, even if
/// nobody is left to end it.
pub fn confined(program: &Path, time: u64) -> Command {
    let mut command = Command::new("sh");
    let limits = format!("ulimit -v {}; ulimit -t {}; exec \"$@\"", MEMORY.0, 2 * time + 10);
    command.arg("-c").arg(limits).arg("sh").arg(program);
    command
}

/// `tamis` on a C task.
pub fn tamis(cli: &Path, subcommand: &str, task: &Task, time: u64, room: &Path) -> Command {
    tamis_with(cli, subcommand, task, None, time, room)
}

/// The same with another file behind that of the task.
pub fn tamis_with(cli: &Path, subcommand: &str, task: &Task, file: Option<&Path>, time: u64, room: &Path) -> Command {
    let mut command = Command::new(cli);
    command.arg(subcommand).arg(task.file()).args(file);
    command.args(["--data-model", task.model, "--memory", MEMORY.1]);
    command.arg("--time").arg(format!("{time}s"));
    if let Some(spec) = task.spec(room) {
        command.arg("--spec").arg(spec);
    }
    command
}

/// Z3's Horn engine on clauses.
///
/// # Errors
/// If it cannot be run, or takes too long.
pub fn horn(z3: &Path, clauses: &Path, time: u64, room: &Path) -> Result<(Said, Duration), String> {
    let mut command = confined(z3, time);
    command.arg(format!("-T:{time}")).arg(clauses);
    let start = Instant::now();
    let output = limited(&mut command, room, patience(time))?;
    Ok((horn_said(&String::from_utf8_lossy(&output.stdout)), start.elapsed()))
}

/// Clauses that can be satisfied are an invariant.
fn horn_said(output: &str) -> Said {
    match output.lines().next() {
        Some("sat") => Said::Safe,
        Some("unsat") => Said::Unsafe,
        _ => Said::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        assert_eq!(seconds("10s"), Ok(10));
        assert_eq!(seconds("7"), Ok(7));
        assert!(seconds("soon").is_err());
    }

    #[test]
    fn answers_about_clauses_are_understood() {
        for (output, said) in [
            ("sat\n", Said::Safe),
            ("unsat\n", Said::Unsafe),
            ("unknown\n", Said::Nothing),
            ("timeout\n", Said::Nothing),
            ("(error \"line 3 column 1: unknown sort\")\nsat\n", Said::Nothing),
            ("", Said::Nothing),
        ] {
            assert_eq!(horn_said(output), said, "{output:?}");
        }
    }

    #[test]
    fn words_are_read_back() {
        for said in [Said::Safe, Said::Unsafe, Said::Nothing] {
            assert_eq!(Said::from_word(said.word()), said);
        }
    }
}
