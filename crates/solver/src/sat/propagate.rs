//! Propagation with two watched literals (Moskewicz et al., *Chaff*, DAC 2001), within the domain.

use super::arena::ClauseRef;
use super::{Lit, Sat, Truth, Watched};

impl Sat {
    /// Watches the first two literals of a clause.
    pub(super) fn attach(&mut self, clause: ClauseRef) {
        let (first, second) = (self.arena.literal(clause, 0), self.arena.literal(clause, 1));
        self.watches[first.index()].push(Watched { clause, other: second });
        self.watches[second.index()].push(Watched { clause, other: first });
    }

    pub(super) fn assign(&mut self, literal: Lit, reason: Option<ClauseRef>) {
        self.values[literal.index()] = Truth::True;
        self.values[(!literal).index()] = Truth::False;
        self.level[literal.var()] = u32::try_from(self.levels.len()).expect("fewer levels than variables");
        self.reason[literal.var()] = reason;
        self.trail.push(literal);
    }

    /// Whether a variable may be assigned now. At the first level everything is, because that stays.
    fn concerns(&self, literal: Lit) -> bool {
        !self.restricted || self.levels.is_empty() || self.domain[literal.var()] == self.question
    }

    /// Follows all consequences; returns a clause that is false, if there is one.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        while let Some(literal) = self.trail.get(self.propagated).copied() {
            self.propagated += 1;
            let falsified = !literal;
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            self.patience += 1 + list.len() as u64;
            let (mut read, mut kept, mut conflict) = (0, 0, None);
            while read < list.len() {
                let watched = list[read];
                read += 1;
                if self.truth(watched.other) == Truth::True {
                    list[kept] = watched;
                    kept += 1;
                    continue;
                }
                let clause = watched.clause;
                if self.arena.literal(clause, 0) == falsified {
                    self.arena.swap(clause, 0, 1);
                }
                let first = self.arena.literal(clause, 0);
                let now = Watched { clause, other: first };
                if self.truth(first) == Truth::True {
                    list[kept] = now;
                    kept += 1;
                    continue;
                }
                let values = &self.values;
                if let Some(at) = self.arena.find(clause, 2, |literal| values[literal.index()] != Truth::False) {
                    self.arena.swap(clause, 1, at);
                    let other = self.arena.literal(clause, 1);
                    self.watches[other.index()].push(now);
                    continue;
                }
                list[kept] = now;
                kept += 1;
                if self.truth(first) == Truth::False {
                    conflict = Some(clause);
                    break;
                }
                if self.concerns(first) {
                    self.assign(first, Some(clause));
                }
            }
            list.copy_within(read.., kept);
            list.truncate(kept + list.len() - read);
            self.watches[falsified.index()] = list;
            if conflict.is_some() {
                self.propagated = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Takes back all levels above one.
    pub(super) fn backtrack(&mut self, level: usize) {
        let Some(start) = self.levels.get(level).copied() else { return };
        for literal in self.trail.drain(start..).rev() {
            let var = literal.var();
            self.values[literal.index()] = Truth::Open;
            self.values[(!literal).index()] = Truth::Open;
            self.phase[var] = literal.0 & 1 == 0;
            if !self.restricted || self.domain[var] == self.question {
                self.heap.insert(var, &self.activity);
            }
        }
        self.levels.truncate(level);
        self.propagated = start;
    }
}
