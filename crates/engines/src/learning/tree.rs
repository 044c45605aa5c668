//! The tree as it is left: where each node is, what became of it, and what was learned. Nodes are
//! numbered as they are reached, so those below a node that is open are those that came after it.

use tamis_ir::{ArcId, PointId};
use tamis_term::Term;

/// A node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(pub(super) usize);

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It is being explored.
    Open,
    /// Everything below it is finished.
    Closed,
    /// The arc that leads to it cannot be taken.
    Infeasible,
    /// Another node's interpolant holds there.
    Subsumed(Id),
    /// All that its looping parent keeps holds again.
    Looped(Id),
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) parent: Option<Id>,
    /// The arc that leads to it; the root has none.
    pub(super) by: Option<ArcId>,
    /// Where it is; errors are nowhere.
    pub(super) at: Option<PointId>,
    pub(super) status: Status,
    /// What was learned: over the variables at the location.
    pub(super) interpolant: Option<Term>,
    /// How many constraints are locked there.
    pub(super) locked: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(super) fn add(&mut self, parent: Option<Id>, by: Option<ArcId>, at: Option<PointId>) -> Id {
        let id = Id(self.nodes.len());
        self.nodes.push(Node { parent, by, at, status: Status::Open, interpolant: None, locked: 0 });
        id
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id.0]
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (Id, &Node)> {
        self.nodes.iter().enumerate().map(|(number, node)| (Id(number), node))
    }

    /// Cuts away all that is below a node, which is open: these are the nodes that were made since.
    pub(super) fn cut_below(&mut self, id: Id) {
        self.nodes.truncate(id.0 + 1);
    }
}
