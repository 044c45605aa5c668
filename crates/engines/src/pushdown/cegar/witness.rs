//! Saturation of the abstract system, with the witness graph (Reps, Schwoon, Jha, Melski,
//! Sci. Comput. Program. 2005; kept *thick* as in Kiefer 2005, section 4.2).
//!
//! Whenever a transition's label grows, it gets a new witness node, whose edges say which
//! rules lead there from which earlier nodes; so the graph has no cycles. In a thick graph a
//! rule that adds nothing to a label is recorded too, once per label: otherwise the first
//! abstractions, whose labels are all 0 or 1, would yield one counterexample each instead
//! of a graph of them.

use super::super::saturation::Trans;
use super::abstraction::Abstraction;
use std::collections::{BTreeSet, VecDeque};
use tamis_bdd::{Bdd, Result};
use tamis_pds::{RuleId, Shape, Sym, System};

/// Whether rules that add nothing to a label are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witnesses {
    /// They are.
    Thick,
    /// They are not.
    Thin,
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

/// Saturates completely: a counterexample graph is the better the more it holds.
pub(super) fn saturate<E: From<tamis_bdd::Full>>(
    system: &System,
    abstraction: &Abstraction,
    outgoing: &[Vec<RuleId>],
    callers: &[Vec<Sym>],
    witnesses: Witnesses,
    mut poll: impl FnMut(usize) -> std::result::Result<(), E>,
) -> std::result::Result<Automaton, E> {
    let automaton = Automaton {
        witnesses: Vec::new(),
        at: vec![None; system.symbols.len()],
        frozen: vec![None; system.symbols.len()],
        effect: vec![None; system.procs.len()],
    };
    let mut run = Run {
        system,
        abstraction,
        callers,
        mode: witnesses,
        automaton,
        queue: VecDeque::new(),
        queued: BTreeSet::new(),
    };
    let m = system.family.manager();
    let start = m.and(&abstraction.start(system)?, &abstraction.equal[system.main.index()])?;
    run.update(Trans::At(system.proc(system.main).entry), &start, Source::Begin)?;
    while let Some(trans) = run.queue.pop_front() {
        poll(run.queue.len())?;
        run.queued.remove(&trans);
        run.propagate(trans, outgoing)?;
    }
    Ok(run.automaton)
}

struct Run<'r> {
    system: &'r System,
    abstraction: &'r Abstraction,
    callers: &'r [Vec<Sym>],
    mode: Witnesses,
    automaton: Automaton,
    queue: VecDeque<Trans>,
    queued: BTreeSet<Trans>,
}

impl Run<'_> {
    fn update(&mut self, trans: Trans, set: &Bdd, from: Source) -> Result<()> {
        if set.is_false() {
            return Ok(());
        }
        let m = self.system.family.manager();
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

    fn propagate(&mut self, trans: Trans, outgoing: &[Vec<RuleId>]) -> Result<()> {
        let (system, family) = (self.system, &self.abstraction.family);
        let Some(node) = self.automaton.newest(trans) else { return Ok(()) };
        let label = self.automaton.witnesses[node].label.clone();
        match trans {
            Trans::At(sym) => {
                for id in &outgoing[sym.index()] {
                    let (r, from) = (&self.abstraction.relations[id.index()], Source::Rule(*id, node));
                    match system.rule(*id).shape {
                        Shape::Entry { to } | Shape::Normal { to } | Shape::Eval { to } => {
                            self.update(Trans::At(to), &family.step(&label, r)?, from)?;
                        }
                        Shape::Pop => {
                            let effect = family.pop(&label, r)?;
                            self.update(Trans::Effect(system.symbol(sym).proc), &effect, from)?;
                        }
                        Shape::Push { entry, pivot } => {
                            let frozen = family.push(&label, r)?;
                            let equal = &self.abstraction.equal[system.symbol(entry).proc.index()];
                            let inputs = family.manager().and(&family.inputs(&frozen)?, equal)?;
                            self.update(Trans::At(entry), &inputs, Source::Begin)?;
                            self.update(Trans::Frozen(pivot), &frozen, from)?;
                        }
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
                for caller in &self.callers[proc.index()] {
                    let Some(pivot) = self.automaton.newest(Trans::Frozen(*caller)) else { continue };
                    let back = family.combine(&self.automaton.witnesses[pivot].label, &label)?;
                    self.update(Trans::At(*caller), &back, Source::Return { pivot, effect: node })?;
                }
            }
        }
        Ok(())
    }
}
