//! What grows with what: the programs of the thesis in several sizes.

use super::programs;
use crate::growth::{Claim, Clock, Counts, Curve, LINEAR};
use crate::measure::USUAL;
use tamis_refiners::bdd::Heuristic;

const BITS: &[u32] = &[4, 8, 16, 32, 48, 64];
const CELLS: &[u32] = &[7, 13, 24, 40, 64];
const CHAIN: &[u32] = &[100, 300, 1000, 3000, 10_000];
const WIDTHS: &[u32] = &[2, 3, 4, 5, 6];

/// All curves.
pub const CURVES: &[Curve] = &[
    Curve {
        name: "loop-invariant",
        about: "figure 6.3, weakest, by bits",
        language: "rem",
        sizes: BITS,
        source: programs::loop_invariant,
        engine: "pushdown-cegar",
        heuristic: Heuristic::Weakest,
        options: &[],
        passes: USUAL,
        clock: Clock::Engine,
        claim: Claim::Power(2.0),
        counts: Counts::Constant,
    },
    Curve {
        name: "conciliated",
        about: "figure 6.5, 3 bits, conciliated, by cells of the array, time of refinement",
        language: "rem",
        sizes: CELLS,
        source: |cells| programs::conciliated(3, cells),
        engine: "pushdown-cegar",
        heuristic: Heuristic::Conciliated,
        options: &[],
        passes: USUAL,
        clock: Clock::Loop,
        claim: Claim::Flat(1.2),
        counts: Counts::Constant,
    },
    Curve {
        name: "conciliated",
        about: "figure 6.5, 6 bits, so that an index reaches all cells",
        language: "rem",
        sizes: CELLS,
        source: |cells| programs::conciliated(6, cells),
        engine: "pushdown-cegar",
        heuristic: Heuristic::Conciliated,
        options: &[],
        passes: USUAL,
        clock: Clock::Loop,
        claim: Claim::Flat(1.2),
        counts: Counts::Constant,
    },
    Curve {
        name: "chain",
        about: "procedures that call the next one twice, without abstraction, by number",
        language: "rem",
        sizes: CHAIN,
        source: programs::chain,
        engine: "pushdown",
        heuristic: Heuristic::Combined,
        options: &[],
        passes: USUAL,
        clock: Clock::Engine,
        claim: Claim::Power(LINEAR),
        counts: Counts::Constant,
    },
    Curve {
        name: "chain",
        about: "procedures that call the next one twice, with abstraction, by number",
        language: "rem",
        sizes: CHAIN,
        source: programs::chain,
        engine: "pushdown-cegar",
        heuristic: Heuristic::Combined,
        options: &[],
        passes: USUAL,
        clock: Clock::Engine,
        claim: Claim::Power(LINEAR),
        counts: Counts::Constant,
    },
    Curve {
        name: "bubble-sort",
        about: "figure 6.1, strongest, by bits of the elements",
        language: "rem",
        sizes: WIDTHS,
        source: |bits| programs::bubble_sort(4, bits),
        engine: "pushdown-cegar",
        heuristic: Heuristic::Strongest,
        options: &[],
        passes: USUAL,
        clock: Clock::Engine,
        claim: Claim::Counts,
        counts: Counts::Constant,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_have_at_least_five_sizes() {
        assert!(CURVES.iter().all(|curve| curve.sizes.len() >= 5));
    }
}
