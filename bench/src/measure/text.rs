//! Times as text.

use super::Measured;
use std::time::Duration;

/// A time, as precisely as it makes sense.
#[must_use]
pub fn time(measured: Duration) -> String {
    let seconds = measured.as_secs_f64();
    if seconds < 10.0 { format!("{seconds:.3} s") } else { format!("{seconds:.1} s") }
}

/// The time of a run; behind `>` the limit that stopped it.
#[must_use]
pub fn time_of(measured: &Measured) -> String {
    format!("{}{}", if measured.late { ">" } else { "" }, time(measured.time))
}

/// The time of its check; behind `>` how long it was given.
#[must_use]
pub fn check_of(measured: &Measured) -> String {
    format!("{}{}", if measured.unchecked { ">" } else { "" }, time(measured.check))
}
