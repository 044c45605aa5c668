//! What a language may do outside before its texts are read: files are read and compilers are run
//! by the command alone, which lends these abilities.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tamis_options::Settings;

/// What the command lends.
pub trait Outside {
    /// The text of a file, or of standard input if the path is `-`.
    ///
    /// # Errors
    /// It cannot be read, or is no text in UTF-8.
    fn read(&mut self, path: &Path) -> Result<Text, Unprepared>;

    /// The same, where the language says how a byte that is no UTF-8 is written.
    ///
    /// # Errors
    /// It cannot be read, or is no text.
    fn read_with(&mut self, path: &Path, write: Write) -> Result<Text, Unprepared>;

    /// The file that a path stands for, if it exists.
    fn found(&self, path: &Path) -> Option<PathBuf>;

    /// What the C compiler is called.
    fn compiler(&self) -> String;

    /// Runs the C compiler.
    ///
    /// # Errors
    /// It cannot be started, does not end, or prints without end.
    fn compile(&mut self, arguments: &[OsString]) -> Result<Ran, Unprepared>;

    /// A folder with empty files of these paths, which is there until the program is read.
    ///
    /// # Errors
    /// Nothing can be written.
    fn folder(&mut self, files: &[&str]) -> Result<PathBuf, Unprepared>;

    /// Tells the user something, and what to do about it.
    fn warn(&mut self, message: &str, hint: &str);
}

/// How a language writes a byte that is no UTF-8.
pub type Write = fn(u8) -> String;

/// The text that bytes are, where those that are no UTF-8 are written in another way.
#[must_use]
pub fn utf8(bytes: &[u8], write: Write) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| write(*byte)));
    }
    text
}

/// A text of the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// What the user calls it.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// What the compiler left behind.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Its exit code, unless a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub out: Vec<u8>,
    /// What it said about that.
    pub err: Vec<u8>,
}

impl Ran {
    /// Whether it did what it was told to do.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.code == Some(0)
    }
}

/// Makes the texts that are read of files, and chooses what the user left open.
pub type Prepare = fn(&mut dyn Outside, &[PathBuf], &mut Settings) -> Result<Vec<Prepared>, Unprepared>;

/// A text for the front end.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The text.
    pub text: Text,
    /// The user's texts that it was made of and to which its line markers point.
    pub originals: Vec<Text>,
}

/// Why no text was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unprepared {
    /// The input is wrong.
    Input {
        /// What is wrong.
        message: String,
        /// What to do about it.
        hint: Option<String>,
    },
    /// The compiler refused the input.
    Tool {
        /// What was tried.
        message: String,
        /// What the compiler said about it.
        said: String,
    },
    /// The work was stopped: whoever lends the abilities knows why.
    Stopped,
}

impl Unprepared {
    /// The input is wrong.
    #[must_use]
    pub fn input(message: impl Into<String>) -> Unprepared {
        Unprepared::Input { message: message.into(), hint: None }
    }

    /// The same with a hint, if there is room for one.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Unprepared {
        match self {
            Unprepared::Input { message, .. } => Unprepared::Input { message, hint: Some(hint.into()) },
            Unprepared::Tool { .. } | Unprepared::Stopped => self,
        }
    }
}
