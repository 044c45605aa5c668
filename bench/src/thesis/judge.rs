//! What the thesis prints, and whether ours is at the same level.

use crate::measure::Measured;

/// What the thesis prints about a heuristic on a program.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// The line of the table of printed results: its source, and how its strategy begins.
    pub line: (&'static str, &'static str),
    /// Rounds of refinement, predicates at any place, time: as printed.
    pub cells: [&'static str; 3],
}

/// A printed line.
#[must_use]
pub const fn printed(source: &'static str, strategy: &'static str, cells: [&'static str; 3]) -> Printed {
    Printed { line: (source, strategy), cells }
}

/// How a run compares with what is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// At most what is printed, and more than half of it.
    Held,
    /// At most half of the printed rounds or predicates: something else than the thesis's method is
    /// measured.
    Better,
    /// More rounds or more predicates.
    Worse,
    /// No accepted proof.
    Unsettled,
}

impl Outcome {
    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Held => "held",
            Outcome::Better => "better",
            Outcome::Worse => "worse",
            Outcome::Unsettled => "unsettled",
        }
    }
}

impl Printed {
    /// The printed rounds and predicates, where they are numbers; `n` is the thesis's number of bits.
    #[must_use]
    pub fn numbers(&self, n: u32) -> [Option<u64>; 2] {
        [self.cells[0], self.cells[1]].map(|cell| match cell.trim_start_matches('~') {
            "2^n" => Some(1 << n),
            "2^(n+1)" => Some(1 << (n + 1)),
            number => number.parse().ok(),
        })
    }

    /// How a run compares.
    #[must_use]
    pub fn judge(&self, n: u32, measured: &Measured) -> Outcome {
        let counted = &measured.statistics;
        let ours = [counted.rounds, counted.predicates];
        let pairs = || self.numbers(n).into_iter().zip(ours).filter_map(|(printed, ours)| Some((printed?, ours)));
        if !measured.safe {
            Outcome::Unsettled
        } else if pairs().any(|(printed, ours)| ours > printed) {
            Outcome::Worse
        } else if pairs().any(|(printed, ours)| 2 * ours <= printed) {
            Outcome::Better
        } else {
            Outcome::Held
        }
    }
}
