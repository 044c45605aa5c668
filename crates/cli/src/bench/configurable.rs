//! `tamis bench configurable`: the tables of the configurable framework's paper.

use super::options::Configurable;
use crate::input::Content;
use crate::options::Limits;
use crate::output::{self, Ending, Exit};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::trouble::{Manner, Trouble};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tamis_bench::configurable::judge::{AUTOMATIC, Row, claims};
use tamis_bench::configurable::{Model, Variant, json as object, machine, measure, models, text};
use tamis_ir::Sources;
use tamis_report::json::line;
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(options: Configurable, colour: Colour) -> Exit {
    let manner = Manner { file: "bench configurable".into(), json: options.json, colour };
    // Each run has its own limit of time; all of them together have none.
    let limits = Limits { time: Duration::MAX, memory: options.limits.memory };
    let work = move |job: &Job| tables(job, &options);
    supervise(limits, true, &Arc::new(Gauge::default()), work).end(&manner, |reason| Ending {
        err: format!("stopped: {reason}\n"),
        out: String::new(),
        exit: Exit::Unknown,
    })
}

fn tables(job: &Job, options: &Configurable) -> Result<Ending, Trouble> {
    let tell = |text: &str| {
        if !options.json {
            output::output(text);
        }
    };
    let factor = machine::factor();
    tell(&text::machine(factor));
    tell(&text::title());
    let mut rows = Vec::new();
    for model in models() {
        if options.only.is_empty() || options.only.iter().any(|name| name == model.name) {
            let row = row(job, options, model)?;
            tell(&text::row(&row));
            rows.push(row);
        }
        if job.budget.check().is_err() {
            break;
        }
    }
    let claims = claims(&rows, factor);
    tell("\n");
    for claim in &claims {
        tell(&text::claim(claim));
    }
    let stopped = job.budget.check().is_err();
    let holds = !stopped && claims.iter().all(|claim| claim.holds);
    let out = if options.json {
        let models: Vec<Value> = rows.iter().map(object::row).collect();
        let claims: Vec<Value> = claims.iter().map(object::claim).collect();
        line(&json!({ "machine": factor, "models": models, "claims": claims, "holds": holds })) + "\n"
    } else if stopped {
        "stopped: what is shown is not complete\n".into()
    } else {
        String::new()
    };
    Ok(Ending { err: String::new(), out, exit: if holds { Exit::Safe } else { Exit::Unknown } })
}

/// All runs on a model.
fn row(job: &Job, options: &Configurable, model: Model) -> Result<Row, Trouble> {
    let content = Content::read(&options.folder.join(model.file))?;
    let mut sources = Sources::new();
    sources.add(&content.name, content.text()?);
    let sources = Arc::new(sources);
    let cells: Vec<&'static str> =
        model.printed.iter().filter(|cell| cell.was_run()).map(|cell| cell.configuration).collect();
    let engines = cells.into_iter().flat_map(|name| [Variant::Paper, Variant::Default].map(|variant| (name, variant)));
    let engines = engines.chain([(AUTOMATIC, Variant::Default)]);
    let run = |(engine, variant)| {
        let measured = measure(&job.budget, options.limits.time, &model, &sources, engine, variant);
        measured.map_err(|why| Trouble::Internal(format!("{engine} on {}: {why}", model.name)))
    };
    let runs = engines.map(run).collect::<Result<Vec<_>, Trouble>>()?;
    Ok(Row { model, runs })
}
