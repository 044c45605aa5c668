//! Assumes the linear equations that hold at loops and after calls: `x + y == n`, `s == 2*i`, and
//! modulo smaller powers of two, as that `x` is odd.
//!
//! They are found by Müller-Olm and Seidl's analysis ("Analysis of modular arithmetic", 2007), in
//! the form of King and Søndergaard with values before and after (Elder et al., 2014). For machine
//! words it is exact where all is linear, wrap-around included; interpolants rarely find such
//! equations, and with them need little else.
//!
//! Files in order of reading: `rows` (equations in Howell form), `linear` (from terms and back),
//! `analysis` (what holds where).
//!
//! **The way back.** The new program has a location before each that something is assumed at: all
//! that led there leads to the new one, from which only the assumption goes on. A trace leaves
//! these steps out. A proof needs the equations as part of its invariants and summaries, with all
//! that they follow from; what it said about a new location holds at the one after it.

mod analysis;
mod linear;
mod rows;

use super::{Back, EdgeMap, Passed};
use crate::evidence::{Action, Proof, Trace};
use crate::graph::{self, Flow};
use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Program, PropertyId};
use analysis::{Analysis, guarded, related};
use linear::formula;
use rows::{Row, Rows};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Sort, Term, Terms, Var};

/// How many summands an equation that is assumed may have.
const LONGEST: usize = 6;

/// Assumes equations.
#[must_use]
pub fn equations(terms: &mut Terms, program: &Program, property: PropertyId) -> Passed {
    let flow = Flow::new(program);
    let analyses: Vec<Analysis> =
        widths(terms, program).into_iter().filter_map(|width| Analysis::new(terms, program, &flow, width)).collect();
    let errors = &program.property(property).locs;
    let places: Vec<Place> = places(program, &flow).into_iter().filter(|place| !errors.contains(&place.loc)).collect();
    let mut assumed: BTreeMap<(Loc, ProcId), Vec<Term>> = BTreeMap::new();
    for place in &places {
        for found in analyses.iter().flat_map(|analysis| place.equations(terms, analysis)).collect::<Vec<_>>() {
            assumed.entry((place.loc, place.proc)).or_default().push(found);
        }
    }
    let (new, origins, before) = with_assumptions(terms, program, &assumed);
    let subjects: Vec<Term> = assumed.into_values().flatten().collect();
    let subjects = terms.free_vars(&subjects);
    let known = if subjects.is_empty() { Vec::new() } else { analyses };
    let known = known.iter().map(|analysis| Known::new(terms, program, &flow, analysis, &subjects)).collect();
    (new, Box::new(Assumed { origins, before, known }))
}

/// How many bits words have.
fn widths(terms: &Terms, program: &Program) -> BTreeSet<u32> {
    let vars = program.globals.iter().copied().chain(program.procs.iter().flat_map(crate::Procedure::vars));
    let width = |var| match terms.var_sort(var) {
        Sort::BitVec(width) => Some(*width).filter(|width| (2..=64).contains(width)),
        Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => None,
    };
    vars.filter_map(width).collect()
}

/// A location where equations are of use, with the variables that they have to be about.
struct Place {
    loc: Loc,
    proc: ProcId,
    written: BTreeSet<Var>,
    /// The call that alone leads there.
    call: Option<EdgeId>,
}

/// The heads of loops, and where calls return to.
fn places(program: &Program, flow: &Flow) -> Vec<Place> {
    let mut places = Vec::new();
    for (id, proc) in program.procs() {
        let next = |loc: Loc, at: usize| Some(program.edge(*flow.out_edges(loc).get(at)?).to);
        for loc in graph::loop_heads([proc.entry], next).into_iter().filter(|loc| *loc != proc.entry) {
            let ahead = walk(loc, |loc| flow.out_edges(loc).iter().map(|id| program.edge(*id).to).collect());
            let back = walk(loc, |loc| flow.in_edges(loc).iter().map(|id| program.edge(*id).from).collect());
            let inside: Vec<Loc> = ahead.intersection(&back).copied().collect();
            let edges = inside.iter().flat_map(|loc| flow.out_edges(*loc)).map(|id| program.edge(*id));
            let written = edges.filter(|edge| back.contains(&edge.to)).flat_map(|edge| written(program, edge));
            places.push(Place { loc, proc: id, written: written.collect(), call: None });
        }
        for (index, edge) in (0..).zip(&proc.edges) {
            let is_alone = flow.in_edges(edge.to).len() == 1 && edge.to != proc.entry;
            if matches!(edge.op, Op::Call { .. }) && is_alone {
                let (written, call) = (written(program, edge).into_iter().collect(), Some(EdgeId { proc: id, index }));
                places.push(Place { loc: edge.to, proc: id, written, call });
            }
        }
    }
    places
}

