//! Reduction: what is constant or equal in all reachable states is merged, and what nothing depends on any
//! more is dropped. The way back for proofs is the conjunction of what was merged; runs need none, because
//! the latches and inputs that are left keep their original numbers.

use super::{Aig, Latch, Netlist, Node, NodeId, Signal, equal};
use rustc_hash::FxHashMap;
use tamis_cegar::{Context, Outcome};

/// A smaller circuit that asks the same.
#[derive(Debug)]
pub(crate) struct Reduced {
    pub(crate) netlist: Netlist,
    /// The circuit before, and its signals that are true in all reachable states: what the reduction rests
    /// on.
    pub(crate) before: Netlist,
    pub(crate) facts: Vec<Signal>,
}

/// Signals that equal older ones: by node, the one that stands for it.
pub(crate) type Merged = Vec<Option<Signal>>;

impl Netlist {
    /// The circuit without what is constant by ternary simulation; with `equal`, latches and gates that are
    /// equal by induction are merged as well. Not where initial states are more than resets: a run of the
    /// merged circuit would begin in a state that need not fulfil what they are.
    pub(crate) fn reduced(&self, ctx: &Context, equal: bool) -> Outcome<Reduced> {
        let mut before = self.clone();
        let mut facts = Vec::new();
        let constants = self.constants();
        for (latch, value) in self.latches.iter().zip(&constants) {
            facts.extend(value.map(|value| latch.node.signal().flip_if(!value)));
        }
        let mut merged: Merged = vec![None; self.aig.len()];
        for (latch, value) in self.latches.iter().zip(&constants) {
            merged[latch.node.index()] = value.map(Signal::constant);
        }
        let mut netlist = if facts.is_empty() { self.clone() } else { self.merged(&merged).trimmed() };
        if equal && self.start == Signal::TRUE {
            let merged = equal::find(ctx, &netlist)?;
            if let Some(merged) = merged {
                // What was found is about the circuit without constants, whose latches are among these.
                let map = before.embed(&netlist);
                for (id, other) in netlist.aig.nodes().map(|(id, _)| id).zip(&merged) {
                    let Some(other) = other else { continue };
                    let (this, other) = (map[id.index()], map[other.node().index()].flip_if(other.is_complement()));
                    facts.push(before.aig.iff(this, other));
                }
                netlist = netlist.merged(&merged).trimmed();
            }
        }
        facts.retain(|fact| *fact != Signal::TRUE);
        Ok(Reduced { netlist, before, facts })
    }

    /// By latch: its value in all states that ternary simulation reaches, if it is always the same.
    fn constants(&self) -> Vec<Option<bool>> {
        let mut now: Vec<Option<bool>> = self.latches.iter().map(|latch| latch.reset).collect();
        let mut values: Vec<Option<bool>> = vec![None; self.aig.len()];
        loop {
            for (latch, value) in self.latches.iter().zip(&now) {
                values[latch.node.index()] = *value;
            }
            for (id, node) in self.aig.nodes() {
                let value = |signal: Signal| values[signal.node().index()].map(|value| value != signal.is_complement());
                match node {
                    Node::False => values[id.index()] = Some(false),
                    Node::Leaf => {}
                    Node::And(a, b) => {
                        values[id.index()] = match (value(a), value(b)) {
                            (Some(false), _) | (_, Some(false)) => Some(false),
                            (Some(true), Some(true)) => Some(true),
                            (None | Some(true), None) | (None, Some(true)) => None,
                        }
                    }
                }
            }
            let mut changed = false;
            for (latch, value) in self.latches.iter().zip(&mut now) {
                let next = latch.next;
                let next = values[next.node().index()].map(|value| value != next.is_complement());
                if value.is_some() && *value != next {
                    *value = None;
                    changed = true;
                }
            }
            // Each round makes a latch unknown, so this ends.
            if !changed {
                return now;
            }
        }
    }

    /// A copy of another circuit's gates, whose latches and inputs this one has: by its nodes, the signals.
    fn embed(&mut self, other: &Netlist) -> Vec<Signal> {
        let mut map = vec![Signal::FALSE; other.aig.len()];
        let latches: FxHashMap<usize, NodeId> = self.latches.iter().map(|latch| (latch.origin, latch.node)).collect();
        let inputs: FxHashMap<usize, NodeId> = self.inputs.iter().map(|(node, number)| (*number, *node)).collect();
        for latch in &other.latches {
            map[latch.node.index()] = latches[&latch.origin].signal();
        }
        for (node, number) in &other.inputs {
            map[node.index()] = inputs[number].signal();
        }
        for (id, node) in other.aig.nodes() {
            if let Node::And(a, b) = node {
                let image = |signal: Signal| map[signal.node().index()].flip_if(signal.is_complement());
                let (a, b) = (image(a), image(b));
                map[id.index()] = self.aig.and(a, b);
            }
        }
        map
    }

