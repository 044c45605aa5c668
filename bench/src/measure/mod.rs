//! One run of an engine on a generated program, with what it counted and how long it took.
//!
//! Every suite that generates programs measures here. [`text`] and [`json`] tell it.

pub mod json;
pub mod text;

use std::sync::Arc;
use std::time::{Duration, Instant};
use tamis_cegar::{Budget, Context, Statistics};
use tamis_engines::driver::{Answer, Options, answer};
use tamis_engines::{ENGINES, Settings as Chosen, by_name};
use tamis_frontends::by_extension;
use tamis_ir::passes::{PRUNE, Pass, SLICE};
use tamis_ir::{Program, PropertyId, Sources};
use tamis_refiners::bdd::Heuristic;
use tamis_witness::{Reason, Resource, Verdict};

/// A measurement is repeated until it has taken this long, or as often as [`REPEATS`]: what
/// takes milliseconds is disturbed by everything.
const ENOUGH: Duration = Duration::from_millis(500);
const REPEATS: usize = 5;

/// The passes of those who choose none.
pub const USUAL: &[&Pass] = &[&PRUNE, &SLICE];

/// How long the loser of a race is waited for, and how often.
const SETTLE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(10);

/// What runs may use.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Memory, and the user's interrupt.
    pub budget: Budget,
    /// The time of one run.
    pub time: Duration,
}

/// A generated program and who is asked about it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The ending of files in its language.
    pub language: &'static str,
    /// The program.
    pub source: &'a str,
    /// The engine.
    pub engine: &'a str,
    /// Which interpolants become predicates, for engines of which that can be chosen.
    pub heuristic: Heuristic,
    /// What else is chosen about it, by name.
    pub options: &'a [(&'a str, &'a str)],
    /// What is done with the program before.
    pub passes: &'static [&'static Pass],
}

impl<'a> Question<'a> {
    /// A question about a program in Remopla.
    #[must_use]
    pub fn remopla(source: &'a str, engine: &'a str, heuristic: Heuristic) -> Question<'a> {
        Question { language: "rem", source, engine, heuristic, options: &[], passes: USUAL }
    }
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Measured {
    /// `true`, `false(unreach-call)`, or why there is no verdict.
    pub verdict: String,
    /// Whether the verdict is that the program is safe, and its proof was accepted.
    pub safe: bool,
    /// Whether the engine ran into the limit of time.
    pub late: bool,
    /// Whether the engine had an answer, but its check ran into the limit of time.
    pub unchecked: bool,
    /// What the engine counted.
    pub statistics: Statistics,
    /// How long passes and engine took: the median of all repetitions, or the limit.
    pub time: Duration,
    /// How long the check of the evidence took.
    pub check: Duration,
    /// Exploration and refinement without setting up the concrete relations: the median.
    pub loop_time: Duration,
}

impl Measured {
    /// Whether the engine came to an answer, so that its time counts.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.safe || self.unchecked
    }
}

/// Runs an engine on the program, several times if it is quick.
#[must_use]
pub fn measure(settings: &Settings, question: Question<'_>) -> Measured {
    measure_often(settings, question, REPEATS)
}

/// The same with a number of repetitions of the caller's choice.
#[must_use]
pub fn measure_often(settings: &Settings, question: Question<'_>, repeats: usize) -> Measured {
    let start = Instant::now();
    let first = once(settings, question);
    let mut runs = vec![first.clone()];
    while first.safe && runs.len() < repeats && start.elapsed() < ENOUGH {
        runs.push(once(settings, question));
    }
    let median = |time: fn(&Measured) -> Duration| {
        let mut times: Vec<Duration> = runs.iter().map(time).collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let (time, check, loop_time) = (median(|run| run.time), median(|run| run.check), median(|run| run.loop_time));
    let statistics = Statistics { refinement: median(|run| run.statistics.refinement), ..first.statistics };
    Measured { statistics, time, check, loop_time, ..first }
}

fn once(settings: &Settings, question: Question<'_>) -> Measured {
    let failed = |why: String| Measured {
        verdict: format!("error: {why}"),
        safe: false,
        late: false,
        unchecked: false,
        statistics: Statistics::default(),
        time: Duration::ZERO,
        check: Duration::ZERO,
        loop_time: Duration::ZERO,
    };
    let before = (settings.budget.allocated)();
    let mut ctx = Context::default();
    let (program, property) = match lower(&mut ctx, question) {
        Ok(lowered) => lowered,
        Err(why) => return failed(why),
    };
    let Some(engine) = by_name(question.engine) else {
        return failed(format!("there is no engine {}", question.engine));
    };
    // Whoever has no choice of interpolants gets the other options only.
    let interpolants = std::iter::once(("interpolants", question.heuristic.name()));
    let chosen: Chosen = interpolants.chain(question.options.iter().copied()).collect();
    let settings_of = || question.options.iter().copied().collect::<Chosen>();
    let options = Options {
        engine,
        passes: question.passes.to_vec(),
        settings: if engine.check(ENGINES, &chosen).is_ok() { chosen } else { settings_of() },
    };
    ctx.budget = settings.budget.clone().with_time(settings.time);
    let answer = answer(&mut ctx, &options, &program, property);
    let (statistics, allocated) = (ctx.statistics, ctx.budget.allocated);
    drop(ctx);
    settle(before, allocated);
    let Answer { verdict, engine_time, check_time } = match answer {
        Ok(answer) => answer,
        Err(why) => return failed(why),
    };
    let stopped = matches!(verdict, Verdict::Unknown(Reason::OutOfBudget(Resource::Time)));
    let late = stopped && engine_time >= settings.time;
    Measured {
        verdict: match &verdict {
            Verdict::Safe(_) => "true".into(),
            Verdict::Unsafe(_) => "false(unreach-call)".into(),
            Verdict::Unknown(reason) => reason.to_string(),
        },
        safe: matches!(verdict, Verdict::Safe(_)),
        late,
        unchecked: stopped && !late,
        statistics,
        time: if late { settings.time } else { engine_time },
        check: check_time,
        loop_time: statistics.saturation + statistics.refinement,
    }
}

/// Waits for the loser of a race, which still holds its memory and the processor.
fn settle(before: u64, allocated: fn() -> u64) {
    let start = Instant::now();
    while allocated() > before.saturating_add(64 << 20) && start.elapsed() < SETTLE {
        std::thread::sleep(LOOK);
    }
}

fn lower(ctx: &mut Context, question: Question<'_>) -> Result<(Program, PropertyId), String> {
    let mut sources = Sources::new();
    let id = sources.add(format!("generated.{}", question.language), question.source.to_owned());
    let frontend = by_extension(question.language).ok_or("there is no front end for it")?;
    let lowered = frontend.lower_one(&mut ctx.terms, Arc::new(sources), id);
    let program =
        lowered.map_err(|refused| refused.errors.first().map_or(String::new(), |first| first.message.clone()))?;
    let program = program.program;
    let property = program.default.ok_or("the program names no error")?;
    Ok((program, property))
}
