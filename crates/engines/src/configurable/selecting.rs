//! The tree with a selection of predicates: after each spurious trace the refiner chooses anew, and the tree
//! begins again, because what is known may have become less.

use super::{Configuration, path_refiner, procedures};
use crate::tree::{self, Prune};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_cegar::{Context, Domain, Given, Outcome};
use tamis_domains::selected::Make;
use tamis_domains::{Accuracy, Granularity, Learn, Predicates, Product, Selected};
use tamis_ir::{BlockGraph, PointId, Program, PropertyId};
use tamis_refiners::interpolation::Strategy;
use tamis_refiners::selection::{Candidate, Selecting, Selection, Selector, Source};
use tamis_term::{Term, Terms};
use tamis_witness::Verdict;

/// How many sets the enumeration tries for a trace, and how many that eliminate it are kept (section 4).
pub const MAXSUB: usize = 1_000;
/// See [`MAXSUB`].
pub const MAXELM: usize = 20;

/// Runs a configuration with a selection, and tells what was selected last.
///
/// # Errors
/// The verdict is an error if the program has calls, or a part gives up.
pub fn run(
    ctx: &mut Context,
    program: &Program,
    property: PropertyId,
    parts: &Configuration,
    source: Source,
    candidates: &[Candidate],
    selector: &Selector,
) -> (Outcome<Verdict>, Selection) {
    let selection: Rc<RefCell<Selection>> = Rc::default();
    let domain = |terms: &Terms, graph: &BlockGraph, given: &Given| {
        let mut visible = parts.track.vars(terms, graph)?;
        visible.extend(&given.tracked);
        let initial = parts.start.predicates(terms, graph);
        let procedures = procedures(program, graph);
        let (together, bound, pieces) = (parts.together, parts.bound, parts.pieces);
        let before = given.predicates.clone();
        let make: Make = Box::new(move |terms: &Terms, chosen: &[(PointId, Term)]| {
            let mut given = before.clone();
            given.extend(chosen.iter().map(|(at, predicate)| (Some(*at), *predicate)));
            let predicates = Predicates::new(terms, Granularity::Location, pieces, initial.clone())
                .with_given(terms, &given)
                .with_procedures(procedures.clone());
            Box::new(Product {
                visible: visible.clone(),
                predicates,
                // What eliminates a trace does so if all combinations of predicates are told apart.
                accuracy: Accuracy::Boolean,
                together,
                learn: Learn::Predicates,
                bound,
                tried: BTreeSet::new(),
            })
        });
        let shared = selection.clone();
        let chosen = Rc::new(move || shared.borrow().predicates.clone());
        Ok(Box::new(Selected::new(terms, chosen, make)) as Box<dyn Domain>)
    };
    let refiner = |ctx: &Context, graph: &Rc<BlockGraph>| {
        // A trace is checked at once; one interpolant would not always eliminate it.
        let parts = Configuration { strategy: Strategy::Sequence, learn: Learn::Predicates, ..parts.clone() };
        let paths = path_refiner(ctx, program, graph, &parts);
        let selecting =
            Selecting::new(graph.clone(), source, candidates.to_vec(), paths, selector.clone(), selection.clone());
        Box::new(selecting) as Box<tree::Examiner>
    };
    let config = tree::Config { prune: Prune::Fully, ..parts.tree };
    let verdict = tree::run(ctx, program, property, config, &domain, &refiner);
    let last = selection.borrow().clone();
    (verdict, last)
}
