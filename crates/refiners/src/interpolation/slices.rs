//! What of a path's formulas can be left out so that the path still goes on.
//!
//! A step is a relation `at = k ∧ guard ∧ at' = m ∧ x' = value ∧ …`. What it *does* is to be at these
//! places and to give next values: the equations. Under which *conditions* it does so is the rest:
//! guards, what holds at every state, and what the abstract state says beside its place. Without a
//! condition the relation is weaker, so a contradiction that remains is one of the whole path.

use super::chain::Chain;
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Path, State};
use tamis_ir::Extracted;
use tamis_term::{Fun, Node, Substitution, Term, Terms, Var};

/// One formula of a path, in pieces.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    /// What the step does.
    pub(super) does: Term,
    /// Its conditions.
    pub(super) conditions: Vec<Condition>,
}

/// What can be left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    /// The condition, at its step.
    pub(super) formula: Term,
    /// The literal of an abstract state that it is, if it is one.
    pub(super) literal: Option<Term>,
}

/// The places where a step begins and ends, as far as they are known: values of the control variable.
type Places = (Option<Term>, Option<Term>);

/// Cuts formulas into pieces, and remembers what became of them.
#[derive(Clone, Debug)]
pub(super) struct Slices {
    /// The variable that says where control is, and its next value.
    control: Option<(Var, Var)>,
    /// The next values.
    next: BTreeSet<Var>,
    /// What a step between two places does, and its conditions.
    steps: BTreeMap<Places, (Term, Vec<Term>)>,
    /// The same at steps of paths.
    unrolled: BTreeMap<(usize, Places), (Term, Vec<Term>)>,
}

impl Slices {
    pub(super) fn new(extracted: &Extracted) -> Slices {
        let state = &extracted.system.state;
        let control = extracted.control.and_then(|control| state.iter().find(|(now, _)| *now == control).copied());
        let next = state.iter().map(|(_, next)| *next).collect();
        Slices { control, next, steps: BTreeMap::new(), unrolled: BTreeMap::new() }
    }

    /// The formulas of a path, in pieces: one per state, and one for the bad condition.
    pub(super) fn of(&mut self, terms: &mut Terms, chain: &mut Chain, path: &Path) -> Vec<Slice> {
        let mut slices = Vec::new();
        let mut before = None;
        for (at, state) in path.0.iter().enumerate() {
            let here = self.place(terms, state);
            let (does, conditions) = match at.checked_sub(1) {
                None => (chain.unrolling.at(terms, chain.first, 0), Vec::new()),
                Some(_) => self.unrolled(terms, chain, at, (before, here)),
            };
            let (place, said): (Vec<Term>, Vec<Term>) =
                state.literals.iter().copied().partition(|literal| self.is_place(terms, *literal));
            let place = terms.and(&place);
            let place = chain.unrolling.at(terms, place, at);
            let labels = chain.unrolling.all_at(terms, &said, at);
            let steps = conditions.into_iter().map(|formula| Condition { formula, literal: None });
            let labels = labels.into_iter().zip(said).map(|(formula, own)| Condition { formula, literal: Some(own) });
            slices.push(Slice { does: terms.and(&[does, place]), conditions: steps.chain(labels).collect() });
            before = here;
        }
        if let Some(last) = path.0.len().checked_sub(1) {
            let bad = self.located(terms, chain.bad, (before, None));
            let parts = conjuncts(terms, bad);
            let conditions = chain.unrolling.all_at(terms, &parts, last).into_iter();
            let conditions = conditions.map(|formula| Condition { formula, literal: None }).collect();
            slices.push(Slice { does: terms.bool(true), conditions });
        }
        slices
    }

