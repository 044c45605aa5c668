//! The tree as data for those who want to see it: a round for each restart, and one at the end.

use super::minimax::Minimax;
use super::tree::{Node, Status};
use tamis_cegar::{Context, Round, RoundEdge, RoundList, RoundNode};
use tamis_ir::{ArcId, PointId};
use tamis_term::Term;

impl Minimax<'_> {
    /// Shows the tree as it is now, if somebody looks.
    pub(super) fn show(&self, ctx: &mut Context, real: bool) {
        if !ctx.rounds.wanted() {
            return;
        }
        let always = ctx.terms.bool(true);
        let (mut nodes, mut edges) = (Vec::new(), Vec::new());
        // How many heads of loops are above what is below each node.
        let mut below: Vec<usize> = Vec::new();
        for (id, node) in self.tree.nodes() {
            let level = node.parent.map_or(0, |parent| below[parent.0]);
            let is_head = node.at.is_some_and(|at| self.loops.at(at).is_some());
            below.push(level + usize::from(is_head));
            let strongest = node.interpolant.unwrap_or(always);
            nodes.push(RoundNode {
                place: format!("{} {}", id.0, self.described(node)),
                level,
                popped: matches!(node.status, Status::Infeasible | Status::Subsumed(_) | Status::Looped(_)),
                strongest,
                chosen: node.interpolant,
            });
            if let (Some(parent), Some(arc)) = (node.parent, node.by) {
                edges.push(RoundEdge { from: vec![parent.0], to: id.0, label: self.label(arc) });
            }
        }
        let round = Round { number: ctx.statistics.rounds + 1, real, nodes, edges, lists: self.locked() };
        ctx.rounds.show(&mut ctx.terms, &round);
    }

    /// What is locked at the looping parents of the current path.
    fn locked(&self) -> Vec<RoundList> {
        let mut lists = Vec::new();
        for frame in &self.frames {
            let Some(at) = frame.at else { continue };
            let locked: Vec<Term> =
                frame.looping.locked.iter().map(|position| self.sequence.at(*position).term).collect();
            if !locked.is_empty() {
                let place = format!("{} {}, locked", frame.id.0, self.place(at));
                lists.push(RoundList { place, new: locked.len(), predicates: locked });
            }
        }
        lists
    }

    /// Where a node is, and what became of it.
    fn described(&self, node: &Node) -> String {
        let place = match (node.at, node.by) {
            (Some(at), _) => self.place(at),
            (None, Some(_)) => "error".to_owned(),
            (None, None) => "start".to_owned(),
        };
        match node.status {
            Status::Open => format!("{place}, open"),
            Status::Closed => place,
            Status::Infeasible => format!("{place}, infeasible"),
            Status::Subsumed(by) => format!("{place}, subsumed by {}", by.0),
            Status::Looped(to) => format!("{place}, back to {}", to.0),
        }
    }

    fn place(&self, at: PointId) -> String {
        let location = &self.program.locs[self.graph.point(at).loc.index()];
        let label = location.label.clone().unwrap_or_default();
        match self.program.sources.position(location.span) {
            Some(position) => format!("{label}:{}", position.line),
            None => label,
        }
    }

    /// What happens on an arc: the lines of its last edges.
    fn label(&self, arc: ArcId) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (edge, _) in &self.graph.arc(arc).ways {
            let span = self.program.edge(*edge).span;
            let text = self.program.sources.text(span).unwrap_or_default();
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines.join("; ")
    }
}
