//! `tamis verify`: from a file to a verdict with its evidence.

use crate::album::{Album, Shared};
use crate::hardware;
use crate::load::{Loaded, load};
use crate::options::{Show, Verify, engine};
use crate::output::{Ending, Existing, Exit, check_target, write_file};
use crate::precision;
use crate::progress::Gauge;
use crate::properties;
use crate::replay;
use crate::supervise::{Job, supervise};
use crate::task::Task;
use crate::tracked;
use crate::trouble::{Manner, Trouble};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tamis_cegar::{Context, Reached, Statistics};
use tamis_engines::driver::{self, Answer};
use tamis_engines::{ENGINES, Engine};
use tamis_ir::{Program, PropertyId, Severity};
use tamis_report::diagnostics::render_plain;
use tamis_report::harness::{self, Case, Chance, Outcome};
use tamis_report::json::{self, Evidence, Phases, Report};
use tamis_report::rounds::Facts;
use tamis_report::style::{Colour, Ink, count, one_line, plural};
use tamis_report::trace::Detail;
use tamis_report::{proof, trace, witness_file};
use tamis_solver::choice::Chosen;
use tamis_solver::{QueryLog, Solvers};
use tamis_witness::{Reason, Verdict};

/// Runs the subcommand.
pub fn run(mut options: Verify, colour: Colour) -> Exit {
    let start = Instant::now();
    let manner = Manner { file: options.input.name(), json: options.voice.json, colour };
    let given = options.input.files.clone();
    let prepared = Task::resolve(&mut options.input, Some(&mut options.question));
    let (task, album) = match prepared.and_then(|task| Ok((task, targets(&options, &given)?))) {
        Ok(prepared) => prepared,
        Err(trouble) => return trouble.report(Some(&manner)),
    };
    let gauge = Arc::new(Gauge::default());
    let (limits, quiet, name) = (options.limits, options.voice.quiet, options.engine.clone());
    let shared = album.clone();
    let work = move |job: &Job| {
        task.notes.iter().for_each(|note| job.say(format!("{note}\n")));
        verify(job, &options, &task, shared.as_ref(), colour, start)
    };
    supervise(limits, quiet, &gauge, work).end(&manner, |reason| {
        let statistics = gauge.read().progress.map(|progress| progress.statistics).unwrap_or_default();
        let run =
            Run { statistics, engine: engine(&name).name, start, evidence: None, replay: None, reached: Vec::new() };
        forced(&manner, quiet, &run, reason, album.as_ref())
    })
}

/// Refuses early what could not be written in the end. `given` are the files that the user
/// named: a task file stands for others.
fn targets(options: &Verify, given: &[PathBuf]) -> Result<Option<Shared>, Trouble> {
    let files = options.input.chosen.files();
    let inputs = given.iter().chain(&options.input.files).chain(&options.question.spec).chain(&files);
    let inputs: Vec<&Path> = inputs.map(PathBuf::as_path).collect();
    let existing = Existing::from_force(options.force);
    let outputs = [
        ("witness", &options.witness),
        ("harness", &options.harness),
        ("hardware witness", &options.hardware_witness),
        ("precision", &options.precision_out),
    ];
    let mut taken: BTreeMap<PathBuf, &str> = BTreeMap::new();
    for (what, path) in outputs.iter().filter_map(|(what, path)| Some((what, path.as_ref()?))) {
        check_target(path, existing, &inputs)?;
        if let Some(other) = taken.insert(place(path), what) {
            return Err(Trouble::input(format!("the {other} and the {what} would be one file"))
                .hint("choose another name for one of them"));
        }
        if options.report.as_ref().is_some_and(|folder| path.starts_with(folder)) {
            return Err(Trouble::input(format!("the {what} would be in the folder of the report"))
                .hint("choose another place for one of them"));
        }
    }
    options.report.as_ref().map(|folder| Album::open(folder, existing, &inputs)).transpose()
}

/// The file that a path stands for, whether it exists or not.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (path.canonicalize(), folder.canonicalize(), path.file_name()) {
        (Ok(file), _, _) => file,
        (Err(_), Ok(folder), Some(name)) => folder.join(name),
        (Err(_), _, _) => path.to_owned(),
    }
}

/// What is known about a run besides its verdict.
struct Run {
    statistics: Statistics,
    engine: &'static str,
    start: Instant,
    evidence: Option<Evidence>,
    replay: Option<Outcome>,
    /// If it was a race that nobody won: how far each engine came.
    reached: Vec<Reached>,
}

impl Run {
    /// Why the verdict is not given, if a compiled program contradicts it.
    fn contradiction(&self) -> Option<&Outcome> {
        self.replay.as_ref().filter(|outcome| matches!(outcome, Outcome::Failed(_)))
    }

    /// The verdict line.
    fn line(&self, program: &Program, property: PropertyId, verdict: &Verdict) -> String {
        match self.contradiction() {
            Some(outcome) => format!("{}({})", json::UNKNOWN, one_line(&outcome.to_string())),
            None => json::verdict_line(program, property, verdict),
        }
    }

