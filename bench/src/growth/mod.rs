//! One program in several sizes: what grows with the size, and how fast.
//!
//! Suites list their curves in tables; here they are measured and judged, the line is [`fit`]'s.
//! [`text`], [`json`] and [`plot`] show them.

pub mod json;
pub mod plot;
pub mod text;

use crate::fit;
use crate::measure::{Measured, Question, Settings, measure_often};
use std::time::Duration;
use tamis_ir::passes::Pass;
use tamis_refiners::bdd::Heuristic;

/// How often what takes milliseconds is repeated.
const REPEATS: usize = 15;

/// A measured exponent of something linear: caches alone make it a little more than one.
pub const LINEAR: f64 = 1.15;

/// How many sizes must be answered before growth by a factor is told from anything else.
const ENOUGH: usize = 3;

/// How many sizes a quick look has.
const FEW: usize = 2;

/// A program that grows.
#[derive(Debug)]
pub struct Curve {
    /// Its name on the command line.
    pub name: &'static str,
    /// What grows, as a phrase.
    pub about: &'static str,
    /// The ending of files in the program's language.
    pub language: &'static str,
    /// The sizes.
    pub sizes: &'static [u32],
    /// The program of a size.
    pub source: fn(u32) -> String,
    /// The engine.
    pub engine: &'static str,
    /// Which interpolants become predicates.
    pub heuristic: Heuristic,
    /// What else is chosen about the engine, by name.
    pub options: &'static [(&'static str, &'static str)],
    /// What is done with the program before.
    pub passes: &'static [&'static Pass],
    /// Which time is meant.
    pub clock: Clock,
    /// What must hold.
    pub claim: Claim,
    /// What must hold of rounds and predicates.
    pub counts: Counts,
}

/// Which time of a run is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Passes and engine.
    Engine,
    /// Exploring abstractions and examining counterexamples, without setting up the relations.
    Loop,
    /// Examining counterexamples alone.
    Refinement,
    /// Passes, engine, and the check of the proof.
    Checked,
}

/// What is claimed about the time of a curve.
#[derive(Clone, Copy, Debug)]
pub enum Claim {
    /// It grows at most like this power of the size.
    Power(f64),
    /// At the largest size it is at most this multiple of that at the smallest.
    Flat(f64),
    /// It grows at least by this factor with every step, until the limit of time ends the curve.
    Factor(f64),
    /// Nothing.
    Counts,
}

/// What is claimed about rounds and predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// They are the same in all sizes.
    Constant,
    /// Nothing.
    Free,
}

/// How much of a curve is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All sizes, quick ones repeatedly.
    Full,
    /// The smallest sizes, once.
    Small,
}

/// A curve, measured.
#[derive(Debug)]
pub struct Grown {
    /// Which.
    pub curve: &'static Curve,
    /// The sizes with their runs.
    pub points: Vec<(u32, Measured)>,
    /// How many sizes were to be measured.
    pub asked: usize,
}

impl Curve {
    /// Measures it. It ends early where a size is not answered.
    #[must_use]
    pub fn run(&'static self, settings: &Settings, extent: Extent) -> Grown {
        let (sizes, repeats) = match extent {
            Extent::Full => (self.sizes, REPEATS),
            Extent::Small => (&self.sizes[..FEW.min(self.sizes.len())], 1),
        };
        let mut points = Vec::new();
        for size in sizes {
            let source = (self.source)(*size);
            let Curve { language, engine, heuristic, options, passes, .. } = *self;
            let question = Question { language, source: &source, engine, heuristic, options, passes };
            let measured = measure_often(settings, question, repeats);
            let goes_on = self.answers(&measured);
            points.push((*size, measured));
            if !goes_on {
                break;
            }
        }
        Grown { curve: self, points, asked: sizes.len() }
    }

    /// Whether a run came to an answer, so that its time counts.
    #[must_use]
    pub fn answers(&self, measured: &Measured) -> bool {
        match self.clock {
            Clock::Engine | Clock::Loop | Clock::Refinement => measured.finished(),
            Clock::Checked => measured.safe,
        }
    }

    /// The time that is meant.
    #[must_use]
    pub fn time(&self, measured: &Measured) -> Duration {
        match self.clock {
            Clock::Engine => measured.time,
            Clock::Loop => measured.loop_time,
            Clock::Refinement => measured.statistics.refinement,
            Clock::Checked => measured.time + measured.check,
        }
    }
}

