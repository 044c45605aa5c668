//! `tamis check`: the independent checker, alone.

use crate::hardware;
use crate::input::{Content, is_stdin};
use crate::load::{Loaded, load};
use crate::options::Check;
use crate::output::{Ending, Exit};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::task::Task;
use crate::trouble::{Manner, Trouble};
use serde_json::json;
use std::sync::Arc;
use std::time::Instant;
use tamis_hardware::{Failure, Shown};
use tamis_ir::PropertyId;
use tamis_report::json::{UNKNOWN, VERSION, line, seconds, verdict_word};
use tamis_report::style::{Colour, one_line};
use tamis_report::witness_file;
use tamis_witness::{Check as Found, check};

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
        let result = Result { verdict: UNKNOWN.into(), reason: Some(reason.to_string()), accepted: false };
        result.ending(&manner, None, start)
    })
}

/// What came out.
struct Result {
    verdict: String,
    reason: Option<String>,
    accepted: bool,
}

impl Result {
    fn ending(&self, manner: &Manner, property: Option<&str>, start: Instant) -> Ending {
        let exit = if self.accepted { Exit::Safe } else { Exit::Unknown };
        let out = if manner.json {
            line(&json!({
                "verdict": self.verdict,
                "reason": self.reason,
                "property": property,
                "file": manner.file,
                "evidence": { "accepted": self.accepted, "time_s": seconds(start.elapsed()) },
                "version": VERSION,
            }))
        } else {
            match &self.reason {
                None => format!("accepted\n{}", self.verdict),
                Some(reason) => format!("{}({})", self.verdict, one_line(reason)),
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
    let rejected = |verdict: &str, why: String| Result { verdict: verdict.into(), reason: Some(why), accepted: false };
    let result = match found {
        Ok(Shown::Safe) => Result { verdict: "true".into(), reason: None, accepted: true },
        Ok(Shown::Unsafe { .. }) => {
            let kind = &loaded.program.property(property).kind;
            Result { verdict: format!("false({kind})"), reason: None, accepted: true }
        }
        Err(Failure::Rejected(why)) => rejected("rejected", why),
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
    let result = match found {
        Found::Accepted => {
            let verdict = verdict_word(&loaded.program, witness.property, &witness.verdict);
            Result { verdict, reason: None, accepted: true }
        }
        Found::Rejected(why) => Result { verdict: "rejected".into(), reason: Some(why), accepted: false },
        Found::Undecided(why) => {
            let why = watch.reason().map_or(why, |reason| reason.to_string());
            Result { verdict: UNKNOWN.into(), reason: Some(why), accepted: false }
        }
    };
    let manner = Manner { file: loaded.subject.file.clone(), json: options.voice.json, colour };
    Ok(result.ending(&manner, Some(name), start))
}
