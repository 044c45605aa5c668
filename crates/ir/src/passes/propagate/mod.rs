//! Puts constants and copies in where variables are known to be equal to them, and removes
//! branches that are then decided.
//!
//! Files in order of reading: `facts` (what can be known at a location), `analysis` (what is).
//!
//! **The way back.** Every edge that stays does the same to the same variables wherever the facts
//! hold, so a trace only needs its edges renumbered. A proof is inductive on the old edges where
//! the facts hold as well: the way back adds them to the invariants, those about globals and
//! results to the summaries, and drops locations that control does not come to. What a caller
//! knows of a global outlives a call only if the callee's summary says that the global keeps its
//! value: that is added too, with the value at entry.

mod analysis;
mod facts;

use super::{Back, EdgeMap, Passed};
use crate::evidence::{Proof, Trace};
use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Program, PropertyId};
use analysis::Analysis;
use facts::{Facts, copied, fails};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Term, Terms, Var};

/// Puts in what is known.
#[must_use]
pub fn propagate(terms: &mut Terms, program: &Program, _property: PropertyId) -> Passed {
    let analysis = Analysis::new(terms, program);
    let mut new = program.clone();
    let mut origins = Vec::new();
    for (id, proc) in program.procs() {
        let (mut edges, mut origin) = (Vec::new(), Vec::new());
        for (index, edge) in (0..).zip(&proc.edges) {
            let Some(op) = analysis.at(edge.from).and_then(|facts| put_in(terms, facts, &edge.op)) else { continue };
            edges.push(Edge { op, ..edge.clone() });
            origin.push(EdgeId { proc: id, index });
        }
        new.procs[id.index()].edges = edges;
        origins.push(origin);
    }
    let back = Propagated::new(terms, program, &analysis, EdgeMap(origins));
    (new, Box::new(back))
}

/// The operation with what is known put in, unless it can never be carried out.
fn put_in(terms: &mut Terms, facts: &Facts, op: &Op) -> Option<Op> {
    Some(match op {
        Op::Assume(condition) => {
            let condition = facts.apply(terms, &[*condition])[0];
            if fails(terms, condition) {
                return None;
            }
            Op::Assume(condition)
        }
        Op::Assign(pairs) => {
            let (vars, values): (Vec<Var>, Vec<Term>) = pairs.iter().copied().unzip();
            Op::Assign(vars.into_iter().zip(facts.apply(terms, &values)).collect())
        }
        Op::Havoc(vars) => Op::Havoc(vars.clone()),
        Op::Call { callee, args, results } => {
            Op::Call { callee: *callee, args: facts.apply(terms, args), results: results.clone() }
        }
    })
}

/// The way back from a program in which facts were put in.
struct Propagated {
    origins: EdgeMap<EdgeId>,
    /// What is known at each location that control comes to.
    facts: BTreeMap<Loc, Vec<Term>>,
    /// What is known of globals and results when a procedure returns, if it does.
    exits: BTreeMap<ProcId, Vec<Term>>,
    /// The procedure of each location.
    homes: BTreeMap<Loc, ProcId>,
    /// For procedures that are called, the globals that keep their values, among those that some
    /// fact is about.
    kept: BTreeMap<ProcId, Vec<Var>>,
}

impl Propagated {
    fn new(terms: &mut Terms, program: &Program, analysis: &Analysis, origins: EdgeMap<EdgeId>) -> Propagated {
        let (mut facts, mut exits) = (BTreeMap::new(), BTreeMap::new());
        for loc in (0..program.locs.len()).map(Loc::new) {
            if let Some(known) = analysis.at(loc) {
                facts.insert(loc, known.formulas(terms));
            }
        }
        for (id, proc) in program.procs() {
            let Some(mut known) = analysis.at(proc.exit).cloned() else { continue };
            let seen: BTreeSet<Var> = program.globals.iter().chain(&proc.results).copied().collect();
            let hidden: BTreeSet<Var> = known.iter().filter_map(|(_, value)| copied(terms, value)).collect();
            known.forget(terms, &hidden.difference(&seen).copied().collect());
            known.retain(|var| seen.contains(&var));
            exits.insert(id, known.formulas(terms));
        }
        let mut homes = BTreeMap::new();
        for (id, proc) in program.procs() {
            homes.extend([(proc.entry, id), (proc.exit, id)]);
            homes.extend(proc.edges.iter().flat_map(|edge| [edge.from, edge.to]).map(|loc| (loc, id)));
        }
        let subjects = analysis.subjects(terms);
        let called: BTreeSet<ProcId> = program.edges().filter_map(|(_, edge)| crate::graph::callee(edge)).collect();
        let kept = |proc: ProcId| (proc, analysis.untouched(proc).filter(|var| subjects.contains(var)).collect());
        Propagated { origins, facts, exits, homes, kept: called.into_iter().map(kept).collect() }
    }

    /// That the globals which a procedure does not write have their values at entry.
    fn frames(&self, terms: &mut Terms, proof: &mut Proof) -> BTreeMap<ProcId, Vec<Term>> {
        let mut frames = BTreeMap::new();
        for (proc, kept) in &self.kept {
            let mut frame = Vec::new();
            for global in kept {
                let old = proof.old_of(terms, *global);
                let (now, then) = (terms.var(*global), terms.var(old));
                frame.push(terms.eq(now, then));
            }
            frames.insert(*proc, frame);
        }
        frames
    }
}

impl Back for Propagated {
    fn trace(&self, _terms: &Terms, trace: Trace) -> Trace {
        self.origins.rename(trace)
    }

    fn proof(&self, terms: &mut Terms, mut proof: Proof) -> Proof {
        let frames = self.frames(terms, &mut proof);
        let frame = |proc: Option<&ProcId>| proc.and_then(|proc| frames.get(proc)).into_iter().flatten().copied();
        proof.invariants.retain(|loc, _| self.facts.contains_key(loc));
        for (loc, invariant) in &mut proof.invariants {
            let more = self.facts[loc].iter().copied().chain(frame(self.homes.get(loc)));
            *invariant = terms.and(&std::iter::once(*invariant).chain(more).collect::<Vec<_>>());
        }
        proof.summaries.retain(|proc, _| self.exits.contains_key(proc));
        for (proc, summary) in &mut proof.summaries {
            let more = self.exits[proc].iter().copied().chain(frame(Some(proc)));
            *summary = terms.and(&std::iter::once(*summary).chain(more).collect::<Vec<_>>());
        }
        proof
    }
}
