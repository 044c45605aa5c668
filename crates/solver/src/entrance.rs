//! The entrance that backends share: what is no Boolean term of the arena does not get in.

use crate::Error;
use tamis_term::{Node, Sort, Term, Terms, Var};

/// What is known of the arena, which only grows, and whether the solver was misused.
#[derive(Default)]
pub(crate) struct Entrance {
    /// The arena had this many terms.
    terms: usize,
    /// This term was a variable of this name.
    var: Option<(Term, String)>,
    misused: Option<Error>,
}

impl Entrance {
    /// Refuses to go on after a misuse, or with another arena.
    pub(crate) fn pass(&self, terms: &Terms) -> Result<(), Error> {
        match &self.misused {
            Some(error) => Err(error.clone()),
            None if self.is_foreign(terms) => Err(Error::ForeignTerms),
            None => Ok(()),
        }
    }

    /// Refuses what is no Boolean term of this arena.
    pub(crate) fn admit(&self, terms: &Terms, term: Term) -> Result<(), Error> {
        self.pass(terms)?;
        if term.index() >= terms.len() {
            return Err(Error::ForeignTerms);
        }
        match terms.sort(term) {
            Sort::Bool => Ok(()),
            sort @ (Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(_)) => Err(Error::NotBoolean(sort.clone())),
        }
    }

    /// A scope was closed that had not been opened: from now on nothing passes.
    pub(crate) fn close(&mut self) {
        self.misused = Some(Error::Unbalanced);
    }

    /// Remembers the arena, by one of its variables if there is one.
    pub(crate) fn note(&mut self, terms: &Terms, latest: Option<(Term, Var)>) {
        self.terms = terms.len();
        if let Some((term, var)) = latest
            && self.var.as_ref().is_none_or(|(known, _)| *known != term)
        {
            self.var = Some((term, terms.name(var).to_owned()));
        }
    }

    fn is_foreign(&self, terms: &Terms) -> bool {
        terms.len() < self.terms
            || self
                .var
                .as_ref()
                .is_some_and(|(term, name)| !matches!(terms.node(*term), Node::Var(var) if terms.name(*var) == name))
    }
}
