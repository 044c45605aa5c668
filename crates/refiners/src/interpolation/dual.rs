//! Backward refinement by the dual of `pre` (Ball, Podelski, Rajamani, *Relative Completeness of Abstraction
//! Refinement*, TACAS 2002, Method III): the predicates are the atoms of the states from which an error is
//! one, two, three … arcs away, computed by substitution, with no test whether there are such states.
//!
//! Interpolants of a path follow one way, and can get stuck in its loop: another round, another predicate.
//! These predicates come from all ways at once, also from behind loops that the path never leaves. With
//! them, forward abstraction proves all that iteration with any widening proves.
//!
//! Of each iterate only the atoms count, and what happens to them does not depend on the disjunct that they
//! are in. So the atoms are enough. A predicate and its negation are one here: abstract states tell both.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tamis_cegar::{Cut, Pieces, State};
use tamis_ir::blocks::{ArcId, BlockGraph, PointId};
use tamis_term::{Term, Terms};

/// The atoms of backward iterates, by cut point.
pub(super) struct Dual {
    graph: Rc<BlockGraph>,
    atoms: BTreeMap<PointId, BTreeSet<Term>>,
    /// Those of the last step; a point is there as soon as an error can follow.
    new: BTreeMap<PointId, BTreeSet<Term>>,
    /// The arcs whose conditions were taken in.
    taken: BTreeSet<ArcId>,
    begun: bool,
}

impl Dual {
    pub(super) fn new(graph: Rc<BlockGraph>) -> Dual {
        Dual { graph, atoms: BTreeMap::new(), new: BTreeMap::new(), taken: BTreeSet::new(), begun: false }
    }

    /// One more step back: the predicates that it adds.
    pub(super) fn step(&mut self, terms: &mut Terms) -> Vec<Cut> {
        let graph = self.graph.clone();
        let mut next: BTreeMap<PointId, BTreeSet<Term>> = BTreeMap::new();
        for id in graph.arcs() {
            let Some(from) = graph.from(id) else { continue };
            let mut found: Vec<Term> = Vec::new();
            match graph.to(id) {
                None if !self.begun => found.push(graph.arc(id).guard),
                Some(to) if self.new.contains_key(&to) => {
                    if self.taken.insert(id) {
                        found.push(graph.arc(id).guard);
                    }
                    let behind: Vec<Term> = self.new[&to].iter().copied().collect();
                    found.extend(terms.substitute_all(&behind, &graph.arc(id).values));
                }
                None | Some(_) => continue,
            }
            let here = next.entry(from).or_default();
            for formula in found {
                here.extend(Pieces::Atoms.of(terms, formula));
            }
        }
        self.begun = true;
        let mut cuts = Vec::new();
        for (at, atoms) in &mut next {
            let known = self.atoms.entry(*at).or_default();
            let live = &graph.point(*at).live;
            // What is chosen on an arc nobody can know before.
            atoms.retain(|atom| terms.free_vars(&[*atom]).is_subset(live) && known.insert(*atom));
            for atom in atoms.iter() {
                let state = State::new(terms, *at, &[], &[]);
                cuts.push(Cut { state, formula: *atom, vars: terms.free_vars(&[*atom]) });
            }
        }
        let known = &self.taken;
        // A point without new atoms still leads on where an arc to it was not looked at.
        next.retain(|at, atoms| {
            !atoms.is_empty() || graph.arcs().any(|id| graph.to(id) == Some(*at) && !known.contains(&id))
        });
        self.new = next;
        cuts
    }
}
