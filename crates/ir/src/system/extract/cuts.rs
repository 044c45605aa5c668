//! Cut points: locations at which every loop is cut, and with them every choice of a value, so
//! that what happens between two of them is a function of the values at the first and of what is
//! chosen there.

use crate::program::{EdgeId, Loc, Op, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::Terms;

/// The cut points of a program without calls.
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    /// The cut points, in order.
    pub(super) locs: Vec<Loc>,
    /// For each, the edges that are taken from it whatever happens: choices and assumptions.
    pub(super) prefixes: Vec<Vec<EdgeId>>,
    /// The edges that leave each location and can be taken.
    pub(super) out: BTreeMap<Loc, Vec<EdgeId>>,
    /// The edges that lead to each location.
    pub(super) into: BTreeMap<Loc, Vec<EdgeId>>,
}

impl Cuts {
    /// The cut points, of which the entry is one if that is asked for.
    pub(super) fn new(terms: &Terms, program: &Program, errors: &BTreeSet<Loc>, entry: bool) -> Cuts {
        let (out, into) = reachable(terms, program, errors);
        let mut found = loop_heads(program, &out);
        let start = program.proc(program.main).entry;
        // A loop that begins at once: the start is the state before the first round.
        if entry || found.is_empty() {
            found.insert(start);
        }
        let mut cuts = Cuts { locs: Vec::new(), prefixes: Vec::new(), out, into };
        loop {
            cuts.prefixes = found.iter().map(|cut| cuts.prefix(program, *cut, &found)).collect();
            let early: BTreeSet<EdgeId> = cuts.prefixes.iter().flatten().copied().collect();
            let choices = cuts.out.values().flatten().filter(|id| is_havoc(program, **id) && !early.contains(*id));
            let ends: Vec<Loc> = choices.flat_map(|id| [program.edge(*id).from, program.edge(*id).to]).collect();
            let before = found.len();
            found.extend(ends.into_iter().filter(|loc| !errors.contains(loc)));
            if found.len() == before {
                break;
            }
        }
        cuts.locs = found.into_iter().collect();
        cuts
    }

    /// The number of the cut point at a location.
    pub(super) fn number(&self, loc: Loc) -> Option<usize> {
        self.locs.binary_search(&loc).ok()
    }

    pub(super) fn out(&self, loc: Loc) -> &[EdgeId] {
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

fn is_havoc(program: &Program, id: EdgeId) -> bool {
    matches!(program.edge(id).op, Op::Havoc(_))
}

type Edges = BTreeMap<Loc, Vec<EdgeId>>;

/// The edges of main that can be reached; none leaves an error.
fn reachable(terms: &Terms, program: &Program, errors: &BTreeSet<Loc>) -> (Edges, Edges) {
    let mut all = Edges::new();
    for (id, edge) in program.edges().filter(|(id, _)| id.proc == program.main) {
        let never = matches!(edge.op, Op::Assume(condition) if terms.is_false(condition));
        if !never && !errors.contains(&edge.from) {
            all.entry(edge.from).or_default().push(id);
        }
    }
    let (mut out, mut into) = (Edges::new(), Edges::new());
    let mut waiting = vec![program.proc(program.main).entry];
    while let Some(loc) = waiting.pop() {
        let Some(edges) = all.remove(&loc) else { continue };
        for id in &edges {
            let to = program.edge(*id).to;
            into.entry(to).or_default().push(*id);
            waiting.push(to);
        }
        out.insert(loc, edges);
    }
    (out, into)
}

/// The locations that close a loop in a depth-first walk: every loop has one of them.
fn loop_heads(program: &Program, out: &Edges) -> BTreeSet<Loc> {
    let mut heads = BTreeSet::new();
    let start = program.proc(program.main).entry;
    let (mut open, mut seen) = (BTreeSet::from([start]), BTreeSet::from([start]));
    let mut stack = vec![(start, 0)];
    while let Some((loc, next)) = stack.last_mut() {
        let edge = out.get(loc).and_then(|edges| edges.get(*next));
        *next += 1;
        let Some(id) = edge else {
            open.remove(loc);
            stack.pop();
            continue;
        };
        let to = program.edge(*id).to;
        if open.contains(&to) {
            heads.insert(to);
        } else if seen.insert(to) {
            open.insert(to);
            stack.push((to, 0));
        }
    }
    heads
}