    fn exit(&self, verdict: &Verdict) -> Exit {
        if self.contradiction().is_some() { Exit::Contradicted } else { Exit::of(verdict) }
    }

    /// The object of `--json`, without the evidence. A run that was cut short asked nothing yet.
    fn report(&self, file: &str, asked: Option<(&Program, PropertyId)>, verdict: &Verdict) -> Report<'static> {
        let reason = match verdict {
            Verdict::Unknown(reason) => Some(reason.to_string()),
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
        };
        let word = |(program, property)| json::verdict_word(program, property, verdict);
        let contradiction = self.contradiction().map(ToString::to_string);
        Report {
            verdict: asked.filter(|_| contradiction.is_none()).map_or_else(|| json::UNKNOWN.to_owned(), word),
            reason: contradiction.or(reason),
            property: asked.map(|(program, property)| program.property(property).name.clone()),
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
            replay: self.replay.as_ref().map(json::Replay::of),
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
            for reached in &self.reached {
                let _ = writeln!(text, "{}", colour.paint(Ink::Faint, &format!("  {reached}")));
            }
            let _ = writeln!(text, "{} {}", colour.paint(Ink::Bold, "hint:"), reason.advice());
        }
        text
    }

    /// The same for the page of a report.
    fn facts(&self, verdict: String, property: Option<&str>) -> Facts {
        let numbers = &self.statistics;
        let time = |time: Duration| format!("{:.3} s", time.as_secs_f64());
        let mut facts = vec![("verdict", verdict), ("engine", self.engine.to_owned())];
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
    let line = json::unknown_line(&reason);
    let verdict = Verdict::Unknown(reason);
    let mut err = if quiet { String::new() } else { run.summary(&verdict, manner.colour) };
    // The worker may be about to draw: then there is no page, only pictures.
    if let Some(mut album) = album.and_then(|album| album.try_lock().ok())
        && let Some(trouble) = album.close(&manner.file, &run.facts(line.clone(), None))
    {
        err.push_str(&trouble.text(manner.colour));
    }
    let out = if manner.json { json::line(&run.report(&manner.file, None, &verdict)) } else { line };
    Ending { err, out: out + "\n", exit: Exit::Unknown }
}

/// The work itself.
fn verify(
    job: &Job,
    options: &Verify,
    task: &Task,
    album: Option<&Shared>,
    colour: Colour,
    start: Instant,
) -> Result<Ending, Trouble> {
    let mut loaded = load(job, &options.input, Some(&options.question), colour)?;
    if options.harness.is_some() && loaded.frontend.compiled.is_none() {
        return Err(Trouble::input(format!("a harness is for {}", replay::programs())));
    }
    if options.replay.replay {
        replay::check(&loaded)?;
    }
    if options.hardware_witness.is_some() && !hardware::is_circuit(&loaded) {
        return Err(Trouble::input("a hardware witness is for circuits of AIGER and BTOR2"));
    }
    if options.list_properties {
        return Ok(properties::list(&loaded, options.voice));
    }
    let property = loaded.property(&options.question)?;
    if loaded.program.property(property).locs.is_empty() {
        let message = format!(
            "nothing in the program can violate the property {}",
            one_line(&loaded.program.property(property).name)
        );
        let hint = "a true verdict says little here; --list-properties shows what else can be asked";
        job.say(render_plain(Severity::Warning, &message, Some(hint), colour));
    }
    tracked::check(&loaded, &options.with)?;
    let engine = engine(&options.engine);
    let draws = |engine: &Engine| engine.can(ENGINES, |can| can.rounds);
    if options.report.is_some() && !draws(engine) {
        let message = format!("the engine {} draws no rounds for the report", engine.name);
        let others: Vec<&str> = ENGINES.iter().filter(|engine| draws(engine)).map(|engine| engine.name).collect();
        let hint = format!("these do: {}", others.join(", "));
        job.say(render_plain(Severity::Warning, &message, Some(&hint), colour));
    }
    job.stage("exploring");
    let terms = std::mem::take(&mut loaded.terms);
    let mut ctx = Context { terms, budget: job.budget.clone(), observer: job.observer(), ..Context::default() };
    ctx.budget.states = options.states;
    ctx.solvers = solvers(options)?;
    ctx.reuse = precision::reuse(options)?;
    ctx.rounds = album.map(Album::viewer).unwrap_or_default();
    let asked = driver::Options { engine, passes: options.passes.0.clone(), settings: options.settings() };
    let answer = driver::answer(&mut ctx, &asked, &loaded.program, property).map_err(Trouble::Internal)?;
    let Answer { verdict, check_time, .. } = answer;
    let evidence = Evidence::of(&verdict, check_time);
    let reached = std::mem::take(&mut ctx.reached);
    let mut run = Run { statistics: ctx.statistics, engine: engine.name, start, evidence, replay: None, reached };
    job.settle(Some(bare(options, &loaded, property, &verdict, &run)));
    if let (Verdict::Unsafe(trace), true) = (&verdict, options.replay.replay) {
        let case = Case { terms: &ctx.terms, program: &loaded.program, property, trace };
        run.replay = Some(replay::replay(job, &case, &replay::build(&options.input, &loaded, ""))?);
    }
    let mut ending = finish(options, &loaded, &mut ctx, property, &verdict, &run, colour)?;
    if let Some(surprise) = surprise(task, &loaded.program, property, &verdict).filter(|_| !options.voice.quiet) {
        ending.err.push_str(&render_plain(Severity::Warning, &surprise, None, colour));
    }
    if let Some(mut album) = album.and_then(|album| album.lock().ok()) {
        let name = &loaded.program.property(property).name;
        let line = run.line(&loaded.program, property, &verdict);
        // The verdict stands even if its pictures could not be kept.
        if let Some(trouble) = album.close(&loaded.subject.file, &run.facts(line, Some(name))) {
            ending.err.push_str(&trouble.text(colour));
        }
    }
    Ok(ending)
}

