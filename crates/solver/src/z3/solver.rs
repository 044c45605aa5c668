//! The solver: facts in scopes, checked under assumptions.
//!
//! Z3 gets facts when a check needs them.
//!
//! Z3 takes only literals as assumptions. Another assumption gets a name, which implies it, in a
//! scope above all others. That scope is closed when the facts change, and when most of what it
//! holds is of the past: Z3 works on what names mean even if nobody assumes them.
//!
//! Where a question has products of unknown numbers, a process is asked about all of it instead.

use super::aside::Aside;
use super::encode::Encoder;
use super::watch::watched;
use super::{Config, model};
use crate::limit::{Clock, Limit};
use crate::numbers::{Numbers, Survey};
use crate::scopes::{Scopes, Told};
use crate::valuation::Outcome;
use crate::{Answer, Error, Solver, StopSignal, Why};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use tamis_term::walk::post_order;
use tamis_term::{Fun, Node, Term, Terms};
use z3::ast::Bool;
use z3::{Params, SatResult};

/// Z3 as a solver. It stays on its thread, because all of a thread's share one of Z3's contexts.
pub struct Z3 {
    config: Config,
    clock: Clock,
    /// The clock's signal.
    stop: StopSignal,
    limit: Limit,
    /// Their cache is the engine.
    scopes: Scopes,
    encoder: Encoder,
    engine: z3::Solver,
    /// The scope of names, if it is open.
    names: Option<FxHashMap<Term, Name>>,
    /// Whether a question turned out to be long: then somebody watches the later ones.
    long: bool,
    /// How hard the formulas' numbers are.
    survey: Survey,
    /// Who is asked about products, with the same facts, once one was met.
    aside: Option<Aside>,
}

/// Steps that take some milliseconds: questions that need no more are not watched.
const SHORT: u32 = 400_000;
/// Terms of more nodes than this may take long before Z3 counts steps.
const SMALL: usize = 20_000;

/// How long a question may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// As long as the steps allow: nobody watches.
    Short,
    /// Until somebody who watches interrupts it.
    Long,
}

/// The name of an assumption.
struct Name {
    literal: Bool,
    /// How many subterms the assumption has.
    weight: usize,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new(Config::default(), StopSignal::never())
    }
}

impl fmt::Debug for Z3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.scopes.facts().count();
        f.debug_struct("Z3").field("config", &self.config).field("facts", &facts).finish_non_exhaustive()
    }
}

impl Z3 {
    /// A solver without facts, which gives up when `stop` is set.
    #[must_use]
    pub fn new(config: Config, stop: StopSignal) -> Z3 {
        super::memory::note();
        let clock = Clock::new(stop);
        let limit = Limit::default();
        Z3 {
            config,
            stop: clock.signal(),
            clock,
            limit,
            scopes: Scopes::default(),
            encoder: Encoder::default(),
            engine: engine(config, Some(SHORT)),
            names: None,
            long: false,
            survey: Survey::default(),
            aside: None,
        }
    }

    /// Forgets all names.
    fn unname(&mut self) {
        if self.names.take().is_some() {
            self.engine.pop(1);
        }
    }

    /// Gives Z3 the facts that it lacks.
    fn update(&mut self, terms: &Terms) -> Result<(), Why> {
        if self.scopes.are_told() {
            return Ok(());
        }
        self.unname();
        let (engine, encoder, stop) = (&self.engine, &mut self.encoder, &self.stop);
        self.scopes.tell(|told| {
            match told {
                Told::Push => engine.push(),
                Told::Fact(fact) => engine.assert(encoder.truth(terms, fact, stop)?),
            }
            Ok(())
        })
    }

