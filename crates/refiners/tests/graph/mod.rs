//! What the tests' counterexample graphs have in common.

use tamis_pds::{Dag, EdgeId, From, NodeId, NodeKind};

/// Completes a graph from its nodes, edges and bottoms: what is popped, which entries are tops,
/// and the edges at each node.
pub fn finish(dag: &mut Dag) {
    for (at, edge) in dag.edges.iter().enumerate() {
        let id = EdgeId::new(at);
        dag.nodes[edge.to.index()].into.push(id);
        for from in sources(edge.from) {
            dag.nodes[from.index()].out.push(id);
        }
    }
    for at in (0..dag.nodes.len()).rev() {
        dag.nodes[at].popped |= matches!(dag.nodes[at].kind, NodeKind::Effect(_));
        if dag.nodes[at].popped {
            for edge in dag.nodes[at].into.clone() {
                for from in sources(dag.edge(edge).from) {
                    dag.nodes[from.index()].popped = true;
                }
            }
        }
    }
    for (at, node) in dag.nodes.iter().enumerate() {
        if matches!(node.kind, NodeKind::Entry(_)) && !node.popped {
            dag.levels[node.level].tops.push(NodeId::new(at));
        }
    }
}

fn sources(from: From) -> Vec<NodeId> {
    match from {
        From::Rule { node, .. } => vec![node],
        From::Return { pivot, effect } => vec![pivot, effect],
    }
}
