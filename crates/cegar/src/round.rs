//! Pictures of refinement rounds, for those who want to see what an engine does.

use std::fmt;
use tamis_term::{Term, Terms};

/// One round: the counterexample with the interpolants at its nodes, and the lists of predicates
/// afterwards.
#[derive(Clone, Debug)]
pub struct Round {
    /// Counted from 1.
    pub number: u64,
    /// Whether the counterexample turned out to be real.
    pub real: bool,
    /// The nodes of the counterexample, earlier ones first.
    pub nodes: Vec<RoundNode>,
    /// Its edges.
    pub edges: Vec<RoundEdge>,
    /// The lists of predicates that are not empty, after this round.
    pub lists: Vec<RoundList>,
}

/// A node of a counterexample.
#[derive(Clone, Debug)]
pub struct RoundNode {
    /// The place in the program, such as `foo, line 12`.
    pub place: String,
    /// The stack level, the outermost being 0.
    pub level: usize,
    /// Whether it belongs to a call that returns.
    pub popped: bool,
    /// What is possible there, behind all ways that lead to it.
    pub strongest: Term,
    /// What was chosen to exclude the counterexample.
    pub chosen: Option<Term>,
}

/// An edge of a counterexample.
#[derive(Clone, Debug)]
pub struct RoundEdge {
    /// Where it comes from: one node, or for a call that returned the caller and the callee.
    pub from: Vec<usize>,
    /// Where it leads.
    pub to: usize,
    /// What happens on it.
    pub label: String,
}

/// The predicates of a place.
#[derive(Clone, Debug)]
pub struct RoundList {
    /// The place in the program.
    pub place: String,
    /// The predicates.
    pub predicates: Vec<Term>,
    /// How many of them this round added.
    pub new: usize,
}

/// Someone who wants to see rounds; by default nobody does.
#[derive(Default)]
pub struct Rounds(Option<Viewer>);

type Viewer = Box<dyn FnMut(&mut Terms, &Round) + Send>;

impl Rounds {
    /// A viewer that is shown every round.
    pub fn new(viewer: impl FnMut(&mut Terms, &Round) + Send + 'static) -> Rounds {
        Rounds(Some(Box::new(viewer)))
    }

    /// Whether somebody looks. Pictures cost time: make none for nobody.
    #[must_use]
    pub fn wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Shows a round.
    pub fn show(&mut self, terms: &mut Terms, round: &Round) {
        if let Some(viewer) = &mut self.0 {
            viewer(terms, round);
        }
    }
}

impl fmt::Debug for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rounds({})", if self.wanted() { "shown" } else { "nobody" })
    }
}
