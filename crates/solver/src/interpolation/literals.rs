//! Interpolants over literals which the parts themselves suggest: conditions that they mention, and
//! values that they assign (Beyer, Löwe, *Explicit-State Software Model Checking Based on CEGAR and
//! Interpolation*, FASE 2013, which keeps constants this way). Each question is about one part, so
//! large parts cost no more than they must; and what is found is what a programmer would say about
//! a state machine.
//!
//! 1. Forwards, all suggested literals are kept that follow from those before and from one part.
//! 2. If that is not enough, some state is allowed from which the rest goes on. It is *blocked*: a
//!    part of its description that cannot be reached is excluded, after the states that lead to it
//!    (Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011, on a chain).
//! 3. Backwards, what the rest does not need is dropped.

use super::{Interpolation, Interpolator, Parts};
use crate::{Answer, Error, Model, Solver, Solvers, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// How many states are excluded one by one.
const MOST: usize = 400;

/// How many variables are compared with each other.
const COMPARED: usize = 12;

/// How much they may differ for the difference to be said.
const SMALL: i64 = 16;

/// Formulas over suggested literals.
#[derive(Debug)]
pub struct Literals {
    solvers: Solvers,
}

impl Literals {
    /// A source that asks the given solvers.
    #[must_use]
    pub fn new(solvers: Solvers) -> Literals {
        Literals { solvers }
    }
}

/// Why there is no result.
enum Halt {
    Why(Why),
    Error(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        Halt::Error(error)
    }
}

impl From<Why> for Halt {
    fn from(why: Why) -> Halt {
        Halt::Why(why)
    }
}

impl Interpolator for Literals {
    fn name(&self) -> &'static str {
        "literals"
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        parts.check(terms)?;
        let mut walk = Walk { suggested: suggestions(terms, parts), parts, terms, solvers: Vec::new() };
        for formula in &parts.formulas {
            let mut solver = self.solvers.fresh(walk.terms, &parts.formulas)?;
            solver.assert(walk.terms, *formula)?;
            walk.solvers.push(solver);
        }
        match walk.interpolants() {
            Ok(found) => Ok(Interpolation::Interpolants(found)),
            Err(Halt::Why(why)) => Ok(Interpolation::Unknown(why)),
            Err(Halt::Error(error)) => Err(error),
        }
    }
}

/// What could be said at each node but the root.
struct Suggested {
    /// Conditions over shared variables.
    conditions: Vec<Term>,
    /// Shared variables whose values could be said.
    vars: Vec<Var>,
}

impl Suggested {
    /// The literals that describe a state and that the parts suggest, conditions first.
    fn literals(&self, terms: &mut Terms, model: &dyn Model, constants: &FxHashSet<Value>) -> Vec<Term> {
        let mut literals: Vec<Term> = Vec::new();
        for condition in &self.conditions {
            let holds = model.eval(terms, *condition).as_bool();
            literals.push(if holds { *condition } else { terms.not(*condition) });
        }
        for var in &self.vars {
            let (own, value) = (terms.var(*var), model.value(terms, *var));
            if let Value::Bool(truth) = value {
                literals.push(if truth { own } else { terms.not(own) });
            } else if constants.contains(&value) {
                let value = terms.constant(value);
                literals.push(terms.eq(own, value));
            }
        }
        literals
    }

    /// How variables compare with each other: which is the larger, or by how little they differ.
    fn comparisons(&self, terms: &mut Terms, model: &dyn Model, suits: impl Fn(&Value) -> bool) -> Vec<Term> {
        let mut compared: Vec<(Var, Value)> = Vec::new();
        for var in &self.vars {
            let value = model.value(terms, *var);
            if matches!(value, Value::BitVec(_) | Value::Int(_)) && suits(&value) {
                compared.push((*var, value));
            }
        }
        compared.truncate(COMPARED);
        let mut literals = Vec::new();
        for (at, (x, x_value)) in compared.iter().enumerate() {
            for (y, y_value) in &compared[at + 1..] {
                if terms.var_sort(*x) != terms.var_sort(*y) {
                    continue;
                }
                let [x, y, x_value, y_value] =
                    [terms.var(*x), terms.var(*y), terms.constant(x_value.clone()), terms.constant(y_value.clone())];
                let difference = subtract(terms, x_value, y_value);
                if terms.value(difference).is_some_and(is_small) {
                    let sum = plus(terms, y, difference);
                    literals.push(terms.eq(x, sum));
                }
                let order = at_most(terms, x, y);
                let holds = at_most(terms, x_value, y_value);
                literals.push(if terms.is_true(holds) { order } else { terms.not(order) });
            }
        }
        literals
    }

