//! The solver: facts in scopes, checked under assumptions.
//!
//! Gates and clauses are only a cache of what facts mean. It can be dropped: the clauses when most of them answer
//! questions of the past (the search assigns all variables, needed or not), everything when
//! the memory is full.

use super::Config;
use super::cnf::{Cnf, Found};
use super::model::{BitsCore, BitsModel};
use crate::limit::{Clock, Limit};
use crate::scopes::{Closed, Scopes};
use crate::tseitin::Tseitin;
use crate::{Answer, Error, Solver, StopSignal, Why};
use batsat::Lit;
use rustc_hash::FxHashSet;
use std::fmt;
use tamis_circuit::{Edge, Encoder, Gates, Meter};
use tamis_term::{Term, Terms};

/// Clauses are dropped when they define more than twice the gates that a check needs, and
/// this many more: with fewer, there is nothing to gain.
const SLACK: usize = 1000;
/// How many checks in a row must find them excessive: small questions between large ones
/// are no reason.
const PATIENCE: u32 = 8;
/// After how many checks what is needed is counted again, if only because facts were popped.
const PERIOD: u32 = 64;

/// The bit-level solver.
pub struct Bits {
    config: Config,
    clock: Clock,
    /// The clock's signal.
    stop: StopSignal,
    limit: Limit,
    /// Each scope but the outermost has the literal under which its facts are, once it has some.
    scopes: Scopes<Option<Lit>>,
    cache: Cache,
    /// Conflicts of searches whose clauses were dropped.
    past_conflicts: u64,
}

/// What can be computed again from the facts.
struct Cache {
    encoder: Encoder,
    cnf: Cnf,
    /// How many gates a recent check needed; zero if not counted.
    needed: usize,
    /// How many checks have found the clauses excessive.
    excess: u32,
    /// How many checks have used the cache.
    age: u32,
}

/// How much work a solver has done and holds, to compare configurations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Gates in the circuit.
    pub gates: usize,
    /// Gates that were handed to the SAT solver.
    pub defined: usize,
    /// Clauses in the SAT solver, without those it learnt.
    pub clauses: u64,
    /// Conflicts of the SAT solver's searches so far.
    pub conflicts: u64,
    /// About how many bytes the circuit and the clauses take.
    pub bytes: usize,
}

/// What a check asks of the SAT solver.
struct Query {
    /// Guards first, then the assumptions, each literal once.
    literals: Vec<Lit>,
    /// The first assumption of each literal.
    named: Vec<(Lit, Term)>,
    /// An assumption that is false whatever the variables are.
    absurd: Option<Term>,
}

/// What a check found, before it is wrapped as evidence.
enum Outcome {
    Model,
    Core(Vec<Term>),
}

impl Default for Bits {
    fn default() -> Bits {
        Bits::new(Config::default(), StopSignal::never())
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bits").field("config", &self.config).field("effort", &self.effort()).finish_non_exhaustive()
    }
}

impl Bits {
    /// A solver without facts, which gives up when `stop` is set.
    #[must_use]
    pub fn new(config: Config, stop: StopSignal) -> Bits {
        let clock = Clock::new(stop);
        let stop = clock.signal();
        Bits {
            config,
            cache: Cache::new(config, &stop),
            clock,
            stop,
            limit: Limit::default(),
            scopes: Scopes::default(),
            past_conflicts: 0,
        }
    }

    /// How much work the solver holds now.
    #[must_use]
    pub fn effort(&self) -> Effort {
        let Cache { encoder, cnf, .. } = &self.cache;
        Effort {
            gates: encoder.gates().len(),
            defined: cnf.defined(),
            clauses: cnf.clauses(),
            conflicts: self.past_conflicts + cnf.conflicts(),
            bytes: encoder.gates().meter().used(),
        }
    }

    /// Drops the whole cache.
    fn forget(&mut self) {
        self.past_conflicts += self.cache.cnf.conflicts();
        self.cache = Cache::new(self.config, &self.stop);
        self.scopes.forget();
    }

    /// Drops the clauses, learnt ones included, and keeps the gates.
    fn drop_clauses(&mut self) {
        let Cache { encoder, cnf, needed, excess, .. } = &mut self.cache;
        self.past_conflicts += cnf.conflicts();
        encoder.gates_mut().meter_mut().refund(cnf.charged());
        *cnf = Cnf::new(&self.config, self.stop.clone());
        (*needed, *excess) = (0, 0);
        self.scopes.forget();
    }

