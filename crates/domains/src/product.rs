//! Explicit values and predicates at once (section 4.1, combined abstraction). With no visible
//! variable it is predicate abstraction, without predicates explicit-value abstraction (Clarke,
//! Gupta, Strichman, 2004).

use crate::predicates::{Granularity, Here, Predicates};
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Cut, Domain, Learned, Outcome, Preconditions, State};
use tamis_ir::blocks::Point;
use tamis_solver::{Answer, Solver};
use tamis_term::{Term, Terms, Value, Var};

/// How much abstract states say about predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// Every combination of truth values that is possible is a state.
    Boolean,
    /// There is one state, with the predicates whose truth is the same in all combinations.
    Cartesian,
}

/// What a refutation adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learn {
    /// Predicates.
    Predicates,
    /// The variables of the refutation become visible.
    Variables,
    /// The same; and where all are visible and a refutation comes back, predicates.
    VariablesFirst,
}

/// Visible variables and predicates.
#[derive(Clone, Debug)]
pub struct Product {
    /// Variables whose values are part of a state.
    pub visible: BTreeSet<Var>,
    /// Predicates whose truth is.
    pub predicates: Predicates,
    /// How much is said about these.
    pub accuracy: Accuracy,
    /// Whether states that differ only in predicates are one state with several cases.
    pub together: bool,
    /// What refutations add.
    pub learn: Learn,
    /// How many values a variable may have among the successors of a state; with more, its value
    /// is left open there.
    pub bound: usize,
    /// Refutations whose variables were made visible.
    pub tried: BTreeSet<Term>,
}

/// What describes a concrete state.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    values: Vec<(Var, Value)>,
    /// The same as literals.
    literals: Vec<Term>,
    truths: Vec<(Term, bool)>,
}

impl Domain for Product {
    fn cover(
        &self,
        terms: &mut Terms,
        at: &Point,
        solver: &mut dyn Solver,
        values: &mut Preconditions,
    ) -> Outcome<Vec<State>> {
        let mut open = BTreeSet::new();
        loop {
            let visible = at.live.iter().copied().filter(|var| self.visible.contains(var) && !open.contains(var));
            let mut search =
                Search { domain: self, at, visible: visible.collect(), predicates: self.predicates.at(at), values };
            solver.push();
            let found = search.enumerate(terms, solver);
            solver.pop();
            match found? {
                Enumerated::States(states) if self.together => return Ok(joined(terms, states)),
                Enumerated::States(states) => return Ok(states),
                Enumerated::TooMany(var) => _ = open.insert(var),
            }
        }
    }

    fn split(&mut self, terms: &mut Terms, cut: &Cut) -> bool {
        match self.learn {
            Learn::Variables => self.show(&cut.vars),
            Learn::VariablesFirst => {
                let shown = self.show(&cut.vars);
                let first = self.tried.insert(cut.formula);
                shown || first || self.split_by_predicates(terms, cut)
            }
            Learn::Predicates => self.split_by_predicates(terms, cut),
        }
    }

    fn is_local(&self) -> bool {
        self.learn == Learn::Predicates && self.predicates.granularity() == Granularity::State
    }

    fn size(&self) -> u64 {
        (self.visible.len() + self.predicates.longest()) as u64
    }

    fn learned(&self) -> Learned {
        Learned { tracked: self.visible.iter().copied().collect(), predicates: self.predicates.learned() }
    }
}

enum Enumerated {
    States(Vec<State>),
    /// A variable has more values than allowed.
    TooMany(Var),
}

impl Product {
    /// Makes variables visible. Returns whether any was not.
    fn show(&mut self, vars: &BTreeSet<Var>) -> bool {
        let before = self.visible.len();
        self.visible.extend(vars);
        self.visible.len() > before
    }

    fn split_by_predicates(&mut self, terms: &mut Terms, cut: &Cut) -> bool {
        let grown = self.predicates.split(terms, &cut.state, cut.formula);
        // A Cartesian state does not say a disjunction of what it knows.
        let whole = self.accuracy == Accuracy::Cartesian && !grown;
        grown || whole && self.predicates.split_whole(terms, &cut.state, cut.formula)
    }
}

/// A search for abstract states.
struct Search<'s> {
    domain: &'s Product,
    at: &'s Point,
    /// The variables whose values are told.
    visible: Vec<Var>,
    predicates: Here<'s>,
    /// What variables and predicates are, in what the solver knows.
    values: &'s mut Preconditions,
}

