//! Entries to which no edge leads: at such a place current values are the inputs.
//!
//! Where a loop begins at an entry, its edges lead to a twin of the entry instead, which has
//! copies of the edges that leave it. A proof says of the entry what it says of either.

use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::{Action, EdgeId, Loc, ProcId, Program, Proof, PropertyId, Trace};
use tamis_term::Terms;

/// A program without edges to entries.
pub(super) struct Apart {
    pub program: Program,
    /// For each twin, the entry.
    pub twins: BTreeMap<Loc, Loc>,
    /// For each copy of an edge, the edge.
    copies: BTreeMap<EdgeId, EdgeId>,
}

impl Apart {
    pub fn new(program: &Program, property: PropertyId) -> Apart {
        let mut apart = Apart { program: program.clone(), twins: BTreeMap::new(), copies: BTreeMap::new() };
        for (id, proc) in program.procs() {
            if proc.edges.iter().any(|edge| edge.to == proc.entry) {
                apart.split(id, proc.entry, property);
            }
        }
        apart
    }

    fn split(&mut self, proc: ProcId, entry: Loc, property: PropertyId) {
        let program = &mut self.program;
        let twin = program.add_loc(program.locs[entry.index()].span);
        self.twins.insert(twin, entry);
        let locs = &mut program.errors[property.index()].locs;
        if locs.contains(&entry) {
            locs.push(twin);
        }
        let edges = &mut program.procs[proc.index()].edges;
        for edge in edges.iter_mut().filter(|edge| edge.to == entry) {
            edge.to = twin;
        }
        let leaving: Vec<usize> = (0..edges.len()).filter(|at| edges[*at].from == entry).collect();
        for at in leaving {
            let edge = program.procs[proc.index()].edges[at].clone();
            let copy = program.add_edge(proc, twin, edge.to, edge.op, edge.span);
            let index = u32::try_from(at).unwrap_or(u32::MAX);
            self.copies.insert(copy, EdgeId { proc, index });
        }
    }

    /// The trace of the program as it was.
    pub fn trace(&self, mut trace: Trace) -> Trace {
        for step in &mut trace.steps {
            if let Action::Take { edge, .. } = &mut step.action {
                *edge = self.copies.get(edge).copied().unwrap_or(*edge);
            }
        }
        trace
    }

    /// The proof of the program as it was.
    pub fn proof(&self, terms: &mut Terms, mut proof: Proof) -> Proof {
        for (twin, entry) in &self.twins {
            let claims: Vec<_> = [twin, entry].into_iter().filter_map(|loc| proof.invariants.remove(loc)).collect();
            if !claims.is_empty() {
                proof.invariants.insert(*entry, terms.or(&claims));
            }
        }
        let twins: BTreeSet<Loc> = self.twins.keys().copied().collect();
        proof.passed.retain(|loc| !twins.contains(loc));
        proof
    }
}
