//! Work that is done several items at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Works on all items, on as many threads as there are jobs. Results are taken as they come.
pub fn each<T: Sync, R: Send>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync, mut take: impl FnMut(R)) {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens any more only if taking a result has panicked.
                    if sender.send(work(item)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        results.iter().for_each(&mut take);
    });
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn every_item_is_worked_on_once() {
        let items: Vec<u32> = (0..100).collect();
        let mut results = Vec::new();
        each(&items, 3, |item| item * 2, |result| results.push(result));
        results.sort_unstable();
        assert_eq!(results, (0..100).map(|item| item * 2).collect::<Vec<_>>());
    }
}
