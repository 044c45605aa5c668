//! `tamis bench minimise`: Figure 7 of the paper on minimum predicates.

use super::options::Minimise;
use crate::languages::Chosen;
use crate::load::load;
use crate::options::{Input, Limits, Question};
use crate::output::{self, Ending, Exit};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::trouble::{Manner, Trouble};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tamis_bench::minimise::judge::{Row, claims};
use tamis_bench::minimise::{Task, WAYS, json as object, measure, tasks, text};
use tamis_frontends::by_name;
use tamis_report::json::line;
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(options: Minimise, colour: Colour) -> Exit {
    let manner = Manner { file: "bench minimise".into(), json: options.json, colour };
    // Each run has its own limit of time; all of them together have none.
    let limits = Limits { time: Duration::MAX, memory: options.limits.memory };
    let work = move |job: &Job| table(job, &options, colour);
    supervise(limits, true, &Arc::new(Gauge::default()), work).end(&manner, |reason| Ending {
        err: format!("stopped: {reason}\n"),
        out: String::new(),
        exit: Exit::Unknown,
    })
}

fn table(job: &Job, options: &Minimise, colour: Colour) -> Result<Ending, Trouble> {
    let tell = |text: &str| {
        if !options.json {
            output::output(text);
        }
    };
    tell(&text::title());
    let mut rows = Vec::new();
    for task in tasks() {
        if options.only.is_empty() || options.only.iter().any(|name| name == task.name) {
            let row = row(job, options, task, colour)?;
            tell(&text::row(&row));
            rows.push(row);
        }
        if job.budget.check().is_err() {
            break;
        }
    }
    let claims = claims(&rows);
    tell("\n");
    for claim in &claims {
        tell(&text::claim(claim));
    }
    let stopped = job.budget.check().is_err();
    let holds = !stopped && claims.iter().all(|claim| claim.holds);
    let out = if options.json {
        let programs: Vec<Value> = rows.iter().map(object::row).collect();
        let claims: Vec<Value> = claims.iter().map(object::claim).collect();
        line(&json!({ "programs": programs, "claims": claims, "holds": holds })) + "\n"
    } else if stopped {
        "stopped: what is shown is not complete\n".into()
    } else {
        String::new()
    };
    Ok(Ending { err: String::new(), out, exit: if holds { Exit::Safe } else { Exit::Unknown } })
}

/// All runs on a program.
fn row(job: &Job, options: &Minimise, task: Task, colour: Colour) -> Result<Row, Trouble> {
    let mut chosen = Chosen::default();
    let c = by_name("c").ok_or_else(|| Trouble::Internal("there is no language c".into()))?;
    // What the programs were written for.
    chosen.about_mut(c).default_to("data-model", "ilp32");
    let input = Input { files: vec![options.folder.join(task.file)], language: None, chosen };
    let question = Question { property: None, label: None, spec: None };
    let mut runs = Vec::new();
    for way in WAYS {
        let loaded = load(job, &input, Some(&question), colour)?;
        let property = loaded.property(&question)?;
        runs.push(measure(&job.budget, options.limits.time, loaded.terms, &loaded.program, property, task.safe, way));
    }
    Ok(Row { task, runs })
}
