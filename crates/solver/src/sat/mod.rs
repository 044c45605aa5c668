//! A SAT solver for many small questions about one circuit, as IC3 and bounded search ask them.
//!
//! Conflict-driven clause learning as in `MiniSat` (Eén, Sörensson, SAT 2003) and Glucose (Audemard,
//! Simon, IJCAI 2009), with two things that such questions want and general solvers lack (Su et al.,
//! *Deeply Optimizing the SAT Solver for the IC3 Algorithm*, CAV 2025):
//!
//! - **A domain.** A question about a few signals concerns the gates that they depend on. Only
//!   variables of the domain are decided and, above the first level, propagated. Whoever asks
//!   promises that every assignment to the domain that violates no clause within can be extended to
//!   the others, as it is where these are gates that the domain does not read.
//! - **A clause for one question**, forgotten with all that was learnt from it.
//!
//! Files in order of reading: `arena` (clauses), `heap` (which variable is next), `propagate`,
//! `analyse` (what a conflict teaches), `reduce` (what is forgotten), this file (questions).
//!
//! Nothing rests on it but time: proofs are checked with an audited solver, and traces are replayed.

mod analyse;
mod arena;
mod heap;
mod propagate;
mod reduce;
#[cfg(test)]
mod tests;

use crate::{StopSignal, Why};
use arena::{Arena, ClauseRef};
use heap::Heap;
use std::ops::Not;

/// A variable or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }

    /// The complement if `flip`, else the literal itself.
    #[must_use]
    pub fn flip_if(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }

    /// The number of its variable: they are numbered from zero in the order of their making.
    #[must_use]
    pub fn number(self) -> usize {
        self.var()
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What is known about a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Open,
    True,
    False,
}

/// A clause that becomes unit or false only when the watched literal does; none of that while `other`
/// is true.
#[derive(Clone, Copy, Debug)]
struct Watched {
    clause: ClauseRef,
    other: Lit,
}

/// How a conflict restarts the search: averages of how many levels learnt clauses speak about.
#[derive(Debug, Default)]
struct Pace {
    fast: f64,
    slow: f64,
    /// How many conflicts since the last restart, and in all, up to where the slow average is one.
    since: u32,
    seen: u32,
}

/// Clauses, and the search in them.
#[derive(Debug)]
pub struct Sat {
    arena: Arena,
    learnt: Vec<ClauseRef>,
    /// By literal: the clauses that watch it, to be looked at when it becomes false.
    watches: Vec<Vec<Watched>>,
    /// By literal.
    values: Vec<Truth>,
    /// By variable.
    level: Vec<u32>,
    reason: Vec<Option<ClauseRef>>,
    activity: Vec<f64>,
    phase: Vec<bool>,
    trail: Vec<Lit>,
    /// Where each level begins on the trail.
    levels: Vec<usize>,
    propagated: usize,
    heap: Heap,
    bump: f64,
    /// By variable: the last question to whose domain it belonged.
    domain: Vec<u32>,
    question: u32,
    restricted: bool,
    /// By variable: marks of the analysis.
    seen: Vec<bool>,
    /// By level: the last conflict whose clause speaks about it.
    level_stamp: Vec<u32>,
    stamp: u32,
    /// The literal that switches the clause of one question on, and what was learnt under it.
    switch: Option<Lit>,
    temporary: Vec<ClauseRef>,
    core: Vec<Lit>,
    contradiction: bool,
    conflicts: u64,
    /// How many conflicts a question may take, and at which number the present one has.
    allowed: Option<u64>,
    last: Option<u64>,
    pace: Pace,
    room: usize,
    stop: StopSignal,
    patience: u64,
    memory: usize,
}

/// How much is propagated between two looks at the stop signal: about a millisecond.
const PATIENCE: u64 = 20_000;
/// How many learnt clauses are kept before some are forgotten.
const ROOM: usize = 3000;
/// After how many conflicts the search may start again.
const RESTART: u32 = 50;

