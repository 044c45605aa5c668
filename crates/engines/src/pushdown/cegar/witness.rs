//! Saturation of the abstract system, with the witness graph (Reps, Schwoon, Jha, Melski,
//! Sci. Comput. Program. 2005; kept *thick* as in Kiefer 2005, section 4.2).
//!
//! Whenever a transition's label grows, it gets a new witness node, whose edges say which
//! rules lead there from which earlier nodes; so the graph has no cycles. In a thick graph a
//! rule that adds nothing to a label is recorded too, once per label: otherwise the first
//! abstractions, whose labels are all 0 or 1, would yield one counterexample each instead
//! of a graph of them.

use super::super::saturation::{Trans, additions};
use super::abstraction::Abstraction;
use std::collections::{BTreeSet, VecDeque};
use tamis_bdd::{Bdd, Result};
use tamis_ir::ProcId;
use tamis_pds::{RuleId, Shape, Sym, System};

/// Whether rules that add nothing to a label are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witnesses {
    /// They are.
    Thick,
    /// They are not.
    Thin,
}

/// How much of the abstract system is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// All of it, so that a counterexample graph holds as much as it can.
    Complete,
    /// In order of distance from the start, up to the distance of the first error: then a
    /// counterexample graph holds only short counterexamples (section 8.1.1).
    Early,
}

/// A witness node's number; edges lead from smaller to greater ones.
pub(super) type WitnessId = usize;

/// A label at one time, and why it holds what it holds.
pub(super) struct Witness {
    pub trans: Trans,
    pub label: Bdd,
    pub edges: Vec<WitnessEdge>,
}

/// Why a label holds a set.
#[derive(Clone)]
pub(super) struct WitnessEdge {
    pub from: Source,
    pub set: Bdd,
}

/// Where a set comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A frame begins.
    Begin,
    /// By a rule from a node.
    Rule(RuleId, WitnessId),
    /// From a caller that waits and a callee that has returned.
    Return { pivot: WitnessId, effect: WitnessId },
}

impl Source {
    fn rule(self) -> Option<RuleId> {
        match self {
            Source::Rule(rule, _) => Some(rule),
            Source::Begin | Source::Return { .. } => None,
        }
    }
}

/// The saturated automaton: the newest witness node of every transition.
pub(super) struct Automaton {
    pub witnesses: Vec<Witness>,
    /// Whether it accepts all that is reachable.
    pub is_complete: bool,
    at: Vec<Option<WitnessId>>,
    frozen: Vec<Option<WitnessId>>,
    effect: Vec<Option<WitnessId>>,
}

impl Automaton {
    /// The newest node of a transition, if its label is not empty.
    pub fn newest(&self, trans: Trans) -> Option<WitnessId> {
        match trans {
            Trans::At(sym) => self.at[sym.index()],
            Trans::Frozen(sym) => self.frozen[sym.index()],
            Trans::Effect(proc) => self.effect[proc.index()],
        }
    }

    /// The label of a transition, if it is not empty.
    pub fn label(&self, trans: Trans) -> Option<&Bdd> {
        self.newest(trans).map(|id| &self.witnesses[id].label)
    }

    fn newest_mut(&mut self, trans: Trans) -> &mut Option<WitnessId> {
        match trans {
            Trans::At(sym) => &mut self.at[sym.index()],
            Trans::Frozen(sym) => &mut self.frozen[sym.index()],
            Trans::Effect(proc) => &mut self.effect[proc.index()],
        }
    }
}

/// What is saturated.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    pub system: &'r System,
    pub abstraction: &'r Abstraction,
    /// By symbol: the rules that leave it.
    pub outgoing: &'r [Vec<RuleId>],
    /// By procedure: the pivots of its callers.
    pub callers: &'r [Vec<Sym>],
}

