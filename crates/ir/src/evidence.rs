//! Evidence for a verdict: a trace that runs into an error, or a proof that none exists.
//!
//! These are plain data. Passes translate them back to the program that they came from;
//! the crate `tamis-witness` checks them.

use crate::program::{EdgeId, Loc, Op, ProcId, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Term, Terms, Value, Var};

/// A run of a program from its start into an error location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The values of the globals and of main's parameters, results and locals, in that order.
    pub start: Vec<(Var, Value)>,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

impl Trace {
    /// Where the run ends, if the trace is one of the program.
    #[must_use]
    pub fn last(&self, program: &Program) -> Loc {
        let mut returns = 0_usize;
        for step in self.steps.iter().rev() {
            let Action::Take { edge, .. } = &step.action else {
                returns += 1;
                continue;
            };
            let edge = program.edge(*edge);
            match (&edge.op, returns) {
                // Nothing happened after this step.
                (Op::Call { callee, .. }, 0) => return program.proc(*callee).entry,
                (Op::Assume(_) | Op::Assign(_) | Op::Havoc(_), 0) => return edge.to,
                // The last of the returns ends this call.
                (Op::Call { .. }, 1) => return edge.to,
                (Op::Call { .. }, _) => returns -= 1,
                (Op::Assume(_) | Op::Assign(_) | Op::Havoc(_), _) => {}
            }
        }
        program.proc(program.main).entry
    }
}

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// The variables that the step writes, and their values afterwards: the left-hand sides
    /// of an assignment, what a havoc chose, the parameters, results and locals of a called
    /// procedure, the variables that take a returning procedure's results.
    pub writes: Vec<(Var, Value)>,
}

/// What a step does, with the choices that it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Takes an edge that leaves the current location. `inputs` are the values that a havoc
    /// chooses, or those that a call gives the callee's results and locals, in order.
    Take {
        /// The edge.
        edge: EdgeId,
        /// The choices.
        inputs: Vec<Value>,
    },
    /// Returns from a procedure that is at its exit.
    Return,
}

/// An inductive proof that no error location of a property is reachable.
///
/// An invariant speaks about the current values of the globals and of its procedure's
/// variables, and, through `old`, about the values that the globals and the parameters had
/// when the procedure was entered. A summary speaks about the globals and the results when
/// the procedure returns, and about the old values. What is not listed is false: such a
/// location is never reached, such a procedure never returns. The exceptions are locations that
/// the proof passes over: what holds there is what the way there from the listed ones says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proof {
    /// For globals and parameters, the variable that stands for the value at entry.
    pub old: BTreeMap<Var, Var>,
    /// What holds whenever control is at a location.
    pub invariants: BTreeMap<Loc, Term>,
    /// Locations between others, about which the proof says nothing: each loop has a location that
    /// is not one of them, and no error and no entry is.
    pub passed: BTreeSet<Loc>,
    /// What holds whenever a procedure returns.
    pub summaries: BTreeMap<ProcId, Term>,
    /// The procedures whose calls are to be expanded, in this order, before the rest is read:
    /// the proof is about the program that [`crate::passes::inline::expand`] makes of it.
    pub inlined: Vec<ProcId>,
}

impl Proof {
    /// The variable that stands for the value of a global or parameter at entry.
    pub fn old_of(&mut self, terms: &mut Terms, var: Var) -> Var {
        *self.old.entry(var).or_insert_with(|| declare_old(terms, var))
    }
}

/// A new variable for the value of a global or parameter at entry.
pub fn declare_old(terms: &mut Terms, var: Var) -> Var {
    let (name, sort) = (format!("old({})", terms.name(var)), terms.var_sort(var).clone());
    terms.declare(&name, sort)
}
