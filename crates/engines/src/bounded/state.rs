//! Symbolic states: values as terms over what was chosen on the way. States that come to the same
//! place are merged into one, so that N branches in a row make N places and not 2^N paths.

use super::guard::{Guard, Guards};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tamis_ir::{EdgeId, Loc};
use tamis_term::{Term, Terms, Var};

/// The values of variables; what is not listed does not matter.
pub(super) type Values = FxHashMap<Var, Term>;

/// A symbolic state.
#[derive(Clone)]
pub(super) struct State {
    /// Where control is.
    pub(super) loc: Loc,
    /// When the state is reached.
    pub(super) guard: Guard,
    /// The globals and the variables of the running procedure.
    pub(super) values: Rc<Values>,
    /// The callers that wait, the outermost first.
    pub(super) frames: Vec<Rc<Frame>>,
}

/// A caller that waits for its callee.
pub(super) struct Frame {
    pub(super) call: EdgeId,
    /// What the caller has when it goes on, but for what the callee delivers.
    pub(super) kept: Values,
}

/// What matters where: the live variables, in order.
pub(super) struct Relevant {
    /// By location.
    pub(super) live: Vec<Vec<Var>>,
}

impl Relevant {
    pub(super) fn at(&self, loc: Loc) -> &[Var] {
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
        let mut choose = |vars: &[Var], then: &Values, otherwise: &Values| -> Values {
            let value = |var: &Var| {
                let (a, b) = (then.get(var)?, otherwise.get(var)?);
                Some((*var, terms.ite(meeting.first, *a, *b)))
            };
            vars.iter().filter_map(value).collect()
        };
        let values = if Rc::ptr_eq(&one.values, &other.values) {
            one.values
        } else {
            Rc::new(choose(relevant.at(one.loc), &one.values, &other.values))
        };
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
