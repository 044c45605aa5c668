//! `tamis check`: the independent checker, alone.

use crate::hardware;
use crate::input::{Content, is_stdin};
use crate::load::{Loaded, load};
use crate::options::Check;
use crate::output::{Ending, Exit};
use crate::progress::Gauge;
use crate::replay;
use crate::supervise::{Job, supervise};
use crate::task::Task;
use crate::trouble::{Manner, Trouble};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;
use tamis_hardware::{Failure, Shown};
use tamis_ir::PropertyId;
use tamis_report::harness::{Case, Outcome};
use tamis_report::json::{UNKNOWN, VERSION, line, seconds, verdict_word};
use tamis_report::style::{Colour, one_line};
use tamis_report::witness_file;
use tamis_witness::{Check as Found, Verdict, check};

/// The word for evidence that establishes nothing.
const REJECTED: &str = "rejected";

/// Runs the subcommand.
pub fn run(mut options: Check, colour: Colour) -> Exit {
    let start = Instant::now();
    let manner = Manner { file: options.input.name(), json: options.voice.json, colour };
    let task = match Task::resolve(&mut options.input, Some(&mut options.question)) {
        Ok(task) => task,
        Err(trouble) => return trouble.report(Some(&manner)),
    };
    let (limits, quiet) = (options.limits, options.voice.quiet);
    let work = move |job: &Job| {
        task.notes.iter().for_each(|note| job.say(format!("{note}\n")));
        verdict(job, &options, colour, start)
    };
    supervise(limits, quiet, &Arc::new(Gauge::default()), work).end(&manner, |reason| {
        let result = Result { reason: Some(reason.to_string()), ..Result::new(UNKNOWN) };
        result.ending(&manner, None, start)
    })
}

/// What came out.
struct Result {
    verdict: String,
    reason: Option<String>,
    accepted: bool,
    replay: Option<Outcome>,
}

impl Result {
    /// A result of that verdict, without evidence for it.
    fn new(verdict: impl Into<String>) -> Result {
        Result { verdict: verdict.into(), reason: None, accepted: false, replay: None }
    }

    /// The same after a replay: only a run that reaches the error lets the verdict stand.
    fn replayed(self, outcome: Outcome) -> Result {
        let verdict = match &outcome {
            Outcome::Replayed(_) => return Result { replay: Some(outcome), ..self },
            Outcome::NotReplayed(_) => UNKNOWN,
            Outcome::Failed(_) => REJECTED,
        };
        let reason = Some(outcome.to_string());
        Result { reason, accepted: self.accepted, replay: Some(outcome), ..Result::new(verdict) }
    }

    fn exit(&self) -> Exit {
        match (&self.replay, self.accepted) {
            (Some(Outcome::Failed(_)), _) => Exit::Contradicted,
            (Some(Outcome::NotReplayed(_)), _) | (_, false) => Exit::Unknown,
            (Some(Outcome::Replayed(_)) | None, true) => Exit::Safe,
        }
    }

    fn ending(&self, manner: &Manner, property: Option<&str>, start: Instant) -> Ending {
        let exit = self.exit();
        let out = if manner.json {
            let mut object = json!({
                "verdict": self.verdict,
                "reason": self.reason,
                "property": property,
                "file": manner.file,
                "evidence": { "accepted": self.accepted, "time_s": seconds(start.elapsed()) },
                "version": VERSION,
            });
            if let Some(outcome) = &self.replay {
                object["replay"] = json!({ "result": outcome.word(), "detail": outcome.detail() });
            }
            line(&object)
        } else {
            let accepted = if self.accepted { "accepted\n" } else { "" };
            match (&self.reason, &self.replay) {
                (None, None) => format!("{accepted}{}", self.verdict),
                (None, Some(outcome)) => format!("{accepted}{}\n{}", one_line(&outcome.to_string()), self.verdict),
                (Some(reason), _) => format!("{accepted}{}({})", self.verdict, one_line(reason)),
            }
        };
        Ending { err: String::new(), out: out + "\n", exit }
    }
}

