//! The sequence of constraints of the current path, and their annotations (section 5): each is a
//! position, and is *min* (deleted by a looping parent, to close its loop), or *max* (needed by what
//! was finished below), or neutral. Min annotations belong to the looping parent that made them and
//! end with it; max annotations are sets of positions that each node collects.
//!
//! [`Sequence::min`] is `min(G, v)`: what is executed. [`Sequence::max`] is `max(G, v)`, what is
//! needed of it.

use super::steps::{Constraint, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_term::{Term, Terms, Var};

/// Positions in the sequence: those that are annotated *max*, or are to be.
pub(super) type Positions = BTreeSet<usize>;

#[derive(Debug, Default)]
pub(super) struct Sequence {
    all: Vec<Constraint>,
    /// For each position, the depth of the looping parent that deleted it.
    deleted: Vec<Option<usize>>,
    /// Where each copy occurs.
    uses: FxHashMap<Var, Vec<usize>>,
}

impl Sequence {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn at(&self, position: usize) -> &Constraint {
        &self.all[position]
    }

    pub(super) fn push(&mut self, constraint: Constraint) {
        for var in &*constraint.vars {
            self.uses.entry(*var).or_default().push(self.all.len());
        }
        self.all.push(constraint);
        self.deleted.push(None);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        while self.all.len() > len {
            let constraint = self.all.pop().expect("it is longer");
            self.deleted.pop();
            for var in &*constraint.vars {
                self.uses.get_mut(var).and_then(Vec::pop);
            }
        }
    }

    /// The looping parent at this depth deletes a constraint, unless another one did.
    pub(super) fn delete(&mut self, position: usize, depth: usize) {
        self.deleted[position].get_or_insert(depth);
    }

    /// Takes back what the looping parents at this depth and below deleted.
    pub(super) fn restore(&mut self, depth: usize) {
        for deleted in &mut self.deleted {
            *deleted = deleted.filter(|by| *by < depth);
        }
    }

    /// Which looping parent deleted a constraint.
    pub(super) fn deleted_by(&self, position: usize) -> Option<usize> {
        self.deleted[position]
    }

    /// What is executed is `min(G, v)`: all constraints that are not deleted.
    pub(super) fn is_kept(&self, position: usize) -> bool {
        self.deleted[position].is_none()
    }

    /// `min(G, v)` where the sequence ends here.
    pub(super) fn min(&self, end: usize) -> Vec<usize> {
        (0..end).filter(|position| self.is_kept(*position)).collect()
    }

    /// What the path itself does, whatever was deleted.
    pub(super) fn concrete(&self) -> Vec<usize> {
        let own = |position: &usize| !matches!(self.all[*position].kind, Kind::Implied(_));
        (0..self.all.len()).filter(own).collect()
    }

    /// `max(G, v)`: the constraints at these positions.
    pub(super) fn max(&self, positions: &Positions) -> Vec<Term> {
        positions.iter().map(|position| self.all[*position].term).collect()
    }

    /// The kept constraints that have to do with a goal: those of its variables, of the variables of
    /// those, and so on. As long as all others can be true together, only these can contradict it.
    pub(super) fn related(&self, terms: &Terms, goal: &[Term], from: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut waiting: Vec<Var> = terms.free_vars(goal).into_iter().collect();
        let mut seen: FxHashSet<Var> = waiting.iter().copied().collect();
        let mut found = Positions::new();
        while let Some(var) = waiting.pop() {
            for position in self.uses.get(&var).into_iter().flatten() {
                if self.is_kept(*position) && from(*position) && found.insert(*position) {
                    waiting.extend(self.all[*position].vars.iter().filter(|var| seen.insert(**var)));
                }
            }
        }
        found.into_iter().collect()
    }

    /// What of the needed positions lies before `end`, where those behind it that others imply stand
    /// for these.
    pub(super) fn before(&self, needed: &Positions, end: usize) -> Positions {
        let mut open = needed.clone();
        let mut found = Positions::new();
        while let Some(position) = open.pop_last() {
            if position < end {
                found.insert(position);
            } else if let Kind::Implied(why) = &self.all[position].kind {
                open.extend(why);
            }
        }
        found
    }
}
