//! `tamis bench thesis`, on what is quick.

use crate::Place;

#[test]
fn an_experiment_is_shown_beside_the_thesis() {
    let place = Place::new(&[]);
    let ran = place.run("bench thesis --only loop-invariant --time 10s");
    ran.ends(0, &["loop-invariant: figure 6.3", "weakest", "no abstraction", "portfolio", "ok (at most 2 / 1)"]);
    assert_eq!(ran.last(), "all bands hold");
    let json = place.run("bench thesis --only irrelevant-procedure --time 10s --json").ends(0, &[]).json();
    assert_eq!(json["holds"], true);
    assert_eq!(json["experiments"][0]["rows"][0]["rounds"], 1, "{json}");
    assert_eq!(json["experiments"][0]["rows"][0]["within"], true, "{json}");
}

#[test]
fn no_time_misses_the_bands() {
    let ran = Place::new(&[]).run("bench thesis --only primality-bytecode --time 1ms");
    ran.ends(5, &["MISSED (at most 3 / 2)", ">0.001 s"]);
    assert_eq!(ran.last(), "a band is missed");
}

#[test]
fn unknown_experiments_are_refused() {
    Place::new(&[]).run("bench thesis --only nothing").ends(1, &["bubble-sort", "quicksort"]);
    Place::new(&[]).run("bench").ends(1, &["thesis"]);
}
