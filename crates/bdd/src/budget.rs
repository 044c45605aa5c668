//! The budget: how many nodes there may be, and what running out means.

use std::fmt;

/// What a node costs at most: 16 bytes in an array that is reserved at once but touched as it
/// fills; then a hash table for each bit, of 8 bytes a slot, which doubles when three quarters
/// are in use, the old and the new one at the same time.
const NODE_BYTES: u64 = 48;
/// What a remembered result costs.
const ENTRY_BYTES: u64 = 20;
/// For so many bytes of the budget one result is remembered.
const BYTES_PER_ENTRY: u64 = 1 << 12;
/// The budget where there is no limit.
const DEFAULT_BYTES: u64 = 2 << 30;

/// How much a manager may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The most nodes at a time, dead ones that were not collected yet included.
    pub nodes: usize,
    /// How many results of operations are remembered; rounded up to a power of two. They take
    /// memory, and time to set up, from the beginning.
    pub cache: usize,
}

impl Config {
    /// What fits into so many bytes, or the default. A new manager takes a third of them as
    /// address space, and a two-hundredth as memory.
    #[must_use]
    pub fn for_memory(bytes: Option<u64>) -> Config {
        let bytes = bytes.unwrap_or(DEFAULT_BYTES);
        let cache = 1 << (bytes / BYTES_PER_ENTRY).clamp(1 << 14, 1 << 22).ilog2();
        let nodes = bytes.saturating_sub(cache * ENTRY_BYTES) / NODE_BYTES;
        let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
        Config { nodes: size(nodes.clamp(1 << 16, 1 << 31)), cache: size(cache) }
    }
}

impl Default for Config {
    /// What fits into two gibibytes: forty million nodes.
    fn default() -> Config {
        Config::for_memory(None)
    }
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// No node is left.
    Nodes,
    /// The stop signal was set.
    Stopped,
}

/// The result of an operation on diagrams.
pub type Result<T> = std::result::Result<T, Full>;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Full::Nodes => "the decision diagrams have no node left",
            Full::Stopped => "interrupted",
        })
    }
}

impl std::error::Error for Full {}
