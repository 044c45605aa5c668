//! Facts in scopes: the stack that backends share. Facts are kept as terms, and what computes with
//! them is only a cache of what they mean: a check brings it up to date, so whatever interrupts that
//! leaves nothing behind that a later check would miss.

use crate::Error;
use crate::entrance::Entrance;
use tamis_term::{Term, Terms, Var};

/// The facts of a solver. `G` is what the cache knows of a scope.
pub(crate) struct Scopes<G = ()> {
    /// The outermost scope cannot be closed.
    all: Vec<Scope<G>>,
    /// How many scopes are open in the cache, without the outermost.
    opened: usize,
    entrance: Entrance,
}

/// The facts of one scope.
#[derive(Default)]
pub(crate) struct Scope<G> {
    pub facts: Vec<Term>,
    /// How many of the facts the cache has.
    pub asserted: usize,
    /// What else the cache knows of the scope.
    pub guard: G,
}

impl<G> Scope<G> {
    /// The facts that the cache lacks.
    pub fn pending(&self) -> &[Term] {
        &self.facts[self.asserted..]
    }
}

/// What a cache is told.
pub(crate) enum Told {
    /// A scope is opened.
    Push,
    /// A fact is added to the innermost scope.
    Fact(Term),
}

/// A scope that was closed.
pub(crate) struct Closed<G> {
    /// What the cache knew of it.
    pub guard: G,
    /// Whether it was open in the cache.
    pub was_open: bool,
}

impl<G: Default> Default for Scopes<G> {
    fn default() -> Scopes<G> {
        Scopes { all: vec![Scope::default()], opened: 0, entrance: Entrance::default() }
    }
}

impl<G: Default> Scopes<G> {
    /// Adds a fact, if it is one.
    pub fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.entrance.admit(terms, fact)?;
        self.entrance.note(terms, None);
        self.keep(fact);
        Ok(())
    }

    /// Adds a fact that somebody else has admitted.
    pub fn keep(&mut self, fact: Term) {
        self.all.last_mut().expect("the outermost scope is never closed").facts.push(fact);
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        self.all.push(Scope::default());
    }

    /// Closes a scope. If none is open, nothing is admitted any more.
    pub fn pop(&mut self) -> Option<Closed<G>> {
        if self.all.len() == 1 {
            self.entrance.close();
            return None;
        }
        let Scope { guard, .. } = self.all.pop()?;
        let was_open = self.opened == self.all.len();
        self.opened -= usize::from(was_open);
        Some(Closed { guard, was_open })
    }

    /// All scopes, the outermost first.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Scope<G>> {
        self.all.iter_mut()
    }

    /// All facts.
    pub fn facts(&self) -> impl Iterator<Item = &Term> {
        self.all.iter().flat_map(|scope| &scope.facts)
    }

    /// The facts that the cache lacks.
    pub fn pending(&self) -> impl Iterator<Item = &Term> {
        self.all.iter().flat_map(Scope::pending)
    }

    /// Refuses a check with these assumptions if something is no Boolean term of the arena, or after a
    /// misuse.
    pub fn admit<'t>(&self, terms: &Terms, assumptions: impl IntoIterator<Item = &'t Term>) -> Result<(), Error> {
        self.entrance.pass(terms)?;
        self.pending().try_for_each(|term| self.entrance.admit(terms, *term))?;
        assumptions.into_iter().try_for_each(|term| self.entrance.admit(terms, *term))
    }

    /// Remembers the arena, by one of its variables if there is one.
    pub fn note(&mut self, terms: &Terms, latest: Option<(Term, Var)>) {
        self.entrance.note(terms, latest);
    }

    /// Whether the cache has all.
    pub fn are_told(&self) -> bool {
        self.opened + 1 == self.all.len() && self.pending().next().is_none()
    }

    /// Tells the cache what it lacks.
    pub fn tell<E>(&mut self, mut tell: impl FnMut(Told) -> Result<(), E>) -> Result<(), E> {
        for (depth, scope) in self.all.iter_mut().enumerate() {
            if depth > self.opened {
                tell(Told::Push)?;
                self.opened = depth;
            }
            for fact in &scope.facts[scope.asserted..] {
                tell(Told::Fact(*fact))?;
                scope.asserted += 1;
            }
        }
        Ok(())
    }

    /// Tells another solver everything.
    pub fn retell<E>(&self, mut tell: impl FnMut(Told) -> Result<(), E>) -> Result<(), E> {
        for (depth, scope) in self.all.iter().enumerate() {
            if depth > 0 {
                tell(Told::Push)?;
            }
            scope.facts.iter().try_for_each(|fact| tell(Told::Fact(*fact)))?;
        }
        Ok(())
    }

    /// The cache was dropped.
    pub fn forget(&mut self) {
        self.opened = 0;
        for scope in &mut self.all {
            (scope.asserted, scope.guard) = (0, G::default());
        }
    }
}
