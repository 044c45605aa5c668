//! The tree of abstract states: how each was reached, which cover others, which wait.

use super::Order;
use super::cover::Trie;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Path, State};
use tamis_ir::{ArcId, PointId};
use tamis_term::Term;

/// A node of the tree.
pub(super) type Id = usize;

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) state: State,
    /// The arc that leads to it.
    by: ArcId,
    pub(super) parent: Option<Id>,
    pub(super) children: Vec<Id>,
    pub(super) status: Status,
}

/// What is known about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// It was not looked at.
    Waiting,
    /// Its successors are there, and cover what this state leads to.
    Expanded,
    /// Its successors are there, but some are too coarse.
    Reopened,
    /// Another node covers it.
    Covered,
    /// It has a bad concrete state.
    Counterexample,
    /// It was cut away.
    Gone,
}

/// What tells states apart: their cut points and labels.
pub(super) type Key = (PointId, Term);

pub(super) fn key(state: &State) -> Key {
    (state.at, state.label)
}

#[derive(Clone, Debug)]
pub(super) struct Nodes {
    order: Order,
    all: Vec<Node>,
    pub(super) roots: Vec<Id>,
    /// Those to look at, by how urgent they are.
    queue: BTreeSet<(u64, u64, Id)>,
    places: BTreeMap<Id, (u64, u64)>,
    inserted: u64,
    /// The nodes that cover others, by cut points and literals.
    covering: BTreeMap<PointId, Trie>,
    covered: BTreeMap<Id, Vec<Id>>,
    by_state: FxHashMap<Key, Vec<Id>>,
    /// How far from a bad state a state was in earlier counterexamples.
    distances: FxHashMap<Key, u64>,
}

impl Nodes {
    pub(super) fn new(order: Order) -> Nodes {
        Nodes {
            order,
            all: Vec::new(),
            roots: Vec::new(),
            queue: BTreeSet::new(),
            places: BTreeMap::new(),
            inserted: 0,
            covering: BTreeMap::new(),
            covered: BTreeMap::new(),
            by_state: FxHashMap::default(),
            distances: FxHashMap::default(),
        }
    }

    /// Forgets the tree, but not the distances.
    pub(super) fn clear(&mut self) {
        let distances = std::mem::take(&mut self.distances);
        *self = Nodes { distances, ..Nodes::new(self.order) };
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.all[id]
    }

    pub(super) fn add(&mut self, state: State, by: ArcId, parent: Option<Id>) -> Id {
        let id = self.all.len();
        self.by_state.entry(key(&state)).or_default().push(id);
        self.all.push(Node { state, by, parent, children: Vec::new(), status: Status::Gone });
        match parent {
            Some(parent) => self.all[parent].children.push(id),
            None => self.roots.push(id),
        }
        self.wait(id, Status::Waiting);
        id
    }

    /// Puts a node among those to look at.
    fn wait(&mut self, id: Id, status: Status) {
        self.all[id].status = status;
        self.inserted += 1;
        let urgency = match self.order {
            Order::Depth => u64::MAX - self.inserted,
            Order::Breadth => self.inserted,
            Order::Distance => self.distances.get(&key(&self.all[id].state)).copied().unwrap_or(u64::MAX),
        };
        let place = (urgency, self.inserted);
        self.places.insert(id, place);
        self.queue.insert((place.0, place.1, id));
    }

    /// The next node to look at.
    pub(super) fn next(&mut self) -> Option<Id> {
        let (_, _, id) = self.queue.pop_first()?;
        self.places.remove(&id);
        Some(id)
    }

    pub(super) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Whether other nodes cover this one, case by case; then it is marked.
    pub(super) fn is_covered(&mut self, id: Id) -> bool {
        let state = &self.all[id].state;
        let found = self.covering.get(&state.at).and_then(|trie| trie.covering(state));
        let Some(found) = found.filter(|others| !others.contains(&id)) else { return false };
        self.all[id].status = Status::Covered;
        for by in found {
            self.covered.entry(by).or_default().push(id);
        }
        true
    }

