//! The audit: the SAT solver's contradictions, checked again by other code.
//!
//! Every clause that a search learns must follow from the clauses before it by unit
//! propagation alone, and so must the final conflict (Goldberg, Novikov, DATE 2003). Then a
//! contradiction rests on the axioms and on this file, whatever the search does.

use batsat::Lit;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// Where a clause begins in [`Audit::literals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Clause {
    start: usize,
    len: usize,
}

/// A clause to look at when a literal becomes false, unless `other`, one of its literals, is
/// true: then there is no need, and most often it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Watched {
    clause: usize,
    other: Lit,
}

/// Whether a set of clauses is contradictory once some literals are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Propagation {
    Conflict,
    Open,
}

/// Clauses that follow from the axioms, and what they fix.
#[derive(Debug, Default)]
pub(super) struct Audit {
    literals: Vec<Lit>,
    clauses: Vec<Clause>,
    /// By literal: the clauses to look at when it becomes false, which are those where it is
    /// one of the first two.
    watches: Vec<Vec<Watched>>,
    /// By literal: whether it is true.
    holds: Vec<bool>,
    /// The true literals in the order in which they became true.
    trail: Vec<Lit>,
    /// How many of the trail's literals have been propagated.
    done: usize,
    contradiction: bool,
    /// Lemmas by the hash of their literals, to delete them.
    lemmas: FxHashMap<u64, usize>,
    deleted: usize,
    /// Whether some lemma did not follow.
    failed: bool,
}

impl Audit {
    /// About how many words of four bytes it takes.
    pub(super) fn words(&self) -> usize {
        self.literals.len() + 10 * self.clauses.len()
    }

    /// Adds a clause that is true by definition.
    pub(super) fn axiom(&mut self, clause: &[Lit]) {
        self.add(clause);
    }

    /// Adds a clause that should follow.
    pub(super) fn lemma(&mut self, clause: &[Lit]) {
        if !self.follows(clause) {
            self.failed = true;
            return;
        }
        if let Some(index) = self.add(clause) {
            self.lemmas.insert(fingerprint(clause), index);
        }
    }

    /// Forgets a lemma. That is never wrong, at worst another will not be seen to follow.
    pub(super) fn delete(&mut self, clause: &[Lit]) {
        if let Some(index) = self.lemmas.remove(&fingerprint(clause)) {
            self.deleted += self.clauses[index].len;
            self.clauses[index].len = 0;
            if self.deleted > self.literals.len() / 2 {
                self.compact();
            }
        }
    }

    /// Whether the clause follows, and so did all that led to it.
    pub(super) fn confirms(&mut self, clause: &[Lit]) -> bool {
        !self.failed && self.follows(clause)
    }

    fn is_true(&self, literal: Lit) -> bool {
        self.holds[literal.idx() as usize]
    }

    /// Makes room for the literals of a clause.
    fn admit(&mut self, clause: &[Lit]) {
        let most = clause.iter().map(|literal| literal.idx() as usize | 1).max().unwrap_or(0);
        if most >= self.holds.len() {
            self.holds.resize(most + 1, false);
            self.watches.resize_with(most + 1, Vec::new);
        }
    }

    /// Stores a clause, unless what is fixed already makes it true; returns its number if it
    /// was stored.
    fn add(&mut self, clause: &[Lit]) -> Option<usize> {
        self.admit(clause);
        if self.contradiction || clause.iter().any(|literal| self.is_true(*literal)) {
            return None;
        }
        let mut rest: Vec<Lit> = clause.iter().copied().filter(|literal| !self.is_true(!*literal)).collect();
        rest.sort_unstable();
        rest.dedup();
        match rest.as_slice() {
            [] => self.contradiction = true,
            [only] => {
                self.assume(*only);
                self.contradiction = self.propagate() == Propagation::Conflict;
            }
            // Complements are neighbours: the clause says nothing.
            _ if rest.windows(2).any(|pair| pair[0] == !pair[1]) => {}
            [first, second, ..] => {
                let index = self.clauses.len();
                self.watches[first.idx() as usize].push(Watched { clause: index, other: *second });
                self.watches[second.idx() as usize].push(Watched { clause: index, other: *first });
                self.clauses.push(Clause { start: self.literals.len(), len: rest.len() });
                self.literals.extend(rest);
                return Some(index);
            }
        }
        None
    }

    /// Whether the clause's complement leads to a conflict by unit propagation.
    fn follows(&mut self, clause: &[Lit]) -> bool {
        self.admit(clause);
        let fixed = self.trail.len();
        let mut follows = self.contradiction;
        for literal in clause {
            if follows || self.is_true(*literal) {
                follows = true;
                break;
            }
            if !self.is_true(!*literal) {
                self.assume(!*literal);
            }
        }
        follows = follows || self.propagate() == Propagation::Conflict;
        for literal in self.trail.drain(fixed..) {
            self.holds[literal.idx() as usize] = false;
        }
        self.done = fixed;
        follows
    }

    fn assume(&mut self, literal: Lit) {
        self.holds[literal.idx() as usize] = true;
        self.trail.push(literal);
    }

