//! The solver: facts in scopes, checked under assumptions.
//!
//! The process gets facts when a check needs them: so one that was stopped or broke is replaced by
//! one that knows as much.

use super::command::{Command, Kind};
use super::conversation::End;
use super::idle;
use super::session::{Reply, Session, explain};
use crate::limit::{Clock, Limit};
use crate::scopes::{Scopes, Told};
use crate::script::logic;
use crate::valuation::Outcome;
use crate::{Answer, Error, Solver, StopSignal, Why};
use rustc_hash::FxHashSet;
use std::fmt;
use tamis_term::{Node, Term, Terms, Var};

/// A solver that is a process.
pub struct Pipe {
    command: Command,
    clock: Clock,
    limit: Limit,
    /// Their cache is the session.
    scopes: Scopes,
    session: Option<Session>,
    /// Whether the session has a scope of names above the others.
    named: bool,
    /// A variable with its term, to recognise the arena by.
    landmark: Option<(Term, Var)>,
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipe").field("command", &self.command).finish_non_exhaustive()
    }
}

impl Pipe {
    /// A solver without facts that is asked by running a command, such as
    /// `cvc5 --incremental --lang smt2`: a program that reads SMT-LIB 2 commands and answers. Its
    /// words are separated by blanks. It is started by the first check.
    #[must_use]
    pub fn new(command: &str, stop: StopSignal) -> Pipe {
        Pipe::run(Command::split(command), stop)
    }

    /// A solver without facts that is asked by running a command.
    pub(crate) fn run(command: Command, stop: StopSignal) -> Pipe {
        Pipe {
            command,
            clock: Clock::new(stop),
            limit: Limit::default(),
            scopes: Scopes::default(),
            session: None,
            named: false,
            landmark: None,
        }
    }

    /// The number of the process, and of its group, if there is one.
    #[must_use]
    pub fn process(&self) -> Option<u32> {
        self.session.as_ref().map(Session::process)
    }

    /// Ends the process.
    fn hang_up(&mut self) {
        (self.session, self.named) = (None, false);
        self.scopes.forget();
    }

    /// What a check finds: see [`Solver::check`].
    pub(crate) fn outcome(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Result<Outcome, Why>, Error> {
        self.scopes.admit(terms, assumptions)?;
        let pending: Vec<Term> = self.scopes.pending().chain(assumptions).copied().collect();
        self.landmark = self.landmark.or_else(|| landmark(terms, &pending));
        self.scopes.note(terms, self.landmark);
        self.clock.begin(self.limit.time);
        if self.clock.is_set() {
            return Ok(Err(self.clock.why()));
        }
        self.decide(terms, assumptions).or_else(|end| {
            self.hang_up();
            explain(&self.command, end).map(|why| Err(self.clock.explain(why)))
        })
    }

    fn decide(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Result<Outcome, Why>, End> {
        let mut seen = FxHashSet::default();
        let assumptions: Vec<Term> = assumptions.iter().copied().filter(|term| seen.insert(*term)).collect();
        let clock = &self.clock;
        let stop = &mut || clock.is_set();
        let session = match &mut self.session {
            Some(session) => session,
            none => {
                let question: Vec<Term> = self.scopes.facts().chain(&assumptions).copied().collect();
                let logic = logic(terms, &question);
                none.insert(Session::start(&self.command, &logic, stop)?)
            }
        };
        if std::mem::take(&mut self.named) {
            session.pop();
        }
        self.scopes.tell(|told| {
            match told {
                Told::Push => session.push(),
                Told::Fact(fact) => session.assert(terms, fact),
            }
            Ok::<(), End>(())
        })?;
        let mut names = Vec::new();
        if !assumptions.is_empty() {
            session.push();
            self.named = true;
            names.extend(assumptions.iter().map(|assumption| session.name(terms, *assumption)));
        }
        if self.command.kind == Kind::Z3 {
            let steps = self.limit.steps.map(|steps| u32::try_from(steps).unwrap_or(u32::MAX).max(1));
            session.limit(steps.unwrap_or(0));
        }
        match session.check(&names, stop)? {
            Reply::Unknown => Ok(Err(session.reason(stop)?)),
            Reply::Unsat => {
                let needed = if names.is_empty() { None } else { session.needed(stop)? };
                // Those who do not say which assumptions they need may need all.
                let needed =
                    needed.filter(|needed| names.iter().filter(|name| needed.contains(*name)).count() == needed.len());
                let Some(needed) = needed else { return Ok(Ok(Outcome::Core(assumptions))) };
                let both = assumptions.into_iter().zip(names);
                let core = both.filter(|(_, name)| needed.contains(name)).map(|(term, _)| term).collect();
                Ok(Ok(Outcome::Core(core)))
            }
            Reply::Sat => {
                let question: Vec<Term> = self.scopes.facts().copied().chain(assumptions).collect();
                let vars: Vec<Var> = terms.free_vars(&question).into_iter().collect();
                let command = &self.command;
                Ok(match session.values(terms, &vars, stop)? {
                    Some(valuation) if valuation.confirms(terms, &question) => Ok(Outcome::Model(valuation)),
                    Some(_) => Err(Why::GaveUp(format!("the model that `{command}` found is none"))),
                    None => Err(Why::GaveUp(format!("`{command}` found no model of constants"))),
                })
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            idle::keep(&self.command, session.into_conversation());
        }
    }
}

impl Solver for Pipe {
    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), Error> {
        self.scopes.assert(terms, fact)
    }

    fn push(&mut self) {
        self.scopes.push();
    }

    fn pop(&mut self) {
        if let (Some(closed), Some(session)) = (self.scopes.pop(), &mut self.session)
            && closed.was_open
        {
            if std::mem::take(&mut self.named) {
                session.pop();
            }
            session.pop();
        }
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer<'_>, Error> {
        Ok(match self.outcome(terms, assumptions)? {
            Ok(outcome) => outcome.into(),
            Err(why) => Answer::Unknown(why),
        })
    }

    /// Steps are Z3's own where it is known to be Z3, and else ignored: solvers count them in ways
    /// of their own, which the command can say.
    fn limit(&mut self, limit: Limit) {
        self.limit = limit;
    }
}

/// A variable of the formulas, with its term.
fn landmark(terms: &Terms, formulas: &[Term]) -> Option<(Term, Var)> {
    tamis_term::walk::post_order(terms, formulas).into_iter().find_map(|term| match terms.node(term) {
        Node::Var(var) => Some((term, *var)),
        Node::Const(_) | Node::App(..) => None,
    })
}