impl Grown {
    /// The sizes that were answered, with their times in seconds.
    #[must_use]
    pub fn answered(&self) -> Vec<(f64, f64)> {
        let answered = self.points.iter().filter(|(_, measured)| self.curve.answers(measured));
        answered.map(|(size, measured)| (f64::from(*size), self.curve.time(measured).as_secs_f64())).collect()
    }

    /// The exponent of the time, if there are points to fit.
    #[must_use]
    pub fn exponent(&self) -> Option<f64> {
        fit::exponent(&self.answered())
    }

    /// The exponent of the time in the upper half of the sizes, where what takes the same time
    /// in all sizes no longer matters.
    #[must_use]
    pub fn upper_exponent(&self) -> Option<f64> {
        let points = self.answered();
        fit::exponent(&points[points.len() / 2..])
    }

    /// The factor of the time from one size to the next, if there are points to fit.
    #[must_use]
    pub fn step_factor(&self) -> Option<f64> {
        fit::factor(&self.answered())
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

    /// Whether enough sizes were answered and the claims hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        let answered = self.answered().len();
        let all = answered == self.asked;
        let claim = match self.curve.claim {
            Claim::Power(most) => all && self.exponent().is_some_and(|found| found <= most),
            Claim::Flat(most) => all && self.factor().is_some_and(|found| found <= most),
            // Only the limit of time may end it early, and not before its growth shows.
            Claim::Factor(least) => {
                let late = self.points.last().is_some_and(|(_, run)| run.late || run.unchecked);
                let shown = answered >= ENOUGH.min(self.asked);
                (all || late && shown) && self.step_factor().is_some_and(|found| found >= least)
            }
            Claim::Counts => all,
        };
        let counts = match self.curve.counts {
            Counts::Constant => self.is_constant(),
            Counts::Free => true,
        };
        claim && counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::USUAL;
    use tamis_cegar::Statistics;

    fn curve(claim: Claim) -> &'static Curve {
        Box::leak(Box::new(Curve {
            name: "test",
            about: "nothing",
            language: "c",
            sizes: &[1, 2, 3, 4, 5],
            source: |_| String::new(),
            engine: "auto",
            heuristic: Heuristic::Combined,
            options: &[],
            passes: USUAL,
            clock: Clock::Checked,
            claim,
            counts: Counts::Free,
        }))
    }

    /// A curve with these times in milliseconds; the last run is late if there are fewer than sizes.
    fn grown(claim: Claim, times: &[u64]) -> Grown {
        let run = |at: usize| Measured {
            verdict: "true".into(),
            safe: times.len() == 5 || at + 1 < times.len(),
            late: times.len() < 5 && at + 1 == times.len(),
            unchecked: false,
            statistics: Statistics::default(),
            time: Duration::from_millis(times[at]),
            check: Duration::ZERO,
            loop_time: Duration::ZERO,
        };
        let curve = curve(claim);
        let points = curve.sizes.iter().copied().zip((0..times.len()).map(run)).collect();
        Grown { curve, points, asked: 5 }
    }

    #[test]
    fn claims_are_judged() {
        for (claim, times, holds) in [
            (Claim::Power(2.0), &[1_u64, 4, 9, 16, 25][..], true),
            (Claim::Power(1.15), &[1, 4, 9, 16, 25], false),
            (Claim::Power(2.0), &[1, 4, 9, 16], false),
            (Claim::Flat(1.2), &[10, 11, 12, 11, 10], true),
            (Claim::Flat(1.2), &[10, 11, 12, 13, 14], false),
            (Claim::Factor(1.5), &[1, 2, 4, 8, 16], true),
            (Claim::Factor(1.5), &[1, 2, 4, 8], true),
            (Claim::Factor(1.5), &[1, 2, 4], false),
            (Claim::Factor(1.5), &[10, 11, 12, 13, 14], false),
            (Claim::Counts, &[1, 1, 1, 1, 1], true),
            (Claim::Counts, &[1, 1, 1], false),
        ] {
            assert_eq!(grown(claim, times).holds(), holds, "{claim:?} of {times:?}");
        }
    }
}
