//! The laws of IC3 on random circuits, by enumeration of all states: frames grow, each holds in what so
//! many steps reach, clauses are inductive relative to the frame before, and all states of a lifted cube
//! lead on. What breaks generalisation or lifting breaks these.

use super::cube::{Bit, Cube};
use super::*;
use crate::netlist::random::{INPUTS, LATCHES, after, circuit, distance, further, valuation};
use std::collections::BTreeSet;
use tamis_solver::StopSignal;

fn is_in(cube: &Cube, state: u32) -> bool {
    cube.bits().iter().all(|bit| (state >> bit.latch() & 1 == 1) == bit.value())
}

/// The states of a frame.
fn frame(blocked: &[Vec<Cube>], number: usize) -> BTreeSet<u32> {
    if number == 0 {
        return BTreeSet::from([0]);
    }
    (0..1 << LATCHES).filter(|state| !blocked[number..].iter().flatten().any(|cube| is_in(cube, *state))).collect()
}

/// Which law frames break, if they break one.
fn broken(netlist: &Netlist, blocked: &[Vec<Cube>]) -> Option<&'static str> {
    let mut reached = BTreeSet::from([0]);
    for number in 1..blocked.len() {
        let (before, now) = (frame(blocked, number - 1), frame(blocked, number));
        if !before.is_subset(&now) {
            return Some("frames grow");
        }
        reached = further(netlist, &reached);
        if !reached.is_subset(&now) {
            return Some("a frame holds in what is reached");
        }
        if before.iter().any(|state| !after(netlist, *state).is_subset(&now)) {
            return Some("clauses are inductive relative to the frame before");
        }
    }
    None
}

fn configurations() -> impl Iterator<Item = Config> {
    (0..8).map(|bits| Config {
        drop: bits & 1 == 0,
        ctg: bits & 2 == 0,
        lift: bits & 4 == 0,
        reuse: bits < 4,
        equal: false,
    })
}

#[test]
fn frames_obey_the_laws_and_answers_are_right() {
    let (mut safe, mut errors, mut caught) = (0, 0, 0);
    for seed in 0..150 {
        let netlist = circuit(seed);
        let expected = distance(&netlist);
        for config in configurations() {
            let plan = Plan::new(&netlist.aig, netlist.roots());
            let frames = Frames::new(&netlist, &plan, config, StopSignal::never(), usize::MAX);
            let (lifter, obligations) = (Lifter::new(&netlist), Obligations::default());
            let mut search = Search { netlist: &netlist, frames, lifter, obligations };
            let found = search.run(&mut Context::default()).unwrap();
            let blocked = &search.frames.blocked;
            assert_eq!(broken(&netlist, blocked), None, "seed {seed}, {config:?}");
            match found {
                Found::Invariant(_) => {
                    assert_eq!(expected, None, "seed {seed}");
                    safe += 1;
                }
                Found::Run(_, frames) => {
                    let steps = expected.expect("an error");
                    assert!(frames.len() > steps, "seed {seed}: no run is shorter");
                    errors += 1;
                }
            }
            caught += damaged(&netlist, blocked);
        }
    }
    assert!(safe > 20 && errors > 20, "both are there: {safe} and {errors}");
    assert!(caught > 20, "a literal too few is noticed: {caught}");
}

/// In how many of the blocked cubes a bit can be dropped so that a law is broken: what a generalisation
/// does that asks nobody.
fn damaged(netlist: &Netlist, blocked: &[Vec<Cube>]) -> usize {
    let mut caught = 0;
    for (number, cubes) in blocked.iter().enumerate().skip(1) {
        for (at, cube) in cubes.iter().enumerate().filter(|(_, cube)| cube.len() > 1) {
            let mut other = blocked.to_vec();
            other[number][at] = cube.without(cube.bits()[0]);
            caught += usize::from(broken(netlist, &other).is_some());
        }
    }
    caught
}

#[test]
fn all_states_of_a_lifted_cube_lead_on() {
    let (mut smaller, mut caught) = (0, 0);
    for seed in 0..200 {
        let netlist = circuit(seed);
        let mut lifter = Lifter::new(&netlist);
        for (state, inputs) in (0..1 << LATCHES).flat_map(|state| (0..1 << INPUTS).map(move |inputs| (state, inputs))) {
            let now = valuation(&netlist, state, inputs);
            let roots = [netlist.bad, netlist.constraint];
            if !roots.iter().all(|root| now.holds(*root)) {
                continue;
            }
            let cube = lifter.lift(&roots, |signal| now.holds(signal), false);
            let leads_on = |cube: &Cube| {
                (0..1 << LATCHES).filter(|state| is_in(cube, *state)).all(|state| {
                    let now = valuation(&netlist, state, inputs);
                    roots.iter().all(|root| now.holds(*root))
                })
            };
            assert!(is_in(&cube, state) && leads_on(&cube), "seed {seed}");
            smaller += usize::from(cube.len() < LATCHES);
            caught += cube.bits().iter().filter(|bit| !leads_on(&cube.without(**bit))).count();
        }
    }
    assert!(smaller > 20 && caught > 20, "it matters: {smaller} and {caught}");
}

#[test]
fn a_cube_is_kept_apart_from_initial_states() {
    let netlist = circuit(1);
    let plan = Plan::new(&netlist.aig, netlist.roots());
    let mut frames = Frames::new(&netlist, &plan, Config::default(), StopSignal::never(), usize::MAX);
    let large = Cube::new(vec![Bit::new(0, false), Bit::new(1, true), Bit::new(2, false)]);
    assert_eq!(frames.is_initial(&large), Ok(false));
    let small = frames.apart(vec![Bit::new(2, false)], &large).unwrap();
    assert_eq!(small.bits(), [Bit::new(1, true), Bit::new(2, false)]);
    assert_eq!(frames.is_initial(&Cube::new(vec![Bit::new(2, false)])), Ok(true));
}
