//! What guides the search: what runs have not done before, and the way to the error.

use std::collections::VecDeque;
use tamis_ir::graph::{Flow, callee};
use tamis_ir::{Loc, Program};

/// How many pairs of steps are told apart.
const CELLS: usize = 1 << 16;

/// Which pairs of successive steps were seen, and about how often in one run.
pub(super) struct Coverage {
    /// For each pair, a bit for each order of magnitude that it was counted to.
    seen: Vec<u16>,
    /// For each pair, how often the present run had it.
    counts: Vec<u32>,
    /// The pairs of the present run.
    touched: Vec<usize>,
    last: usize,
}

impl Coverage {
    pub(super) fn new() -> Coverage {
        Coverage { seen: vec![0; CELLS], counts: vec![0; CELLS], touched: Vec::new(), last: 0 }
    }

    /// The present run takes an edge.
    pub(super) fn take(&mut self, edge: usize) {
        let mixed = edge.wrapping_mul(0x9E37_79B9) >> 7;
        let cell = (self.last ^ mixed) % CELLS;
        self.last = (mixed >> 1) % CELLS;
        if self.counts[cell] == 0 {
            self.touched.push(cell);
        }
        self.counts[cell] = self.counts[cell].saturating_add(1);
    }

    /// The present run is over: whether it did something new.
    pub(super) fn is_new(&mut self) -> bool {
        let mut new = false;
        for cell in self.touched.drain(..) {
            let magnitude = (u32::BITS - self.counts[cell].leading_zeros()).min(15);
            new |= self.seen[cell] & (1 << magnitude) == 0;
            self.seen[cell] |= 1 << magnitude;
            self.counts[cell] = 0;
        }
        self.last = 0;
        new
    }
}

/// For every location, how many edges at least are between it and one of `goals`.
pub(super) fn distances(program: &Program, goals: &[Loc]) -> Vec<u32> {
    let flow = Flow::new(program);
    let mut distances = vec![u32::MAX; program.locs.len()];
    let mut work: VecDeque<(Loc, u32)> = goals.iter().map(|loc| (*loc, 0)).collect();
    while let Some((loc, distance)) = work.pop_front() {
        if distances[loc.index()] != u32::MAX {
            continue;
        }
        distances[loc.index()] = distance;
        for id in flow.in_edges(loc) {
            let edge = program.edge(*id);
            work.push_back((edge.from, distance + 1));
            if let Some(callee) = callee(edge) {
                work.push_back((program.proc(callee).exit, distance + 1));
            }
        }
        if let Some(proc) = flow.entry_of(loc) {
            work.extend(flow.calls_to(proc).iter().map(|id| (program.edge(*id).from, distance + 1)));
        }
    }
    distances
}
