//! The check of ways that a proof passes over in silence: from each listed location through
//! locations of which the proof says nothing to the next listed ones, all ways at once.
//!
//! A way has a condition, under which it is taken, and values, both in terms of the values at its
//! start and of what is arbitrary on it. Where ways meet, the values are those of the way taken;
//! if conditions do not tell which one that is, a variable of its own does. So the formulas grow
//! with the number of edges and not with the number of ways. A loop in silence is refused.

use crate::check::Check;
use crate::induction::{Checker, describe, outside};
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::graph::{self, Flow};
use tamis_ir::{EdgeId, Loc, Op, ProcId};
use tamis_term::{Sort, Substitution, Term};

/// All ways to a location.
#[derive(Clone)]
struct Way {
    taken: Term,
    values: Substitution,
}

impl Checker<'_> {
    /// The locations of a procedure from which edges lead into silence.
    pub(crate) fn silence_starts(&mut self, id: ProcId) -> Result<BTreeSet<Loc>, Check> {
        let (program, passed) = (self.program, &self.proof.passed);
        let edges = || program.proc(id).edges.iter().filter(|edge| passed.contains(&edge.to));
        if edges().next().is_none() {
            return Ok(BTreeSet::new());
        }
        self.flow.get_or_insert_with(|| Flow::new(program));
        let starts: BTreeSet<Loc> = edges().map(|edge| edge.from).filter(|from| !passed.contains(from)).collect();
        let mut done = BTreeSet::new();
        for start in &starts {
            self.silent_order(*start, &mut done)?;
        }
        Ok(starts)
    }

    /// The start and the silent locations behind it, each after all that lead to it. Those in
    /// `done` are left out.
    fn silent_order(&self, start: Loc, done: &mut BTreeSet<Loc>) -> Result<Vec<Loc>, Check> {
        let (program, passed) = (self.program, &self.proof.passed);
        let out = |loc: Loc| self.flow.as_ref().map_or(&[][..], |flow| flow.out_edges(loc));
        let mut open = BTreeSet::from([start]);
        let (mut stack, mut order) = (vec![(start, 0)], Vec::new());
        while let Some((loc, next)) = stack.last_mut() {
            let edge = out(*loc).get(*next);
            *next += 1;
            // What can never be taken closes no loop, and a call without a summary never returns.
            let never = |id: &EdgeId| match &program.edge(*id).op {
                Op::Assume(condition) => self.terms.is_false(*condition),
                Op::Call { callee, .. } => {
                    self.proof.summaries.get(callee).is_none_or(|summary| self.terms.is_false(*summary))
                }
                Op::Assign(_) | Op::Havoc(_) => false,
            };
            match edge.map(|id| program.edge(*id).to) {
                Some(_) if edge.is_some_and(never) => {}
                None => {
                    order.push(*loc);
                    open.remove(loc);
                    done.insert(*loc);
                    stack.pop();
                }
                Some(to) if open.contains(&to) && to != start => {
                    return Err(Check::Rejected(format!("the proof passes over a loop at location {}", to.index())));
                }
                Some(to) if passed.contains(&to) && !done.contains(&to) => {
                    open.insert(to);
                    stack.push((to, 0));
                }
                Some(_) => {}
            }
        }
        order.reverse();
        Ok(order)
    }

    /// All ways from a listed location through silent ones keep what is listed behind them.
    pub(crate) fn passage(&mut self, start: Loc) -> Result<(), Check> {
        let before = self.invariant(start);
        if self.terms.is_false(before) {
            return Ok(());
        }
        let mut coming: BTreeMap<Loc, Vec<Way>> = BTreeMap::new();
        for loc in self.silent_order(start, &mut BTreeSet::new())? {
            let way = if loc == start {
                Way { taken: self.terms.bool(true), values: Substitution::default() }
            } else {
                self.meet(coming.remove(&loc).unwrap_or_default())
            };
            if self.terms.is_false(way.taken) {
                continue;
            }
            self.returns(before, loc, &way)?;
            for (id, way) in self.leave(before, loc, &way)? {
                let to = self.program.edge(id).to;
                if self.proof.passed.contains(&to) {
                    coming.entry(to).or_default().push(way);
                } else {
                    let after = self.invariant(to);
                    let after = self.terms.substitute(after, &way.values);
                    self.implies(&[before, way.taken], after, |program| {
                        format!("{} leaves the invariant", describe(program, id))
                    })?;
                }
            }
        }
        Ok(())
    }

    /// If a silent location is an exit, the summary holds there.
    fn returns(&mut self, before: Term, loc: Loc, way: &Way) -> Result<(), Check> {
        let Some(id) = self.flow.as_ref().and_then(|flow| flow.exit_of(loc)) else { return Ok(()) };
        let summary = self.summary(id);
        let summary = self.terms.substitute(summary, &way.values);
        self.implies(&[before, way.taken], summary, |program| {
            format!("{} returns where its summary does not hold", program.proc(id).name)
        })
    }

    /// What is known where ways meet, of which at most one is taken.
    fn meet(&mut self, ways: Vec<Way>) -> Way {
        let taken: Vec<Term> = ways.iter().map(|way| way.taken).collect();
        let taken = self.terms.or(&taken);
        let mut ways = ways.into_iter();
        let mut values = ways.next().map(|way| way.values).unwrap_or_default();
        for way in ways {
            for (var, then, otherwise) in way.values.differences(&values) {
                let own = self.terms.var(var);
                let value = self.terms.ite(way.taken, then.unwrap_or(own), otherwise.unwrap_or(own));
                values.insert(var, value);
            }
        }
        Way { taken, values }
    }

    /// The ways on from a location, by edge.
    fn leave(&mut self, before: Term, loc: Loc, way: &Way) -> Result<Vec<(EdgeId, Way)>, Check> {
        let edges: Vec<EdgeId> = self.flow.as_ref().map_or(Vec::new(), |flow| flow.out_edges(loc).to_vec());
        let decided = graph::are_exclusive(self.terms, self.program, &edges);
        let (mut others, mut found) = (way.taken, Vec::new());
        for (at, id) in edges.iter().enumerate() {
            self.on = Some(*id);
            let mut taken = others;
            if !decided && at + 1 < edges.len() {
                let selector = self.selector(*id);
                let not = self.terms.not(selector);
                taken = self.terms.and(&[others, selector]);
                others = self.terms.and(&[others, not]);
            }
            let next = self.follow(before, *id, Way { taken, values: way.values.clone() });
            self.on = None;
            found.push((*id, next?));
        }
        Ok(found)
    }

    fn follow(&mut self, before: Term, id: EdgeId, mut way: Way) -> Result<Way, Check> {
        match &self.program.edge(id).op {
            Op::Assume(condition) => {
                let condition = self.terms.substitute(*condition, &way.values);
                way.taken = self.terms.and(&[way.taken, condition]);
            }
            Op::Assign(pairs) => {
                let values: Vec<Term> = pairs.iter().map(|(_, value)| *value).collect();
                let values = self.terms.substitute_all(&values, &way.values);
                way.values.extend(pairs.iter().map(|(var, _)| *var).zip(values));
            }
            Op::Havoc(vars) => way.values.extend(self.fresh(vars.iter().copied())),
            Op::Call { callee, args, results } => {
                let entry = self.entered(*callee, args);
                let entry = self.terms.substitute(entry, &way.values);
                self.implies(&[before, way.taken], entry, |program| outside(program, id, *callee))?;
                let (summary, new) = self.returned(*callee, args, results);
                let summary = self.terms.substitute(summary, &way.values);
                way.taken = self.terms.and(&[way.taken, summary]);
                way.values.extend(new);
            }
        }
        Ok(way)
    }

    /// The variable that says whether an edge is taken.
    fn selector(&mut self, id: EdgeId) -> Term {
        let selector = *self.selectors.entry(id).or_insert_with(|| self.terms.declare("taken", Sort::Bool));
        self.terms.var(selector)
    }
}
