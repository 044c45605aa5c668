//! Between precisions as files have them and lists of predicates at cut points.

use super::precision::{Lists, Reasons};
use super::skeleton::Skeleton;
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Atlas, Context, Known, Spot};
use tamis_ir::{Loc, ProcId};
use tamis_term::{Term, Terms, Var};

/// What a run takes over from others and leaves to them.
pub(super) struct Reused {
    /// The lists to begin with.
    pub given: Lists,
    /// The atlas of the program, and the numbers of its places.
    atlas: Option<(Atlas, BTreeMap<Loc, usize>)>,
}

impl Reused {
    pub fn new(ctx: &mut Context, skeleton: &Skeleton<'_>) -> Reused {
        if !ctx.reuse.is_used() {
            return Reused { given: Lists::default(), atlas: None };
        }
        let program = skeleton.program;
        let cuts: Vec<(ProcId, Loc)> =
            program.procs().flat_map(|(id, _)| skeleton.part(id).cuts.locs.iter().map(move |loc| (id, *loc))).collect();
        let spot = |(id, loc): &(ProcId, Loc)| Spot { procedure: program.body(*id, *loc).to_owned(), loc: *loc };
        let spots: Vec<Spot> = cuts.iter().map(spot).collect();
        let own = program.procs.iter().flat_map(tamis_ir::Procedure::vars);
        let vars: Vec<Var> = own.chain(program.globals.iter().copied()).chain(skeleton.old.values().copied()).collect();
        let atlas = Atlas::new(&mut ctx.terms, program, &spots, &vars);
        let mut given = Reasons::new();
        for (number, predicate) in ctx.reuse.known(&mut ctx.terms, &atlas).predicates {
            let places = number.map_or(&cuts[..], |number| &cuts[number..=number]);
            for (id, loc) in places {
                given.extend(in_words(&mut ctx.terms, skeleton, (*id, *loc), predicate).map(|said| (*loc, said)));
            }
        }
        let numbers = cuts.iter().enumerate().map(|(number, (_, loc))| (*loc, number)).collect();
        Reused { given: Lists::new(&given), atlas: Some((atlas, numbers)) }
    }

    /// Keeps the lists of the last round.
    pub fn keep(&self, ctx: &mut Context, lists: &Lists) {
        let Some((atlas, numbers)) = self.atlas.as_ref().filter(|_| ctx.reuse.wanted) else { return };
        let predicates = lists.all().map(|(loc, predicate)| (numbers.get(&loc).copied(), predicate)).collect();
        let mut stored = atlas.stored(&mut ctx.terms, &Known { tracked: Vec::new(), predicates });
        stored.engine = "boolean".into();
        ctx.reuse.keep(stored);
    }
}

/// A predicate in the words of a cut point, if it is about what is known there: at the entry the
/// inputs alone, because predicates there are parameters and never change; at the exit also what the
/// caller gets; elsewhere all variables of the procedure.
fn in_words(terms: &mut Terms, skeleton: &Skeleton<'_>, (id, loc): (ProcId, Loc), predicate: Term) -> Option<Term> {
    let words = skeleton.words(terms, id, loc);
    let said = terms.substitute(predicate, &words);
    let procedure = skeleton.program.proc(id);
    let globals = skeleton.program.globals.iter().copied();
    let mut known: BTreeSet<Var> = skeleton.inputs(id).map(|var| skeleton.old[&var]).collect();
    match loc {
        loc if loc == procedure.entry => {}
        loc if loc == procedure.exit => known.extend(procedure.results.iter().copied().chain(globals)),
        _ => known.extend(procedure.vars().chain(globals)),
    }
    let vars = terms.free_vars(&[said]);
    (!vars.is_empty() && vars.iter().all(|var| known.contains(var))).then_some(said)
}
