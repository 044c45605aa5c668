//! A domain whose precision is chosen by somebody else, and may become smaller: what a refinement says is
//! only that there is a new choice to read.

use std::rc::Rc;
use tamis_cegar::{Cut, Domain, Learned, Outcome, Preconditions, State};
use tamis_ir::blocks::{Point, PointId};
use tamis_solver::Solver;
use tamis_term::{Term, Terms};

/// Tells the predicates that are chosen now, each with its cut point.
pub type Chosen = Rc<dyn Fn() -> Vec<(PointId, Term)>>;

/// Makes the domain for predicates.
pub type Make = Box<dyn Fn(&Terms, &[(PointId, Term)]) -> Box<dyn Domain>>;

/// The domain of the predicates chosen last.
pub struct Selected {
    chosen: Chosen,
    make: Make,
    predicates: Vec<(PointId, Term)>,
    domain: Box<dyn Domain>,
}

impl Selected {
    /// The domain of what is chosen.
    #[must_use]
    pub fn new(terms: &Terms, chosen: Chosen, make: Make) -> Selected {
        let predicates = chosen();
        let domain = make(terms, &predicates);
        Selected { chosen, make, predicates, domain }
    }
}

impl Domain for Selected {
    fn cover(
        &self,
        terms: &mut Terms,
        at: &Point,
        solver: &mut dyn Solver,
        values: &mut Preconditions,
    ) -> Outcome<Vec<State>> {
        self.domain.cover(terms, at, solver, values)
    }

    fn split(&mut self, terms: &mut Terms, _: &Cut) -> bool {
        let chosen = (self.chosen)();
        if chosen == self.predicates {
            return false;
        }
        self.domain = (self.make)(terms, &chosen);
        self.predicates = chosen;
        true
    }

    fn is_local(&self) -> bool {
        false
    }

    fn size(&self) -> u64 {
        let count = |at: &PointId| self.predicates.iter().filter(|(other, _)| other == at).count();
        self.predicates.iter().map(|(at, _)| count(at)).max().unwrap_or(0) as u64
    }

    fn learned(&self) -> Learned {
        self.domain.learned()
    }
}
