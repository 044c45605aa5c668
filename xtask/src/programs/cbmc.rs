//! CBMC on a task: bounded model checking, deeper and deeper until nothing is cut off.
//!
//! An assertion that fails is an error, however deep the search was. Where none fails and no
//! unwinding assertion does either, all runs were seen: the bounded proof is a proof.

use super::Ran;
use crate::collection::Task;
use crate::tools::{Said, confined};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tamis_fuzz::c::compiler::limited;

/// The result for one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Safe,
    Unsafe,
    /// No error so far, but some runs are longer.
    Cut,
    /// Something else.
    Failed(String),
}

/// Asks about a task.
pub fn run(cbmc: &Path, task: &Task, time: u64, room: &Path) -> Ran {
    let (start, limit) = (Instant::now(), Duration::from_secs(time));
    let mut depth: u64 = 1;
    loop {
        let left = limit.saturating_sub(start.elapsed());
        let mut command = confined(cbmc, time);
        command.args(["--no-standard-checks", "--unwinding-assertions", "--unwind", &depth.to_string()]);
        command.arg(if task.model == "lp64" { "--64" } else { "--32" }).arg(task.file());
        if let Some(function) = task.function() {
            let stub = room.join("stub.c");
            let text = format!("void {function}(int fails) {{ __CPROVER_assert(!fails, \"{function}\"); }}\n");
            fs::write(&stub, text).map_err(|why| why.to_string())?;
            // Such programs are TRACER's, in which static variables are inputs.
            command.arg("--nondet-static").arg(stub);
        }
        let output = limited(&mut command, room, left).map_err(|why| format!("{why} at depth {depth}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let said = match understood(&text) {
            Outcome::Safe => Said::Safe,
            Outcome::Unsafe => Said::Unsafe,
            Outcome::Cut => {
                depth *= 2;
                continue;
            }
            Outcome::Failed(why) => return Err(format!("{why} at depth {depth}")),
        };
        return Ok((said, start.elapsed(), format!("depth {depth}")));
    }
}

/// Reads lines like `[main.assertion.1] line 7 assertion x > 0: FAILURE`. That a function has no
/// body is told the same way; it returns anything, as it does to all tools here.
fn understood(output: &str) -> Outcome {
    let asked = |line: &&str| {
        let name = line.strip_prefix('[').and_then(|rest| rest.split(']').next());
        name.is_some_and(|name| name.contains(".assertion.")) || line.contains("unwinding assertion")
    };
    let answered: Vec<&str> = output.lines().filter(asked).collect();
    let (good, bad): (Vec<&str>, Vec<&str>) = answered.iter().partition(|line| line.ends_with(": SUCCESS"));
    let is_unwinding = |line: &&str| line.contains("unwinding assertion");
    let has_ended = output.lines().any(|line| line.starts_with("VERIFICATION "));
    if bad.iter().any(|line| !is_unwinding(line) && line.ends_with(": FAILURE")) {
        Outcome::Unsafe
    } else if let Some(other) = bad.iter().find(|line| !line.ends_with(": FAILURE")) {
        Outcome::Failed((*other).to_owned())
    } else if !bad.is_empty() {
        Outcome::Cut
    } else if has_ended && (!good.is_empty() || output.contains("VERIFICATION SUCCESSFUL")) {
        Outcome::Safe
    } else {
        let last = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("nothing was said");
        Outcome::Failed(last.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that CBMC 6.6.0 printed.
    #[test]
    fn answers_are_understood() {
        let cut = "[main.unwind.0] line 24 unwinding assertion loop 0: FAILURE";
        let deep = "[f.recursion] line 2 recursion unwinding assertion: FAILURE";
        let (seen, holds) = (
            "[f.recursion] line 2 recursion unwinding assertion: SUCCESS",
            "[main.assertion.1] line 91 assertion: SUCCESS",
        );
        let fails = "[main.assertion.1] line 7 assertion x == 3: FAILURE";
        let body = "[main.no-body.foo] line 3 no body for callee foo: FAILURE";
        let open = "[main.assertion.2] line 4 assertion: UNKNOWN";
        let (bad, good) = ("VERIFICATION FAILED", "VERIFICATION SUCCESSFUL");
        for (lines, outcome) in [
            (&[cut, holds, bad][..], Outcome::Cut),
            (&[deep, holds, bad], Outcome::Cut),
            (&[seen, holds, good], Outcome::Safe),
            (&[seen, holds, body, bad], Outcome::Safe),
            (&[good], Outcome::Safe),
            (&[cut, fails, bad], Outcome::Unsafe),
            (&[fails, body, bad], Outcome::Unsafe),
            (&[seen, open, bad], Outcome::Failed(open.into())),
            (&[seen, holds], Outcome::Failed(holds.into())),
            (&["PARSING ERROR", ""], Outcome::Failed("PARSING ERROR".into())),
            (&["CONVERSION ERROR"], Outcome::Failed("CONVERSION ERROR".into())),
            (&[], Outcome::Failed("nothing was said".into())),
        ] {
            assert_eq!(understood(&lines.join("\n")), outcome, "{lines:?}");
        }
    }
}
