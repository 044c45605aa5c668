//! `cargo xtask tasks`: the command `tamis` on the C tasks of a collection.
//!
//! Each task becomes a line of the table; wrong verdicts are told at once.

use crate::answer::{Answer, answer};
use crate::collection::{self, Task};
use crate::tools::{seconds, tamis};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

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
    #[arg(long, default_value = "greybox")]
    engine: String,
    /// The command to run
    #[arg(long, value_name = "PATH", default_value = "tamis")]
    cli: PathBuf,
    /// Where the table is written
    #[arg(long, value_name = "FILE", default_value = "target/tasks.tsv")]
    table: PathBuf,
}

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
    let mut command = tamis(&arguments.cli, "verify", task, arguments.time, room);
    command.args(["--engine", &arguments.engine, "--json"]);
    let start = Instant::now();
    let answer = answer(&mut command, room, Duration::from_secs(2 * arguments.time + 10));
    let time = start.elapsed();
    let (verdict, mark, detail) = match answer {
        Answer::Proved if task.expected != "true" => ("true".into(), Mark::Wrong, String::new()),
        Answer::Proved => ("true".into(), Mark::Correct, String::new()),
        Answer::Found(kind) => {
            let mark = if task.expected == "false" { Mark::Correct } else { Mark::Wrong };
            (format!("false({kind})"), mark, String::new())
        }
        Answer::Unknown(why) => ("unknown".into(), Mark::Unknown, why),
        Answer::Refused(why) => ("error".into(), Mark::Refused, why),
        Answer::Broken(why) => ("none".into(), Mark::Broken, why),
    };
    Row { verdict, mark, detail, time }
}