    /// The literals of a state that may hold of all. Variables are compared also where the parts
    /// mention their values, which may be so by chance.
    fn candidates(&self, terms: &mut Terms, model: &dyn Model, constants: &FxHashSet<Value>) -> Vec<Term> {
        let mut literals = self.literals(terms, model, constants);
        literals.extend(self.comparisons(terms, model, |_| true));
        distinct(literals)
    }

    /// The literals of one state. Variables are compared whose values no part mentions, and it is said
    /// from both sides how large they are: one may be enough.
    fn describe(&self, terms: &mut Terms, model: &dyn Model, constants: &FxHashSet<Value>) -> Vec<Term> {
        let mut literals = self.literals(terms, model, constants);
        literals.extend(self.comparisons(terms, model, |value| !constants.contains(value)));
        for var in &self.vars {
            let (own, value) = (terms.var(*var), model.value(terms, *var));
            if constants.contains(&value) || matches!(value, Value::Bool(_)) {
                continue;
            }
            let number = terms.constant(value);
            literals.extend(match terms.var_sort(*var) {
                Sort::BitVec(_) | Sort::Int => [at_most(terms, own, number), at_most(terms, number, own)],
                Sort::Bool | Sort::Real | Sort::Array(_) => continue,
            });
        }
        distinct(literals)
    }
}

/// Each literal once, in order.
fn distinct(mut literals: Vec<Term>) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    literals.retain(|literal| seen.insert(*literal));
    literals
}

/// Words are compared as signed numbers.
fn at_most(terms: &mut Terms, a: Term, b: Term) -> Term {
    if *terms.sort(a) == Sort::Int { terms.le(a, b) } else { terms.bvsle(a, b) }
}

fn plus(terms: &mut Terms, a: Term, b: Term) -> Term {
    if *terms.sort(a) == Sort::Int { terms.add(a, b) } else { terms.bvadd(a, b) }
}

fn subtract(terms: &mut Terms, a: Term, b: Term) -> Term {
    if *terms.sort(a) == Sort::Int { terms.sub(a, b) } else { terms.bvsub(a, b) }
}

/// Whether a difference is one that programs are likely to write.
fn is_small(difference: &Value) -> bool {
    let text = match difference {
        Value::Int(number) => number.to_string(),
        Value::BitVec(number) => number.to_signed().to_string(),
        Value::Bool(_) | Value::Real(_) | Value::Array(_) => return false,
    };
    text.parse().is_ok_and(|number: i64| number.abs() <= SMALL)
}

/// The literals that the parts suggest, by node, and the values that they assign or compare with.
fn suggestions(terms: &Terms, parts: &Parts) -> (Vec<Suggested>, FxHashSet<Value>) {
    let mut constants = FxHashSet::default();
    let mut about: FxHashMap<Var, Vec<Term>> = FxHashMap::default();
    let mut seen = FxHashSet::default();
    for term in post_order(terms, &parts.formulas) {
        let Node::App(fun, args) = terms.node(term) else { continue };
        if matches!(fun, Fun::Eq | Fun::Ite) {
            constants.extend(args.iter().filter_map(|arg| terms.value(*arg)).cloned());
        }
        if *terms.sort(term) == Sort::Bool && !is_connective(terms, fun, args) && seen.insert(term) {
            let vars = terms.free_vars(&[term]);
            if let Some(first) = vars.first() {
                about.entry(*first).or_default().push(term);
            }
        }
    }
    let node = |shared: Vec<Var>| {
        let known: BTreeSet<Var> = shared.iter().copied().collect();
        let conditions = shared.iter().filter_map(|var| about.get(var)).flatten();
        let conditions = conditions.filter(|term| terms.free_vars(&[**term]).is_subset(&known));
        let plain = |var: &Var| !matches!(terms.var_sort(*var), Sort::Array(_) | Sort::Real);
        Suggested { conditions: conditions.copied().collect(), vars: shared.iter().copied().filter(plain).collect() }
    };
    (parts.shared(terms).into_iter().map(node).collect(), constants)
}

/// Whether a formula is made of others.
fn is_connective(terms: &Terms, fun: &Fun, args: &[Term]) -> bool {
    matches!(fun, Fun::Not | Fun::And | Fun::Or | Fun::Xor | Fun::Ite)
        || *fun == Fun::Eq && *terms.sort(args[0]) == Sort::Bool
}

struct Walk<'a> {
    terms: &'a mut Terms,
    parts: &'a Parts,
    suggested: (Vec<Suggested>, FxHashSet<Value>),
    /// By node: one that was told its part.
    solvers: Vec<Box<dyn Solver>>,
}

