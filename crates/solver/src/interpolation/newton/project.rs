//! Projection: which variables go, and in which order. The result follows from the facts, and
//! is equivalent to them as far as the other variables are concerned while `exact` is true.
//!
//! Few cases are all told apart. Where there are many, models say which of them are left
//! (model-based projection: Komuravelli, Gurfinkel, Chaki, *SMT-Based Model Checking for
//! Recursive Programs*, CAV 2014): each model chooses a way through the cases, and values of
//! variables that nothing else eliminates. If there are too many even so, what is said about
//! the variables is dropped.

use super::split::{cases, values_of};
use super::{arrays, bounds, define};
use crate::{Answer, Error, Solvers, Why};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// How many cases are told apart without a model.
const CASES: usize = 24;
/// The same, where what is left is dropped.
const LAST_CASES: usize = 200;
/// How many models are asked for.
const MODELS: usize = 96;
/// How many cases and variables may be told apart within each other: that is kept on the stack.
const DEEPEST: usize = 500;
/// Facts of more distinct subterms are not projected.
const SIZE: usize = 50_000;

/// Projects facts on variables.
#[derive(Debug)]
pub(super) struct Projector<'a> {
    solvers: &'a Solvers,
    /// Whether nothing was lost so far.
    pub(super) exact: bool,
    /// How many more cases may be told apart.
    cases: usize,
    /// How many of them are open.
    depth: usize,
    mode: Mode,
}

/// What to do about cases.
#[derive(Debug)]
enum Mode {
    /// Tell a few apart, or give up.
    Strict,
    /// Choose what is true under these values; variables that are not listed have the default.
    Guided(FxHashMap<Var, Value>),
    /// Tell some apart, and drop what is left.
    Lossy,
}

/// Why there is no projection.
#[derive(Debug)]
pub(super) enum Halt {
    /// There are too many cases, or a variable that nothing eliminates.
    Stuck,
    Why(Why),
    Error(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        Halt::Error(error)
    }
}

/// A fact, and which of the variables that must go are in it.
pub(super) struct Fact {
    pub(super) term: Term,
    pub(super) gone: BTreeSet<Var>,
}

/// What is to be projected: facts, and which variables stay.
pub(super) struct Facts<'k> {
    pub(super) facts: Vec<Fact>,
    keep: &'k BTreeSet<Var>,
}

