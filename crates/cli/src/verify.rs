//! `tamis verify`: from a file to a verdict with its evidence.

use crate::load::{Loaded, load};
use crate::options::{Show, Verify, engine};
use crate::output::{Ending, Existing, Exit, check_target, write_file};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::trouble::{Manner, Trouble};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;
use tamis_cegar::{Context, Statistics};
use tamis_engines::Settings;
use tamis_engines::driver::{self, Answer};
use tamis_ir::PropertyId;
use tamis_report::json::{self, Evidence, Report};
use tamis_report::style::{Colour, Ink, one_line, plural};
use tamis_report::trace::Detail;
use tamis_report::{proof, trace, witness_file};
use tamis_witness::{Reason, Verdict};

/// Runs the subcommand.
pub fn run(options: Verify, colour: Colour) -> Exit {
    let start = Instant::now();
    let manner = Manner { file: options.input.file.display().to_string(), json: options.voice.json, colour };
    if let Some(path) = &options.witness {
        let inputs: Vec<_> =
            [Some(&options.input.file), options.question.spec.as_ref()].into_iter().flatten().collect();
        let inputs: Vec<_> = inputs.iter().map(|path| path.as_path()).collect();
        if let Err(trouble) = check_target(path, Existing::from_force(options.force), &inputs) {
            return trouble.report(Some(&manner));
        }
    }
    let gauge = Arc::new(Gauge::default());
    let (limits, quiet, name) = (options.limits, options.voice.quiet, options.engine.clone());
    let work = move |job: &Job| verify(job, &options, colour, start);
    supervise(limits, quiet, &gauge, work).end(&manner, |reason| {
        let statistics = gauge.read().progress.map(|progress| progress.statistics).unwrap_or_default();
        let run = Run { statistics, engine: engine(&name).name, start, evidence: None };
        forced(&manner, quiet, &run, reason)
    })
}

/// What is known about a run besides its verdict.
struct Run {
    statistics: Statistics,
    engine: &'static str,
    start: Instant,
    evidence: Option<Evidence>,
}

impl Run {
    fn report(&self, file: &str, property: Option<String>, verdict: &Verdict) -> Report<'static> {
        let reason = match verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
        };
        Report {
            verdict: json::verdict_word(verdict),
            reason,
            property,
            file: file.to_owned(),
            engine: self.engine.to_owned(),
            rounds: self.statistics.rounds,
            predicates: self.statistics.predicates,
            states: self.statistics.states,
            time_s: json::seconds(self.start.elapsed()),
            memory_mb: megabytes(),
            evidence: self.evidence,
            trace: None,
            proof: None,
            version: json::VERSION,
        }
    }

    /// One line of numbers, and for `unknown` what to try next.
    fn summary(&self, verdict: &Verdict, colour: Colour) -> String {
        let mut parts = vec![plural(self.statistics.states, "state")];
        if self.statistics.rounds > 0 {
            parts.push(plural(self.statistics.rounds, "refinement"));
            parts.push(plural(self.statistics.predicates, "predicate"));
        }
        parts.push(format!("{:.2} s", self.start.elapsed().as_secs_f64()));
        parts.push(format!("{:.0} MB", megabytes()));
        if let Some(evidence) = self.evidence {
            let word = if evidence.accepted { "accepted" } else { "rejected" };
            parts.push(format!("evidence {word} in {:.2} s", evidence.time_s));
        }
        let mut text = colour.paint(Ink::Faint, &format!("{}: {}", self.engine, parts.join(", "))) + "\n";
        if let Verdict::Unknown(reason) = verdict {
            let _ = writeln!(text, "{} {}", colour.paint(Ink::Bold, "hint:"), reason.advice());
        }
        text
    }
}

/// The most memory that was used, in millions of bytes, to one decimal.
fn megabytes() -> f64 {
    let tenths = u32::try_from(crate::most_allocated() / 100_000).unwrap_or(u32::MAX);
    f64::from(tenths) / 10.0
}

/// The ending of a run that was not waited for.
fn forced(manner: &Manner, quiet: bool, run: &Run, reason: Reason) -> Ending {
    let verdict = Verdict::Unknown(reason);
    let err = if quiet { String::new() } else { run.summary(&verdict, manner.colour) };
    let out =
        if manner.json { json::line(&run.report(&manner.file, None, &verdict)) } else { json::verdict_line(&verdict) };
    Ending { err, out: out + "\n", exit: Exit::Unknown }
}

