//! What a conflict teaches: the clause of the first unique implication point (Zhang, Madigan,
//! Moskewicz, Malik, ICCAD 2001), without the literals that the others imply (Sörensson, Biere, SAT
//! 2009).

use super::arena::ClauseRef;
use super::{Lit, Pace, Sat, Truth};

/// How much more the next conflict counts.
const DECAY: f64 = 1.0 / 0.95;
/// When activities are scaled down.
const LARGE: f64 = 1e100;

/// The span of the fast and of the slow average.
const SPANS: (u32, u32) = (32, 4096);

impl Pace {
    fn learnt(&mut self, glue: u32) {
        let (fast, slow) = SPANS;
        self.since += 1;
        self.seen = (self.seen + 1).min(slow);
        self.fast += (f64::from(glue) - self.fast) / f64::from(self.seen.min(fast));
        self.slow += (f64::from(glue) - self.slow) / f64::from(self.seen);
    }
}

impl Sat {
    /// Learns from a clause that is false, and goes back to where the new clause says something.
    pub(super) fn learn(&mut self, conflict: ClauseRef) {
        let mut clause = self.first_point(conflict);
        let marked = clause.clone();
        let mut also = Vec::new();
        let kept: Vec<Lit> =
            clause[1..].iter().copied().filter(|literal| !self.is_implied(*literal, &mut also)).collect();
        clause.truncate(1);
        clause.extend(kept);
        for literal in marked.into_iter().chain(also) {
            self.seen[literal.var()] = false;
        }
        // The second literal is of the level to go back to.
        let mut back = 0;
        if clause.len() > 1 {
            let latest = (1..clause.len()).max_by_key(|at| self.level[clause[*at].var()]).unwrap_or(1);
            clause.swap(1, latest);
            back = self.level[clause[1].var()] as usize;
        }
        let glue = self.glue(&clause);
        self.pace.learnt(glue);
        self.backtrack(back);
        if let [unit] = clause[..] {
            self.assign(unit, None);
        } else {
            let reference = self.arena.add(&clause);
            self.arena.set_glue(reference, glue);
            self.attach(reference);
            if self.switch.is_some_and(|switch| clause.contains(&!switch)) {
                self.temporary.push(reference);
            } else {
                self.learnt.push(reference);
            }
            self.assign(clause[0], Some(reference));
        }
        self.bump *= DECAY;
    }

    /// The clause whose first literal is the only one of the present level.
    fn first_point(&mut self, conflict: ClauseRef) -> Vec<Lit> {
        let present = self.levels.len();
        let mut clause = Vec::new();
        let (mut open, mut at, mut reason) = (0_usize, self.trail.len(), Some(conflict));
        let mut last: Option<Lit> = None;
        loop {
            if let Some(reason) = reason {
                for position in 0..self.arena.len(reason) {
                    let literal = self.arena.literal(reason, position);
                    let var = literal.var();
                    if Some(literal) == last || self.seen[var] || self.level[var] == 0 {
                        continue;
                    }
                    self.seen[var] = true;
                    self.raise(var);
                    if self.level[var] as usize == present {
                        open += 1;
                    } else {
                        clause.push(literal);
                    }
                }
            }
            // The latest marked literal on the trail.
            at = self.trail[..at].iter().rposition(|literal| self.seen[literal.var()]).expect("one of them is marked");
            let literal = self.trail[at];
            open -= 1;
            if open == 0 {
                clause.insert(0, !literal);
                return clause;
            }
            self.seen[literal.var()] = false;
            (last, reason) = (Some(literal), self.reason[literal.var()]);
        }
    }

    fn raise(&mut self, var: usize) {
        self.activity[var] += self.bump;
        if self.activity[var] > LARGE {
            for activity in &mut self.activity {
                *activity /= LARGE;
            }
            self.bump /= LARGE;
        }
        self.heap.rises(var, &self.activity);
    }

    /// Whether a literal of the new clause follows from others. What was found to follow is marked on
    /// the way, and listed in `also`.
    fn is_implied(&mut self, literal: Lit, also: &mut Vec<Lit>) -> bool {
        let Some(reason) = self.reason[literal.var()] else { return false };
        let mut open = vec![(reason, literal)];
        let before = also.len();
        while let Some((reason, of)) = open.pop() {
            for position in 0..self.arena.len(reason) {
                let other = self.arena.literal(reason, position);
                let var = other.var();
                if var == of.var() || self.seen[var] || self.level[var] == 0 {
                    continue;
                }
                let Some(next) = self.reason[var] else {
                    for marked in also.drain(before..) {
                        self.seen[marked.var()] = false;
                    }
                    return false;
                };
                self.seen[var] = true;
                also.push(other);
                open.push((next, other));
            }
        }
        true
    }

    /// How many levels a clause speaks about.
    fn glue(&mut self, clause: &[Lit]) -> u32 {
        // Levels without a decision count, too, so there may be more than variables.
        self.level_stamp.resize(self.level_stamp.len().max(self.levels.len() + 1), 0);
        self.stamp += 1;
        let mut count = 0;
        for literal in clause {
            let level = self.level[literal.var()] as usize;
            if self.level_stamp[level] != self.stamp {
                self.level_stamp[level] = self.stamp;
                count += 1;
            }
        }
        count
    }

    /// Which assumptions make this one false.
    pub(super) fn explain(&mut self, assumption: Lit) {
        debug_assert!(self.truth(assumption) == Truth::False, "it was refuted");
        self.core = vec![assumption];
        if self.level[assumption.var()] == 0 {
            return;
        }
        self.seen[assumption.var()] = true;
        let start = self.levels.first().copied().unwrap_or(self.trail.len());
        for at in (start..self.trail.len()).rev() {
            let literal = self.trail[at];
            if !std::mem::take(&mut self.seen[literal.var()]) {
                continue;
            }
            match self.reason[literal.var()] {
                // A decision below the last assumption is an assumption.
                None => self.core.push(literal),
                Some(reason) => {
                    for position in 0..self.arena.len(reason) {
                        let var = self.arena.literal(reason, position).var();
                        if var != literal.var() && self.level[var] > 0 {
                            self.seen[var] = true;
                        }
                    }
                }
            }
        }
    }
}