impl Search<'_> {
    /// One model after another, each excluded together with its class.
    fn enumerate(&mut self, terms: &mut Terms, solver: &mut dyn Solver) -> Outcome<Enumerated> {
        for var in &self.visible {
            let own = terms.var(*var);
            self.values.apply(terms, own);
        }
        for predicate in self.predicates.all() {
            self.values.apply(terms, predicate);
        }
        let mut states = Vec::new();
        let mut seen: BTreeMap<Var, BTreeSet<Value>> = BTreeMap::new();
        while let Some(class) = self.class(terms, solver)? {
            for (var, value) in &class.values {
                let values = seen.entry(*var).or_default();
                values.insert(value.clone());
                if values.len() > self.domain.bound {
                    return Ok(Enumerated::TooMany(*var));
                }
            }
            let literals = match self.domain.accuracy {
                Accuracy::Boolean => class.truths.iter().map(|(term, truth)| literal(terms, *term, *truth)).collect(),
                Accuracy::Cartesian => self.common(terms, solver, &class)?,
            };
            // The Cartesian state is the only one with its values.
            let excluded = match self.domain.accuracy {
                Accuracy::Boolean => [class.literals.as_slice(), &literals].concat(),
                Accuracy::Cartesian => class.literals.clone(),
            };
            let excluded: Vec<Term> = excluded.into_iter().map(|literal| self.values.apply(terms, literal)).collect();
            let excluded = terms.and(&excluded);
            let not = terms.not(excluded);
            solver.assert(terms, not)?;
            states.push(State::new(terms, self.at.id, &class.literals, &literals));
        }
        Ok(Enumerated::States(states))
    }

    /// The class of some solution.
    fn class(&self, terms: &mut Terms, solver: &mut dyn Solver) -> Outcome<Option<Class>> {
        let model = match solver.check(terms, &[])? {
            Answer::Unsat(_) => return Ok(None),
            Answer::Unknown(why) => return Err(why.into()),
            Answer::Sat(model) => model,
        };
        let mut values = Vec::new();
        for var in &self.visible {
            let term = self.values.known(terms.var(*var));
            values.push((*var, model.eval(terms, term)));
        }
        let literals: Vec<Term> = values.iter().map(|(var, value)| is(terms, *var, value)).collect();
        let holds = |predicate| model.eval(terms, self.values.known(predicate)).as_bool();
        let truths = match self.domain.accuracy {
            Accuracy::Boolean => self.predicates.of(&literals, holds),
            Accuracy::Cartesian => {
                let list = self.predicates.list(&literals).into_iter();
                list.map(|predicate| (predicate, holds(predicate))).collect()
            }
        };
        Ok(Some(Class { values, literals, truths }))
    }

    /// The literals that hold in all solutions with the values of a class.
    fn common(&mut self, terms: &mut Terms, solver: &mut dyn Solver, class: &Class) -> Outcome<Vec<Term>> {
        let same: Vec<Term> = class.literals.iter().map(|literal| self.values.apply(terms, *literal)).collect();
        let mut candidates = class.truths.clone();
        let mut found = Vec::new();
        while let Some((predicate, truth)) = candidates.pop() {
            let otherwise = literal(terms, self.values.known(predicate), !truth);
            let assumed = [same.as_slice(), &[otherwise]].concat();
            match solver.check(terms, &assumed)? {
                Answer::Unsat(_) => found.push(literal(terms, predicate, truth)),
                Answer::Unknown(why) => return Err(why.into()),
                // This solution may rule out other candidates too.
                Answer::Sat(model) => {
                    candidates
                        .retain(|(other, truth)| model.eval(terms, self.values.known(*other)).as_bool() == *truth);
                }
            }
        }
        Ok(found)
    }
}

/// One state for all with the same values.
fn joined(terms: &mut Terms, states: Vec<State>) -> Vec<State> {
    let mut by_values: BTreeMap<Box<[Term]>, Vec<State>> = BTreeMap::new();
    for state in states {
        by_values.entry(state.values.clone()).or_default().push(state);
    }
    by_values.into_values().filter_map(|states| State::together(terms, states)).collect()
}

/// That a variable has a value.
fn is(terms: &mut Terms, var: Var, value: &Value) -> Term {
    let own = terms.var(var);
    if let Value::Bool(truth) = value {
        return literal(terms, own, *truth);
    }
    let value = terms.constant(value.clone());
    terms.eq(own, value)
}

fn literal(terms: &mut Terms, term: Term, truth: bool) -> Term {
    if truth { term } else { terms.not(term) }
}
