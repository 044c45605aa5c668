//! Where branches join again: the part of the post-dominator tree that runs surely get through.
//!
//! A location is *calm* if no run ends or waits there: some edge can always be taken, none is a
//! call, it is no exit and no target of the analysis, and no loop starts there. (Every loop
//! has a location that a depth-first walk comes back to; that one is not calm.) A run that is
//! at a calm location therefore goes on, and as long as it is at calm locations it does not
//! come back. The *join* of a calm location is the first location that all its runs go through.
//!
//! The tree is built in one walk, because in post-order all successors come first: the join is
//! their nearest common ancestor (Cooper, Harvey, Kennedy, "A simple, fast dominance algorithm",
//! 2001). Ancestors are found in logarithmic time by jump pointers (Myers, "An applicative
//! random-access stack", 1983).

use crate::graph::{DepthFirst, Flow, LocSet, depth_first};
use crate::program::{EdgeId, Loc, Op, Program};
use tamis_term::{Term, Terms};

/// The joins of a program.
#[derive(Debug)]
pub struct Joins {
    nodes: Vec<Node>,
    /// The branching locations that decide whether a run comes through a location: control
    /// dependence (Ferrante, Ottenstein, Warren, 1987), on locations with a join.
    deciders: Vec<Vec<Loc>>,
}

/// A location in the tree of joins.
#[derive(Clone, Copy, Debug)]
struct Node {
    join: Option<Loc>,
    depth: u32,
    /// An ancestor further up; roots point at themselves.
    jump: Loc,
}

impl Joins {
    /// The joins of a program in which runs of interest end at `targets`.
    #[must_use]
    pub fn new(terms: &mut Terms, program: &Program, flow: &Flow, targets: &LocSet) -> Joins {
        let (order, heads) = walk(program, flow);
        let root = |loc| Node { join: None, depth: 0, jump: Loc::new(loc) };
        let mut joins = Joins {
            nodes: (0..program.locs.len()).map(root).collect(),
            deciders: vec![Vec::new(); program.locs.len()],
        };
        for loc in order {
            let edges = flow.out_edges(loc);
            if targets.contains(loc) || heads.contains(loc) || !goes_on(terms, program, edges) {
                continue;
            }
            let mut next = edges.iter().map(|id| program.edge(*id).to);
            let Some(first) = next.next() else { continue };
            if let Some(join) = next.try_fold(first, |a, b| joins.common(a, b)) {
                joins.hang(loc, join);
                for id in edges {
                    joins.decide(loc, program.edge(*id).to, join);
                }
            }
        }
        joins
    }

    /// The first location that all runs from `loc` go through, if nothing can stop them before.
    #[must_use]
    pub fn join(&self, loc: Loc) -> Option<Loc> {
        self.nodes[loc.index()].join
    }

    /// The branching locations with a join such that some runs from them come through `loc`
    /// before the join and others do not; only the nearest ones, from which [`Joins::deciders`]
    /// leads to the others.
    #[must_use]
    pub fn deciders(&self, loc: Loc) -> &[Loc] {
        &self.deciders[loc.index()]
    }

    /// Makes `join` the parent of `loc`.
    fn hang(&mut self, loc: Loc, join: Loc) {
        let parent = self.nodes[join.index()];
        let far = self.nodes[parent.jump.index()];
        let even = parent.depth - far.depth == far.depth - self.nodes[far.jump.index()].depth;
        let jump = if even { far.jump } else { join };
        self.nodes[loc.index()] = Node { join: Some(join), depth: parent.depth + 1, jump };
    }

    /// The nearest common ancestor of two locations; a location is an ancestor of itself.
    fn common(&self, mut a: Loc, mut b: Loc) -> Option<Loc> {
        let node = |loc: Loc| self.nodes[loc.index()];
        if node(a).depth < node(b).depth {
            (a, b) = (b, a);
        }
        while node(a).depth > node(b).depth {
            a = if node(node(a).jump).depth >= node(b).depth { node(a).jump } else { node(a).join? };
        }
        while a != b {
            (a, b) = if node(a).jump == node(b).jump {
                (node(a).join?, node(b).join?)
            } else if node(a).depth == 0 {
                return None;
            } else {
                (node(a).jump, node(b).jump)
            };
        }
        Some(a)
    }

    /// Notes that the branch at `decider` decides about what is on the way from `first` to `join`.
    fn decide(&mut self, decider: Loc, first: Loc, join: Loc) {
        let mut loc = first;
        while loc != join {
            let deciders = &mut self.deciders[loc.index()];
            if deciders.last() != Some(&decider) {
                deciders.push(decider);
            }
            loc = self.join(loc).expect("the join is an ancestor of every successor");
        }
    }
}

/// All locations in post-order, and those that the walk came back to while it was behind them.
fn walk(program: &Program, flow: &Flow) -> (Vec<Loc>, LocSet) {
    let entries = program.procs.iter().map(|proc| proc.entry);
    let starts = entries.chain((0..program.locs.len()).map(Loc::new));
    let next = |loc, at: usize| flow.out_edges(loc).get(at).map(|id| program.edge(*id).to);
    let DepthFirst { post_order, heads } = depth_first(starts, next, |_| true);
    (post_order, LocSet::of(program, &heads.into_iter().collect::<Vec<_>>()))
}

/// Whether one of the edges can always be taken, and none is a call. Conditions are compared
/// as they are written: one must be the negation of another.
fn goes_on(terms: &mut Terms, program: &Program, edges: &[EdgeId]) -> bool {
    let mut always = false;
    let mut conditions: Vec<Term> = Vec::new();
    for id in edges {
        match &program.edge(*id).op {
            Op::Call { .. } => return false,
            Op::Assume(condition) => conditions.push(*condition),
            Op::Assign(_) | Op::Havoc(_) => always = true,
        }
    }
    let any = terms.or(&conditions);
    always || terms.is_true(any)
}
