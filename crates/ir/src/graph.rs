//! Graphs of a program: who calls whom, which edges meet at a location, and what can be
//! reached in control flow when data is ignored.
//!
//! Every function here visits each edge a constant number of times.
//!
//! Files: this one (control flow), `calls` (the call graph).

mod calls;

pub use calls::CallGraph;

use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_term::{Fun, Node, Term, Terms};

/// Items grouped by a small number: all groups in one vector, in order.
#[derive(Clone, Debug)]
struct Groups {
    starts: Vec<usize>,
    items: Vec<EdgeId>,
}

impl Groups {
    /// Groups the items of `pairs` by their keys; within a group, the order stays.
    fn new(keys: usize, pairs: &[(usize, EdgeId)]) -> Groups {
        let mut sorted = pairs.to_vec();
        sorted.sort_by_key(|(key, _)| *key);
        let mut starts = vec![0; keys + 1];
        for (key, _) in pairs {
            starts[key + 1] += 1;
        }
        for key in 0..keys {
            starts[key + 1] += starts[key];
        }
        Groups { starts, items: sorted.into_iter().map(|(_, item)| item).collect() }
    }

    fn get(&self, key: usize) -> &[EdgeId] {
        &self.items[self.starts[key]..self.starts[key + 1]]
    }
}

/// Which edges leave and enter each location, and which call each procedure.
#[derive(Clone, Debug)]
pub struct Flow {
    out: Groups,
    into: Groups,
    calls: Groups,
    /// The procedure that starts at a location.
    starting: Vec<Option<ProcId>>,
    /// The procedure that ends at a location.
    ending: Vec<Option<ProcId>>,
}

impl Flow {
    /// The index of a valid program.
    #[must_use]
    pub fn new(program: &Program) -> Flow {
        let (mut out, mut into, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for (id, edge) in program.edges() {
            out.push((edge.from.index(), id));
            into.push((edge.to.index(), id));
            if let Some(callee) = callee(edge) {
                calls.push((callee.index(), id));
            }
        }
        let (mut starting, mut ending) = (vec![None; program.locs.len()], vec![None; program.locs.len()]);
        for (id, proc) in program.procs() {
            starting[proc.entry.index()] = Some(id);
            ending[proc.exit.index()] = Some(id);
        }
        Flow {
            out: Groups::new(program.locs.len(), &out),
            into: Groups::new(program.locs.len(), &into),
            calls: Groups::new(program.procs.len(), &calls),
            starting,
            ending,
        }
    }

    /// The edges that leave a location, in the order of the program.
    #[must_use]
    pub fn out_edges(&self, loc: Loc) -> &[EdgeId] {
        self.out.get(loc.index())
    }

    /// The edges that lead to a location; for calls, the location after the return.
    #[must_use]
    pub fn in_edges(&self, loc: Loc) -> &[EdgeId] {
        self.into.get(loc.index())
    }

    /// The edges that call a procedure.
    #[must_use]
    pub fn calls_to(&self, proc: ProcId) -> &[EdgeId] {
        self.calls.get(proc.index())
    }

    /// The procedure whose entry this is.
    #[must_use]
    pub fn entry_of(&self, loc: Loc) -> Option<ProcId> {
        self.starting[loc.index()]
    }

    /// The procedure whose exit this is.
    #[must_use]
    pub fn exit_of(&self, loc: Loc) -> Option<ProcId> {
        self.ending[loc.index()]
    }
}

/// What a depth-first walk met.
#[derive(Clone, Debug, Default)]
pub struct DepthFirst {
    /// The locations, each after those that it leads to, but for loops.
    pub post_order: Vec<Loc>,
    /// The locations that close a loop: every loop has one of them.
    pub heads: BTreeSet<Loc>,
}

/// Walks from each of the starts to locations that may be entered. `next` numbers the locations that
/// follow one.
#[must_use]
pub fn depth_first(
    starts: impl IntoIterator<Item = Loc>,
    next: impl Fn(Loc, usize) -> Option<Loc>,
    may_enter: impl Fn(Loc) -> bool,
) -> DepthFirst {
    let mut walk = DepthFirst::default();
    // Whether the walk is still behind a location that it met.
    let mut is_open: FxHashMap<Loc, bool> = FxHashMap::default();
    for start in starts {
        if is_open.contains_key(&start) {
            continue;
        }
        is_open.insert(start, true);
        let mut path = vec![(start, 0)];
        while let Some((loc, at)) = path.last_mut() {
            let Some(to) = next(*loc, *at) else {
                is_open.insert(*loc, false);
                walk.post_order.push(*loc);
                path.pop();
                continue;
            };
            *at += 1;
            match is_open.get(&to) {
                _ if !may_enter(to) => {}
                Some(true) => _ = walk.heads.insert(to),
                Some(false) => {}
                None => {
                    is_open.insert(to, true);
                    path.push((to, 0));
                }
            }
        }
    }
    walk
}

/// The procedure that the edge calls, if it is a call.
#[must_use]
pub fn callee(edge: &Edge) -> Option<ProcId> {
    match &edge.op {
        Op::Call { callee, .. } => Some(*callee),
        Op::Assume(_) | Op::Assign(_) | Op::Havoc(_) => None,
    }
}

/// Whether there is one edge, or two whose conditions tell which is taken.
#[must_use]
pub fn are_exclusive(terms: &Terms, program: &Program, edges: &[EdgeId]) -> bool {
    let condition = |id: &EdgeId| match program.edge(*id).op {
        Op::Assume(condition) => Some(condition),
        Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => None,
    };
    let negates = |a: Term, b: Term| matches!(terms.node(a), Node::App(Fun::Not, args) if args[..] == [b]);
    match edges {
        [] | [_] => true,
        [a, b] => match (condition(a), condition(b)) {
            (Some(a), Some(b)) => negates(a, b) || negates(b, a),
            (_, None) | (None, _) => false,
        },
        _ => false,
    }
}

/// A set of locations of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocSet {
    marks: Vec<bool>,
}

