//! `cargo xtask hardware`: the command `tamis` on circuits, beside other tools.
//!
//! Every answer of `tamis` is checked on the circuit's file by `tamis-hardware`, which shares no
//! code with front ends and engines. Where they are installed, ABC's `pdr` and the Horn engine of
//! Z3 run on the same tasks, on translations where they cannot read the file itself. Each run is a
//! line of JSON; the counts come at the end.

use crate::collection::{self, Task};
use crate::tools::{Race, Said, horn, installed, patience};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use tamis_fuzz::c::compiler::limited;
use tamis_hardware::{Failure, Shown, check};

/// Which tasks, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Circuits to run besides those of the index: nothing is expected of them
    files: Vec<PathBuf>,
    /// The index of a collection
    #[arg(long)]
    index: Option<PathBuf>,
    /// Only tasks of the index whose path starts so
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,
    #[command(flatten)]
    race: Race,
}

#[derive(Clone, Debug)]
enum Tool {
    Tamis(String),
    Abc(PathBuf),
    Z3(PathBuf),
}

impl Tool {
    fn name(&self) -> String {
        match self {
            Tool::Tamis(engine) => format!("tamis {engine}"),
            Tool::Abc(_) => "abc pdr".into(),
            Tool::Z3(_) => "z3 spacer".into(),
        }
    }
}

/// One run.
struct Row {
    said: Said,
    time: Duration,
    /// What the independent check says: accepted, rejected, or why there is nothing to check.
    evidence: String,
}

#[derive(Default)]
struct Counts {
    safe: usize,
    unsafe_: usize,
    accepted: usize,
    rejected: usize,
    wrong: usize,
}