impl<'k> Facts<'k> {
    fn new(terms: &Terms, facts: &[Term], keep: &'k BTreeSet<Var>) -> Facts<'k> {
        let mut all = Facts { facts: Vec::new(), keep };
        all.add(terms, facts);
        all
    }

    /// Adds facts, conjunct by conjunct.
    pub(super) fn add(&mut self, terms: &Terms, facts: &[Term]) {
        for term in terms.conjuncts(facts) {
            let gone = terms.free_vars(&[term]).difference(self.keep).copied().collect();
            self.facts.push(Fact { term, gone });
        }
    }

    /// Replaces variables in all facts.
    pub(super) fn substitute(&mut self, terms: &mut Terms, map: &FxHashMap<Var, Term>) {
        let (touched, rest) = std::mem::take(&mut self.facts)
            .into_iter()
            .partition(|fact: &Fact| fact.gone.iter().any(|var| map.contains_key(var)));
        self.facts = rest;
        let touched: Vec<Term> = touched.into_iter().map(|fact: Fact| fact.term).collect();
        let replaced = terms.substitute_all(&touched, map);
        let replaced = normal(terms, replaced);
        self.add(terms, &replaced);
    }

    fn terms(&self) -> Vec<Term> {
        self.facts.iter().map(|fact| fact.term).collect()
    }
}

/// The conjuncts of formulas, each once.
pub(super) fn conjuncts(terms: &mut Terms, formulas: Vec<Term>) -> Vec<Term> {
    let formulas = normal(terms, formulas);
    terms.conjuncts(&formulas)
}

/// Negated disjunctions as conjunctions, at the top.
fn normal(terms: &mut Terms, formulas: Vec<Term>) -> Vec<Term> {
    let (mut open, mut done) = (formulas, Vec::new());
    open.reverse();
    while let Some(formula) = open.pop() {
        let (args, negate) = match terms.node(formula) {
            Node::App(Fun::And, args) => (args.clone(), false),
            Node::App(Fun::Not, args) => match terms.node(args[0]) {
                Node::App(Fun::Or, args) => (args.clone(), true),
                Node::App(..) | Node::Var(_) | Node::Const(_) => {
                    done.push(formula);
                    continue;
                }
            },
            Node::App(..) | Node::Var(_) | Node::Const(_) => {
                done.push(formula);
                continue;
            }
        };
        open.extend(args.into_iter().rev().map(|arg| if negate { terms.not(arg) } else { arg }));
    }
    done
}

impl<'a> Projector<'a> {
    pub(super) fn new(solvers: &'a Solvers) -> Projector<'a> {
        Projector { solvers, exact: true, cases: 0, depth: 0, mode: Mode::Strict }
    }

    /// What the facts say about the variables that stay.
    pub(super) fn project(&mut self, terms: &mut Terms, facts: Vec<Term>, keep: &BTreeSet<Var>) -> Result<Term, Halt> {
        (self.mode, self.cases) = (Mode::Strict, CASES);
        match self.exists(terms, facts.clone(), keep) {
            Err(Halt::Stuck) => {}
            result => return result,
        }
        let before = self.exact;
        match self.guided(terms, &facts, keep) {
            Err(Halt::Stuck) => {}
            result => return result,
        }
        self.exact = before;
        (self.mode, self.cases) = (Mode::Lossy, LAST_CASES);
        self.exists(terms, facts, keep)
    }

    /// One model after another, until those that are found cover all.
    fn guided(&mut self, terms: &mut Terms, facts: &[Term], keep: &BTreeSet<Var>) -> Result<Term, Halt> {
        let vars = terms.free_vars(facts);
        let mut solver = self.solvers.fresh(terms, facts)?;
        facts.iter().try_for_each(|fact| solver.assert(terms, *fact))?;
        let mut ways = Vec::new();
        for _ in 0..MODELS {
            let values = match solver.check(terms, &[])? {
                Answer::Unsat(_) => return Ok(terms.or(&ways)),
                Answer::Sat(model) => vars.iter().map(|var| (*var, model.value(terms, *var))).collect(),
                Answer::Unknown(Why::Interrupted) => return Err(Halt::Why(Why::Interrupted)),
                Answer::Unknown(_) => return Err(Halt::Stuck),
            };
            self.mode = Mode::Guided(values);
            let way = self.exists(terms, facts.to_vec(), keep)?;
            let other = terms.not(way);
            solver.assert(terms, other)?;
            ways.push(way);
        }
        Err(Halt::Stuck)
    }

    /// The facts without the variables that do not stay. It calls itself once per case that is
    /// told apart and per variable that goes by inequalities, never per level of a term.
    fn exists(&mut self, terms: &mut Terms, facts: Vec<Term>, keep: &BTreeSet<Var>) -> Result<Term, Halt> {
        if self.depth == DEEPEST {
            return Err(Halt::Why(Why::GaveUp("the formulas to project have too many variables and cases".to_owned())));
        }
        self.depth += 1;
        let result = self.exists_below(terms, facts, keep);
        self.depth -= 1;
        result
    }

    fn exists_below(&mut self, terms: &mut Terms, facts: Vec<Term>, keep: &BTreeSet<Var>) -> Result<Term, Halt> {
        if self.solvers.stop.is_set() {
            return Err(Halt::Why(Why::Interrupted));
        }
        if post_order(terms, &facts).len() > SIZE {
            return Err(Halt::Why(Why::GaveUp("the formulas to project are too large".to_owned())));
        }
        let facts = normal(terms, facts);
        let mut facts = Facts::new(terms, &facts, keep);
        while let Some(fresh) = define::define(terms, &mut facts) {
            self.learn(terms, &fresh);
            if self.solvers.stop.is_set() {
                return Err(Halt::Why(Why::Interrupted));
            }
        }
        if facts.facts.iter().any(|fact| terms.is_false(fact.term)) {
            return Ok(terms.bool(false));
        }
        let (done, open): (Vec<Fact>, Vec<Fact>) = facts.facts.into_iter().partition(|fact| fact.gone.is_empty());
        let mut result: Vec<Term> = done.into_iter().map(|fact| fact.term).collect();
        for component in components(open) {
            let part = self.eliminate(terms, &Facts { facts: component, keep })?;
            result.push(part);
        }
        let result = conjuncts(terms, result);
        Ok(terms.and(&result))
    }

    /// Notes what new variables stand for.
    fn learn(&mut self, terms: &Terms, fresh: &[(Var, Term)]) {
        if let Mode::Guided(values) = &mut self.mode {
            for (var, meaning) in fresh {
                let value = eval(terms, values, *meaning);
                values.insert(*var, value);
            }
        }
    }

    /// Facts that have variables in common, none of which is defined by an equation.
    fn eliminate(&mut self, terms: &mut Terms, facts: &Facts) -> Result<Term, Halt> {
        let keep = facts.keep;
        // A disjunction alone is projected disjunct by disjunct.
        if let [only] = facts.facts.as_slice()
            && !matches!(self.mode, Mode::Guided(_))
            && let Node::App(Fun::Or, args) = terms.node(only.term)
        {
            let args = args.clone();
            let ways = args.into_iter().map(|arg| self.exists(terms, vec![arg], keep));
            let ways = ways.collect::<Result<Vec<Term>, Halt>>()?;
            return Ok(terms.or(&ways));
        }
        let vars: BTreeSet<Var> = facts.facts.iter().flat_map(|fact| fact.gone.iter().copied()).collect();
        for var in &vars {
            if let Some((rest, exact)) = bounds::eliminate(terms, &facts.facts, *var) {
                self.exact &= exact;
                return self.exists(terms, rest, keep);
            }
        }
        if let Some((rest, fresh)) = arrays::eliminate(terms, &facts.facts, &vars) {
            self.learn(terms, &fresh);
            return self.exists(terms, rest, keep);
        }
        match choose(terms, facts, &vars) {
            Some((at, ways)) => self.split(terms, facts, at, ways),
            None => self.force(terms, facts, &vars),
        }
    }

    /// Tells cases apart; they replace the fact of that number, if one is given.
    fn split(&mut self, terms: &mut Terms, facts: &Facts, at: Option<usize>, ways: Vec<Term>) -> Result<Term, Halt> {
        let (mut rest, keep) = (facts.terms(), facts.keep);
        if let Some(at) = at {
            rest.remove(at);
        }
        let ways = match &self.mode {
            Mode::Guided(values) => {
                let chosen = ways.into_iter().find(|way| eval(terms, values, *way) == Value::Bool(true));
                vec![chosen.ok_or(Halt::Stuck)?]
            }
            Mode::Strict | Mode::Lossy if ways.len() <= self.cases => {
                self.cases -= ways.len();
                ways
            }
            Mode::Strict => return Err(Halt::Stuck),
            Mode::Lossy => {
                let vars = facts.facts.iter().flat_map(|fact| fact.gone.iter().copied()).collect();
                return self.force(terms, facts, &vars);
            }
        };
        let mut results = Vec::new();
        for way in ways {
            let facts = rest.iter().copied().chain([way]).collect();
            results.push(self.exists(terms, facts, keep)?);
        }
        Ok(terms.or(&results))
    }

    /// Makes one variable go that nothing eliminates: by its value, or by dropping what is said
    /// about it.
    fn force(&mut self, terms: &mut Terms, facts: &Facts, vars: &BTreeSet<Var>) -> Result<Term, Halt> {
        let uses = |var: Var| facts.facts.iter().filter(|fact| fact.gone.contains(&var)).count();
        let rest = match &self.mode {
            Mode::Strict => return Err(Halt::Stuck),
            Mode::Guided(values) => {
                let Some(var) = vars.iter().copied().max_by_key(|var| uses(*var)) else { return Err(Halt::Stuck) };
                let subject = terms.var(var);
                let value = eval(terms, values, subject);
                let value = terms.constant(value);
                let fixed = terms.eq(subject, value);
                facts.terms().into_iter().chain([fixed]).collect()
            }
            Mode::Lossy => {
                self.exact = false;
                let Some(var) = vars.iter().copied().min_by_key(|var| uses(*var)) else { return Ok(terms.bool(true)) };
                facts.facts.iter().filter(|fact| !fact.gone.contains(&var)).map(|fact| fact.term).collect()
            }
        };
        self.exists(terms, rest, facts.keep)
    }
}

fn eval(terms: &Terms, values: &FxHashMap<Var, Value>, term: Term) -> Value {
    terms.eval(term, |var| values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var))))
}