    /// The place of an abstract state, if it says one.
    pub(super) fn place(&self, terms: &Terms, state: &State) -> Option<Term> {
        let (control, _) = self.control?;
        state.literals.iter().find_map(|literal| match terms.node(*literal) {
            Node::App(Fun::Eq, args) => {
                // Other equations may be about parts of where control is.
                let is_control = |arg: &Term| matches!(terms.node(*arg), Node::Var(var) if *var == control);
                args.iter().any(is_control).then(|| args.iter().copied().find(|arg| terms.value(*arg).is_some()))?
            }
            Node::App(..) | Node::Var(_) | Node::Const(_) => None,
        })
    }

    /// Whether a formula says where control is, and nothing else.
    fn is_place(&self, terms: &Terms, formula: Term) -> bool {
        let Some((now, next)) = self.control else { return false };
        let vars = terms.free_vars(&[formula]);
        !vars.is_empty() && vars.iter().all(|var| *var == now || *var == next)
    }

    /// A formula between two places.
    fn located(&self, terms: &mut Terms, formula: Term, (from, to): Places) -> Term {
        let Some((now, next)) = self.control else { return formula };
        let known = [(now, from), (next, to)].into_iter().filter_map(|(var, place)| Some((var, place?)));
        terms.substitute(formula, &known.collect::<Substitution>())
    }

    fn unrolled(&mut self, terms: &mut Terms, chain: &mut Chain, at: usize, places: Places) -> (Term, Vec<Term>) {
        if let Some(known) = self.unrolled.get(&(at, places)) {
            return known.clone();
        }
        let (does, conditions) = self.step(terms, chain, places);
        let does = chain.unrolling.at(terms, does, at - 1);
        let mut conditions = chain.unrolling.all_at(terms, &conditions, at - 1);
        let invariant = self.located(terms, chain.invariant, (places.1, None));
        let invariant = conjuncts(terms, invariant);
        conditions.extend(chain.unrolling.all_at(terms, &invariant, at));
        self.unrolled.insert((at, places), (does, conditions.clone()));
        (does, conditions)
    }

    /// What a step does, and its conditions.
    fn step(&mut self, terms: &mut Terms, chain: &Chain, places: Places) -> (Term, Vec<Term>) {
        if let Some(known) = self.steps.get(&places) {
            return known.clone();
        }
        let formula = self.located(terms, chain.step, places);
        let (mut does, mut conditions) = (Vec::new(), Vec::new());
        for part in conjuncts(terms, formula) {
            if self.stays(terms, part) {
                does.push(part);
                continue;
            }
            conditions.push(part);
            // One of several ways: what they do, whatever their guards say.
            if let Node::App(Fun::Or, ways) = terms.node(part) {
                let ways: Vec<Vec<Term>> = ways.iter().map(|way| conjuncts(terms, *way)).collect();
                let mut bare = Vec::new();
                for way in ways {
                    let kept: Vec<Term> = way.into_iter().filter(|part| self.stays(terms, *part)).collect();
                    bare.push(terms.and(&kept));
                }
                does.push(terms.or(&bare));
            }
        }
        let found = (terms.and(&does), conditions);
        self.steps.insert(places, found.clone());
        found
    }

    /// Whether a part of a step says a next value, or a place.
    fn stays(&self, terms: &Terms, part: Term) -> bool {
        let is_next = |term: Term| matches!(terms.node(term), Node::Var(var) if self.next.contains(var));
        let says_next = match terms.node(part) {
            Node::Var(var) => self.next.contains(var),
            Node::App(Fun::Not | Fun::Eq, args) => args.iter().any(|arg| is_next(*arg)),
            Node::App(..) | Node::Const(_) => false,
        };
        says_next || self.is_place(terms, part)
    }
}

/// The parts of a conjunction, and of conjunctions in it; nothing of what is true.
pub(super) fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut stack = vec![formula];
    while let Some(part) = stack.pop() {
        match terms.node(part) {
            Node::App(Fun::And, args) => stack.extend(args.iter().rev()),
            Node::Const(_) if terms.is_true(part) => {}
            Node::App(..) | Node::Var(_) | Node::Const(_) => found.push(part),
        }
    }
    found
}
