//! `cargo xtask tasks`: the command `tamis` on the C tasks of a collection.
//!
//! Each task becomes a line of the table; wrong verdicts are told at once. With `--harness`, an
//! error counts as confirmed when the program, compiled together with the harness that `tamis`
//! wrote, runs into it.

use crate::collection::{self, Task};
use crate::tools::{seconds, tamis};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::{Duration, Instant};
use tamis_fuzz::c::compiler::limited;

/// Which tasks, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// The index of the collection
    index: PathBuf,
    /// Only tasks whose path starts so
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,
    /// Only tasks of this language
    #[arg(long, default_value = "c")]
    language: String,
    /// The time limit for each task, in seconds
    #[arg(long, value_name = "T", default_value = "10s", value_parser = seconds)]
    time: u64,
    /// The engine
    #[arg(long, default_value = "runs")]
    engine: String,
    /// Confirm errors by compiled runs
    #[arg(long)]
    harness: bool,
    /// The command to run
    #[arg(long, value_name = "PATH", default_value = "tamis")]
    cli: PathBuf,
    /// Where the table is written
    #[arg(long, value_name = "FILE", default_value = "target/tasks.tsv")]
    table: PathBuf,
}

/// How long a compiled run may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The exit code of a harness that reached the error, and what it prints.
const REACHED: (i32, &str) = (107, "tamis: error reached");

/// What came of it.
struct Row {
    verdict: String,
    mark: Mark,
    detail: String,
    time: Duration,
}

/// A verdict against the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Correct,
    Confirmed,
    Unconfirmed,
    Wrong,
    Unknown,
    Refused,
    Broken,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    match campaign(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn campaign(arguments: &Arguments) -> Result<bool, String> {
    let is_wanted = |format: &str| format.eq_ignore_ascii_case(&arguments.language);
    let tasks = collection::tasks(&arguments.index, &arguments.only, is_wanted)?;
    let room = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut table = "path\texpected\tverdict\tmark\ttime\tdetail\n".to_owned();
    let mut sums: BTreeMap<String, BTreeMap<Mark, u64>> = BTreeMap::new();
    for task in tasks {
        let row = ask(arguments, room.path(), &task);
        if row.mark == Mark::Wrong {
            println!("WRONG: {} says {}, expected {}", task.name, row.verdict, task.expected);
        }
        let seconds = row.time.as_secs_f64();
        let detail = row.detail.replace(['\t', '\n'], " ");
        let _ = writeln!(
            table,
            "{}\t{}\t{}\t{:?}\t{seconds:.2}\t{detail}",
            task.name, task.expected, row.verdict, row.mark
        );
        *sums.entry(task.family()).or_default().entry(row.mark).or_default() += 1;
        *sums.entry("in all".to_owned()).or_default().entry(row.mark).or_default() += 1;
    }
    if let Some(place) = arguments.table.parent() {
        fs::create_dir_all(place).map_err(|error| error.to_string())?;
    }
    fs::write(&arguments.table, table).map_err(|error| format!("{}: {error}", arguments.table.display()))?;
    for (place, marks) in &sums {
        let marks: Vec<String> = marks.iter().map(|(mark, count)| format!("{count} {mark:?}")).collect();
        println!("{place}: {}", marks.join(", ").to_lowercase());
    }
    Ok(sums.values().all(|marks| !marks.contains_key(&Mark::Wrong)))
}

/// Asks `tamis` about a task.
fn ask(arguments: &Arguments, room: &Path, task: &Task) -> Row {
    let (file, harness) = (task.file(), room.join("harness.c"));
    let _ = fs::remove_file(&harness);
    let mut command = tamis(&arguments.cli, "verify", task, arguments.time, room);
    command.args(["--engine", &arguments.engine, "--json"]);
    if arguments.harness {
        command.arg("--harness").arg(&harness);
    }
    let start = Instant::now();
    let limit = Duration::from_secs(2 * arguments.time + 10);
    let output = limited(&mut command, room, limit);
    let time = start.elapsed();
    let row = |verdict: &str, mark, detail: &str| Row { verdict: verdict.into(), mark, detail: detail.into(), time };
    let output = match output {
        Ok(output) => output,
        Err(error) => return row("none", Mark::Broken, &error),
    };
    let Ok(answer) = serde_json::from_slice::<Json>(&output.stdout) else {
        return row("none", Mark::Broken, &said(&output));
    };
    let verdict = answer["verdict"].as_str().unwrap_or("none");
    let word = verdict.split('(').next().unwrap_or_default();
    match word {
        "true" | "false" if word != task.expected => row(verdict, Mark::Wrong, ""),
        "false" if arguments.harness => match confirm(&file, &harness, room, task.model) {
            Ok(()) => row(verdict, Mark::Confirmed, ""),
            Err(why) => row(verdict, Mark::Unconfirmed, &why),
        },
        "true" | "false" => row(verdict, Mark::Correct, ""),
        "error" => row(verdict, Mark::Refused, &first_message(&answer)),
        _ => row(verdict, Mark::Unknown, answer["reason"].as_str().unwrap_or_default()),
    }
}

/// What is wrong with the input, as the report says first.
fn first_message(answer: &Json) -> String {
    let message =
        answer["diagnostics"].as_array().and_then(|all| all.first()).and_then(|first| first["message"].as_str());
    message.or(answer["reason"].as_str()).unwrap_or("refused").to_owned()
}

/// The last line on standard error.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    format!("{}: {}", output.status, text.lines().last().unwrap_or_default())
}

/// Compiles a program with its harness, and sees whether the run reaches the error.
fn confirm(file: &Path, harness: &Path, room: &Path, model: &str) -> Result<(), String> {
    let binary = room.join("confirm");
    let width = if model == "lp64" { "-m64" } else { "-m32" };
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-w", "-fwrapv", "-O0", width, "-o"]).arg(&binary).arg(file).arg(harness);
    let built = limited(&mut compiler, room, PATIENCE)?;
    if !built.status.success() {
        return Err(format!("does not compile: {}", said(&built)));
    }
    let run = limited(&mut Command::new(&binary), room, PATIENCE)?;
    let text = [run.stdout.as_slice(), run.stderr.as_slice()].concat();
    let reached = run.status.code() == Some(REACHED.0) && String::from_utf8_lossy(&text).contains(REACHED.1);
    if reached { Ok(()) } else { Err(format!("the run does not reach the error: {}", said(&run))) }
}
