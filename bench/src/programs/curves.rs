//! Which family is measured with which engine, and what must hold.

use super::families;
use crate::growth::{Claim, Clock, Counts, Curve, LINEAR};
use crate::measure::USUAL;
use tamis_ir::passes::PRUNE;
use tamis_refiners::bdd::Heuristic;

const LOCKS: &[u32] = &[5, 10, 20, 40, 70, 100];
const FEW_LOCKS: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8];
const DIAMONDS: &[u32] = &[10, 30, 100, 300, 1000];
const CHAIN: &[u32] = &[10, 20, 50, 100, 200];
const OTHERS: &[u32] = &[1, 5, 20, 50, 100, 200, 500];
const LOOPS: &[u32] = &[10, 30, 100, 300, 1000];
const WIDTHS: &[u32] = &[8, 16, 32, 64];

/// What all curves have in common: times are those of a checked verdict, whatever is counted.
const fn curve(name: &'static str, about: &'static str, source: fn(u32) -> String) -> Curve {
    Curve {
        name,
        about,
        language: "c",
        sizes: &[],
        source,
        engine: "predicate",
        heuristic: Heuristic::Combined,
        options: &[],
        passes: USUAL,
        clock: Clock::Checked,
        claim: Claim::Counts,
        counts: Counts::Free,
    }
}

const BY_LOCKS: Curve = curve("locks", "locks taken and given back in a loop, by number", families::locks);
const BY_CALLS: Curve = curve("chain", "procedures that call the next one twice, by number", families::chain);

/// All curves.
pub const CURVES: &[Curve] = &[
    Curve { sizes: LOCKS, claim: Claim::Power(2.0), ..BY_LOCKS },
    Curve { sizes: FEW_LOCKS, engine: "blast", claim: Claim::Factor(1.5), ..BY_LOCKS },
    Curve {
        sizes: DIAMONDS,
        claim: Claim::Power(LINEAR),
        ..curve("diamonds", "branches that join again, by number", families::diamonds)
    },
    Curve { sizes: CHAIN, engine: "boolean", claim: Claim::Power(LINEAR), ..BY_CALLS },
    Curve { sizes: CHAIN, engine: "auto", claim: Claim::Power(LINEAR), ..BY_CALLS },
    Curve {
        sizes: OTHERS,
        passes: &[&PRUNE],
        clock: Clock::Refinement,
        claim: Claim::Power(0.2),
        ..curve(
            "irrelevant",
            "functions with loops behind the property, by number, without slicing",
            families::irrelevant,
        )
    },
    Curve {
        sizes: LOOPS,
        claim: Claim::Power(LINEAR),
        ..curve("loops", "loops one after the other, by number", families::loops)
    },
    Curve {
        sizes: WIDTHS,
        claim: Claim::Flat(1.5),
        ..curve("bits", "a loop whose invariant relates three words, by their width", families::loop_invariant)
    },
];

/// The names of the families.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = CURVES.iter().map(|curve| curve.name).collect();
    names.dedup();
    names
}