impl LocSet {
    /// The empty set.
    #[must_use]
    pub fn new(program: &Program) -> LocSet {
        LocSet { marks: vec![false; program.locs.len()] }
    }

    /// The set of these locations.
    #[must_use]
    pub fn of(program: &Program, locs: &[Loc]) -> LocSet {
        let mut set = LocSet::new(program);
        for loc in locs {
            set.insert(*loc);
        }
        set
    }

    /// Whether the location is in the set.
    #[must_use]
    pub fn contains(&self, loc: Loc) -> bool {
        self.marks.get(loc.index()).copied().unwrap_or(false)
    }

    /// Adds a location; false if it was there.
    pub fn insert(&mut self, loc: Loc) -> bool {
        !std::mem::replace(&mut self.marks[loc.index()], true)
    }

    /// The locations, in order.
    pub fn iter(&self) -> impl Iterator<Item = Loc> {
        self.marks.iter().enumerate().filter(|(_, mark)| **mark).map(|(i, _)| Loc::new(i))
    }
}

/// The locations that control can reach from the start of main. Control does not take edges
/// that `blocked` names and does not leave locations of `stop`; the location after a call is
/// reached only if the callee's exit is.
#[must_use]
pub fn reachable(program: &Program, flow: &Flow, stop: &LocSet, blocked: impl Fn(&Edge) -> bool) -> LocSet {
    explore(program, flow, [program.proc(program.main).entry], stop, blocked)
}

/// For every procedure, whether control can get from its entry to its exit.
#[must_use]
pub fn returning(program: &Program, flow: &Flow) -> Vec<bool> {
    let entries = program.procs.iter().map(|proc| proc.entry);
    let reached = explore(program, flow, entries, &LocSet::new(program), |_| false);
    program.procs.iter().map(|proc| reached.contains(proc.exit)).collect()
}

fn explore(
    program: &Program,
    flow: &Flow,
    starts: impl IntoIterator<Item = Loc>,
    stop: &LocSet,
    blocked: impl Fn(&Edge) -> bool,
) -> LocSet {
    let mut reached = LocSet::new(program);
    let mut work: Vec<Loc> = Vec::new();
    let visit = |loc: Loc, reached: &mut LocSet, work: &mut Vec<Loc>| {
        if reached.insert(loc) {
            work.push(loc);
        }
    };
    // A call waits for its callee's exit, an exit for calls: whichever comes second acts.
    let mut left = LocSet::new(program);
    for start in starts {
        visit(start, &mut reached, &mut work);
    }
    while let Some(loc) = work.pop() {
        if stop.contains(loc) {
            continue;
        }
        left.insert(loc);
        for id in flow.out_edges(loc) {
            let edge = program.edge(*id);
            match callee(edge) {
                _ if blocked(edge) => {}
                None => visit(edge.to, &mut reached, &mut work),
                Some(callee) => {
                    visit(program.proc(callee).entry, &mut reached, &mut work);
                    if left.contains(program.proc(callee).exit) {
                        visit(edge.to, &mut reached, &mut work);
                    }
                }
            }
        }
        for id in flow.exit_of(loc).map_or(&[][..], |proc| flow.calls_to(proc)) {
            let call = program.edge(*id);
            if left.contains(call.from) && !blocked(call) {
                visit(call.to, &mut reached, &mut work);
            }
        }
    }
    reached
}

