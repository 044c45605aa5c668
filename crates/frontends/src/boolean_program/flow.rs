//! Control flow while a function is lowered.
//!
//! Between two statements control is not at a location yet: it is on edges that lead
//! somewhere still unknown, or at locations where it has a choice. A location is made only
//! when a statement needs one, so that joins, `goto`, `return` and nondeterministic branches
//! cost none of their own.

use tamis_ir::{Loc, Op, ProcId, Program, Span};
use tamis_term::Term;

/// Where control comes from.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// Edges of the procedure whose targets are still open.
    edges: Vec<usize>,
    /// Locations at which control simply goes on, and the statement that brought it there.
    /// Other flows may go on from the same location: it then stands for a choice.
    at: Vec<(Loc, Span)>,
}

impl Flow {
    /// Control is at a location.
    pub fn at(loc: Loc, span: Span) -> Flow {
        Flow { edges: Vec::new(), at: vec![(loc, span)] }
    }

    /// Whether control never comes here.
    pub fn is_dead(&self) -> bool {
        self.edges.is_empty() && self.at.is_empty()
    }

    /// Both flows together.
    pub fn join(self, other: Flow) -> Flow {
        // The longer list grows, so that deep nests of branches stay cheap.
        let (mut long, short) = if self.edges.len() + self.at.len() < other.edges.len() + other.at.len() {
            (other, self)
        } else {
            (self, other)
        };
        long.edges.extend(short.edges);
        long.at.extend(short.at);
        long
    }

    /// Attributes the steps that are still to be made to the statement at `span`.
    pub fn because(mut self, span: Span) -> Flow {
        self.at.iter_mut().for_each(|(_, old)| *old = span);
        self
    }

    /// The same flow, each location once.
    fn tidy(mut self) -> Flow {
        self.at.sort_unstable();
        self.at.dedup_by_key(|(loc, _)| *loc);
        self
    }
}

/// The procedure that is being built.
#[derive(Debug)]
pub(super) struct Graph<'p> {
    pub program: &'p mut Program,
    pub proc: ProcId,
    /// The formula true.
    pub always: Term,
}

impl Graph<'_> {
    /// Lets control go on at a location.
    pub fn land(&mut self, flow: Flow, loc: Loc) {
        let flow = flow.tidy();
        for edge in flow.edges {
            self.program.procs[self.proc.index()].edges[edge].to = loc;
        }
        for (from, span) in flow.at {
            // A step from a location to itself that does nothing is no step.
            if from != loc {
                self.program.add_edge(self.proc, from, loc, Op::Assume(self.always), span);
            }
        }
    }

    /// A location for a statement that may share it with alternatives; none if control never
    /// comes here.
    pub fn settle(&mut self, flow: Flow, span: Span) -> Option<Loc> {
        let flow = flow.tidy();
        match (flow.edges.as_slice(), flow.at.as_slice()) {
            ([], []) => None,
            ([], [(loc, _)]) => Some(*loc),
            _ => Some(self.own(flow, span)),
        }
    }

    /// A new location, which the statement shares with nothing.
    pub fn own(&mut self, flow: Flow, span: Span) -> Loc {
        let loc = self.program.add_loc(span);
        self.land(flow, loc);
        loc
    }

    /// An edge with an open target.
    pub fn edge(&mut self, from: Loc, op: Op, span: Span) -> Flow {
        let index = self.program.procs[self.proc.index()].edges.len();
        self.program.add_edge(self.proc, from, from, op, span);
        Flow { edges: vec![index], at: Vec::new() }
    }

    /// One operation on all of a flow.
    pub fn step(&mut self, flow: Flow, op: Op, span: Span) -> Flow {
        match self.settle(flow, span) {
            Some(from) => self.edge(from, op, span),
            None => Flow::default(),
        }
    }
}
