//! Removes steps that do nothing, which joins and jumps leave behind, and code that control never
//! comes to.

use rustc_hash::{FxHashMap, FxHashSet};
use tamis_ir::{Edge, EdgeId, Loc, Op, ProcId, Program};
use tamis_term::Terms;

/// Tidies all procedures; what is noted about edges moves with them.
pub(super) fn tidy(terms: &Terms, program: &mut Program) {
    let mut moved: FxHashMap<EdgeId, EdgeId> = FxHashMap::default();
    for number in 0..program.procs.len() {
        let proc = ProcId::new(number);
        let next = skips(terms, program, proc);
        let reached = reached(program, proc, &next);
        let procedure = &mut program.procs[number];
        let mut edges: Vec<Edge> = Vec::new();
        for (index, mut edge) in (0..).zip(std::mem::take(&mut procedure.edges)) {
            if !reached.contains(&edge.from) {
                continue;
            }
            edge.to = follow(&next, edge.to);
            let to = u32::try_from(edges.len()).expect("no more edges than before");
            moved.insert(EdgeId { proc, index }, EdgeId { proc, index: to });
            edges.push(edge);
        }
        procedure.edges = edges;
    }
    let notes = &mut program.notes;
    let approximations = std::mem::take(&mut notes.approximations).into_iter();
    notes.approximations = approximations.filter_map(|(edge, what)| Some((*moved.get(&edge)?, what))).collect();
    let inputs = std::mem::take(&mut notes.inputs).into_iter();
    notes.inputs = inputs.filter_map(|(edge, input)| Some((*moved.get(&edge)?, input))).collect();
}

/// Where control goes on from locations that it leaves in one way, doing nothing.
fn skips(terms: &Terms, program: &Program, proc: ProcId) -> FxHashMap<Loc, Loc> {
    let mut only: FxHashMap<Loc, Option<Loc>> = FxHashMap::default();
    for (index, edge) in (0..).zip(&program.proc(proc).edges) {
        let noted = program.notes.approximations.contains_key(&EdgeId { proc, index });
        let nothing = matches!(&edge.op, Op::Assume(condition) if terms.is_true(*condition)) && !noted;
        let target = (nothing && edge.to != edge.from).then_some(edge.to);
        only.entry(edge.from).and_modify(|known| *known = None).or_insert(target);
    }
    let entry = program.proc(proc).entry;
    let mut next = FxHashMap::default();
    next.extend(only.into_iter().filter(|(from, _)| *from != entry).filter_map(|(from, to)| Some((from, to?))));
    next
}

/// The end of a chain of skips. Of an endless chain, where it was entered.
fn follow(next: &FxHashMap<Loc, Loc>, start: Loc) -> Loc {
    let mut at = start;
    for _ in 0..=next.len() {
        match next.get(&at) {
            Some(to) => at = *to,
            None => return at,
        }
    }
    start
}

/// The locations that control comes to when skips are followed at once.
fn reached(program: &Program, proc: ProcId, next: &FxHashMap<Loc, Loc>) -> FxHashSet<Loc> {
    let mut out: FxHashMap<Loc, Vec<Loc>> = FxHashMap::default();
    for edge in &program.proc(proc).edges {
        out.entry(edge.from).or_default().push(edge.to);
    }
    let entry = program.proc(proc).entry;
    let (mut reached, mut work) = (FxHashSet::default(), vec![entry]);
    reached.insert(entry);
    while let Some(at) = work.pop() {
        for to in out.get(&at).into_iter().flatten() {
            let to = follow(next, *to);
            if reached.insert(to) {
                work.push(to);
            }
        }
    }
    reached
}
