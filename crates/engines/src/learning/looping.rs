//! Loops: what a looping parent keeps (`invariant`), how its loop is closed, and what happens where a
//! deleted constraint turns out to be needed (conflict, lock, restart).

use super::ask::Found;
use super::minimax::Minimax;
use super::project::project;
use super::slacken::follows;
use super::state::Positions;
use super::steps::{Constraint, Kind, Step};
use super::tree::{Id, Status};
use super::{Invariants, Slackening};
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::{ArcId, PointId};
use tamis_term::{Node, Substitution, Term, Terms};
use tamis_witness::{Reason, Resource};

/// Cores of conflicts with no more constraints than this are made smaller one by one.
const SMALL: usize = 30;

/// A looping parent tries no more than so many formulas instead of locking.
const TRIES: usize = 40;

/// What a state knows as a looping parent.
#[derive(Debug)]
pub(super) struct Looping {
    /// What was memoised before it was pushed.
    pub(super) memo: usize,
    /// The constraints that it must not delete.
    pub(super) locked: Positions,
    /// Those that it deletes: the *min* annotations that it made.
    pub(super) deleted: Positions,
    /// What each kept constraint needs to hold again after the ways back.
    needs: BTreeMap<usize, Positions>,
    /// Whether some way leads back.
    pub(super) closed: bool,
    /// Whether one passes other nodes.
    through: bool,
    /// Whether it was explored with only what is needed.
    reduced: bool,
    /// What was tried instead of locking.
    tried: BTreeSet<Term>,
}

impl Looping {
    pub(super) fn new(memo: usize) -> Looping {
        Looping {
            memo,
            locked: Positions::new(),
            deleted: Positions::new(),
            needs: BTreeMap::new(),
            closed: false,
            through: false,
            reduced: false,
            tried: BTreeSet::new(),
        }
    }

    /// Forgets the ways back.
    pub(super) fn reopen(&mut self) {
        self.needs.clear();
        (self.closed, self.through) = (false, false);
    }
}

/// What the way back to a looping parent does to a constraint of it.
struct Renewed {
    position: usize,
    /// The constraint about the values after the way.
    again: Term,
}

/// What comes of a looping parent below which everything is finished.
pub(super) enum Closing {
    /// It is explored once more, with only what is needed.
    Again,
    /// What was learned, if that can be said about the variables at its location.
    Learned(Option<Term>),
}

