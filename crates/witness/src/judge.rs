//! Who answers the questions of a proof: where values are finite, two solvers that share nothing
//! but the circuits that they start from; elsewhere a third.
//!
//! - The SAT solver comes first, within a limit on its work: most questions are small. Each of
//!   its contradictions is a proof whose steps were checked as they were made, so the search
//!   need not be trusted.
//! - Formulas that were decision diagrams are hard for it, and easy for diagrams in the same
//!   order. So once it has given up in a procedure, the diagrams come first there.
//! - If the diagrams run out of nodes, both get more and it starts again with the SAT solver,
//!   which in the end has no limit. So the worse choice costs about as much as the better one,
//!   and no question that the SAT solver could answer alone is lost.
//! - What is not finite, Z3 decides: the SAT solver says so at the first question, and from then
//!   on Z3 is asked. Its contradictions are its word.
//!
//! What the diagrams find possible is believed only if evaluation confirms it. The limits count
//! conflicts and nodes, not time, so that runs repeat.

use crate::check::Check;
use tamis_solver::bits::{self, Contradictions};
use tamis_solver::diagrams::{self, Order};
use tamis_solver::z3::{self, Z3};
use tamis_solver::{Answer, Bits, Diagrams, Limit, Solver, StopSignal, Why};
use tamis_term::{Term, Terms};

/// Who is asked first, and how much they may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub(crate) first: Backend,
    /// The limits, one after another.
    pub(crate) limits: &'static [Limits],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    Bits,
    Diagrams,
    /// Z3, where values are not finite.
    General,
}

/// How much the solvers may do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How many steps the SAT solver may take on a question.
    pub(crate) steps: u64,
    /// How many nodes the diagrams may have.
    pub(crate) room: diagrams::Config,
}

/// A tenth of a second for the first, about as much to see that the diagrams do not fit;
/// some seconds and two hundred megabytes for the last.
const LIMITS: &[Limits] = &[
    Limits { steps: 2_000_000, room: diagrams::Config { nodes: 1 << 18, cache: 1 << 18 } },
    Limits { steps: 8_000_000, room: diagrams::Config { nodes: 1 << 20, cache: 1 << 18 } },
    Limits { steps: 32_000_000, room: diagrams::Config { nodes: 1 << 22, cache: 1 << 20 } },
];

impl Default for Policy {
    fn default() -> Policy {
        Policy { first: Backend::Bits, limits: LIMITS }
    }
}

/// Decides whether formulas contradict each other.
pub(crate) struct Judge {
    stop: StopSignal,
    policy: Policy,
    /// Which of the limits count now.
    level: usize,
    /// What is known about the order of bits, once diagrams are used.
    order: Option<Order>,
    bits: Option<Bits>,
    diagrams: Option<Diagrams>,
    general: Option<Z3>,
}

impl Judge {
    pub(crate) fn new(policy: Policy, stop: StopSignal) -> Judge {
        Judge { stop, policy, level: 0, order: None, bits: None, diagrams: None, general: None }
    }

    /// Whether the formulas contradict each other, if that is easy to say.
    pub(crate) fn at_once(&mut self, terms: &Terms, question: &[Term]) -> Result<Option<bool>, Check> {
        match self.policy.first {
            Backend::Diagrams => return Ok(None),
            Backend::General => return self.ask_general(terms, question).map(Some),
            Backend::Bits => {}
        }
        match self.ask_bits(terms, question, Some(self.policy.limits[self.level].steps))? {
            Ok(answer) => Ok(Some(answer)),
            Err(why @ Why::Interrupted) => Err(undecided(&why)),
            Err(Why::Unsupported(_)) => {
                self.policy.first = Backend::General;
                self.ask_general(terms, question).map(Some)
            }
            Err(Why::GaveUp(_) | Why::OutOfMemory) => {
                self.policy.first = Backend::Diagrams;
                Ok(None)
            }
        }
    }

    /// Whether diagrams will be used for the first time.
    pub(crate) fn needs_order(&self) -> bool {
        self.order.is_none()
    }

    /// Says what is known about the order of bits in the questions to come.
    pub(crate) fn arrange(&mut self, order: Order) {
        self.order = Some(order);
    }

    /// Whether the formulas contradict each other, whatever it takes. The diagrams are asked
    /// about other formulas that have the same answer, and a valuation in common if there is one.
    pub(crate) fn at_length(&mut self, terms: &Terms, question: &[Term], other: &[Term]) -> Result<bool, Check> {
        loop {
            if let Some(answer) = self.ask_diagrams(terms, question, other)? {
                return Ok(answer);
            }
            self.diagrams = None;
            self.policy.first = Backend::Bits;
            if self.level + 1 == self.policy.limits.len() {
                return self.ask_bits(terms, question, None)?.map_err(|why| undecided(&why));
            }
            self.level += 1;
            if let Some(answer) = self.at_once(terms, question)? {
                return Ok(answer);
            }
        }
    }

    fn ask_diagrams(&mut self, terms: &Terms, question: &[Term], other: &[Term]) -> Result<Option<bool>, Check> {
        let solver = self.diagrams.get_or_insert_with(|| {
            let room = self.policy.limits[self.level].room;
            Diagrams::new(room, self.stop.clone(), self.order.clone().unwrap_or_default())
        });
        match solver.check(terms, other) {
            Ok(Answer::Unsat(_)) => Ok(Some(true)),
            Ok(Answer::Sat(model)) => {
                let confirmed = question.iter().all(|part| model.eval(terms, *part).as_bool());
                debug_assert!(confirmed, "a valuation that is none");
                Ok(confirmed.then_some(false))
            }
            Ok(Answer::Unknown(why @ Why::Interrupted)) => Err(undecided(&why)),
            Ok(Answer::Unknown(Why::OutOfMemory | Why::Unsupported(_) | Why::GaveUp(_))) => Ok(None),
            Err(error) => Err(Check::Undecided(error.to_string())),
        }
    }

    fn ask_general(&mut self, terms: &Terms, question: &[Term]) -> Result<bool, Check> {
        let solver = self.general.get_or_insert_with(|| Z3::new(z3::Config::default(), self.stop.clone()));
        match solver.check(terms, question) {
            Ok(Answer::Unsat(_)) => Ok(true),
            Ok(Answer::Sat(_)) => Ok(false),
            Ok(Answer::Unknown(why)) => Err(undecided(&why)),
            Err(error) => Err(Check::Undecided(error.to_string())),
        }
    }

    /// What the SAT solver says within so many steps, or why it does not know.
    fn ask_bits(&mut self, terms: &Terms, question: &[Term], steps: Option<u64>) -> Result<Result<bool, Why>, Check> {
        let stop = &self.stop;
        let solver = self.bits.get_or_insert_with(|| {
            let config = bits::Config { contradictions: Contradictions::Audited, ..bits::Config::default() };
            Bits::new(config, stop.clone())
        });
        solver.limit(Limit { time: None, steps });
        match solver.check(terms, question) {
            Ok(Answer::Unsat(_)) => Ok(Ok(true)),
            Ok(Answer::Sat(_)) => Ok(Ok(false)),
            Ok(Answer::Unknown(why)) => Ok(Err(why)),
            Err(error) => Err(Check::Undecided(error.to_string())),
        }
    }
}

fn undecided(why: &Why) -> Check {
    Check::Undecided(why.to_string())
}
