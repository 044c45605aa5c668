//! What must hold of interpolants on a counterexample graph. Each law is checked on its own
//! terms, by images and entailments, not by repeating how the interpolants were found.
//!
//! | law | what it says |
//! |---|---|
//! | interpolant | `I_n ⊨ K_n` at every node |
//! | tracking | what `K` says in front of an edge entails what it says behind it, across calls and stack levels too |
//! | spurious | `I` is 0 at the bottom if and only if `K` is 1 at the top, where `K` is 0 at the bottom |
//! | entry | `K` is 1 at the top, and where callees that return are entered |
//! | signature | `K_n` speaks about the copies that its control point has a place for, and no others |
//! | ways | `I_n` contains what single ways from the top to `n` allow |
//! | conciliated | `K_n` speaks about no bit that `I_n` leaves open |

use super::Heuristic;
use super::edges::{caller, image};
use super::strongest::Strongest;
use std::collections::BTreeSet;
use tamis_bdd::{Bdd, Bit, Full, Result};
use tamis_pds::{Dag, NodeId, NodeKind, System};

/// How many single ways are compared with the strongest interpolants.
const WAYS: usize = 8;

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Its name.
    pub law: &'static str,
    /// Where.
    pub node: Option<NodeId>,
    /// What is wrong there.
    pub why: String,
}

/// Checks all laws. If the graph is not spurious, there are no interpolants, and only the laws
/// that hold nevertheless are checked.
///
/// # Errors
/// If the diagrams have no room.
pub fn check(
    system: &System,
    dag: &Dag,
    strongest: &Strongest,
    chosen: &[Bdd],
    heuristic: Heuristic,
) -> Result<std::result::Result<(), Violation>> {
    let laws = Laws { system, dag, strongest, heuristic };
    match laws.check(chosen) {
        Ok(()) => Ok(Ok(())),
        Err(Stop::Broken(violation)) => Ok(Err(violation)),
        Err(Stop::Full(full)) => Err(full),
    }
}

/// Why the check ends early.
enum Stop {
    Full(Full),
    Broken(Violation),
}

impl From<Full> for Stop {
    fn from(full: Full) -> Stop {
        Stop::Full(full)
    }
}

type Checked = std::result::Result<(), Stop>;

/// Complains unless the condition holds.
fn demand(holds: bool, law: &'static str, node: NodeId, why: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Stop::Broken(Violation { law, node: Some(node), why: why() })) }
}

struct Laws<'a> {
    system: &'a System,
    dag: &'a Dag,
    strongest: &'a Strongest,
    heuristic: Heuristic,
}