/// The solvers that the user chose.
fn solvers(options: &Verify) -> Result<Solvers, Trouble> {
    let command = || Chosen::Command(options.solver.clone());
    let chosen = Chosen::named(&options.solver).unwrap_or_else(command);
    let memory = usize::try_from(options.limits.memory / 2).unwrap_or(usize::MAX);
    let log = options.smt_log.as_deref().map(query_log).transpose()?;
    Ok(Solvers { chosen, memory, log, ..Solvers::default() })
}

/// A folder for questions, which must have nothing in it yet.
fn query_log(folder: &Path) -> Result<QueryLog, Trouble> {
    let refused = |error: std::io::Error| Trouble::input(format!("{} cannot be used: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refused)?;
    match std::fs::read_dir(folder).map_err(refused)?.next() {
        Some(_) => Err(Trouble::input(format!("{} is not empty", folder.display())).hint("name a new folder")),
        None => Ok(QueryLog::new(folder)),
    }
}

/// What the author of a task file did not expect.
fn surprise(task: &Task, program: &Program, property: PropertyId, verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Unknown(_) => None,
        Verdict::Safe(_) => task.surprise(true, ""),
        Verdict::Unsafe(trace) => task.surprise(false, program.kind_at(property, trace.last(program))),
    }
}

/// The verdict without the evidence, in case that takes too long to write.
fn bare(options: &Verify, loaded: &Loaded, property: PropertyId, verdict: &Verdict, run: &Run) -> Ending {
    let out = if options.voice.json {
        json::line(&run.report(&loaded.subject.file, Some((&loaded.program, property)), verdict))
    } else {
        json::verdict_line(&loaded.program, property, verdict)
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
        err.push_str(&precision::told(options, ctx, verdict, colour));
        err.push_str(&run.summary(verdict, colour));
    }
    // What is quiet about everything else is not about a contradiction.
    if let Some(outcome) = run.replay.as_ref().filter(|_| !options.voice.quiet || run.contradiction().is_some()) {
        err.push_str(&replay::told(outcome, colour));
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
    err.push_str(&precision::write(options, ctx, verdict, colour));
    if let Some(path) = &options.hardware_witness
        && let Err(trouble) = hardware::write(path, options.force, loaded, ctx, property, verdict)
    {
        err.push_str(&trouble.text(colour));
    }
    if let (Some(path), Verdict::Unsafe(trace)) = (&options.harness, verdict) {
        let case = Case { terms: &ctx.terms, program: &loaded.program, property, trace };
        let build = replay::build(&options.input, loaded, &path.display().to_string());
        let (text, chance) = harness::render(&case, &build);
        if let Some(chance) = chance.filter(|_| !options.voice.quiet) {
            err.push_str(&warning(&chance, colour));
        }
        if let Err(trouble) = write_file(path, Existing::from_force(options.force), &text) {
            err.push_str(&trouble.text(colour));
        }
    }
    let out = if options.voice.json {
        let mut report = run.report(&loaded.subject.file, Some((&loaded.program, property)), verdict);
        (report.trace, report.proof) =
            json::evidence(&mut ctx.terms, &loaded.program, property, verdict).map_err(Trouble::Internal)?;
        json::line(&report)
    } else {
        run.line(&loaded.program, property, verdict)
    };
    Ok(Ending { err, out: out + "\n", exit: run.exit(verdict) })
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

/// Warns that a harness cannot give the program all values that lead to the error.
fn warning(chance: &Chance, colour: Colour) -> String {
    let message = format!("the harness cannot give {}: it may not reach the error", chance.phrase());
    let hint =
        "what no function returns, such as a register of a device or a variable that is not set, is left to chance";
    render_plain(Severity::Warning, &message, Some(hint), colour)
}
