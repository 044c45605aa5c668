//! What may be kept of a constraint that a loop does not preserve (the end of section 5: "instead of
//! deleting a constraint, one could transform a constraint", and "replace not one but a collection of
//! constraints by another collection which is entailed by the original collection").
//!
//! At the head of a loop, an equation is accompanied by its two inequalities, and the conditions of the
//! program that hold there join in. Each knows the constraints that imply it.

use super::ask::{Asker, Found};
use super::state::{Positions, Sequence};
use super::steps::{Constraint, Kind, Step};
use super::{Config, Slackening};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tamis_cegar::{Context, Outcome};
use tamis_ir::graph::depth_first;
use tamis_ir::{BlockGraph, Loc, PointId};
use tamis_term::{Fun, Node, Sort, Term, Terms, Value, Var};

/// No more conditions than this are tried at a head.
const MANY: usize = 120;

/// Equations between larger values are not worth being split.
const LARGE: usize = 40;

/// What is known about a loop from the text of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Loop {
    /// What it may change, of what matters at its head.
    changed: BTreeSet<Var>,
    /// Conditions of the program about that.
    conditions: Vec<Term>,
}

/// The heads of loops.
#[derive(Debug)]
pub(super) struct Loops {
    known: BTreeMap<PointId, Rc<Loop>>,
    /// What excluded error paths of earlier conflicts.
    excluding: BTreeMap<PointId, Vec<Term>>,
}

impl Loops {
    pub(super) fn new(terms: &mut Terms, graph: &BlockGraph) -> Loops {
        let by_loc: BTreeMap<Loc, PointId> = graph.points.iter().map(|point| (point.loc, point.id)).collect();
        let starts = graph.starts().iter().filter_map(|arc| graph.to(*arc)).map(|id| graph.point(id).loc);
        let next = |loc: Loc, at: usize| {
            let arc = graph.point(*by_loc.get(&loc)?).out.get(at)?;
            graph.to(*arc).map(|to| graph.point(to).loc)
        };
        let heads = depth_first(starts, next, |_| true).heads;
        let mut into: BTreeMap<PointId, Vec<PointId>> = BTreeMap::new();
        for point in &graph.points {
            for to in point.out.iter().filter_map(|arc| graph.to(*arc)) {
                into.entry(to).or_default().push(point.id);
            }
        }
        let mut known = Conditions::default();
        let heads = heads.into_iter().filter_map(|loc| by_loc.get(&loc));
        let known = heads.map(|head| (*head, Rc::new(known.of(terms, graph, &into, *head)))).collect();
        Loops { known, excluding: BTreeMap::new() }
    }

    pub(super) fn at(&self, point: PointId) -> Option<Rc<Loop>> {
        self.known.get(&point).cloned()
    }

    /// Formulas that exclude an error path are tried at this head from now on.
    pub(super) fn exclude(&mut self, point: PointId, formulas: &[Term]) {
        if self.known.contains_key(&point) {
            let known = self.excluding.entry(point).or_default();
            for formula in formulas {
                if known.len() < MANY && !known.contains(formula) {
                    known.push(*formula);
                }
            }
        }
    }

    /// What excluded error paths at a head.
    pub(super) fn excluding(&self, point: PointId) -> &[Term] {
        self.excluding.get(&point).map_or(&[], Vec::as_slice)
    }
}

#[derive(Default)]
struct Conditions {
    by_guard: BTreeMap<Term, Rc<[Term]>>,
}

