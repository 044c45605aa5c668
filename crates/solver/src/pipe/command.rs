//! Commands that start solvers, and what is known of the solvers.

use std::fmt;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(super) words: Vec<String>,
    pub(super) kind: Kind,
}

/// What a solver can do beyond the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing that we know of.
    Standard,
    /// It counts its steps, and is as good as new after a reset.
    Z3,
}

impl Command {
    /// A command that a user wrote: its words are separated by blanks.
    pub(crate) fn split(text: &str) -> Command {
        Command { words: text.split_whitespace().map(str::to_owned).collect(), kind: Kind::Standard }
    }

    /// A program of Z3's with some parameters that may hold about so many bytes.
    pub(crate) fn z3(program: &str, parameters: &[&str], memory: usize) -> Command {
        let mut words = vec![program.to_owned(), "-in".to_owned(), format!("-memory:{}", (memory >> 20).max(1))];
        words.extend(parameters.iter().map(|parameter| (*parameter).to_owned()));
        Command { words, kind: Kind::Z3 }
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Standard => f.write_str(&self.words.join(" ")),
            Kind::Z3 => f.write_str("z3"),
        }
    }
}
