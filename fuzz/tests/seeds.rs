//! Cheap seeds of the random comparison. Longer runs: `cargo xtask fuzz --minutes N`.

use tamis_engines::{Decides, ENGINES, Takes};
use tamis_fuzz::campaign::{Counts, campaign};
use tamis_fuzz::compare::{Setup, everything};

/// Runs the programs of the seeds, and says what to do if one fails.
fn run(seeds: std::ops::Range<u64>, setup: &Setup) -> Counts {
    campaign(seeds, setup, |_| true).unwrap_or_else(|failure| {
        panic!(
            "seed {}: {}\nrun `cargo xtask fuzz --seed {}` for a small program\nshrunk: {}\n{:#?}",
            failure.seed, failure.what, failure.seed, failure.shrunk_what, failure.shrunk.procs
        )
    })
}

#[test]
fn engines_agree_with_the_interpreter_and_with_each_other() {
    let mut setup = everything(ENGINES);
    setup.engines.retain(|options| options.engine.decides != Decides::Refinable);
    let counts = run(0..2_000, &setup);
    println!("{counts:?}");
    assert!(counts.tally.safe > 200 && counts.tally.violated > 200, "a one-sided generator tests little: {counts:?}");
    assert!(counts.tally.searched > 1_000, "the interpreter decides most programs: {counts:?}");
    assert!(counts.refused > 1_000, "corrupted evidence is tried: {counts:?}");
}

/// Each question of its own goes to a solver, so there are fewer seeds.
#[test]
fn boolean_programs_agree_with_the_interpreter_and_with_explicit_states() {
    let mut setup = everything(ENGINES);
    setup.engines.retain(|options| ["boolean", "explicit"].contains(&options.engine.name));
    // In this one, a loop is closed by a call that never returns, and no pass keeps the call.
    run(1_001_407..1_001_408, &setup);
    let counts = run(0..1_000, &setup);
    println!("{counts:?}");
    assert!(counts.tally.safe > 20 && counts.tally.violated > 20, "a one-sided generator tests little: {counts:?}");
}

/// The same for abstraction trees in blocks, on words and on ideal integers.
#[test]
fn abstraction_trees_agree_with_the_interpreter_and_with_explicit_states() {
    let mut setup = everything(ENGINES);
    setup.engines.retain(|options| options.engine.takes == Takes::Expanded || options.engine.name == "explicit");
    let counts = run(0..150, &setup);
    println!("{counts:?}");
    assert!(counts.tally.safe > 5 && counts.tally.violated > 5, "a one-sided generator tests little: {counts:?}");
}
