//! Renaming of bits, all at once.
//!
//! `oxidd` substitutes functions for variables and remembers the results, but each time it
//! prepares a table of all levels. For diagrams that are small against the number of bits,
//! which engines rename by the million, a walk over their nodes is faster.

use crate::manager::{Store, is_complement};
use crate::{Bdd, Bit, Manager, Result};
use oxidd::bcdd::BCDDFunction;
use oxidd::{
    BooleanFunction, Function, FunctionSubst, HasLevel, InnerNode, LevelNo, Manager as _, Node, NodeID, Subst,
    Substitution, VarNo,
};
use oxidd_core::function::EdgeOfFunc;
use oxidd_core::util::{AllocResult, Ref};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A diagram that is borrowed from a handle.
type Borrowed<'a, 'id> = Ref<'a, EdgeOfFunc<'id, BCDDFunction>>;

/// A diagram is small if it has at most one node for so many levels.
const LEVELS_PER_NODE: usize = 8;

/// Which bits to replace by which others, all at once.
#[derive(Clone)]
pub struct Renaming {
    substitution: Subst<BCDDFunction>,
    /// The same by bit.
    replacements: FxHashMap<VarNo, BCDDFunction>,
}

impl fmt::Debug for Renaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renaming").field("bits", &self.replacements.len()).finish_non_exhaustive()
    }
}

impl Manager {
    /// The renaming that replaces each first bit by its second, all at once: bits may change
    /// places. Make it once and use it often, since results are remembered by renaming.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    ///
    /// # Panics
    /// If a bit has two replacements.
    pub fn renaming(&self, pairs: &[(Bit, Bit)]) -> Result<Renaming> {
        self.check()?;
        let mut pairs = pairs.to_vec();
        pairs.sort_unstable();
        pairs.dedup();
        assert!(pairs.windows(2).all(|two| two[0].0 != two[1].0), "a bit has one replacement");
        pairs.retain(|(from, to)| from != to);
        let from: Vec<VarNo> = pairs.iter().map(|(from, _)| from.0).collect();
        let to: Vec<BCDDFunction> = pairs.iter().map(|(_, to)| self.bit(*to).0).collect();
        let replacements = from.iter().copied().zip(to.iter().cloned()).collect();
        Ok(Renaming { substitution: Subst::new(from, to), replacements })
    }

    /// `f` with its bits renamed.
    ///
    /// # Errors
    /// As for [`Manager::and`].
    pub fn rename(&self, f: &Bdd, by: &Renaming) -> Result<Bdd> {
        if by.replacements.is_empty() {
            return Ok(f.clone());
        }
        self.run(|store| {
            let root = f.0.as_edge(store);
            if let Some(nodes) = nodes_within(store, root, store.num_levels() as usize / LEVELS_PER_NODE) {
                return self.rename_small(store, root, nodes, by);
            }
            let substitution = &by.substitution;
            let edges = substitution.map(|(bit, to): (VarNo, &BCDDFunction)| (bit, to.as_edge(store)));
            Ok(BCDDFunction::from_edge(store, BCDDFunction::substitute_edge(store, root, edges)?))
        })
    }

    /// Renames from the lowest of the nodes upwards.
    fn rename_small<'id>(
        &self,
        store: &Store<'id>,
        root: Borrowed<'_, 'id>,
        mut nodes: Vec<(LevelNo, Borrowed<'_, 'id>)>,
        by: &Renaming,
    ) -> AllocResult<BCDDFunction> {
        nodes.sort_unstable_by_key(|(level, _)| std::cmp::Reverse(*level));
        let mut renamed: FxHashMap<NodeID, BCDDFunction> = FxHashMap::default();
        for (level, edge) in nodes {
            if let Node::Inner(node) = store.get_node(edge) {
                let (high, low) = (node.child(0), node.child(1));
                let (high, low) = (result(store, &renamed, high)?, result(store, &renamed, low)?);
                let bit = store.level_to_var(level);
                let own = || self.bit(Bit(bit)).0;
                let literal = by.replacements.get(&bit).cloned().unwrap_or_else(own);
                let (c, t, e) = (literal.as_edge(store), high.as_edge(store), low.as_edge(store));
                let made = BCDDFunction::ite_edge(store, c, t, e)?;
                renamed.insert(edge.node_id(), BCDDFunction::from_edge(store, made));
            }
        }
        result(store, &renamed, root)
    }
}

/// What became of an edge whose node was renamed, or is a constant.
fn result<'id>(
    store: &Store<'id>,
    renamed: &FxHashMap<NodeID, BCDDFunction>,
    edge: Borrowed<'_, 'id>,
) -> AllocResult<BCDDFunction> {
    match renamed.get(&edge.node_id()) {
        None => Ok(BCDDFunction::from_edge_ref(store, edge)),
        Some(function) if is_complement(edge.tag()) => {
            let complement = BCDDFunction::not_edge(store, function.as_edge(store))?;
            Ok(BCDDFunction::from_edge(store, complement))
        }
        Some(function) => Ok(function.clone()),
    }
}

/// The nodes of a diagram with their levels, unless they are more than `limit`.
fn nodes_within<'a, 'id>(
    store: &'a Store<'id>,
    root: Borrowed<'a, 'id>,
    limit: usize,
) -> Option<Vec<(LevelNo, Borrowed<'a, 'id>)>> {
    let mut seen: FxHashSet<NodeID> = FxHashSet::default();
    let mut nodes = Vec::new();
    let mut open = vec![root];
    while let Some(edge) = open.pop() {
        if let Node::Inner(node) = store.get_node(edge)
            && seen.insert(edge.node_id())
        {
            if nodes.len() == limit {
                return None;
            }
            nodes.push((node.level(), edge));
            open.extend(node.children());
        }
    }
    Some(nodes)
}
