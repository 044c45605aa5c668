//! What the ways of a graph allow, one valuation at a time: no formula is shared with the code
//! under test.

use std::collections::BTreeMap;
use tamis_bdd::{Bdd, Bit};
use tamis_pds::{Dag, From, NodeId, NodeKind, RuleId, Shape, System};

/// A valuation of all bits in one copy.
type Word = usize;

/// The valuations of `(now, next, input)` that a node allows; zero for copies that are not part
/// of its signature.
pub type Allowed = Vec<(Word, Word, Word)>;

pub struct Oracle<'a> {
    system: &'a System,
    words: usize,
    /// By bit: its copy and its place there.
    slots: BTreeMap<Bit, (usize, usize)>,
}

impl Oracle<'_> {
    pub fn new(system: &System) -> Oracle<'_> {
        let block = &system.family.block;
        let copies = [&block.now, &block.next, &block.frozen, &block.input];
        let slots = copies
            .iter()
            .enumerate()
            .flat_map(|(copy, bits)| bits.iter().enumerate().map(move |(at, bit)| (*bit, (copy, at))));
        Oracle { system, words: 1 << block.now.len(), slots: slots.collect() }
    }

    /// Whether the diagram holds for these values of now, next, frozen and input.
    fn holds(&self, f: &Bdd, values: [Word; 4]) -> bool {
        let value = |bit: Bit| {
            let (copy, at) = self.slots[&bit];
            values[copy] >> at & 1 == 1
        };
        self.system.family.manager().eval(f, &value)
    }

    /// What a diagram at a node of that kind allows.
    pub fn of(&self, kind: NodeKind, f: &Bdd) -> Allowed {
        let all = |part: bool| 0..if part { self.words } else { 1 };
        let (next, input) = match kind {
            NodeKind::At(_) | NodeKind::Eval(_) => (false, true),
            NodeKind::Entry(_) => (false, false),
            NodeKind::Pivot(_) => (true, true),
            NodeKind::Effect(_) => (true, false),
        };
        let mut allowed = Vec::new();
        for now in all(true) {
            for next in all(next) {
                for input in all(input) {
                    if self.holds(f, [now, next, 0, input]) {
                        allowed.push((now, next, input));
                    }
                }
            }
        }
        allowed
    }

    /// What every node allows.
    pub fn all(&self, dag: &Dag) -> Vec<Allowed> {
        let mut values: Vec<Allowed> = Vec::new();
        for (_, node) in dag.nodes() {
            let mut value = Allowed::new();
            if let NodeKind::Entry(_) = node.kind {
                if node.popped || node.level == 0 {
                    value.extend((0..self.words).map(|now| (now, 0, 0)));
                } else {
                    let pivot: NodeId = dag.levels[node.level - 1].bottom;
                    value.extend(values[pivot.index()].iter().map(|&(_, next, _)| (next, 0, 0)));
                }
            }
            for edge in &node.into {
                match dag.edge(*edge).from {
                    From::Rule { rule, node } => value.extend(self.rule(rule, &values[node.index()])),
                    From::Return { pivot, effect } => {
                        let (waits, returns) = (&values[pivot.index()], &values[effect.index()]);
                        value.extend(self.returns(dag.node(effect).kind, waits, returns));
                    }
                }
            }
            value.sort_unstable();
            value.dedup();
            values.push(value);
        }
        values
    }

    /// What is allowed behind a rule.
    fn rule(&self, id: RuleId, front: &Allowed) -> Allowed {
        let rule = self.system.rule(id);
        let Some(relation) = &rule.relation else { return front.clone() };
        let mask: Word = self.system.owner(rule.from).input.iter().map(|at| 1 << at).sum();
        let mut behind = Allowed::new();
        for &(now, _, input) in front {
            for next in 0..self.words {
                match rule.shape {
                    Shape::Entry { .. } if self.holds(relation, [now, next, 0, 0]) => {
                        let inputs = (0..self.words).filter(|input| (input ^ now) & mask == 0);
                        behind.extend(inputs.map(|input| (next, 0, input)));
                    }
                    Shape::Normal { .. } if self.holds(relation, [now, next, 0, 0]) => behind.push((next, 0, input)),
                    Shape::Pop if self.holds(relation, [now, next, 0, 0]) => behind.push((next, input, 0)),
                    Shape::Push { .. } => {
                        let frozen = (0..self.words).filter(|&frozen| self.holds(relation, [now, next, frozen, 0]));
                        behind.extend(frozen.map(|frozen| (frozen, next, input)));
                    }
                    Shape::Entry { .. } | Shape::Normal { .. } | Shape::Pop | Shape::Eval { .. } => {}
                }
            }
        }
        behind
    }

    /// What is allowed behind a call: the callee's input is the same for both, each bit's value
    /// comes from one of them.
    fn returns(&self, effect: NodeKind, waits: &Allowed, returns: &Allowed) -> Allowed {
        let NodeKind::Effect(callee) = effect else { panic!("only effects return") };
        let returned = self.system.proc(callee).returned.bits();
        let mask: Word = returned.iter().map(|bit| 1 << self.slots[bit].1).sum();
        let mut behind = Allowed::new();
        for &(frozen, called_with, input) in waits {
            for &(given_back, entered_with, _) in returns {
                if called_with == entered_with {
                    behind.push(((given_back & mask) | (frozen & !mask), 0, input));
                }
            }
        }
        behind
    }
}