/// Cases to tell apart: the values of a small variable, or those of the fact with that
/// number, which they replace.
fn choose(terms: &mut Terms, facts: &Facts, vars: &BTreeSet<Var>) -> Option<(Option<usize>, Vec<Term>)> {
    let uses = |var: Var| facts.facts.iter().filter(|fact| fact.gone.contains(&var)).count();
    let boolean = vars.iter().copied().filter(|var| *terms.var_sort(*var) == Sort::Bool);
    if let Some(var) = boolean.max_by_key(|var| uses(*var)) {
        return Some((None, values_of(terms, var)));
    }
    for (at, fact) in facts.facts.iter().enumerate() {
        if let Some(ways) = cases(terms, fact) {
            return Some((Some(at), ways));
        }
    }
    let small = |var: &Var| terms.var_sort(*var).cardinality().is_some_and(|count| count <= 16);
    let small = vars.iter().copied().find(|var| small(var))?;
    Some((None, values_of(terms, small)))
}

/// Facts that share variables, directly or through others, are together.
fn components(facts: Vec<Fact>) -> Vec<Vec<Fact>> {
    let mut components: Vec<(BTreeSet<Var>, Vec<Fact>)> = Vec::new();
    for fact in facts {
        let (together, apart) = components.into_iter().partition(|(vars, _)| !vars.is_disjoint(&fact.gone));
        components = apart;
        let mut joined = (fact.gone.clone(), Vec::new());
        for (vars, facts) in together {
            let (vars, facts): (BTreeSet<Var>, Vec<Fact>) = (vars, facts);
            joined.0.extend(vars);
            joined.1.extend(facts);
        }
        joined.1.push(fact);
        components.push(joined);
    }
    components.into_iter().map(|(_, facts)| facts).collect()
}
