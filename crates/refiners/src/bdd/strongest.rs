//! Strongest interpolants, top down (Figures 5.5, 5.9 and 5.10; Theorems 3.12 and 3.14).
//!
//! `I_n` describes exactly the values that the graph's ways into `n` allow. For a call that
//! returns, the callee's half starts from *any* input: its effect is the exact relation of the
//! callee's ways, whoever calls. For a call that does not return, the callee starts from
//! the inputs that the caller hands over.

use super::edges::{caller, image};
use tamis_bdd::{Bdd, Result};
use tamis_pds::{Dag, EdgeId, NodeId, NodeKind, System};

/// The strongest interpolants of a graph.
#[derive(Clone, Debug)]
pub struct Strongest {
    nodes: Vec<Bdd>,
    edges: Vec<Bdd>,
    bottom: NodeId,
}

/// Computes `I` for every node and, for every edge, its share of `I` at the node it leads to.
///
/// # Errors
/// If the diagrams have no room.
pub fn strongest(system: &System, dag: &Dag) -> Result<Strongest> {
    let m = system.family.manager();
    let mut nodes: Vec<Bdd> = Vec::with_capacity(dag.nodes.len());
    let mut edges = vec![m.constant(false); dag.edges.len()];
    for (id, node) in dag.nodes() {
        let mut i = match (node.kind, caller(dag, id)) {
            (NodeKind::Entry(_), None) => m.constant(true),
            (NodeKind::Entry(_), Some(pivot)) => system.family.inputs(&nodes[pivot.index()])?,
            (NodeKind::At(_) | NodeKind::Pivot(_) | NodeKind::Effect(_) | NodeKind::Eval(_), _) => m.constant(false),
        };
        for &edge in &node.into {
            let share = image(system, dag.edge(edge).from, &nodes)?;
            i = m.or(&i, &share)?;
            edges[edge.index()] = share;
        }
        nodes.push(i);
    }
    Ok(Strongest { nodes, edges, bottom: dag.bottom() })
}

impl Strongest {
    /// `I` at a node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Bdd {
        &self.nodes[id.index()]
    }

    /// `I` at every node, by [`NodeId`].
    #[must_use]
    pub fn nodes(&self) -> &[Bdd] {
        &self.nodes
    }

    /// What an edge contributes to `I` at the node that it leads to.
    #[must_use]
    pub fn edge(&self, id: EdgeId) -> &Bdd {
        &self.edges[id.index()]
    }

    /// Whether no way through the graph is possible: whether the bottom's interpolant is 0.
    #[must_use]
    pub fn is_spurious(&self) -> bool {
        self.nodes[self.bottom.index()].is_false()
    }
}
