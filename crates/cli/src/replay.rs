//! `--replay`: what is called unsafe in C is compiled by a real compiler, with the inputs of the
//! trace, and must run into the same error.
//!
//! The check of evidence is about the program as lowered. This one is about the program as a
//! compiler understands it, so it finds what the front end got wrong.

use crate::leash::{Broken, COMPILER, Limits, compilers, leashed};
use crate::load::Loaded;
use crate::options::Input;
use crate::supervise::Job;
use crate::trouble::Trouble;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tamis_frontends::spec::Spec;
use tamis_frontends::{Compiled, FRONTENDS};
use tamis_ir::{Severity, SourceId};
use tamis_report::diagnostics::render_plain;
use tamis_report::harness::{Build, Case, Ended, Kit, Outcome, Ran, Stage, Unit};
use tamis_report::style::Colour;
use tamis_witness::Reason;

/// What the compiled program may do: it follows a trace that is known.
const PROGRAM: Limits<'_> = Limits { time: Duration::from_secs(10), bytes: 16 << 20, folder: None };

/// Which programs can be compiled, as a phrase.
pub fn programs() -> String {
    let compiled = FRONTENDS.iter().filter(|frontend| frontend.compiled.is_some());
    compiled.map(|frontend| frontend.programs).collect::<Vec<_>>().join(" and ")
}

/// Refuses a program that cannot be compiled.
pub fn check(loaded: &Loaded) -> Result<(), Trouble> {
    let can = loaded.frontend.compiled.is_some();
    if can { Ok(()) } else { Err(Trouble::input(format!("only {} are replayed", programs()))) }
}

/// How the program is compiled with a harness of that name.
pub fn build(input: &Input, loaded: &Loaded, harness: &str) -> Build {
    let Compiled { flags, narrow } = loaded.frontend.compiled.map(|told| told(&loaded.settings)).unwrap_or_default();
    let errors = loaded.asked.iter().filter_map(|spec| match spec {
        Spec::UnreachCall { function } => Some(function.clone()),
        Spec::Label(_)
        | Spec::ErrorCall
        | Spec::Assert
        | Spec::Division
        | Spec::Bounds
        | Spec::NoOverflow
        | Spec::ValidFree
        | Spec::ValidDeref
        | Spec::ValidMemtrack
        | Spec::ValidMemcleanup => None,
    });
    let errors = errors.collect();
    Build { units: units(input, loaded), harness: harness.to_owned(), flags, narrow, errors }
}

/// The files of the program, as the user wrote them and as they were read.
fn units(input: &Input, loaded: &Loaded) -> Vec<Unit> {
    let sources = &loaded.program.sources;
    let unit = |(path, read): (&PathBuf, &SourceId)| {
        let name = path.display().to_string();
        let preprocessed = sources.get(*read).map_or_else(String::new, |source| source.text.clone());
        let written = sources.ids().find_map(|id| sources.get(id).filter(|source| source.name == name));
        Unit { text: written.map_or_else(|| preprocessed.clone(), |source| source.text.clone()), name, preprocessed }
    };
    input.files.iter().zip(&loaded.files).map(unit).collect()
}

/// Replays a run. Where there is no time left, nothing is learnt.
pub fn replay(job: &Job, case: &Case<'_>, build: &Build) -> Result<Outcome, Trouble> {
    job.stage("replaying");
    let refused = |why: std::io::Error| Trouble::input(format!("no temporary file can be written: {why}"));
    let kit = Kit::new(case, build);
    let mut first: Option<Outcome> = None;
    for compiler in compilers() {
        let folder = tempfile::tempdir().map_err(refused)?;
        for (name, text) in kit.files() {
            std::fs::write(folder.path().join(name), text).map_err(refused)?;
        }
        let outcome = kit.replay(&compiler, &mut |stage, words| carry_out(job, folder.path(), stage, words));
        let outcome = outcome.unwrap_or_else(|reason| Outcome::NotReplayed(reason.to_string()));
        match (outcome, first.take()) {
            (Outcome::Replayed(how), None) => return Ok(Outcome::Replayed(how)),
            (Outcome::Replayed(how), Some(_)) => {
                return Ok(Outcome::Replayed(format!("{how}, as {} compiles it", compiler.join(" "))));
            }
            // What the first one said counts, unless another one knows better.
            (_, Some(before)) => first = Some(before),
            (Outcome::NotReplayed(why), None) => return Ok(Outcome::NotReplayed(why)),
            (failed @ Outcome::Failed(_), None) => first = Some(failed),
        }
    }
    first.ok_or_else(|| Trouble::Internal("no compiler was asked".into()))
}

/// Carries out a command.
fn carry_out(job: &Job, folder: &Path, stage: Stage, words: &[String]) -> Result<Ran, Reason> {
    let limits = match stage {
        Stage::Compile => COMPILER,
        Stage::Run => PROGRAM,
    };
    let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    let nothing = |ended| Ran { ended, out: String::new(), err: String::new() };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match leashed(job, &words, &Limits { folder: Some(folder), ..limits }) {
        Ok(ran) => {
            let ended = match (ran.status.code(), stage) {
                (Some(126 | 127), Stage::Compile) => Ended::Missing,
                // As shells tell of signals.
                (Some(code @ 129..=159), _) => Ended::Signal(code - 128),
                (Some(code), _) => Ended::Code(code),
                (None, _) => Ended::Late,
            };
            Ok(Ran { ended, out: text(&ran.out), err: text(&ran.err) })
        }
        Err(Broken::Start(_)) => Ok(nothing(Ended::Missing)),
        Err(Broken::Loud | Broken::Late) => Ok(nothing(Ended::Late)),
        Err(Broken::GaveUp(reason)) => Err(reason),
    }
}

/// What is said about a replay besides the verdict.
pub fn told(outcome: &Outcome, colour: Colour) -> String {
    let failed = "the verdict is not given: either the compiler understands the program in another way, which is a \
                  bug to report, or the language leaves open what happens, as with the order of operands";
    match outcome {
        Outcome::Replayed(_) => format!("{outcome}\n"),
        Outcome::NotReplayed(_) => render_plain(Severity::Warning, &outcome.to_string(), None, colour),
        Outcome::Failed(_) => render_plain(Severity::Error, &outcome.to_string(), Some(failed), colour),
    }
}
