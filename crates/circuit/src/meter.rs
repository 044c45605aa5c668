//! The meter: counts what a circuit uses and says when to give up. Whoever builds something
//! pays first, so running out is an answer and not a crash.

use crate::Error;
use tamis_term::StopSignal;

/// How many steps may pass between two looks at the stop signal: a fraction of a millisecond.
const PATIENCE: usize = 4096;

/// A memory allowance and a stop signal.
#[derive(Debug)]
pub struct Meter {
    stop: StopSignal,
    limit: usize,
    used: usize,
    steps: usize,
}

impl Meter {
    /// Allows `limit` bytes, until `stop` is set.
    #[must_use]
    pub fn new(stop: StopSignal, limit: usize) -> Meter {
        Meter { stop, limit, used: 0, steps: 0 }
    }

    /// How many bytes were paid for.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }

    /// Pays for memory that is about to be used.
    ///
    /// # Errors
    /// If it is too much, or the stop signal is set.
    pub fn charge(&mut self, bytes: usize) -> Result<(), Error> {
        let used = self.used.saturating_add(bytes);
        if used > self.limit {
            return Err(Error::OutOfMemory);
        }
        self.used = used;
        self.work(1)
    }

    /// Takes back what was paid for memory that is free again.
    pub fn refund(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Counts steps that use no memory, so that long loops hear the stop signal too.
    ///
    /// # Errors
    /// If the stop signal is set.
    pub fn work(&mut self, steps: usize) -> Result<(), Error> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps < PATIENCE {
            return Ok(());
        }
        self.steps = 0;
        self.poll()
    }

    /// Looks at the stop signal now.
    ///
    /// # Errors
    /// If it is set.
    pub fn poll(&self) -> Result<(), Error> {
        if self.stop.is_set() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
