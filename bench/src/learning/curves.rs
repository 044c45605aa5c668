//! Which figure is measured with which engine, and what must hold: what section 3 says of learning.

use super::families;
use crate::growth::{Claim, Clock, Counts, Curve, LINEAR};
use crate::measure::USUAL;
use tamis_refiners::bdd::Heuristic;

const BRANCHES: &[u32] = &[10, 30, 100, 300, 1000];
const ROUNDS: &[u32] = &[10, 100, 1000, 10_000, 100_000, 1_000_000];

/// As the seed does it.
const SINGLE: &[(&str, &str)] = &[("blocks", "single")];

/// The curves of a figure: learning in both block sizes, and those that it is compared with. In large
/// blocks a figure without loops is one question, about which the paper says nothing.
macro_rules! figure {
    ($name:literal, $about:literal, $source:path, $sizes:expr, $claim:expr) => {
        [
            curve($name, $about, $source, $sizes, "learn"),
            Curve { claim: $claim, options: SINGLE, ..curve($name, $about, $source, $sizes, "learn") },
            curve($name, $about, $source, $sizes, "predicate"),
            curve($name, $about, $source, $sizes, "blast"),
        ]
    };
}

const fn curve(
    name: &'static str,
    about: &'static str,
    source: fn(u32) -> String,
    sizes: &'static [u32],
    engine: &'static str,
) -> Curve {
    Curve {
        name,
        about,
        language: "cfa",
        sizes,
        source,
        engine,
        heuristic: Heuristic::Combined,
        options: &[],
        passes: USUAL,
        clock: Clock::Checked,
        claim: Claim::Counts,
        counts: Counts::Free,
    }
}

const FIGURES: [[Curve; 4]; 5] = [
    figure!("figure-5", "infeasible paths", families::infeasible, BRANCHES, Claim::Power(LINEAR)),
    figure!("figure-6", "what is learned on other paths", families::local, BRANCHES, Claim::Power(LINEAR)),
    figure!("figure-7", "states that are too coarse", families::coarse, BRANCHES, Claim::Power(LINEAR)),
    figure!("figure-8", "a loop invariant, by rounds", families::invariant, ROUNDS, Claim::Flat(2.0)),
    figure!("figure-9", "paths whose infeasibility does not matter", families::unnecessary, BRANCHES, Claim::Counts),
];

/// All curves.
pub static CURVES: &[Curve] = FIGURES.as_flattened();

/// The names of the figures.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = CURVES.iter().map(|curve| curve.name).collect();
    names.dedup();
    names
}
