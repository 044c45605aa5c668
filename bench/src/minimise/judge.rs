//! What must hold of all runs: the paper's claims about minimisation, and ours about how the minimum is
//! found.

use super::{Measured, Task};
use std::time::Duration;

/// A program with its runs.
#[derive(Clone, Debug)]
pub struct Row {
    /// The program.
    pub task: Task,
    /// A run for each way of choosing.
    pub runs: Vec<Measured>,
}

impl Row {
    /// The run of a way of choosing.
    #[must_use]
    pub fn run(&self, way: &str) -> Option<&Measured> {
        self.runs.iter().find(|run| run.way == way)
    }
}

/// A claim and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is claimed, and what came out.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

/// How many expressions a program needs at most, and on average (Figure 7, the last column: 11 and 7).
const MOST: usize = 11;
const AVERAGE: usize = 7;

/// How many times faster hitting sets are, all programs together.
const FASTER: u32 = 3;

/// All claims.
#[must_use]
pub fn claims(rows: &[Row]) -> Vec<Claim> {
    let mut claims = vec![verdicts(rows), solved(rows), branches(rows), expressions(rows)];
    claims.extend(["enumerated", "cumulative"].map(|other| faster(rows, other)));
    claims
}

fn verdicts(rows: &[Row]) -> Claim {
    let wrong: Vec<String> = rows
        .iter()
        .flat_map(|row| {
            row.runs.iter().filter(|run| run.right == Some(false)).map(|run| format!("{} {}", row.task.name, run.way))
        })
        .collect();
    Claim { text: format!("no verdict is wrong: {}", listed(&wrong)), holds: wrong.is_empty() }
}

fn solved(rows: &[Row]) -> Claim {
    let lost: Vec<String> =
        minima(rows).filter(|(_, run)| !run.solved()).map(|(row, _)| row.task.name.to_owned()).collect();
    Claim { text: format!("the minimum decides every program: lost {}", listed(&lost)), holds: lost.is_empty() }
}

fn branches(rows: &[Row]) -> Claim {
    let larger = |row: &&Row| {
        let both = row.run("minimum").zip(row.run("greedy"));
        both.is_some_and(|(minimum, greedy)| {
            minimum.solved() && greedy.solved() && minimum.needed.branches > greedy.needed.branches
        })
    };
    let larger: Vec<String> = rows.iter().filter(larger).map(|row| row.task.name.to_owned()).collect();
    Claim { text: format!("the minimum is never larger than greedy's: {}", listed(&larger)), holds: larger.is_empty() }
}

fn expressions(rows: &[Row]) -> Claim {
    let counts: Vec<usize> =
        minima(rows).filter(|(_, run)| run.solved()).map(|(_, run)| run.needed.expressions).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let average = counts.iter().sum::<usize>().checked_div(counts.len()).unwrap_or(0);
    Claim {
        text: format!("at most {MOST} expressions a program, {AVERAGE} on average: {most} and {average}"),
        holds: most <= MOST && average <= AVERAGE,
    }
}

/// Runs without a verdict count as long as they ran.
fn faster(rows: &[Row], other: &str) -> Claim {
    let total = |way: &str| rows.iter().filter_map(|row| row.run(way)).map(|run| run.time).sum::<Duration>();
    let (ours, theirs) = (total("minimum"), total(other));
    Claim {
        text: format!(
            "hitting sets take a {FASTER}rd of the time of {other} at most: {:.1} s to {:.1} s",
            ours.as_secs_f64(),
            theirs.as_secs_f64()
        ),
        holds: ours * FASTER <= theirs,
    }
}

fn minima(rows: &[Row]) -> impl Iterator<Item = (&Row, &Measured)> {
    rows.iter().filter_map(|row| Some((row, row.run("minimum")?)))
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_engines::magic::Needed;

    fn run(way: &'static str, right: Option<bool>, branches: usize, seconds: u64) -> Measured {
        let needed = Needed { expressions: 5, predicates: 4, branches, candidates: 9 };
        let verdict = String::from(if right.is_some() { "true" } else { "out of time" });
        Measured { way, verdict, right, rounds: 3, needed, time: Duration::from_secs(seconds), memory: 0 }
    }

    fn holds(runs: Vec<Measured>) -> Vec<bool> {
        let task = Task { name: "p", file: "p.c", safe: true, printed: None };
        claims(&[Row { task, runs }]).iter().map(|claim| claim.holds).collect()
    }

    #[test]
    fn each_claim_can_be_missed() {
        let good = |way, seconds| run(way, Some(true), 2, seconds);
        let all = |minimum| vec![good("cumulative", 9), good("greedy", 9), good("enumerated", 9), minimum];
        assert_eq!(holds(all(good("minimum", 3))), [true; 6]);
        assert_eq!(holds(all(good("minimum", 4))), [true, true, true, true, false, false]);
        assert_eq!(holds(all(run("minimum", Some(false), 2, 3))), [false, false, true, true, true, true]);
        assert_eq!(holds(all(run("minimum", None, 2, 3))), [true, false, true, true, true, true]);
        assert_eq!(holds(all(run("minimum", Some(true), 3, 3))), [true, true, false, true, true, true]);
    }
}
