//! Live progress: one line on standard error, only if that is a terminal.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tamis_cegar::Progress;
use tamis_report::style::count;

/// How long a run goes on before its progress is shown, and how often it is shown anew.
const QUIET: Duration = Duration::from_millis(400);
const EVERY: Duration = Duration::from_millis(100);

/// What the work has reached: written by the worker, read by the watcher.
#[derive(Debug, Default)]
pub struct Gauge(Mutex<Reading>);

/// One look at the gauge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading {
    /// What is being done.
    pub stage: &'static str,
    /// How far the engine is, once it runs.
    pub progress: Option<Progress>,
}

impl Gauge {
    pub fn stage(&self, name: &'static str) {
        if let Ok(mut reading) = self.0.lock() {
            reading.stage = name;
        }
    }

    pub fn take(&self, progress: &Progress) {
        if let Ok(mut reading) = self.0.lock() {
            reading.progress = Some(*progress);
        }
    }

    pub fn read(&self) -> Reading {
        self.0.lock().map(|reading| *reading).unwrap_or_default()
    }
}

/// The line that shows progress.
#[derive(Debug)]
pub struct Display {
    bar: Option<ProgressBar>,
    start: Instant,
    last: Instant,
}

impl Display {
    /// A display; a silent one shows nothing.
    pub fn new(silent: bool) -> Display {
        let start = Instant::now();
        let bar = (!silent).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            ProgressStyle::with_template("{spinner} {wide_msg}").map(|style| bar.set_style(style)).ok();
            bar
        });
        Display { bar: bar.filter(|bar| !bar.is_hidden()), start, last: start }
    }

    /// Shows what the gauge says, now and then.
    pub fn show(&mut self, gauge: &Gauge) {
        let Some(bar) = &self.bar else { return };
        if self.start.elapsed() < QUIET || self.last.elapsed() < EVERY {
            return;
        }
        self.last = Instant::now();
        bar.set_message(line(&gauge.read(), self.start.elapsed(), crate::memory::resident()));
        bar.tick();
    }

    /// Writes a text above the line.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| output::error(text)),
            None => output::error(text),
        }
    }

    /// Removes the line.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn line(reading: &Reading, elapsed: Duration, allocated: u64) -> String {
    let mut parts = vec![reading.stage.to_owned()];
    if let Some(progress) = reading.progress {
        let statistics = progress.statistics;
        parts.push(format!("{} states", count(statistics.states)));
        parts.push(format!("{} waiting", count(progress.frontier)));
        if statistics.rounds > 0 {
            parts.push(format!("round {}", count(statistics.rounds)));
            parts.push(format!("{} predicates", count(statistics.predicates)));
        }
        if let Some(length) = progress.counterexample {
            parts.push(format!("counterexample of {} steps", count(length)));
        }
    }
    parts.push(format!("{} MB", count(allocated >> 20)));
    parts.push(format!("{} s", elapsed.as_secs()));
    parts.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_cegar::Statistics;

    #[test]
    fn the_line_names_what_matters() {
        let statistics = Statistics { states: 12_345, ..Statistics::default() };
        let progress = Some(Progress { statistics, frontier: 99, counterexample: None });
        let reading = Reading { stage: "exploring", progress };
        let text = line(&reading, Duration::from_secs(3), 7 << 20);
        assert_eq!(text, "exploring · 12,345 states · 99 waiting · 7 MB · 3 s");
    }
}
