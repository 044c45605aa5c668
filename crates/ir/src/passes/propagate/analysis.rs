//! The facts at every location, as the greatest solution that a work list finds: it starts with
//! what is known when control first comes to a location, and takes back what later visits do not
//! confirm (Wegman and Zadeck, "Constant propagation with conditional branches", 1991, with
//! copies as well).
//!
//! Procedures are looked at once for all their calls: what all calls agree on is known at the
//! entry, and what holds at the exit is known after every call. A global that a procedure does
//! not modify keeps what the caller knows of it.
//!
//! Facts are kept of variables that are live: no other one is ever used, and what one is derived
//! from is live where it is derived.

use super::facts::{Facts, copied, fails};
use crate::analysis::Liveness;
use crate::graph::Flow;
use crate::program::{EdgeId, Loc, Op, ProcId, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Term, Terms, Var};

/// What the analysis found.
pub(super) struct Analysis<'p> {
    program: &'p Program,
    flow: Flow,
    live: Liveness,
    /// What is known where control comes; nothing where it does not.
    states: Vec<Option<Facts>>,
    work: BTreeSet<Loc>,
}

impl<'p> Analysis<'p> {
    pub(super) fn new(terms: &mut Terms, program: &'p Program) -> Analysis<'p> {
        let (flow, live) = (Flow::new(program), Liveness::new(terms, program));
        let states = vec![None; program.locs.len()];
        let mut analysis = Analysis { program, flow, live, states, work: BTreeSet::new() };
        analysis.arrive(program.proc(program.main).entry, Facts::default());
        while let Some(loc) = analysis.work.pop_first() {
            analysis.leave(terms, loc);
        }
        analysis
    }

    /// What is known at a location, if control comes there.
    pub(super) fn at(&self, loc: Loc) -> Option<&Facts> {
        self.states[loc.index()].as_ref()
    }

    /// The variables of a program's facts.
    pub(super) fn subjects(&self, terms: &Terms) -> BTreeSet<Var> {
        let facts = self.states.iter().flatten().flat_map(Facts::iter);
        facts.flat_map(|(var, value)| [Some(var), copied(terms, value)]).flatten().collect()
    }

    /// The globals that neither the procedure nor one that it calls writes.
    pub(super) fn untouched(&self, proc: ProcId) -> impl Iterator<Item = Var> {
        self.live.untouched(proc)
    }

    /// Control comes to a location with these facts.
    fn arrive(&mut self, loc: Loc, mut facts: Facts) {
        let live: BTreeSet<Var> = self.live.live(loc).collect();
        facts.retain(|var| live.contains(&var));
        let state = &mut self.states[loc.index()];
        let first = state.is_none();
        if state.get_or_insert_with(|| facts.clone()).meet(&facts) || first {
            self.work.insert(loc);
        }
    }

    fn leave(&mut self, terms: &mut Terms, loc: Loc) {
        for id in self.flow.out_edges(loc).to_vec() {
            self.take(terms, id);
        }
        if let Some(proc) = self.flow.exit_of(loc) {
            for call in self.flow.calls_to(proc).to_vec() {
                self.take(terms, call);
            }
        }
    }

    fn take(&mut self, terms: &mut Terms, id: EdgeId) {
        let edge = self.program.edge(id);
        let Some(mut facts) = self.states[edge.from.index()].clone() else { return };
        match &edge.op {
            Op::Assume(condition) => {
                let condition = facts.apply(terms, &[*condition])[0];
                if fails(terms, condition) {
                    return;
                }
                facts.learn(terms, condition);
                self.arrive(edge.to, facts);
            }
            Op::Assign(pairs) => {
                let (vars, values): (Vec<Var>, Vec<Term>) = pairs.iter().copied().unzip();
                let values = facts.apply(terms, &values);
                write(terms, &mut facts, &vars, &values);
                self.arrive(edge.to, facts);
            }
            Op::Havoc(vars) => {
                facts.forget(terms, &vars.iter().copied().collect());
                self.arrive(edge.to, facts);
            }
            Op::Call { callee, args, results } => {
                let values = facts.apply(terms, args);
                self.enter(terms, *callee, &facts, &values);
                if let Some(after) = self.give_back(terms, *callee, facts, results) {
                    self.arrive(edge.to, after);
                }
            }
        }
    }

    /// A call tells its callee about the globals and the parameters.
    fn enter(&mut self, terms: &Terms, callee: ProcId, facts: &Facts, args: &[Term]) {
        let callee = self.program.proc(callee);
        let globals: BTreeSet<Var> = self.program.globals.iter().copied().collect();
        let visible = |value: Term| copied(terms, value).is_none_or(|of| globals.contains(&of));
        let mut entry = Facts::default();
        let about_globals = facts.iter().filter(|(var, _)| globals.contains(var));
        let about_params = callee.params.iter().copied().zip(args.iter().copied());
        for (var, value) in about_globals.chain(about_params).filter(|(_, value)| visible(*value)) {
            entry.note(terms, var, value);
        }
        self.arrive(callee.entry, entry);
    }

    /// What is known after a call, if its callee returns.
    fn give_back(&self, terms: &Terms, callee: ProcId, mut facts: Facts, results: &[Var]) -> Option<Facts> {
        let proc = self.program.proc(callee);
        let exit = self.states[proc.exit.index()].as_ref()?;
        let modified: BTreeSet<Var> =
            self.program.globals.iter().copied().filter(|var| self.live.modifies(callee, *var)).collect();
        facts.forget(terms, &modified);
        let globals: BTreeSet<Var> = self.program.globals.iter().copied().collect();
        let visible = |value: Term| copied(terms, value).is_none_or(|of| globals.contains(&of));
        let known: BTreeMap<Var, Term> = exit.iter().filter(|(_, value)| visible(*value)).collect();
        for var in &modified {
            if let Some(value) = known.get(var) {
                // The caller may know more of what the callee copied.
                facts.note(terms, *var, facts.resolve(terms, *value));
            }
        }
        let given = proc.results.iter().zip(results).filter_map(|(result, target)| {
            let value = facts.resolve(terms, *known.get(result)?);
            Some((*target, value))
        });
        let given: Vec<(Var, Term)> = given.collect();
        facts.forget(terms, &results.iter().copied().collect());
        for (target, value) in given {
            if copied(terms, value).is_none_or(|of| !results.contains(&of)) {
                facts.note(terms, target, value);
            }
        }
        Some(facts)
    }
}

/// Carries out a parallel assignment of values in which everything known was put in.
fn write(terms: &Terms, facts: &mut Facts, vars: &[Var], values: &[Term]) {
    let written: BTreeSet<Var> = vars.iter().copied().collect();
    facts.forget(terms, &written);
    for (var, value) in vars.iter().zip(values) {
        if copied(terms, *value).is_none_or(|of| !written.contains(&of)) {
            facts.note(terms, *var, *value);
        }
    }
}
