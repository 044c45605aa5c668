//! The search for a contradiction, by a port of `MiniSat` 2.2 (Eén, Sörensson, SAT 2003), and
//! the log of what it learns and forgets.

use super::clauses::Clauses;
use crate::{StopSignal, Why};
use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;

/// How often the search, at each decision, looks at the stop signal.
const PATIENCE: u32 = 16;
/// How many lemmas a search may keep at least.
const LEMMAS: i32 = 8000;
/// The SAT solver reports the size of its clauses in a 32-bit number of bits: it must not have
/// more words of four bytes than this.
const AREA_WORDS: usize = (1 << 27) - (1 << 20);

/// What a search found.
pub(super) enum Found {
    /// The clauses can be true together.
    Model,
    /// They cannot.
    Contradiction(Log),
}

/// What happened to a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Learn,
    Forget,
}

/// The lemmas of a search, in the order in which they were learnt and forgotten.
#[derive(Debug, Default)]
pub(super) struct Log {
    literals: Vec<Lit>,
    events: Vec<(Event, usize)>,
}

impl Log {
    fn note(&mut self, event: Event, clause: &[Lit]) {
        self.literals.extend_from_slice(clause);
        self.events.push((event, self.literals.len()));
    }

    /// How many lemmas were learnt.
    pub(super) fn learnt(&self) -> usize {
        self.events.iter().filter(|(event, _)| *event == Event::Learn).count()
    }

    pub(super) fn events(&self) -> impl Iterator<Item = (Event, &[Lit])> {
        let starts = std::iter::once(0).chain(self.events.iter().map(|(_, end)| *end));
        self.events.iter().zip(starts).map(|((event, end), start)| (*event, &self.literals[start..*end]))
    }

    fn words(&self) -> usize {
        self.literals.len() + 4 * self.events.len()
    }
}

/// Writes the log, and watches over the search.
#[derive(Default)]
struct Watch {
    stop: StopSignal,
    log: Log,
    allowance: usize,
    asked: Cell<u32>,
    /// Once a reason to stop was seen it stays, or the search would go on.
    full: Cell<bool>,
    stopped: Cell<bool>,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.log.note(Event::Learn, clause);
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.log.note(Event::Forget, clause);
    }

    fn stop(&self) -> bool {
        let asked = self.asked.get();
        self.asked.set((asked + 1) % PATIENCE);
        if self.log.words() > self.allowance {
            self.full.set(true);
        } else if asked == 0 && self.stop.is_set() {
            self.stopped.set(true);
        }
        self.full.get() || self.stopped.get()
    }
}

/// Searches for a model of the clauses, with a log of at most so many words.
pub(super) fn search(clauses: &Clauses, stop: &StopSignal, words: usize) -> Result<Found, Why> {
    let size: usize = (0..clauses.len()).map(|index| 1 + clauses.get(index).len()).sum();
    let Some(room) = AREA_WORDS.checked_sub(size) else { return Err(Why::OutOfMemory) };
    let watch = Watch { stop: stop.clone(), allowance: words.min(room / 2), ..Watch::default() };
    let options = SolverOpts { min_learnts_lim: LEMMAS, ..SolverOpts::default() };
    let mut sat = batsat::Solver::new(options, watch);
    for _ in 0..clauses.vars() {
        sat.new_var_default();
    }
    let mut buffer = Vec::new();
    for index in 0..clauses.len() {
        buffer.clear();
        buffer.extend_from_slice(clauses.get(index));
        // Whether the clauses are already contradictory is asked below.
        sat.add_clause_reuse(&mut buffer);
    }
    let status = sat.solve_limited(&[]);
    if status == lbool::TRUE {
        Ok(Found::Model)
    } else if status == lbool::FALSE {
        Ok(Found::Contradiction(std::mem::take(&mut sat.cb_mut().log)))
    } else if sat.cb().full.get() {
        Err(Why::OutOfMemory)
    } else if sat.cb().stopped.get() {
        Err(Why::Interrupted)
    } else {
        Err(Why::GaveUp("the search ended without a result".to_owned()))
    }
}
