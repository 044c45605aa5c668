//! From the syntax tree of a system to a [`Machine`].
//!
//! Several constraints of a kind hold together. Conjuncts that determine a value become
//! assignments, because they are cheaper than conditions and read better in a trace: `x = t`
//! of the initial constraints, `x' = t` of the transitions. What is left are conditions, in
//! which the next values that are determined are replaced by what determines them.

use super::ast::{Declared, Expr, Name, Node};
use super::system::{Described, Item, Named, Specification};
use super::value::{Scope, evaluate, evaluate_as};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_ir::system::machine::{Bad, Machine};
use tamis_ir::{Diagnostic, Span};
use tamis_term::{Fun, Node as TermNode, Sort, Term, Terms, Var};

/// How often determined next values are looked for again, after some were replaced.
const ROUNDS: usize = 8;

/// The machine that the specification describes.
///
/// # Errors
/// What is wrong with it.
pub(super) fn machine<'s>(
    terms: &mut Terms,
    nodes: &[Node<'s>],
    specification: &Specification<'s>,
    file: Span,
) -> Result<Machine, Vec<Diagnostic>> {
    let Some(first) = specification.properties.first() else {
        let error = Diagnostic::error(file, "there is no property, so nothing to check");
        return Err(vec![error.hint("write `property NAME : { … } models G(…)`")]);
    };
    let mut lowering = Lowering::new(terms, nodes);
    lowering.shared(specification);
    let span = match &first.system {
        Described::Here(items, span) => {
            lowering.items(items);
            *span
        }
        Described::Named(name, args) => lowering.instance(specification, *name, args),
    };
    for property in &specification.properties[1..] {
        let same = match (&first.system, &property.system) {
            (Described::Named(a, x), Described::Named(b, y)) => a.text == b.text && x.is_empty() && y.is_empty(),
            _ => false,
        };
        if !same {
            let error = Diagnostic::error(property.name.span, "this property is about another system than the first");
            lowering.errors.push(error.hint("put it into a file of its own, or name the system with `system`"));
        }
    }
    let bads = lowering.bads(specification);
    if lowering.errors.is_empty() { Ok(lowering.finish(bads, span)) } else { Err(lowering.errors) }
}

/// What a constraint is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Invariant,
    Initial,
    Transition,
}

struct Lowering<'a, 's> {
    terms: &'a mut Terms,
    nodes: &'a [Node<'s>],
    /// Without primes, and with them.
    scope: Scope<'s>,
    primed: FxHashMap<Var, Term>,
    state: Vec<Var>,
    /// The variables for next values, by position in `state`.
    next: Vec<Var>,
    /// State variables that never change.
    constants: Vec<Var>,
    invariants: Vec<Term>,
    initials: Vec<Term>,
    transitions: Vec<Term>,
    errors: Vec<Diagnostic>,
}

