//! Clauses, one after another in one vector of words: a header, for learnt ones the number of levels
//! that they speak about, then the literals.

use super::Lit;

/// Where a clause begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClauseRef(u32);

/// The bits of a header below the length.
const DELETED: u32 = 1;
const LENGTH: u32 = 1;

/// All clauses.
#[derive(Debug, Default)]
pub(super) struct Arena {
    words: Vec<u32>,
    wasted: usize,
}

impl Arena {
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    pub(super) fn add(&mut self, clause: &[Lit]) -> ClauseRef {
        let at = u32::try_from(self.words.len()).expect("the memory limit is below 2^32 words");
        let len = u32::try_from(clause.len()).expect("fewer than 2^30 literals");
        self.words.push(len << LENGTH);
        self.words.push(0);
        self.words.extend(clause.iter().map(|literal| literal.0));
        ClauseRef(at)
    }

    fn header(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize]
    }

    pub(super) fn len(&self, clause: ClauseRef) -> usize {
        (self.header(clause) >> LENGTH) as usize
    }

    pub(super) fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.header(clause) & DELETED != 0
    }

    pub(super) fn delete(&mut self, clause: ClauseRef) {
        if !self.is_deleted(clause) {
            self.wasted += 2 + self.len(clause);
            self.words[clause.0 as usize] |= DELETED;
        }
    }

    /// How many levels the clause spoke about when it was learnt.
    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1]
    }

    pub(super) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        self.words[clause.0 as usize + 1] = glue;
    }

    #[inline]
    pub(super) fn literal(&self, clause: ClauseRef, at: usize) -> Lit {
        Lit(self.words[clause.0 as usize + 2 + at])
    }

    #[inline]
    pub(super) fn swap(&mut self, clause: ClauseRef, a: usize, b: usize) {
        let start = clause.0 as usize + 2;
        self.words.swap(start + a, start + b);
    }

    /// The position from `from` on of the first literal that `fits`.
    #[inline]
    pub(super) fn find(&self, clause: ClauseRef, from: usize, fits: impl Fn(Lit) -> bool) -> Option<usize> {
        let start = clause.0 as usize + 2;
        let rest = &self.words[start + from..start + self.len(clause)];
        rest.iter().position(|word| fits(Lit(*word))).map(|at| at + from)
    }

    /// Whether a third of it is deleted.
    pub(super) fn is_wasteful(&self) -> bool {
        self.wasted > 1 << 14 && 3 * self.wasted > self.words.len()
    }

    /// Moves the clauses together over the deleted ones. The new places come from the function that is
    /// returned; deleted clauses have none.
    pub(super) fn compact(&mut self) -> impl Fn(ClauseRef) -> Option<ClauseRef> + use<> {
        let old = std::mem::take(&mut self.words);
        self.words.reserve(old.len() - self.wasted);
        let (mut moved, mut at) = (Vec::new(), 0);
        while at < old.len() {
            let len = 2 + (old[at] >> LENGTH) as usize;
            if old[at] & DELETED == 0 {
                moved.push((at, self.words.len()));
                self.words.extend_from_slice(&old[at..at + len]);
            }
            at += len;
        }
        self.wasted = 0;
        move |clause| {
            let found = moved.binary_search_by_key(&(clause.0 as usize), |(from, _)| *from).ok()?;
            u32::try_from(moved[found].1).ok().map(ClauseRef)
        }
    }
}