impl Walk<'_> {
    fn interpolants(&mut self) -> Result<Vec<Term>, Halt> {
        let children = self.parts.children();
        let root = self.parts.formulas.len() - 1;
        let mut known: Vec<Vec<Term>> = Vec::new();
        let falsity = self.terms.bool(false);
        for (node, below) in children[..root].iter().enumerate() {
            let facts: Vec<Term> = below.iter().flat_map(|child| known[*child].clone()).collect();
            known.push(self.follow(node, &facts)?.unwrap_or_else(|| vec![falsity]));
        }
        self.exclude(&children, &mut known)?;
        // From the root back, what each part needs of what its children say.
        let mut needed: Vec<Vec<Term>> = vec![Vec::new(); root];
        for node in (0..=root).rev() {
            let goal = needed.get(node).map_or(falsity, |goal| self.terms.and(goal));
            if self.terms.is_true(goal) {
                continue;
            }
            let facts: Vec<Term> = children[node].iter().flat_map(|child| known[*child].clone()).collect();
            let core: FxHashSet<Term> = self.need(node, &facts, goal)?.into_iter().collect();
            for child in &children[node] {
                needed[*child] = known[*child].iter().copied().filter(|literal| core.contains(literal)).collect();
            }
        }
        Ok(needed.into_iter().map(|literals| self.terms.and(&literals)).collect())
    }

    /// The suggested literals that follow from facts and a part; nothing if these contradict each
    /// other.
    fn follow(&mut self, node: usize, facts: &[Term]) -> Result<Option<Vec<Term>>, Halt> {
        let (suggested, constants) = (&self.suggested.0[node], &self.suggested.1);
        let solver = &mut self.solvers[node];
        let mut candidates = match solver.check(self.terms, facts)? {
            Answer::Unsat(_) => return Ok(None),
            Answer::Unknown(why) => return Err(why.into()),
            Answer::Sat(model) => suggested.candidates(self.terms, &*model, constants),
        };
        while !candidates.is_empty() {
            let all = self.terms.and(&candidates);
            let other = self.terms.not(all);
            let question: Vec<Term> = facts.iter().copied().chain([other]).collect();
            match solver.check(self.terms, &question)? {
                Answer::Unsat(_) => break,
                Answer::Unknown(why) => return Err(why.into()),
                Answer::Sat(model) => candidates.retain(|literal| model.eval(self.terms, *literal).as_bool()),
            }
        }
        Ok(Some(candidates))
    }

    /// Excludes states from which the root is possible, one after another.
    fn exclude(&mut self, children: &[Vec<usize>], known: &mut [Vec<Term>]) -> Result<(), Halt> {
        let root = known.len();
        let mut left = MOST;
        // What is to be excluded behind which node, the last first.
        let mut waiting: Vec<(usize, Vec<Term>)> = Vec::new();
        loop {
            let (node, state) = waiting.last().map_or((root, &[][..]), |(node, state)| (*node, state.as_slice()));
            let before = match children[node].as_slice() {
                [] => None,
                [only] => Some(*only),
                [_, ..] if waiting.is_empty() && self.is_excluded(node, children, known)? => return Ok(()),
                [_, ..] => return Err(Why::GaveUp("no suggested literals suffice".to_owned()).into()),
            };
            let facts = before.map_or(&[][..], |child| known[child].as_slice());
            let question: Vec<Term> = facts.iter().chain(state).copied().collect();
            let reached = match self.solvers[node].check(self.terms, &question)? {
                Answer::Unknown(why) => return Err(why.into()),
                Answer::Unsat(_) => None,
                Answer::Sat(model) => {
                    let Some(before) = before else {
                        return Err(Why::GaveUp("no suggested literals suffice".to_owned()).into());
                    };
                    Some((before, self.suggested.0[before].describe(self.terms, &*model, &self.suggested.1)))
                }
            };
            match reached {
                Some(_) if left == 0 => {
                    return Err(Why::GaveUp("too many states to exclude one by one".to_owned()).into());
                }
                Some(state) => {
                    left -= 1;
                    waiting.push(state);
                }
                None => {
                    let Some((node, state)) = waiting.pop() else { return Ok(()) };
                    let facts = facts.to_vec();
                    let core = self.small(node, &facts, &state)?;
                    let impossible = self.terms.and(&core);
                    known[node].push(self.terms.not(impossible));
                }
            }
        }
    }

    /// Whether what several children say excludes a part.
    fn is_excluded(&mut self, node: usize, children: &[Vec<usize>], known: &[Vec<Term>]) -> Result<bool, Halt> {
        let facts: Vec<Term> = children[node].iter().flat_map(|child| known[*child].clone()).collect();
        match self.solvers[node].check(self.terms, &facts)? {
            Answer::Unsat(_) => Ok(true),
            Answer::Sat(_) => Ok(false),
            Answer::Unknown(why) => Err(why.into()),
        }
    }

    /// Some of the literals of a state that facts and a part exclude.
    fn small(&mut self, node: usize, facts: &[Term], state: &[Term]) -> Result<Vec<Term>, Halt> {
        let solver = &mut self.solvers[node];
        shrink(self.terms, &mut **solver, facts, state.to_vec())?
            .ok_or_else(|| Why::GaveUp("an answer that the next one contradicts".to_owned()).into())
    }

    /// The facts that, with a part, suffice for a goal.
    fn need(&mut self, node: usize, facts: &[Term], goal: Term) -> Result<Vec<Term>, Halt> {
        let not = self.terms.not(goal);
        let solver = &mut self.solvers[node];
        shrink(self.terms, &mut **solver, &[not], facts.to_vec())?
            .ok_or_else(|| Why::GaveUp("no suggested literals suffice".to_owned()).into())
    }
}

