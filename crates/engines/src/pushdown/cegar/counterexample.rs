//! From the saturated automaton to a modular counterexample graph (Kiefer 2005, sections 5.1
//! and 8.1.2): a shortest stack with which the error is reached, and for each of its levels
//! all that the witness graph has recorded.

use super::super::saturation::Trans;
use super::abstraction::Abstraction;
use super::witness::{Automaton, Source, WitnessId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use tamis_bdd::{Bdd, Result};
use tamis_pds::{Dag, Edge, EdgeId, From, Level, Node, NodeId, NodeKind, Sym, SymbolKind, System};

/// A counterexample graph, with the witness node behind each of its nodes.
pub(super) struct Witnessed {
    pub dag: Dag,
    pub witnesses: Vec<WitnessId>,
}

/// A counterexample, if the automaton accepts an error.
pub(super) fn find(
    system: &System,
    abstraction: &Abstraction,
    callers: &[Vec<Sym>],
    automaton: &Automaton,
) -> Result<Option<Witnessed>> {
    let Some(stack) = shortest_stack(system, abstraction, callers, automaton)? else { return Ok(None) };
    let mut unfolding = Unfolding { system, automaton, dag: Dag::default(), witnesses: Vec::new() };
    for trans in stack.into_iter().rev() {
        if let Some(bottom) = automaton.newest(trans) {
            unfolding.level(bottom);
        }
    }
    Ok(Some(Witnessed { dag: unfolding.dag, witnesses: unfolding.witnesses }))
}

/// A stack on the way outwards.
struct Outwards {
    trans: Trans,
    /// The inputs with which the frame of `trans` can have been entered.
    data: Bdd,
    /// The stack that it lies under.
    inner: Option<usize>,
}

/// The transitions that read a shortest stack, the innermost first: breadth-first search
/// from the errors to the start, carrying the inputs that are possible on the way.
fn shortest_stack(
    system: &System,
    abstraction: &Abstraction,
    callers: &[Vec<Sym>],
    automaton: &Automaton,
) -> Result<Option<Vec<Trans>>> {
    let (m, family) = (system.family.manager(), &abstraction.family);
    let start = family.as_input(&abstraction.start(system)?)?;
    let mut seen: Vec<Bdd> = vec![m.constant(false); system.procs.len()];
    let mut stacks: Vec<Outwards> = Vec::new();
    let mut queue: VecDeque<usize> = VecDeque::new();
    for error in &system.errors {
        let trans = Trans::At(*error);
        if let Some(label) = automaton.label(trans) {
            let data = m.exists(label, family.now())?;
            stacks.push(Outwards { trans, data, inner: None });
            queue.push_back(stacks.len() - 1);
        }
    }
    while let Some(at) = queue.pop_front() {
        let sym = match stacks[at].trans {
            Trans::At(sym) | Trans::Frozen(sym) => sym,
            Trans::Effect(_) => unreachable!("a stack has no effects"),
        };
        let proc = system.symbol(sym).proc;
        if proc == system.main && !m.and(&stacks[at].data, &start)?.is_false() {
            let mut stack = vec![stacks[at].trans];
            let mut inner = stacks[at].inner;
            while let Some(next) = inner {
                stack.push(stacks[next].trans);
                inner = stacks[next].inner;
            }
            stack.reverse();
            return Ok(Some(stack));
        }
        let new = m.and(&stacks[at].data, &m.not(&seen[proc.index()]))?;
        if new.is_false() {
            continue;
        }
        seen[proc.index()] = m.or(&seen[proc.index()], &new)?;
        let handed = family.input_as_next(&new)?;
        for pivot in &callers[proc.index()] {
            let Some(label) = automaton.label(Trans::Frozen(*pivot)) else { continue };
            let data = family.caller_inputs(label, &handed)?;
            if !data.is_false() {
                stacks.push(Outwards { trans: Trans::Frozen(*pivot), data, inner: Some(at) });
                queue.push_back(stacks.len() - 1);
            }
        }
    }
    Ok(None)
}

struct Unfolding<'u> {
    system: &'u System,
    automaton: &'u Automaton,
    dag: Dag,
    witnesses: Vec<WitnessId>,
}

impl Unfolding<'_> {
    /// Adds a level that ends in `bottom`. A witness node may occur twice in it: once as
    /// part of the level's own frame, once in a call that has returned.
    fn level(&mut self, bottom: WitnessId) {
        let number = self.dag.levels.len();
        let mut wanted: BTreeSet<(WitnessId, bool)> = BTreeSet::new();
        let mut open = vec![(bottom, false)];
        while let Some((id, popped)) = open.pop() {
            if !wanted.insert((id, popped)) {
                continue;
            }
            for edge in &self.automaton.witnesses[id].edges {
                match edge.from {
                    Source::Begin => {}
                    Source::Rule(_, node) => open.push((node, popped)),
                    Source::Return { pivot, effect } => open.extend([(pivot, popped), (effect, true)]),
                }
            }
        }
        // Witness nodes are numbered as they were made, so their order is topological.
        let mut place: FxHashMap<(WitnessId, bool), NodeId> = FxHashMap::default();
        let mut tops = Vec::new();
        for (id, popped) in wanted {
            let witness = &self.automaton.witnesses[id];
            let node = NodeId::new(self.dag.nodes.len());
            let kind = self.kind(witness.trans);
            place.insert((id, popped), node);
            self.dag.nodes.push(Node { kind, level: number, popped, into: Vec::new(), out: Vec::new() });
            self.witnesses.push(id);
            if matches!(kind, NodeKind::Entry(_)) && !popped {
                tops.push(node);
            }
            for edge in &witness.edges {
                let from = match edge.from {
                    Source::Begin => continue,
                    Source::Rule(rule, node) => From::Rule { rule, node: place[&(node, popped)] },
                    Source::Return { pivot, effect } => {
                        From::Return { pivot: place[&(pivot, popped)], effect: place[&(effect, true)] }
                    }
                };
                self.edge(from, node);
            }
        }
        self.dag.levels.push(Level { tops, bottom: place[&(bottom, false)] });
    }

    fn edge(&mut self, from: From, to: NodeId) {
        let id = EdgeId::new(self.dag.edges.len());
        self.dag.edges.push(Edge { from, to });
        self.dag.nodes[to.index()].into.push(id);
        match from {
            From::Rule { node, .. } => self.dag.nodes[node.index()].out.push(id),
            From::Return { pivot, effect } => {
                self.dag.nodes[pivot.index()].out.push(id);
                self.dag.nodes[effect.index()].out.push(id);
            }
        }
    }

    fn kind(&self, trans: Trans) -> NodeKind {
        match trans {
            Trans::At(sym) => match self.system.symbol(sym).kind {
                SymbolKind::Normal => NodeKind::At(sym),
                SymbolKind::Entry => NodeKind::Entry(sym),
                SymbolKind::Pivot { .. } => NodeKind::Eval(sym),
            },
            Trans::Frozen(sym) => NodeKind::Pivot(sym),
            Trans::Effect(proc) => NodeKind::Effect(proc),
        }
    }
}
