//! Interpolants as decision diagrams, on modular counterexample graphs (Kiefer, *Abstraction
//! Refinement for Pushdown Systems*, 2005, chapters 3 to 6).
//!
//! A counterexample graph holds many abstract ways into an error at once. At each of its
//! nodes `n`, the *strongest* interpolant `I_n` says which values are possible behind the
//! ways that lead there, and the *weakest* one, `J_n`, which values rule out the error on
//! the ways that lead on. If no way is possible, every `K_n` between them is a candidate for a
//! predicate, and a choice of one per node keeps the whole graph out of all later
//! abstractions if it *tracks*: for every edge, `K` in front of it and the rule entail `K`
//! behind it; `K` is 1 at the top and 0 at the bottom.
//!
//! Calls that return split in two: the caller's half ends in a pivot, which relates the
//! callee's input to what the caller froze, and the callee's half ends in an effect, which
//! relates what is returned to the input. Both together must entail what holds behind the
//! call. So no predicate mentions a variable that is out of scope, and the number of copies of
//! variables does not grow with the depth of calls.
//!
//! Files in order of reading: `edges` (what an edge does to a relation, in both directions),
//! [`strongest()`] (top down: is the graph spurious?), [`chosen`] (bottom up: which
//! interpolants), [`laws`] (what must hold of them), [`concretise()`] (a run
//! from a graph that is not spurious).

pub mod chosen;
pub mod concretise;
mod edges;
pub mod laws;
pub mod strongest;

pub use chosen::{Fault, Options, choose, predicates};
pub use concretise::concretise;
pub use laws::{Violation, check};
pub use strongest::{Strongest, strongest};

/// Which interpolants become predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// `K = J`: whatever rules out the rest of the way.
    Weakest,
    /// `K = I`: whatever is known so far.
    Strongest,
    /// `I` and `J` side by side.
    Both,
    /// `J` without the bits that `I` says nothing about.
    Conciliated,
    /// What holds behind a statement already holds in front of it, wherever that tracks.
    Skip,
    /// First [`Heuristic::Skip`], then [`Heuristic::Conciliated`].
    Combined,
}

/// A row of the table of heuristics. `--help` and the documents are made from it.
#[derive(Debug)]
pub struct Row {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it chooses, as a phrase.
    pub about: &'static str,
    /// Where the thesis describes it.
    pub section: &'static str,
    /// The heuristic.
    pub heuristic: Heuristic,
}

/// All heuristics.
pub const HEURISTICS: &[Row] = &[
    Row {
        name: "weakest",
        about: "what rules out the rest of the counterexample, and no more",
        section: "5.2.2",
        heuristic: Heuristic::Weakest,
    },
    Row {
        name: "strongest",
        about: "all that is known at a point of the counterexample",
        section: "5.2.1",
        heuristic: Heuristic::Strongest,
    },
    Row {
        name: "both",
        about: "weakest and strongest interpolants side by side",
        section: "6.2",
        heuristic: Heuristic::Both,
    },
    Row {
        name: "conciliated",
        about: "weakest interpolants without the bits that the strongest ones leave open",
        section: "6.3",
        heuristic: Heuristic::Conciliated,
    },
    Row {
        name: "skip",
        about: "predicates copied across statements and calls that do not matter",
        section: "6.4",
        heuristic: Heuristic::Skip,
    },
    Row { name: "combined", about: "skip, then conciliated", section: "6.5", heuristic: Heuristic::Combined },
];

/// The heuristic of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Row> {
    HEURISTICS.iter().find(|row| row.name == name)
}

impl Heuristic {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        HEURISTICS.iter().find(|row| row.heuristic == self).map_or("", |row| row.name)
    }

    /// Whether it assumes that statements do nothing (section 6.4).
    fn skips(self) -> bool {
        match self {
            Heuristic::Skip | Heuristic::Combined => true,
            Heuristic::Weakest | Heuristic::Strongest | Heuristic::Both | Heuristic::Conciliated => false,
        }
    }

    /// Whether it drops what strongest interpolants leave open (section 6.3).
    fn conciliates(self) -> bool {
        match self {
            Heuristic::Conciliated | Heuristic::Combined => true,
            Heuristic::Weakest | Heuristic::Strongest | Heuristic::Both | Heuristic::Skip => false,
        }
    }
}
