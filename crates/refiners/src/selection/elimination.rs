//! Whether candidates eliminate a trace (`TraceEliminate`, Figure 4), without building the abstraction: only
//! the abstract states along the trace matter.
//!
//! The forward image of predicate valuations along the trace is empty if and only if there are no concrete
//! steps, one for each arc, such that where two steps meet the chosen predicates agree. So all steps get
//! copies of variables of their own, and a candidate is a set of *links*: its predicates say the same of the
//! copies behind a step and in front of the next. That is one question to a solver that knows the trace, with
//! the chosen candidates as assumptions. A contradiction has a core: fewer candidates that eliminate the
//! trace. A model shows what else could be chosen in vain: all candidates whose predicates agree in it.

use super::candidates::Candidate;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tamis_cegar::{Context, Outcome};
use tamis_ir::blocks::{ArcId, BlockGraph, PointId};
use tamis_solver::{Answer, Solver};
use tamis_term::{Sort, Substitution, Term, Terms, Var};

/// What a test found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The trace is eliminated, by these of the chosen candidates already.
    Eliminated(BTreeSet<usize>),
    /// It is not, and not by these either, the chosen among them.
    Remains(BTreeSet<usize>),
}

/// Traces, and candidates that may eliminate them. A set that eliminates a trace does so with any other
/// candidates besides.
pub trait Elimination {
    /// How many candidates there are.
    fn candidates(&self) -> usize;

    /// How many traces there are.
    fn traces(&self) -> usize;

    /// Whether the chosen candidates eliminate a trace.
    ///
    /// # Errors
    /// If it is not known.
    fn test(&mut self, ctx: &mut Context, trace: usize, chosen: &BTreeSet<usize>) -> Outcome<Test>;

    /// The candidates that occur on a trace, in its order.
    fn on(&self, trace: usize) -> Vec<usize>;
}

/// Traces of a block graph.
pub struct Eliminator {
    graph: Rc<BlockGraph>,
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// The variable that chooses each.
    selectors: Vec<Term>,
    traces: Vec<Trace>,
    copies: FxHashMap<(Var, usize), Var>,
}

struct Trace {
    arcs: Vec<ArcId>,
    solver: Box<dyn Solver>,
    /// Where steps meet: the point, and the values behind the one and in front of the other.
    meets: Vec<(PointId, Substitution, Substitution)>,
    /// By candidate: whether the links of each predicate hold.
    links: Vec<Vec<Term>>,
}

impl Eliminator {
    /// No traces yet.
    #[must_use]
    pub fn new(graph: Rc<BlockGraph>, candidates: Vec<Candidate>) -> Eliminator {
        Eliminator { graph, candidates, selectors: Vec::new(), traces: Vec::new(), copies: FxHashMap::default() }
    }

    /// The predicates of a candidate at a cut point: those about values that matter there.
    #[must_use]
    pub fn predicates(&self, terms: &Terms, candidate: usize, at: PointId) -> Vec<Term> {
        let point = self.graph.point(at);
        let all = self.candidates[candidate].predicates.get(&point.loc).into_iter().flatten().copied();
        all.filter(|predicate| terms.free_vars(&[*predicate]).is_subset(&point.live)).collect()
    }

    /// Adds a spurious trace, unless it is there.
    ///
    /// # Errors
    /// If there is no solver.
    pub fn add(&mut self, ctx: &mut Context, arcs: &[ArcId]) -> Outcome<()> {
        if self.traces.iter().any(|trace| trace.arcs == arcs) {
            return Ok(());
        }
        let (mut facts, mut meets) = (Vec::new(), Vec::new());
        let mut behind: Option<(PointId, Substitution)> = None;
        for (step, id) in arcs.iter().enumerate() {
            let (before, after) = self.step(&mut ctx.terms, &mut facts, *id, step);
            if let Some((point, last)) = behind.take() {
                meets.push((point, last, before));
            }
            behind = self.graph.to(*id).map(|to| (to, after));
        }
        let mut solver = ctx.solvers.fresh(&ctx.terms, &facts)?;
        for fact in &facts {
            solver.assert(&ctx.terms, *fact)?;
        }
        self.traces.push(Trace { arcs: arcs.to_vec(), solver, meets, links: Vec::new() });
        Ok(())
    }

