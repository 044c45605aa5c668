//! Path edges and procedure entries, each stored once.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use tamis_ir::{Loc, ProcId};

/// An entry of a procedure: the input with which it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntryId(u32);

/// A path edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PathId(u32);

/// More path edges than this cannot be numbered.
pub(super) const MAX_PATHS: u64 = u32::MAX as u64;

/// A path edge: from an entry of its procedure to a state at a location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub entry: EntryId,
    pub loc: Loc,
    /// The number of steps since the entry.
    pub length: u64,
    /// How it was reached first.
    pub how: How,
    /// Whether its length is final.
    pub done: bool,
    words: Stretch,
}

/// How a path edge was reached. Edges are named by their position in their procedure.
#[derive(Clone, Copy, Debug)]
pub(super) enum How {
    /// It starts at the entry.
    Start,
    /// By an edge behind another path edge.
    Edge { from: PathId, edge: u32 },
    /// By the return of a call made at `caller`; the callee ended at `exit`.
    Return { caller: PathId, edge: u32, exit: PathId },
}

/// What is known about an entry.
#[derive(Debug)]
pub(super) struct Entry {
    pub proc: ProcId,
    /// The length of the shortest run of the program that makes this call; 0 if the program
    /// starts here.
    pub length: u64,
    /// The calls that wait for it (path edge and edge); the first is on the shortest run.
    pub callers: Vec<(PathId, u32)>,
    /// Its summaries: path edges at the procedure's exit.
    pub exits: Vec<PathId>,
    words: Stretch,
}

/// All path edges and entries.
pub(super) struct Table {
    paths: Vec<Path>,
    entries: Vec<Entry>,
    path_index: HashTable<u32>,
    entry_index: HashTable<u32>,
    /// The packed states, back to back.
    words: Vec<u64>,
}

/// Some words of the table.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: u64,
    size: u8,
}

impl Stretch {
    fn of(self, words: &[u64]) -> &[u64] {
        let start = usize::try_from(self.start).expect("the words are in memory");
        &words[start..start + usize::from(self.size)]
    }
}

fn hash(place: u64, words: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    (place, words).hash(&mut hasher);
    hasher.finish()
}

/// One number for an entry and a location, to hash.
fn place(entry: EntryId, loc: Loc) -> u64 {
    u64::from(entry.0) << 32 | loc.index() as u64
}

impl Table {
    pub fn new() -> Table {
        Table {
            paths: Vec::new(),
            entries: Vec::new(),
            path_index: HashTable::new(),
            entry_index: HashTable::new(),
            words: Vec::new(),
        }
    }

    /// How many path edges there are.
    pub fn len(&self) -> u64 {
        self.paths.len() as u64
    }

    pub fn path(&self, id: PathId) -> &Path {
        &self.paths[id.0 as usize]
    }

    pub fn path_mut(&mut self, id: PathId) -> &mut Path {
        &mut self.paths[id.0 as usize]
    }

    pub fn paths(&self) -> impl Iterator<Item = PathId> + use<> {
        (0..u32::try_from(self.paths.len()).expect("numbered by 32 bits")).map(PathId)
    }

    pub fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    pub fn entry_mut(&mut self, id: EntryId) -> &mut Entry {
        &mut self.entries[id.0 as usize]
    }

    /// The length of the shortest run of the program that a path edge stands for. Calls double it
    /// easily: numbers that are too large are all the same.
    pub fn length(&self, id: PathId) -> u64 {
        let path = self.path(id);
        self.entry(path.entry).length.saturating_add(path.length)
    }

    /// The packed state of a path edge.
    pub fn state(&self, id: PathId) -> &[u64] {
        self.path(id).words.of(&self.words)
    }

    /// The packed input of an entry.
    pub fn input(&self, id: EntryId) -> &[u64] {
        self.entry(id).words.of(&self.words)
    }

    /// Lets `fill` write words behind all others.
    fn append(&mut self, fill: impl FnOnce(&mut Vec<u64>)) -> Stretch {
        let start = self.words.len();
        fill(&mut self.words);
        let size = u8::try_from(self.words.len() - start).expect("the layout bounds the size of a state");
        Stretch { start: start as u64, size }
    }

    fn drop_last(&mut self, last: Stretch) {
        self.words.truncate(usize::try_from(last.start).expect("the words are in memory"));
    }

    /// The entry of `proc` whose packed input `fill` writes. Returns whether it is new.
    pub fn enter(&mut self, proc: ProcId, length: u64, fill: impl FnOnce(&mut Vec<u64>)) -> (EntryId, bool) {
        let fresh = self.append(fill);
        let (words, entries) = (&self.words, &self.entries);
        let key = |id: u32| (entries[id as usize].proc, entries[id as usize].words.of(words));
        let code = hash(proc.index() as u64, fresh.of(words));
        if let Some(found) = self.entry_index.find(code, |id| key(*id) == (proc, fresh.of(words))) {
            let found = EntryId(*found);
            self.drop_last(fresh);
            return (found, false);
        }
        let id = u32::try_from(entries.len()).expect("an entry has a path edge, and those are numbered");
        self.entry_index.insert_unique(code, id, |other| hash(key(*other).0.index() as u64, key(*other).1));
        self.entries.push(Entry { proc, length, callers: Vec::new(), exits: Vec::new(), words: fresh });
        (EntryId(id), true)
    }

    /// The path edge from `entry` to the state at `loc` whose packed values `fill` writes.
    /// Returns whether it is new or now has a shorter length: then it must be queued.
    pub fn reach(
        &mut self,
        entry: EntryId,
        loc: Loc,
        length: u64,
        how: How,
        fill: impl FnOnce(&mut Vec<u64>),
    ) -> Option<PathId> {
        let fresh = self.append(fill);
        let (words, paths) = (&self.words, &self.paths);
        let key = |id: u32| {
            let path = &paths[id as usize];
            (place(path.entry, path.loc), path.words.of(words))
        };
        let mine = (place(entry, loc), fresh.of(words));
        let code = hash(mine.0, mine.1);
        if let Some(found) = self.path_index.find(code, |id| key(*id) == mine) {
            let found = PathId(*found);
            self.drop_last(fresh);
            let path = self.path_mut(found);
            if path.done || path.length <= length {
                return None;
            }
            (path.length, path.how) = (length, how);
            return Some(found);
        }
        let id = u32::try_from(paths.len()).expect("the search stops before the numbers run out");
        self.path_index.insert_unique(code, id, |other| hash(key(*other).0, key(*other).1));
        self.paths.push(Path { entry, loc, length, how, done: false, words: fresh });
        Some(PathId(id))
    }
}