impl Laws<'_> {
    fn check(&self, chosen: &[Bdd]) -> Checked {
        self.interpolant(chosen)?;
        self.tracking(chosen)?;
        self.spurious(chosen)?;
        self.entry(chosen)?;
        self.signature(chosen)?;
        self.conciliated(chosen)?;
        if self.heuristic == Heuristic::Both {
            self.tracking(self.strongest.nodes())?;
        }
        self.signature(self.strongest.nodes())?;
        self.ways()
    }

    fn interpolant(&self, chosen: &[Bdd]) -> Checked {
        let m = self.system.family.manager();
        for (id, node) in self.dag.nodes() {
            // Calls that return are about the callee alone, so there it holds in any case.
            if self.strongest.is_spurious() || node.popped {
                let holds = m.entails(self.strongest.node(id), &chosen[id.index()])?;
                demand(holds, "interpolant", id, || "the strongest interpolant does not entail it".to_owned())?;
            }
        }
        Ok(())
    }

    /// Corollaries 3.6 and 3.13, and their counterparts for calls in sections 5.2.1, 5.2.2 and
    /// 5.2.4.
    fn tracking(&self, values: &[Bdd]) -> Checked {
        let family = &self.system.family;
        let m = family.manager();
        for edge in &self.dag.edges {
            let behind = image(self.system, edge.from, values)?;
            let holds = m.entails(&behind, &values[edge.to.index()])?;
            demand(holds, "tracking", edge.to, || format!("the edge from {:?} does not entail it", edge.from))?;
        }
        for (id, _) in self.dag.nodes() {
            if let Some(pivot) = caller(self.dag, id) {
                let holds = m.entails(&family.inputs(&values[pivot.index()])?, &values[id.index()])?;
                demand(holds, "tracking", id, || format!("the pivot {pivot:?} does not entail it"))?;
            }
        }
        Ok(())
    }

    fn spurious(&self, chosen: &[Bdd]) -> Checked {
        let bottom = self.dag.bottom();
        if self.heuristic == Heuristic::Strongest {
            return Ok(());
        }
        demand(chosen[bottom.index()].is_false(), "spurious", bottom, || "it is not 0 at the bottom".to_owned())?;
        let is_one = self.dag.levels[0].tops.iter().all(|top| chosen[top.index()].is_true());
        let why = || format!("1 at the top: {is_one}, 0 at the bottom: {}", self.strongest.is_spurious());
        demand(is_one == self.strongest.is_spurious(), "spurious", bottom, why)
    }

    /// Section 5.2.2: the predicates at the entry point of a callee that returns always hold.
    fn entry(&self, chosen: &[Bdd]) -> Checked {
        for (id, node) in self.dag.nodes() {
            let always = node.popped || (node.level == 0 && self.strongest.is_spurious());
            if always && matches!(node.kind, NodeKind::Entry(_)) {
                demand(chosen[id.index()].is_true(), "entry", id, || "it is not 1".to_owned())?;
            }
        }
        Ok(())
    }

    fn signature(&self, values: &[Bdd]) -> Checked {
        let m = self.system.family.manager();
        for (id, node) in self.dag.nodes() {
            let allowed = self.allowed(node.kind);
            let stray = m.support(&values[id.index()]).into_iter().find(|bit| !allowed.contains(bit));
            demand(stray.is_none(), "signature", id, || format!("{stray:?} is out of scope at {:?}", node.kind))?;
        }
        Ok(())
    }

    /// The bits that a node of that kind may speak about.
    fn allowed(&self, kind: NodeKind) -> BTreeSet<Bit> {
        let block = &self.system.family.block;
        let at = |copy: &[Bit], positions: &[usize]| positions.iter().map(|at| copy[*at]).collect::<Vec<Bit>>();
        let parts = match kind {
            NodeKind::At(sym) | NodeKind::Eval(sym) => {
                vec![block.now.clone(), at(&block.input, &self.system.owner(sym).input)]
            }
            NodeKind::Entry(_) => vec![block.now.clone()],
            NodeKind::Pivot(sym) => {
                let callee = self.system.proc(self.system.callee(sym));
                let input = at(&block.input, &self.system.owner(sym).input);
                vec![at(&block.next, &callee.input), callee.kept.bits().to_vec(), input]
            }
            NodeKind::Effect(proc) => {
                let proc = self.system.proc(proc);
                vec![proc.returned.bits().to_vec(), at(&block.next, &proc.input)]
            }
        };
        parts.concat().into_iter().collect()
    }

    fn conciliated(&self, chosen: &[Bdd]) -> Checked {
        let m = self.system.family.manager();
        for (id, _) in self.dag.nodes() {
            let i = self.strongest.node(id);
            if self.heuristic.conciliates() && !i.is_false() {
                let kept = m.support(i);
                let stray = m.support(&chosen[id.index()]).into_iter().find(|bit| !kept.contains(bit));
                demand(stray.is_none(), "conciliated", id, || format!("{stray:?} is left open"))?;
            }
        }
        Ok(())
    }

    /// Unfolds a few ways, each with one edge into every node, and compares what they allow.
    fn ways(&self) -> Checked {
        let m = self.system.family.manager();
        for way in 0..WAYS {
            let mut values: Vec<Bdd> = Vec::with_capacity(self.dag.nodes.len());
            for (id, node) in self.dag.nodes() {
                let value = match (node.into.get(turn(way, id) % node.into.len().max(1)), caller(self.dag, id)) {
                    (Some(&edge), _) => image(self.system, self.dag.edge(edge).from, &values)?,
                    (None, Some(pivot)) => self.system.family.inputs(&values[pivot.index()])?,
                    (None, None) => m.constant(matches!(node.kind, NodeKind::Entry(_))),
                };
                let holds = m.entails(&value, self.strongest.node(id))?;
                demand(holds, "ways", id, || format!("way {way} allows more"))?;
                values.push(value);
            }
        }
        Ok(())
    }
}

/// Which edge into a node a way takes: the first way the first one everywhere, the others
/// whatever a hash says.
fn turn(way: usize, id: NodeId) -> usize {
    let mixed = (way.wrapping_mul(0x9E37_79B9)) ^ (id.index().wrapping_mul(way).wrapping_mul(0x85EB_CA6B));
    if way == 0 { 0 } else { mixed >> 7 }
}