    /// The values in front of and behind an arc, in copies of its own. What happens on it is a fact.
    fn step(
        &mut self,
        terms: &mut Terms,
        facts: &mut Vec<Term>,
        id: ArcId,
        step: usize,
    ) -> (Substitution, Substitution) {
        let graph = self.graph.clone();
        let arc = graph.arc(id);
        let mut read: BTreeSet<Var> = terms.free_vars(&[arc.guard]);
        if let Some(from) = graph.from(id) {
            read.extend(&graph.point(from).live);
            read.extend(terms.free_vars(&[graph.point(from).invariant]));
        }
        let live = graph.to(id).map(|to| graph.point(to).live.clone()).unwrap_or_default();
        let values: Vec<Term> = arc.values.pairs().into_iter().map(|(_, value)| value).collect();
        read.extend(&live);
        read.extend(terms.free_vars(&values));
        read.extend(graph.block(id).inputs());
        let mut before = Substitution::default();
        for var in read {
            let copy = self.copy(terms, var, step);
            before.insert(var, terms.var(copy));
        }
        facts.push(terms.substitute(arc.guard, &before));
        if let Some(from) = graph.from(id) {
            facts.push(terms.substitute(graph.point(from).invariant, &before));
        }
        let mut after = before.clone();
        let pairs = arc.values.pairs();
        let values = terms.substitute_all(&values, &before);
        after.extend(pairs.into_iter().map(|(var, _)| var).zip(values));
        if let Some(to) = graph.to(id) {
            facts.push(terms.substitute(graph.point(to).invariant, &after));
        }
        facts.retain(|fact| !terms.is_true(*fact));
        (before, after)
    }

    fn copy(&mut self, terms: &mut Terms, var: Var, step: usize) -> Var {
        *self.copies.entry((var, step)).or_insert_with(|| {
            let (name, sort) = (format!("{}@{step}", terms.name(var)), terms.var_sort(var).clone());
            terms.declare(&name, sort)
        })
    }

    /// Tells the solver of a trace about candidates that came later than the trace.
    fn link(&mut self, ctx: &mut Context, number: usize) -> Outcome<()> {
        while self.selectors.len() < self.candidates.len() {
            let selector = ctx.terms.declare("$chosen", Sort::Bool);
            self.selectors.push(ctx.terms.var(selector));
        }
        for candidate in self.traces[number].links.len()..self.candidates.len() {
            ctx.budget.check()?;
            let mut links = Vec::new();
            for (point, behind, before) in &self.traces[number].meets {
                for predicate in self.predicates(&ctx.terms, candidate, *point) {
                    let sides = [behind, before].map(|values| ctx.terms.substitute(predicate, values));
                    links.push(ctx.terms.eq(sides[0], sides[1]));
                }
            }
            let trace = &mut self.traces[number];
            for link in &links {
                let holds = ctx.terms.implies(self.selectors[candidate], *link);
                trace.solver.assert(&ctx.terms, holds)?;
            }
            trace.links.push(links);
        }
        Ok(())
    }
}

impl Elimination for Eliminator {
    fn candidates(&self) -> usize {
        self.candidates.len()
    }

    fn traces(&self) -> usize {
        self.traces.len()
    }

    fn test(&mut self, ctx: &mut Context, number: usize, chosen: &BTreeSet<usize>) -> Outcome<Test> {
        ctx.budget.check()?;
        self.link(ctx, number)?;
        let assumptions: Vec<Term> = chosen.iter().map(|candidate| self.selectors[*candidate]).collect();
        let trace = &mut self.traces[number];
        match trace.solver.check(&ctx.terms, &assumptions)? {
            Answer::Unsat(core) => {
                let core: BTreeSet<Term> = core.assumptions().iter().copied().collect();
                let kept = chosen.iter().copied().filter(|candidate| core.contains(&self.selectors[*candidate]));
                Ok(Test::Eliminated(kept.collect()))
            }
            Answer::Sat(model) => {
                let holds = |links: &Vec<Term>| links.iter().all(|link| model.eval(&ctx.terms, *link).as_bool());
                let mut agree: BTreeSet<usize> = trace
                    .links
                    .iter()
                    .enumerate()
                    .filter(|(_, links)| holds(links))
                    .map(|(number, _)| number)
                    .collect();
                agree.extend(chosen);
                Ok(Test::Remains(agree))
            }
            Answer::Unknown(why) => Err(why.into()),
        }
    }

    fn on(&self, trace: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let points = self.traces[trace].arcs.iter().filter_map(|arc| self.graph.to(*arc));
        for point in points {
            let loc = self.graph.point(point).loc;
            for (number, candidate) in self.candidates.iter().enumerate() {
                if candidate.at == loc && !found.contains(&number) {
                    found.push(number);
                }
            }
        }
        found
    }
}