fn written(program: &Program, edge: &Edge) -> Vec<Var> {
    match &edge.op {
        Op::Assume(_) => Vec::new(),
        Op::Assign(pairs) => pairs.iter().map(|(var, _)| *var).collect(),
        Op::Havoc(vars) => vars.clone(),
        Op::Call { results, .. } => results.iter().chain(&program.globals).copied().collect(),
    }
}

fn walk(start: Loc, next: impl Fn(Loc) -> Vec<Loc>) -> BTreeSet<Loc> {
    let (mut seen, mut waiting) = (BTreeSet::from([start]), vec![start]);
    while let Some(loc) = waiting.pop() {
        waiting.extend(next(loc).into_iter().filter(|loc| seen.insert(*loc)));
    }
    seen
}

impl Place {
    /// The equations to assume.
    fn equations(&self, terms: &mut Terms, analysis: &Analysis) -> Vec<Term> {
        let space = &analysis.spaces[self.proc.index()];
        let given = self.call.and_then(|call| analysis.given.get(&call)).filter(|given| {
            // What was given can still be said if nothing of it was overwritten.
            terms.free_vars(&given.args).is_disjoint(&self.written)
        });
        let (args, rows) = match (given, &analysis.states[self.loc.index()]) {
            (Some(given), _) => (given.args.as_slice(), &given.rows),
            (None, Some(rows)) => (&[][..], rows),
            (None, None) => return Vec::new(),
        };
        // A program cannot speak of values at entry: these columns come first, and are forgotten.
        let (ahead, old) = (args.len(), space.old.len());
        let mut sayable = Rows::new(analysis.width, ahead + space.len());
        for row in rows.iter() {
            sayable.insert([&row[ahead..ahead + old], &row[..ahead], &row[ahead + old..]].concat());
        }
        let vars = || space.vars.iter().copied();
        let columns: Vec<Term> = args.iter().copied().chain(vars().map(|var| terms.var(var))).collect();
        let written: Vec<bool> =
            args.iter().map(|_| false).chain(vars().map(|var| self.written.contains(&var))).collect();
        let is_of_use = |row: &&Row| {
            let used: Vec<usize> = (0..columns.len()).filter(|column| row[*column] != 0).collect();
            let is_constant = matches!(used.as_slice(), [only] if row[*only] % 2 == 1);
            !is_constant && used.len() <= LONGEST && used.iter().any(|column| written[*column])
        };
        let solved = sayable.without_first(old).solved();
        let of_use = solved.iter().filter(is_of_use);
        of_use.map(|row| formula(terms, row, analysis.width, |_, column| columns[column])).collect()
    }
}

type WithAssumptions = (Program, EdgeMap<Option<EdgeId>>, BTreeMap<Loc, Loc>);

/// The program with assumptions, the old edges of its edges, and the new locations with the ones
/// after them.
fn with_assumptions(
    terms: &mut Terms,
    program: &Program,
    assumed: &BTreeMap<(Loc, ProcId), Vec<Term>>,
) -> WithAssumptions {
    let mut new = program.clone();
    let mut origins: Vec<Vec<Option<EdgeId>>> = Vec::new();
    for (proc, procedure) in program.procs() {
        origins.push((0..).zip(&procedure.edges).map(|(index, _)| Some(EdgeId { proc, index })).collect());
    }
    let mut before = BTreeMap::new();
    for ((loc, proc), equations) in assumed {
        new.locs.push(program.locs[loc.index()].clone());
        let ahead = Loc::new(new.locs.len() - 1);
        for edge in new.procs[proc.index()].edges.iter_mut().filter(|edge| edge.to == *loc) {
            edge.to = ahead;
        }
        let span = program.locs[loc.index()].span;
        new.add_edge(*proc, ahead, *loc, Op::Assume(terms.and(equations)), span);
        origins[proc.index()].push(None);
        before.insert(ahead, *loc);
    }
    (new, EdgeMap(origins), before)
}

/// What is known of words of one width, as far as it matters.
struct Known {
    width: u32,
    /// By location.
    rows: BTreeMap<Loc, (ProcId, Vec<Row>)>,
    /// By procedure, of what a call returns.
    exits: BTreeMap<ProcId, Vec<Row>>,
    /// By procedure: what columns stand for; first values at entry, so many of them.
    columns: Vec<(usize, Vec<Var>)>,
}

impl Known {
    fn new(terms: &Terms, program: &Program, flow: &Flow, analysis: &Analysis, subjects: &BTreeSet<Var>) -> Known {
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
            let then = *proof.old.entry(var).or_insert_with(|| {
                let (name, sort) = (format!("old({})", terms.name(var)), terms.var_sort(var).clone());
                terms.declare(&name, sort)
            });
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
struct Assumed {
    origins: EdgeMap<Option<EdgeId>>,
    /// The new locations, and the ones after them.
    before: BTreeMap<Loc, Loc>,
    known: Vec<Known>,
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
                    *edge = super::no_edge(*edge);
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