impl Sat {
    /// No variables, no clauses. It gives up when `stop` is set or clauses take more than so many bytes.
    #[must_use]
    pub fn new(stop: StopSignal, memory: usize) -> Sat {
        Sat {
            arena: Arena::default(),
            learnt: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            activity: Vec::new(),
            phase: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            heap: Heap::default(),
            bump: 1.0,
            domain: Vec::new(),
            question: 0,
            restricted: false,
            seen: Vec::new(),
            level_stamp: vec![0],
            stamp: 0,
            switch: None,
            temporary: Vec::new(),
            core: Vec::new(),
            contradiction: false,
            conflicts: 0,
            allowed: None,
            last: None,
            pace: Pace::default(),
            room: ROOM,
            stop,
            patience: 0,
            memory,
        }
    }

    /// A new variable, as the literal that says that it is true.
    ///
    /// # Panics
    /// If there are 2^31 of them.
    pub fn variable(&mut self) -> Lit {
        let var = self.level.len();
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.extend([Truth::Open; 2]);
        self.level.push(0);
        self.reason.push(None);
        self.activity.push(0.0);
        self.phase.push(false);
        self.domain.push(0);
        self.seen.push(false);
        self.level_stamp.push(0);
        self.heap.admit(var);
        if !self.restricted {
            self.heap.insert(var, &self.activity);
        }
        Lit(u32::try_from(2 * var).expect("fewer than 2^31 variables"))
    }

