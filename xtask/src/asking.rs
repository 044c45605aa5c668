//! Questions about C programs whose answers are known: how `tamis` is asked many of them.

use crate::answer::answer;
use crate::jobs;
use crate::results::{self, Row};
use crate::tools::{Said, patience, seconds};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// How the command is asked.
#[derive(clap::Args)]
pub struct Asking {
    /// The time limit for each question, in seconds
    #[arg(long, value_name = "T", default_value = "10s", value_parser = seconds)]
    time: u64,
    /// The memory limit for each question
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory_limit: String,
    /// How many programs at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Write a table of all questions; if there is one, tell what has changed
    #[arg(long, value_name = "TSV")]
    keep: Option<PathBuf>,
    /// More options for the command, as in `--engine explicit`
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    tell: String,
    /// The command to run
    #[arg(long, value_name = "PATH", default_value = "tamis")]
    cli: PathBuf,
}

/// A question about a program, in the words of a property file.
pub struct Question<'a> {
    /// What is asked, in a word.
    pub word: &'static str,
    pub files: &'a [PathBuf],
    /// What always holds: `! call(reach_error())`.
    pub formula: &'static str,
    /// The right answer.
    pub expected: Said,
}

/// The formula of most questions.
pub const NO_ERROR: &str = "! call(reach_error())";

impl Asking {
    /// Asks about all programs, each in a folder of its own, and tells what came of it. False if a
    /// verdict was wrong.
    ///
    /// # Errors
    /// If files cannot be written.
    pub fn about<T: Sync>(&self, items: &[T], ask: impl Fn(&T, &Path) -> Vec<Row> + Sync) -> Result<bool, String> {
        let (mut rows, mut trouble) = (Vec::new(), None);
        let ask = |item: &T| tempfile::tempdir().map(|room| ask(item, room.path()));
        jobs::each(items, self.jobs, ask, |asked| match asked {
            Ok(asked) => rows.extend(asked.into_iter().inspect(results::tell)),
            Err(why) => trouble = Some(why.to_string()),
        });
        print!("{}", results::sums(&rows));
        if let Some(path) = &self.keep {
            print!("{}", results::keep(path, &rows)?);
        }
        trouble.map_or(Ok(!rows.iter().any(|row| row.mark.is_bad())), Err)
    }

    /// Asks a question about a program, with what the command is to be told besides.
    ///
    /// # Errors
    /// If files cannot be written.
    pub fn judge(
        &self,
        name: &str,
        question: &Question,
        tell: impl FnOnce(&mut Command),
        room: &Path,
    ) -> Result<Row, String> {
        let spec = room.join("property.prp");
        let text = format!("CHECK( init(main()), LTL(G {}) )\n", question.formula);
        fs::write(&spec, text).map_err(|why| format!("{}: {why}", spec.display()))?;
        let mut command = Command::new(&self.cli);
        command.arg("verify").args(question.files).arg("--spec").arg(spec);
        command.args(["--data-model", "lp64", "--json", "--quiet", "--memory", &self.memory_limit]);
        command.arg("--time").arg(format!("{}s", self.time)).args(self.tell.split_whitespace());
        tell(&mut command);
        let start = Instant::now();
        let answer = answer(&mut command, room, patience(self.time));
        Ok(Row::judged(name, question.word, question.expected, answer, start.elapsed()))
    }
}
