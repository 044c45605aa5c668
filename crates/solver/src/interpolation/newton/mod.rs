//! Interpolants by weakest preconditions and strongest postconditions of what a contradiction
//! needs (Ball, Rajamani, *Generating Abstract Explanations of Spurious Counterexamples in C
//! Programs*, MSR-TR-2002-09, which calls it Newton; Dietsch, Heizmann, Musa, Nutz, Podelski,
//! *Craig vs. Newton in Software Model Checking*, FSE 2017, which adds cores and live variables).
//!
//! An unsatisfiable core says which conjuncts matter; the others are dropped. What is left is
//! projected on the variables that are shared: from the leaves on, everything that is known
//! ([`Direction::Strongest`]), or from the root back, everything that excludes the rest
//! ([`Direction::Weakest`]). Where a variable cannot be eliminated, what is said about it is
//! dropped, so that all but the last step of either walk hold by construction, and the last is
//! asked.
//!
//! Files in order of reading: `core` (what matters), `project` (which variables go, in which
//! order), `define` (by equations), `bounds` (by inequalities), `arrays`, `split` (by cases),
//! `linear` (sums).

mod arrays;
mod bounds;
mod core;
mod define;
mod linear;
mod project;
mod split;

use self::core::{Relevant, relevant};
use super::{Interpolation, Interpolator, Parts};
use crate::{Answer, Error, Solvers, Why};
use project::{Halt, Projector};
use std::collections::BTreeSet;
use tamis_term::{Fun, Node, Term, Terms, Var};

/// Where to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// At the root: what excludes the rest.
    Weakest,
    /// At the leaves: what is known.
    Strongest,
}

/// Interpolants by walking over the parts.
#[derive(Debug)]
pub struct Newton {
    direction: Direction,
    solvers: Solvers,
}

impl Newton {
    /// A source that asks the given solvers for cores.
    #[must_use]
    pub fn new(direction: Direction, solvers: Solvers) -> Newton {
        Newton { direction, solvers }
    }
}

impl Interpolator for Newton {
    fn name(&self) -> &'static str {
        match self.direction {
            Direction::Weakest => "newton",
            Direction::Strongest => "newton-forward",
        }
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        parts.check(terms)?;
        let formulas = match relevant(terms, parts, &self.solvers)? {
            Relevant::Formulas(formulas) => formulas,
            Relevant::Satisfiable => return Ok(Interpolation::Satisfiable),
            Relevant::Unknown(why) => return Ok(Interpolation::Unknown(why)),
        };
        let shared = parts.shared(terms).into_iter().map(|vars| vars.into_iter().collect()).collect();
        let projector = Projector::new(&self.solvers);
        let mut walk = Walk { terms, children: parts.children(), formulas, shared, projector };
        let found = match self.direction {
            Direction::Strongest => walk.forwards(),
            Direction::Weakest => walk.backwards(),
        };
        let interpolants = match found {
            Ok(interpolants) => interpolants,
            Err(Halt::Why(why)) => return Ok(Interpolation::Unknown(why)),
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::Stuck) => return Ok(Interpolation::Unknown(Why::GaveUp("too many cases".to_owned()))),
        };
        let doubts = if walk.projector.exact { Vec::new() } else { walk.doubts(&interpolants, self.direction) };
        for doubt in doubts {
            let mut solver = self.solvers.fresh(terms, &doubt)?;
            match solver.check(terms, &doubt)? {
                Answer::Unsat(_) => {}
                Answer::Sat(_) => {
                    let lost = "variables could not be eliminated, and what was said about them matters";
                    return Ok(Interpolation::Unknown(Why::GaveUp(lost.to_owned())));
                }
                Answer::Unknown(why) => return Ok(Interpolation::Unknown(why)),
            }
        }
        Ok(Interpolation::Interpolants(interpolants))
    }
}

/// What facts say about some of their variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Projected {
    /// A formula over these variables that follows from the facts.
    Formula {
        /// The formula.
        formula: Term,
        /// Whether it says all that the facts say about them.
        exact: bool,
    },
    /// It is not known.
    Unknown(Why),
}