/// Saturates. `poll` is called with the number of transitions that wait.
pub(super) fn saturate<E: From<tamis_bdd::Full>>(
    rules: Rules<'_>,
    witnesses: Witnesses,
    search: Search,
    mut poll: impl FnMut(usize) -> std::result::Result<(), E>,
) -> std::result::Result<Automaton, E> {
    let Rules { system, abstraction, .. } = rules;
    let automaton = Automaton {
        witnesses: Vec::new(),
        is_complete: false,
        at: vec![None; system.symbols.len()],
        frozen: vec![None; system.symbols.len()],
        effect: vec![None; system.procs.len()],
    };
    let mut run = Run { rules, mode: witnesses, automaton, queue: VecDeque::new(), queued: BTreeSet::new() };
    let m = system.family.manager();
    let start = m.and(&abstraction.start(system)?, &abstraction.equal[system.main.index()])?;
    run.update(Trans::At(system.proc(system.main).entry), &start, Source::Begin)?;
    // How many transitions of the current distance still wait.
    let mut level = run.queue.len();
    while let Some(trans) = run.queue.pop_front() {
        poll(run.queue.len())?;
        run.queued.remove(&trans);
        run.propagate(trans)?;
        level -= 1;
        if level == 0 {
            if search == Search::Early && run.has_error() {
                break;
            }
            level = run.queue.len();
        }
    }
    run.automaton.is_complete = run.queue.is_empty();
    Ok(run.automaton)
}

struct Run<'r> {
    rules: Rules<'r>,
    mode: Witnesses,
    automaton: Automaton,
    queue: VecDeque<Trans>,
    queued: BTreeSet<Trans>,
}

impl Run<'_> {
    fn has_error(&self) -> bool {
        self.rules.system.errors.iter().any(|error| self.automaton.label(Trans::At(*error)).is_some())
    }

    fn update(&mut self, trans: Trans, set: &Bdd, from: Source) -> Result<()> {
        if set.is_false() {
            return Ok(());
        }
        let m = self.rules.system.family.manager();
        let id = self.automaton.witnesses.len();
        let old = self.automaton.newest(trans).map(|old| &self.automaton.witnesses[old]);
        let label = match old {
            Some(old) => m.or(&old.label, set)?,
            None => set.clone(),
        };
        let changed = old.is_none_or(|old| old.label != label);
        let recorded = |old: &Witness| old.edges.iter().any(|edge| edge.from.rule() == from.rule());
        let extra = self.mode == Witnesses::Thick && from.rule().is_some() && !old.is_some_and(recorded);
        if !changed && !extra {
            return Ok(());
        }
        let mut edges = vec![WitnessEdge { from, set: set.clone() }];
        for edge in old.into_iter().flat_map(|old| &old.edges) {
            let other_rule = self.mode == Witnesses::Thick && edge.from.rule() != from.rule();
            if other_rule || !m.entails(&edge.set, set)? {
                edges.push(edge.clone());
            }
        }
        self.automaton.witnesses.push(Witness { trans, label, edges });
        *self.automaton.newest_mut(trans) = Some(id);
        if changed && self.queued.insert(trans) {
            self.queue.push_back(trans);
        }
        Ok(())
    }

    fn propagate(&mut self, trans: Trans) -> Result<()> {
        let Rules { system, abstraction, outgoing, callers } = self.rules;
        let family = &abstraction.family;
        let Some(node) = self.automaton.newest(trans) else { return Ok(()) };
        let label = self.automaton.witnesses[node].label.clone();
        match trans {
            Trans::At(sym) => {
                for id in &outgoing[sym.index()] {
                    let equal = |proc: ProcId| &abstraction.equal[proc.index()];
                    let relation = &abstraction.relations[id.index()];
                    for (to, set) in additions(system, family, *id, Some(relation), equal, &label)? {
                        // What a frame begins with, it begins with whoever pushes it.
                        let begins = matches!((system.rule(*id).shape, to), (Shape::Push { .. }, Trans::At(_)));
                        let from = if begins { Source::Begin } else { Source::Rule(*id, node) };
                        self.update(to, &set, from)?;
                    }
                }
            }
            Trans::Frozen(pivot) => {
                if let Some(effect) = self.automaton.newest(Trans::Effect(system.callee(pivot))) {
                    let back = family.combine(&label, &self.automaton.witnesses[effect].label)?;
                    self.update(Trans::At(pivot), &back, Source::Return { pivot: node, effect })?;
                }
            }
            Trans::Effect(proc) => {
                for caller in &callers[proc.index()] {
                    let Some(pivot) = self.automaton.newest(Trans::Frozen(*caller)) else { continue };
                    let back = family.combine(&self.automaton.witnesses[pivot].label, &label)?;
                    self.update(Trans::At(*caller), &back, Source::Return { pivot, effect: node })?;
                }
            }
        }
        Ok(())
    }
}
