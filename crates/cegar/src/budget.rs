//! Limits on time, memory, states and rounds, and the user's interrupt.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tamis_witness::{Reason, Resource, StopSignal};

/// What a run may use. Engines ask [`Budget::check`] often enough that limits hold.
#[derive(Clone, Debug)]
pub struct Budget {
    /// When the run must end.
    pub deadline: Option<Instant>,
    /// How many bytes may be allocated.
    pub memory: Option<u64>,
    /// How many states an engine may store.
    pub states: Option<u64>,
    /// How many engines share the memory.
    pub racers: u64,
    /// How many rounds of refinement there may be.
    pub rounds: Option<u64>,
    /// Tells how many bytes are allocated now.
    pub allocated: fn() -> u64,
    /// Set when the user interrupts.
    pub interrupted: Arc<AtomicBool>,
}

impl Default for Budget {
    /// No limits.
    fn default() -> Budget {
        Budget {
            deadline: None,
            memory: None,
            states: None,
            racers: 1,
            rounds: None,
            allocated: || 0,
            interrupted: Arc::default(),
        }
    }
}

impl Budget {
    /// The same budget with the given time from now on.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Budget {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Whether time, memory and the user let the run go on.
    ///
    /// # Errors
    /// Names the limit that was reached.
    pub fn check(&self) -> Result<(), Reason> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Reason::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Reason::OutOfBudget(Resource::Time));
        }
        if self.memory.is_some_and(|limit| (self.allocated)() > limit) {
            return Err(Reason::OutOfBudget(Resource::Memory));
        }
        Ok(())
    }

    /// A signal that is set, for good, once the run must end, and that remembers why.
    #[must_use]
    pub fn watch(&self) -> Watch {
        let (limits, first) = (self.clone(), Arc::new(OnceLock::new()));
        let seen = first.clone();
        let stop = StopSignal::when(move || {
            if let Err(reason) = limits.check() {
                // Only the first reason counts: there may be room again later.
                let _ = seen.set(reason);
            }
            seen.get().is_some()
        });
        Watch { stop, first }
    }

    /// Whether that many stored states are within the limit.
    ///
    /// # Errors
    /// If they are not.
    pub fn check_states(&self, states: u64) -> Result<(), Reason> {
        match self.states {
            Some(limit) if states > limit => Err(Reason::OutOfBudget(Resource::States)),
            Some(_) | None => Ok(()),
        }
    }
}

/// A stop signal that knows why it was set.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The signal.
    pub stop: StopSignal,
    first: Arc<OnceLock<Reason>>,
}

impl Watch {
    /// Why the signal is set, if it is.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        self.first.get().cloned()
    }
}