/// Evidence in the notations of hardware tools, checked on the file itself.
fn outside(
    job: &Job,
    loaded: &Loaded,
    content: &Content,
    named: Option<PropertyId>,
) -> std::result::Result<(String, Result), Trouble> {
    let watch = job.budget.watch();
    let (property, found) = hardware::check(loaded, &content.bytes, named, &watch.stop)?;
    let name = loaded.program.property(property).name.clone();
    let rejected = |verdict: &str, why: String| Result { reason: Some(why), ..Result::new(verdict) };
    let result = match found {
        Ok(Shown::Safe) => Result { accepted: true, ..Result::new("true") },
        Ok(Shown::Unsafe { .. }) => {
            let kind = &loaded.program.property(property).kind;
            Result { accepted: true, ..Result::new(format!("false({kind})")) }
        }
        Err(Failure::Rejected(why)) => rejected(REJECTED, why),
        Err(Failure::Stopped) => {
            rejected(UNKNOWN, watch.reason().map_or_else(|| "stopped".into(), |reason| reason.to_string()))
        }
        Err(Failure::Malformed(why)) => {
            return Err(Trouble::input(format!("{} cannot be used: {why}", content.name)));
        }
        Err(Failure::Model(why)) => return Err(Trouble::Internal(format!("the circuit was read before: {why}"))),
    };
    Ok((name, result))
}

fn verdict(job: &Job, options: &Check, colour: Colour, start: Instant) -> std::result::Result<Ending, Trouble> {
    if is_stdin(&options.witness) && options.input.files.iter().any(|file| is_stdin(file)) {
        return Err(Trouble::input("the program and the witness cannot both be standard input"));
    }
    let mut loaded = load(job, &options.input, Some(&options.question), colour)?;
    if options.replay.replay {
        replay::check(&loaded)?;
    }
    let content = Content::read(&options.witness)?;
    if hardware::is_circuit(&loaded) && !content.bytes.trim_ascii_start().starts_with(b"{") {
        job.stage("checking");
        let manner = Manner { file: loaded.subject.file.clone(), json: options.voice.json, colour };
        let named = loaded.named_property(&options.question)?;
        let (name, result) = outside(job, &loaded, &content, named)?;
        job.settle(None);
        return Ok(result.ending(&manner, Some(&name), start));
    }
    let read = witness_file::read(&mut loaded.terms, &loaded.program, &loaded.subject, content.text()?);
    let witness = read.map_err(|why| {
        Trouble::input(format!("{} cannot be used: {why}", content.name))
            .hint("give the program and the options that it was made with, or make it anew with `tamis verify --witness FILE`")
    })?;
    if options.replay.replay && matches!(witness.verdict, Verdict::Safe(_)) {
        let message = format!("{} is a proof, and only a trace is replayed", content.name);
        return Err(Trouble::input(message).hint("leave out --replay"));
    }
    drop(content);
    let name = &loaded.program.property(witness.property).name;
    if let Some(asked) = loaded.named_property(&options.question)?
        && asked != witness.property
    {
        let asked = &loaded.program.property(asked).name;
        return Err(Trouble::input(format!("the witness is about {name}, not about {asked}")));
    }
    job.stage("checking");
    let watch = job.budget.watch();
    let found = check(&mut loaded.terms, &loaded.program, witness.property, &witness.verdict, &watch.stop);
    job.settle(None);
    let mut result = match found {
        Found::Accepted => {
            let verdict = verdict_word(&loaded.program, witness.property, &witness.verdict);
            Result { accepted: true, ..Result::new(verdict) }
        }
        Found::Rejected(why) => Result { reason: Some(why), ..Result::new(REJECTED) },
        Found::Undecided(why) => {
            let why = watch.reason().map_or(why, |reason| reason.to_string());
            Result { reason: Some(why), ..Result::new(UNKNOWN) }
        }
    };
    if let (true, Verdict::Unsafe(trace)) = (options.replay.replay && result.accepted, &witness.verdict) {
        let case = Case { terms: &loaded.terms, program: &loaded.program, property: witness.property, trace };
        result = result.replayed(replay::replay(job, &case, &replay::build(&options.input, &loaded, ""))?);
    }
    let manner = Manner { file: loaded.subject.file.clone(), json: options.voice.json, colour };
    Ok(result.ending(&manner, Some(name), start))
}
