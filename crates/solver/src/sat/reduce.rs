//! What is forgotten: the clause of the last question with its consequences, and now and then half of
//! what was learnt, by the number of levels that it speaks about (Audemard, Simon, IJCAI 2009).

use super::arena::ClauseRef;
use super::{Sat, Truth};

/// Clauses about so few levels stay.
const GLUE: u32 = 2;
/// How many more clauses may be kept each time.
const MORE: usize = 500;

impl Sat {
    /// Forgets the clause of the last question, and all that was learnt from it.
    pub(super) fn forget_temporary(&mut self) {
        for clause in std::mem::take(&mut self.temporary) {
            self.detach(clause);
            self.arena.delete(clause);
        }
    }

    fn detach(&mut self, clause: ClauseRef) {
        for at in 0..2 {
            let list = &mut self.watches[self.arena.literal(clause, at).index()];
            if let Some(position) = list.iter().position(|watched| watched.clause == clause) {
                list.swap_remove(position);
            }
        }
    }

    /// Whether a clause is the reason of an assignment.
    fn is_locked(&self, clause: ClauseRef) -> bool {
        let first = self.arena.literal(clause, 0);
        self.truth(first) == Truth::True && self.reason[first.var()] == Some(clause)
    }

    /// Forgets the worse half of what was learnt.
    pub(super) fn reduce(&mut self) {
        let mut learnt = std::mem::take(&mut self.learnt);
        // Of equally good ones the latest stay.
        learnt.reverse();
        learnt.sort_by_key(|clause| self.arena.glue(*clause));
        let half = learnt.len() / 2;
        for clause in learnt.drain(half..).collect::<Vec<_>>() {
            if self.arena.glue(clause) <= GLUE || self.is_locked(clause) {
                learnt.push(clause);
            } else {
                self.arena.delete(clause);
            }
        }
        let arena = &self.arena;
        for list in &mut self.watches {
            list.retain(|watched| !arena.is_deleted(watched.clause));
        }
        self.learnt = learnt;
        self.room += MORE;
        self.room = self.room.max(self.learnt.len() + MORE);
    }

    /// Takes the room of deleted clauses back. Only where nothing is assumed.
    pub(super) fn collect(&mut self) {
        // What is fixed for good needs no reason.
        for literal in &self.trail {
            self.reason[literal.var()] = None;
        }
        let moved = self.arena.compact();
        for list in &mut self.watches {
            list.retain_mut(|watched| match moved(watched.clause) {
                Some(clause) => {
                    watched.clause = clause;
                    true
                }
                None => false,
            });
        }
        self.learnt = self.learnt.iter().filter_map(|clause| moved(*clause)).collect();
        self.temporary = self.temporary.iter().filter_map(|clause| moved(*clause)).collect();
    }
}
