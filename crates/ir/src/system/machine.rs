//! Systems as front ends describe them, and the program that means the same.
//!
//! A circuit or a protocol is a program with one loop, so every engine, every report and the
//! checker work on it:
//!
//! ```text
//! entry ──start──▶ head ──choose──▶ chosen ──constraint──▶ step ──update──▶ head
//!                                                           └──bad──▶ an error
//! ```

use crate::program::{Loc, Op, ProcId, Program, Property, Signals};
use crate::source::{Sources, Span};
use std::collections::BTreeSet;
use std::sync::Arc;
use tamis_term::{Term, Terms, Var};

/// A system: state variables, inputs, and how a state follows another.
#[derive(Clone, Debug)]
pub struct Machine {
    /// State variables, in the order of the source. They become globals, so they are declared
    /// with the user's names.
    pub state: Vec<Var>,
    /// What is chosen anew in every step, in the order of the source. They become locals of
    /// main, so they are declared as `main::name`.
    pub inputs: Vec<Var>,
    /// Initial values, over state variables without one; the others start arbitrary.
    pub init: Vec<(Var, Term)>,
    /// What else holds at the start: over state variables.
    pub start: Term,
    /// What holds whenever a step is taken or an error is seen: over state variables and inputs.
    pub constraint: Term,
    /// The next values that are functions of state variables and inputs, all read first.
    pub update: Vec<(Var, Term)>,
    /// For state variables whose next value the relation speaks about, the variable that stands
    /// for it (declared as `main::$name'`). A state variable neither here nor in `update` is
    /// arbitrary after every step.
    pub next: Vec<(Var, Var)>,
    /// How the next values of `next` relate to state variables, inputs and each other.
    pub relation: Term,
    /// What must not be reached.
    pub bads: Vec<Bad>,
    /// The place of the description in the source.
    pub span: Span,
}

/// A condition that must not become true.
#[derive(Clone, Debug)]
pub struct Bad {
    /// How the user names it.
    pub name: String,
    /// What it means, as a phrase.
    pub about: String,
    /// Over state variables and inputs.
    pub condition: Term,
    /// Its place in the source.
    pub span: Span,
}

/// The name of the property that all bad conditions make up together.
pub const ANY_BAD: &str = "bad";

impl Machine {
    /// The program that does the same. What is asked by default is whether any of the bad
    /// conditions becomes true; each is a property too.
    #[must_use]
    pub fn program(&self, terms: &mut Terms, sources: Arc<Sources>) -> Program {
        let mut program = Program::new(sources);
        let main = program.add_proc("main", self.span);
        program.globals.clone_from(&self.state);
        let next = self.next_vars(terms);
        let chosen: Vec<Var> = self.inputs.iter().chain(next.iter().map(|(_, next)| next)).copied().collect();
        program.procs[0].locals.clone_from(&chosen);
        let mut builder = Builder { program, main, at: Loc::new(0), span: self.span };
        if !self.init.is_empty() {
            builder.then(Op::Assign(self.init.clone()));
        }
        let head = builder.then(Op::Assume(self.start));
        builder.program.locs[head.index()].label = Some("step".into());
        if !chosen.is_empty() {
            builder.then(Op::Havoc(chosen));
        }
        builder.assume(terms, self.constraint);
        let signals = self.errors(&mut builder);
        builder.assume(terms, self.relation);
        let mut pairs = self.update.clone();
        pairs.extend(next.iter().map(|(now, next)| (*now, terms.var(*next))));
        builder.program.add_edge(main, builder.at, head, Op::Assign(pairs), self.span);
        builder.program.notes.signals = Some(signals);
        builder.program
    }

    fn errors(&self, builder: &mut Builder) -> Signals {
        let step = builder.at;
        let mut found = Vec::new();
        for bad in &self.bads {
            let error = builder.program.add_loc(bad.span);
            builder.program.add_edge(builder.main, step, error, Op::Assume(bad.condition), bad.span);
            found.push((error, builder.program.add_property(Property::new(&bad.name, &bad.about, vec![error]))));
        }
        let (locs, bads): (Vec<Loc>, Vec<_>) = found.into_iter().unzip();
        builder.program.default = match bads.as_slice() {
            [] => None,
            [only] => Some(*only),
            _ => Some(builder.program.add_property(Property::new(ANY_BAD, "a bad state is reached", locs))),
        };
        Signals { state: self.state.clone(), inputs: self.inputs.clone(), bads }
    }

    /// The variables that stand for next values: those of the relation, and one for each state
    /// variable that nothing is said about. All are chosen together, before anything is read, so
    /// that an invariant of the loop holds right after the choice too.
    fn next_vars(&self, terms: &mut Terms) -> Vec<(Var, Var)> {
        let mut next = self.next.clone();
        let known: BTreeSet<Var> =
            next.iter().map(|(now, _)| *now).chain(self.update.iter().map(|(now, _)| *now)).collect();
        for var in self.state.iter().filter(|var| !known.contains(var)) {
            let (name, sort) = (format!("main::${}'", terms.name(*var)), terms.var_sort(*var).clone());
            next.push((*var, terms.declare(&name, sort)));
        }
        next
    }
}

struct Builder {
    program: Program,
    main: ProcId,
    /// Where the last edge ended.
    at: Loc,
    span: Span,
}

impl Builder {
    fn then(&mut self, op: Op) -> Loc {
        let to = self.program.add_loc(self.span);
        self.program.add_edge(self.main, self.at, to, op, self.span);
        self.at = to;
        to
    }

    fn assume(&mut self, terms: &Terms, condition: Term) {
        if !terms.is_true(condition) {
            self.then(Op::Assume(condition));
        }
    }
}
