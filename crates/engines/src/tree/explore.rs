//! The abstractor: explores the abstract states that a domain makes, and keeps of the tree what a
//! refutation leaves untouched.

use super::arcs::Arcs;
use super::nodes::{Id, Key, Nodes, Status, key};
use super::{Config, Held, Prune};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;
use tamis_cegar::{Abstractor, Context, Cut, Exploration, Outcome, Path, Progress, State};
use tamis_ir::{ArcId, BlockGraph, PointId, Program};
use tamis_term::Term;

pub(super) struct Explorer<'p> {
    program: &'p Program,
    graph: Rc<BlockGraph>,
    config: Config,
    nodes: Nodes,
    /// Whether the initial states are to be found, for the first time or again.
    beginning: bool,
    /// Knows what follows what.
    arcs: Arcs,
    /// The arc to an error that a state has, if it has one.
    badness: FxHashMap<Key, Option<ArcId>>,
    /// The last counterexamples.
    counterexamples: Vec<(Id, Path)>,
    local: bool,
}

impl<'p> Explorer<'p> {
    pub(super) fn new(program: &'p Program, graph: Rc<BlockGraph>, config: Config) -> Explorer<'p> {
        Explorer {
            program,
            config,
            nodes: Nodes::new(config.order),
            beginning: true,
            arcs: Arcs::new(graph.clone()),
            badness: FxHashMap::default(),
            counterexamples: Vec::new(),
            local: false,
            graph,
        }
    }

    /// Finds the initial states; of those that are there already, what is below them stays.
    fn begin(&mut self, ctx: &mut Context, precision: &Held) -> Outcome<()> {
        let known: BTreeSet<Key> = self.nodes.roots.iter().map(|root| key(&self.nodes.node(*root).state)).collect();
        for arc in self.graph.clone().starts() {
            let states = self.arcs.successors(ctx, &*precision.0, None, *arc)?;
            for state in states.into_iter().rev().filter(|state| !known.contains(&key(state))) {
                self.nodes.add(state, *arc, None);
            }
        }
        self.beginning = false;
        Ok(())
    }

    /// The arc to an error that can be taken in an abstract state (section 4.2).
    fn bad(&mut self, ctx: &mut Context, state: &State) -> Outcome<Option<ArcId>> {
        if let Some(known) = self.badness.get(&key(state)) {
            return Ok(*known);
        }
        let mut found = None;
        for arc in &self.graph.clone().point(state.at).bad {
            if self.arcs.is_possible(ctx, state, *arc)? {
                found = Some(*arc);
                break;
            }
        }
        self.badness.insert(key(state), found);
        Ok(found)
    }

    fn successors(&mut self, ctx: &mut Context, precision: &Held, state: &State) -> Outcome<Vec<(State, ArcId)>> {
        let mut found = Vec::new();
        for arc in &self.graph.clone().point(state.at).out {
            let states = self.arcs.successors(ctx, &*precision.0, Some(state), *arc)?;
            found.extend(states.into_iter().map(|state| (state, *arc)));
        }
        Ok(found)
    }

    /// What holds in all reached states at each cut point: in those from which anything goes on, one
    /// of the labels.
    fn invariants(&self, ctx: &mut Context) -> BTreeMap<PointId, Term> {
        let mut labels: BTreeMap<PointId, BTreeSet<Term>> = BTreeMap::new();
        for state in self.nodes.expanded() {
            labels.entry(state.at).or_default().insert(state.label);
        }
        let mut found = BTreeMap::new();
        for point in &self.graph.points {
            let mut ways: Vec<Term> = labels.remove(&point.id).unwrap_or_default().into_iter().collect();
            ways.push(ctx.terms.not(point.invariant));
            found.insert(point.id, ctx.terms.or(&ways));
        }
        found
    }

    fn tell(&self, ctx: &mut Context, counterexample: Option<u64>) {
        let frontier = self.nodes.waiting() as u64;
        ctx.observer.tell(&Progress { statistics: ctx.statistics, frontier, counterexample });
    }

    fn search(&mut self, ctx: &mut Context, precision: &Held) -> Outcome<Exploration<Vec<Path>>> {
        self.local = precision.0.is_local();
        if self.beginning {
            self.begin(ctx, precision)?;
        }
        while let Some(id) = self.nodes.next() {
            ctx.budget.check()?;
            let reopened = self.nodes.node(id).status == Status::Reopened;
            if !reopened && self.nodes.is_covered(id) {
                continue;
            }
            ctx.statistics.states += 1;
            ctx.budget.check_states(ctx.statistics.states)?;
            self.tell(ctx, None);
            let state = self.nodes.node(id).state.clone();
            if let Some(error) = self.bad(ctx, &state)? {
                self.nodes.counterexample(id);
                self.counterexamples.push((id, self.nodes.path(id, error)));
                if self.counterexamples.len() >= self.config.counterexamples {
                    break;
                }
                continue;
            }
            let states = self.successors(ctx, precision, &state)?;
            self.nodes.expand(id, states);
        }
        if self.counterexamples.is_empty() {
            let invariants = self.invariants(ctx);
            let proof = self.graph.proof(&mut ctx.terms, self.program, |_, point| invariants[&point]);
            return Ok(Exploration::Safe(proof));
        }
        let paths: Vec<Path> = self.counterexamples.iter().map(|(_, path)| path.clone()).collect();
        self.tell(ctx, paths.first().map(|path| path.states.len() as u64));
        Ok(Exploration::Counterexample(paths))
    }
}

impl Abstractor for Explorer<'_> {
    type Precision = Held;
    type Counterexample = Vec<Path>;

    fn explore(&mut self, ctx: &mut Context, precision: &Held) -> Outcome<Exploration<Vec<Path>>> {
        let start = Instant::now();
        let found = self.search(ctx, precision);
        ctx.statistics.abstraction += start.elapsed();
        found
    }

    fn refuted(&mut self, why: &Vec<Cut>) {
        let counterexamples = std::mem::take(&mut self.counterexamples);
        for (_, path) in &counterexamples {
            self.nodes.learn(path);
        }
        if self.config.prune == Prune::Fully {
            self.nodes.clear();
            self.beginning = true;
            return;
        }
        let split: BTreeSet<Key> = why.iter().map(|cut| key(&cut.state)).collect();
        let mut coarse: Vec<Id> = Vec::new();
        for (id, _) in &counterexamples {
            let way: Vec<Id> = std::iter::successors(Some(*id), |id| self.nodes.node(*id).parent).collect();
            // The first on the way is enough: all else that is split lies below it, or, where only
            // these states change, is found by itself.
            coarse.extend(way.iter().rev().find(|id| split.contains(&key(&self.nodes.node(**id).state))));
        }
        if self.local {
            coarse.extend(split.iter().flat_map(|key| self.nodes.with_state(*key)));
        }
        for id in coarse {
            self.beginning |= self.nodes.prune(id);
        }
        for (id, _) in &counterexamples {
            self.nodes.reconsider(*id);
        }
    }
}