    /// The circuit with nodes replaced by older ones.
    fn merged(&self, merged: &Merged) -> Netlist {
        self.copied(|_, node| merged[node.index()], |_| true)
    }

    /// The circuit without what nothing depends on.
    fn trimmed(&self) -> Netlist {
        let mut marks = self.aig.cone([self.bad, self.constraint, self.step, self.start]);
        loop {
            let read = self.latches.iter().filter(|latch| marks[latch.node.index()]);
            let roots = read.map(|latch| latch.next).chain([self.bad, self.constraint, self.step, self.start]);
            let more = self.aig.cone(roots);
            if more == marks {
                break;
            }
            marks = more;
        }
        self.copied(|_, _| None, |id| marks[id.index()])
    }

    /// A copy of the nodes that are kept, some replaced by the copies of older ones.
    fn copied(&self, replaced: impl Fn(&Aig, NodeId) -> Option<Signal>, kept: impl Fn(NodeId) -> bool) -> Netlist {
        let mut aig = Aig::default();
        let mut map = vec![Signal::FALSE; self.aig.len()];
        let image = |map: &[Signal], signal: Signal| map[signal.node().index()].flip_if(signal.is_complement());
        for (id, node) in self.aig.nodes().filter(|(id, _)| kept(*id)) {
            map[id.index()] = match (replaced(&self.aig, id), node) {
                (Some(other), _) => image(&map, other),
                (None, Node::False) => Signal::FALSE,
                (None, Node::Leaf) => aig.leaf().signal(),
                (None, Node::And(a, b)) => {
                    let (a, b) = (image(&map, a), image(&map, b));
                    aig.and(a, b)
                }
            };
        }
        let stays = |id: NodeId| kept(id) && replaced(&self.aig, id).is_none();
        let latch = |latch: &Latch| {
            let (node, next) = (map[latch.node.index()].node(), image(&map, latch.next));
            Latch { node, next, ..*latch }
        };
        Netlist {
            latches: self.latches.iter().filter(|latch| stays(latch.node)).map(latch).collect(),
            inputs: self
                .inputs
                .iter()
                .filter(|(node, _)| stays(*node))
                .map(|(node, number)| (map[node.index()].node(), *number))
                .collect(),
            start: image(&map, self.start),
            constraint: image(&map, self.constraint),
            step: image(&map, self.step),
            bad: image(&map, self.bad),
            aig,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlist::random::{after, circuit, distance, initial, reachable, valuation};

    /// Whether all facts hold in a state, whatever the inputs are.
    fn hold(netlist: &Netlist, facts: &[Signal], state: u32) -> bool {
        (0..1 << netlist.inputs.len()).all(|inputs| {
            let now = valuation(netlist, state, inputs);
            facts.iter().all(|fact| now.holds(*fact))
        })
    }

    #[test]
    fn what_is_merged_is_an_inductive_invariant_and_nothing_is_lost() {
        let (mut fewer, mut facts) = (0, 0);
        for seed in 0..400 {
            let netlist = circuit(seed);
            let reduced = netlist.reduced(&Context::default(), true).unwrap();
            let before = &reduced.before;
            assert!(hold(before, &reduced.facts, initial(before)), "seed {seed}: they hold initially");
            for state in 0..1 << before.latches.len() {
                if hold(before, &reduced.facts, state) {
                    let next = after(before, state);
                    assert!(next.iter().all(|next| hold(before, &reduced.facts, *next)), "seed {seed}: inductive");
                }
            }
            assert!(reachable(before).iter().all(|state| hold(before, &reduced.facts, *state)));
            assert_eq!(distance(&reduced.netlist), distance(&netlist), "seed {seed}");
            fewer += usize::from(reduced.netlist.latches.len() < netlist.latches.len());
            facts += reduced.facts.len();
        }
        assert!(fewer > 20 && facts > 50, "something is merged: {fewer} circuits, {facts} facts");
    }

    #[test]
    fn conditions_on_initial_states_are_respected() {
        let mut netlist = circuit(4);
        // Two latches start with the same arbitrary value, and stay as they are.
        for at in [0, 1] {
            netlist.latches[at].reset = None;
            netlist.latches[at].next = netlist.latches[at].node.signal();
        }
        let (a, b) = (netlist.latches[0].node.signal(), netlist.latches[1].node.signal());
        let different = netlist.aig.xor(a, b);
        netlist.bad = different;
        let apart = netlist.reduced(&Context::default(), true).unwrap();
        assert_ne!(apart.netlist.bad, Signal::FALSE, "they may differ");
        netlist.start = !different;
        let related = netlist.reduced(&Context::default(), true).unwrap();
        assert_ne!(related.netlist.bad, Signal::FALSE, "what relates initial values is left to the search");
    }
}
