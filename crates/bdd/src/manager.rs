//! The manager: all diagrams over one set of bits, within a budget.
//!
//! The nodes live in `oxidd`, which frees none in the middle of an operation. So between two
//! operations the manager collects what no handle reaches, once there are twice as many nodes
//! as the last collection left; and an operation that finds no node is tried once more after
//! a collection before it fails.

use crate::apply::{Apply, Owned, Store};
use crate::{Config, Full, Result};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::{BooleanFunction, Function, Manager as _, ManagerRef, VarNo};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;
use tamis_term::StopSignal;

/// Fewer nodes than this are collected only when none are left.
const FIRST_COLLECTION: usize = 1 << 20;
/// How many operations may pass between two looks at the stop signal.
const PATIENCE: u32 = 64;
/// How long to wait for nodes that another thread of `oxidd` has just collected.
const PAUSE: Duration = Duration::from_millis(1);

/// All diagrams over one set of bits. Several threads may use it, but it is fastest with one.
pub struct Manager {
    pub(crate) store: BCDDManagerRef,
    pub(crate) capacity: usize,
    stop: StopSignal,
    /// The diagram of each bit, so that asking for it never fails.
    pub(crate) literals: RwLock<Vec<Bdd>>,
    /// A bit found no node: from then on nothing succeeds.
    broken: AtomicBool,
    /// How many operations began since the last look at the stop signal.
    steps: AtomicU32,
    /// How many renamings were made.
    pub(crate) renamings: AtomicU32,
    peak: AtomicUsize,
    /// How many nodes make a collection due.
    due: AtomicUsize,
}

/// A Boolean function of the bits: a handle, which keeps the diagram alive.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(pub(crate) BCDDFunction);

/// A variable of the diagrams.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Bit(pub(crate) VarNo);

impl Bit {
    /// Its number: bits are numbered from zero as they are added.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Handles are opaque, and large diagrams take long to print.
impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bdd(..)")
    }
}

impl fmt::Debug for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut manager = f.debug_struct("Manager");
        manager.field("capacity", &self.capacity).field("nodes", &self.nodes()).finish_non_exhaustive()
    }
}

impl Manager {
    /// A manager without bits, whose operations give up when `stop` is set.
    ///
    /// # Panics
    /// If the system refuses two threads, which `oxidd` wants, or the memory.
    #[must_use]
    pub fn new(config: &Config, stop: StopSignal) -> Manager {
        Manager {
            store: new_manager(config.nodes, config.cache, 1),
            capacity: config.nodes,
            stop,
            literals: RwLock::new(Vec::new()),
            broken: AtomicBool::new(false),
            steps: AtomicU32::new(PATIENCE),
            renamings: AtomicU32::new(0),
            peak: AtomicUsize::new(0),
            due: AtomicUsize::new(due(config.nodes, 0)),
        }
    }

    /// What tells the operations to stop.
    pub(crate) fn stop(&self) -> &StopSignal {
        &self.stop
    }

    /// Adds so many bits, below all others in the order. If no node is left for them, every
    /// later operation fails with [`Full::Nodes`].
    ///
    /// # Panics
    /// If there are 2^32 bits.
    pub fn add_bits(&self, count: usize) -> Vec<Bit> {
        let additional = VarNo::try_from(count).expect("fewer than 2^32 bits");
        let bits = self.store.with_manager_exclusive(|store| store.add_vars(additional));
        let bits: Vec<Bit> = bits.map(Bit).collect();
        self.add_literals(&bits);
        bits
    }

    /// Makes the diagrams of the bits, which follow those that have one.
    pub(crate) fn add_literals(&self, bits: &[Bit]) {
        let literal = |bit: &Bit| {
            let variable = self.attempt(|apply| BCDDFunction::var_edge(apply.store, bit.0).map_err(|_| Full::Nodes));
            variable.unwrap_or_else(|_| {
                self.broken.store(true, Relaxed);
                self.constant(false)
            })
        };
        let literals: Vec<Bdd> = bits.iter().map(literal).collect();
        self.literals.write().unwrap_or_else(PoisonError::into_inner).extend(literals);
    }

