//! A large stack: the operations on diagrams recurse, once per level.

use std::thread;

/// How much address space the stack may take. Only what is touched becomes memory.
const STACK_BYTES: usize = 512 << 20;

/// Runs `work` on a thread with a large stack and returns what it returns. If `work` panics,
/// so does the caller.
///
/// # Panics
/// If the system refuses to start a thread.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("diagrams".to_owned()).stack_size(STACK_BYTES);
        let handle = thread.spawn_scoped(scope, work).expect("the system starts another thread");
        handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
