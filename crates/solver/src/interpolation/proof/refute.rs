//! Which lemmas a contradiction needs, and why they follow.
//!
//! Every lemma must follow from the clauses before it by unit propagation (Goldberg, Novikov,
//! DATE 2003). They are looked at from the last to the first, so that only those are derived
//! that are needed; and clauses that are needed already propagate first, which keeps the proof
//! small (Heule, Hunt, Wetzler, *Trimming While Checking Clausal Proofs*, FMCAD 2013).
//!
//! What a lemma fixes for good is a *unit*, derived once and used like a clause.

use super::clauses::Clauses;
use super::search::{Event, Log};
use crate::{StopSignal, Why};
use batsat::Lit;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// How many propagations may pass between two looks at the stop signal.
const PATIENCE: u64 = 1 << 14;
/// No reason: the literal was assumed.
const ASSUMED: u32 = u32::MAX;

/// A clause of the proof: one that was given, a lemma, the unit of a variable, or, as the last
/// number, the empty clause.
pub(super) type Fact = u32;

/// How clauses follow from others, each before its use; the empty clause is the last.
#[derive(Debug, Default)]
pub(super) struct Refutation {
    /// The antecedents of all derivations, with the literal that each of them but the first
    /// implies: resolving it away is the next step.
    antecedents: Vec<(Fact, Lit)>,
    /// What is derived, and where its antecedents end.
    derived: Vec<(Fact, usize)>,
    /// How many facts there are.
    pub(super) facts: usize,
    /// How many literals were propagated to find this.
    pub(super) propagations: u64,
}

impl Refutation {
    /// The derivations, antecedents before what they are used for.
    pub(super) fn derivations(&self) -> impl Iterator<Item = (Fact, &[(Fact, Lit)])> {
        // They were found from the last to the first.
        (0..self.derived.len()).rev().map(|at| {
            let (fact, end) = self.derived[at];
            let start = at.checked_sub(1).map_or(0, |before| self.derived[before].1);
            (fact, &self.antecedents[start..end])
        })
    }
}

/// What happened while lemmas were added.
enum Step {
    /// The lemma was added when so many literals were fixed.
    Learnt(u32, usize),
    Forgotten(u32),
}

/// Clauses that needed ones propagate with first, and the others.
const CORE: usize = 0;
const REST: usize = 1;

/// A clause to look at when a literal becomes false, unless `other`, one of its literals, is
/// true.
#[derive(Clone, Copy)]
struct Watched {
    clause: u32,
    other: Lit,
}

struct Checker<'a> {
    literals: Vec<Lit>,
    /// By clause: where it begins, and how many literals it has.
    clauses: Vec<(usize, usize)>,
    /// By literal, for needed clauses and others: those that have it among their first two.
    watches: [Vec<Vec<Watched>>; 2],
    /// By literal: whether it is true.
    holds: Vec<bool>,
    /// By variable: the clause that implied it, and when.
    reason: Vec<u32>,
    place: Vec<usize>,
    /// By variable: whether it is part of the conflict that is analysed.
    seen: Vec<bool>,
    trail: Vec<Lit>,
    /// How much of the trail has been propagated, by needed clauses and by others.
    done: [usize; 2],
    /// By fact: whether it is needed.
    needed: Vec<bool>,
    /// The number of the unit of variable zero.
    units: usize,
    result: Refutation,
    stop: &'a StopSignal,
}

