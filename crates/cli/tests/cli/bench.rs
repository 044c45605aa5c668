//! `tamis bench`, on what is quick.

use crate::Place;

#[test]
fn an_experiment_is_shown_beside_the_thesis() {
    let place = Place::new(&[]);
    let ran = place.run("bench thesis --only loop-invariant --time 10s");
    ran.ends(
        0,
        &["loop-invariant: figure 6.3", "weakest, single", "no abstraction", "portfolio", "2 / 1 / negligible", "held"],
    );
    assert_eq!(ran.last(), "all bands hold");
    let json = place.run("bench thesis --only irrelevant-procedure --time 10s --json").ends(0, &[]).json();
    assert_eq!(json["holds"], true);
    assert_eq!(json["experiments"][0]["rows"][0]["rounds"], 1, "{json}");
    assert_eq!(json["experiments"][0]["rows"][0]["outcome"], "held", "{json}");
    assert_eq!(json["effects"][0]["changed"]["search=early"]["rounds"], 1, "{json}");
}

#[test]
fn no_time_misses_the_bands() {
    let ran = Place::new(&[]).run("bench thesis --only primality-bytecode --time 1ms");
    ran.ends(5, &["MISSED: unsettled (must be held)", ">0.001 s"]);
    assert_eq!(ran.last(), "a band is missed");
}

#[test]
fn unknown_experiments_are_refused() {
    Place::new(&[]).run("bench thesis --only nothing").ends(1, &["bubble-sort", "quicksort"]);
    Place::new(&[]).run("bench").ends(1, &["thesis"]);
}

/// Times decide nothing here: whether claims hold is not asked.
#[test]
fn families_of_programs_are_measured_and_drawn() {
    let place = Place::new(&[]);
    let ran = place.run("bench programs --growth --sizes small --time 20s --plot curves.svg --json");
    let json = ran.json();
    let curves = json["growth"].as_array().expect("a list of curves");
    let names: Vec<&str> = curves.iter().filter_map(|curve| curve["name"].as_str()).collect();
    assert_eq!(names, ["locks", "locks", "diamonds", "chain", "chain", "irrelevant", "loops", "bits"]);
    for curve in curves {
        let points = curve["points"].as_array().expect("a list of points");
        assert_eq!(points.len(), 2, "{curve}");
        assert!(points.iter().all(|point| point["verdict"] == "true"), "{curve}");
        assert!(curve["exponent"].is_number() && curve["factor_per_step"].is_number(), "{curve}");
    }
    let picture = std::fs::read_to_string(place.path("curves.svg")).expect("a picture");
    assert!(picture.contains("locks (blast)"), "{picture}");
    place.run("bench programs --growth --only bits --plot curves.svg").ends(2, &["curves.svg"]);
}

#[test]
fn a_family_is_shown_with_its_claim() {
    let ran = Place::new(&[]).run("bench programs --growth --sizes small --only locks --time 1ms");
    ran.ends(5, &["locks: locks taken and given back", "MISSED (exponent at most 2)", ">0.001 s"]);
    Place::new(&[]).run("bench programs").ends(1, &["--growth"]);
    Place::new(&[]).run("bench programs --growth --only nothing").ends(1, &["diamonds", "chain"]);
}

/// Figure 8 takes the same time in all sizes, so it is quick.
#[test]
fn figures_of_learning_are_measured_side_by_side() {
    let place = Place::new(&[]);
    let json = place.run("bench learning --only figure-8 --sizes small --time 20s --json").json();
    let curves = json["growth"].as_array().expect("a list of curves");
    let engines: Vec<&str> = curves.iter().filter_map(|curve| curve["engine"].as_str()).collect();
    assert_eq!(engines, ["learn", "learn", "predicate", "blast"], "{json}");
    for curve in &curves[..2] {
        let points = curve["points"].as_array().expect("a list of points");
        assert!(
            points
                .iter()
                .all(|point| point["verdict"] == "true" && point["states"].as_u64().is_some_and(|states| states < 20)),
            "{curve}"
        );
    }
    place.run("bench learning --only nothing").ends(1, &["figure-5", "figure-9"]);
}
