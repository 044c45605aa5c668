//! The table: what each heuristic needs on each program, beside what the thesis prints.

use super::speed::Comparison;
use super::{bytecode, programs};
use crate::measure::{Measured, Question, Settings, measure};
use tamis_refiners::bdd::Heuristic;

/// An experiment of the thesis.
#[derive(Debug)]
pub struct Experiment {
    /// Its name on the command line.
    pub name: &'static str,
    /// The program, as a phrase.
    pub about: &'static str,
    /// The program in the size of the thesis.
    pub source: fn() -> String,
    /// What was measured; the last row has the heuristic that is compared with no abstraction.
    pub rows: &'static [Row],
    /// What the thesis says about the time without abstraction.
    pub unabstracted: &'static str,
}

/// A heuristic on a program.
#[derive(Debug)]
pub struct Row {
    /// The name of the heuristic.
    pub name: &'static str,
    /// The heuristic.
    pub heuristic: Heuristic,
    /// What the thesis prints: rounds, predicates, time.
    pub printed: [&'static str; 3],
    /// What ours must be within.
    pub band: Option<Band>,
}

/// How many rounds, and how many predicates in the largest list, there may be.
#[derive(Clone, Copy, Debug)]
pub struct Band {
    /// Refinements.
    pub rounds: u64,
    /// Predicates at any place, if they are judged.
    pub predicates: Option<u64>,
}

impl Band {
    /// Whether a run is safe, its proof was accepted, and it is within the band.
    #[must_use]
    pub fn holds(&self, measured: &Measured) -> bool {
        measured.safe && self.counts(measured)
    }

    /// Whether rounds and predicates are within the band, whatever the verdict.
    #[must_use]
    pub fn counts(&self, measured: &Measured) -> bool {
        let counted = &measured.statistics;
        counted.rounds <= self.rounds && self.predicates.is_none_or(|most| counted.predicates <= most)
    }
}

const fn band(rounds: u64, predicates: u64) -> Band {
    Band { rounds, predicates: Some(predicates) }
}

const fn rounds(rounds: u64) -> Band {
    Band { rounds, predicates: None }
}

/// All experiments, in the order of the thesis.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "bubble-sort",
        about: "figure 6.1: bubble sort, 4 elements of 5 bits",
        source: || programs::bubble_sort(4, 5),
        rows: &[
            Row {
                name: "weakest",
                heuristic: Heuristic::Weakest,
                printed: ["55", "113", "15 s"],
                band: Some(band(55, 113)),
            },
            Row { name: "both", heuristic: Heuristic::Both, printed: ["8", "34", "0.8 s"], band: Some(band(9, 51)) },
            Row {
                name: "strongest",
                heuristic: Heuristic::Strongest,
                printed: ["13", "12", "0.15 s"],
                band: Some(band(15, 14)),
            },
        ],
        unabstracted: "best",
    },
    Experiment {
        name: "loop-invariant",
        about: "figure 6.3: the sum of two counters, 6 bits",
        source: || programs::loop_invariant(6),
        rows: &[
            Row { name: "strongest", heuristic: Heuristic::Strongest, printed: ["~2^7", "2^6", "8 s"], band: None },
            Row { name: "both", heuristic: Heuristic::Both, printed: ["2", "3", "~0 s"], band: Some(band(2, 3)) },
            Row { name: "weakest", heuristic: Heuristic::Weakest, printed: ["2", "1", "~0 s"], band: Some(band(2, 1)) },
        ],
        unabstracted: "quick",
    },
    Experiment {
        name: "conciliated",
        about: "figure 6.5: two equal variables beside an array of 7 cells, 3 bits",
        source: || programs::conciliated(3, 7),
        rows: &[
            Row {
                name: "weakest",
                heuristic: Heuristic::Weakest,
                printed: ["5", "11", "3.8 s"],
                band: Some(rounds(5)),
            },
            Row {
                name: "conciliated",
                heuristic: Heuristic::Conciliated,
                printed: ["3", "6", "0.1 s"],
                band: Some(band(3, 6)),
            },
        ],
        unabstracted: "10 s",
    },
    Experiment {
        name: "irrelevant-procedure",
        about: "figure 6.7: a complicated procedure that does not matter, 3 bits",
        source: || programs::irrelevant_procedure(3),
        rows: &[Row { name: "skip", heuristic: Heuristic::Skip, printed: ["1", "-", "-"], band: Some(rounds(1)) }],
        unabstracted: "-",
    },
    Experiment {
        name: "quicksort",
        about: "figure 6.9: quicksort around a procedure that matters, 4 elements of 2 bits",
        source: || programs::quicksort(4, 2),
        rows: &[
            Row { name: "skip", heuristic: Heuristic::Skip, printed: ["4", "9", "3.5 s"], band: Some(band(4, 9)) },
            Row {
                name: "combined",
                heuristic: Heuristic::Combined,
                printed: ["1", "3", "0.1 s"],
                band: Some(band(1, 3)),
            },
        ],
        unabstracted: "1.7 s",
    },
    Experiment {
        name: "primality",
        about: "figure 6.11: a test of primality, 4 bits",
        source: || programs::primality(4, 5, 9),
        rows: &[Row {
            name: "weakest",
            heuristic: Heuristic::Weakest,
            printed: ["3", "2", "0.5 s"],
            band: Some(band(3, 2)),
        }],
        unabstracted: "9 s",
    },
    Experiment {
        name: "primality-bytecode",
        about: "figure 6.11 from bytecode, 4 bits",
        source: || bytecode::primality(4, 5, 9),
        rows: &[Row {
            name: "weakest",
            heuristic: Heuristic::Weakest,
            printed: ["3", "2", "0.5 s"],
            band: Some(band(3, 2)),
        }],
        unabstracted: "9 s",
    },
];

/// The experiment of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.name == name)
}

/// What an experiment came to.
#[derive(Debug)]
pub struct Found {
    /// The experiment.
    pub experiment: &'static Experiment,
    /// By row.
    pub rows: Vec<Measured>,
    /// With and without abstraction.
    pub comparison: Comparison,
}

impl Found {
    /// Whether every row that has a band is within it.
    #[must_use]
    pub fn holds(&self) -> bool {
        let mut pairs = self.experiment.rows.iter().zip(&self.rows);
        pairs.all(|(row, measured)| row.band.is_none_or(|band| band.holds(measured)))
    }
}

impl Experiment {
    /// Runs it.
    #[must_use]
    pub fn run(&'static self, settings: &Settings) -> Found {
        let source = (self.source)();
        let run = |row: &Row| measure(settings, Question::remopla(&source, "pushdown-cegar", row.heuristic));
        let rows: Vec<Measured> = self.rows.iter().map(run).collect();
        let last = self.rows.last().map_or(Heuristic::Combined, |row| row.heuristic);
        let cegar = rows
            .last()
            .cloned()
            .unwrap_or_else(|| measure(settings, Question::remopla(&source, "pushdown-cegar", last)));
        Found { experiment: self, rows, comparison: Comparison::with(settings, &source, last, cegar) }
    }
}