/// Derives the empty clause from the clauses, with the lemmas of the log.
pub(super) fn refute(clauses: &Clauses, log: &Log, stop: &StopSignal) -> Result<Refutation, Why> {
    let units = clauses.len() + log.learnt();
    let facts = units + clauses.vars() + 1;
    let empty = Fact::try_from(facts - 1).ok().filter(|empty| *empty < ASSUMED).ok_or(Why::OutOfMemory)?;
    let lists = || vec![Vec::new(); 2 * clauses.vars()];
    let mut checker = Checker {
        literals: Vec::new(),
        clauses: Vec::with_capacity(units),
        watches: [lists(), lists()],
        holds: vec![false; 2 * clauses.vars()],
        reason: vec![ASSUMED; clauses.vars()],
        place: vec![0; clauses.vars()],
        seen: vec![false; clauses.vars()],
        trail: Vec::new(),
        done: [0, 0],
        needed: vec![false; facts],
        units,
        result: Refutation { facts, ..Refutation::default() },
        stop,
    };
    let (steps, conflict) = checker.forward(clauses, log)?;
    let fixed = checker.trail.len();
    checker.explain(empty, conflict, fixed);
    checker.backward(&steps)?;
    Ok(checker.result)
}

impl Checker<'_> {
    /// Adds all clauses until they contradict each other.
    fn forward(&mut self, clauses: &Clauses, log: &Log) -> Result<(Vec<Step>, u32), Why> {
        for index in 0..clauses.len() {
            let clause = self.store(clauses.get(index));
            if let Some(conflict) = self.attach(clause) {
                return Ok((Vec::new(), conflict));
            }
        }
        let mut steps = Vec::new();
        if let Some(conflict) = self.propagate()? {
            return Ok((steps, conflict));
        }
        let mut lemmas: FxHashMap<u64, u32> = FxHashMap::default();
        for (event, literals) in log.events() {
            let key = fingerprint(literals);
            match event {
                Event::Learn => {
                    let lemma = self.store(literals);
                    steps.push(Step::Learnt(lemma, self.trail.len()));
                    lemmas.insert(key, lemma);
                    let conflict = match self.attach(lemma) {
                        None => self.propagate()?,
                        conflict => conflict,
                    };
                    if let Some(conflict) = conflict {
                        return Ok((steps, conflict));
                    }
                }
                // A lemma that is not found, or is a reason, stays: that is never wrong.
                Event::Forget => {
                    if let Some(lemma) = lemmas.remove(&key)
                        && !self.is_reason(lemma)
                    {
                        self.detach(lemma);
                        steps.push(Step::Forgotten(lemma));
                    }
                }
            }
        }
        Err(Why::GaveUp("the proof of a contradiction is incomplete, please report this".to_owned()))
    }

    /// Takes the lemmas away again, the last first, and derives those that are needed from
    /// what is left.
    fn backward(&mut self, steps: &[Step]) -> Result<(), Why> {
        for step in steps.iter().rev() {
            match *step {
                Step::Forgotten(lemma) => {
                    // What was fixed when it was forgotten is fixed now, so it implies nothing.
                    self.attach(lemma);
                }
                Step::Learnt(lemma, fixed) => {
                    self.detach(lemma);
                    self.unfix(fixed);
                    if self.needed[lemma as usize] {
                        self.derive(lemma)?;
                    }
                }
            }
        }
        self.unfix(0);
        Ok(())
    }

    fn store(&mut self, literals: &[Lit]) -> u32 {
        let index = u32::try_from(self.clauses.len()).expect("the number of facts was checked");
        self.clauses.push((self.literals.len(), literals.len()));
        self.literals.extend_from_slice(literals);
        index
    }

    fn clause(&self, index: u32) -> &[Lit] {
        let (start, len) = self.clauses[index as usize];
        &self.literals[start..start + len]
    }

    fn is_true(&self, literal: Lit) -> bool {
        self.holds[literal.idx() as usize]
    }

    fn is_reason(&self, index: u32) -> bool {
        let implied = |literal: &Lit| self.is_true(*literal) && self.reason[literal.var().idx() as usize] == index;
        self.clause(index).iter().any(implied)
    }

    /// Watches the two literals that are false last, if at all; implies the first if the
    /// others are false. Returns the clause if all are.
    fn attach(&mut self, index: u32) -> Option<u32> {
        let (start, len) = self.clauses[index as usize];
        for at in 0..len.min(2) {
            let late = |k: &usize| {
                let literal = self.literals[*k];
                if self.is_true(!literal) { self.place[literal.var().idx() as usize] } else { usize::MAX }
            };
            let best = (start + at..start + len).rev().max_by_key(late).unwrap_or(start + at);
            self.literals.swap(start + at, best);
        }
        let Some(first) = self.clause(index).first().copied() else { return Some(index) };
        if let Some(second) = self.clause(index).get(1).copied() {
            let list = if self.needed[index as usize] { CORE } else { REST };
            self.watches[list][first.idx() as usize].push(Watched { clause: index, other: second });
            self.watches[list][second.idx() as usize].push(Watched { clause: index, other: first });
            if !self.is_true(!second) {
                return None;
            }
        }
        self.settle(index)
    }

    /// All but the first literal are false, or the first is true.
    fn settle(&mut self, index: u32) -> Option<u32> {
        let first = self.literals[self.clauses[index as usize].0];
        if self.is_true(!first) {
            return Some(index);
        }
        if !self.is_true(first) {
            self.assign(first, index);
        }
        None
    }

    fn detach(&mut self, index: u32) {
        let (start, len) = self.clauses[index as usize];
        for at in start..start + if len < 2 { 0 } else { 2 } {
            let literal = self.literals[at].idx() as usize;
            for list in [CORE, REST] {
                let watches = &mut self.watches[list][literal];
                if let Some(found) = watches.iter().rposition(|watched| watched.clause == index) {
                    watches.swap_remove(found);
                    break;
                }
            }
        }
    }

    fn assign(&mut self, literal: Lit, reason: u32) {
        let var = literal.var().idx() as usize;
        self.holds[literal.idx() as usize] = true;
        self.reason[var] = reason;
        self.place[var] = self.trail.len();
        self.trail.push(literal);
    }

    /// Propagates with needed clauses as long as that implies something, and only then with
    /// others. Returns the clause all of whose literals are false, if there is one.
    fn propagate(&mut self) -> Result<Option<u32>, Why> {
        loop {
            let list = if self.done[CORE] < self.trail.len() { CORE } else { REST };
            let Some(literal) = self.trail.get(self.done[list]).copied() else { return Ok(None) };
            self.done[list] += 1;
            if let Some(conflict) = self.visit(!literal, list) {
                return Ok(Some(conflict));
            }
            self.result.propagations += u64::from(list == REST);
            if list == REST && self.result.propagations.is_multiple_of(PATIENCE) && self.stop.is_set() {
                return Err(Why::Interrupted);
            }
        }
    }

    /// Looks at the clauses that watch a literal which became false.
    fn visit(&mut self, falsified: Lit, list: usize) -> Option<u32> {
        let slot = falsified.idx() as usize;
        let mut watches = std::mem::take(&mut self.watches[list][slot]);
        let mut conflict = None;
        let (mut kept, mut at) = (0, 0);
        while let Some(watched) = watches.get(at).copied() {
            at += 1;
            if !self.is_true(watched.other) {
                if self.move_watch(watched.clause, falsified) {
                    continue;
                }
                conflict = self.settle(watched.clause);
                // A clause that has become needed moves to the others that are.
                if list == REST && self.needed[watched.clause as usize] {
                    self.watches[CORE][slot].push(watched);
                    if conflict.is_some() {
                        break;
                    }
                    continue;
                }
            }
            watches[kept] = watched;
            kept += 1;
            if conflict.is_some() {
                break;
            }
        }
        watches.drain(kept..at);
        self.watches[list][slot] = watches;
        conflict
    }

    /// Puts the false literal second, and another that is not false in its place if there is
    /// one; then another list watches the clause.
    fn move_watch(&mut self, index: u32, falsified: Lit) -> bool {
        let (start, len) = self.clauses[index as usize];
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
                let list = if self.needed[index as usize] { CORE } else { REST };
                self.watches[list][candidate.idx() as usize].push(Watched { clause: index, other: first });
                return true;
            }
        }
        false
    }

    /// Derives a lemma: its complement leads to a conflict.
    fn derive(&mut self, lemma: u32) -> Result<(), Why> {
        let fixed = self.trail.len();
        let (start, len) = self.clauses[lemma as usize];
        for at in start..start + len {
            let literal = self.literals[at];
            if self.is_true(literal) {
                // Only what is fixed can be true already, unless the lemma says nothing.
                self.retract(fixed);
                self.conclude(lemma, vec![(self.unit(literal), literal)]);
                return Ok(());
            }
            if !self.is_true(!literal) {
                self.assign(!literal, ASSUMED);
            }
        }
        let Some(conflict) = self.propagate()? else {
            return Err(Why::GaveUp("the proof of a contradiction is wrong, please report this".to_owned()));
        };
        self.explain(lemma, conflict, fixed);
        self.retract(fixed);
        Ok(())
    }

    /// How the fact follows from a conflict: by resolving with the reasons, the latest first,
    /// and in the end with the units of what was fixed before.
    fn explain(&mut self, fact: Fact, conflict: u32, fixed: usize) {
        let mut chain = vec![(conflict, Lit::UNDEF)];
        let mut units = Vec::new();
        self.note(conflict, fixed, &mut units);
        for at in (fixed..self.trail.len()).rev() {
            let literal = self.trail[at];
            let var = literal.var().idx() as usize;
            if std::mem::replace(&mut self.seen[var], false) && self.reason[var] != ASSUMED {
                chain.push((self.reason[var], literal));
                self.note(self.reason[var], fixed, &mut units);
            }
        }
        for literal in units {
            self.seen[literal.var().idx() as usize] = false;
            chain.push((self.unit(literal), literal));
        }
        self.conclude(fact, chain);
    }

    /// Notes which variables of a clause are part of the conflict, and which of its literals
    /// were fixed before.
    fn note(&mut self, index: u32, fixed: usize, units: &mut Vec<Lit>) {
        let (start, len) = self.clauses[index as usize];
        for literal in &self.literals[start..start + len] {
            let var = literal.var().idx() as usize;
            // The literal that the clause implied is true: it is what is resolved away.
            if self.holds[literal.idx() as usize] || std::mem::replace(&mut self.seen[var], true) {
                continue;
            }
            if self.place[var] < fixed {
                units.push(!*literal);
            }
        }
    }

    fn unit(&self, literal: Lit) -> Fact {
        Fact::try_from(self.units + literal.var().idx() as usize).expect("the number of facts was checked")
    }

    /// Notes how a fact follows.
    fn conclude(&mut self, fact: Fact, chain: Vec<(Fact, Lit)>) {
        for (antecedent, _) in &chain {
            self.needed[*antecedent as usize] = true;
        }
        self.result.antecedents.extend(chain);
        self.result.derived.push((fact, self.result.antecedents.len()));
    }

    /// Makes the latest literals open again.
    fn retract(&mut self, fixed: usize) {
        for literal in self.trail.drain(fixed..) {
            self.holds[literal.idx() as usize] = false;
        }
        self.done = [fixed, fixed];
    }

    /// The same for literals that were fixed, of which the needed ones are derived.
    fn unfix(&mut self, fixed: usize) {
        for at in (fixed..self.trail.len()).rev() {
            let literal = self.trail[at];
            let unit = self.unit(literal);
            if self.needed[unit as usize] {
                let reason = self.reason[literal.var().idx() as usize];
                let others = self.clause(reason).iter().filter(|other| **other != literal);
                let others: Vec<(Fact, Lit)> = others.map(|other| (self.unit(*other), !*other)).collect();
                self.conclude(unit, [(reason, literal)].into_iter().chain(others).collect());
            }
        }
        self.retract(fixed);
    }
}

/// A number that says which clause it is, whatever the order of its literals. If two clauses
/// share it, the wrong lemma is forgotten, which at worst makes another fail.
fn fingerprint(clause: &[Lit]) -> u64 {
    let mut sorted = clause.to_vec();
    sorted.sort_unstable();
    FxBuildHasher.hash_one(sorted)
}
