//! Figure 7 of Chaki, Clarke, Groce and Strichman (*Predicate Abstraction with Minimum Predicates*, CHARME
//! 2003), run again: what each way of choosing predicates needs on programs of the SSL protocol and on
//! drivers, beside what the paper prints.
//!
//! The programs are other people's work and not part of this project: the reader of this table gives the
//! folder that they are in. `programs.tsv` lists them; the paper's programs of the same number were made
//! from the same functions of `OpenSSL`, but not with the same properties, so printed numbers are beside
//! ours and not compared one by one. `printed.tsv` has the paper's numbers.
//!
//! Files: [`measure`](mod@measure) (one run), [`judge`] (what must hold of all), [`text`] and [`json`] (how
//! it is told).

pub mod json;
pub mod judge;
pub mod measure;
pub mod text;

pub use measure::{Measured, measure};

use tamis_refiners::selection::Select;

/// The ways of choosing that are compared, by their names here and in the paper's table.
pub const WAYS: &[Way] = &[
    Way { name: "cumulative", select: Select::Cumulative, printed: Some("magic") },
    Way { name: "greedy", select: Select::Greedy, printed: Some("magic_greedy") },
    Way { name: "enumerated", select: Select::Enumerated, printed: Some("magic_minimize") },
    Way { name: "minimum", select: Select::Minimum, printed: None },
];

/// A way of choosing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its name on the command line.
    pub name: &'static str,
    /// The way.
    pub select: Select,
    /// What its columns in the paper begin with.
    pub printed: Option<&'static str>,
}

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name.
    pub name: &'static str,
    /// Where it is in the folder.
    pub file: &'static str,
    /// Whether its errors cannot be reached.
    pub safe: bool,
    /// The paper's program of that number, if there is one.
    pub printed: Option<&'static str>,
}

/// What the paper prints about a program and a way of choosing, as it is printed: `*` is a run that was
/// stopped after three hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed {
    /// Seconds.
    pub time: &'static str,
    /// Rounds.
    pub rounds: &'static str,
    /// Expressions / predicates / branches.
    pub predicates: &'static str,
    /// Megabytes.
    pub memory: &'static str,
}

const TASKS: &str = include_str!("programs.tsv");
const PRINTED: &str = include_str!("printed.tsv");

/// All programs.
#[must_use]
pub fn tasks() -> Vec<Task> {
    let task = |line: &'static str| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let [name, file, verdict, printed] = cells[..] else { return None };
        Some(Task { name, file, safe: verdict == "safe", printed: Some(printed).filter(|name| !name.is_empty()) })
    };
    TASKS.lines().skip(1).filter_map(task).collect()
}

/// The names of the programs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    tasks().iter().map(|task| task.name).collect()
}

/// What the paper prints about a program of its own.
#[must_use]
pub fn printed(program: &str, way: &Way) -> Option<Printed> {
    let columns: Vec<&str> = PRINTED.lines().next()?.split('\t').collect();
    let row: Vec<&'static str> =
        PRINTED.lines().map(|line| line.split('\t').collect::<Vec<_>>()).find(|row| row[0] == program)?;
    let cell = |column: &str| {
        let name = format!("{}_{column}", way.printed?);
        columns.iter().position(|other| *other == name).and_then(|at| row.get(at)).copied()
    };
    Some(Printed { time: cell("time_s")?, rounds: cell("iter")?, predicates: cell("pred")?, memory: cell("mem_mb")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_complete() {
        let tasks = tasks();
        assert_eq!(tasks.len(), 38);
        assert_eq!(tasks.iter().filter(|task| task.printed.is_some()).count(), 26);
        for task in &tasks {
            for way in WAYS.iter().filter(|way| way.printed.is_some()) {
                let found = task.printed.map(|name| printed(name, way));
                assert!(found.is_none_or(|cell| cell.is_some()), "{} {}", task.name, way.name);
            }
        }
        let known = printed("ssl-srvr-4", &WAYS[2]).expect("a row of the figure");
        assert_eq!(known, Printed { time: "170", rounds: "9", predicates: "5/4/2", memory: "38" });
        assert_eq!(printed("ssl-srvr-4", &WAYS[3]), None);
    }
}
