//! From a proof of the Boolean program to one of the program: predicates take the place of the
//! variables that stand for them.

use super::abstraction::{Abstraction, Boolean};
use super::precision::Lists;
use super::skeleton::{Map, Skeleton};
use std::collections::BTreeSet;
use tamis_cegar::Context;
use tamis_ir::{Loc, ProcId, Proof};
use tamis_term::{Term, Terms, Var};

/// The proof of the program: invariants at cut points, silence between, summaries.
pub(super) fn concrete(
    ctx: &mut Context,
    skeleton: &Skeleton<'_>,
    abstraction: &mut Abstraction,
    lists: &Lists,
    boolean: &Boolean,
    found: &Proof,
) -> Proof {
    let terms = &mut ctx.terms;
    let mut proof = Proof { old: skeleton.old.clone(), ..Proof::default() };
    for (id, procedure) in skeleton.program.procs() {
        let part = skeleton.part(id);
        let mut meanings = |terms: &mut Terms, loc: Loc| {
            let mut map = abstraction.meanings(terms, skeleton, lists, id, loc);
            // A parameter of the Boolean program is never written.
            let old = found.old.iter().filter_map(|(var, old)| Some((*old, *map.get(var)?)));
            let old: Vec<(Var, Term)> = old.collect();
            map.extend(old);
            map
        };
        for loc in &part.cuts.locs {
            let Some(claim) = found.invariants.get(&boolean.at[loc]) else { continue };
            let map = meanings(terms, *loc);
            let (claim, frame) = (said(terms, *claim, &map), frame(terms, skeleton, id, *loc));
            proof.invariants.insert(*loc, terms.and(&[claim, frame]));
        }
        if let Some(claim) = found.summaries.get(&id) {
            let map = meanings(terms, procedure.exit);
            let (claim, frame) = (said(terms, *claim, &map), kept(terms, skeleton, id));
            proof.summaries.insert(id, terms.and(&[claim, frame]));
        }
        let between: BTreeSet<Loc> = part.cuts.into.keys().copied().collect();
        let ends = |loc: &Loc| part.cuts.number(*loc).is_some() || skeleton.errors.contains(loc);
        proof.passed.extend(between.into_iter().filter(|loc| !ends(loc)));
    }
    proof
}

/// What a claim about Boolean variables says about values. Variables that mean nothing there may
/// have any value.
fn said(terms: &mut Terms, mut claim: Term, meanings: &Map) -> Term {
    let open: Vec<Var> = terms.free_vars(&[claim]).into_iter().filter(|var| !meanings.contains_key(var)).collect();
    for var in open {
        let cases = [true, false].map(|value| {
            let map = Map::from_iter([(var, terms.bool(value))]);
            terms.substitute(claim, &map)
        });
        claim = terms.or(&cases);
    }
    terms.substitute(claim, meanings)
}

/// What is called by its input's name at a cut point has the value of the input.
fn frame(terms: &mut Terms, skeleton: &Skeleton<'_>, proc: ProcId, loc: Loc) -> Term {
    let words = skeleton.words(terms, proc, loc);
    let mut equations = Vec::new();
    for var in skeleton.inputs(proc) {
        if let Some(old) = words.get(&var) {
            let now = terms.var(var);
            equations.push(terms.eq(now, *old));
        }
    }
    terms.and(&equations)
}

/// The globals that a procedure leaves as they were.
fn kept(terms: &mut Terms, skeleton: &Skeleton<'_>, proc: ProcId) -> Term {
    let mut equations = Vec::new();
    for global in skeleton.program.globals.iter().filter(|global| !skeleton.touches(proc, **global)) {
        let (now, old) = (terms.var(*global), terms.var(skeleton.old[global]));
        equations.push(terms.eq(now, old));
    }
    terms.and(&equations)
}
