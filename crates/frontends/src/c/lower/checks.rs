//! What is asked about a program: which places are errors, and under which name.

use super::Lowering;
use crate::c::Overflow;
use crate::c::library::{Known, known};
use crate::c::tree::Unit;
use crate::spec::{ERROR_LABEL, Spec};
use std::collections::BTreeMap;
use tamis_ir::{Loc, Op, Program, Property, Role, Span};
use tamis_term::Term;

/// A kind of error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failure {
    Assert,
    ErrorCall,
    ErrorLabel,
    Division,
    Bounds,
    Overflow,
    ValidDeref,
    ValidFree,
    Memtrack,
    Memcleanup,
}

/// The name, the word in the verdict, and what it means to reach it.
const FAILURES: &[(Failure, &str, &str, &str)] = &[
    (Failure::Assert, "assert", "unreach-call", "an assertion fails"),
    (Failure::ErrorCall, "reach-error", "unreach-call", "an error function is called"),
    (Failure::ErrorLabel, ERROR_LABEL, "unreach-call", "the label ERROR is reached"),
    (Failure::Division, "division-by-zero", "unreach-call", "a number is divided by zero"),
    (Failure::Bounds, "bounds", "unreach-call", "an array is accessed out of bounds"),
    (Failure::Overflow, "no-overflow", "no-overflow", "signed arithmetic overflows"),
    (Failure::ValidDeref, "valid-deref", "valid-deref", "memory is accessed through an invalid pointer"),
    (Failure::ValidFree, "valid-free", "valid-free", "something is freed that is no live allocated object"),
    (Failure::Memtrack, "valid-memtrack", "valid-memtrack", "an object is lost before it is freed"),
    (Failure::Memcleanup, "valid-memcleanup", "valid-memcleanup", "an object is not freed at the end"),
];

/// What is asked, all together, if the user asks nothing.
const USUAL: &[Failure] =
    &[Failure::Assert, Failure::ErrorCall, Failure::ErrorLabel, Failure::Division, Failure::Bounds];

/// The properties that are looked for only if they are asked for, with what it means to violate them.
#[must_use]
pub fn on_request() -> Vec<(&'static str, &'static str)> {
    let rows = FAILURES.iter().filter(|(failure, _, _, _)| !USUAL.contains(failure));
    rows.map(|(_, name, _, about)| (*name, *about)).collect()
}

/// What is asked, and the error locations found so far.
#[derive(Debug, Default)]
pub(super) struct Failures {
    asked: Vec<Failure>,
    /// The functions whose call is an error, if a property file names one.
    function: Option<String>,
    /// The label whose reaching is the error, if a property file names one.
    label: Option<String>,
    found: BTreeMap<Failure, Vec<Loc>>,
    /// Where the model of the program ends before the program does. They count as errors of every
    /// property, so that nothing is called safe because it was not modelled.
    unmodelled: Vec<Loc>,
}

impl Failures {
    pub fn new(unit: &Unit, ask: &[Spec], overflow: Overflow) -> Failures {
        let mut failures = Failures::default();
        for spec in ask {
            failures.asked.push(match spec {
                Spec::UnreachCall { function } => {
                    failures.function = Some(function.clone());
                    Failure::ErrorCall
                }
                Spec::Label(label) => {
                    failures.label = Some(label.clone());
                    Failure::ErrorLabel
                }
                Spec::ErrorCall => Failure::ErrorCall,
                Spec::Assert => Failure::Assert,
                Spec::Division => Failure::Division,
                Spec::Bounds => Failure::Bounds,
                Spec::NoOverflow => Failure::Overflow,
                Spec::ValidFree => Failure::ValidFree,
                Spec::ValidDeref => Failure::ValidDeref,
                Spec::ValidMemtrack => Failure::Memtrack,
                Spec::ValidMemcleanup => Failure::Memcleanup,
            });
        }
        if ask.is_empty() {
            failures.asked = USUAL.to_vec();
            if overflow == Overflow::Trap {
                failures.asked.push(Failure::Overflow);
            }
        }
        // Old tasks call no function, as their property file says: their error is a label.
        let is_error = |name: &str| failures.is_error_call(name, known(name) == Some(Known::Error));
        let calls = unit.functions.iter().any(|function| is_error(&function.name));
        if failures.function.is_some() && !calls && !failures.asks(Failure::ErrorLabel) {
            failures.asked.push(Failure::ErrorLabel);
        }
        failures
    }

    /// Whether reaching a label of that name is an error.
    pub fn is_error_label(&self, name: &str) -> bool {
        self.asks(Failure::ErrorLabel) && self.label.as_deref().unwrap_or(ERROR_LABEL) == name
    }

