//! `tamis bench thesis`: the experiments of Kiefer's thesis.

use super::options::Thesis;
use super::teller::{Teller, curves};
use crate::options::Limits;
use crate::output::{self, Ending, Exit};
use crate::progress::Gauge;
use crate::supervise::{Job, supervise};
use crate::trouble::Manner;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tamis_bench::growth::Extent;
use tamis_bench::measure::Settings;
use tamis_bench::thesis::{CASES, CURVES, EXPERIMENTS, json as object, text};
use tamis_report::style::Colour;

/// Runs the subcommand.
pub fn run(options: Thesis, colour: Colour) -> Exit {
    let measured = |name: &String| {
        let name = name.as_str();
        let (in_table, grows) = (EXPERIMENTS.iter().any(|e| e.name == name), CURVES.iter().any(|c| c.name == name));
        if options.growth { grows } else { in_table }
    };
    if let Some(name) = options.only.iter().find(|name| !measured(name)) {
        let how = if options.growth { "without" } else { "with" };
        output::error(&format!("error: {name} is measured only {how} --growth\n"));
        return Exit::Usage;
    }
    let manner = Manner { file: "bench thesis".into(), json: options.json, colour };
    // Each run has its own limit of time; all of them together have none.
    let limits = Limits { time: Duration::MAX, memory: options.limits.memory };
    let work = move |job: &Job| Ok(thesis(job, &options));
    supervise(limits, true, &Arc::new(Gauge::default()), work).end(&manner, |reason| Ending {
        err: format!("stopped: {reason}\n"),
        out: String::new(),
        exit: Exit::Unknown,
    })
}

fn thesis(job: &Job, options: &Thesis) -> Ending {
    let settings = Settings { budget: job.budget.clone(), time: options.limits.time };
    let mut teller = Teller::new(options.json);
    let chosen = |name: &str| options.only.is_empty() || options.only.iter().any(|only| only == name);
    let result = if options.growth {
        let chosen = CURVES.iter().filter(|curve| chosen(curve.name));
        curves(&teller.growth(&settings, Extent::Full, chosen))
    } else {
        table(&mut teller, &settings, &chosen)
    };
    teller.end(job, result)
}

/// The experiments, and the speed of those for which abstraction pays.
fn table(teller: &mut Teller, settings: &Settings, chosen: &dyn Fn(&str) -> bool) -> Value {
    let (mut experiments, mut effects): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let mut told = text::effect_title();
    teller.tell(&text::title());
    for experiment in EXPERIMENTS.iter().filter(|experiment| chosen(experiment.name)) {
        let found = experiment.run(settings);
        teller.holds &= found.holds();
        teller.tell(&text::experiment(&found));
        experiments.push(object::experiment(&found));
        for effect in experiment.effects(settings, &found) {
            told.push_str(&text::effect(&effect));
            effects.push(object::effect(&effect));
        }
    }
    teller.tell(&format!("\n{told}"));
    let mut speed: Vec<Value> = Vec::new();
    for (at, case) in CASES.iter().filter(|case| chosen(case.name)).enumerate() {
        if at == 0 {
            teller.tell(&format!("\n{}", text::speed_title()));
        }
        let pair = case.run(settings);
        teller.tell(&text::speed(case, &pair));
        speed.push(object::speed(case, &pair));
    }
    json!({ "experiments": experiments, "effects": effects, "speed": speed })
}
