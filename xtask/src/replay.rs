//! `cargo xtask replay`: what `tamis` calls unsafe among the C tasks of a collection, compiled and
//! run into the error.
//!
//! Each task is verified, and its trace is replayed by `tamis check --replay`. A run that does not
//! come to the error is a wrong lowering, a weakness of the harness, or something that C leaves
//! open: it is told at once.

use crate::collection::{self, Task};
use crate::tools::{patience, seconds, tamis, tamis_with};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tamis_fuzz::c::compiler::limited;

/// Which tasks, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// The index of the collection
    index: PathBuf,
    /// Only tasks whose path starts so
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,
    /// Also tasks that are expected to be safe, or of which nothing is expected
    #[arg(long)]
    all: bool,
    /// The time limit for each task, in seconds
    #[arg(long, value_name = "T", default_value = "10s", value_parser = seconds)]
    time: u64,
    /// The engine
    #[arg(long, default_value = "auto")]
    engine: String,
    /// The command to run
    #[arg(long, value_name = "PATH", default_value = "tamis")]
    cli: PathBuf,
    /// Where the table is written
    #[arg(long, value_name = "FILE", default_value = "target/replay.tsv")]
    table: PathBuf,
}

/// How long a replay may take, in seconds.
const REPLAY: u64 = 60;

/// What came of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    /// The compiled program runs into the error.
    Replayed,
    /// It cannot be said.
    NotReplayed,
    /// It does not.
    Failed,
    /// There is no trace.
    NoTrace,
    /// The command did not do its work.
    Broken,
}

impl Mark {
    fn name(self) -> &'static str {
        match self {
            Mark::Replayed => "replayed",
            Mark::NotReplayed => "not replayed",
            Mark::Failed => "FAILED",
            Mark::NoTrace => "no trace",
            Mark::Broken => "broken",
        }
    }
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
    let mut tasks = collection::tasks(&arguments.index, &arguments.only, |format| format == "C")?;
    tasks.retain(|task| arguments.all || task.expected == "false");
    let mut table = "path\tmark\tdetail\n".to_owned();
    let mut found: BTreeMap<Mark, Vec<(String, String)>> = BTreeMap::new();
    for task in tasks {
        let room = tempfile::tempdir().map_err(|why| why.to_string())?;
        let (mark, detail) = one(arguments, &task, room.path()).unwrap_or_else(|why| (Mark::Broken, why));
        let detail = detail.replace(['\t', '\n'], " ");
        let _ = writeln!(table, "{}\t{}\t{detail}", task.name, mark.name());
        if matches!(mark, Mark::Failed | Mark::Broken) {
            eprintln!("{}: {}: {detail}", mark.name(), task.name);
        }
        found.entry(mark).or_default().push((task.name, detail));
    }
    if let Some(place) = arguments.table.parent() {
        fs::create_dir_all(place).map_err(|why| why.to_string())?;
    }
    fs::write(&arguments.table, table).map_err(|why| format!("{}: {why}", arguments.table.display()))?;
    print!("{}", summary(&found));
    Ok([Mark::Failed, Mark::Broken].iter().all(|mark| !found.contains_key(mark)))
}

/// How many tasks came to what, and why those did that were not replayed.
fn summary(found: &BTreeMap<Mark, Vec<(String, String)>>) -> String {
    let mut text = String::new();
    for (mark, tasks) in found {
        let _ = writeln!(text, "{:>5}  {}", tasks.len(), mark.name());
        for (task, detail) in tasks.iter().filter(|_| *mark != Mark::Replayed) {
            let _ = writeln!(text, "         {task}: {detail}");
        }
    }
    text
}

/// Verifies a task, and replays what comes out.
fn one(arguments: &Arguments, task: &Task, room: &Path) -> Result<(Mark, String), String> {
    let witness = room.join("witness.json");
    let mut verify = tamis(&arguments.cli, "verify", task, arguments.time, room);
    verify.args(["--engine", &arguments.engine, "--json", "--witness"]).arg(&witness);
    let answer = json(&mut verify, room, arguments.time)?;
    let word = |key: &str| answer[key].as_str().unwrap_or_default();
    if !word("verdict").starts_with("false") {
        return Ok((Mark::NoTrace, [word("verdict"), word("reason")].join(" ")));
    }
    let mut check = tamis_with(&arguments.cli, "check", task, Some(&witness), REPLAY, room);
    check.args(["--replay", "--json"]);
    let answer = json(&mut check, room, REPLAY)?;
    let word = |key: &str| answer["replay"][key].as_str().unwrap_or_default().to_owned();
    match word("result").as_str() {
        "replayed" => Ok((Mark::Replayed, word("detail"))),
        "not replayed" => Ok((Mark::NotReplayed, word("detail"))),
        "failed" => Ok((Mark::Failed, word("detail"))),
        _ => Err(format!("no replay: {}", answer["reason"].as_str().unwrap_or("it does not say why"))),
    }
}

/// The object that a command prints.
fn json(command: &mut Command, room: &Path, time: u64) -> Result<Json, String> {
    let output = limited(command, room, patience(time))?;
    serde_json::from_slice(&output.stdout).map_err(|_| format!("no answer: {}", output.status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_gives_reasons() {
        let row = |name: &str, detail: &str| (name.to_owned(), detail.to_owned());
        let found = BTreeMap::from([
            (Mark::Replayed, vec![row("a.c", "an assertion fails"), row("b.c", "")]),
            (Mark::Failed, vec![row("c.c", "it ends with exit code 0")]),
        ]);
        let expected = "    2  replayed\n    1  FAILED\n         c.c: it ends with exit code 0\n";
        assert_eq!(summary(&found), expected);
    }
}
