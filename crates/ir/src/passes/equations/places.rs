//! Where equations are of use, and which of them.

use super::analysis::Analysis;
use super::linear::formula;
use super::rows::{Row, Rows};
use crate::graph::{self, Flow};
use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Program};
use std::collections::BTreeSet;
use tamis_term::{Term, Terms, Var};

/// How many summands an equation that is assumed may have.
const LONGEST: usize = 6;

/// A location where equations are of use, with the variables that they have to be about.
pub(super) struct Place {
    pub(super) loc: Loc,
    pub(super) proc: ProcId,
    written: BTreeSet<Var>,
    /// The call that alone leads there.
    call: Option<EdgeId>,
}

/// The heads of loops, and where calls return to.
pub(super) fn places(program: &Program, flow: &Flow) -> Vec<Place> {
    let mut places = Vec::new();
    for (id, proc) in program.procs() {
        let next = |loc: Loc, at: usize| Some(program.edge(*flow.out_edges(loc).get(at)?).to);
        for loc in graph::depth_first([proc.entry], next, |_| true).heads.into_iter().filter(|loc| *loc != proc.entry) {
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
    pub(super) fn equations(&self, terms: &mut Terms, analysis: &Analysis) -> Vec<Term> {
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
