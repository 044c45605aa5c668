//! Questions and answers: which answer belongs to which question.

use super::command::Command;
use super::process::{Process, Silence};
use std::fmt::Write;

/// A process that is asked one thing after the other.
pub(crate) struct Conversation {
    process: Process,
    /// How many marks were asked for.
    marks: u64,
}

/// Why a conversation ends.
pub(crate) enum End {
    /// We do not want to wait any longer.
    Stopped,
    /// The solver broke.
    Broken(String),
}

impl From<Silence> for End {
    fn from(silence: Silence) -> End {
        match silence {
            Silence::Stopped => End::Stopped,
            Silence::Broken(what) => End::Broken(what),
        }
    }
}

impl Conversation {
    /// Runs a command.
    pub(crate) fn start(command: &Command) -> Result<Conversation, End> {
        let process = Process::start(&command.words).map_err(End::Broken)?;
        Ok(Conversation { process, marks: 0 })
    }

    /// The number of the process.
    pub(crate) fn process(&self) -> u32 {
        self.process.number()
    }

    /// Ends the process, as if it had died.
    #[cfg(test)]
    pub(super) fn kill(&self) {
        self.process.kill();
    }

    /// Says some commands and asks for a mark; returns all that is said before the mark.
    pub(crate) fn ask(&mut self, mut commands: String, stop: &mut dyn FnMut() -> bool) -> Result<Vec<String>, End> {
        self.marks += 1;
        let mark = format!("tamis-{}", self.marks);
        let _ = writeln!(commands, "\n(echo \"{mark}\")");
        self.process.tell(commands);
        let mut answers = Vec::new();
        loop {
            let said = self.process.hear(&mut *stop)?;
            if said.trim_matches('"') == mark {
                return Ok(answers);
            }
            answers.push(said);
        }
    }
}
