//! `cargo xtask mutate-systems`: damaged systems and automata for the command `tamis`.
//!
//! Each text is answered with a verdict, or refused with a message that says where; in time.

use crate::mutate::{Case, Common, Fate, campaign, collect};
use fastrand::Rng;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::{Duration, Instant};
use tamis_fuzz::c::compiler::limited;
use tamis_fuzz::damage::{Vocabulary, damage};

/// How many texts, and where they come from.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The command to run
    #[arg(long, value_name = "PATH", default_value = "target/debug/tamis")]
    cli: PathBuf,
    /// The folder of this workspace, whose programs are damaged
    #[arg(long, value_name = "DIR", default_value = ".")]
    workspace: PathBuf,
}

const ENDINGS: &[&str] = &["system", "cfa", "aag", "aig", "btor2"];

/// How long the command may try, and how long it may take with everything.
const TIME: &str = "300ms";
const PATIENCE: Duration = Duration::from_secs(20);

/// Words of all these languages: those of one are strange enough to another.
const LANGUAGE: Vocabulary = Vocabulary {
    words: &[
        "specification",
        "property",
        "system",
        "models",
        "G",
        "const",
        "var",
        "invariant",
        "initial",
        "transition",
        "main",
        "process",
        "loc",
        "init",
        "final",
        "error",
        "assume",
        "havoc",
        "return",
        "bool",
        "int",
        "rat",
        "bv[8]",
        "fp[8,24]",
        "[int] -> int",
        "if",
        "then",
        "else",
        "and",
        "or",
        "not",
        "imply",
        "iff",
        "forall (i : int)",
        "mod",
        "rem",
        "bvadd",
        "bvult",
        "8'd1",
        "8'b2",
        "1%0",
        "x'",
        ":=",
        "->",
        "<-",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "'",
        "%",
        "0",
        "1",
        "-1",
        "18446744073709551616",
        "é",
        "\u{0}",
        "/*",
        "//",
        "aag",
        "aig",
        "aag 1 1 1 1 1",
        "b0",
        "c\n",
        "sort bitvec 8",
        "sort array 1 1",
        "state 1",
        "input 1",
        "next",
        "bad",
        "constraint",
        "justice 1",
        "fair",
        "zero",
        "one",
        "ones",
        "constd 1 300",
        "slice 1 2 9 0",
        "uext",
        "concat",
        "write",
        "redor",
        "output",
    ],
    pairs: &[
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("not ", ""),
        ("- ", "x"),
        ("if true then ", " else 1"),
        ("x' = x and ", "true"),
        ("1 + ", "1"),
        ("'", ""),
        ("[0 <- 1, default <- ", "]"),
        ("/*", "*/"),
        ("2 4 6\n", ""),
        ("1 sort bitvec 1\n", ""),
        ("\n", ""),
        ("9", ""),
    ],
};

pub fn run(arguments: &Arguments) -> ExitCode {
    let own = ["tests/corpus", "examples"].map(|folder| arguments.workspace.join(folder));
    let mut texts: Vec<Case> = Vec::new();
    for folder in own.iter().chain(&arguments.common.folder) {
        match collect(folder, ENDINGS) {
            Ok(found) => texts.extend(found),
            Err(error) => {
                println!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let make = |rng: &mut Rng| {
        let (text, other) = (&texts[rng.usize(0..texts.len())], &texts[rng.usize(0..texts.len())]);
        Case { bytes: damage(rng, &LANGUAGE, &text.bytes, &other.bytes), ending: text.ending.clone() }
    };
    campaign(&arguments.common, make, |_, file, _| {
        let start = Instant::now();
        let mut command = Command::new(&arguments.cli);
        command.args(["verify", "--time", TIME, "--memory", "2G"]).arg(file);
        let fate = match limited(&mut command, &arguments.common.keep, PATIENCE) {
            Ok(output) => judge(&output, file),
            Err(why) => Fate::Bad(why),
        };
        Ok((fate, start.elapsed()))
    })
}

/// What the command made of a text.
fn judge(output: &Output, file: &Path) -> Fate {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if err.contains("panicked") || err.contains("internal error") {
        return Fate::Bad(format!("{}: {}", file.display(), err.lines().next().unwrap_or_default()));
    }
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let located = err.contains("error") && err.contains(name) && (err.contains("-->") || err.contains("line "));
    // A text without a question has no place to point at.
    let silent = err.contains("nothing to check");
    match output.status.code() {
        Some(0 | 5 | 10) if !out.is_empty() => Fate::Lowered,
        Some(2) if located || silent => Fate::Refused,
        code => Fate::Bad(format!("exit {code:?}: {}", err.lines().next().unwrap_or_default())),
    }
}