/// Projects facts on the variables to keep: the others are eliminated, and what is said about those
/// that cannot be eliminated is dropped.
///
/// # Errors
/// If a solver was misused or broke.
pub fn project(
    terms: &mut Terms,
    solvers: &Solvers,
    facts: Vec<Term>,
    keep: &BTreeSet<Var>,
) -> Result<Projected, Error> {
    let mut projector = Projector::new(solvers);
    match projector.project(terms, facts, keep) {
        Ok(formula) => Ok(Projected::Formula { formula, exact: projector.exact }),
        Err(Halt::Why(why)) => Ok(Projected::Unknown(why)),
        Err(Halt::Stuck) => Ok(Projected::Unknown(Why::GaveUp("too many cases".to_owned()))),
        Err(Halt::Error(error)) => Err(error),
    }
}

/// A walk over the parts that matter.
struct Walk<'a> {
    terms: &'a mut Terms,
    children: Vec<Vec<usize>>,
    /// By node: the conjuncts that matter.
    formulas: Vec<Vec<Term>>,
    shared: Vec<BTreeSet<Var>>,
    projector: Projector<'a>,
}

impl Walk<'_> {
    /// What is known at each node but the root.
    fn forwards(&mut self) -> Result<Vec<Term>, Halt> {
        let mut known: Vec<Term> = Vec::new();
        for node in 0..self.formulas.len() - 1 {
            let mut facts: Vec<Term> = self.children[node].iter().map(|child| known[*child]).collect();
            facts.extend(&self.formulas[node]);
            known.push(self.projector.project(self.terms, facts, &self.shared[node])?);
        }
        Ok(known)
    }

    /// What excludes the rest, at each node but the root. Siblings share the work: the first
    /// excludes what is left by what is known of the others, the next what is left by that.
    fn backwards(&mut self) -> Result<Vec<Term>, Halt> {
        let siblings = self.children.iter().any(|children| children.len() > 1);
        let mut chosen = if siblings { self.forwards()? } else { vec![self.terms.bool(true); self.shared.len() - 1] };
        let mut idle: Vec<bool> = Vec::new();
        for (node, children) in self.children.iter().enumerate() {
            idle.push(self.formulas[node].is_empty() && children.iter().all(|child| idle[*child]));
        }
        for node in (0..self.formulas.len()).rev() {
            let goal = match chosen.get(node) {
                Some(goal) => complement(self.terms, *goal),
                None => self.terms.bool(true),
            };
            for child in self.children[node].clone() {
                // Where nothing matters, nothing needs to be said: the others say it all.
                if idle[child] {
                    chosen[child] = self.terms.bool(true);
                    continue;
                }
                let others = self.children[node].iter().filter(|other| **other != child);
                let mut facts: Vec<Term> = others.map(|other| chosen[*other]).collect();
                facts.extend(&self.formulas[node]);
                facts.push(goal);
                let bad = self.projector.project(self.terms, facts, &self.shared[child])?;
                chosen[child] = complement(self.terms, bad);
            }
        }
        Ok(chosen)
    }

    /// What must be contradictory besides what is so by construction.
    fn doubts(&mut self, interpolants: &[Term], direction: Direction) -> Vec<Vec<Term>> {
        let mut doubts = Vec::new();
        for (node, children) in self.children.iter().enumerate() {
            let last = match direction {
                Direction::Strongest => node == interpolants.len(),
                Direction::Weakest => children.is_empty(),
            };
            if last {
                let mut facts: Vec<Term> = children.iter().map(|child| interpolants[*child]).collect();
                facts.extend(&self.formulas[node]);
                facts.extend(interpolants.get(node).map(|goal| self.terms.not(*goal)));
                doubts.push(facts);
            }
        }
        doubts
    }
}

/// The complement, with the negation inside.
fn complement(terms: &mut Terms, formula: Term) -> Term {
    let (fun, args) = match terms.node(formula) {
        Node::App(Fun::And, args) => (Fun::Or, args.clone()),
        Node::App(Fun::Or, args) => (Fun::And, args.clone()),
        Node::App(..) | Node::Var(_) | Node::Const(_) => return terms.not(formula),
    };
    let args: Vec<Term> = args.into_iter().map(|arg| terms.not(arg)).collect();
    terms.app(fun, &args)
}
