//! A C file that makes the compiled program run into the error that was found: it defines the
//! outside functions that the program calls, with the results that the trace chose, and tells
//! when the error is reached.
//!
//! Files in order of reading: `error` (what the error is, and how it is seen), `outside` (functions
//! that give inputs), `tokens` and `declarations` (a C text, roughly), `probes` and `unset` (what a
//! copy of the program says more than the program), `plan` (all of that for a run) with `chance`
//! (what no harness can give), `text` (the harness as C, from the pieces in `preamble.c` and other C
//! files); `recipe` (how people use it); `kit` (all that a replay needs) with `outcome` (what came of
//! it) and `runtime.c` (a C library, where there is none for 32 bits).

mod chance;
mod declarations;
mod error;
mod kit;
mod outcome;
mod outside;
mod plan;
mod probes;
mod recipe;
mod text;
mod tokens;
mod unset;

pub use chance::Chance;
pub use error::Error;
pub use kit::{Kit, Shell, Stage};
pub use outcome::{Ended, Outcome, Ran};
pub use recipe::render;

use tamis_ir::{Program, PropertyId, Trace};
use tamis_term::{Terms, Value, Var};

/// The exit code of a run that reaches the error.
pub const REACHED: i32 = 107;

/// How the program is compiled.
#[derive(Clone, Debug, Default)]
pub struct Build {
    /// Its files.
    pub units: Vec<Unit>,
    /// What the file of the harness is called.
    pub harness: String,
    /// Flags for the compiler: folders and macros.
    pub flags: Vec<String>,
    /// Whether `int`, `long` and pointers have 32 bits.
    pub narrow: bool,
    /// Functions that are errors to call, besides the usual ones.
    pub errors: Vec<String>,
}

/// A file of the program.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Its path.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The same, preprocessed.
    pub preprocessed: String,
}

impl Unit {
    /// The unit as it was read.
    fn preprocessed(&self) -> Unit {
        Unit { text: self.preprocessed.clone(), ..self.clone() }
    }
}

/// A run into an error of a program.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The arena of the program's terms.
    pub terms: &'a Terms,
    /// The program, as lowered.
    pub program: &'a Program,
    /// What was asked.
    pub property: PropertyId,
    /// The run.
    pub trace: &'a Trace,
}

/// How many arguments a run is started with, at most.
const MOST_ARGUMENTS: u64 = 1000;

impl Case<'_> {
    /// The error that the run ends in.
    #[must_use]
    pub fn error(&self) -> Error {
        Error::at(self.program, self.property, self.trace.last(self.program))
    }

    /// How many arguments the program is started with, its name counted, if the run says so and it
    /// can be done; and the variable that holds it.
    fn argument_count(&self) -> Option<(Var, u64)> {
        let main = self.program.proc(self.program.main);
        let count = main.params.first().filter(|_| main.name == "main")?;
        let (_, value) = self.trace.start.iter().find(|(var, _)| var == count)?;
        let Value::BitVec(bits) = value else { return None };
        bits.to_u64().filter(|count| (1..=MOST_ARGUMENTS).contains(count)).map(|number| (*count, number))
    }

    /// The arguments to start the program with.
    fn arguments(&self) -> Vec<String> {
        let count = self.argument_count().map_or(1, |(_, count)| count);
        (1..count).map(|_| "x".to_owned()).collect()
    }
}

#[cfg(test)]
mod tests;
