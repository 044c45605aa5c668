//! Commands to edges: a location for each value of the program counter.

use super::parse::{Command, Parsed};
use std::sync::Arc;
use tamis_ir::{Diagnostic, Loc, Op, ProcId, Program, Property, Sources, Span};
use tamis_term::{Substitution, Term, Terms};

/// The name of the property.
const UNSAFE: &str = "unsafe";

/// Edges are made for every command and location at most: there can be quadratically many.
const MAX_EDGES: usize = 1_000_000;

/// The program of the commands.
pub(super) fn lower(
    parsed: &Parsed<'_>,
    terms: &mut Terms,
    sources: Arc<Sources>,
    file: Span,
) -> Result<Program, Vec<Diagnostic>> {
    let missing =
        |what: &str, hint: &str| Err(vec![Diagnostic::error(file, format!("there is no `{what}`")).hint(hint)]);
    let Some(init) = parsed.init else { return missing("init", "say where runs start, as in `init pc = l1;`") };
    let Some(bad) = parsed.unsafe_states else {
        return missing("unsafe", "say what must not be reached, as in `unsafe pc = error;`");
    };
    let places = parsed.control.as_ref().map_or(1, |control| control.values.len());
    if places.saturating_mul(parsed.commands.len()) > MAX_EDGES {
        let error =
            Diagnostic::error(file, format!("more than {MAX_EDGES} commands at all values of the program counter"));
        return Err(vec![error.hint("split the program")]);
    }
    let mut program = Program::new(sources);
    let main = program.add_proc("main", file);
    program.globals.clone_from(&parsed.vars);
    let mut lowering = Lowering { parsed, terms, program, main, locs: Vec::new() };
    lowering.locations(file);
    let entry = lowering.program.proc(main).entry;
    let error = lowering.program.add_loc(bad.span);
    for place in 0..places {
        let loc = lowering.locs[place];
        let start = lowering.at(init.holds, place);
        lowering.assume(entry, loc, start, init.span);
    }
    for command in &parsed.commands {
        for place in 0..places {
            lowering.command(command, place);
        }
    }
    for place in 0..places {
        let loc = lowering.locs[place];
        let there = lowering.at(bad.holds, place);
        lowering.assume(loc, error, there, bad.span);
    }
    let mut program = lowering.program;
    let property = Property::new(UNSAFE, "an unsafe state is reached", vec![error]);
    program.default = Some(program.add_property(property));
    Ok(program)
}

struct Lowering<'l, 's> {
    parsed: &'l Parsed<'s>,
    terms: &'l mut Terms,
    program: Program,
    main: ProcId,
    /// By value of the program counter.
    locs: Vec<Loc>,
}

impl Lowering<'_, '_> {
    fn locations(&mut self, file: Span) {
        let Some(control) = &self.parsed.control else {
            self.locs.push(self.program.add_loc(file));
            return;
        };
        for (name, span) in &control.values {
            let loc = self.program.add_loc(*span);
            self.program.locs[loc.index()].label = Some((*name).to_owned());
            self.locs.push(loc);
        }
    }

    /// What a condition says where the program counter has this value.
    fn at(&mut self, condition: Term, place: usize) -> Term {
        let Some(control) = &self.parsed.control else { return condition };
        let place = i64::try_from(place).expect("fewer values than a text has characters");
        let mut map = Substitution::default();
        map.insert(control.var, self.terms.int(place));
        self.terms.substitute(condition, &map)
    }

    fn assume(&mut self, from: Loc, to: Loc, condition: Term, span: Span) {
        if !self.terms.is_false(condition) {
            self.program.add_edge(self.main, from, to, Op::Assume(condition), span);
        }
    }

    fn command(&mut self, command: &Command, place: usize) {
        let Command { guard, to, updates, span } = command;
        let guard = self.at(*guard, place);
        if self.terms.is_false(guard) {
            return;
        }
        let (from, to) = (self.locs[place], self.locs[to.unwrap_or(place)]);
        if updates.is_empty() {
            return self.assume(from, to, guard, *span);
        }
        let mut at = from;
        if !self.terms.is_true(guard) {
            at = self.program.add_loc(*span);
            self.assume(from, at, guard, *span);
        }
        self.program.add_edge(self.main, at, to, Op::Assign(updates.clone()), *span);
    }
}
