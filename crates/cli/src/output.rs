//! Streams, files and exit codes.

use crate::trouble::Trouble;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;
use tamis_witness::Verdict;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Safe, or nothing was asked.
    Safe,
    /// The command line is wrong.
    Usage,
    /// The input is wrong.
    Input,
    /// Unknown.
    Unknown,
    /// A bug.
    Internal,
    /// The compiled program does not run into the error.
    Contradicted,
    /// Unsafe.
    Unsafe,
}

impl Exit {
    /// The exit code.
    pub fn code(self) -> i32 {
        match self {
            Exit::Safe => 0,
            Exit::Usage => 1,
            Exit::Input => 2,
            Exit::Unknown => 5,
            Exit::Internal => 6,
            Exit::Contradicted => 7,
            Exit::Unsafe => 10,
        }
    }

    /// The exit for a verdict.
    pub fn of(verdict: &Verdict) -> Exit {
        match verdict {
            Verdict::Safe(_) => Exit::Safe,
            Verdict::Unsafe(_) => Exit::Unsafe,
            Verdict::Unknown(_) => Exit::Unknown,
        }
    }
}

/// What a subcommand has to say in the end.
#[derive(Debug)]
pub struct Ending {
    /// For standard error, written first.
    pub err: String,
    /// For standard output.
    pub out: String,
    /// How to end.
    pub exit: Exit,
}

impl Ending {
    /// Writes everything.
    pub fn write(self) -> Exit {
        error(&self.err);
        output(&self.out);
        self.exit
    }
}

/// Writes to standard error. If that fails there is nobody left to tell.
pub fn error(text: &str) {
    let mut stream = std::io::stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

/// Writes to standard output. A reader who has gone away is no error.
pub fn output(text: &str) {
    let mut stream = std::io::stdout().lock();
    if let Err(why) = stream.write_all(text.as_bytes()).and_then(|()| stream.flush())
        && why.kind() != ErrorKind::BrokenPipe
    {
        error(&format!("error: standard output cannot be written: {why}\n"));
    }
}

/// Whether an existing file may be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays as it is, and the user is told.
    Keep,
    /// The user said `--force`.
    Replace,
}

impl Existing {
    /// As `--force` says.
    pub fn from_force(force: bool) -> Existing {
        if force { Existing::Replace } else { Existing::Keep }
    }
}

/// Refuses early what [`write_file`] would refuse at the end of a long run. `inputs` are
/// never overwritten, whatever the user says.
pub fn check_target(path: &Path, existing: Existing, inputs: &[&Path]) -> Result<(), Trouble> {
    let name = path.display();
    if path.is_dir() {
        return Err(Trouble::input(format!("{name} is a directory")).hint("name a file in it"));
    }
    let own = path.canonicalize().ok();
    if own.is_some() && inputs.iter().any(|input| input.canonicalize().ok() == own) {
        return Err(Trouble::input(format!("{name} is an input of this run")).hint("choose another name"));
    }
    if existing == Existing::Keep && path.symlink_metadata().is_ok() {
        return Err(exists(path));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Trouble::input(format!("{name} cannot be written: its folder does not exist"))
            .hint("create the folder first"));
    }
    Ok(())
}

fn exists(path: &Path) -> Trouble {
    Trouble::input(format!("{} exists", path.display())).hint("choose another name, or overwrite it with --force")
}

/// Writes a text file whole or not at all.
pub fn write_file(path: &Path, existing: Existing, text: &str) -> Result<(), Trouble> {
    write_bytes(path, existing, text.as_bytes())
}

/// Writes a file whole or not at all.
pub fn write_bytes(path: &Path, existing: Existing, bytes: &[u8]) -> Result<(), Trouble> {
    let written = match existing {
        Existing::Keep => write_new(path, bytes),
        // A device or a pipe is written to, not replaced, and so is what a link leads to.
        Existing::Replace if path.metadata().is_ok_and(|about| !about.is_file()) || path.is_symlink() => {
            OpenOptions::new().write(true).truncate(true).open(path).and_then(|mut file| file.write_all(bytes))
        }
        Existing::Replace => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let draft = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
            write_new(&draft, bytes).and_then(|()| std::fs::rename(&draft, path)).inspect_err(|_| {
                // The draft is ours; if it was never made there is nothing to remove.
                let _ = std::fs::remove_file(&draft);
            })
        }
    };
    match written {
        Ok(()) => Ok(()),
        Err(why) if why.kind() == ErrorKind::AlreadyExists => Err(exists(path)),
        Err(why) => Err(Trouble::input(format!("{} cannot be written: {why}", path.display()))),
    }
}

/// Writes a file that must not exist yet; half a file is worse than none.
fn write_new(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes).inspect_err(|_| {
        let _ = std::fs::remove_file(path);
    })
}
