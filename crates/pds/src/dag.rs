//! Modular counterexample graphs (Kiefer 2005, sections 5.1 and 5.2.5): all recorded ways
//! into an error, one graph per stack level.
//!
//! Within a level, edges lead from earlier to later nodes. A call that returns joins two
//! ways: the caller's, which ends in a pivot node, and the callee's, which ends in an effect
//! node and starts at an entry node of its own; a way through the graph takes both. A call
//! that does not return joins a level with the next one.

use crate::system::{RuleId, Sym, index};
use tamis_ir::ProcId;

index!(
    /// A node of a graph.
    NodeId,
    /// An edge of a graph.
    EdgeId
);

/// A modular counterexample graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dag {
    /// The nodes of all levels; every edge leads from smaller to greater ids.
    pub nodes: Vec<Node>,
    /// The edges; the edges into one node follow one another.
    pub edges: Vec<Edge>,
    /// The stack levels, the outermost first.
    pub levels: Vec<Level>,
}

/// One stack level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The entry nodes at which the level's frame begins.
    pub tops: Vec<NodeId>,
    /// Where the level ends: a pivot node, or for the innermost level the error.
    pub bottom: NodeId,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it stands for.
    pub kind: NodeKind,
    /// The level that it belongs to.
    pub level: usize,
    /// Whether its frame is gone by the end of the level: it is part of a call that returns.
    pub popped: bool,
    /// The edges into it.
    pub into: Vec<EdgeId>,
    /// The edges out of it.
    pub out: Vec<EdgeId>,
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NodeKind {
    /// A location of a procedure.
    At(Sym),
    /// A procedure's entry.
    Entry(Sym),
    /// A caller that waits: its frozen values and the callee's input.
    Pivot(Sym),
    /// A procedure has returned.
    Effect(ProcId),
    /// The caller goes on, between the return and the point behind the call. It has the
    /// signature of a location, and never gets predicates.
    Eval(Sym),
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it comes from.
    pub from: From,
    /// Where it leads.
    pub to: NodeId,
}

/// Where an edge comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// From a node by a rule. (A push rule leads to the pivot.)
    Rule {
        /// The rule.
        rule: RuleId,
        /// The node.
        node: NodeId,
    },
    /// From a caller that waits and a callee that has returned, to an evaluation node.
    Return {
        /// The pivot node.
        pivot: NodeId,
        /// The effect node.
        effect: NodeId,
    },
}

impl Dag {
    /// The node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The edge.
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// All nodes with their ids, callers and earlier points first.
    #[must_use]
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(at, node)| (NodeId::new(at), node))
    }

    /// The node in which the whole graph ends: the error.
    ///
    /// # Panics
    /// If the graph has no level.
    #[must_use]
    pub fn bottom(&self) -> NodeId {
        self.levels.last().expect("a counterexample has a level").bottom
    }
}
