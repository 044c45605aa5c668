//! Cut points: locations at which every loop is cut. What happens between two of them is a
//! function of the values at the first and of what is chosen on the way.

use super::Size;
use crate::graph;
use crate::program::{EdgeId, Loc, Op, ProcId, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::Terms;

/// The cut points of a procedure.
#[derive(Clone, Debug)]
pub struct Cuts {
    /// The cut points, in order.
    pub locs: Vec<Loc>,
    /// For each, the edges that are taken from it whatever happens: choices and assumptions.
    pub prefixes: Vec<Vec<EdgeId>>,
    /// The edges that leave each location and can be taken, without calls.
    pub out: BTreeMap<Loc, Vec<EdgeId>>,
    /// The edges that lead to each location, without calls.
    pub into: BTreeMap<Loc, Vec<EdgeId>>,
    /// The calls that can be reached.
    pub calls: Vec<EdgeId>,
}

impl Cuts {
    /// The cut points of a procedure: one on each loop, both ends of each call, and those of
    /// `more`. If there are none, the entry is one.
    #[must_use]
    pub fn new(
        terms: &Terms,
        program: &Program,
        proc: ProcId,
        errors: &BTreeSet<Loc>,
        size: Size,
        more: &BTreeSet<Loc>,
    ) -> Cuts {
        let Edges { out, into, calls } = reachable(terms, program, proc, errors);
        let entry = program.proc(proc).entry;
        let ends = calls.iter().map(|id| program.edge(*id)).flat_map(|edge| [edge.from, edge.to]);
        let mut found: BTreeSet<Loc> = ends.chain(more.iter().copied()).collect();
        if size == Size::Branches {
            found.extend(out.iter().filter(|(_, edges)| edges.len() > 1).map(|(loc, _)| *loc));
            let meets = |(loc, edges): &(&Loc, &Vec<EdgeId>)| edges.len() > 1 && !errors.contains(loc);
            found.extend(into.iter().filter(meets).map(|(loc, _)| *loc));
        }
        match size {
            Size::Large | Size::Branches => {
                let starts = std::iter::once(entry).chain(found.iter().copied());
                let next = |loc: Loc, at: usize| Some(program.edge(*out.get(&loc)?.get(at)?).to);
                let heads = graph::depth_first(starts, next, |_| true).heads;
                found.extend(heads);
            }
            Size::Single => found.extend(out.keys()),
        }
        // A loop that begins at once: the start is the state before the first round.
        if found.is_empty() {
            found.insert(entry);
        }
        let mut cuts = Cuts { locs: Vec::new(), prefixes: Vec::new(), out, into, calls };
        cuts.prefixes = found.iter().map(|cut| cuts.prefix(program, *cut, &found)).collect();
        cuts.locs = found.into_iter().collect();
        cuts
    }

    /// The number of the cut point at a location.
    #[must_use]
    pub fn number(&self, loc: Loc) -> Option<usize> {
        self.locs.binary_search(&loc).ok()
    }

    /// The edges that leave a location.
    #[must_use]
    pub fn out(&self, loc: Loc) -> &[EdgeId] {
        self.out.get(&loc).map_or(&[], Vec::as_slice)
    }

    /// The edges from a cut point on as long as there is only one way, and no other way there.
    fn prefix(&self, program: &Program, cut: Loc, cuts: &BTreeSet<Loc>) -> Vec<EdgeId> {
        let mut found = Vec::new();
        let mut at = cut;
        while let [only] = self.out(at) {
            let edge = program.edge(*only);
            let alone = self.into.get(&edge.to).is_some_and(|into| into.len() == 1);
            let early = matches!(edge.op, Op::Havoc(_) | Op::Assume(_));
            if !early || !alone || cuts.contains(&edge.to) || self.out(edge.to).is_empty() {
                break;
            }
            found.push(*only);
            at = edge.to;
        }
        found
    }
}

type ByLoc = BTreeMap<Loc, Vec<EdgeId>>;

/// The edges of a procedure that can be reached; none leaves an error.
struct Edges {
    out: ByLoc,
    into: ByLoc,
    calls: Vec<EdgeId>,
}

fn reachable(terms: &Terms, program: &Program, proc: ProcId, errors: &BTreeSet<Loc>) -> Edges {
    let mut all = ByLoc::new();
    for (index, edge) in (0..).zip(&program.proc(proc).edges) {
        let never = matches!(edge.op, Op::Assume(condition) if terms.is_false(condition));
        if !never && !errors.contains(&edge.from) {
            all.entry(edge.from).or_default().push(EdgeId { proc, index });
        }
    }
    let mut found = Edges { out: ByLoc::new(), into: ByLoc::new(), calls: Vec::new() };
    let mut waiting = vec![program.proc(proc).entry];
    while let Some(loc) = waiting.pop() {
        let Some(edges) = all.remove(&loc) else { continue };
        waiting.extend(edges.iter().map(|id| program.edge(*id).to));
        let is_call = |id: &EdgeId| matches!(program.edge(*id).op, Op::Call { .. });
        let (calls, others): (Vec<EdgeId>, Vec<EdgeId>) = edges.into_iter().partition(is_call);
        for id in &others {
            found.into.entry(program.edge(*id).to).or_default().push(*id);
        }
        found.calls.extend(calls);
        found.out.insert(loc, others);
    }
    found
}
