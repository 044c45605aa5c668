//! Cheap seeds of the laws of abstraction refinement. Longer runs: `cargo xtask laws`.

use tamis_fuzz::laws::{Seen, examine, notices};
use tamis_refiners::bdd::Fault;

#[test]
fn every_heuristic_obeys_the_laws_on_random_systems() {
    let mut tally = Seen::default();
    for seed in 0..250 {
        if let Err(what) = examine(seed, &mut tally) {
            panic!("seed {seed}: {what}\n`cargo xtask laws --seed {seed} --systems 1` shows it again");
        }
    }
    assert!(tally.rounds > 500, "systems without refinement test little: {tally:?}");
    assert!(tally.given_up * 100 < tally.runs, "nearly all refinements end: {tally:?}");
    assert!(tally.safe > 50 && tally.systems - tally.safe > 50, "both verdicts occur: {tally:?}");
}

/// The two mistakes that the laws were written against.
#[test]
fn the_audit_notices_mistakes() {
    for fault in [Fault::EffectIsTrue, Fault::PivotExists] {
        let noticed = (0..400).filter(|seed| notices(*seed, fault)).count();
        assert!(noticed >= 3, "{fault:?} is noticed on {noticed} of 400 systems only");
    }
}