    pub fn asks(&self, failure: Failure) -> bool {
        self.asked.contains(&failure)
    }

    /// Whether pointers must be known to be valid when they are followed.
    pub fn asks_about_memory(&self) -> bool {
        [Failure::ValidDeref, Failure::ValidFree, Failure::Memtrack, Failure::Memcleanup]
            .iter()
            .any(|failure| self.asks(*failure))
    }

    /// Whether a call of that function, one of the usual error functions, is an error.
    pub fn is_error_call(&self, name: &str, usual: bool) -> bool {
        // The usual names stand for each other; any other name stands for itself.
        let is_usual = |function: &&str| matches!(known(function), Some(Known::Error | Known::ErrorIf));
        let named = self.function.as_deref().filter(|function| !is_usual(function));
        self.asks(Failure::ErrorCall) && named.map_or(usual, |named| named == name)
    }

    /// Writes the properties into the program: each kind, and all together as the default.
    pub fn finish(self, program: &mut Program) {
        // A run ends at the first of several errors, so only all together are a question.
        let role = if self.asked.len() > 1 { Role::Part } else { Role::Question };
        let mut all: Vec<Loc> = Vec::new();
        let (mut kinds, mut possible) = (Vec::new(), Vec::new());
        for (failure, name, kind, about) in FAILURES {
            if !self.asks(*failure) || *failure == Failure::ErrorLabel && !self.found.contains_key(failure) {
                continue;
            }
            let found = self.found.get(failure).map_or(&[][..], Vec::as_slice);
            all.extend(found);
            let (name, about) = match (failure, &self.label) {
                (Failure::ErrorLabel, Some(label)) => (label.as_str(), format!("the label {label} is reached")),
                _ => (*name, (*about).to_owned()),
            };
            if !found.is_empty() {
                possible.push(about.clone());
            }
            let locs: Vec<Loc> = found.iter().chain(&self.unmodelled).copied().collect();
            kinds.push(Property { name: name.to_owned(), about, locs, kind: (*kind).to_owned(), role });
        }
        all.extend(&self.unmodelled);
        let about =
            if possible.is_empty() { "nothing in the program can go wrong".to_owned() } else { possible.join(", or ") };
        // A property file that asks one thing, or a program in which only one can go wrong.
        let union = Property { name: "all".to_owned(), about, locs: all, kind: self.word(), role: Role::Question };
        program.default = Some(program.add_property(union));
        for kind in kinds {
            program.add_property(kind);
        }
    }

    /// The word of the verdict if nothing more precise is known.
    fn word(&self) -> String {
        let first = self.asked.first().and_then(|first| FAILURES.iter().find(|row| row.0 == *first));
        first.map_or("unreach-call", |row| row.2).to_owned()
    }
}

impl Lowering<'_> {
    /// The error is reached here; the run goes no further.
    pub(super) fn fail(&mut self, failure: Failure, span: Span) {
        let always = self.terms.bool(true);
        self.error_edge(failure, always, span);
        self.at_nowhere(span);
    }

    /// The error is reached if the condition holds; if it is not asked about, nothing happens.
    pub(super) fn fail_if(&mut self, failure: Failure, condition: Term, span: Span) {
        if !self.failures.asks(failure) || self.terms.is_false(condition) {
            return;
        }
        self.error_edge(failure, condition, span);
        let fine = self.terms.not(condition);
        self.emit(Op::Assume(fine), span);
    }

    fn error_edge(&mut self, failure: Failure, condition: Term, span: Span) {
        let error = self.program.add_loc(span);
        self.emit_to(Op::Assume(condition), error, span);
        self.failures.found.entry(failure).or_default().push(error);
    }

    /// A label that is an error to reach.
    pub(super) fn error_label(&mut self, span: Span) {
        self.fail(Failure::ErrorLabel, span);
    }

    /// The model ends here if the condition holds: what comes then is not modelled.
    pub(super) fn give_up_if(&mut self, what: &str, condition: Term, span: Span) {
        if self.terms.is_false(condition) {
            return;
        }
        let error = self.program.add_loc(span);
        let edge = self.emit_to(Op::Assume(condition), error, span);
        self.program.notes.approximations.insert(edge, what.to_owned());
        self.failures.unmodelled.push(error);
        let fine = self.terms.not(condition);
        self.emit(Op::Assume(fine), span);
    }

    /// The model ends here.
    pub(super) fn give_up(&mut self, what: &str, span: Span) {
        let always = self.terms.bool(true);
        let error = self.program.add_loc(span);
        let edge = self.emit_to(Op::Assume(always), error, span);
        self.program.notes.approximations.insert(edge, what.to_owned());
        self.failures.unmodelled.push(error);
        self.at_nowhere(span);
    }
}
