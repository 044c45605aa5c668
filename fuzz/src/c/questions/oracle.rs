//! What compiled programs meet, on all inputs.

use super::write::{INPUTS, VALUES};
use super::{EVENTS, Event};
use crate::c::compiler::limited;
use crate::c::tree::Node;
use std::fmt::Write;
use std::fs;
use std::process::Command;
use std::time::Duration;

/// What every compiled program begins with.
const RECORDER: &str = include_str!("recorder.c");

/// How long the compiler, and all runs of some programs, may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// What a program meets on one input, in this order.
pub type Meetings = Vec<Event>;

/// What is right to say about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// No run violates it.
    Safe,
    /// Some run does.
    Unsafe,
    /// Some run does what C leaves undefined, and no other run tells.
    Open,
}

/// The truth about a program that meets this, if it is asked about some events together.
#[must_use]
pub fn truth(runs: &[Meetings], asked: &[Event]) -> Truth {
    let mut truth = Truth::Safe;
    for event in runs.iter().filter_map(|run| decisive(run, asked)) {
        if asked.contains(&event) {
            return Truth::Unsafe;
        }
        truth = Truth::Open;
    }
    truth
}

/// The event that decides about a run: one that is asked about, or behind which anything may happen.
fn decisive(run: &[Event], asked: &[Event]) -> Option<Event> {
    let until = run.iter().find(|event| asked.contains(*event) || **event == Event::Bounds || event.ends())?;
    (asked.contains(until) || *until == Event::Bounds).then_some(*until)
}

/// Compiles programs, and runs each on all inputs.
///
/// # Errors
/// If the compiler cannot be used or refuses the programs, or if a program does something else.
pub fn meetings(programs: &[Node]) -> Result<Vec<Vec<Meetings>>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, binary) = (folder.path().join("programs.c"), folder.path().join("programs"));
    fs::write(&source, file_of(programs)).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-w", "-O0", "-fwrapv", "-fno-builtin", "-o"]).arg(&binary).arg(&source);
    let built = limited(&mut compiler, folder.path(), PATIENCE)?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let output = limited(&mut Command::new(&binary), folder.path(), PATIENCE)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let runs: Vec<Meetings> = text.lines().map(read).collect::<Result<_, _>>()?;
    let each = VALUES.pow(INPUTS) as usize;
    if runs.len() != each * programs.len() {
        return Err(format!("{} runs of {} programs", runs.len(), programs.len()));
    }
    Ok(runs.chunks(each).map(<[Meetings]>::to_vec).collect())
}

/// The programs in one file.
fn file_of(programs: &[Node]) -> String {
    let (mut text, mut calls) = (RECORDER.to_owned(), String::new());
    for (at, program) in programs.iter().enumerate() {
        text.push_str(&program.print(&format!("p{at}_")));
        let _ = writeln!(calls, "  for (unsigned at = 0; at < {}; at++)", VALUES.pow(INPUTS));
        let _ = writeln!(calls, "    run((void (*)(void))p{at}_main, at);");
    }
    let space = "(events = mmap(0, 4096, 3, 0x21, -1, 0)) == (void *)-1";
    let _ = write!(text, "int main(void) {{\n  if ({space})\n    return 1;\n{calls}  return 0;\n}}\n");
    text
}

/// A line of the output.
fn read(line: &str) -> Result<Meetings, String> {
    let letters = line.strip_prefix('-').ok_or_else(|| format!("a run ends by a signal: {line}"))?;
    let event = |letter: char| EVENTS.iter().find(|row| row.1 == letter).map(|row| row.0);
    letters.chars().map(|letter| event(letter).ok_or_else(|| format!("no event: {line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_run_hides_the_rest() {
        use Event::{Assertion, Bounds, Call, Label};
        let run = vec![Label, Assertion, Call];
        assert_eq!(truth(&[vec![], run.clone()], &[Label]), Truth::Unsafe);
        assert_eq!(truth(&[vec![], run.clone()], &[Assertion]), Truth::Unsafe);
        assert_eq!(truth(&[vec![], run], &[Call]), Truth::Safe);
        assert_eq!(truth(&[vec![Call, Bounds]], &[Label]), Truth::Open);
        assert_eq!(truth(&[vec![Call, Bounds]], &[Bounds]), Truth::Unsafe);
        assert_eq!(truth(&[vec![Call, Bounds]], &[Call]), Truth::Unsafe);
    }
}
