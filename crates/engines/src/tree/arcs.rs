//! What abstract states are at the ends of arcs: a solver for each arc, which knows the arc and is
//! asked about one state after another.

use std::collections::BTreeMap;
use std::rc::Rc;
use tamis_cegar::{Context, Domain, Outcome, Preconditions, State};
use tamis_ir::{ArcId, BlockGraph};
use tamis_solver::{Answer, Solver};

/// How many solvers are kept. Those that were used last stay.
const MOST: usize = 256;

pub(super) struct Arcs {
    graph: Rc<BlockGraph>,
    known: BTreeMap<ArcId, Known>,
    used: u64,
}

struct Known {
    /// Knows when the arc is taken, and what holds at its ends.
    solver: Box<dyn Solver>,
    /// The values at its end.
    values: Preconditions,
    used: u64,
}

impl Arcs {
    pub(super) fn new(graph: Rc<BlockGraph>) -> Arcs {
        Arcs { graph, known: BTreeMap::new(), used: 0 }
    }

    /// The abstract states to which an arc leads from one, or from the start.
    pub(super) fn successors(
        &mut self,
        ctx: &mut Context,
        domain: &dyn Domain,
        from: Option<&State>,
        arc: ArcId,
    ) -> Outcome<Vec<State>> {
        let graph = self.graph.clone();
        let Some(to) = graph.to(arc) else { return Ok(Vec::new()) };
        let Known { solver, values, .. } = self.known(ctx, arc)?;
        solver.push();
        let literals = from.map_or(&[][..], |state| &state.literals);
        let asserted = literals.iter().try_for_each(|literal| solver.assert(&ctx.terms, *literal));
        let found = match asserted {
            Ok(()) => domain.cover(&mut ctx.terms, graph.point(to), &mut **solver, values),
            Err(error) => Err(error.into()),
        };
        solver.pop();
        found
    }

    /// Whether an arc can be taken in some concrete state of an abstract one.
    pub(super) fn is_possible(&mut self, ctx: &mut Context, state: &State, arc: ArcId) -> Outcome<bool> {
        let Known { solver, .. } = self.known(ctx, arc)?;
        match solver.check(&ctx.terms, &state.literals)? {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown(why) => Err(why.into()),
        }
    }

    fn known(&mut self, ctx: &mut Context, id: ArcId) -> Outcome<&mut Known> {
        self.used += 1;
        if !self.known.contains_key(&id) {
            if self.known.len() >= MOST {
                let oldest = self.known.iter().min_by_key(|(_, known)| known.used).map(|(id, _)| *id);
                self.known.retain(|id, _| Some(*id) != oldest);
            }
            let known = self.make(ctx, id)?;
            self.known.insert(id, known);
        }
        let known = self.known.get_mut(&id).expect("it is there, or was made");
        known.used = self.used;
        Ok(known)
    }

    fn make(&self, ctx: &mut Context, id: ArcId) -> Outcome<Known> {
        let (terms, arc) = (&mut ctx.terms, self.graph.arc(id));
        let mut values = Preconditions::new(arc.values.clone());
        let mut facts = vec![arc.guard];
        facts.extend(self.graph.from(id).map(|from| self.graph.point(from).invariant));
        let arrived = self.graph.to(id).map(|to| self.graph.point(to).invariant);
        facts.extend(arrived.map(|invariant| values.apply(terms, invariant)));
        facts.retain(|fact| !terms.is_true(*fact));
        let mut solver = ctx.solvers.fresh(terms, &facts)?;
        for fact in &facts {
            solver.assert(terms, *fact)?;
        }
        Ok(Known { solver, values, used: 0 })
    }
}
