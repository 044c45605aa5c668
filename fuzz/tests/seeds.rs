//! Cheap seeds of the random comparison. Longer runs: `cargo xtask fuzz --minutes N`.

use tamis_engines::ENGINES;
use tamis_fuzz::campaign::campaign;
use tamis_fuzz::compare::everything;

#[test]
fn engines_agree_with_the_interpreter_and_with_each_other() {
    let counts = campaign(0..2_000, &everything(ENGINES), |_| true).unwrap_or_else(|failure| {
        panic!(
            "seed {}: {}\nrun `cargo xtask fuzz --seed {}` for a small program\nshrunk: {}\n{:#?}",
            failure.seed, failure.what, failure.seed, failure.shrunk_what, failure.shrunk.procs
        )
    });
    println!("{counts:?}");
    assert!(counts.tally.safe > 200 && counts.tally.violated > 200, "a one-sided generator tests little: {counts:?}");
    assert!(counts.tally.searched > 1_000, "the interpreter decides most programs: {counts:?}");
    assert!(counts.refused > 1_000, "corrupted evidence is tried: {counts:?}");
}
