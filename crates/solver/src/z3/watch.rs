//! How Z3 is told to stop: a thread looks at the signal while Z3 works, and interrupts it.

use crate::StopSignal;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often the signal is looked at, at first and later: most questions are answered at once.
const FIRST: Duration = Duration::from_millis(2);
const LATER: Duration = Duration::from_millis(20);

/// Runs calls of Z3, and interrupts them when the signal is set; returns whether that happened.
/// Then any of them may have done nothing, because not all say so.
pub(crate) fn watched<R>(stop: &StopSignal, calls: impl FnOnce() -> R) -> (R, bool) {
    let context = z3::Context::thread_local();
    let handle = context.handle();
    thread::scope(|scope| {
        let (finish, finished) = mpsc::channel::<()>();
        let watcher = scope.spawn(move || {
            let (mut interrupted, mut pause) = (false, FIRST);
            // An interrupt between two calls is lost, and ends only one of them.
            while finished.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                if stop.is_set() {
                    handle.interrupt();
                    interrupted = true;
                }
                pause = LATER.min(2 * pause);
            }
            interrupted
        });
        let result = calls();
        drop(finish);
        let interrupted = watcher.join().expect("the watcher only looks at the signal and calls Z3");
        (result, interrupted)
    })
}