    pub(super) fn counterexample(&mut self, id: Id) {
        self.all[id].status = Status::Counterexample;
    }

    /// Gives a node its successors; those that it has already stay with what is below them.
    pub(super) fn expand(&mut self, id: Id, states: Vec<(State, ArcId)>) {
        let mut states: BTreeMap<State, ArcId> = states.into_iter().collect();
        for child in self.all[id].children.clone() {
            if states.remove(&self.all[child].state).is_none() {
                self.cut(child);
            }
        }
        if self.all[id].status != Status::Reopened {
            let state = self.all[id].state.clone();
            self.covering.entry(state.at).or_default().insert(&state, id);
        }
        self.all[id].status = Status::Expanded;
        for (state, by) in states {
            self.add(state, by, Some(id));
        }
    }

    /// The way to a node, and on to an error.
    pub(super) fn path(&self, id: Id, error: ArcId) -> Path {
        let mut way: Vec<Id> = std::iter::successors(Some(id), |id| self.all[*id].parent).collect();
        way.reverse();
        let states = way.iter().map(|id| self.all[*id].state.clone()).collect();
        Path { states, arcs: way.iter().map(|id| self.all[*id].by).chain([error]).collect() }
    }

    /// Remembers how far from a bad state the states of a counterexample are.
    pub(super) fn learn(&mut self, path: &Path) {
        for (distance, state) in (0..).zip(path.states.iter().rev()) {
            let known = self.distances.entry(key(state)).or_insert(distance);
            *known = distance.min(*known);
        }
    }

    /// All nodes of a state that are still there.
    pub(super) fn with_state(&self, key: Key) -> Vec<Id> {
        let all = self.by_state.get(&key).into_iter().flatten().copied();
        all.filter(|id| self.all[*id].status != Status::Gone).collect()
    }

    /// Cuts away a node and all below it; what they covered waits again.
    fn cut(&mut self, id: Id) {
        let mut below = vec![id];
        let mut uncovered = Vec::new();
        while let Some(id) = below.pop() {
            let node = &mut self.all[id];
            if matches!(node.status, Status::Expanded | Status::Reopened) {
                let state = node.state.clone();
                self.covering.entry(state.at).or_default().remove(&state, id);
            }
            let node = &mut self.all[id];
            node.status = Status::Gone;
            below.append(&mut node.children);
            if let Some((urgency, number)) = self.places.remove(&id) {
                self.queue.remove(&(urgency, number, id));
            }
            uncovered.extend(self.covered.remove(&id).unwrap_or_default());
        }
        for id in uncovered {
            if self.all[id].status == Status::Covered {
                self.wait(id, Status::Waiting);
            }
        }
    }

    /// Cuts away a node that became too coarse; its parent is to be expanded again. Returns whether
    /// it is a root, whose replacements the initial states are.
    pub(super) fn prune(&mut self, id: Id) -> bool {
        if self.all[id].status == Status::Gone {
            return false;
        }
        let parent = self.all[id].parent;
        self.cut(id);
        match parent {
            None => {
                self.roots.retain(|root| *root != id);
                true
            }
            Some(parent) => {
                self.all[parent].children.retain(|child| *child != id);
                self.reopen(parent);
                false
            }
        }
    }

    fn reopen(&mut self, parent: Id) {
        if self.all[parent].status == Status::Expanded {
            self.wait(parent, Status::Reopened);
        }
    }

    /// Looks at a counterexample again that was not cut away.
    pub(super) fn reconsider(&mut self, id: Id) {
        if self.all[id].status == Status::Counterexample {
            self.wait(id, Status::Waiting);
        }
    }

    /// The states that cover everything.
    pub(super) fn expanded(&self) -> impl Iterator<Item = &State> {
        self.all.iter().filter(|node| node.status == Status::Expanded).map(|node| &node.state)
    }
}
