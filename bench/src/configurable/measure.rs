//! One run of a configuration on a model.

use super::{Model, Variant};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tamis_cegar::{Budget, Context, Statistics};
use tamis_engines::by_name;
use tamis_engines::driver::{Options, answer};
use tamis_frontends::by_extension;
use tamis_ir::passes::{PRUNE, SLICE};
use tamis_ir::{Program, Sources};
use tamis_witness::Verdict;

/// What a run came to.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The engine.
    pub engine: &'static str,
    /// How it was set.
    pub variant: Variant,
    /// `true`, `false`, or why there is no verdict.
    pub verdict: String,
    /// Whether the verdict is the right one; none if there is no verdict.
    pub right: Option<bool>,
    /// What the engine counted.
    pub statistics: Statistics,
    /// How long passes and engine took.
    pub time: Duration,
    /// How long the check of the evidence took.
    pub check: Duration,
}

impl Measured {
    /// Whether there is a verdict and it is right.
    #[must_use]
    pub fn solved(&self) -> bool {
        self.right == Some(true)
    }
}

/// Quick runs are repeated until they have taken this long together, and the best time counts:
/// everything that disturbs a run slows it down.
const ENOUGH: Duration = Duration::from_millis(300);
const REPEATS: usize = 5;

/// Runs an engine on a model, several times if it is quick.
///
/// # Errors
/// If the model cannot be read or the engine fails.
pub fn measure(
    budget: &Budget,
    time: Duration,
    model: &Model,
    sources: &Arc<Sources>,
    engine: &'static str,
    variant: Variant,
) -> Result<Measured, String> {
    // A new thread has memory of its own: what earlier runs left in pieces would slow this one down.
    let once = || {
        std::thread::scope(|scope| scope.spawn(|| once(budget, time, model, sources, engine, variant)).join())
            .unwrap_or_else(|_| Err("it broke down".into()))
    };
    let start = Instant::now();
    let mut best = once()?;
    for _ in 1..REPEATS {
        if !best.solved() || start.elapsed() > ENOUGH {
            break;
        }
        let again = once()?;
        best.time = best.time.min(again.time);
    }
    Ok(best)
}

fn once(
    budget: &Budget,
    time: Duration,
    model: &Model,
    sources: &Arc<Sources>,
    engine: &'static str,
    variant: Variant,
) -> Result<Measured, String> {
    let mut ctx = Context { budget: budget.clone().with_time(time), ..Context::default() };
    let program = lower(&mut ctx, model, sources)?;
    let property = program.default.ok_or("the model asks nothing")?;
    let row = by_name(engine).ok_or_else(|| format!("there is no engine {engine}"))?;
    let options = Options { engine: row, passes: vec![&PRUNE, &SLICE], settings: variant.settings(model, engine) };
    let found = answer(&mut ctx, &options, &program, property)?;
    let (verdict, right) = match found.verdict {
        Verdict::Safe(_) => ("true".to_owned(), Some(model.safe)),
        Verdict::Unsafe(_) => ("false".to_owned(), Some(!model.safe)),
        Verdict::Unknown(reason) => (reason.to_string(), None),
    };
    Ok(Measured {
        engine,
        variant,
        verdict,
        right,
        statistics: ctx.statistics,
        time: found.engine_time,
        check: found.check_time,
    })
}

fn lower(ctx: &mut Context, model: &Model, sources: &Arc<Sources>) -> Result<Program, String> {
    let ending = model.file.rsplit('.').next().unwrap_or_default();
    let frontend = by_extension(ending).ok_or("no language has this ending")?;
    let file = sources.ids().next().ok_or("there is no text")?;
    let lowered = frontend.lower_one(&mut ctx.terms, sources.clone(), file);
    lowered.map(|lowered| lowered.program).map_err(|refused| {
        refused.errors.first().map_or_else(|| "the model was refused".into(), |error| error.message.clone())
    })
}