    fn propagate(&mut self) -> Propagation {
        while let Some(literal) = self.trail.get(self.done).copied() {
            self.done += 1;
            let falsified = !literal;
            let mut list = std::mem::take(&mut self.watches[falsified.idx() as usize]);
            let mut state = Propagation::Open;
            list.retain(|watched| {
                if state == Propagation::Conflict || self.is_true(watched.other) {
                    return true;
                }
                let stays = !self.move_watch(watched.clause, falsified);
                if stays {
                    state = self.settle(watched.clause);
                }
                stays
            });
            self.watches[falsified.idx() as usize] = list;
            if state == Propagation::Conflict {
                return state;
            }
        }
        Propagation::Open
    }

    /// Puts the false literal second, and another that is not false in its place if there is
    /// one; then another list watches the clause. Deleted clauses leave the list as well.
    fn move_watch(&mut self, index: usize, falsified: Lit) -> bool {
        let Clause { start, len } = self.clauses[index];
        if len == 0 {
            return true;
        }
        if self.literals[start] == falsified {
            self.literals.swap(start, start + 1);
        }
        let first = self.literals[start];
        if self.is_true(first) {
            return false;
        }
        for k in start + 2..start + len {
            let candidate = self.literals[k];
            if !self.is_true(!candidate) {
                self.literals.swap(start + 1, k);
                self.watches[candidate.idx() as usize].push(Watched { clause: index, other: first });
                return true;
            }
        }
        false
    }

    /// All but the first literal are false, or the first is true.
    fn settle(&mut self, index: usize) -> Propagation {
        let first = self.literals[self.clauses[index].start];
        if self.is_true(!first) {
            return Propagation::Conflict;
        }
        if !self.is_true(first) {
            self.assume(first);
        }
        Propagation::Open
    }

    /// Moves the clauses together over the deleted ones.
    fn compact(&mut self) {
        let old = std::mem::take(&mut self.literals);
        for clause in &mut self.clauses {
            let start = self.literals.len();
            self.literals.extend_from_slice(&old[clause.start..clause.start + clause.len]);
            clause.start = start;
        }
        self.deleted = 0;
    }
}

/// A number that says which clause it is, whatever the order of its literals. If two clauses
/// share it, the wrong lemma is forgotten, which is not wrong.
fn fingerprint(clause: &[Lit]) -> u64 {
    let mut sorted = clause.to_vec();
    sorted.sort_unstable();
    FxBuildHasher.hash_one(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batsat::Var;

    /// Literals in the notation of DIMACS.
    fn clause(numbers: &[i32]) -> Vec<Lit> {
        let literal = |n: &i32| Lit::new(Var::unsafe_from_idx(n.unsigned_abs()), *n > 0);
        numbers.iter().map(literal).collect()
    }

    fn audit(axioms: &[&[i32]]) -> Audit {
        let mut audit = Audit::default();
        for axiom in axioms {
            audit.axiom(&clause(axiom));
        }
        audit
    }

    #[test]
    fn nothing_follows_from_nothing() {
        assert!(!audit(&[]).confirms(&[]));
        assert!(!audit(&[]).confirms(&clause(&[1])));
        assert!(audit(&[]).confirms(&clause(&[1, -1])), "but what is always true");
    }

    #[test]
    fn a_chain_of_implications_is_followed() {
        let mut audit = audit(&[&[-1, 2], &[-2, 3], &[-3, -4, 5]]);
        assert!(audit.confirms(&clause(&[-1, 3])));
        assert!(audit.confirms(&clause(&[-1, -4, 5])));
        assert!(!audit.confirms(&clause(&[-1, 5])));
        assert!(!audit.confirms(&[]));
    }

    #[test]
    fn a_contradiction_needs_its_lemma() {
        // All four clauses over two variables: contradictory, but not by propagation.
        let mut audit = audit(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
        assert!(!audit.confirms(&[]));
        audit.lemma(&clause(&[1]));
        assert!(audit.confirms(&[]));
    }

    #[test]
    fn one_wrong_lemma_spoils_everything() {
        let mut audit = audit(&[&[1, 2], &[1, -2], &[-1, 2, 3], &[-1, -2, 3]]);
        audit.lemma(&clause(&[-3]));
        audit.lemma(&clause(&[1]));
        assert!(!audit.confirms(&clause(&[3])), "although it follows");
    }

    #[test]
    fn forgetting_lemmas_is_safe() {
        let mut audit = audit(&[&[1, 2, -4, -5], &[1, -2, -4, -5], &[6, 7, 1]]);
        audit.lemma(&clause(&[-5, 1, -4, 2]));
        audit.lemma(&clause(&[1, -4, -5]));
        assert!(audit.confirms(&clause(&[1, -4, -5])));
        audit.delete(&clause(&[-4, 1, -5]));
        assert!(audit.confirms(&clause(&[1, -4, -5])), "it still follows from the axioms");
        audit.delete(&clause(&[1, 2, -4, -5]));
        assert!(audit.confirms(&clause(&[1, -4, -5])), "axioms are never deleted");
        assert!(!audit.confirms(&clause(&[1, -4])));
    }

    #[test]
    fn units_last() {
        let mut audit = audit(&[&[1], &[-1, 2], &[-2, 3, 4]]);
        assert!(audit.confirms(&clause(&[2])));
        assert!(!audit.confirms(&clause(&[3])));
        audit.axiom(&clause(&[-4]));
        assert!(audit.confirms(&clause(&[3])));
        audit.axiom(&clause(&[-3]));
        assert!(audit.confirms(&[]));
    }
}
