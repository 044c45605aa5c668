//! The built program, run as a user runs it. Tests are data through one door, [`Run`].

mod bad_input;
mod bench;
#[cfg(unix)]
mod c_input;
mod c_programs;
mod circuits;
mod limits;
mod precision;
#[cfg(unix)]
mod replays;
mod reports;
mod translate;
mod usage;
mod verdicts;
mod witnesses;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a run left behind.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
    time: Duration,
}

impl Ran {
    fn new(output: &Output, time: Duration) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("Tamis writes UTF-8");
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr), time }
    }

    /// The exit code is `code`, and each fragment is on one of the streams.
    #[track_caller]
    fn ends(&self, code: i32, fragments: &[&str]) -> &Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        for fragment in fragments {
            assert!(self.err.contains(fragment) || self.out.contains(fragment), "{fragment:?} in {self:#?}");
        }
        assert!(!self.err.contains("panicked") && !self.err.contains("internal error:"), "{self:#?}");
        self
    }

    /// The last line on standard output.
    fn last(&self) -> &str {
        self.out.lines().last().unwrap_or("")
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:#?}"))
    }
}

/// A folder with files, in which commands run.
struct Place(TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Place {
        let place = Place(TempDir::new().expect("a temporary folder"));
        for (name, text) in files {
            place.write(name, text.as_bytes());
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("a file in a temporary folder");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file that was written")
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).env_remove("RUST_BACKTRACE");
        command
    }

    /// Runs `tamis` with arguments that are separated by blanks.
    fn run(&self, arguments: &str) -> Ran {
        let start = Instant::now();
        let output = self.command(arguments).output().expect("the built program");
        Ran::new(&output, start.elapsed())
    }

    fn start(&self, arguments: &str) -> Child {
        self.command(arguments).spawn().expect("the built program")
    }
}

/// Runs `tamis` on one file.
fn run(name: &str, text: &str, arguments: &str) -> Ran {
    Place::new(&[(name, text)]).run(&arguments.replace("FILE", name))
}

/// A file of the workspace.
fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A Boolean program that counts from 0; the assertion fails at the largest number of that
/// many bits, which is far away.
fn counter(bits: usize) -> String {
    let names: Vec<String> = (0..bits).map(|bit| format!("b{bit}")).collect();
    let next = |bit: usize| match bit {
        0 => "!b0".to_owned(),
        _ => format!("b{bit} ^ ({})", names[..bit].join(" & ")),
    };
    let next: Vec<String> = (0..bits).map(next).collect();
    let (left, zeros, all) = (names.join(", "), vec!["F"; bits].join(", "), names.join(" & "));
    let next = next.join(", ");
    format!(
        "decl {left};\nvoid main()\nbegin\n  {left} := {zeros};\n  while (T) do\n    {left} := {next};\n    \
         assert(!({all}));\n  od\nend\n"
    )
}