    /// How many variables there are.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.level.len()
    }

    /// How many conflicts there were.
    #[must_use]
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// About how many bytes the clauses take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        8 * self.arena.words()
    }

    /// How many conflicts each question to come may take.
    pub fn limit(&mut self, conflicts: Option<u64>) {
        self.allowed = conflicts;
    }

    /// Which value the search tries first.
    pub fn prefer(&mut self, literal: Lit) {
        self.phase[literal.var()] = literal.0 & 1 == 0;
    }

    /// Adds a clause for good.
    pub fn clause(&mut self, clause: &[Lit]) {
        self.backtrack(0);
        if self.contradiction {
            return;
        }
        let mut rest: Vec<Lit> = Vec::with_capacity(clause.len());
        for literal in clause {
            match self.truth(*literal) {
                Truth::True => return,
                Truth::False => {}
                Truth::Open => rest.push(*literal),
            }
        }
        rest.sort_unstable();
        rest.dedup();
        if rest.windows(2).any(|pair| pair[0] == !pair[1]) {
            return;
        }
        match rest[..] {
            [] => self.contradiction = true,
            [only] => {
                self.assign(only, None);
                self.contradiction = self.propagate().is_some();
            }
            _ => {
                let clause = self.arena.add(&rest);
                self.attach(clause);
            }
        }
    }

    /// Whether all clauses, the assumptions and the clause `only`, which is for this question, can be
    /// true together. With a domain, only its variables matter; those of `only` and of the assumptions
    /// belong to it anyway.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn solve(&mut self, assumptions: &[Lit], only: &[Lit], domain: Option<&[Lit]>) -> Result<bool, Why> {
        self.backtrack(0);
        self.forget_temporary();
        self.core.clear();
        if self.contradiction {
            return Ok(false);
        }
        if self.arena.is_wasteful() {
            self.collect();
        }
        self.confine(assumptions, only, domain);
        let mut assumed = Vec::with_capacity(assumptions.len() + 1);
        if !only.is_empty() {
            assumed.push(self.switched(only));
        }
        assumed.extend_from_slice(assumptions);
        self.search(&assumed)
    }

    /// Says which variables are decided, and puts them on the heap.
    fn confine(&mut self, assumptions: &[Lit], only: &[Lit], domain: Option<&[Lit]>) {
        let Some(domain) = domain else {
            if self.restricted {
                self.restricted = false;
                for var in 0..self.level.len() {
                    self.heap.insert(var, &self.activity);
                }
            }
            return;
        };
        self.restricted = true;
        self.question += 1;
        self.heap.clear();
        for literal in domain.iter().chain(assumptions).chain(only) {
            let var = literal.var();
            if self.domain[var] != self.question {
                self.domain[var] = self.question;
                if self.values[literal.index()] == Truth::Open {
                    self.heap.insert(var, &self.activity);
                }
            }
        }
    }

    /// Adds a clause that holds only while a literal does, and returns that.
    fn switched(&mut self, only: &[Lit]) -> Lit {
        let switch = match self.switch {
            Some(switch) if self.truth(switch) == Truth::Open => switch,
            Some(_) | None => self.variable(),
        };
        self.switch = Some(switch);
        self.domain[switch.var()] = self.question;
        let mut clause: Vec<Lit> = vec![!switch];
        for literal in only {
            match self.truth(*literal) {
                Truth::True => return switch,
                Truth::False => {}
                Truth::Open => clause.push(*literal),
            }
        }
        clause.sort_unstable();
        clause.dedup();
        if clause.windows(2).any(|pair| pair[0] == !pair[1]) {
            return switch;
        }
        if let [unit] = clause[..] {
            // Nothing can make it true: the switch is off for good.
            self.assign(unit, None);
        } else {
            let clause = self.arena.add(&clause);
            self.attach(clause);
            self.temporary.push(clause);
        }
        switch
    }

    fn search(&mut self, assumptions: &[Lit]) -> Result<bool, Why> {
        if self.propagate().is_some() {
            self.contradiction = true;
            return Ok(false);
        }
        self.pace.since = 0;
        self.last = self.allowed.map(|allowed| self.conflicts.saturating_add(allowed));
        loop {
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.levels.is_empty() {
                    self.contradiction = true;
                    return Ok(false);
                }
                self.learn(conflict);
                continue;
            }
            self.look()?;
            if self.pace.since > RESTART
                && self.pace.fast > 1.25 * self.pace.slow
                && self.levels.len() > assumptions.len()
            {
                self.pace.since = 0;
                self.backtrack(assumptions.len());
            }
            if self.learnt.len() > self.room {
                self.reduce();
            }
            match self.next(assumptions) {
                Next::Decide(literal) => {
                    self.levels.push(self.trail.len());
                    self.assign(literal, None);
                }
                Next::Model => return Ok(true),
                Next::Refuted(literal) => {
                    self.explain(literal);
                    return Ok(false);
                }
            }
        }
    }

    /// The next decision: assumptions first.
    fn next(&mut self, assumptions: &[Lit]) -> Next {
        while let Some(literal) = assumptions.get(self.levels.len()) {
            match self.truth(*literal) {
                // A level without a decision keeps levels and assumptions in step.
                Truth::True => self.levels.push(self.trail.len()),
                Truth::False => return Next::Refuted(*literal),
                Truth::Open => return Next::Decide(*literal),
            }
        }
        while let Some(var) = self.heap.pop(&self.activity) {
            let positive = Lit(u32::try_from(2 * var).expect("the number of a variable"));
            if self.truth(positive) == Truth::Open {
                return Next::Decide(positive.flip_if(!self.phase[var]));
            }
        }
        Next::Model
    }

    /// Looks at the limits now and then.
    fn look(&mut self) -> Result<(), Why> {
        if self.last.is_some_and(|last| self.conflicts > last) {
            return Err(Why::GaveUp("the conflicts were not enough".to_owned()));
        }
        if self.patience < PATIENCE {
            return Ok(());
        }
        self.patience = 0;
        if self.bytes() > self.memory {
            return Err(Why::OutOfMemory);
        }
        if self.stop.is_set() { Err(Why::Interrupted) } else { Ok(()) }
    }

    fn truth(&self, literal: Lit) -> Truth {
        self.values[literal.index()]
    }

    /// Whether a literal is true in the model that was found; nothing if it does not matter.
    #[must_use]
    pub fn value(&self, literal: Lit) -> Option<bool> {
        match self.truth(literal) {
            Truth::Open => None,
            Truth::True => Some(true),
            Truth::False => Some(false),
        }
    }

    /// Whether the clauses alone fix a literal, and how.
    #[must_use]
    pub fn fixed(&self, literal: Lit) -> Option<bool> {
        self.value(literal).filter(|_| self.level[literal.var()] == 0)
    }

    /// Whether the last contradiction needs an assumption.
    #[must_use]
    pub fn needs(&self, assumption: Lit) -> bool {
        self.core.contains(&assumption)
    }

    /// The assumptions that the last contradiction needs.
    #[must_use]
    pub fn core(&self) -> &[Lit] {
        &self.core
    }
}

/// What the search does next.
enum Next {
    Decide(Lit),
    Model,
    /// An assumption is false.
    Refuted(Lit),
}
