//! Between precisions as files have them and what tells abstract states of a system apart.

use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Atlas, Context, Given, Known, Learned, Spot};
use tamis_ir::{Extracted, Program};
use tamis_term::{Term, Var};

/// What a run takes over from others and leaves to them.
pub(super) struct Reused {
    /// What tells states apart to begin with.
    pub given: Given,
    /// The atlas of the system.
    atlas: Option<Atlas>,
    /// The numbers of its places by values of the control variable, if there are several.
    numbers: BTreeMap<Term, usize>,
}

impl Reused {
    pub fn new(ctx: &mut Context, program: &Program, extracted: &Extracted) -> Reused {
        if !ctx.reuse.is_used() {
            return Reused { given: Given::default(), atlas: None, numbers: BTreeMap::new() };
        }
        let spot = |loc: &_| Spot { procedure: program.body(program.main, *loc).to_owned(), loc: *loc };
        let spots: Vec<Spot> = extracted.places().iter().map(spot).collect();
        let state = extracted.system.state.iter().map(|(now, _)| *now);
        let vars: Vec<Var> = state.filter(|var| Some(*var) != extracted.control).collect();
        let atlas = Atlas::new(&mut ctx.terms, program, &spots, &vars);
        let mut numbers = BTreeMap::new();
        for number in 0..spots.len() {
            numbers.extend(extracted.at(&mut ctx.terms, number).map(|value| (value, number)));
        }
        let mut given = Given::default();
        let known = ctx.reuse.known(&mut ctx.terms, &atlas);
        given.tracked = known.tracked;
        for (number, predicate) in known.predicates {
            let value = number.and_then(|number| extracted.at(&mut ctx.terms, number));
            given.predicates.push((value, predicate));
        }
        Reused { given, atlas: Some(atlas), numbers }
    }

    /// Keeps what told states apart in the end.
    pub fn keep(&self, ctx: &mut Context, learned: &Learned) {
        let Some(atlas) = self.atlas.as_ref().filter(|_| ctx.reuse.wanted) else { return };
        let only = self.numbers.is_empty().then_some(0);
        let place = |key: &[Term]| key.iter().find_map(|value| self.numbers.get(value)).copied().or(only);
        let mut known = Known { tracked: learned.tracked.clone(), predicates: Vec::new() };
        let mut seen = BTreeSet::new();
        for (key, predicate) in &learned.predicates {
            let entry = (place(key), *predicate);
            known.predicates.extend(seen.insert(entry).then_some(entry));
        }
        let stored = atlas.stored(&mut ctx.terms, &known);
        ctx.reuse.keep(stored);
    }
}
