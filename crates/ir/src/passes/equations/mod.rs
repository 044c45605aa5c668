//! Assumes the linear equations that hold at loops and after calls: `x + y == n`, `s == 2*i`, and
//! modulo smaller powers of two, as that `x` is odd.
//!
//! They are found by Müller-Olm and Seidl's analysis ("Analysis of modular arithmetic", 2007), in
//! the form of King and Søndergaard with values before and after (Elder et al., 2014). For machine
//! words it is exact where all is linear, wrap-around included; interpolants rarely find such
//! equations, and with them need little else.
//!
//! Files in order of reading: `rows` (equations in Howell form), `linear` (from terms and back),
//! `relevance` (the variables that they may be about), `columns` (values before and after a step),
//! `analysis` (what holds where), `places` (where that is of use), `back` (the way back).
//!
//! **The way back.** The new program has a location before each that something is assumed at: all
//! that led there leads to the new one, from which only the assumption goes on. A trace leaves
//! these steps out. A proof needs the equations as part of its invariants and summaries, with all
//! that they follow from; what it said about a new location holds at the one after it.

mod analysis;
mod back;
mod columns;
mod linear;
mod places;
mod relevance;
mod rows;

use super::{EdgeMap, Passed};
use crate::graph::Flow;
use crate::program::{EdgeId, Loc, Op, ProcId, Program, PropertyId};
use analysis::Analysis;
use back::{Assumed, Known};
use places::{Place, places};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Sort, Term, Terms};

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
    let width = |var| match terms.var_sort(var) {
        Sort::BitVec(width) => Some(*width).filter(|width| (2..=64).contains(width)),
        Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => None,
    };
    program.vars().filter_map(width).collect()
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
