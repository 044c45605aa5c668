//! The table: what each heuristic needs on each program, beside what the thesis prints.
//!
//! Every row is judged from both sides ([`Outcome`]) and says what must come out. Rows of single blocks
//! have the thesis's granularity, those of large ones ours.

use super::judge::{Outcome, Printed, printed};
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
    /// The bits of a variable.
    pub bits: u32,
    /// What was measured; the last row has the heuristic that is compared with no abstraction.
    pub rows: &'static [Row],
    /// What the thesis says about the time without abstraction.
    pub unabstracted: Printed,
}

/// A heuristic on a program.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The heuristic.
    pub heuristic: Heuristic,
    /// What else is chosen.
    pub options: &'static [(&'static str, &'static str)],
    /// What the thesis prints.
    pub printed: Printed,
    /// What must come out.
    pub expected: Outcome,
    /// Why, if that is not [`Outcome::Held`].
    pub why: &'static str,
}

impl Row {
    /// The heuristic, and what else is chosen.
    #[must_use]
    pub fn name(&self) -> String {
        let values = self.options.iter().map(|(_, value)| *value);
        std::iter::once(self.heuristic.name()).chain(values).collect::<Vec<_>>().join(", ")
    }
}

/// The thesis's granularity.
const SINGLE: &[(&str, &str)] = &[("blocks", "single")];

/// One counterexample after another, as where a rule that adds no abstract state is not recorded.
const THIN: &[(&str, &str)] = &[("witnesses", "thin")];

const BLOCKS: &str = "blocks: fewer places need fewer predicates";
const LIVE: &str = "only live variables are related, and callees only to what they change";
const TESTED_ABOVE: &str = "the inner loop can be left before its body is run; see bubble-sort-tested-below";
const GRAPH: &str = "thick graphs: a round refutes more ways at once";

const fn held(heuristic: Heuristic, options: &'static [(&'static str, &'static str)], printed: Printed) -> Row {
    Row { heuristic, options, printed, expected: Outcome::Held, why: "" }
}

const fn better(row: Row, why: &'static str) -> Row {
    Row { expected: Outcome::Better, why, ..row }
}

const fn worse(row: Row, why: &'static str) -> Row {
    Row { expected: Outcome::Worse, why, ..row }
}

const SORT: [Printed; 3] = [
    printed("Fig6.2", "weakest", ["55", "113", "15"]),
    printed("Fig6.2", "both", ["8", "34", "0.8"]),
    printed("Fig6.2", "strongest", ["13", "12", "0.15"]),
];
const UNSORTED: Printed = printed("Fig6.2-text", "no abstraction", ["n/a", "n/a", "NA"]);

const COUNTERS: [Printed; 3] = [
    printed("Ex6.2/Fig6.3", "strongest", ["~2^(n+1)", "2^n", "8"]),
    printed("Ex6.2/Fig6.3", "both", ["2", "3", "negligible"]),
    printed("Ex6.2/Fig6.3", "weakest", ["2", "1", "negligible"]),
];

const EQUAL: [Printed; 2] =
    [printed("Fig6.6", "weakest", ["5", "11", "3.8"]), printed("Fig6.6", "conciliated", ["3", "6", "0.1"])];
const EQUAL_WITHOUT_Z: Printed = printed("Fig6.6-text", "weakest or conciliated", ["3", "4", "<0.1"]);
const UNEQUAL: Printed = printed("Fig6.6", "no abstraction", ["n/a", "n/a", "10"]);

const SORTS: [Printed; 2] = [
    printed("Fig6.10", "assuming skip", ["4", "9", "3.5"]),
    printed("Fig6.10", "assuming skip + conciliated", ["1", "3", "0.1"]),
];

/// "Others similar", says the thesis.
const PRIME: Printed = printed("Sec6.6", "weakest", ["3", "2", "0.5"]);
const UNPRIME: Printed = printed("Sec6.6", "no abstraction", ["n/a", "n/a", "9"]);

/// Said in the text, and not in a table.
const NOT_PRINTED: Printed = printed("", "", ["-", "-", "-"]);
const ONE_ROUND: Printed = printed("", "", ["1", "-", "-"]);

use Heuristic::{Both, Combined, Conciliated, Skip, Strongest, Weakest};

