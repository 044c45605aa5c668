//! What grows with what: the same program in several sizes, and a line through the points.
//!
//! A time that grows like a power of the size is a straight line in logarithms; the slope is
//! the exponent (least squares).

use super::measure::{Measured, Settings, measure_often};
use super::programs;
use std::time::Duration;
use tamis_refiners::bdd::Heuristic;

/// How often what takes milliseconds is repeated.
const REPEATS: usize = 15;

/// A program that grows.
#[derive(Debug)]
pub struct Curve {
    /// Its name on the command line.
    pub name: &'static str,
    /// What grows, as a phrase.
    pub about: &'static str,
    /// The sizes.
    pub sizes: &'static [u32],
    /// The program of a size.
    pub source: fn(u32) -> String,
    /// The engine.
    pub engine: &'static str,
    /// Which interpolants become predicates.
    pub heuristic: Heuristic,
    /// Which time is meant.
    pub clock: Clock,
    /// What must hold.
    pub claim: Claim,
}

/// Which time of a run is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Passes and engine.
    Engine,
    /// Exploring abstractions and examining suspects, without setting up the relations.
    Loop,
}

/// What is claimed about a curve. Rounds and predicates must not grow in any case.
#[derive(Clone, Copy, Debug)]
pub enum Claim {
    /// The time grows at most like this power of the size.
    Power(f64),
    /// The time at the largest size is at most this multiple of that at the smallest.
    Flat(f64),
    /// Nothing about time.
    Counts,
}

const BITS: &[u32] = &[4, 8, 16, 32, 48, 64];
const CELLS: &[u32] = &[7, 13, 24, 40, 64];
const CHAIN: &[u32] = &[100, 300, 1000, 3000, 10_000];
const WIDTHS: &[u32] = &[2, 3, 4, 5, 6];

/// All curves.
pub const CURVES: &[Curve] = &[
    Curve {
        name: "loop-invariant",
        about: "figure 6.3, weakest, by bits",
        sizes: BITS,
        source: programs::loop_invariant,
        engine: "pushdown-cegar",
        heuristic: Heuristic::Weakest,
        clock: Clock::Engine,
        claim: Claim::Power(2.0),
    },
    Curve {
        name: "conciliated",
        about: "figure 6.5, 3 bits, conciliated, by cells of the array, time of refinement",
        sizes: CELLS,
        source: |cells| programs::conciliated(3, cells),
        engine: "pushdown-cegar",
        heuristic: Heuristic::Conciliated,
        clock: Clock::Loop,
        claim: Claim::Flat(1.2),
    },
    Curve {
        name: "conciliated",
        about: "figure 6.5, 6 bits, so that an index reaches all cells",
        sizes: CELLS,
        source: |cells| programs::conciliated(6, cells),
        engine: "pushdown-cegar",
        heuristic: Heuristic::Conciliated,
        clock: Clock::Loop,
        claim: Claim::Flat(1.2),
    },
    Curve {
        name: "chain",
        about: "procedures that call the next one twice, without abstraction, by number",
        sizes: CHAIN,
        source: programs::chain,
        engine: "pushdown",
        heuristic: Heuristic::Combined,
        clock: Clock::Engine,
        claim: Claim::Power(LINEAR),
    },
    Curve {
        name: "chain",
        about: "procedures that call the next one twice, with abstraction, by number",
        sizes: CHAIN,
        source: programs::chain,
        engine: "pushdown-cegar",
        heuristic: Heuristic::Combined,
        clock: Clock::Engine,
        claim: Claim::Power(LINEAR),
    },
    Curve {
        name: "bubble-sort",
        about: "figure 6.1, strongest, by bits of the elements",
        sizes: WIDTHS,
        source: |bits| programs::bubble_sort(4, bits),
        engine: "pushdown-cegar",
        heuristic: Heuristic::Strongest,
        clock: Clock::Engine,
        claim: Claim::Counts,
    },
];

/// A measured exponent of something linear: caches alone make it a little more than one.
const LINEAR: f64 = 1.15;

/// A curve, measured.
#[derive(Debug)]
pub struct Grown {
    /// Which.
    pub curve: &'static Curve,
    /// The sizes with their runs.
    pub points: Vec<(u32, Measured)>,
}

impl Curve {
    /// Measures it. It ends early where a size is not answered.
    #[must_use]
    pub fn run(&'static self, settings: &Settings) -> Grown {
        let mut points = Vec::new();
        for size in self.sizes {
            let source = (self.source)(*size);
            let measured = measure_often(settings, &source, self.engine, self.heuristic, REPEATS);
            let goes_on = measured.finished();
            points.push((*size, measured));
            if !goes_on {
                break;
            }
        }
        Grown { curve: self, points }
    }

    /// The time that is meant.
    #[must_use]
    pub fn time(&self, measured: &Measured) -> Duration {
        match self.clock {
            Clock::Engine => measured.time,
            Clock::Loop => measured.loop_time,
        }
    }
}

impl Grown {
    /// The exponent of the time, if there are points to fit.
    #[must_use]
    pub fn exponent(&self) -> Option<f64> {
        let answered = self.points.iter().filter(|(_, measured)| measured.finished());
        let points = answered.map(|(size, measured)| (f64::from(*size), self.curve.time(measured).as_secs_f64()));
        exponent(&points.collect::<Vec<_>>())
    }

    /// The time at the last size by that at the first.
    #[must_use]
    pub fn factor(&self) -> Option<f64> {
        let time = |point: &(u32, Measured)| self.curve.time(&point.1).as_secs_f64();
        let (first, last) = (self.points.first().map(time)?, self.points.last().map(time)?);
        (first > 0.0).then(|| last / first)
    }

    /// Whether rounds and predicates are the same in all sizes.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        let counts = |measured: &Measured| (measured.statistics.rounds, measured.statistics.predicates);
        self.points.windows(2).all(|pair| counts(&pair[0].1) == counts(&pair[1].1))
    }

    /// Whether every size was answered and the claim holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        let answered = self.points.len() == self.curve.sizes.len() && self.points.iter().all(|(_, run)| run.finished());
        let claim = match self.curve.claim {
            Claim::Power(most) => self.exponent().is_some_and(|found| found <= most),
            Claim::Flat(most) => self.factor().is_some_and(|found| found <= most),
            Claim::Counts => true,
        };
        answered && self.is_constant() && claim
    }
}

/// The slope of the line through the logarithms of the points.
fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    #[expect(clippy::cast_precision_loss, reason = "there are few points")]
    let count = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / count, logs.iter().map(|p| p.1).sum::<f64>() / count);
    let spread: f64 = logs.iter().map(|(x, _)| (x - mx).powi(2)).sum();
    (spread > 0.0).then(|| logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_is_found() {
        let cubes: Vec<(f64, f64)> = [1.0_f64, 2.0, 4.0, 9.0].map(|x| (x, 5.0 * x.powi(3))).to_vec();
        assert!(exponent(&cubes).is_some_and(|found| (found - 3.0).abs() < 1e-9));
        assert_eq!(exponent(&[(2.0, 1.0)]), None);
        assert_eq!(exponent(&[]), None);
    }

    #[test]
    fn curves_have_at_least_five_sizes() {
        assert!(CURVES.iter().all(|curve| curve.sizes.len() >= 5));
    }
}
