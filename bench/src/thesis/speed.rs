//! With abstraction, without it, and both in a race.

use super::{bytecode, programs};
use crate::measure::{Measured, Question, Settings, measure};
use tamis_refiners::bdd::Heuristic;

/// A program in a size in which abstraction is said to pay.
#[derive(Debug)]
pub struct Case {
    /// The name of the experiment that it belongs to.
    pub name: &'static str,
    /// The program, as a phrase.
    pub about: &'static str,
    /// The program.
    pub source: fn() -> String,
    /// The heuristic that the thesis recommends for it.
    pub heuristic: Heuristic,
}

/// The programs of which the thesis says that abstraction pays, at 8 bits.
pub const CASES: &[Case] = &[
    Case {
        name: "conciliated",
        about: "figure 6.5, 8 bits, 7 cells, conciliated",
        source: || programs::conciliated(8, 7),
        heuristic: Heuristic::Conciliated,
    },
    Case {
        name: "quicksort",
        about: "figure 6.9, 8 bits, 4 elements, combined",
        source: || programs::quicksort(4, 8),
        heuristic: Heuristic::Combined,
    },
    Case {
        name: "primality",
        about: "figure 6.11, 8 bits, weakest",
        source: || programs::primality(8, 5, 9),
        heuristic: Heuristic::Weakest,
    },
    Case {
        name: "primality-bytecode",
        about: "figure 6.11 from bytecode, 8 bits, weakest",
        source: || bytecode::primality(8, 5, 9),
        heuristic: Heuristic::Weakest,
    },
];

/// The same program with and without abstraction.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// `pushdown`.
    pub none: Measured,
    /// `pushdown-cegar`.
    pub cegar: Measured,
    /// `portfolio`.
    pub portfolio: Measured,
}

/// A ratio of two times; where a run was stopped by its limit, only a bound is known.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// The ratio of the times, the limit standing for what was stopped.
    pub value: f64,
    /// Whether the true ratio is at least this.
    pub bound: bool,
}

impl Comparison {
    /// Runs the engines.
    #[must_use]
    pub fn new(settings: &Settings, source: &str, heuristic: Heuristic) -> Comparison {
        let cegar = measure(settings, Question::remopla(source, "pushdown-cegar", heuristic));
        Comparison::with(settings, source, heuristic, cegar)
    }

    /// Runs the other engines.
    #[must_use]
    pub fn with(settings: &Settings, source: &str, heuristic: Heuristic, cegar: Measured) -> Comparison {
        let none = measure(settings, Question::remopla(source, "pushdown", heuristic));
        let portfolio = measure(settings, Question::remopla(source, "portfolio", heuristic));
        Comparison { none, cegar, portfolio }
    }

    /// Whether abstraction was faster.
    #[must_use]
    pub fn abstraction_pays(&self) -> bool {
        // A run that came to nothing is not fast.
        self.cegar.finished() && (!self.none.finished() || self.cegar.time < self.none.time)
    }

    /// The better of both runs, and the other one.
    fn ranked(&self) -> (&Measured, &Measured) {
        if self.abstraction_pays() { (&self.cegar, &self.none) } else { (&self.none, &self.cegar) }
    }

    /// How much longer the worse run took.
    #[must_use]
    pub fn worse_by_better(&self) -> Ratio {
        let (better, worse) = self.ranked();
        ratio(worse, better)
    }

    /// How much longer than the better run the race took.
    #[must_use]
    pub fn portfolio_by_better(&self) -> Ratio {
        ratio(&self.portfolio, self.ranked().0)
    }
}

fn ratio(long: &Measured, short: &Measured) -> Ratio {
    let value = long.time.as_secs_f64() / short.time.as_secs_f64().max(1e-9);
    Ratio { value, bound: long.late }
}

impl Case {
    /// Runs it.
    #[must_use]
    pub fn run(&self, settings: &Settings) -> Comparison {
        Comparison::new(settings, &(self.source)(), self.heuristic)
    }
}
