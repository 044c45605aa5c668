//! How much memory Z3 holds. It has an allocator of its own, which counts for all threads together;
//! its statistics tell what it has counted.

use std::cell::OnceCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use z3::StatisticsValue;

/// How old the last count may be.
const AGE: Duration = Duration::from_millis(10);

static USED: AtomicBool = AtomicBool::new(false);
/// The last count, in bytes.
static HELD: AtomicU64 = AtomicU64::new(0);
/// When the next count is due, in nanoseconds after the first.
static DUE: AtomicU64 = AtomicU64::new(0);
static START: OnceLock<Instant> = OnceLock::new();

thread_local! {
    /// A solver without facts, whose statistics are only about memory.
    static METER: OnceCell<z3::Solver> = const { OnceCell::new() };
}

/// Notes that there is something to count.
pub(super) fn note() {
    USED.store(true, Ordering::Relaxed);
}

/// About how many bytes Z3 holds in this process; nothing as long as nobody asks it.
#[must_use]
pub fn allocated() -> u64 {
    if !USED.load(Ordering::Relaxed) {
        return 0;
    }
    let now = nanoseconds(START.get_or_init(Instant::now).elapsed());
    let due = DUE.load(Ordering::Relaxed);
    let next = now.saturating_add(nanoseconds(AGE));
    // Of several threads, one counts.
    if now >= due && DUE.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
        HELD.store(count().unwrap_or(0), Ordering::Relaxed);
    }
    HELD.load(Ordering::Relaxed)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What Z3 has counted, in bytes.
fn count() -> Option<u64> {
    let value = METER.with(|meter| meter.get_or_init(z3::Solver::new).get_statistics().value("memory"))?;
    let megabytes = match value {
        StatisticsValue::Double(megabytes) => megabytes,
        StatisticsValue::UInt(megabytes) => f64::from(megabytes),
    };
    // Durations convert between floats and integers with a check, which casts do not.
    let bytes = Duration::try_from_secs_f64(megabytes * f64::from(1 << 20)).ok()?;
    Some(bytes.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_z3_holds_is_counted() {
        note();
        let before = count().expect("a statistic called memory");
        let x = z3::ast::BV::new_const("x", 4096);
        let mut product = x.clone();
        let solver = z3::Solver::new();
        for _ in 0..200 {
            product = product.bvmul(&x).bvadd(&product);
            solver.assert(product.eq(&x));
        }
        assert!(before > 0 && count().is_some_and(|after| after > before));
        assert!(allocated() > 0);
    }
}
