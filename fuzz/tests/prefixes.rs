//! The laws of infeasible-prefix selection on random paths.

use tamis_fuzz::machines::prefixes::{Seen, examine};

#[test]
fn prefixes_are_contradictory_and_refute_their_paths() {
    let mut seen = Seen::default();
    // The last has a formula that is false at sight.
    for seed in (0..150).chain([204]) {
        if let Err(what) = examine(seed, &mut seen) {
            panic!(
                "seed {seed}: {what}\ncall `examine` of fuzz/src/machines/prefixes.rs with this seed alone to see it again"
            );
        }
    }
    assert!(seen.real > 20 && seen.several > 50 && seen.refuted > 200, "{seen:?}");
}
