//! Symbolic states: values as terms over what was chosen on the way. States that come to the same
//! place are merged into one, so that N branches in a row make N places and not 2^N paths.

use super::guard::{Guard, Guards};
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_ir::{EdgeId, Loc};
use tamis_term::{Substitution, Terms, Var};

/// A symbolic state.
#[derive(Clone)]
pub(super) struct State {
    /// Where control is.
    pub(super) loc: Loc,
    /// When the state is reached.
    pub(super) guard: Guard,
    /// The globals and the variables of the running procedure, as far as they matter.
    pub(super) values: Substitution,
    /// The callers that wait, the outermost first.
    pub(super) frames: Vec<Rc<Frame>>,
}

/// A caller that waits for its callee.
pub(super) struct Frame {
    pub(super) call: EdgeId,
    /// What the caller has when it goes on, but for what the callee delivers.
    pub(super) kept: Substitution,
}

/// What matters where: the live variables.
pub(super) struct Relevant {
    /// By location.
    pub(super) live: Vec<BTreeSet<Var>>,
}

impl Relevant {
    pub(super) fn at(&self, loc: Loc) -> &BTreeSet<Var> {
        &self.live[loc.index()]
    }
}

/// One state for all that come to a place, of which at most one is reached in any run. Those whose
/// ways parted last are merged first.
pub(super) fn merge(
    terms: &mut Terms,
    guards: &mut Guards,
    relevant: &Relevant,
    after: impl Fn(EdgeId) -> Loc,
    mut states: Vec<State>,
) -> Option<State> {
    while states.len() > 1 {
        let a = (0..states.len()).max_by_key(|at| states[*at].guard).unwrap_or(0);
        let one = states.swap_remove(a);
        let b = (0..states.len()).max_by_key(|at| guards.parted(one.guard, states[*at].guard)).unwrap_or(0);
        let other = states.swap_remove(b);
        let meeting = guards.meet(terms, one.guard, other.guard);
        let mut choose = |live: &BTreeSet<Var>, then: &Substitution, otherwise: &Substitution| -> Substitution {
            let mut values = otherwise.clone();
            for (var, then, otherwise) in then.differences(otherwise) {
                if live.contains(&var) {
                    let own = terms.var(var);
                    values.insert(var, terms.ite(meeting.first, then.unwrap_or(own), otherwise.unwrap_or(own)));
                }
            }
            values
        };
        let values = choose(relevant.at(one.loc), &one.values, &other.values);
        let both = one.frames.iter().zip(&other.frames);
        let frames = both.map(|(a, b)| {
            if Rc::ptr_eq(a, b) {
                return a.clone();
            }
            let kept = choose(relevant.at(after(a.call)), &a.kept, &b.kept);
            Rc::new(Frame { call: a.call, kept })
        });
        let frames = frames.collect();
        states.push(State { loc: one.loc, guard: meeting.either, values, frames });
    }
    states.pop()
}
