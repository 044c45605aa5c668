//! What came of a replay.

use super::REACHED;
use std::fmt;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with that exit code.
    Code(i32),
    /// By a signal of that number.
    Signal(i32),
    /// It took too long, and was ended.
    Late,
    /// There is no such command.
    Missing,
}

/// What a command left behind.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// What it printed on standard output.
    pub out: String,
    /// What it printed on standard error.
    pub err: String,
}

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The compiled program runs into the error: which, and where as far as that is known.
    Replayed(String),
    /// Nothing is learnt: why.
    NotReplayed(String),
    /// The compiled program ran with the inputs of the trace, and not into the error: what it did.
    Failed(String),
}

impl Outcome {
    /// One word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Replayed(_) => "replayed",
            Outcome::NotReplayed(_) => "not replayed",
            Outcome::Failed(_) => "failed",
        }
    }

    /// The details.
    #[must_use]
    pub fn detail(&self) -> &str {
        match self {
            Outcome::Replayed(detail) | Outcome::NotReplayed(detail) | Outcome::Failed(detail) => detail,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Replayed(how) => write!(f, "replayed: the compiled program runs into the error ({how})"),
            Outcome::NotReplayed(why) => write!(f, "not replayed: {why}"),
            Outcome::Failed(what) => {
                write!(f, "not replayed: the compiled program does not run into the error: {what}")
            }
        }
    }
}

impl Ran {
    /// Whether the run came to the error.
    pub(super) fn reached(&self) -> bool {
        self.ended == Ended::Code(REACHED) && self.out.lines().next_back() == Some("tamis: error reached")
    }

    /// Where the run came to the error, if that is known.
    pub(super) fn place(&self) -> Option<&str> {
        let line = self.out.lines().rev().nth(1).filter(|_| self.reached())?;
        line.strip_prefix("tamis: at ")
    }

    /// How the run ended, as a phrase.
    pub(super) fn phrase(&self) -> String {
        // What the harness said, or a sanitizer.
        let said = self.out.lines().rev().find_map(|line| line.strip_prefix("tamis: "));
        match (self.ended, said) {
            (Ended::Late, _) => "it does not end in time".to_owned(),
            (Ended::Missing, _) => "it cannot be started".to_owned(),
            (Ended::Code(_), Some(said)) => said.to_owned(),
            (Ended::Code(code), None) => format!("it ends with exit code {code}"),
            (Ended::Signal(number), _) => format!("it is ended by {}", signal(number)),
        }
    }

    /// The first complaint of a compiler.
    pub(super) fn complaint(&self) -> String {
        let complains = |line: &&str| line.contains("error") || line.contains("undefined reference");
        let line = self.err.lines().find(complains).or_else(|| self.err.lines().next());
        line.map_or_else(|| self.phrase(), |line| line.trim().to_owned())
    }
}

/// The signals that end programs of their own accord, as Linux numbers them.
fn signal(number: i32) -> String {
    let name = match number {
        4 => "an illegal instruction",
        6 => "abort",
        7 => "a bus error",
        8 => "an arithmetic exception",
        11 => "a wrong access to memory",
        _ => return format!("signal {number}"),
    };
    format!("{name} (signal {number})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(ended: Ended, out: &str) -> Ran {
        Ran { ended, out: out.to_owned(), err: String::new() }
    }

    #[test]
    fn only_the_last_words_and_the_exit_code_together_count() {
        let reached = Ended::Code(REACHED);
        assert_eq!(ran(reached, "x\ntamis: at a.c:3\ntamis: error reached\n").place(), Some("a.c:3"));
        assert_eq!(ran(reached, "tamis: error reached\n").place(), None);
        for (ended, out, expected) in [
            (reached, "tamis: error reached\n", true),
            (reached, "", false),
            (Ended::Code(0), "tamis: error reached\n", false),
            (reached, "tamis: error reached\nmore\n", false),
        ] {
            assert_eq!(ran(ended, out).reached(), expected);
        }
    }

    #[test]
    fn the_end_of_a_run_is_told() {
        assert_eq!(ran(Ended::Code(3), "hello\n").phrase(), "it ends with exit code 3");
        assert_eq!(ran(Ended::Code(1), "tamis: an assumption fails\n").phrase(), "an assumption fails");
        assert_eq!(ran(Ended::Signal(8), "").phrase(), "it is ended by an arithmetic exception (signal 8)");
        assert_eq!(ran(Ended::Signal(40), "").phrase(), "it is ended by signal 40");
    }
}