/// The locations from which control can reach a target before their own procedure returns:
/// along edges, into callees, and past calls of procedures that can return.
#[must_use]
pub fn reaching(program: &Program, flow: &Flow, targets: &LocSet) -> LocSet {
    let returns = returning(program, flow);
    let mut found = targets.clone();
    let mut work: Vec<Loc> = targets.iter().collect();
    while let Some(loc) = work.pop() {
        let passes = |edge: &Edge| callee(edge).is_none_or(|callee| returns[callee.index()]);
        let past = flow.in_edges(loc).iter().filter(|id| passes(program.edge(**id)));
        let into = flow.entry_of(loc).map_or(&[][..], |proc| flow.calls_to(proc));
        for id in past.chain(into) {
            let from = program.edge(*id).from;
            if found.insert(from) {
                work.push(from);
            }
        }
    }
    found
}

/// The locations of `within` from which some path through `within` of edges, calls and
/// returns leads to a target, where a return may go back to any call of its procedure. That
/// is more than [`reaching`] gives, and closed in the way that [`crate::passes::prune`] needs.
#[must_use]
pub fn leading(program: &Program, flow: &Flow, targets: &LocSet, within: &LocSet) -> LocSet {
    let mut found = LocSet::new(program);
    let mut work: Vec<Loc> = Vec::new();
    let visit = |loc: Loc, found: &mut LocSet, work: &mut Vec<Loc>| {
        if within.contains(loc) && found.insert(loc) {
            work.push(loc);
        }
    };
    for target in targets.iter() {
        visit(target, &mut found, &mut work);
    }
    while let Some(loc) = work.pop() {
        for id in flow.in_edges(loc) {
            let edge = program.edge(*id);
            match callee(edge) {
                _ if !within.contains(edge.from) => {}
                None => visit(edge.from, &mut found, &mut work),
                Some(callee) => visit(program.proc(callee).exit, &mut found, &mut work),
            }
        }
        for id in flow.entry_of(loc).map_or(&[][..], |proc| flow.calls_to(proc)) {
            visit(program.edge(*id).from, &mut found, &mut work);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use tamis_term::Terms;

    /// A program of procedures without data. An edge is `from -> to`, or `from -f> to` if it
    /// calls `f`; location 0 is the entry, 1 the exit, and each procedure has `size` of them.
    struct Sketch {
        program: Program,
        terms: Terms,
        size: usize,
    }

    fn sketch(size: usize, procs: &[(&str, &str)]) -> Sketch {
        let (mut program, mut terms) = (Program::new(std::sync::Arc::default()), Terms::new());
        for (number, (name, _)) in procs.iter().enumerate() {
            program.add_proc(name, Span::default());
            for _ in 2..size {
                program.add_loc(Span::default());
            }
            assert_eq!(program.procs[number].entry.index(), number * size);
        }
        for (number, (_, edges)) in procs.iter().enumerate() {
            for edge in edges.split(',').filter(|edge| !edge.trim().is_empty()) {
                let words: Vec<&str> = edge.split_whitespace().collect();
                let [from, arrow, to] = words[..] else { panic!("an edge, not {edge}") };
                let at = |digit: &str| Loc::new(number * size + digit.parse::<usize>().unwrap());
                let name = arrow.trim_matches(['-', '>']);
                let op = match procs.iter().position(|(other, _)| *other == name) {
                    Some(callee) => Op::Call { callee: ProcId::new(callee), args: vec![], results: vec![] },
                    None => Op::Assume(terms.bool(true)),
                };
                program.add_edge(ProcId::new(number), at(from), at(to), op, Span::default());
            }
        }
        Sketch { program, terms, size }
    }

    impl Sketch {
        fn loc(&self, proc: usize, loc: usize) -> Loc {
            Loc::new(proc * self.size + loc)
        }

        fn reachable(&self, stop: &[Loc]) -> Vec<usize> {
            crate::validate::validate(&self.terms, &self.program).unwrap();
            let stop = LocSet::of(&self.program, stop);
            numbers(&reachable(&self.program, &Flow::new(&self.program), &stop, |_| false))
        }

        fn reaching(&self, targets: &[Loc]) -> Vec<usize> {
            let targets = LocSet::of(&self.program, targets);
            numbers(&reaching(&self.program, &Flow::new(&self.program), &targets))
        }

        fn leading(&self, targets: &[Loc]) -> Vec<usize> {
            let (flow, none) = (Flow::new(&self.program), LocSet::new(&self.program));
            let within = reachable(&self.program, &flow, &none, |_| false);
            numbers(&leading(&self.program, &flow, &LocSet::of(&self.program, targets), &within))
        }
    }

    fn numbers(set: &LocSet) -> Vec<usize> {
        set.iter().map(Loc::index).collect()
    }

    fn proc_numbers(procs: &[ProcId]) -> Vec<usize> {
        procs.iter().map(|proc| proc.index()).collect()
    }

    #[test]
    fn a_call_is_passed_only_if_the_callee_returns() {
        let sketch = sketch(3, &[("main", "0 -f> 1, 0 -g> 2"), ("f", "0 -> 2"), ("g", "0 -> 1")]);
        assert_eq!(sketch.reachable(&[]), [0, 2, 3, 5, 6, 7]);
    }

    #[test]
    fn recursion_without_an_end_never_returns() {
        let sketch = sketch(3, &[("main", "0 -f> 1"), ("f", "0 -g> 1"), ("g", "0 -f> 1")]);
        assert_eq!(sketch.reachable(&[]), [0, 3, 6]);
        assert_eq!(returning(&sketch.program, &Flow::new(&sketch.program)), [false; 3]);
    }

    #[test]
    fn recursion_with_an_end_returns() {
        let sketch = sketch(3, &[("main", "0 -f> 1"), ("f", "0 -g> 1"), ("g", "0 -f> 2, 2 -> 1, 0 -> 1")]);
        assert_eq!(sketch.reachable(&[]), [0, 1, 3, 4, 6, 7, 8]);
    }

    #[test]
    fn control_stops_where_it_is_told() {
        let sketch = sketch(3, &[("main", "0 -f> 2, 2 -> 1"), ("f", "0 -> 1")]);
        assert_eq!(sketch.reachable(&[sketch.loc(0, 2)]), [0, 2, 3, 4]);
        assert_eq!(sketch.reachable(&[sketch.loc(1, 1)]), [0, 3, 4], "no return from an exit that stops");
    }

    #[test]
    fn targets_are_reached_through_calls_and_past_them() {
        let sketch = sketch(4, &[("main", "0 -f> 2, 2 -g> 3, 3 -> 1"), ("f", "0 -> 1"), ("g", "0 -> 2, 3 -> 1")]);
        assert_eq!(sketch.reaching(&[sketch.loc(2, 2)]), [0, 2, 8, 10], "inside g");
        assert_eq!(sketch.reaching(&[sketch.loc(0, 3)]), [3], "g does not return");
        assert_eq!(sketch.reaching(&[sketch.loc(0, 2)]), [0, 2], "f returns, but not from within itself");
    }

    #[test]
    fn what_leads_to_a_target_includes_callees_and_all_their_callers() {
        let sketch = sketch(4, &[("main", "0 -f> 2, 0 -> 3, 3 -f> 1"), ("f", "0 -> 1, 0 -> 2")]);
        assert_eq!(sketch.leading(&[sketch.loc(0, 2)]), [0, 2, 3, 4, 5], "3 calls f, though only into a dead end");
    }

    #[test]
    fn components_come_bottom_up() {
        let sketch = sketch(
            3,
            &[
                ("main", "0 -a> 2, 2 -b> 1"),
                ("a", "0 -b> 1"),
                ("b", "0 -c> 2, 2 -d> 1"),
                ("c", "0 -b> 1"),
                ("d", ""),
                ("e", "0 -e> 1"),
            ],
        );
        let calls = CallGraph::new(&sketch.program);
        let components: Vec<Vec<usize>> = calls.components().iter().map(|c| proc_numbers(c)).collect();
        assert_eq!(components, [vec![4], vec![2, 3], vec![1], vec![0], vec![5]]);
        let recursive: Vec<bool> = sketch.program.procs().map(|(id, _)| calls.is_recursive(id)).collect();
        assert_eq!(recursive, [false, false, true, true, false, true]);
        assert_eq!(calls.reachable(sketch.program.main), [true, true, true, true, true, false]);
        assert_eq!(proc_numbers(calls.callees(ProcId::new(2))), [3, 4]);
        assert_eq!(proc_numbers(calls.callers(ProcId::new(2))), [0, 1, 3]);
    }

    #[test]
    fn edges_are_found_by_their_ends_in_order() {
        let sketch = sketch(3, &[("main", "0 -> 2, 0 -> 1, 2 -main> 1")]);
        let flow = Flow::new(&sketch.program);
        let indices = |edges: &[EdgeId]| edges.iter().map(|edge| edge.index).collect::<Vec<_>>();
        assert_eq!(indices(flow.out_edges(sketch.loc(0, 0))), [0, 1]);
        assert_eq!(indices(flow.in_edges(sketch.loc(0, 1))), [1, 2]);
        assert_eq!(indices(flow.calls_to(sketch.program.main)), [2]);
        assert_eq!(flow.entry_of(sketch.loc(0, 0)), Some(sketch.program.main));
        assert_eq!(flow.exit_of(sketch.loc(0, 2)), None);
    }
}
