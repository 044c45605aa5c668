//! Passes: programs that are easier to check, each with the way back for traces and proofs.
//!
//! Files in order of reading: [`replay`] (how traces find back), [`prune`], [`joins`] and
//! [`mod@slice`], [`inline`], [`propagate`], [`equations`](mod@equations), [`ideal`].
//!
//! A pass is made for one property: the new program reaches that property's locations exactly
//! if the old one does; about other properties it promises nothing. Properties keep their
//! numbers and names, procedures and locations their numbers. New locations are appended, and
//! locations that went out of use just have no edges: most invariants need no translation.
//!
//! **Inlining comes first.** A proof about an inlined program names the procedures to expand,
//! and whoever checks it expands the program that he has. That is the program that was inlined
//! only if no other pass changed it before; so [`PASSES`] is in the order to apply, and only
//! inlinings may come before an inlining.

pub mod equations;
pub mod ideal;
pub mod inline;
pub mod joins;
pub mod propagate;
pub mod prune;
pub mod replay;
pub mod slice;

use crate::evidence::{Action, Proof, Trace};
use crate::program::{EdgeId, Program, PropertyId};
use tamis_term::Terms;

/// The way back from a pass's result to the program that it was made from.
pub trait Back {
    /// The trace of the old program that a trace of the new one stands for. What is no run of
    /// the new program is translated as far as it goes.
    fn trace(&self, terms: &Terms, trace: Trace) -> Trace;

    /// A proof about the old program, given one about the new one.
    fn proof(&self, terms: &mut Terms, proof: Proof) -> Proof;
}

/// A program and the way back from it.
pub type Passed = (Program, Box<dyn Back>);

/// A transformation of programs.
#[derive(Debug)]
pub struct Pass {
    /// How the user names it.
    pub name: &'static str,
    /// What it does, as a phrase.
    pub about: &'static str,
    /// Carries it out for a property.
    pub apply: fn(&mut Terms, &Program, PropertyId) -> Passed,
}

/// Copies the bodies of small procedures to their calls.
pub const INLINE: Pass = Pass {
    name: "inline",
    about: "copy small procedures that are not recursive to where they are called",
    apply: inline::inline,
};

/// Copies the bodies of all procedures that are not recursive to their calls.
pub const EXPAND: Pass = Pass {
    name: "expand",
    about: "copy all procedures that are not recursive to where they are called",
    apply: inline::expand_all,
};

/// Removes what cannot be on a path to the error.
pub const PRUNE: Pass = Pass {
    name: "prune",
    about: "remove edges that control cannot reach or that cannot lead to the error",
    apply: prune::prune,
};

/// Puts in what variables are known to be.
pub const PROPAGATE: Pass = Pass {
    name: "propagate",
    about: "put in constants and copies, and remove branches that they decide",
    apply: propagate::propagate,
};

/// Removes what cannot influence a path to the error.
pub const SLICE: Pass = Pass {
    name: "slice",
    about: "remove variables, and branches on them, that do not influence whether the error is reached",
    apply: slice::slice,
};

/// Assumes linear equations of words.
pub const EQUATIONS: Pass = Pass {
    name: "equations",
    about: "assume the linear equations, modulo powers of two, that hold at loops and after calls",
    apply: equations::equations,
};

/// Makes integers of words, as if signed arithmetic did not overflow.
pub const IDEAL: Pass = Pass {
    name: "ideal",
    about: "make integers of bit-vectors and assume that signed arithmetic does not overflow",
    apply: |terms, program, property| ideal::ideal(terms, program, property, ideal::Mode::Ideal),
};

/// Makes integers of words, with all wrap-around.
pub const EXACT: Pass = Pass {
    name: "exact",
    about: "make integers of bit-vectors and keep wrap-around wherever it can happen",
    apply: |terms, program, property| ideal::ideal(terms, program, property, ideal::Mode::Exact),
};

/// All passes, in the order in which they can be applied.
pub const PASSES: &[Pass] = &[EXPAND, INLINE, PRUNE, PROPAGATE, SLICE, EQUATIONS, IDEAL, EXACT];

/// The passes that keep every variable's sort and meaning, in the order in which they can be
/// applied.
pub const PLAIN: &[&Pass] = &[&INLINE, &PRUNE, &SLICE];

/// The pass of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// Applies passes one after the other; the way back goes through them in reverse.
#[must_use]
pub fn pipeline(terms: &mut Terms, program: &Program, property: PropertyId, passes: &[&Pass]) -> Passed {
    let mut current = program.clone();
    current.notes.approximations.clear();
    current.notes.inputs.clear();
    let mut backs = Vec::new();
    for pass in passes {
        let (next, back) = (pass.apply)(terms, &current, property);
        current = next;
        backs.push(back);
    }
    (current, Box::new(Chain(backs)))
}

/// Ways back, in the order in which their passes were applied.
struct Chain(Vec<Box<dyn Back>>);

impl Back for Chain {
    fn trace(&self, terms: &Terms, trace: Trace) -> Trace {
        self.0.iter().rev().fold(trace, |trace, back| back.trace(terms, trace))
    }

    fn proof(&self, terms: &mut Terms, proof: Proof) -> Proof {
        self.0.iter().rev().fold(proof, |proof, back| back.proof(terms, proof))
    }
}

/// What a pass keeps for every edge of the new program.
#[derive(Clone, Debug)]
struct EdgeMap<T>(Vec<Vec<T>>);

impl<T> EdgeMap<T> {
    /// The entry of an edge, if the new program has it.
    fn get(&self, edge: EdgeId) -> Option<&T> {
        self.0.get(edge.proc.index())?.get(edge.index as usize)
    }
}

impl EdgeMap<EdgeId> {
    /// The trace whose edges are the old ones.
    fn rename(&self, mut trace: Trace) -> Trace {
        for step in &mut trace.steps {
            match &mut step.action {
                Action::Take { edge, .. } => *edge = self.get(*edge).copied().unwrap_or(no_edge(*edge)),
                Action::Return => {}
            }
        }
        trace
    }
}

/// The edge that no program has: what a trace's edges outside the program are mapped to.
fn no_edge(edge: EdgeId) -> EdgeId {
    EdgeId { index: u32::MAX, ..edge }
}