/// The work itself.
fn verify(job: &Job, options: &Verify, colour: Colour, start: Instant) -> Result<Ending, Trouble> {
    let mut loaded = load(job, &options.input, Some(&options.question), colour)?;
    if options.list_properties {
        return Ok(list(&loaded, options.voice.json));
    }
    let property = loaded.property(&options.question)?;
    let engine = engine(&options.engine);
    job.stage("exploring");
    let terms = std::mem::take(&mut loaded.terms);
    let mut ctx = Context { terms, budget: job.budget.clone(), observer: job.observer(), ..Context::default() };
    ctx.budget.states = options.states;
    let settings = Settings { interpolants: options.interpolants.heuristic };
    let asked = driver::Options { engine, passes: options.passes.0.clone(), settings };
    let answer = driver::answer(&mut ctx, &asked, &loaded.program, property).map_err(Trouble::Internal)?;
    let Answer { verdict, check_time, .. } = answer;
    let evidence = Evidence::of(&verdict, check_time);
    let run = Run { statistics: ctx.statistics, engine: engine.name, start, evidence };
    job.settle(Some(bare(options, &loaded, property, &verdict, &run)));
    finish(options, &loaded, &mut ctx, property, &verdict, &run, colour)
}

/// The verdict without the evidence, in case that takes too long to write.
fn bare(options: &Verify, loaded: &Loaded, property: PropertyId, verdict: &Verdict, run: &Run) -> Ending {
    let name = loaded.program.property(property).name.clone();
    let out = if options.voice.json {
        json::line(&run.report(&loaded.subject.file, Some(name), verdict))
    } else {
        json::verdict_line(verdict)
    };
    let err = "the evidence was accepted, but writing it down was cut short\n".to_owned();
    Ending { err, out: out + "\n", exit: Exit::of(verdict) }
}

/// Writes everything down.
fn finish(
    options: &Verify,
    loaded: &Loaded,
    ctx: &mut Context,
    property: PropertyId,
    verdict: &Verdict,
    run: &Run,
    colour: Colour,
) -> Result<Ending, Trouble> {
    let mut err = String::new();
    if !options.voice.quiet {
        err = shown(options, loaded, ctx, property, verdict, colour);
        err.push_str(&run.summary(verdict, colour));
    }
    if let Some(path) = &options.witness {
        let text = witness_file::write(&mut ctx.terms, &loaded.program, property, verdict, &loaded.subject);
        let text = text.map_err(Trouble::Internal)?;
        let written = text.map_or(Ok(()), |text| write_file(path, Existing::from_force(options.force), &text));
        // The verdict stands even if its evidence could not be kept.
        if let Err(trouble) = written {
            err.push_str(&trouble.text(colour));
        }
    }
    let out = if options.voice.json {
        let name = loaded.program.property(property).name.clone();
        let mut report = run.report(&loaded.subject.file, Some(name), verdict);
        (report.trace, report.proof) =
            json::evidence(&mut ctx.terms, &loaded.program, verdict).map_err(Trouble::Internal)?;
        json::line(&report)
    } else {
        json::verdict_line(verdict)
    };
    Ok(Ending { err, out: out + "\n", exit: Exit::of(verdict) })
}

/// The trace or the proof, as far as the user wants to see it.
fn shown(
    options: &Verify,
    loaded: &Loaded,
    ctx: &mut Context,
    property: PropertyId,
    verdict: &Verdict,
    colour: Colour,
) -> String {
    let detail = |show: Show| match show {
        Show::Full => Some(Detail::Full),
        Show::Short => Some(Detail::Short),
        Show::None => None,
    };
    match verdict {
        Verdict::Unsafe(run) => detail(options.trace).map_or_else(String::new, |detail| {
            trace::render(&ctx.terms, &loaded.program, property, run, detail, colour)
        }),
        Verdict::Safe(found) => detail(options.proof)
            .map_or_else(String::new, |detail| proof::render(&mut ctx.terms, &loaded.program, found, detail, colour)),
        Verdict::Unknown(_) => String::new(),
    }
}

/// What can be asked about the program.
fn list(loaded: &Loaded, as_json: bool) -> Ending {
    let program = &loaded.program;
    let default = program.default.map(PropertyId::index);
    let mut out = String::new();
    if as_json {
        let entry = |(number, property): (usize, &tamis_ir::Property)| {
            serde_json::json!({
                "name": property.name, "about": property.about, "default": default == Some(number),
            })
        };
        out = json::line(&program.errors.iter().enumerate().map(entry).collect::<Vec<_>>()) + "\n";
    } else {
        let width = program.errors.iter().map(|property| property.name.chars().count()).max().unwrap_or(0);
        for (number, property) in program.errors.iter().enumerate() {
            let mark = if default == Some(number) { " (default)" } else { "" };
            let (name, about) = (one_line(&property.name), one_line(&property.about));
            let _ = writeln!(out, "{name:width$}  {about}{mark}");
        }
    }
    Ending { err: String::new(), out, exit: Exit::Safe }
}