    /// The literals of the assumptions, each of which is there once.
    fn literals(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Vec<Bool>, Why> {
        if let Some(names) = &self.names {
            let used: usize = assumptions.iter().filter_map(|term| names.get(term)).map(|name| name.weight).sum();
            let all: usize = names.values().map(|name| name.weight).sum();
            if all > 2 * used {
                self.unname();
            }
        }
        assumptions.iter().map(|assumption| self.literal(terms, *assumption)).collect()
    }

    fn literal(&mut self, terms: &Terms, assumption: Term) -> Result<Bool, Why> {
        let meaning = self.encoder.truth(terms, assumption, &self.stop)?;
        if is_literal(terms, assumption) {
            return Ok(meaning);
        }
        let names = self.names.get_or_insert_with(|| {
            self.engine.push();
            FxHashMap::default()
        });
        let name = names.entry(assumption).or_insert_with(|| {
            let literal = Bool::new_const(format!("a{}", assumption.index()));
            self.engine.assert(literal.implies(meaning));
            Name { literal, weight: terms.dag_size(assumption) }
        });
        Ok(name.literal.clone())
    }

    fn decide(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Outcome, Why> {
        if self.clock.is_set() {
            return Err(Why::Interrupted);
        }
        let numbers = self.survey.hardest(terms, self.scopes.facts().chain(assumptions));
        if numbers == Numbers::Products {
            return self.decide_aside(terms, &distinct(assumptions));
        }
        if let Some(outcome) = self.decide_shortly(terms, assumptions, numbers) {
            return outcome;
        }
        let stop = self.stop.clone();
        let (outcome, interrupted) = watched(&stop, || self.work(terms, &distinct(assumptions), Patience::Long));
        // Z3 may have lost facts: when it was interrupted, when its memory was full, or for
        // reasons that it does not say, as a model shows under which a fact is not true.
        if interrupted || outcome.is_err() {
            self.forget();
        }
        outcome.map_err(|why| if interrupted { Why::Interrupted } else { why })
    }

    /// What nobody could interrupt in this process.
    fn decide_aside(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Outcome, Why> {
        let aside = match &mut self.aside {
            Some(aside) => aside,
            none => {
                let mut aside = Aside::new(self.config.memory, self.stop.clone())?;
                let told = self.scopes.retell(|told| match told {
                    Told::Push => {
                        aside.push();
                        Ok(())
                    }
                    Told::Fact(fact) => aside.assert(terms, fact),
                });
                told.map_err(|error: Error| Why::GaveUp(error.to_string()))?;
                none.insert(aside)
            }
        };
        aside.allow(self.limit.steps);
        let facts: Vec<Term> = self.scopes.facts().copied().collect();
        aside.decide(terms, &facts, assumptions)
    }

    /// What can be decided in a moment, and so without somebody who watches: starting a thread takes
    /// as long as most questions. Only where numbers may get long, a moment can be any time.
    fn decide_shortly(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        numbers: Numbers,
    ) -> Option<Result<Outcome, Why>> {
        let new: Vec<Term> = self.scopes.pending().chain(assumptions).copied().collect();
        if self.long {
            return None;
        }
        if self.limit.steps.is_some() || post_order(terms, &new).len() > SMALL {
            self.long = true;
            configure(&self.engine, self.config, self.steps());
            return None;
        }
        // It costs a tenth of a small question, but without it answers differ from run to run.
        configure(&self.engine, self.config, self.steps());
        let stop = self.stop.clone();
        let mut work = || self.work(terms, &distinct(assumptions), Patience::Short);
        let (outcome, interrupted) = if numbers == Numbers::Easy { (work(), false) } else { watched(&stop, work) };
        match outcome {
            Ok(outcome) if !interrupted => return Some(Ok(outcome)),
            Ok(_) | Err(_) => {}
        }
        self.long = true;
        self.forget();
        interrupted.then_some(Err(Why::Interrupted))
    }

    /// How many steps a question may take.
    fn steps(&self) -> Option<u32> {
        let limit = self.limit.steps.map(|steps| u32::try_from(steps).unwrap_or(u32::MAX));
        if self.long { limit } else { Some(SHORT) }
    }

    /// Begins again with a solver that has no facts yet.
    fn forget(&mut self) {
        self.engine = engine(self.config, self.steps());
        self.names = None;
        self.scopes.forget();
    }

    fn work(&mut self, terms: &Terms, assumptions: &[Term], patience: Patience) -> Result<Outcome, Why> {
        self.update(terms)?;
        let literals = self.literals(terms, assumptions)?;
        let question: Vec<Term> = self.scopes.facts().chain(assumptions).copied().collect();
        match self.ask(&self.engine, &literals)? {
            Said::Sat(model) => Ok(Outcome::Model(model::read(terms, &mut self.encoder, &model, &question)?)),
            Said::Unsat => Ok(Outcome::Core(core(&self.engine, assumptions, &literals))),
            // Asking again may take long.
            Said::Unknown(reason) if patience == Patience::Short => Err(Why::GaveUp(reason)),
            Said::Unknown(reason) => self.ask_at_once(terms, &question, assumptions, &reason),
        }
    }

    /// Asks for everything at once: Z3 then looks at the formulas before it chooses how to
    /// decide them, and knows more about some.
    fn ask_at_once(
        &mut self,
        terms: &Terms,
        question: &[Term],
        assumptions: &[Term],
        reason: &str,
    ) -> Result<Outcome, Why> {
        let engine = thorough(self.config, self.steps());
        for formula in question {
            engine.assert(self.encoder.truth(terms, *formula, &self.stop)?);
        }
        match self.ask(&engine, &[])? {
            Said::Sat(model) => Ok(Outcome::Model(model::read(terms, &mut self.encoder, &model, question)?)),
            Said::Unsat => Ok(Outcome::Core(assumptions.to_vec())),
            Said::Unknown(_) => Err(Why::GaveUp(format!("Z3 says: {reason}"))),
        }
    }

    fn ask(&self, engine: &z3::Solver, literals: &[Bool]) -> Result<Said, Why> {
        match engine.check_assumptions(literals) {
            SatResult::Unsat => Ok(Said::Unsat),
            SatResult::Sat => match engine.get_model() {
                Some(model) => Ok(Said::Sat(model)),
                None => Err(Why::GaveUp("Z3 has no model for what it finds satisfiable".to_owned())),
            },
            SatResult::Unknown if self.clock.is_set() => Err(Why::Interrupted),
            SatResult::Unknown => {
                let reason = engine.get_reason_unknown().unwrap_or_default();
                if reason.contains("memory") {
                    Err(Why::OutOfMemory)
                } else if reason.contains("resource limit") {
                    Err(Why::GaveUp("the limit on Z3's steps is reached".to_owned()))
                } else {
                    Ok(Said::Unknown(reason))
                }
            }
        }
    }
}

/// What Z3 says.
enum Said {
    Sat(z3::Model),
    Unsat,
    Unknown(String),
}

/// A solver of Z3's without facts, for many questions: it does not look at formulas as a whole.
fn engine(config: Config, steps: Option<u32>) -> z3::Solver {
    let engine = z3::Solver::new();
    let mut params = params(config, steps);
    params.set_bool("ignore_solver1", true);
    engine.set_params(&params);
    engine
}

/// A solver of Z3's without facts, for one question.
fn thorough(config: Config, steps: Option<u32>) -> z3::Solver {
    let engine = z3::Solver::new();
    configure(&engine, config, steps);
    engine
}

/// Sets the limits.
fn configure(engine: &z3::Solver, config: Config, steps: Option<u32>) {
    engine.set_params(&params(config, steps));
}

fn params(config: Config, steps: Option<u32>) -> Params {
    let mut params = Params::new();
    params.set_u32("max_memory", u32::try_from(config.memory >> 20).unwrap_or(u32::MAX).max(1));
    // Zero means that there is no limit.
    params.set_u32("rlimit", steps.map_or(0, |steps| steps.max(1)));
    params
}

/// Whether Z3 takes the term as an assumption: a Boolean variable, or the negation of one.
fn is_literal(terms: &Terms, term: Term) -> bool {
    match terms.node(term) {
        Node::Var(_) => true,
        Node::App(Fun::Not, args) => matches!(terms.node(args[0]), Node::Var(_)),
        Node::Const(_) | Node::App(..) => false,
    }
}

/// The terms in their order, each once.
fn distinct(terms: &[Term]) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    terms.iter().copied().filter(|term| seen.insert(*term)).collect()
}

/// The assumptions that Z3 names as contradictory.
fn core(engine: &z3::Solver, assumptions: &[Term], literals: &[Bool]) -> Vec<Term> {
    let named: FxHashSet<Bool> = engine.get_unsat_core().into_iter().collect();
    let both = assumptions.iter().zip(literals);
    both.filter(|(_, literal)| named.contains(*literal)).map(|(term, _)| *term).collect()
}

impl Solver for Z3 {
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.scopes.assert(terms, fact)?;
        self.aside.as_mut().map_or(Ok(()), |aside| aside.assert(terms, fact))
    }

    fn push(&mut self) {
        self.scopes.push();
        if let Some(aside) = &mut self.aside {
            aside.push();
        }
    }

    fn pop(&mut self) {
        let Some(closed) = self.scopes.pop() else { return };
        self.unname();
        if let Some(aside) = &mut self.aside {
            aside.pop();
        }
        if closed.was_open {
            self.engine.pop(1);
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer<'_>, Error> {
        super::library()?;
        self.scopes.admit(terms, assumptions)?;
        self.clock.begin(self.limit.time);
        let outcome = self.decide(terms, assumptions);
        self.scopes.note(terms, self.encoder.landmark());
        Ok(match outcome {
            Ok(outcome) => outcome.into(),
            Err(why) => Answer::Unknown(self.clock.explain(why)),
        })
    }

    /// The steps are Z3's own (`rlimit`): some millions in a second.
    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
        if self.long {
            configure(&self.engine, self.config, self.steps());
        }
    }
}
