//! The order of the bits, on which the size of the diagrams depends.
//!
//! `oxidd` reaches an order by swapping neighbours, and aborts the process when a swap finds
//! no node. So the bits jump to their places one after another, always upwards, and only while
//! there is room for the worst. Upwards the worst is harmless: each node that a bit passes
//! becomes at most three, one for the bit and one for each of its values, while downwards the
//! number of nodes may square (Bollig, Löbbing, Wegener, 1996). And a function of few bits has
//! few nodes in any order.

use crate::apply::Store;
use crate::{Bit, Full, Manager, Result};
use oxidd::{InnerNode as _, LevelNo, Manager as _, ManagerRef, Node, NodeID, VarNo};
use oxidd_core::LevelView as _;
use oxidd_reorder::set_var_order_seq;
use rustc_hash::FxHashMap;
use std::sync::PoisonError;

/// By how much one jump may multiply the nodes.
const GROWTH: usize = 3;
/// Functions of so many bits count as those of few bits.
const FEW_BITS: usize = 8;
/// With more nodes than this it is not worth telling them apart.
const FEW_NODES: usize = 1 << 16;

impl Manager {
    /// The bits, the topmost first.
    pub fn order(&self) -> Vec<Bit> {
        self.store.with_manager_shared(|store| levels(store).map(Bit).collect())
    }

    /// Changes the order of the bits; all functions stay what they are. Bits that occur in no
    /// function with a handle move for free.
    ///
    /// # Errors
    /// If there may be no room for the diagrams in the new order or on the way to it, or the
    /// stop signal is set. Then the order may be half-way.
    ///
    /// # Panics
    /// If `top_down` does not name each bit once.
    pub fn set_order(&self, top_down: &[Bit]) -> Result<()> {
        self.check()?;
        let mut bits = top_down.to_vec();
        bits.sort_unstable();
        let count = self.store.with_manager_shared(|store| store.num_levels() as usize);
        assert!(bits.iter().map(|bit| bit.index()).eq(0..count), "an order names each bit once");
        // The manager's own handles would make every bit occur.
        self.literals.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.collect();
        let target: Vec<VarNo> = top_down.iter().map(|bit| bit.0).collect();
        let result = self.store.with_manager_exclusive(|store| store.reorder(|store| self.reorder(store, &target)));
        self.add_literals(&bits);
        result
    }

    /// Reaches the order `target` in steps for which there is room.
    fn reorder(&self, store: &mut Store<'_>, target: &[VarNo]) -> Result<()> {
        let mut place = vec![0; target.len()];
        for (position, bit) in target.iter().enumerate() {
            place[*bit as usize] = position;
        }
        let mut now: Vec<VarNo> =
            levels(store).zip(store.levels()).filter(|(_, level)| !level.is_empty()).map(|(bit, _)| bit).collect();
        let mut goal = now.clone();
        goal.sort_unstable_by_key(|bit| place[*bit as usize]);
        loop {
            let done = now.iter().zip(&goal).take_while(|(now, goal)| now == goal).count();
            if done == goal.len() {
                break;
            }
            if self.stop().is_set() {
                return Err(Full::Stopped);
            }
            store.gc();
            let jumps = jumps(store, self.capacity);
            if jumps == 0 {
                return Err(Full::Nodes);
            }
            let next = goal.len().min(done.saturating_add(jumps));
            let jumped = |bit: &VarNo| place[*bit as usize] <= place[goal[next - 1] as usize];
            now = goal[..next].iter().copied().chain(now.into_iter().filter(|bit| !jumped(bit))).collect();
            set_var_order_seq(store, &now);
        }
        set_var_order_seq(store, target);
        Ok(())
    }
}

/// The bits from the topmost level downwards.
fn levels(store: &Store<'_>) -> impl Iterator<Item = VarNo> {
    (0..store.num_levels()).map(|level| store.level_to_var(level))
}

/// How many bits can jump before there may be more nodes than the capacity.
fn jumps(store: &Store<'_>, capacity: usize) -> usize {
    let (bounded, others) = weigh(store);
    match capacity.checked_sub(bounded) {
        Some(_) if others == 0 => usize::MAX,
        Some(room) => (room / others).checked_ilog(GROWTH).unwrap_or(0) as usize,
        None => 0,
    }
}

/// How many nodes the functions of few bits have at most in any order, and how many nodes
/// belong to other functions.
fn weigh(store: &Store<'_>) -> (usize, usize) {
    let nodes = store.num_inner_nodes();
    if nodes > FEW_NODES {
        return (0, nodes);
    }
    let (mut bounded, mut others) = (0, 0);
    // The levels of the bits that a node depends on, if they are few.
    let mut supports: FxHashMap<NodeID, Option<Vec<LevelNo>>> = FxHashMap::default();
    for level in store.levels().rev() {
        for edge in level.iter() {
            let mut support = vec![level.level_no()];
            let mut few = true;
            if let Node::Inner(node) = store.get_node(edge) {
                for child in node.children() {
                    match supports.get(&child.node_id()) {
                        Some(Some(below)) => support.extend(below),
                        Some(None) => few = false,
                        None => {}
                    }
                }
            }
            support.sort_unstable();
            support.dedup();
            few &= support.len() <= FEW_BITS;
            if few {
                bounded += 1 << support.len();
            } else {
                others += 1;
            }
            supports.insert(edge.node_id(), few.then_some(support));
        }
    }
    (bounded, others)
}
