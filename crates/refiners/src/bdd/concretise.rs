//! A concrete run from a graph that is not spurious.
//!
//! Walks backwards from the error and picks values on the way. Because strongest
//! interpolants are exact for the graph, whatever is picked can be continued to the top: there
//! is no search. A run may be exponentially longer than the graph, since effects are shared
//! by the calls that return; neither its length nor the depth of calls takes stack.

use super::edges::{callee, caller};
use super::strongest::Strongest;
use tamis_bdd::{Bdd, Bit, Result};
use tamis_pds::run::{Run, RunStep, Slot, Slots, Valuation};
use tamis_pds::{Dag, Edge, EdgeId, From, NodeId, NodeKind, RuleId, Shape, System};

/// Longer runs are not written down.
pub const MAX_STEPS: usize = 5_000_000;

/// A run of the concrete system that the graph contains; `None` if it contains none, or none
/// that is short enough. Among the edges that can be taken, those on short ways are preferred.
///
/// # Errors
/// If the diagrams have no room.
pub fn concretise(system: &System, dag: &Dag, strongest: &Strongest) -> Result<Option<Run>> {
    let distance = Distances::new(dag);
    if strongest.is_spurious() || distance.nodes[dag.bottom().index()] > MAX_STEPS {
        return Ok(None);
    }
    let slots = Slots::new(&system.family.block);
    Walk { system, dag, strongest, distance, slots, steps: Vec::new(), waiting: Vec::new() }.run()
}

/// How many steps a run needs at least from the start of main, or for calls that return from
/// the start of the callee, if all edges can be taken.
struct Distances {
    nodes: Vec<usize>,
    edges: Vec<usize>,
}

impl Distances {
    fn new(dag: &Dag) -> Distances {
        let mut nodes: Vec<usize> = Vec::with_capacity(dag.nodes.len());
        let mut edges = vec![usize::MAX; dag.edges.len()];
        for (id, node) in dag.nodes() {
            for &edge in &node.into {
                edges[edge.index()] = match dag.edge(edge).from {
                    From::Rule { node, .. } => nodes[node.index()].saturating_add(1),
                    From::Return { pivot, effect } => nodes[pivot.index()].saturating_add(nodes[effect.index()]),
                };
            }
            nodes.push(match (node.kind, caller(dag, id)) {
                (NodeKind::Entry(_), None) => 0,
                (NodeKind::Entry(_), Some(pivot)) => nodes[pivot.index()],
                (NodeKind::At(_) | NodeKind::Pivot(_) | NodeKind::Effect(_) | NodeKind::Eval(_), _) => {
                    node.into.iter().map(|edge| edges[edge.index()]).min().unwrap_or(usize::MAX)
                }
            });
        }
        Distances { nodes, edges }
    }
}

/// A node with values for its signature; copies that are not part of it have any.
struct Place {
    node: NodeId,
    now: Valuation,
    next: Valuation,
    input: Valuation,
}

struct Walk<'a> {
    system: &'a System,
    dag: &'a Dag,
    strongest: &'a Strongest,
    distance: Distances,
    slots: Slots,
    /// The last step first.
    steps: Vec<RunStep>,
    /// The pivots whose callees are being walked through, backwards.
    waiting: Vec<Place>,
}