/// All experiments, in the order of the thesis.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "bubble-sort",
        about: "figure 6.1: bubble sort, 4 elements of 5 bits",
        source: || programs::bubble_sort(4, 5),
        bits: 5,
        rows: &[
            held(Weakest, SINGLE, SORT[0]),
            worse(held(Both, SINGLE, SORT[1]), TESTED_ABOVE),
            worse(held(Strongest, SINGLE, SORT[2]), TESTED_ABOVE),
            held(Weakest, &[], SORT[0]),
            worse(held(Both, &[], SORT[1]), TESTED_ABOVE),
            worse(held(Strongest, &[], SORT[2]), TESTED_ABOVE),
        ],
        unabstracted: UNSORTED,
    },
    Experiment {
        name: "bubble-sort-tested-below",
        about: "the same, its inner loop tested behind its body",
        source: || programs::bubble_sort_tested_below(4, 5),
        bits: 5,
        rows: &[
            better(held(Weakest, SINGLE, SORT[0]), GRAPH),
            held(Both, SINGLE, SORT[1]),
            held(Strongest, SINGLE, SORT[2]),
            better(held(Weakest, &[], SORT[0]), GRAPH),
            held(Both, &[], SORT[1]),
            held(Strongest, &[], SORT[2]),
        ],
        unabstracted: UNSORTED,
    },
    Experiment {
        name: "loop-invariant",
        about: "figure 6.3: the sum of two counters, 6 bits",
        source: || programs::loop_invariant(6),
        bits: 6,
        rows: &[
            held(Strongest, THIN, COUNTERS[0]),
            better(held(Strongest, SINGLE, COUNTERS[0]), GRAPH),
            held(Both, SINGLE, COUNTERS[1]),
            held(Weakest, SINGLE, COUNTERS[2]),
            better(held(Strongest, &[], COUNTERS[0]), GRAPH),
            better(held(Both, &[], COUNTERS[1]), BLOCKS),
            better(held(Weakest, &[], COUNTERS[2]), BLOCKS),
        ],
        unabstracted: printed("Ex6.2/Fig6.3", "no abstraction", ["n/a", "n/a", "NA"]),
    },
    Experiment {
        name: "conciliated",
        about: "figure 6.5: two equal variables beside an array of 7 cells, 3 bits",
        source: || programs::conciliated(3, 7),
        bits: 3,
        rows: &[
            held(Weakest, SINGLE, EQUAL[0]),
            better(held(Conciliated, SINGLE, EQUAL[1]), LIVE),
            better(held(Weakest, &[], EQUAL[0]), BLOCKS),
            better(held(Conciliated, &[], EQUAL[1]), BLOCKS),
        ],
        unabstracted: UNEQUAL,
    },
    Experiment {
        name: "conciliated-without-z",
        about: "the same without the assignment that does not matter",
        source: || programs::conciliated_without_z(3, 7),
        bits: 3,
        rows: &[
            better(held(Weakest, SINGLE, EQUAL_WITHOUT_Z), LIVE),
            better(held(Conciliated, SINGLE, EQUAL_WITHOUT_Z), LIVE),
            better(held(Weakest, &[], EQUAL_WITHOUT_Z), BLOCKS),
            better(held(Conciliated, &[], EQUAL_WITHOUT_Z), BLOCKS),
        ],
        unabstracted: NOT_PRINTED,
    },
    Experiment {
        name: "irrelevant-procedure",
        about: "figure 6.7: a complicated procedure that does not matter, 3 bits",
        source: || programs::irrelevant_procedure(3),
        bits: 3,
        rows: &[held(Skip, SINGLE, ONE_ROUND), held(Skip, &[], ONE_ROUND)],
        unabstracted: NOT_PRINTED,
    },
    Experiment {
        name: "quicksort",
        about: "figure 6.9: quicksort around a procedure that matters, 4 elements of 2 bits",
        source: || programs::quicksort(4, 2),
        bits: 2,
        rows: &[
            better(held(Skip, SINGLE, SORTS[0]), LIVE),
            better(held(Combined, SINGLE, SORTS[1]), LIVE),
            better(held(Skip, &[], SORTS[0]), LIVE),
            better(held(Combined, &[], SORTS[1]), LIVE),
        ],
        unabstracted: printed("Fig6.10", "no abstraction", ["n/a", "n/a", "1.7"]),
    },
    Experiment {
        name: "primality",
        about: "figure 6.11: a test of primality, 4 bits",
        source: || programs::primality(4, 5, 9),
        bits: 4,
        rows: &[better(held(Weakest, SINGLE, PRIME), SOURCE), better(held(Weakest, &[], PRIME), SOURCE)],
        unabstracted: UNPRIME,
    },
    Experiment {
        name: "primality-bytecode",
        about: "figure 6.11 from bytecode, 4 bits",
        source: || bytecode::primality(4, 5, 9),
        bits: 4,
        rows: &[
            held(Weakest, SINGLE, PRIME),
            held(Conciliated, SINGLE, PRIME),
            worse(held(Skip, SINGLE, PRIME), SIMILAR),
            worse(held(Combined, SINGLE, PRIME), SIMILAR),
            held(Conciliated, &[], PRIME),
            worse(held(Skip, &[], PRIME), SIMILAR),
            worse(held(Combined, &[], PRIME), SIMILAR),
            held(Weakest, &[], PRIME),
        ],
        unabstracted: UNPRIME,
    },
];

const SIMILAR: &str = "printed for weakest; of the others it is said that they are similar";
const SOURCE: &str = "the source has no operand stack, as bytecode has";

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
    /// The rows, and what came out.
    pub fn judged(&self) -> impl Iterator<Item = (&'static Row, &Measured, Outcome)> {
        let pairs = self.experiment.rows.iter().zip(&self.rows);
        pairs.map(|(row, measured)| (row, measured, row.printed.judge(self.experiment.bits, measured)))
    }

    /// Whether every row came out as it must.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.judged().all(|(row, _, outcome)| outcome == row.expected)
    }
}

impl Experiment {
    /// Runs it.
    #[must_use]
    pub fn run(&'static self, settings: &Settings) -> Found {
        let source = (self.source)();
        let ask = |heuristic: Heuristic, options| {
            measure(settings, Question { options, ..Question::remopla(&source, "pushdown-cegar", heuristic) })
        };
        let rows: Vec<Measured> = self.rows.iter().map(|row| ask(row.heuristic, row.options)).collect();
        let last = self.rows.last().map_or(Combined, |row| row.heuristic);
        let cegar = rows.last().cloned().unwrap_or_else(|| ask(last, &[]));
        Found { experiment: self, rows, comparison: Comparison::with(settings, &source, last, cegar) }
    }
}
