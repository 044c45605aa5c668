//! From saturated path edges to a proof.
//!
//! The invariant of a location is the set of its path edges: for main the states, for other
//! procedures pairs of an input (through the proof's old values) and a state. A global that
//! a procedure never modifies does not appear in its states, but equals its old value
//! throughout; that is a conjunct of all the procedure's invariants. A summary is the
//! invariant of the exit.

use super::layout::{Layout, ProcLayout};
use super::region::{Column, columns, formula};
use super::table::{PathId, Table};
use crate::evidence::{frame, old_vars};
use std::collections::BTreeMap;
use tamis_cegar::{Context, Outcome};
use tamis_ir::{Loc, Program, Proof};
use tamis_term::pack::BitReader;
use tamis_term::{Term, Terms, Var};

pub(super) fn build(ctx: &mut Context, program: &Program, layout: &Layout, table: &Table) -> Outcome<Proof> {
    let mut proof = Proof { old: old_vars(&mut ctx.terms, program), ..Proof::default() };
    let mut at: Vec<Vec<PathId>> = vec![Vec::new(); program.locs.len()];
    for path in table.paths() {
        at[table.path(path).loc.index()].push(path);
    }
    let frames: Vec<Term> = program
        .procs()
        .map(|(id, _)| {
            if layout.procs[id.index()].is_called {
                frame(&mut ctx.terms, &layout.liveness, &proof.old, id)
            } else {
                ctx.terms.bool(true)
            }
        })
        .collect();
    for (index, paths) in at.iter().enumerate().filter(|(_, paths)| !paths.is_empty()) {
        let (loc, id) = (Loc::new(index), layout.owner[index]);
        let picture = Picture::new(&mut ctx.terms, &layout.procs[id.index()], &layout.places[index], &proof.old);
        let rows = picture.rows(table, paths);
        let states = formula(&mut ctx.terms, &ctx.budget, &picture.columns, &rows)?;
        let invariant = ctx.terms.and(&[states, frames[id.index()]]);
        proof.invariants.insert(loc, invariant);
        if loc == program.proc(id).exit {
            proof.summaries.insert(id, invariant);
        }
    }
    Ok(proof)
}

/// How a location's path edges are read as rows: old and current values of a variable side
/// by side, because they are often related.
struct Picture {
    columns: Vec<Column>,
    /// For each column packed in the input, and for each packed in the state: its width and
    /// its place in a row.
    input: Vec<(u32, usize)>,
    state: Vec<(u32, usize)>,
}

impl Picture {
    fn new(terms: &mut Terms, proc: &ProcLayout, place: &[usize], old: &BTreeMap<Var, Var>) -> Picture {
        let mut picture = Picture { columns: Vec::new(), input: Vec::new(), state: Vec::new() };
        for (slot, var) in proc.scope.iter().enumerate() {
            if proc.input.contains(&slot) {
                let term = terms.var(old[var]);
                let added = picture.add(columns(terms, term));
                picture.input.extend(added);
            }
            if place.contains(&slot) {
                let term = terms.var(*var);
                let added = picture.add(columns(terms, term));
                picture.state.extend(added);
            }
        }
        picture
    }

    fn add(&mut self, columns: Vec<Column>) -> Vec<(u32, usize)> {
        let start = self.columns.len();
        let places = columns.iter().enumerate().map(|(i, column)| (column.width, start + i)).collect();
        self.columns.extend(columns);
        places
    }

    fn rows(&self, table: &Table, paths: &[PathId]) -> Vec<u64> {
        let width = self.columns.len();
        let mut rows = vec![0; width * paths.len()];
        for (path, row) in paths.iter().zip(rows.chunks_exact_mut(width.max(1))) {
            let words = [(table.input(table.path(*path).entry), &self.input), (table.state(*path), &self.state)];
            for (words, places) in words {
                let mut reader = BitReader::new(words);
                for (width, place) in places {
                    row[*place] = reader.bits(*width);
                }
            }
        }
        rows
    }
}
