//! Where on a spurious path to look for a reason.

/// Where to look for a reason why a path is spurious.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// One Craig interpolant at the failure state, the last that can be reached (section 4.4).
    Craig,
    /// A sequence of interpolants, one at every state.
    Sequence,
    /// One interpolant at the failure state of the shortest end of the path that is impossible
    /// whatever was before.
    Backward,
    /// A sequence of interpolants for one of the contradictory beginnings of the path, the one that
    /// is likely to say most (Beyer, Löwe, Wendler, *Refinement Selection*, SPIN 2015).
    Prefixes,
    /// A sequence of interpolants; and once that diverges, the atoms of what is one, two, three … steps
    /// in front of an error, too (Ball, Podelski, Rajamani, TACAS 2002, Method III).
    RelativelyComplete,
    /// No interpolant: the variables of the formulas that contradict each other. For domains that
    /// track variables.
    Core,
}

/// A row of the table of strategies.
#[derive(Debug)]
pub struct StrategyRow {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, as a phrase.
    pub about: &'static str,
    /// The strategy.
    pub strategy: Strategy,
}

/// All strategies.
pub const STRATEGIES: &[StrategyRow] = &[
    StrategyRow {
        name: "craig",
        about: "one interpolant at the last state that can be reached",
        strategy: Strategy::Craig,
    },
    StrategyRow { name: "sequence", about: "an interpolant at every state", strategy: Strategy::Sequence },
    StrategyRow {
        name: "backward",
        about: "one interpolant where the shortest impossible end of the path fails",
        strategy: Strategy::Backward,
    },
    StrategyRow {
        name: "prefixes",
        about: "an interpolant at every state of the simplest contradictory beginning of the path",
        strategy: Strategy::Prefixes,
    },
    StrategyRow {
        name: "relatively-complete",
        about: "an interpolant at every state, and predicates from the errors back once that diverges",
        strategy: Strategy::RelativelyComplete,
    },
    StrategyRow {
        name: "core",
        about: "the variables of a contradiction, for explicit values",
        strategy: Strategy::Core,
    },
];
