//! What was learned, by location: the interpolants of finished nodes, in the order in which they were
//! finished, so that a restart forgets all that came since.

use super::tree::Id;
use std::collections::BTreeMap;
use tamis_ir::PointId;
use tamis_term::Term;

/// The interpolant of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) node: Id,
    pub(super) formula: Term,
}

#[derive(Debug, Default)]
pub(super) struct Memo {
    order: Vec<PointId>,
    at: BTreeMap<PointId, Vec<Entry>>,
}

impl Memo {
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Records that a node was processed.
    pub(super) fn memo(&mut self, at: PointId, entry: Entry) {
        self.order.push(at);
        self.at.entry(at).or_default().push(entry);
    }

    /// Forgets all that was recorded since there were so many.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.order.len() > len
            && let Some(at) = self.order.pop()
        {
            self.at.get_mut(&at).and_then(Vec::pop);
        }
    }

    /// What was learned at a location, the latest first, each formula once.
    pub(super) fn entries(&self, at: PointId, most: usize) -> Vec<Entry> {
        let mut found: Vec<Entry> = Vec::new();
        for entry in self.at.get(&at).into_iter().flatten().rev() {
            if found.len() >= most {
                break;
            }
            if found.iter().all(|other| other.formula != entry.formula) {
                found.push(*entry);
            }
        }
        found
    }
}
