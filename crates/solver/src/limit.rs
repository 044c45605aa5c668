//! How much one check may take, and the clock that backends look at.

use crate::{StopSignal, Why};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How much each check may take before it answers [`Why::GaveUp`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// By the clock, and therefore more on a faster machine.
    pub time: Option<Duration>,
    /// In steps of the backend's own, which are the same on every machine: see its `limit`.
    pub steps: Option<u64>,
}

/// The caller's stop signal, and the time that the current check may take.
#[derive(Debug)]
pub(crate) struct Clock {
    stop: StopSignal,
    start: Instant,
    /// When the current check ends, in nanoseconds after the start.
    end: Arc<AtomicU64>,
}

const NEVER: u64 = u64::MAX;

impl Clock {
    pub(crate) fn new(stop: StopSignal) -> Clock {
        Clock { stop, start: Instant::now(), end: Arc::new(AtomicU64::new(NEVER)) }
    }

    /// A check begins, which may take so long.
    pub(crate) fn begin(&self, time: Option<Duration>) {
        let end = time.and_then(|time| self.start.elapsed().checked_add(time));
        let end = end.and_then(|end| u64::try_from(end.as_nanos()).ok()).unwrap_or(NEVER);
        self.end.store(end, Ordering::Relaxed);
    }

    /// A signal that is set when the caller's is, or when time is up.
    pub(crate) fn signal(&self) -> StopSignal {
        let (stop, start, end) = (self.stop.clone(), self.start, self.end.clone());
        StopSignal::when(move || stop.is_set() || is_past(start, &end))
    }

    pub(crate) fn is_set(&self) -> bool {
        self.stop.is_set() || is_past(self.start, &self.end)
    }

    /// Why a computation that heard the signal has stopped.
    pub(crate) fn why(&self) -> Why {
        if !is_past(self.start, &self.end) || self.stop.is_set() {
            return Why::Interrupted;
        }
        Why::GaveUp("the time limit of a query is reached".to_owned())
    }

    /// The reason of a backend that does not tell the two signals apart.
    pub(crate) fn explain(&self, why: Why) -> Why {
        if why == Why::Interrupted { self.why() } else { why }
    }
}

fn is_past(start: Instant, end: &AtomicU64) -> bool {
    let end = end.load(Ordering::Relaxed);
    end != NEVER && start.elapsed() >= Duration::from_nanos(end)
}