impl Minimax<'_> {
    /// What the looping parent at this depth keeps.
    fn kept(&self, depth: usize) -> Vec<usize> {
        let kept = |position: &usize| self.sequence.deleted_by(*position).is_none_or(|by| by > depth);
        (0..self.frames[depth].end).filter(kept).collect()
    }

    /// The case of a looping parent: whether the state need not be explored, because one keeps what holds
    /// again, or now keeps less and starts again.
    pub(super) fn loop_back(
        &mut self,
        ctx: &mut Context,
        id: Id,
        to: PointId,
        arc: ArcId,
        step: &Step,
        start: usize,
    ) -> Outcome<bool> {
        for depth in (1..self.frames.len()).rev() {
            if self.frames[depth].at != Some(to) {
                continue;
            }
            let renewed = self.renewed(&mut ctx.terms, depth, step);
            let mut lost = match self.config.loops {
                Invariants::Individual => self.individual(ctx, depth, &renewed)?,
                Invariants::Houdini => self.houdini(ctx, &renewed)?,
            };
            if lost.is_empty() {
                // What cannot be said without copies that are behind is no invariant of a location.
                let kept: Positions = self.kept(depth).into_iter().collect();
                let frame = &self.frames[depth];
                let said = project(&mut ctx.terms, &self.sequence, &kept, &frame.step);
                lost = said.lost.iter().copied().filter(|at| !frame.looping.locked.contains(at)).collect();
                if lost.is_empty() {
                    let formula = said.formula(&mut ctx.terms);
                    let interpolant = said.lost.is_empty().then_some(formula);
                    self.closed_by(ctx, depth, arc, &renewed, interpolant)?;
                    self.tree.node_mut(id).status = Status::Looped(self.frames[depth].id);
                    self.sequence.truncate(start);
                    return Ok(true);
                }
            }
            let looping = &mut self.frames[depth].looping;
            if lost.is_disjoint(&looping.locked) {
                looping.deleted.extend(lost);
                self.restart(depth);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn renewed(&self, terms: &mut Terms, depth: usize, step: &Step) -> Vec<Renewed> {
        let mut map = Substitution::default();
        for (var, copy) in self.frames[depth].step.after.pairs() {
            if let (Node::Var(copy), Some(now)) = (terms.node(copy), step.after.get(var)) {
                map.insert(*copy, now);
            }
        }
        let kept = self.kept(depth);
        let formulas: Vec<Term> = kept.iter().map(|position| self.sequence.at(*position).term).collect();
        let again = terms.substitute_all(&formulas, &map);
        kept.into_iter().zip(again).map(|(position, again)| Renewed { position, again }).collect()
    }

    /// Whether a constraint holds again because nothing of it has changed.
    fn is_same(&self, renewed: &Renewed) -> bool {
        let Renewed { position, again } = renewed;
        self.sequence.at(*position).term == *again && self.sequence.is_kept(*position)
    }

    /// The seed's `invariant`: the constraints that the way does not preserve by itself.
    fn individual(&mut self, ctx: &mut Context, depth: usize, renewed: &[Renewed]) -> Outcome<Positions> {
        let end = self.frames[depth].end;
        let mut lost = Positions::new();
        for renewed in renewed {
            if !self.is_same(renewed) && self.preserved(ctx, end, renewed)?.is_none() {
                lost.insert(renewed.position);
            }
        }
        Ok(lost)
    }

    /// Which constraints preserve one, of those allowed by the option.
    fn preserved(&mut self, ctx: &mut Context, end: usize, renewed: &Renewed) -> Outcome<Option<Positions>> {
        let goal = ctx.terms.not(renewed.again);
        let all = self.config.loops == Invariants::Houdini;
        let among = |position| all || position == renewed.position || position >= end;
        self.asker.refute(ctx, &self.sequence, &[goal], among)
    }

    /// What does not hold again, even if everything that does is assumed.
    fn houdini(&mut self, ctx: &mut Context, renewed: &[Renewed]) -> Outcome<Positions> {
        let mut lost = Positions::new();
        let mut open: Vec<&Renewed> = renewed.iter().filter(|renewed| !self.is_same(renewed)).collect();
        while !open.is_empty() {
            ctx.budget.check()?;
            let again: Vec<Term> = open.iter().map(|renewed| renewed.again).collect();
            let all = ctx.terms.and(&again);
            let goal = ctx.terms.not(all);
            let related = self.sequence.related(&ctx.terms, &[goal], |position| !lost.contains(&position));
            let mut question: Vec<Term> = related.iter().map(|position| self.sequence.at(*position).term).collect();
            question.push(goal);
            let truths = |terms: &Terms, model: &dyn tamis_solver::Model| {
                again.iter().map(|formula| model.eval(terms, *formula).as_bool()).collect::<Vec<bool>>()
            };
            let truths = match self.asker.ask(ctx, &question, truths)? {
                Found::Contradiction(_) => break,
                Found::Possible(truths) if truths.contains(&false) => truths,
                // Nobody knows which of them hold: none is kept.
                Found::Possible(_) | Found::Open(_) => vec![false; again.len()],
            };
            lost.extend(open.iter().zip(&truths).filter(|(_, truth)| !**truth).map(|(renewed, _)| renewed.position));
            let mut truths = truths.into_iter();
            open.retain(|_| truths.next() == Some(true));
        }
        Ok(lost)
    }

    /// A way leads back to the looping parent at this depth, which keeps what holds again.
    fn closed_by(
        &mut self,
        ctx: &mut Context,
        depth: usize,
        arc: ArcId,
        renewed: &[Renewed],
        interpolant: Option<Term>,
    ) -> Outcome<()> {
        let end = self.frames[depth].end;
        let (mut all, mut needs) = (Positions::new(), Vec::new());
        for renewed in renewed {
            let core = if self.is_same(renewed) {
                Positions::from([renewed.position])
            } else {
                match self.preserved(ctx, end, renewed)? {
                    Some(core) => core,
                    // It was preserved a moment ago: everything is needed.
                    None => self.sequence.min(self.sequence.len()).into_iter().collect(),
                }
            };
            needs.push((renewed.position, self.sequence.before(&core, end)));
            all.extend(core);
        }
        let last = self.frames.len() - 1;
        self.leaf(ctx, arc, &Positions::new(), interpolant);
        let here = self.sequence.before(&all, self.frames[last].end);
        if last > depth {
            self.frames[last].back.entry(depth).or_default().extend(here);
        }
        let looping = &mut self.frames[depth].looping;
        looping.closed = true;
        looping.through |= last > depth;
        for (position, core) in needs {
            looping.needs.entry(position).or_default().extend(core);
        }
        Ok(())
    }

    /// Everything below a looping parent is finished: what it says about the variables.
    pub(super) fn close(&mut self, ctx: &mut Context, depth: usize) -> Closing {
        let kept: Positions = self.kept(depth).into_iter().collect();
        let frame = &self.frames[depth];
        let outer = frame.back.values().flatten().copied();
        let mut open: Vec<usize> = frame.max.iter().copied().chain(outer).collect();
        let mut needed = Positions::new();
        while let Some(position) = open.pop() {
            if kept.contains(&position) && needed.insert(position) {
                open.extend(frame.looping.needs.get(&position).into_iter().flatten());
            }
        }
        let mut said = project(&mut ctx.terms, &self.sequence, &needed, &frame.step);
        if !said.lost.is_empty() {
            said = project(&mut ctx.terms, &self.sequence, &kept, &frame.step);
            needed.clone_from(&kept);
        }
        let less = kept.difference(&needed).copied().collect::<Positions>();
        let frame = &mut self.frames[depth];
        if frame.looping.through && !less.is_empty() {
            if !frame.looping.reduced {
                frame.looping.reduced = true;
                frame.looping.deleted.extend(less);
                self.restart(depth);
                return Closing::Again;
            }
            said = project(&mut ctx.terms, &self.sequence, &kept, &frame.step);
            needed = kept;
        }
        frame.max = needed;
        let formula = said.formula(&mut ctx.terms);
        Closing::Learned(said.lost.is_empty().then_some(formula))
    }

    /// An error that deleted constraints exclude: those that are needed are locked, and the search
    /// restarts at the looping parent that deleted the latest of them.
    pub(super) fn conflict(&mut self, ctx: &mut Context, arc: ArcId, core: Positions, start: usize) -> Outcome<()> {
        let core = if core.len() <= SMALL { self.asker.shrink(ctx, &self.sequence, core, &[])? } else { core };
        let deleters = core.iter().filter_map(|position| self.sequence.deleted_by(*position));
        let Some(depth) = deleters.max() else {
            // Nobody knew that the arc cannot be taken; now somebody does.
            let never = ctx.terms.bool(false);
            self.leaf(ctx, arc, &core, Some(never));
            self.sequence.truncate(start);
            return Ok(());
        };
        if ctx.budget.rounds.is_some_and(|limit| ctx.statistics.rounds >= limit) {
            return Err(Stop::GaveUp(Reason::OutOfBudget(Resource::Rounds)));
        }
        self.show(ctx, false);
        ctx.statistics.rounds += 1;
        let by = |position: &usize| self.sequence.deleted_by(*position);
        let locked: Positions = core.iter().copied().filter(|position| by(position) == Some(depth)).collect();
        let outer = core.iter().any(|position| by(position).is_some_and(|by| by < depth));
        let tried = self.frames[depth].looping.tried.len();
        let instead = if self.config.slackening == Slackening::Interpolants && !outer && tried < TRIES {
            self.instead(ctx, depth, &core)?
        } else {
            Vec::new()
        };
        let end = self.frames[depth].end;
        if let (Some(bound), Some(at)) = (self.config.restarts, self.frames[depth].at) {
            // Each restart unrolls the loop further, so those of all its looping parents count.
            let conflicts = self.conflicts.entry(at).or_default();
            *conflicts += 1;
            if *conflicts > bound {
                return Err(Reason::Bounded(bound as u64).into());
            }
        }
        let looping = &mut self.frames[depth].looping;
        looping.reduced = false;
        // With another constraint, others may be preserved.
        let before = std::mem::take(&mut looping.deleted);
        self.restart(depth);
        let mut found = Vec::new();
        for formula in instead {
            if let Some(why) = follows(ctx, &mut self.asker, &self.sequence, formula)? {
                found.push(Constraint::new(&ctx.terms, formula, Kind::Implied(why)));
            }
        }
        let looping = &mut self.frames[depth].looping;
        looping.deleted = before;
        if found.is_empty() {
            looping.locked.extend(&locked);
            looping.deleted.retain(|position| !locked.contains(position));
        }
        self.learn(found);
        debug_assert!(self.frames[depth].end >= end, "constraints are only added");
        self.restart(depth);
        Ok(())
    }

    /// What may be kept instead of the constraints that a conflict needs: pieces of what separates the
    /// looping parent from the error, that were not tried before. What separates later heads of loops
    /// from it is tried when they are reached again.
    fn instead(&mut self, ctx: &mut Context, depth: usize, core: &Positions) -> Outcome<Vec<Term>> {
        let last = self.frames.len() - 1;
        let mut segments: Vec<Term> = Vec::new();
        let ends: Vec<usize> = (depth..=last).map(|at| self.frames[at].end).chain([self.sequence.len()]).collect();
        let mut begin = 0;
        for end in ends {
            let own: Positions = core.range(begin..end).copied().collect();
            let own = self.sequence.max(&own);
            segments.push(ctx.terms.and(&own));
            begin = end;
        }
        let Some(found) = self.between(ctx, segments)? else { return Ok(Vec::new()) };
        let mut first = None;
        for (at, formula) in (depth..=last).zip(found) {
            let mut pieces = ctx.terms.conjuncts(&[formula]);
            let split: Vec<Term> =
                pieces.iter().flat_map(|piece| super::slacken::split(&mut ctx.terms, *piece)).collect();
            pieces.extend(split);
            pieces.retain(|piece| ctx.terms.value(*piece).is_none());
            let frame = &self.frames[at];
            if let Some(point) = frame.at {
                let names = frame.step.names(&mut ctx.terms);
                let said = ctx.terms.substitute_all(&pieces, &names);
                self.loops.exclude(point, &said);
            }
            first.get_or_insert(pieces);
        }
        let mut pieces = first.unwrap_or_default();
        let end = self.frames[depth].end;
        let known: BTreeSet<Term> = (0..end).map(|position| self.sequence.at(position).term).collect();
        let tried = &mut self.frames[depth].looping.tried;
        pieces.retain(|piece| !known.contains(piece) && tried.insert(*piece));
        Ok(pieces)
    }
}
