//! Removes the edges that cannot be on a path to the error, judged by control flow alone.
//!
//! Two sets of locations decide. *Reached* are the locations that control can get to from the
//! start without taking an edge that assumes false and without leaving an error location; a
//! call is passed only if its callee's exit is reached. *Kept* are the reached locations from
//! which edges, calls and returns lead to an error location, where a return may go back to any
//! call. An edge stays if it leads from a kept location to a kept one; a call, if the callee's
//! entry is kept. What goes is on no path to the error, so traces only need their edges
//! renumbered.
//!
//! Proofs need more care, because control does get to the locations that are reached but not
//! kept: the *dead ends*. The way back proves nothing there: the invariant is true. It also
//! drops what a proof may say about locations that are not reached, and about procedures whose
//! exit control does not get past. Every edge of the old program then passes:
//!
//! - An edge into a dead end has nothing to prove.
//! - From a dead end, no edge leads to a kept location, or it would be kept itself. Neither
//!   does a call from it enter a kept procedure: that is why a return may go back to *any*
//!   call. A location that calls a kept procedure is kept even if it is on no path to the
//!   error, since the invariants of the callee have to cover its calls as well.
//! - A call returns to a kept location either from a kept exit, where the summary is the
//!   proof's own and the call is in the pruned program, since with the exit the entry is kept;
//!   or from a procedure that never returns, which has no summary. If the exit is a dead end,
//!   so is every location after a call; its summary is true.
//! - Edges that leave an error location start from a formula that the proof shows unsatisfiable.

use super::{Back, EdgeMap, Passed};
use crate::evidence::{Proof, Trace};
use crate::graph::{self, Flow, LocSet};
use crate::program::{Edge, EdgeId, Op, Program, PropertyId};
use tamis_term::Terms;

/// Removes what cannot be on a path to the property's locations.
#[must_use]
pub fn prune(terms: &mut Terms, program: &Program, property: PropertyId) -> Passed {
    let flow = Flow::new(program);
    let errors = LocSet::of(program, &program.property(property).locs);
    let reached = graph::reachable(program, &flow, &errors, |edge| is_blocked(terms, edge));
    let kept = graph::leading(program, &flow, &errors, &reached);
    let stays = |edge: &Edge| {
        let next = graph::callee(edge).map_or(edge.to, |callee| program.proc(callee).entry);
        kept.contains(edge.from) && kept.contains(next) && !errors.contains(edge.from) && !is_blocked(terms, edge)
    };
    let mut pruned = program.clone();
    let mut origins = Vec::new();
    for (id, proc) in program.procs() {
        let (mut edges, mut origin) = (Vec::new(), Vec::new());
        for (index, edge) in (0..).zip(&proc.edges) {
            if stays(edge) {
                edges.push(edge.clone());
                origin.push(EdgeId { proc: id, index });
            }
        }
        pruned.procs[id.index()].edges = edges;
        origins.push(origin);
    }
    let dead = |loc| reached.contains(loc) && !kept.contains(loc);
    let mut back =
        Pruned { origins: EdgeMap(origins), reached: reached.clone(), dead: LocSet::new(program), exits: Vec::new() };
    for loc in reached.iter().filter(|loc| dead(*loc)) {
        back.dead.insert(loc);
    }
    back.exits = program
        .procs
        .iter()
        .map(|proc| match proc.exit {
            exit if !reached.contains(exit) || errors.contains(exit) => Exit::Never,
            exit if dead(exit) => Exit::Dead,
            _ => Exit::Kept,
        })
        .collect();
    (pruned, Box::new(back))
}

/// Whether an edge can never be taken, whatever the values.
fn is_blocked(terms: &Terms, edge: &Edge) -> bool {
    matches!(edge.op, Op::Assume(condition) if terms.is_false(condition))
}

/// The way back from a pruned program.
struct Pruned {
    origins: EdgeMap<EdgeId>,
    reached: LocSet,
    dead: LocSet,
    /// By procedure.
    exits: Vec<Exit>,
}

/// What is known of a procedure's exit.
enum Exit {
    /// Control does not get there, or not past it.
    Never,
    /// It is a dead end.
    Dead,
    /// It is kept.
    Kept,
}

impl Back for Pruned {
    fn trace(&self, _terms: &Terms, trace: Trace) -> Trace {
        self.origins.rename(trace)
    }

    fn proof(&self, terms: &mut Terms, mut proof: Proof) -> Proof {
        let anything = terms.bool(true);
        proof.invariants.retain(|loc, _| self.reached.contains(*loc));
        proof.invariants.extend(self.dead.iter().map(|loc| (loc, anything)));
        proof.passed.retain(|loc| self.reached.contains(*loc) && !self.dead.contains(*loc));
        for (proc, exit) in self.exits.iter().enumerate() {
            let proc = crate::program::ProcId::new(proc);
            match exit {
                Exit::Never => drop(proof.summaries.remove(&proc)),
                Exit::Dead => drop(proof.summaries.insert(proc, anything)),
                Exit::Kept => {}
            }
        }
        proof
    }
}
