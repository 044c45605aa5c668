//! The algorithm Minimax (figure 13), with a stack of its own instead of recursion: a frame for each
//! state on the current path.

use super::ask::{Asker, Found};
use super::looping::{Closing, Looping};
use super::memo::{Entry, Memo};
use super::project::project;
use super::slacken::{Loops, implied};
use super::state::{Positions, Sequence};
use super::steps::{Kind, Step, Stepper};
use super::tree::{Id, Status, Tree};
use super::weakest::{Learned, generalise};
use super::{Config, Interpolants, Order};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;
use tamis_cegar::{Context, Outcome, Progress, Stop};
use tamis_ir::{ArcId, BlockGraph, PointId, Program, Trace};
use tamis_solver::interpolation::portfolio::{self, Portfolio};
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts};
use tamis_term::{Term, Terms};
use tamis_witness::{Reason, Verdict};

/// How long a source of interpolants may take.
const PATIENCE: Duration = Duration::from_millis(500);

/// A state `G` on the current path, and what is known of the subtrees below it.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) id: Id,
    /// Where it is; the root is nowhere.
    pub(super) at: Option<PointId>,
    pub(super) step: Step,
    /// Where its own constraints begin, and where they end.
    pub(super) start: usize,
    pub(super) end: usize,
    arcs: Vec<ArcId>,
    next: usize,
    /// The constraints that are annotated *max*: what finished subtrees need.
    pub(super) max: Positions,
    /// What ways back to looping parents at other depths need, by depth.
    pub(super) back: BTreeMap<usize, Positions>,
    /// What finished arcs require of the variables at the location and of what is chosen.
    required: Vec<Term>,
    /// Some arc's requirement is not known.
    partial: bool,
    pub(super) looping: Looping,
}

pub(super) struct Minimax<'m> {
    pub(super) program: &'m Program,
    pub(super) graph: Rc<BlockGraph>,
    pub(super) config: Config,
    stepper: Stepper,
    pub(super) sequence: Sequence,
    pub(super) frames: Vec<Frame>,
    pub(super) tree: Tree,
    pub(super) memo: Memo,
    pub(super) asker: Asker,
    pub(super) loops: Loops,
    pub(super) portfolio: Portfolio,
    /// How many conflicts each loop had.
    pub(super) conflicts: BTreeMap<PointId, usize>,
}

