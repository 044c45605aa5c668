//! The way back: traces without the assumptions, and proofs with all that the equations follow from.

use super::analysis::Analysis;
use super::linear::formula;
use super::relevance::{guarded, related};
use super::rows::{Row, Rows};
use crate::evidence::{Action, Proof, Trace};
use crate::graph::Flow;
use crate::passes::{Back, EdgeMap, no_edge};
use crate::program::{EdgeId, Loc, ProcId, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Term, Terms, Var};

/// What is known of words of one width, as far as it matters.
pub(super) struct Known {
    width: u32,
    /// By location.
    rows: BTreeMap<Loc, (ProcId, Vec<Row>)>,
    /// By procedure, of what a call returns.
    exits: BTreeMap<ProcId, Vec<Row>>,
    /// By procedure: what columns stand for; first values at entry, so many of them.
    columns: Vec<(usize, Vec<Var>)>,
}

impl Known {
    pub(super) fn new(
        terms: &Terms,
        program: &Program,
        flow: &Flow,
        analysis: &Analysis,
        subjects: &BTreeSet<Var>,
    ) -> Known {
        let columns: Vec<(usize, Vec<Var>)> =
            analysis.spaces.iter().map(|space| (space.old.len(), [&space.old[..], &space.vars].concat())).collect();
        let mut rows: BTreeMap<Loc, (ProcId, Vec<Row>)> = BTreeMap::new();
        for (id, proc) in program.procs() {
            let locs = proc.edges.iter().flat_map(|edge| [edge.from, edge.to]).chain([proc.entry, proc.exit]);
            for loc in locs {
                if let Some(known) = &analysis.states[loc.index()] {
                    rows.entry(loc).or_insert_with(|| (id, known.solved()));
                }
            }
        }
        let vars = |proc: ProcId, row: &Row| -> Vec<Var> {
            let columns = &columns[proc.index()].1;
            columns.iter().zip(row).filter(|(_, entry)| **entry != 0).map(|(var, _)| *var).collect()
        };
        // What an equation follows from is about variables that a step or another equation relates
        // to its own.
        let mut groups = related(terms, program, analysis.width);
        groups.extend(guarded(terms, program, analysis.width));
        groups.extend(rows.values().flat_map(|(proc, rows)| rows.iter().map(|row| vars(*proc, row))));
        let matter = closure(&groups, subjects);
        for (proc, rows) in rows.values_mut() {
            rows.retain(|row| vars(*proc, row).iter().any(|var| matter.contains(var)));
        }
        rows.retain(|_, (_, rows)| !rows.is_empty());
        let mut exits = BTreeMap::new();
        for (id, proc) in program.procs().filter(|(id, _)| !flow.calls_to(*id).is_empty()) {
            let Some(known) = &analysis.states[proc.exit.index()] else { continue };
            let (old, columns) = &columns[id.index()];
            let is_seen = |at: &usize| {
                *at < *old || program.globals.contains(&columns[*at]) || proc.results.contains(&columns[*at])
            };
            let (seen, hidden): (Vec<usize>, Vec<usize>) = (0..columns.len()).partition(is_seen);
            let mut returned = about(known, analysis.width, &hidden, &seen, columns.len());
            returned.retain(|row| vars(id, row).iter().any(|var| matter.contains(var)));
            exits.insert(id, returned);
        }
        Known { width: analysis.width, rows, exits, columns }
    }

    fn formulas(&self, terms: &mut Terms, proof: &mut Proof, proc: ProcId, rows: &[Row]) -> Vec<Term> {
        let (old, columns) = &self.columns[proc.index()];
        let mut leaf = |terms: &mut Terms, column: usize| {
            let var = columns[column];
            if column >= *old {
                return terms.var(var);
            }
            let then = proof.old_of(terms, var);
            terms.var(then)
        };
        rows.iter().map(|row| formula(terms, row, self.width, &mut leaf)).collect()
    }
}

/// What rows say about some of their columns alone, as rows over all.
fn about(rows: &Rows, width: u32, hidden: &[usize], seen: &[usize], columns: usize) -> Vec<Row> {
    let mut sorted = Rows::new(width, columns);
    for row in rows.iter() {
        sorted.insert(hidden.iter().chain(seen).chain([&columns]).map(|at| row[*at]).collect());
    }
    let spread = |row: &Row| {
        let mut all = vec![0; columns + 1];
        for (at, entry) in seen.iter().chain([&columns]).zip(row) {
            all[*at] = *entry;
        }
        all
    };
    sorted.without_first(hidden.len()).solved().iter().map(spread).collect()
}

/// The variables that groups connect with some.
fn closure(groups: &[Vec<Var>], start: &BTreeSet<Var>) -> BTreeSet<Var> {
    let mut members: BTreeMap<Var, Vec<usize>> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        for var in group {
            members.entry(*var).or_default().push(number);
        }
    }
    let (mut found, mut waiting): (BTreeSet<Var>, Vec<Var>) = (start.clone(), start.iter().copied().collect());
    while let Some(var) = waiting.pop() {
        for number in members.remove(&var).unwrap_or_default() {
            waiting.extend(groups[number].iter().copied().filter(|var| found.insert(*var)));
        }
    }
    found
}

/// The way back from a program with assumptions.
pub(super) struct Assumed {
    /// The old edges of edges.
    pub(super) origins: EdgeMap<Option<EdgeId>>,
    /// The new locations, and the ones after them.
    pub(super) before: BTreeMap<Loc, Loc>,
    /// What its invariants need, by width.
    pub(super) known: Vec<Known>,
}

impl Back for Assumed {
    fn trace(&self, _terms: &Terms, mut trace: Trace) -> Trace {
        trace.steps.retain_mut(|step| match &mut step.action {
            Action::Return => true,
            Action::Take { edge, .. } => match self.origins.get(*edge) {
                Some(None) => false,
                Some(Some(old)) => {
                    *edge = *old;
                    true
                }
                None => {
                    *edge = no_edge(*edge);
                    true
                }
            },
        });
        trace
    }

    fn proof(&self, terms: &mut Terms, mut proof: Proof) -> Proof {
        for (new, old) in &self.before {
            let passed = proof.passed.remove(new);
            match proof.invariants.remove(new) {
                Some(invariant) => {
                    proof.invariants.entry(*old).or_insert(invariant);
                    proof.passed.remove(old);
                }
                None if passed => {}
                // Control does not come there, and so not to the one after it.
                None => {
                    proof.invariants.remove(old);
                    proof.passed.remove(old);
                }
            }
        }
        for known in &self.known {
            let listed: Vec<Loc> =
                proof.invariants.keys().filter(|loc| known.rows.contains_key(loc)).copied().collect();
            for loc in listed {
                let (proc, rows) = &known.rows[&loc];
                let more = known.formulas(terms, &mut proof, *proc, rows);
                let all: Vec<Term> = proof.invariants.get(&loc).copied().into_iter().chain(more).collect();
                proof.invariants.insert(loc, terms.and(&all));
            }
            for (proc, rows) in &known.exits {
                let Some(summary) = proof.summaries.get(proc).copied() else { continue };
                let more = known.formulas(terms, &mut proof, *proc, rows);
                proof.summaries.insert(*proc, terms.and(&[&[summary], &more[..]].concat()));
            }
        }
        proof
    }
}
