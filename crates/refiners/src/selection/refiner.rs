//! The refiner of Sample-and-Eliminate (Figure 5): checks the trace, and if it is spurious chooses candidates
//! anew that eliminate it and all before it.
//!
//! What is chosen may be less than before, so it replaces the precision instead of adding to it: the refiner
//! writes the [`Selection`], and the domain reads it.

use super::candidates::Candidate;
use super::elimination::{Elimination, Eliminator};
use super::select::Selector;
use crate::interpolation::PathRefiner;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;
use tamis_cegar::{Context, Cut, Finding, Outcome, Path, Pieces, Refiner, State, Stop};
use tamis_ir::blocks::{BlockGraph, PointId};
use tamis_term::{Term, Terms};
use tamis_witness::Reason;

/// What is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The predicates, each at a cut point.
    pub predicates: Vec<(PointId, Term)>,
    /// All different predicates of the chosen candidates, at any location.
    pub expressions: BTreeSet<Term>,
    /// How many candidates are chosen.
    pub chosen: usize,
    /// How many there are.
    pub candidates: usize,
}

/// Where candidates come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// They are given.
    Given,
    /// They are these pieces of the interpolants of the traces.
    Interpolants(Pieces),
}

/// Examines paths, and chooses.
pub struct Selecting<'r> {
    graph: Rc<BlockGraph>,
    source: Source,
    paths: PathRefiner<'r>,
    eliminator: Eliminator,
    selector: Selector,
    chosen: BTreeSet<usize>,
    selection: Rc<RefCell<Selection>>,
}

impl<'r> Selecting<'r> {
    /// A refiner that chooses among the candidates, and tells so in the selection.
    #[must_use]
    pub fn new(
        graph: Rc<BlockGraph>,
        source: Source,
        candidates: Vec<Candidate>,
        paths: PathRefiner<'r>,
        selector: Selector,
        selection: Rc<RefCell<Selection>>,
    ) -> Selecting<'r> {
        selection.borrow_mut().candidates = candidates.len();
        let eliminator = Eliminator::new(graph.clone(), candidates);
        Selecting { graph, source, paths, eliminator, selector, chosen: BTreeSet::new(), selection }
    }

    /// Whether a path is a run: `TC` (Figure 3). New candidates of its refutation are taken in.
    fn check(&mut self, ctx: &mut Context, path: &Path) -> Outcome<Finding<()>> {
        // The arcs alone are the trace: the abstract states say nothing that they do not.
        let states = path.states.iter().map(|state| State::new(&mut ctx.terms, state.at, &[], &[])).collect();
        let bare = Path { states, arcs: path.arcs.clone() };
        let pieces = match self.source {
            Source::Given => {
                let run = self.paths.feasible(ctx, &bare)?;
                return Ok(run.map_or(Finding::Spurious(()), Finding::Feasible));
            }
            Source::Interpolants(pieces) => pieces,
        };
        match self.paths.examine(ctx, &vec![bare])? {
            Finding::Feasible(trace) => Ok(Finding::Feasible(trace)),
            Finding::Spurious(cuts) => {
                for cut in cuts {
                    for piece in pieces.of(&ctx.terms, cut.formula) {
                        self.propose(cut.state.at, piece);
                    }
                }
                Ok(Finding::Spurious(()))
            }
        }
    }

    fn propose(&mut self, at: PointId, predicate: Term) {
        let loc = self.graph.point(at).loc;
        let known = |candidate: &Candidate| candidate.at == loc && candidate.condition == predicate;
        if !self.eliminator.candidates.iter().any(known) {
            let predicates = std::collections::BTreeMap::from([(loc, vec![predicate])]);
            self.eliminator.candidates.push(Candidate { condition: predicate, at: loc, predicates });
        }
    }

    /// Tells what is chosen.
    fn publish(&self, terms: &Terms) {
        let mut predicates = BTreeSet::new();
        let mut expressions = BTreeSet::new();
        for number in &self.chosen {
            for point in &self.graph.points {
                let here = self.eliminator.predicates(terms, *number, point.id);
                predicates.extend(here.into_iter().map(|predicate| (point.id, predicate)));
            }
            expressions.extend(self.eliminator.candidates[*number].predicates.values().flatten());
        }
        *self.selection.borrow_mut() = Selection {
            predicates: predicates.into_iter().collect(),
            expressions,
            chosen: self.chosen.len(),
            candidates: self.eliminator.candidates(),
        };
    }
}

impl Refiner for Selecting<'_> {
    type Counterexample = Vec<Path>;
    type Refutation = Vec<Cut>;

    fn examine(&mut self, ctx: &mut Context, paths: &Vec<Path>) -> Outcome<Finding<Vec<Cut>>> {
        let start = Instant::now();
        for path in paths {
            match self.check(ctx, path)? {
                Finding::Feasible(trace) => return Ok(Finding::Feasible(trace)),
                Finding::Spurious(()) => self.eliminator.add(ctx, &path.arcs)?,
            }
        }
        let chosen = self.selector.choose(ctx, &mut self.eliminator, &self.chosen)?;
        // Not even all candidates eliminate the trace: the paper's unknown.
        self.chosen = chosen.ok_or(Stop::GaveUp(Reason::RefinementStuck))?;
        self.publish(&ctx.terms);
        ctx.statistics.refinement += start.elapsed();
        // The domain needs to be told only that there is something to read.
        let formula = ctx.terms.bool(true);
        let first = paths.iter().filter_map(|path| path.states.first()).take(1);
        Ok(Finding::Spurious(first.map(|state| Cut { state: state.clone(), formula, vars: BTreeSet::new() }).collect()))
    }
}