/// Some of the formulas that contradict the facts and what the solver was told, if all do. The last
/// ones are tried to be left out first: conditions, which come before values, say more about other
/// rounds of a loop.
fn shrink(
    terms: &Terms,
    solver: &mut dyn Solver,
    facts: &[Term],
    mut formulas: Vec<Term>,
) -> Result<Option<Vec<Term>>, Halt> {
    let mut ask = |formulas: &[Term]| -> Result<Option<FxHashSet<Term>>, Halt> {
        let question: Vec<Term> = facts.iter().chain(formulas).copied().collect();
        match solver.check(terms, &question)? {
            Answer::Unsat(core) => Ok(Some(core.assumptions().iter().copied().collect())),
            Answer::Sat(_) => Ok(None),
            Answer::Unknown(why) => Err(why.into()),
        }
    };
    let Some(core) = ask(&formulas)? else { return Ok(None) };
    formulas.retain(|formula| core.contains(formula));
    let mut untried = formulas.len();
    while untried > 0 {
        untried -= 1;
        let mut rest = formulas.clone();
        rest.remove(untried);
        if let Some(core) = ask(&rest)? {
            rest.retain(|formula| core.contains(formula));
            untried = untried.min(rest.len());
            formulas = rest;
        }
    }
    Ok(Some(formulas))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpolation::{Validity, valid};

    /// Interpolants for: some pair of numbers, both kept, and another pair.
    fn pairs(sort: &Sort) -> (Terms, Parts, Vec<Term>) {
        let mut terms = Terms::new();
        let mut vars = |names: [&str; 2]| names.map(|name| terms.declare(name, sort.clone())).map(|var| terms.var(var));
        let ([x, y], [x_next, y_next]) = (vars(["x", "y"]), vars(["x'", "y'"]));
        let number = |terms: &mut Terms, value: i64| match sort {
            Sort::BitVec(width) => terms.bv(*width, value.unsigned_abs()),
            Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => terms.int(value),
        };
        let [one, two] = [1, 2].map(|value| number(&mut terms, value));
        let both = |terms: &mut Terms, pairs: [(Term, Term); 2]| {
            let parts = pairs.map(|(a, b)| terms.eq(a, b));
            terms.and(&parts)
        };
        let low = both(&mut terms, [(x, one), (y, one)]);
        let high = both(&mut terms, [(x, two), (y, two)]);
        let first = terms.or(&[low, high]);
        let kept = both(&mut terms, [(x_next, x), (y_next, y)]);
        let mixed = both(&mut terms, [(x_next, one), (y_next, two)]);
        let parts = Parts::chain(vec![first, kept, mixed]);
        match Literals::new(Solvers::default()).interpolate(&mut terms, &parts) {
            Ok(Interpolation::Interpolants(found)) => (terms, parts, found),
            other => panic!("no interpolants: {other:?}"),
        }
    }

    #[test]
    fn a_disjunction_is_found_by_excluding_states() {
        for sort in [Sort::BitVec(8), Sort::Int] {
            let (mut terms, parts, found) = pairs(&sort);
            let mut solver = Solvers::default().fresh(&terms, &parts.formulas).unwrap();
            assert_eq!(valid(&mut terms, &parts, &found, solver.as_mut()).unwrap(), Validity::Valid);
            assert!(found.iter().all(|formula| terms.value(*formula).is_none()), "both are needed");
        }
    }
}
