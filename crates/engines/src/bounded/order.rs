//! The order in which places are visited, so that all ways that meet at one have met before it is
//! left. Locations of a procedure are ranked so that edges go up, except for those that close a
//! loop; a call is between the place of the call and the one after it.

use tamis_ir::graph::{CallGraph, Flow, depth_first};
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
            let next = |loc, at: usize| flow.out_edges(loc).get(at).map(|id| program.edge(*id).to);
            let walk = depth_first([proc.entry], next, |_| true);
            for (number, loc) in (0..).zip(walk.post_order.into_iter().rev()) {
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