    /// A constant function.
    pub fn constant(&self, value: bool) -> Bdd {
        let make = if value { BCDDFunction::t } else { BCDDFunction::f };
        Bdd(self.store.with_manager_shared(make))
    }

    /// The function that is true where the bit is.
    ///
    /// # Panics
    /// If there is no such bit.
    pub fn bit(&self, bit: Bit) -> Bdd {
        self.literals.read().unwrap_or_else(PoisonError::into_inner)[bit.index()].clone()
    }

    /// How many nodes there are, dead ones that were not collected yet included.
    pub fn nodes(&self) -> usize {
        self.store.with_manager_shared(|store| store.num_inner_nodes())
    }

    /// The most nodes that were seen between two operations.
    pub fn peak(&self) -> usize {
        self.peak.load(Relaxed).min(self.capacity).max(self.nodes())
    }

    /// Frees all nodes that no handle reaches. Rarely needed: operations do that when it is
    /// time.
    pub fn collect(&self) {
        self.store.with_manager_shared(|store| store.gc());
        self.due.store(due(self.capacity, self.nodes()), Relaxed);
    }

    /// Whether the next operation may begin.
    pub(crate) fn check(&self) -> Result<()> {
        if self.broken.load(Relaxed) {
            return Err(Full::Nodes);
        }
        if self.steps.fetch_add(1, Relaxed) >= PATIENCE {
            // Once the signal is set, every later operation looks again.
            if self.stop.is_set() {
                return Err(Full::Stopped);
            }
            self.steps.store(0, Relaxed);
        }
        Ok(())
    }

    /// Runs an operation, within the budget.
    pub(crate) fn run<Op>(&self, operation: Op) -> Result<Bdd>
    where
        Op: for<'s, 'id> Fn(&Apply<'s, 'id>) -> Result<Owned<'id>>,
    {
        self.check()?;
        self.attempt(operation)
    }

    /// Tries an operation, again after a collection if there is no node for it.
    fn attempt<Op>(&self, operation: Op) -> Result<Bdd>
    where
        Op: for<'s, 'id> Fn(&Apply<'s, 'id>) -> Result<Owned<'id>>,
    {
        let attempt = |store: &Store<'_>| {
            let edge = operation(&Apply::new(store, &self.stop))?;
            Ok(Bdd(BCDDFunction::from_edge(store, edge)))
        };
        let first = self.store.with_manager_shared(|store| {
            self.collect_if_due(store);
            attempt(store)
        });
        match first {
            Err(Full::Nodes) => {
                self.make_room();
                let second = self.store.with_manager_shared(attempt);
                if second.is_err() {
                    // What it left behind is of no use.
                    self.collect();
                }
                second
            }
            Ok(_) | Err(Full::Stopped) => first,
        }
    }

    /// Collects whatever there is to collect.
    #[cold]
    fn make_room(&self) {
        // Near its capacity `oxidd` collects in a thread of its own. Wait until that is done
        // and what it found is there for all.
        self.store.with_manager_exclusive(|_| ());
        std::thread::sleep(PAUSE);
        self.collect();
    }

    /// Collects if that is due.
    fn collect_if_due(&self, store: &Store<'_>) {
        // Approximate since `oxidd` counts a node even if there is none left for it.
        let nodes = store.approx_num_inner_nodes();
        self.peak.fetch_max(nodes, Relaxed);
        if nodes >= self.due.load(Relaxed) {
            let dead = store.gc();
            self.due.store(due(self.capacity, nodes.saturating_sub(dead)), Relaxed);
        }
    }
}

/// How many nodes make the next collection due when the last one left `live`: twice as many.
/// If that is more than there can be, half of what is left.
fn due(capacity: usize, live: usize) -> usize {
    let twice = FIRST_COLLECTION.max(live.saturating_mul(2));
    if twice < capacity { twice } else { live + (capacity.saturating_sub(live) / 2).max(capacity / 64) }
}