impl Walk<'_> {
    fn run(mut self) -> Result<Option<Run>> {
        let bottom = self.dag.bottom();
        let mut at = Some(self.pick(bottom, self.strongest.node(bottom)));
        while let Some(place) = at {
            if self.steps.len() > MAX_STEPS {
                return Ok(None);
            }
            at = match self.dag.node(place.node).kind {
                NodeKind::Entry(_) => self.leave_frame(place)?,
                NodeKind::At(_) | NodeKind::Pivot(_) | NodeKind::Effect(_) | NodeKind::Eval(_) => {
                    Some(self.back(&place)?)
                }
            };
        }
        self.steps.reverse();
        Ok(Some(Run { steps: self.steps }))
    }

    /// From the start of a frame to the pivot that waits for it; none at the start of main.
    fn leave_frame(&mut self, at: Place) -> Result<Option<Place>> {
        if let Some(pivot) = self.waiting.pop() {
            return Ok(Some(pivot));
        }
        let Some(pivot) = caller(self.dag, at.node) else { return Ok(None) };
        let block = &self.system.family.block;
        let waits = self.fix(self.strongest.node(pivot), &block.next, &at.now)?;
        Ok(Some(Place { next: at.now, ..self.pick(pivot, &waits) }))
    }

    /// One edge back.
    fn back(&mut self, at: &Place) -> Result<Place> {
        match self.edge(at).from {
            From::Rule { rule, node } => self.back_rule(at, rule, node),
            From::Return { pivot, effect } => self.back_return(at, pivot, effect),
        }
    }

    /// The edge into the node that is on the shortest way among those that can be taken.
    fn edge(&self, at: &Place) -> &Edge {
        let m = self.system.family.manager();
        let value = |bit: Bit| match self.slots.of(bit) {
            Slot::Now(position) => at.now.get(position),
            Slot::Next(position) => at.next.get(position),
            Slot::Input(position) => at.input.get(position),
            Slot::Frozen(_) => unreachable!("no signature has the frozen copy"),
        };
        let possible = |edge: &EdgeId| m.eval(self.strongest.edge(*edge), &value);
        let edges = self.dag.node(at.node).into.iter().copied().filter(possible);
        let best = edges.min_by_key(|edge| self.distance.edges[edge.index()]);
        self.dag.edge(best.expect("the value of a node is what its edges contribute"))
    }

    /// Values in front of a rule that leads here, and the step between them.
    fn back_rule(&mut self, at: &Place, id: RuleId, node: NodeId) -> Result<Place> {
        let m = self.system.family.manager();
        let block = &self.system.family.block;
        let rule = self.system.rule(id);
        // An effect speaks about its procedure's input where a pivot does about the callee's.
        let input = if rule.shape == Shape::Pop { &at.next } else { &at.input };
        let is_push = matches!(rule.shape, Shape::Push { .. });
        let (after, frozen) = if is_push { (&at.next, Some(&at.now)) } else { (&at.now, None) };
        let now = match &rule.relation {
            None => at.now.clone(),
            Some(relation) => {
                let mut behind = self.fix(relation, &block.next, after)?;
                if let Some(frozen) = frozen {
                    behind = self.fix(&behind, &block.frozen, frozen)?;
                }
                let mut front = self.strongest.node(node).clone();
                if matches!(rule.shape, Shape::Entry { .. }) {
                    front = m.and(&front, &self.system.owner(rule.from).equal)?;
                }
                let front = self.fix(&front, &block.input, input)?;
                self.pick(node, &m.and(&front, &behind)?).now
            }
        };
        self.steps.push(RunStep { rule: id, before: now.clone(), after: after.clone(), frozen: frozen.cloned() });
        Ok(Place { node, now, next: self.zero(), input: input.clone() })
    }

    /// Splits the values behind a call between the callee, where the walk goes on, and the
    /// pivot, which waits; the callee's input is picked such that it suits both.
    fn back_return(&mut self, at: &Place, pivot: NodeId, effect: NodeId) -> Result<Place> {
        let block = &self.system.family.block;
        let waits = self.fix(self.strongest.node(pivot), &block.now, &at.now)?;
        let waits = self.fix(&waits, &block.input, &at.input)?;
        let returns = self.fix(self.strongest.node(effect), &block.now, &at.now)?;
        let next = self.pick(pivot, &self.system.family.manager().and(&waits, &returns)?).next;
        let callee = self.system.proc(callee(self.dag, effect));
        let is_returned = |position: &usize| callee.returned.bits().binary_search(&block.now[*position]).is_ok();
        let bits = block.now.len();
        let (returned, kept): (Vec<usize>, Vec<usize>) =
            (0..bits).filter(|position| at.now.get(*position)).partition(is_returned);
        let (returned, kept) = (Valuation::new(bits, returned), Valuation::new(bits, kept));
        self.waiting.push(Place { node: pivot, now: kept, next: next.clone(), input: at.input.clone() });
        Ok(Place { node: effect, now: returned, next, input: self.zero() })
    }

    /// `f` where the bits of one copy have these values.
    fn fix(&self, f: &Bdd, copy: &[Bit], values: &Valuation) -> Result<Bdd> {
        let fixed: Vec<(Bit, bool)> = copy.iter().enumerate().map(|(at, bit)| (*bit, values.get(at))).collect();
        self.system.family.manager().restrict(f, &fixed)
    }

    /// Some values that satisfy `f`.
    fn pick(&self, node: NodeId, f: &Bdd) -> Place {
        let picked = self.system.family.manager().pick(f).expect("strongest interpolants are exact");
        let (mut now, mut next, mut input) = (Vec::new(), Vec::new(), Vec::new());
        for (bit, _) in picked.into_iter().filter(|(_, value)| *value) {
            match self.slots.of(bit) {
                Slot::Now(at) => now.push(at),
                Slot::Next(at) => next.push(at),
                Slot::Input(at) => input.push(at),
                Slot::Frozen(_) => unreachable!("no signature has the frozen copy"),
            }
        }
        let values = |positions: Vec<usize>| Valuation::new(self.system.family.block.now.len(), positions);
        Place { node, now: values(now), next: values(next), input: values(input) }
    }

    fn zero(&self) -> Valuation {
        Valuation::new(self.system.family.block.now.len(), [])
    }
}
