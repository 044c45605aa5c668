//! Between precisions as files have them and what tells abstract states apart.

use std::collections::BTreeSet;
use tamis_cegar::{Atlas, Context, Given, Known, Learned, Spot};
use tamis_ir::{BlockGraph, PointId, Program};
use tamis_term::Var;

/// What a run takes over from others and leaves to them.
pub(super) struct Reused {
    /// What tells states apart to begin with.
    pub given: Given,
    /// The atlas of the cut points.
    atlas: Option<Atlas>,
}

impl Reused {
    pub fn new(ctx: &mut Context, program: &Program, graph: &BlockGraph) -> Reused {
        if !ctx.reuse.is_used() {
            return Reused { given: Given::default(), atlas: None };
        }
        let spot = |loc| Spot { procedure: program.body(program.main, loc).to_owned(), loc };
        let spots: Vec<Spot> = graph.points.iter().map(|point| spot(point.loc)).collect();
        let vars: Vec<Var> = graph.state().into_iter().collect();
        let atlas = Atlas::new(&mut ctx.terms, program, &spots, &vars);
        let known = ctx.reuse.known(&mut ctx.terms, &atlas);
        let at = |number: usize| graph.points[number].id;
        let predicates = known.predicates.into_iter().map(|(number, predicate)| (number.map(at), predicate));
        Reused { given: Given { tracked: known.tracked, predicates: predicates.collect() }, atlas: Some(atlas) }
    }

    /// Keeps what told states apart in the end.
    pub fn keep(&self, ctx: &mut Context, learned: &Learned) {
        let Some(atlas) = self.atlas.as_ref().filter(|_| ctx.reuse.wanted) else { return };
        let mut known = Known { tracked: learned.tracked.clone(), predicates: Vec::new() };
        let mut seen = BTreeSet::new();
        for (at, predicate) in &learned.predicates {
            let entry = (at.map(PointId::index), *predicate);
            known.predicates.extend(seen.insert(entry).then_some(entry));
        }
        let stored = atlas.stored(&mut ctx.terms, &known);
        ctx.reuse.keep(stored);
    }
}
