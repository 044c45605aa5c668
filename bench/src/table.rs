//! The table of results: one line per measurement, printed as it is made.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How often a measurement is repeated.
const REPEATS: usize = 5;
/// How long each repetition goes on at least: many ticks of the system's clock.
const BATCH: Duration = Duration::from_millis(150);
/// The grain of the time that the system accounts to a thread.
const TICK: Duration = Duration::from_millis(4);

/// Prints rates, each with its ratio to an earlier run where there is one.
pub struct Table {
    before: BTreeMap<String, f64>,
}

impl Table {
    /// A table to compare with `before`, the text of an earlier table (or nothing).
    pub fn new(before: &str) -> Table {
        let rate = |line: &str| {
            let mut cells = line.split('\t').map(str::trim);
            Some((cells.next()?.to_owned(), cells.next()?.parse().ok()?))
        };
        let before: BTreeMap<String, f64> = before.lines().filter_map(rate).collect();
        let ratio = if before.is_empty() { "" } else { "\tratio" };
        println!("{:<28}\t{:>10}\tunit{ratio}", "measurement", "rate");
        Table { before }
    }

    /// Repeats `work`, which returns how much it did, and prints the best rate in millions
    /// of `unit` per second. The best, because everything that disturbs a run slows it down.
    pub fn measure(&mut self, name: &str, unit: &str, mut work: impl FnMut() -> usize) {
        let mut best = 0.0_f64;
        for _ in 0..REPEATS {
            let (wall, cpu) = (Instant::now(), cpu_time());
            let mut done = 0;
            while wall.elapsed() < BATCH {
                done += std::hint::black_box(work());
            }
            let wall = wall.elapsed();
            let spent = cpu_time().zip(cpu).map_or(wall, |(after, before)| after.saturating_sub(before));
            #[expect(clippy::cast_precision_loss, reason = "a count of work for a rate of three digits")]
            let rate = done as f64 / spent.max(TICK).as_secs_f64() / 1e6;
            best = best.max(rate);
        }
        let ratio = self.before.get(name).map_or(String::new(), |before| format!("\t{:.2}", best / before));
        println!("{name:<28}\t{best:>10.2}\tM{unit}/s{ratio}");
    }
}

/// The time that this thread ran so far, where the system tells it: other programs on the
/// machine then disturb the measurement less.
fn cpu_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
