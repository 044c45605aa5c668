//! The meter: counts what encoding uses and says when to give up. Whoever builds something
//! pays first, so running out is an answer and not a crash.

use crate::{StopSignal, Why};

/// How many steps may pass between two looks at the stop signal: a fraction of a millisecond.
const PATIENCE: usize = 4096;

/// A memory allowance and a stop signal.
#[derive(Debug)]
pub(super) struct Meter {
    stop: StopSignal,
    limit: usize,
    used: usize,
    steps: usize,
}

impl Meter {
    pub(super) fn new(stop: StopSignal, limit: usize) -> Meter {
        Meter { stop, limit, used: 0, steps: 0 }
    }

    /// How many bytes were paid for.
    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Pays for memory that is about to be used.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), Why> {
        let used = self.used.saturating_add(bytes);
        if used > self.limit {
            return Err(Why::OutOfMemory);
        }
        self.used = used;
        self.work(1)
    }

    /// Takes back what was paid for memory that is free again.
    pub(super) fn refund(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Counts steps that use no memory, so that long loops hear the stop signal too.
    pub(super) fn work(&mut self, steps: usize) -> Result<(), Why> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps < PATIENCE {
            return Ok(());
        }
        self.steps = 0;
        self.poll()
    }

    /// Looks at the stop signal now.
    pub(super) fn poll(&self) -> Result<(), Why> {
        if self.stop.is_set() { Err(Why::Interrupted) } else { Ok(()) }
    }
}