impl<'m> Minimax<'m> {
    pub(super) fn new(ctx: &mut Context, program: &'m Program, graph: Rc<BlockGraph>, config: Config) -> Minimax<'m> {
        let sources = portfolio::Config { literals_first: true, time: PATIENCE, ..portfolio::Config::default() };
        Minimax {
            program,
            stepper: Stepper::new(graph.clone()),
            sequence: Sequence::default(),
            frames: Vec::new(),
            tree: Tree::default(),
            memo: Memo::default(),
            asker: Asker::new(config.interpolants),
            loops: Loops::new(&mut ctx.terms, &graph),
            portfolio: Portfolio::new(sources, ctx.solvers.clone()),
            conflicts: BTreeMap::new(),
            graph,
            config,
        }
    }

    pub(super) fn run(mut self, ctx: &mut Context) -> Outcome<Verdict> {
        let found = self.search(ctx)?;
        self.show(ctx, found.is_some());
        match found {
            Some(trace) => Ok(Verdict::Unsafe(trace)),
            None => self.prove(ctx),
        }
    }

    /// Explores everything. Finds a run into an error, if there is one.
    pub(super) fn search(&mut self, ctx: &mut Context) -> Outcome<Option<Trace>> {
        let root = self.tree.add(None, None, None);
        self.push(root, None, Step::root(), 0);
        while let Some(frame) = self.frames.last_mut() {
            let Some(arc) = frame.arcs.get(frame.next).copied() else {
                self.finish(ctx)?;
                continue;
            };
            frame.next += 1;
            if let Some(trace) = self.follow(ctx, arc)? {
                return Ok(Some(trace));
            }
        }
        Ok(None)
    }

    /// `push_system(G)`: from here on, everything can be taken back.
    fn push(&mut self, id: Id, at: Option<PointId>, step: Step, start: usize) {
        let arcs = match at.map(|at| self.graph.point(at)) {
            None => self.graph.starts().to_vec(),
            Some(point) => {
                let mut out = point.out.clone();
                if self.config.order == Order::Last {
                    out.reverse();
                }
                [point.bad.as_slice(), &out].concat()
            }
        };
        self.frames.push(Frame {
            id,
            at,
            step,
            start,
            end: self.sequence.len(),
            arcs,
            next: 0,
            max: Positions::new(),
            back: BTreeMap::new(),
            required: Vec::new(),
            partial: false,
            looping: Looping::new(self.memo.len()),
        });
    }

    /// `pop_system(G)`: everything is as it was when the state at this depth was pushed, but for what it
    /// deletes and locks.
    pub(super) fn restart(&mut self, depth: usize) {
        self.frames.truncate(depth + 1);
        let frame = &mut self.frames[depth];
        self.sequence.truncate(frame.end);
        self.sequence.restore(depth);
        for position in &frame.looping.deleted {
            self.sequence.delete(*position, depth);
        }
        (frame.next, frame.partial) = (0, false);
        frame.max.clear();
        frame.back.clear();
        frame.required.clear();
        frame.looping.reopen();
        if self.config.care == super::Care::Void {
            self.memo.truncate(frame.looping.memo);
        }
        self.tree.cut_below(frame.id);
    }

    /// Follows an arc from the state that was reached.
    fn follow(&mut self, ctx: &mut Context, arc: ArcId) -> Outcome<Option<Trace>> {
        ctx.statistics.states += 1;
        ctx.budget.check()?;
        ctx.budget.check_states(ctx.statistics.states)?;
        let frontier = self.frames.len() as u64;
        ctx.observer.tell(&Progress { statistics: ctx.statistics, frontier, counterexample: None });
        let depth = self.frames.len() - 1;
        let (parent, from) = (self.frames[depth].id, self.frames[depth].step.after.clone());
        let (step, constraints) = self.stepper.step(&mut ctx.terms, &from, arc, depth);
        let start = self.sequence.len();
        for constraint in constraints {
            self.sequence.push(constraint);
        }
        let to = self.graph.to(arc);
        if let Some(core) = self.infeasible(ctx, start)? {
            let id = self.tree.add(Some(parent), Some(arc), to);
            self.tree.node_mut(id).status = Status::Infeasible;
            let never = ctx.terms.bool(false);
            self.leaf(ctx, arc, &core, Some(never));
            self.sequence.truncate(start);
            return Ok(None);
        }
        let Some(to) = to else {
            self.tree.add(Some(parent), Some(arc), None);
            return self.error(ctx, arc, &step, start);
        };
        let id = self.tree.add(Some(parent), Some(arc), Some(to));
        if let Some((entry, core)) = self.subsumed(ctx, to, &step)? {
            self.tree.node_mut(id).status = Status::Subsumed(entry.node);
            self.leaf(ctx, arc, &core, Some(entry.formula));
            self.sequence.truncate(start);
            return Ok(None);
        }
        if self.loop_back(ctx, id, to, arc, &step, start)? {
            return Ok(None);
        }
        let head = self.loops.at(to);
        self.push(id, Some(to), step, start);
        if let Some(head) = head {
            let frame = self.frames.last().expect("it was just pushed");
            let excluding = self.loops.excluding(to);
            let more = implied(ctx, &mut self.asker, &self.sequence, &frame.step, &head, excluding, &self.config)?;
            self.learn(more);
        }
        Ok(None)
    }

    /// The last state gets more constraints, which its own imply.
    pub(super) fn learn(&mut self, constraints: Vec<super::steps::Constraint>) {
        for constraint in constraints {
            self.sequence.push(constraint);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.end = self.sequence.len();
        }
    }

    /// The case where `min(G, v)` is infeasible: which constraints are contradictory.
    fn infeasible(&mut self, ctx: &mut Context, start: usize) -> Outcome<Option<Positions>> {
        let mut new = Vec::new();
        for position in start..self.sequence.len() {
            let constraint = self.sequence.at(position);
            if ctx.terms.is_false(constraint.term) {
                return Ok(Some(Positions::from([position])));
            }
            match constraint.kind {
                Kind::Condition => new.push(constraint.term),
                // An equation only says what a new copy is.
                Kind::Equation(..) | Kind::Implied(_) => {}
            }
        }
        if new.is_empty() {
            return Ok(None);
        }
        let related = self.sequence.related(&ctx.terms, &new, |_| true);
        self.asker.interpolate(ctx, &self.sequence, related, &[])
    }

    /// `subsumed(min(G, v), max(G1, v1))` for some state `G1` in the memo: the state, and the constraints
    /// that are needed for that.
    fn subsumed(&mut self, ctx: &mut Context, to: PointId, step: &Step) -> Outcome<Option<(Entry, Positions)>> {
        let entries = self.memo.entries(to, self.config.compared);
        if entries.is_empty() {
            return Ok(None);
        }
        let formulas: Vec<Term> = entries.iter().map(|entry| entry.formula).collect();
        let here = ctx.terms.substitute_all(&formulas, &step.after);
        // The cheap filter: one concrete state says of most entries that they do not hold here.
        let kept = self.sequence.related(&ctx.terms, &here, |_| true);
        let kept: Vec<Term> = kept.into_iter().map(|at| self.sequence.at(at).term).collect();
        let truths = |terms: &Terms, model: &dyn tamis_solver::Model| {
            here.iter().map(|formula| model.eval(terms, *formula).as_bool()).collect::<Vec<bool>>()
        };
        let maybe = match self.asker.ask(ctx, &kept, truths)? {
            Found::Possible(truths) => truths,
            Found::Contradiction(_) | Found::Open(_) => vec![true; here.len()],
        };
        for ((entry, formula), maybe) in entries.into_iter().zip(&here).zip(maybe) {
            let goal = ctx.terms.not(*formula);
            if maybe && let Some(core) = self.asker.refute(ctx, &self.sequence, &[goal], |_| true)? {
                return Ok(Some((entry, core)));
            }
        }
        Ok(None)
    }

    /// An arc of the last frame is finished: what is needed for it, and what must hold after it.
    pub(super) fn leaf(&mut self, ctx: &mut Context, arc: ArcId, needed: &Positions, interpolant: Option<Term>) {
        let required = interpolant.map(|interpolant| self.requirement(&mut ctx.terms, arc, interpolant));
        let frame = self.frames.last_mut().expect("arcs are those of a frame");
        frame.max.extend(self.sequence.before(needed, frame.end));
        match required {
            Some(required) => frame.required.push(required),
            None => frame.partial = true,
        }
    }

    /// What must hold before an arc, so that an interpolant holds after it.
    pub(super) fn requirement(&self, terms: &mut Terms, arc: ArcId, interpolant: Term) -> Term {
        let graph = &self.graph;
        let mut parts = terms.conjuncts(&[graph.arc(arc).guard]);
        let mut after = vec![interpolant];
        after.extend(graph.to(arc).map(|to| graph.point(to).invariant));
        let after = terms.substitute_all(&after, &graph.arc(arc).values);
        parts.extend(after.get(1));
        let guard = terms.and(&parts);
        terms.implies(guard, after[0])
    }

    /// The state that was reached leads to an error: a run, or a conflict.
    fn error(&mut self, ctx: &mut Context, arc: ArcId, step: &Step, start: usize) -> Outcome<Option<Trace>> {
        let all = self.sequence.concrete();
        let question: Vec<Term> = all.iter().map(|position| self.sequence.at(*position).term).collect();
        let steps: Vec<&Step> = self.frames.iter().map(|frame| &frame.step).chain([step]).collect();
        let run = |terms: &Terms, model: &dyn tamis_solver::Model| {
            steps.iter().filter_map(|step| step.taken(terms, model)).collect::<Vec<_>>()
        };
        let core = match self.asker.ask(ctx, &question, run)? {
            Found::Possible(run) => {
                let trace = self.graph.trace(&ctx.terms, self.program, &run);
                return trace.map(Some).map_err(|why| Stop::refused("a run along arcs is no run of the program", &why));
            }
            Found::Open(why) => return Err(why.into()),
            Found::Contradiction(core) => core,
        };
        let core: Positions = all.into_iter().filter(|at| core.contains(&self.sequence.at(*at).term)).collect();
        self.conflict(ctx, arc, core, start)?;
        Ok(None)
    }

    /// Everything below the last state is finished.
    fn finish(&mut self, ctx: &mut Context) -> Outcome<()> {
        let depth = self.frames.len() - 1;
        let Some(at) = self.frames[depth].at else {
            let root = self.frames.pop().expect("there is one");
            self.tree.node_mut(root.id).status = Status::Closed;
            return Ok(());
        };
        let interpolant = if self.frames[depth].looping.closed {
            match self.close(ctx, depth) {
                Closing::Again => return Ok(()),
                Closing::Learned(interpolant) => interpolant,
            }
        } else {
            self.interpolant(ctx, depth)?
        };
        let frame = self.frames.pop().expect("there is one");
        let node = self.tree.node_mut(frame.id);
        (node.status, node.interpolant) = (Status::Closed, interpolant);
        node.locked = frame.looping.locked.len();
        if let Some(formula) = interpolant {
            self.memo.memo(at, Entry { node: frame.id, formula });
        }
        let arc = frame.step.arc.expect("only the root has none");
        ctx.statistics.predicates = ctx.statistics.predicates.max(frame.max.len() as u64);
        self.leaf(ctx, arc, &frame.max, interpolant);
        let (outer, parent) = (depth - 1, self.frames.last_mut().expect("the root is below"));
        for (to, needed) in frame.back {
            // What ways back need of the looping parent itself it knows.
            if to < outer {
                parent.back.entry(to).or_default().extend(self.sequence.before(&needed, parent.end));
            }
        }
        if !frame.looping.deleted.is_empty() {
            self.sequence.restore(depth);
        }
        self.sequence.truncate(frame.start);
        Ok(())
    }

    /// What is learned from the subtrees of the last state: what its variables must satisfy.
    fn interpolant(&mut self, ctx: &mut Context, depth: usize) -> Outcome<Option<Term>> {
        if self.config.interpolants == Interpolants::Weakest
            && let Some(found) = self.weakest(ctx, depth)?
        {
            return Ok(Some(found));
        }
        let frame = &self.frames[depth];
        let mut needed = frame.max.clone();
        needed.extend(frame.back.values().flatten());
        let projection = project(&mut ctx.terms, &self.sequence, &needed, &frame.step);
        let formula = projection.formula(&mut ctx.terms);
        if projection.lost.is_empty() {
            return Ok(Some(formula));
        }
        if frame.partial {
            return Ok(None);
        }
        let required = ctx.terms.and(&frame.required);
        if self.asker.implies(ctx, &[formula], required)? {
            return Ok(Some(formula));
        }
        let bad = ctx.terms.not(required);
        let (all, bad) = (self.sequence.max(&needed), ctx.terms.substitute(bad, &frame.step.after));
        let all = ctx.terms.and(&all);
        let names = frame.step.names(&mut ctx.terms);
        let found = self.between(ctx, vec![all, bad])?.and_then(|found| found.first().copied());
        Ok(found.map(|found| ctx.terms.substitute(found, &names)))
    }

    /// Interpolants of formulas that contradict each other, if they are found.
    pub(super) fn between(&mut self, ctx: &mut Context, formulas: Vec<Term>) -> Outcome<Option<Vec<Term>>> {
        let found = self.portfolio.interpolate(&mut ctx.terms, &Parts::chain(formulas))?;
        ctx.budget.check()?;
        Ok(match found {
            Interpolation::Interpolants(found) => Some(found),
            Interpolation::Satisfiable | Interpolation::Unknown(_) => None,
        })
    }

    /// The interpolant by weakest preconditions, if it mentions nothing that is chosen later.
    fn weakest(&mut self, ctx: &mut Context, depth: usize) -> Outcome<Option<Term>> {
        let frame = &self.frames[depth];
        if frame.partial {
            return Ok(None);
        }
        let after = &frame.step.after;
        let found = generalise(ctx, &mut self.asker, &self.sequence, after, &frame.required)?;
        let Some(Learned { formula, chosen }) = found else { return Ok(None) };
        if ctx.terms.free_vars(&[formula]).iter().any(|var| after.get(*var).is_none()) {
            return Ok(None);
        }
        // What finished arcs need implies what they require; an alternative that was chosen may need more.
        if !chosen {
            return Ok(Some(formula));
        }
        let here = ctx.terms.substitute(formula, after);
        let mut needed = frame.max.clone();
        needed.extend(frame.back.values().flatten());
        if self.asker.implies(ctx, &self.sequence.max(&needed), here)? {
            return Ok(Some(formula));
        }
        let goal = ctx.terms.not(here);
        let Some(core) = self.asker.refute(ctx, &self.sequence, &[goal], |_| true)? else { return Ok(None) };
        self.frames[depth].max.extend(core);
        Ok(Some(formula))
    }

    /// The proof: at each location, one of the interpolants of its nodes holds.
    fn prove(&mut self, ctx: &mut Context) -> Outcome<Verdict> {
        let mut learned: BTreeMap<PointId, Vec<Term>> = BTreeMap::new();
        for (_, node) in self.tree.nodes() {
            let (Some(at), Status::Closed) = (node.at, node.status) else { continue };
            let Some(formula) = node.interpolant else {
                let why = "all paths end without an error, but nothing without quantifiers says why";
                return Err(Reason::SolverUnknown(why.into()).into());
            };
            learned.entry(at).or_default().push(formula);
        }
        let proof = self.graph.proof(&mut ctx.terms, self.program, |terms, id| {
            let mut ways = learned.remove(&id).unwrap_or_default();
            ways.push(terms.not(self.graph.point(id).invariant));
            terms.or(&ways)
        });
        Ok(Verdict::Safe(proof))
    }
}
