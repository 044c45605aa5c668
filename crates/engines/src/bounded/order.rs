//! The order in which places are visited, so that all ways that meet at one have met before it is
//! left. Locations of a procedure are ranked so that edges go up, except for those that close a
//! loop; a call is between the place of the call and the one after it.

use tamis_ir::graph::{CallGraph, Flow};
use tamis_ir::{Loc, ProcId, Program};

/// Where control is, with all calls that wait. Ordered by the ranks of locations, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place(Vec<(u32, u32)>);

/// The ranks of all locations.
pub(super) struct Order {
    rank: Vec<u32>,
    recursive: Vec<bool>,
}

impl Order {
    pub(super) fn new(program: &Program, flow: &Flow) -> Order {
        let mut rank = vec![0; program.locs.len()];
        for (_, proc) in program.procs() {
            for (number, loc) in (0..).zip(downward(program, flow, proc.entry).into_iter().rev()) {
                rank[loc.index()] = number;
            }
        }
        let calls = CallGraph::new(program);
        let recursive = program.procs().map(|(id, _)| calls.is_recursive(id)).collect();
        Order { rank, recursive }
    }

    /// Whether an edge closes a loop.
    pub(super) fn closes_loop(&self, from: Loc, to: Loc) -> bool {
        self.rank[to.index()] <= self.rank[from.index()]
    }

    pub(super) fn is_recursive(&self, proc: ProcId) -> bool {
        self.recursive[proc.index()]
    }

    /// The start of the program.
    pub(super) fn start(&self, entry: Loc) -> Place {
        Place(vec![(self.rank[entry.index()], 0)])
    }

    /// Another location of the same activation.
    pub(super) fn moved(&self, place: &Place, to: Loc) -> Place {
        let mut steps = place.0.clone();
        steps.pop();
        steps.push((self.rank[to.index()], 0));
        Place(steps)
    }

    /// The entry of a procedure that is called from here by the edge of that number.
    pub(super) fn called(&self, place: &Place, edge: u32, entry: Loc) -> Place {
        let mut steps = place.0.clone();
        if let Some(last) = steps.last_mut() {
            last.1 = edge + 1;
        }
        steps.push((self.rank[entry.index()], 0));
        Place(steps)
    }

    /// Where the caller goes on.
    pub(super) fn returned(&self, place: &Place, to: Loc) -> Place {
        let mut steps = place.0.clone();
        steps.truncate(steps.len().saturating_sub(2));
        steps.push((self.rank[to.index()], 0));
        Place(steps)
    }
}

/// The locations that control can come to from an entry, each after those that its edges lead to,
/// but for loops.
fn downward(program: &Program, flow: &Flow, entry: Loc) -> Vec<Loc> {
    let mut order = Vec::new();
    let mut seen = vec![false; program.locs.len()];
    seen[entry.index()] = true;
    let mut stack = vec![(entry, 0)];
    while let Some((loc, next)) = stack.last_mut() {
        let edge = flow.out_edges(*loc).get(*next);
        *next += 1;
        match edge.map(|id| program.edge(*id).to) {
            None => {
                order.push(*loc);
                stack.pop();
            }
            Some(to) if !std::mem::replace(&mut seen[to.index()], true) => stack.push((to, 0)),
            Some(_) => {}
        }
    }
    order
}
