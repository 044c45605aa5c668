//! `tamis verify`: from a file to a verdict with its evidence.

use crate::album::{Album, Shared};
use crate::load::{Loaded, load};
use crate::options::{Show, Verify, engine};
use crate::output::{Ending, Existing, Exit, check_target, write_file};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::trouble::{Manner, Trouble};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tamis_cegar::{Context, Statistics};
use tamis_engines::Settings;
use tamis_engines::driver::{self, Answer};
use tamis_ir::PropertyId;
use tamis_report::json::{self, Evidence, Phases, Report};
use tamis_report::rounds::Facts;
use tamis_report::style::{Colour, Ink, count, one_line, plural};
use tamis_report::trace::Detail;
use tamis_report::{proof, trace, witness_file};
use tamis_witness::{Reason, Verdict};

/// Runs the subcommand.
pub fn run(options: Verify, colour: Colour) -> Exit {
    let start = Instant::now();
    let manner = Manner { file: options.input.file.display().to_string(), json: options.voice.json, colour };
    let album = match targets(&options) {
        Ok(album) => album,
        Err(trouble) => return trouble.report(Some(&manner)),
    };
    let gauge = Arc::new(Gauge::default());
    let (limits, quiet, name) = (options.limits, options.voice.quiet, options.engine.clone());
    let shared = album.clone();
    let work = move |job: &Job| verify(job, &options, shared.as_ref(), colour, start);
    supervise(limits, quiet, &gauge, work).end(&manner, |reason| {
        let statistics = gauge.read().progress.map(|progress| progress.statistics).unwrap_or_default();
        let run = Run { statistics, engine: engine(&name).name, start, evidence: None };
        forced(&manner, quiet, &run, reason, album.as_ref())
    })
}

/// Refuses early what could not be written in the end.
fn targets(options: &Verify) -> Result<Option<Shared>, Trouble> {
    let inputs = [Some(&options.input.file), options.question.spec.as_ref()];
    let inputs: Vec<&Path> = inputs.into_iter().flatten().map(PathBuf::as_path).collect();
    let existing = Existing::from_force(options.force);
    if let Some(path) = &options.witness {
        check_target(path, existing, &inputs)?;
    }
    let within = |folder: &PathBuf| options.witness.as_ref().is_some_and(|witness| witness.starts_with(folder));
    if options.report.as_ref().is_some_and(within) {
        return Err(Trouble::input("the witness would be in the folder of the report")
            .hint("choose another place for one of them"));
    }
    options.report.as_ref().map(|folder| Album::open(folder, existing, &inputs)).transpose()
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
            nodes: self.statistics.nodes,
            time_s: json::seconds(self.start.elapsed()),
            phases: Phases {
                abstraction_s: json::seconds(self.statistics.abstraction),
                saturation_s: json::seconds(self.statistics.saturation),
                refinement_s: json::seconds(self.statistics.refinement),
            },
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
        if self.statistics.nodes > 0 {
            parts.push(plural(self.statistics.nodes, "node"));
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

    /// The same for the page of a report.
    fn facts(&self, property: Option<&str>, verdict: &Verdict) -> Facts {
        let numbers = &self.statistics;
        let time = |time: Duration| format!("{:.3} s", time.as_secs_f64());
        let mut facts = vec![("verdict", json::verdict_line(verdict)), ("engine", self.engine.to_owned())];
        facts.extend(property.map(|property| ("property", property.to_owned())));
        facts.extend([
            ("rounds", count(numbers.rounds)),
            ("largest list of predicates", count(numbers.predicates)),
            ("states", count(numbers.states)),
            ("nodes of decision diagrams", count(numbers.nodes)),
            ("time", time(self.start.elapsed())),
            ("abstraction", time(numbers.abstraction)),
            ("saturation", time(numbers.saturation)),
            ("refinement", time(numbers.refinement)),
            ("memory", format!("{:.0} MB", megabytes())),
        ]);
        if let Some(evidence) = self.evidence {
            let word = if evidence.accepted { "accepted" } else { "rejected" };
            facts.push(("evidence", format!("{word} in {:.3} s", evidence.time_s)));
        }
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The most memory that was used, in millions of bytes, to one decimal.
fn megabytes() -> f64 {
    let tenths = u32::try_from(crate::memory::peak() / 100_000).unwrap_or(u32::MAX);
    f64::from(tenths) / 10.0
}

/// The ending of a run that was not waited for.
fn forced(manner: &Manner, quiet: bool, run: &Run, reason: Reason, album: Option<&Shared>) -> Ending {
    let verdict = Verdict::Unknown(reason);
    let mut err = if quiet { String::new() } else { run.summary(&verdict, manner.colour) };
    // The worker may be about to draw: then there is no page, only pictures.
    if let Some(mut album) = album.and_then(|album| album.try_lock().ok())
        && let Some(trouble) = album.close(&manner.file, &run.facts(None, &verdict))
    {
        err.push_str(&trouble.text(manner.colour));
    }
    let out =
        if manner.json { json::line(&run.report(&manner.file, None, &verdict)) } else { json::verdict_line(&verdict) };
    Ending { err, out: out + "\n", exit: Exit::Unknown }
}

/// The work itself.
fn verify(
    job: &Job,
    options: &Verify,
    album: Option<&Shared>,
    colour: Colour,
    start: Instant,
) -> Result<Ending, Trouble> {
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
    ctx.rounds = album.map(Album::viewer).unwrap_or_default();
    let settings = Settings { interpolants: options.interpolants.heuristic };
    let asked = driver::Options { engine, passes: options.passes.0.clone(), settings };
    let answer = driver::answer(&mut ctx, &asked, &loaded.program, property).map_err(Trouble::Internal)?;
    let Answer { verdict, check_time, .. } = answer;
    let evidence = Evidence::of(&verdict, check_time);
    let run = Run { statistics: ctx.statistics, engine: engine.name, start, evidence };
    job.settle(Some(bare(options, &loaded, property, &verdict, &run)));
    let mut ending = finish(options, &loaded, &mut ctx, property, &verdict, &run, colour)?;
    if let Some(mut album) = album.and_then(|album| album.lock().ok()) {
        let name = &loaded.program.property(property).name;
        // The verdict stands even if its pictures could not be kept.
        if let Some(trouble) = album.close(&loaded.subject.file, &run.facts(Some(name), &verdict)) {
            ending.err.push_str(&trouble.text(colour));
        }
    }
    Ok(ending)
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
