//! What can be chosen about abstraction learning.

use crate::ideal::Integers;
use crate::options::{Knob, Knobs, knob, positive};
use tamis_ir::blocks::Size;

/// What is learned from a finished subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolants {
    /// The constraints that are left when one after the other is deleted, the first one first.
    Greedy,
    /// The constraints that the solver names as contradictory.
    Cores,
    /// Weakest preconditions, with as few alternatives as needed; cores where these do not help.
    Weakest,
}

/// What a loop keeps of the constraints at its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariants {
    /// Constraints that are invariant each by itself.
    Individual,
    /// The largest set of constraints that are invariant together (Flanagan, Leino, *Houdini*, FME
    /// 2001).
    Houdini,
}

/// What may be kept of constraints that are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slackening {
    /// Nothing.
    Nothing,
    /// The inequalities of an equation.
    Inequalities,
    /// These, and conditions of the program that hold.
    Conditions,
    /// These, and what excludes the error paths of conflicts, before anything is locked.
    Interpolants,
}

/// Which arc of a node is followed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Errors, then arcs as they are in the program.
    First,
    /// Errors, then arcs from the last one to the first.
    Last,
}

/// What a restart does with what was memoised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// What was memoised since the restarted state was reached is void.
    Void,
    /// It stays: wrong, for a test that sees this caught.
    Keep,
}

/// How abstraction learning works.
#[derive(Clone, Debug)]
pub struct Config {
    /// What machine integers are taken for.
    pub integers: Integers,
    /// Whether linear equations are found ahead and assumed.
    pub equations: bool,
    /// How much code lies between two nodes.
    pub blocks: Size,
    /// What is learned.
    pub interpolants: Interpolants,
    /// What loops keep.
    pub loops: Invariants,
    /// What may be kept of what they do not.
    pub slackening: Slackening,
    /// Which arc is followed first.
    pub order: Order,
    /// With how many memoised states a node is compared at most.
    pub compared: usize,
    /// How many conflicts a loop may have; no bound if there is none.
    pub restarts: Option<usize>,
    /// What a restart does with what was memoised.
    pub care: Care,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            integers: Integers::Ideal,
            equations: true,
            blocks: Size::Large,
            interpolants: Interpolants::Weakest,
            loops: Invariants::Houdini,
            slackening: Slackening::Interpolants,
            order: Order::First,
            compared: 50,
            restarts: None,
            care: Care::Void,
        }
    }
}

impl Config {
    /// As the seed describes it: statement by statement, greedy, with constraints that are
    /// individually invariant.
    #[must_use]
    pub fn seed() -> Config {
        Config {
            integers: Integers::Machine,
            equations: false,
            blocks: Size::Single,
            interpolants: Interpolants::Greedy,
            loops: Invariants::Individual,
            slackening: Slackening::Nothing,
            ..Config::default()
        }
    }
}

/// Without a bound.
const UNBOUNDED: &str = "none";

/// What can be chosen.
pub const OPTIONS: &Knobs<Config> = &Knobs {
    default: Config::default,
    knobs: &[
        knob!("integers", "what machine integers are taken for at first",
            integers: "machine" => Integers::Machine, "ideal" => Integers::Ideal),
        knob!("equations", "whether linear equations are found ahead",
            equations: "assumed" => true, "ignored" => false),
        knob!("blocks", "how much code lies between two nodes of the tree",
            blocks: "large" => Size::Large, "single" => Size::Single),
        knob!("learning", "what is learned from a finished subtree",
            interpolants: "greedy" => Interpolants::Greedy, "cores" => Interpolants::Cores,
            "weakest" => Interpolants::Weakest),
        knob!("loops", "which constraints a loop keeps",
            loops: "individual" => Invariants::Individual, "houdini" => Invariants::Houdini),
        knob!("slackening", "what may be kept of constraints that a loop deletes",
            slackening: "nothing" => Slackening::Nothing, "inequalities" => Slackening::Inequalities,
            "conditions" => Slackening::Conditions, "interpolants" => Slackening::Interpolants),
        knob!("arcs", "which way out of a node is followed first",
            order: "first" => Order::First, "last" => Order::Last),
        Knob {
            name: "compared",
            about: "with how many memoised states a node is compared at most",
            values: || "a number".into(),
            get: |config| config.compared.to_string(),
            set: |config, number| positive(&mut config.compared, number),
        },
        Knob {
            name: "restarts",
            about: "how many conflicts a loop may have",
            values: || format!("a number, {UNBOUNDED}"),
            get: |config| config.restarts.map_or_else(|| UNBOUNDED.to_owned(), |bound| bound.to_string()),
            set: |config, bound| {
                config.restarts = if bound == UNBOUNDED { None } else { Some(bound.parse().ok()?) };
                Some(())
            },
        },
    ],
};