    /// Drops the clauses if most of them serve facts and assumptions of the past.
    fn tidy(&mut self, assumed: &[Edge]) -> Result<(), Why> {
        let Cache { encoder, cnf, needed, excess, age } = &mut self.cache;
        *age = age.wrapping_add(1);
        if age.is_multiple_of(PERIOD) {
            *needed = 0;
        }
        let excessive = |needed: usize| cnf.defined() > 2 * needed + SLACK;
        if !excessive(*needed) {
            return Ok(());
        }
        let roots: Vec<Edge> = self.scopes.facts().filter_map(|fact| encoder.known_truth(*fact)).collect();
        let count = encoder.gates_mut().cone_size(roots.into_iter().chain(assumed.iter().copied()))?;
        if !excessive(count) {
            (*needed, *excess) = (count, 0);
        } else if *excess < PATIENCE {
            *excess += 1;
        } else {
            self.drop_clauses();
        }
        Ok(())
    }

    /// Brings the cache up to date, and translates the assumptions.
    fn prepare(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Query, Why> {
        let encoder = &mut self.cache.encoder;
        for fact in self.scopes.pending() {
            encoder.truth(terms, *fact)?;
        }
        let assumed = assumptions.iter().map(|term| encoder.truth(terms, *term));
        let assumed = assumed.collect::<Result<Vec<_>, tamis_circuit::Error>>()?;
        self.tidy(&assumed)?;

        let Cache { encoder, cnf, .. } = &mut self.cache;
        let mut query = Query { literals: Vec::new(), named: Vec::new(), absurd: None };
        for (depth, scope) in self.scopes.iter_mut().enumerate() {
            if depth > 0 && scope.guard.is_none() && !scope.facts.is_empty() {
                scope.guard = Some(cnf.unconstrained(encoder.gates_mut())?);
            }
            for fact in &scope.facts[scope.asserted..] {
                let edge = encoder.truth(terms, *fact)?;
                cnf.assert(encoder.gates_mut(), edge, scope.guard)?;
                scope.asserted += 1;
            }
            query.literals.extend(scope.guard);
        }
        let mut seen: FxHashSet<Lit> = FxHashSet::default();
        for (assumption, edge) in assumptions.iter().zip(assumed) {
            if edge == Edge::FALSE {
                query.absurd = query.absurd.or(Some(*assumption));
            } else if edge != Edge::TRUE {
                let literal = cnf.literal(encoder.gates_mut(), edge)?;
                if seen.insert(literal) {
                    query.literals.push(literal);
                    query.named.push((literal, *assumption));
                }
            }
        }
        Ok(query)
    }

    fn decide(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Outcome, Why> {
        self.cache.encoder.gates().meter().poll()?;
        let fresh = self.cache.encoder.gates().is_empty();
        let query = match self.prepare(terms, assumptions) {
            // What filled the memory may be of the past: try once without it.
            Err(Why::OutOfMemory) if !fresh => {
                self.forget();
                self.prepare(terms, assumptions)
            }
            prepared => prepared,
        }?;
        if let Some(term) = query.absurd {
            return Ok(Outcome::Core(vec![term]));
        }
        let Cache { encoder, cnf, .. } = &mut self.cache;
        match cnf.search(encoder.gates(), &query.literals, self.limit.steps) {
            Ok(Found::Model) => Ok(Outcome::Model),
            Ok(Found::Contradiction) => {
                let needed = query.named.iter().filter(|(literal, _)| cnf.needed(*literal));
                Ok(Outcome::Core(needed.map(|(_, term)| *term).collect()))
            }
            Err(why) => {
                // The next check must not begin with a memory full of this one's lemmas.
                if why == Why::OutOfMemory {
                    self.drop_clauses();
                }
                Err(why)
            }
        }
    }
}

impl Solver for Bits {
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.scopes.assert(terms, fact)
    }

    fn push(&mut self) {
        self.scopes.push();
    }

    fn pop(&mut self) {
        if let Some(Closed { guard: Some(guard), .. }) = self.scopes.pop() {
            self.cache.cnf.retire(guard);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer<'_>, Error> {
        self.scopes.admit(terms, assumptions)?;
        self.clock.begin(self.limit.time);
        let outcome = self.decide(terms, assumptions);
        self.scopes.note(terms, self.cache.encoder.inputs().last().copied());
        Ok(match outcome {
            Ok(Outcome::Model) => {
                Answer::Sat(Box::new(BitsModel { encoder: &self.cache.encoder, cnf: &self.cache.cnf }))
            }
            Ok(Outcome::Core(assumptions)) => Answer::Unsat(Box::new(BitsCore { assumptions })),
            Err(why) => Answer::Unknown(self.clock.explain(why)),
        })
    }

    /// Each conflict of the search counts as many steps as there are gates, which is about what
    /// it costs.
    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
    }
}

impl Cache {
    fn new(config: Config, stop: &StopSignal) -> Cache {
        let gates = Gates::new(Meter::new(stop.clone(), config.memory));
        Cache {
            encoder: Encoder::new(gates, config.array_bits),
            cnf: Cnf::new(&config, stop.clone()),
            needed: 0,
            excess: 0,
            age: 0,
        }
    }
}