impl Conditions {
    fn of(
        &mut self,
        terms: &mut Terms,
        graph: &BlockGraph,
        into: &BTreeMap<PointId, Vec<PointId>>,
        head: PointId,
    ) -> Loop {
        let out = |point: &PointId| graph.point(*point).out.iter().filter_map(|arc| graph.to(*arc)).collect::<Vec<_>>();
        let ahead = closure(head, out);
        let behind = closure(head, |point| into.get(point).cloned().unwrap_or_default());
        let body: BTreeSet<PointId> = ahead.intersection(&behind).copied().collect();
        let (mut found, mut guards) = (Loop::default(), Vec::new());
        let live = &graph.point(head).live;
        for point in &body {
            let point = graph.point(*point);
            for id in &point.out {
                guards.push(graph.arc(*id).guard);
                if graph.to(*id).is_some_and(|to| body.contains(&to)) {
                    found.changed.extend(graph.arc(*id).values.pairs().into_iter().map(|(var, _)| var));
                }
            }
        }
        for point in ahead {
            guards.extend(graph.point(point).bad.iter().map(|id| graph.arc(*id).guard));
        }
        found.changed.retain(|var| live.contains(var));
        for guard in guards {
            let atoms = self.by_guard.entry(guard).or_insert_with(|| atoms(terms, guard).into());
            for atom in &**atoms {
                let vars = terms.free_vars(&[*atom]);
                let fits = vars.is_subset(live) && !vars.is_disjoint(&found.changed);
                if fits && found.conditions.len() < MANY && !found.conditions.contains(atom) {
                    found.conditions.push(*atom);
                }
            }
        }
        found
    }
}

fn closure(from: PointId, next: impl Fn(&PointId) -> Vec<PointId>) -> BTreeSet<PointId> {
    let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
    while let Some(point) = open.pop() {
        open.extend(next(&point).into_iter().filter(|to| found.insert(*to)));
    }
    found
}

/// The comparisons in a formula.
fn atoms(terms: &Terms, formula: Term) -> Vec<Term> {
    let comparison = |term: &Term| match terms.node(*term) {
        Node::Var(var) => *terms.var_sort(*var) == Sort::Bool,
        Node::Const(_) => false,
        Node::App(Fun::Eq, args) => *terms.sort(args[0]) != Sort::Bool,
        Node::App(fun, _) => {
            matches!(fun, Fun::Lt | Fun::Le | Fun::BvUlt | Fun::BvUle | Fun::BvSlt | Fun::BvSle)
        }
    };
    let small = |term: &Term| terms.dag_size(*term) <= LARGE;
    tamis_term::walk::post_order(terms, &[formula]).into_iter().filter(comparison).filter(small).collect()
}

/// Constraints that follow from those of a state at the head of a loop, and of which some may be
/// invariant.
pub(super) fn implied(
    ctx: &mut Context,
    asker: &mut Asker,
    sequence: &Sequence,
    step: &Step,
    of: &Loop,
    excluding: &[Term],
    config: &Config,
) -> Outcome<Vec<Constraint>> {
    let conditions: Vec<Term> = match config.slackening {
        Slackening::Nothing => return Ok(Vec::new()),
        Slackening::Inequalities => Vec::new(),
        Slackening::Conditions => of.conditions.clone(),
        Slackening::Interpolants => of.conditions.iter().chain(excluding).copied().collect(),
    };
    let changed: Vec<(Var, Var)> = primary(&ctx.terms, step, &of.changed);
    let conditions = ctx.terms.substitute_all(&conditions, &step.after);
    let kept: Vec<Term> = sequence.min(sequence.len()).into_iter().map(|at| sequence.at(at).term).collect();
    let read = |terms: &Terms, model: &dyn tamis_solver::Model| {
        let values: Vec<Value> = changed.iter().map(|(_, copy)| model.value(terms, *copy)).collect();
        let truths: Vec<bool> = conditions.iter().map(|term| model.eval(terms, *term).as_bool()).collect();
        (values, truths)
    };
    let Found::Possible((values, truths)) = asker.ask(ctx, &kept, read)? else { return Ok(Vec::new()) };
    let mut candidates = Vec::new();
    for ((_, copy), value) in changed.iter().zip(values) {
        if !matches!(value, Value::Array(_)) {
            let (copy, value) = (ctx.terms.var(*copy), ctx.terms.constant(value));
            candidates.push(ctx.terms.eq(copy, value));
        }
    }
    for (condition, truth) in conditions.into_iter().zip(truths) {
        candidates.push(if truth { condition } else { ctx.terms.not(condition) });
    }
    let mut seen: BTreeSet<Term> = kept.iter().copied().collect();
    candidates.retain(|term| ctx.terms.value(*term).is_none() && seen.insert(*term));
    let mut found = Vec::new();
    for candidate in all_that_follow(ctx, asker, &kept, candidates)? {
        let Some(why) = follows(ctx, asker, sequence, candidate)? else { continue };
        found.push((candidate, why.clone()));
        found.extend(split(&mut ctx.terms, candidate).into_iter().map(|term| (term, why.clone())));
    }
    for position in sequence.min(sequence.len()) {
        if let Kind::Equation(copy, value) = &sequence.at(position).kind
            && changed.iter().any(|(_, other)| other == copy)
            && ctx.terms.dag_size(*value) <= LARGE
        {
            let (own, value) = (ctx.terms.var(*copy), *value);
            let why = Positions::from([position]);
            found.extend(inequalities(&mut ctx.terms, own, value).into_iter().map(|term| (term, why.clone())));
        }
    }
    let mut seen: BTreeSet<Term> = kept.into_iter().collect();
    found.retain(|(term, _)| ctx.terms.value(*term).is_none() && seen.insert(*term));
    Ok(found.into_iter().map(|(term, why)| Constraint::new(&ctx.terms, term, Kind::Implied(why))).collect())
}