/// Runs the task.
pub fn run(arguments: &Arguments) -> ExitCode {
    let tasks = match tasks(arguments) {
        Ok(tasks) => tasks,
        Err(why) => {
            eprintln!("error: {why}");
            return ExitCode::from(2);
        }
    };
    let tools = tools(arguments);
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    for task in &tasks {
        for tool in &tools {
            let row = match one(arguments, task, tool) {
                Ok(row) => row,
                Err(why) => Row { said: Said::Nothing, time: Duration::ZERO, evidence: why },
            };
            count(counts.entry(tool.name()).or_default(), task, &row);
            println!("{}", line(task, tool, &row));
        }
    }
    let bad = counts.values().any(|counts| counts.rejected > 0)
        || tools.iter().any(|tool| matches!(tool, Tool::Tamis(_)) && counts[&tool.name()].wrong > 0);
    for (tool, counts) in &counts {
        let Counts { safe, unsafe_, accepted, rejected, wrong } = counts;
        eprintln!(
            "{tool}: {} of {} solved ({safe} safe, {unsafe_} unsafe), {wrong} wrong, evidence: {accepted} accepted, {rejected} rejected",
            safe + unsafe_,
            tasks.len()
        );
    }
    if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn count(counts: &mut Counts, task: &Task, row: &Row) {
    counts.safe += usize::from(row.said == Said::Safe);
    counts.unsafe_ += usize::from(row.said == Said::Unsafe);
    counts.accepted += usize::from(row.evidence == "accepted");
    counts.rejected += usize::from(row.evidence.starts_with("rejected"));
    counts.wrong += usize::from(is_wrong(task, row));
}

fn is_wrong(task: &Task, row: &Row) -> bool {
    row.said != Said::Nothing && task.is_contradicted(row.said.word())
}

fn line(task: &Task, tool: &Tool, row: &Row) -> String {
    json!({
        "task": task.file().display().to_string(),
        "expected": task.expected,
        "tool": tool.name(),
        "verdict": row.said.word(),
        "time_s": row.time.as_secs_f64(),
        "evidence": row.evidence,
        "wrong": is_wrong(task, row),
    })
    .to_string()
}

fn tasks(arguments: &Arguments) -> Result<Vec<Task>, String> {
    let mut tasks: Vec<Task> = arguments.files.iter().map(|file| Task::loose(file)).collect();
    if let Some(index) = &arguments.index {
        let is_circuit = |format: &str| format.starts_with("AIGER") || format == "BTOR2";
        tasks.extend(collection::tasks(index, &arguments.only, is_circuit)?);
    }
    Ok(tasks)
}

fn tools(arguments: &Arguments) -> Vec<Tool> {
    let mut tools: Vec<Tool> = arguments.race.engine.iter().cloned().map(Tool::Tamis).collect();
    if !arguments.race.alone {
        tools.extend(installed(&["berkeley-abc", "abc"]).map(Tool::Abc));
        tools.extend(installed(&["z3"]).map(Tool::Z3));
    }
    tools
}

fn one(arguments: &Arguments, task: &Task, tool: &Tool) -> Result<Row, String> {
    let folder = tempfile::tempdir().map_err(|why| why.to_string())?;
    let path = task.file().canonicalize().map_err(|why| format!("{}: {why}", task.name))?;
    match tool {
        Tool::Tamis(engine) => tamis(arguments, &path, engine, folder.path()),
        Tool::Abc(command) => abc(arguments, &path, command, folder.path()),
        Tool::Z3(command) => z3(arguments, &path, command, folder.path()),
    }
}

fn tamis(arguments: &Arguments, path: &Path, engine: &str, folder: &Path) -> Result<Row, String> {
    let witness = folder.join("witness.aig");
    let mut command = Command::new(&arguments.race.cli);
    command.args(["verify", "--quiet", "--engine", engine, "--time", &format!("{}s", arguments.race.time)]);
    command.arg("--hardware-witness").arg(&witness).arg(path);
    let start = Instant::now();
    let output = limited(&mut command, folder, patience(arguments.race.time))?;
    let time = start.elapsed();
    let text = String::from_utf8_lossy(&output.stdout);
    let said = match text.lines().last().unwrap_or_default() {
        "true" => Said::Safe,
        line if line.starts_with("false") => Said::Unsafe,
        line if line.starts_with("unknown") => return Ok(Row { said: Said::Nothing, time, evidence: line.to_owned() }),
        _ => return Err(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned()),
    };
    let read = |path: &Path| std::fs::read(path).map_err(|why| why.to_string());
    let Ok(evidence) = read(&witness) else {
        let why = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("none").to_owned();
        return Ok(Row { said, time, evidence: why });
    };
    // The check has as long as the run had.
    let end = Instant::now() + Duration::from_secs(arguments.race.time);
    let evidence = match check(&read(path)?, &evidence, &[], &|| Instant::now() > end) {
        Ok(shown) if (shown == Shown::Safe) == (said == Said::Safe) => "accepted".to_owned(),
        Ok(shown) => format!("rejected: it shows {shown:?}"),
        Err(Failure::Stopped) => "not checked in time".to_owned(),
        Err(failure) => format!("rejected: {failure:?}"),
    };
    Ok(Row { said, time, evidence })
}

/// The circuit in another notation.
fn translated(arguments: &Arguments, path: &Path, to: &str, folder: &Path) -> Result<PathBuf, String> {
    let target = folder.join(if to == "aiger" { "circuit.aig" } else { "circuit.smt2" });
    let mut command = Command::new(&arguments.race.cli);
    command.args(["translate", "--quiet", "--to", to, "--output"]).arg(&target).arg(path);
    let output = limited(&mut command, folder, patience(arguments.race.time))?;
    if output.status.success() { Ok(target) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn abc(arguments: &Arguments, path: &Path, command: &Path, folder: &Path) -> Result<Row, String> {
    let binary = path.extension().is_some_and(|ending| ending == "aig");
    let circuit = if binary { path.to_owned() } else { translated(arguments, path, "aiger", folder)? };
    // A latch without an initial value is zero to ABC unless it is rewritten.
    let script =
        format!("read_aiger {}; logic; undc; strash; zero; fold; pdr -T {}", circuit.display(), arguments.race.time);
    let mut command = Command::new(command);
    command.arg("-c").arg(script).current_dir(folder);
    let start = Instant::now();
    let output = limited(&mut command, folder, patience(arguments.race.time))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let said = if text.contains("Property proved") {
        Said::Safe
    } else if text.contains("was asserted in frame") {
        Said::Unsafe
    } else {
        Said::Nothing
    };
    Ok(Row { said, time: start.elapsed(), evidence: "not asked".into() })
}

fn z3(arguments: &Arguments, path: &Path, command: &Path, folder: &Path) -> Result<Row, String> {
    let clauses = translated(arguments, path, "chc", folder)?;
    let (said, time) = horn(command, &clauses, arguments.race.time, folder)?;
    Ok(Row { said, time, evidence: "not asked".into() })
}
