//! How others tell a long computation to stop.

use std::fmt;
use std::sync::Arc;

/// A condition that solvers and the like look at every few thousand steps: a deadline, a flag
/// that another thread sets, or both. Cheap to clone; one signal may serve many computations
/// and threads.
#[derive(Clone, Default)]
pub struct StopSignal(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl StopSignal {
    /// Never stops.
    #[must_use]
    pub fn never() -> StopSignal {
        StopSignal(None)
    }

    /// Stops once `condition` holds. It should be cheap, and stay true once it is.
    #[must_use]
    pub fn when(condition: impl Fn() -> bool + Send + Sync + 'static) -> StopSignal {
        StopSignal(Some(Arc::new(condition)))
    }

    /// Whether to stop now.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|condition| condition())
    }
}

impl fmt::Debug for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "StopSignal::when(..)" } else { "StopSignal::never()" })
    }
}