/// Those of some candidates that follow from formulas: each state that is none of all of them rules
/// out some.
fn all_that_follow(
    ctx: &mut Context,
    asker: &mut Asker,
    formulas: &[Term],
    mut candidates: Vec<Term>,
) -> Outcome<Vec<Term>> {
    while !candidates.is_empty() {
        let all = ctx.terms.and(&candidates);
        let mut question = formulas.to_vec();
        question.push(ctx.terms.not(all));
        let truths = |terms: &Terms, model: &dyn tamis_solver::Model| {
            candidates.iter().map(|formula| model.eval(terms, *formula).as_bool()).collect::<Vec<bool>>()
        };
        let truths = match asker.ask(ctx, &question, truths)? {
            Found::Contradiction(_) => break,
            Found::Possible(truths) if truths.contains(&false) => truths,
            // Each is asked about by itself.
            Found::Possible(_) | Found::Open(_) => break,
        };
        let mut truths = truths.into_iter();
        candidates.retain(|_| truths.next() == Some(true));
    }
    Ok(candidates)
}

/// An equation between numbers as inequalities; nothing for other formulas.
pub(super) fn split(terms: &mut Terms, formula: Term) -> Vec<Term> {
    match terms.node(formula) {
        Node::App(Fun::Eq, args) => {
            let (left, right) = (args[0], args[1]);
            inequalities(terms, left, right)
        }
        Node::App(..) | Node::Const(_) | Node::Var(_) => Vec::new(),
    }
}

/// Which constraints of the state imply a formula, if they do.
pub(super) fn follows(
    ctx: &mut Context,
    asker: &mut Asker,
    sequence: &Sequence,
    formula: Term,
) -> Outcome<Option<Positions>> {
    let goal = ctx.terms.not(formula);
    let related = sequence.related(&ctx.terms, &[goal], |_| true);
    asker.core(ctx, sequence, &related, &[goal])
}

/// The copies of some variables.
fn primary(terms: &Terms, step: &Step, vars: &BTreeSet<Var>) -> Vec<(Var, Var)> {
    let copy = |var: &Var| match terms.node(step.after.get(*var)?) {
        Node::Var(copy) => Some((*var, *copy)),
        Node::Const(_) | Node::App(..) => None,
    };
    vars.iter().filter_map(copy).collect()
}

/// An equation as the inequalities that it is made of.
fn inequalities(terms: &mut Terms, left: Term, right: Term) -> Vec<Term> {
    match terms.sort(left) {
        Sort::Int | Sort::Real => vec![terms.le(left, right), terms.le(right, left)],
        Sort::BitVec(_) => {
            vec![terms.bvsle(left, right), terms.bvsle(right, left), terms.bvule(left, right), terms.bvule(right, left)]
        }
        Sort::Bool | Sort::Array(_) => Vec::new(),
    }
}
