//! `cargo xtask programs`: the command `tamis` on C programs, beside other tools.
//!
//! Every engine that is named runs on every task, and where they are installed so do CBMC (its
//! unwinding deepened until nothing is cut off) and the Horn engine of Z3, on the clauses that
//! `tamis translate` writes. Each run is a process of its own, with the same limits for all. A run
//! is a line of JSON; the comparison comes at the end: by family, and pair by pair.
//!
//! Files: `cbmc` (how CBMC is asked), `row` (what a run came to), `compare` (what all runs
//! together say).

mod cbmc;
mod compare;
mod row;

use crate::answer::{Answer, answer};
use crate::collection::{self, Task};
use crate::tools::{Race, Said, horn, installed, patience, tamis};
use row::Row;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tamis_fuzz::c::compiler::limited;

/// Which tasks, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Indexes of collections (.tsv), and C programs of which nothing is expected
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only tasks of indexes whose path starts so
    #[arg(long, value_name = "PREFIX", default_value = "")]
    only: String,
    #[command(flatten)]
    race: Race,
    /// CBMC, if it is not in PATH
    #[arg(long, value_name = "PATH")]
    cbmc: Option<PathBuf>,
    /// Z3, if another one is meant than the one in PATH
    #[arg(long, value_name = "PATH")]
    z3: Option<PathBuf>,
    /// Append runs to this file; those that it has already count, and are not made again
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
}

#[derive(Clone, Debug)]
enum Tool {
    Tamis(String),
    Cbmc(PathBuf),
    Z3(PathBuf),
}

impl Tool {
    fn name(&self) -> String {
        match self {
            Tool::Tamis(engine) => format!("tamis {engine}"),
            Tool::Cbmc(_) => "cbmc".into(),
            Tool::Z3(_) => "z3 horn".into(),
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
    let (tasks, tools) = (tasks(arguments)?, tools(arguments));
    let mut store = Store::open(arguments.rows.as_deref())?;
    let mut rows = Vec::new();
    for task in &tasks {
        for tool in &tools {
            let row = match store.take(&task.name, &tool.name()) {
                Some(row) => row,
                None => store.add(one(arguments, task, tool)?)?,
            };
            if row.is_wrong() {
                eprintln!("WRONG: {} says {} about {}, expected {}", row.tool, row.said.word(), row.task, row.expected);
            }
            rows.push(row);
        }
    }
    let names: Vec<String> = tools.iter().map(Tool::name).collect();
    eprint!("{}", compare::families(&rows, &names));
    for (at, tool) in tools.iter().enumerate().filter(|(_, tool)| matches!(tool, Tool::Tamis(_))) {
        for other in tools.iter().enumerate().filter(|(other, peer)| *other > at || !matches!(peer, Tool::Tamis(_))) {
            eprint!("{}", compare::pair(&rows, &tool.name(), &other.1.name()));
        }
    }
    // What others get wrong is shown; what Tamis gets wrong is an error.
    Ok(!rows.iter().any(|row| row.is_wrong() && row.tool.starts_with("tamis ")))
}

fn tasks(arguments: &Arguments) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for file in &arguments.files {
        if file.extension().is_some_and(|ending| ending == "tsv") {
            tasks.extend(collection::tasks(file, &arguments.only, |format| format == "C")?);
        } else {
            tasks.push(Task::loose(file));
        }
    }
    Ok(tasks)
}

fn tools(arguments: &Arguments) -> Vec<Tool> {
    let mut tools: Vec<Tool> = arguments.race.engine.iter().cloned().map(Tool::Tamis).collect();
    if !arguments.race.alone {
        tools.extend(arguments.cbmc.clone().or_else(|| installed(&["cbmc"])).map(Tool::Cbmc));
        tools.extend(arguments.z3.clone().or_else(|| installed(&["z3"])).map(Tool::Z3));
    }
    tools
}

/// The runs that were made before, and a file for those to come.
struct Store {
    before: Vec<Row>,
    file: Option<fs::File>,
}

impl Store {
    fn open(path: Option<&Path>) -> Result<Store, String> {
        let Some(path) = path else { return Ok(Store { before: Vec::new(), file: None }) };
        let trouble = |why: std::io::Error| format!("{}: {why}", path.display());
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(trouble)?;
        let text = fs::read_to_string(path).map_err(trouble)?;
        Ok(Store { before: text.lines().filter_map(Row::read).collect(), file: Some(file) })
    }

    /// A run that was made before.
    fn take(&self, task: &str, tool: &str) -> Option<Row> {
        self.before.iter().find(|row| row.task == task && row.tool == tool).cloned()
    }

    /// Keeps a run, and shows it.
    fn add(&mut self, row: Row) -> Result<Row, String> {
        let line = row.line();
        println!("{line}");
        if let Some(file) = &mut self.file {
            writeln!(file, "{line}").map_err(|why| why.to_string())?;
        }
        Ok(row)
    }
}

/// One run. What goes wrong is what came of it, unless there is no room to run in.
fn one(arguments: &Arguments, task: &Task, tool: &Tool) -> Result<Row, String> {
    let room = tempfile::tempdir().map_err(|why| why.to_string())?;
    let start = Instant::now();
    let ran = match tool {
        Tool::Tamis(engine) => verify(arguments, task, engine, room.path()),
        Tool::Cbmc(command) => cbmc::run(command, task, arguments.race.time, room.path()),
        Tool::Z3(command) => clauses(arguments, task, command, room.path()),
    };
    let (said, time, detail) = ran.unwrap_or_else(|why| (Said::Nothing, start.elapsed(), why));
    Ok(Row { task: task.name.clone(), expected: task.expected.clone(), tool: tool.name(), said, time, detail })
}

/// What a tool said, how long it took, and what else there is to say.
type Ran = Result<(Said, Duration, String), String>;

fn verify(arguments: &Arguments, task: &Task, engine: &str, room: &Path) -> Ran {
    let mut command = tamis(&arguments.race.cli, "verify", task, arguments.race.time, room);
    command.args(["--engine", engine, "--json"]);
    let start = Instant::now();
    let answer = answer(&mut command, room, patience(arguments.race.time));
    let time = start.elapsed();
    match answer {
        Answer::Proved => Ok((Said::Safe, time, "evidence accepted".into())),
        Answer::Found(_) => Ok((Said::Unsafe, time, "evidence accepted".into())),
        Answer::Unknown(why) | Answer::Refused(why) => Ok((Said::Nothing, time, why)),
        Answer::Broken(why) => Err(why),
    }
}

/// Z3 on the clauses of the program; how long it takes to write them does not count.
fn clauses(arguments: &Arguments, task: &Task, z3: &Path, room: &Path) -> Ran {
    let target = room.join("clauses.smt2");
    let mut command = tamis(&arguments.race.cli, "translate", task, arguments.race.time, room);
    command.args(["--quiet", "--to", "chc", "--output"]).arg(&target);
    let output = limited(&mut command, room, patience(arguments.race.time))?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned();
        return Err(format!("not translated: {why}"));
    }
    let (said, time) = horn(z3, &target, arguments.race.time, room)?;
    Ok((said, time, String::new()))
}