impl<'a, 's> Lowering<'a, 's> {
    fn new(terms: &'a mut Terms, nodes: &'a [Node<'s>]) -> Lowering<'a, 's> {
        Lowering {
            terms,
            nodes,
            scope: Scope::default(),
            primed: FxHashMap::default(),
            state: Vec::new(),
            next: Vec::new(),
            constants: Vec::new(),
            invariants: Vec::new(),
            initials: Vec::new(),
            transitions: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The declarations for all systems. A parameter of the specification is any constant.
    fn shared(&mut self, specification: &Specification<'s>) {
        for param in &specification.params {
            self.state_variable(param, true);
        }
        self.items(&specification.items);
    }

    /// The system of that name, its parameters replaced by the arguments.
    fn instance(&mut self, specification: &Specification<'s>, name: Name<'s>, args: &[Expr]) -> Span {
        let Some(system) = specification.systems.iter().find(|system| system.name.text == name.text) else {
            self.errors.push(Diagnostic::error(name.span, format!("there is no system `{}`", name.text)));
            return name.span;
        };
        self.arguments(system, name, args);
        self.items(&system.items);
        system.span
    }

    fn arguments(&mut self, system: &Named<'s>, name: Name<'s>, args: &[Expr]) {
        if args.len() != system.params.len() {
            let text = format!("`{}` has {} parameters, not {}", name.text, system.params.len(), args.len());
            self.errors.push(Diagnostic::error(name.span, text));
        }
        for (param, arg) in system.params.iter().zip(args) {
            match evaluate_as(self.terms, self.nodes, *arg, &self.scope, &param.sort) {
                Ok(term) => self.bind(param.name, term),
                Err(error) => self.errors.push(error),
            }
        }
    }

    fn bind(&mut self, name: Name<'s>, term: Term) {
        if *self.scope.names.entry(name.text).or_insert(term) != term {
            self.errors.push(Diagnostic::error(name.span, format!("`{}` is declared twice", name.text)));
        }
    }

    fn state_variable(&mut self, declared: &Declared<'s>, constant: bool) -> Term {
        let text = declared.name.text;
        let var = self.terms.declare(text, declared.sort.clone());
        let next = self.terms.declare(&format!("main::${text}'"), declared.sort.clone());
        let (now, then) = (self.terms.var(var), self.terms.var(next));
        self.primed.insert(var, if constant { now } else { then });
        self.state.push(var);
        self.next.push(next);
        if constant {
            self.constants.push(var);
        }
        self.bind(declared.name, now);
        now
    }

    /// Declarations first, because the order in the text is free.
    fn items(&mut self, items: &[Item<'s>]) {
        for item in items {
            match item {
                Item::Const(declared, Some(value)) => {
                    match evaluate_as(self.terms, self.nodes, *value, &self.scope, &declared.sort) {
                        Ok(term) => self.bind(declared.name, term),
                        Err(error) => self.errors.push(error),
                    }
                }
                Item::Const(declared, None) => _ = self.state_variable(declared, true),
                Item::Var(declared, _) => _ = self.state_variable(declared, false),
                Item::Invariant(_) | Item::Initial(_) | Item::Transition(_) => {}
            }
        }
        for item in items {
            match item {
                Item::Var(declared, Some(value)) => self.initial_value(declared, *value),
                Item::Invariant(condition) => self.constraint(*condition, Stage::Invariant),
                Item::Initial(condition) => self.constraint(*condition, Stage::Initial),
                Item::Transition(condition) => self.constraint(*condition, Stage::Transition),
                Item::Const(..) | Item::Var(_, None) => {}
            }
        }
    }

    /// `var x : int := 3`
    fn initial_value(&mut self, declared: &Declared<'s>, value: Expr) {
        let var = self.scope.names[declared.name.text];
        if self.terms.sort(var) != &declared.sort {
            // The name is declared twice, which is already said.
            return;
        }
        match evaluate_as(self.terms, self.nodes, value, &self.scope, &declared.sort) {
            Ok(value) => {
                let equal = self.terms.eq(var, value);
                self.initials.push(equal);
            }
            Err(error) => self.errors.push(error),
        }
    }

    fn constraint(&mut self, condition: Expr, stage: Stage) {
        let primes = (stage == Stage::Transition).then(|| std::mem::take(&mut self.primed));
        self.scope.primed = primes;
        let term = evaluate_as(self.terms, self.nodes, condition, &self.scope, &Sort::Bool);
        if let Some(primes) = self.scope.primed.take() {
            self.primed = primes;
        }
        match term {
            Ok(term) => match stage {
                Stage::Invariant => self.invariants.push(term),
                Stage::Initial => self.initials.push(term),
                Stage::Transition => self.transitions.push(term),
            },
            Err(error) => self.errors.push(error),
        }
    }

    fn bads(&mut self, specification: &Specification<'s>) -> Vec<Bad> {
        let mut bads: Vec<Bad> = Vec::new();
        for property in &specification.properties {
            let name = property.name.text;
            if bads.iter().any(|bad| bad.name == name) {
                self.errors.push(Diagnostic::error(property.name.span, format!("`{name}` is declared twice")));
            }
            match evaluate(self.terms, self.nodes, property.condition, &self.scope) {
                Ok(term) if *self.terms.sort(term) == Sort::Bool => {
                    let condition = self.terms.not(term);
                    let about = format!("the property {name} does not hold");
                    bads.push(Bad { name: name.to_owned(), about, condition, span: property.condition.span });
                }
                Ok(_) => self.errors.push(Diagnostic::error(property.condition.span, "this is no condition")),
                Err(error) => self.errors.push(error),
            }
        }
        bads
    }

    fn finish(self, bads: Vec<Bad>, span: Span) -> Machine {
        let terms = self.terms;
        let constraint = terms.and(&self.invariants);
        let (init, start) = determined(terms, &self.initials, &self.state);
        let then: FxHashMap<Var, Var> = self.state.iter().copied().zip(self.next.iter().copied()).collect();
        let mut update: Vec<(Var, Term)> = self.constants.iter().map(|var| (*var, terms.var(*var))).collect();
        let mut rest = self.transitions;
        for _ in 0..ROUNDS {
            let found = functions(terms, &mut rest, &self.state, &self.next, &update);
            if found.is_empty() {
                break;
            }
            let map: FxHashMap<Var, Term> = found.iter().map(|(var, term)| (then[var], *term)).collect();
            rest = terms.substitute_all(&rest, &map);
            update.extend(found);
        }
        let relation = terms.and(&rest);
        let mentioned = terms.free_vars(&[relation]);
        let pairs = self.state.iter().copied().zip(self.next);
        let next = pairs.filter(|(_, next)| mentioned.contains(next)).collect();
        Machine { state: self.state, inputs: Vec::new(), init, start, constraint, update, next, relation, bads, span }
    }
}

/// The ways to read a conjunct as `x = t`.
fn equations(terms: &mut Terms, conjunct: Term) -> Vec<(Var, Term)> {
    let var = |terms: &Terms, term: Term| match terms.node(term) {
        TermNode::Var(var) => Some(*var),
        TermNode::Const(_) | TermNode::App(..) => None,
    };
    if let Some(var) = var(terms, conjunct) {
        return vec![(var, terms.bool(true))];
    }
    let TermNode::App(fun, args) = terms.node(conjunct) else { return Vec::new() };
    match (fun, args.as_slice()) {
        (Fun::Not, [arg]) => {
            let found = var(terms, *arg);
            found.map(|var| (var, terms.bool(false))).into_iter().collect()
        }
        (Fun::Eq, [a, b]) => {
            let (a, b) = (*a, *b);
            [(a, b), (b, a)].iter().filter_map(|(left, right)| Some((var(terms, *left)?, *right))).collect()
        }
        _ => Vec::new(),
    }
}

/// Initial values over variables without one, and what else holds at the start.
fn determined(terms: &mut Terms, initials: &[Term], state: &[Var]) -> (Vec<(Var, Term)>, Term) {
    let state: BTreeSet<Var> = state.iter().copied().collect();
    let (mut init, mut start): (Vec<(Var, Term)>, Vec<Term>) = (Vec::new(), Vec::new());
    let (mut set, mut read): (BTreeSet<Var>, BTreeSet<Var>) = (BTreeSet::new(), BTreeSet::new());
    for conjunct in terms.conjuncts(initials) {
        let fitting = equations(terms, conjunct).into_iter().find(|(var, term)| {
            let vars = terms.free_vars(&[*term]);
            let free = |var: &Var| !set.contains(var);
            state.contains(var) && free(var) && !read.contains(var) && !vars.contains(var) && vars.iter().all(free)
        });
        match fitting {
            Some((var, term)) => {
                read.extend(terms.free_vars(&[term]));
                set.insert(var);
                init.push((var, term));
            }
            None => start.push(conjunct),
        }
    }
    (init, terms.and(&start))
}

/// Takes the conjuncts out of `rest` that determine the next value of a state variable by
/// current values.
fn functions(
    terms: &mut Terms,
    rest: &mut Vec<Term>,
    state: &[Var],
    next: &[Var],
    known: &[(Var, Term)],
) -> Vec<(Var, Term)> {
    let now: FxHashMap<Var, Var> = next.iter().copied().zip(state.iter().copied()).collect();
    let mut set: BTreeSet<Var> = known.iter().map(|(var, _)| *var).collect();
    let (mut found, mut left) = (Vec::new(), Vec::new());
    for conjunct in terms.conjuncts(rest) {
        let fitting = equations(terms, conjunct).into_iter().find(|(var, term)| {
            let current = || terms.free_vars(&[*term]).iter().all(|var| !now.contains_key(var));
            now.get(var).is_some_and(|var| !set.contains(var)) && current()
        });
        match fitting {
            Some((next, term)) => {
                set.insert(now[&next]);
                found.push((now[&next], term));
            }
            None => left.push(conjunct),
        }
    }
    *rest = left;
    found
}
