//! The check of a proof: each condition of an inductive argument over procedures is one
//! question about formulas. The conditions of one procedure share their solvers, and each
//! procedure has its own.
//!
//! With `Inv` the invariant of a location (false where none is listed), `Sum` the summary of
//! a procedure, and `old` the values at the procedure's entry:
//!
//! - *initiation*: at main's entry, `Inv` holds if old values equal current ones;
//! - *consecution*: if `Inv[from]` holds and an edge is taken, `Inv[to]` holds afterwards;
//! - *call*: if `Inv[from]` holds, the callee's `Inv[entry]` holds for the arguments, with
//!   the old values being the values at the call and all else arbitrary;
//! - *return*: if `Inv[from]` holds, and `Sum[callee]` relates the values at the call to new
//!   globals and results, then `Inv[to]` holds with those;
//! - *passage*: where the proof passes over locations, the same for whole ways between listed
//!   ones (see `passage`);
//! - *summary*: at a procedure's exit, `Inv` implies `Sum`;
//! - *safety*: no error location's `Inv` can be true.
//!
//! By induction over runs, each `Inv` then holds whenever its location is reached. This file
//! reads nothing but the program and the proof.
//!
//! Who answers (see `judge`): first the SAT solver, whose contradictions are audited, within a
//! limit on its work; if it gives up, decision diagrams, in an order that the proof itself shows
//! (see `hints`) and about steps as relations (see `steps`), and these come first for the rest
//! of the procedure; if they run out of nodes, both again with more, and at last the SAT solver
//! without a limit. A refusal by the diagrams is confirmed by evaluation.

use crate::check::Check;
use crate::judge::{Judge, Policy};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tamis_ir::graph::Flow;
use tamis_ir::{EdgeId, Loc, Op, ProcId, Program, Proof, PropertyId};
use tamis_solver::StopSignal;
use tamis_term::{Sort, Substitution, Term, Terms, Var};

pub(crate) type Map = FxHashMap<Var, Term>;

pub(crate) fn check(
    terms: &mut Terms,
    program: &Program,
    property: PropertyId,
    proof: &Proof,
    stop: &StopSignal,
) -> Result<(), Check> {
    vocabulary(terms, program, proof)?;
    let main = program.proc(program.main);
    let mut checker = Checker::new(terms, program, proof, Judge::new(Policy::default(), stop.clone()));
    checker.initiation(main.entry)?;
    for loc in &program.property(property).locs {
        checker.safety(*loc)?;
    }
    for (id, _) in program.procs() {
        // Its invariants are encoded once, and others' do not slow it down.
        checker.turn(id, Judge::new(Policy::default(), stop.clone()));
        checker.procedure(id)?;
    }
    Ok(())
}

/// So many parts of a conclusion are asked for one by one.
const MANY: usize = 16;

/// Every formula speaks only about what it may: otherwise the conditions would mean nothing.
fn vocabulary(terms: &Terms, program: &Program, proof: &Proof) -> Result<(), Check> {
    let reject = |why: String| Err(Check::Rejected(why));
    let globals: BTreeSet<Var> = program.globals.iter().copied().collect();
    let mut own: BTreeSet<Var> = program.procs.iter().flat_map(tamis_ir::Procedure::vars).collect();
    own.extend(&globals);
    let mut seen = BTreeSet::new();
    for (var, old) in &proof.old {
        if own.contains(old) || !seen.insert(*old) {
            return reject(format!("{} stands for two things", terms.name(*old)));
        }
        if terms.var_sort(*var) != terms.var_sort(*old) {
            return reject(format!("{} and its old value differ in sort", terms.name(*var)));
        }
    }
    let old = |vars: &mut dyn Iterator<Item = &Var>| -> Vec<Var> {
        vars.filter_map(|var| proof.old.get(var)).copied().collect()
    };
    let mut owner: Vec<Option<ProcId>> = vec![None; program.locs.len()];
    let mut allowed: Vec<BTreeSet<Var>> = Vec::new();
    let mut at_return: Vec<BTreeSet<Var>> = Vec::new();
    for (id, proc) in program.procs() {
        let ends = [proc.entry, proc.exit];
        let locs = proc.edges.iter().flat_map(|edge| [edge.from, edge.to]).chain(ends);
        locs.for_each(|loc| owner[loc.index()] = Some(id));
        let before = old(&mut proc.params.iter().chain(&program.globals));
        allowed.push(globals.iter().copied().chain(proc.vars()).chain(before.iter().copied()).collect());
        at_return.push(globals.iter().copied().chain(proc.results.iter().copied()).chain(before).collect());
    }
    let fits = |what: &str, formula: Term, allowed: &BTreeSet<Var>| {
        if *terms.sort(formula) != Sort::Bool {
            return reject(format!("{what} is no formula"));
        }
        match terms.free_vars(&[formula]).into_iter().find(|var| !allowed.contains(var)) {
            Some(var) => reject(format!("{what} speaks about {}, which is not in scope", terms.name(var))),
            None => Ok(()),
        }
    };
    let entries: BTreeSet<Loc> = program.procs.iter().map(|proc| proc.entry).collect();
    for loc in &proof.passed {
        let exists = owner.get(loc.index()).copied().flatten().is_some();
        if !exists || entries.contains(loc) || proof.invariants.contains_key(loc) {
            return reject(format!("location {} cannot be passed over", loc.index()));
        }
    }
    for (loc, formula) in &proof.invariants {
        let Some(id) = owner.get(loc.index()).copied().flatten() else {
            return reject(format!("location {} does not exist", loc.index()));
        };
        fits(&format!("the invariant of location {}", loc.index()), *formula, &allowed[id.index()])?;
    }
    for (id, formula) in &proof.summaries {
        let Some(proc) = program.procs.get(id.index()) else {
            return reject(format!("procedure {} does not exist", id.index()));
        };
        fits(&format!("the summary of {}", proc.name), *formula, &at_return[id.index()])?;
    }
    Ok(())
}

/// Asks whether the conditions hold, one by one.
pub(crate) struct Checker<'c> {
    pub(crate) terms: &'c mut Terms,
    pub(crate) program: &'c Program,
    pub(crate) proof: &'c Proof,
    judge: Judge,
    /// The procedure whose conditions are checked.
    proc: Option<ProcId>,
    /// For each variable, the one that stands for an arbitrary value of it; at each edge of a
    /// way, another.
    any: FxHashMap<(Option<EdgeId>, Var), Var>,
    /// The edge of a way whose values are arbitrary.
    pub(crate) on: Option<EdgeId>,
    /// The variables that say which edge of a way is taken.
    pub(crate) selectors: FxHashMap<EdgeId, Var>,
    /// Which edges leave which location, once that matters.
    pub(crate) flow: Option<Flow>,
}

impl<'c> Checker<'c> {
    pub(crate) fn new(terms: &'c mut Terms, program: &'c Program, proof: &'c Proof, judge: Judge) -> Checker<'c> {
        Checker {
            terms,
            program,
            proof,
            judge,
            proc: None,
            any: FxHashMap::default(),
            on: None,
            selectors: FxHashMap::default(),
            flow: None,
        }
    }

    /// Turns to a procedure, with a judge of its own.
    pub(crate) fn turn(&mut self, id: ProcId, judge: Judge) {
        (self.judge, self.proc) = (judge, Some(id));
    }

    pub(crate) fn invariant(&mut self, loc: Loc) -> Term {
        self.proof.invariants.get(&loc).copied().unwrap_or_else(|| self.terms.bool(false))
    }

    pub(crate) fn summary(&mut self, proc: ProcId) -> Term {
        self.proof.summaries.get(&proc).copied().unwrap_or_else(|| self.terms.bool(false))
    }

    /// That the facts cannot hold without the conclusion. A conclusion of many parts is asked for part by
    /// part: all of them together would be one hard question, and each of them is an easy one.
    pub(crate) fn implies(
        &mut self,
        facts: &[Term],
        conclusion: Term,
        what: impl Fn(&Program) -> String,
    ) -> Result<(), Check> {
        let parts = self.terms.conjuncts(&[conclusion]);
        if parts.len() < MANY {
            return self.holds(None, facts, conclusion, what);
        }
        let known: BTreeSet<Term> = self.terms.conjuncts(facts).into_iter().collect();
        let open = parts.into_iter().filter(|part| !known.contains(part));
        open.collect::<Vec<Term>>().into_iter().try_for_each(|part| self.holds(None, facts, part, &what))
    }

    /// That an invariant implies what an edge demands.
    fn step(
        &mut self,
        edge: EdgeId,
        before: Term,
        demanded: Term,
        what: impl FnOnce(&Program) -> String,
    ) -> Result<(), Check> {
        // Inside straight code a proof often lists just that.
        if before == demanded { Ok(()) } else { self.holds(Some(edge), &[before], demanded, what) }
    }

    fn holds(
        &mut self,
        edge: Option<EdgeId>,
        facts: &[Term],
        conclusion: Term,
        what: impl FnOnce(&Program) -> String,
    ) -> Result<(), Check> {
        let not = self.terms.not(conclusion);
        let question = [facts, &[not]].concat();
        if question.iter().any(|part| self.terms.is_false(*part)) {
            return Ok(());
        }
        let contradiction = if let Some(answer) = self.judge.at_once(self.terms, &question)? {
            answer
        } else {
            if self.judge.needs_order() {
                let order = self.proc.map(|id| self.order(id)).unwrap_or_default();
                self.judge.arrange(order);
            }
            let relation = edge.and_then(|id| self.as_relation(id));
            self.judge.at_length(self.terms, &question, relation.as_ref().unwrap_or(&question))?
        };
        if contradiction { Ok(()) } else { Err(Check::Rejected(what(self.program))) }
    }

    fn initiation(&mut self, entry: Loc) -> Result<(), Check> {
        let mut now = Map::default();
        for (var, old) in &self.proof.old {
            now.insert(*old, self.terms.var(*var));
        }
        let invariant = self.invariant(entry);
        let invariant = self.terms.substitute(invariant, &now);
        self.implies(&[], invariant, |_| "the invariant of main's entry does not hold at the start".into())
    }

    fn safety(&mut self, error: Loc) -> Result<(), Check> {
        if self.proof.passed.contains(&error) {
            return Err(Check::Rejected(format!("the proof passes over the error location {}", error.index())));
        }
        let (invariant, never) = (self.invariant(error), self.terms.bool(false));
        self.implies(&[invariant], never, |_| {
            format!("the invariant of the error location {} can be true", error.index())
        })
    }

    fn procedure(&mut self, id: ProcId) -> Result<(), Check> {
        let proc = self.program.proc(id);
        let silence_starts = self.silence_starts(id)?;
        for (index, edge) in (0..).zip(&proc.edges) {
            // What leaves a location from which silence begins is checked with the ways from there.
            if !silence_starts.contains(&edge.from) {
                self.edge(EdgeId { proc: id, index })?;
            }
        }
        for start in silence_starts {
            self.passage(start)?;
        }
        let (invariant, summary) = (self.invariant(proc.exit), self.summary(id));
        self.implies(&[invariant], summary, |_| format!("{} returns where its summary does not hold", proc.name))
    }

    pub(crate) fn edge(&mut self, id: EdgeId) -> Result<(), Check> {
        let edge = self.program.edge(id);
        let (before, after) = (self.invariant(edge.from), self.invariant(edge.to));
        if self.terms.is_false(before) {
            return Ok(());
        }
        let consecution = |program: &Program| format!("{} leaves the invariant", describe(program, id));
        match &edge.op {
            Op::Assume(condition) => {
                let demanded = self.terms.implies(*condition, after);
                self.step(id, before, demanded, consecution)
            }
            Op::Assign(pairs) => {
                let demanded = self.terms.substitute(after, &pairs.iter().copied().collect::<Substitution>());
                self.step(id, before, demanded, consecution)
            }
            Op::Havoc(vars) => {
                let any = self.fresh(vars.iter().copied());
                let after = self.terms.substitute(after, &any);
                self.implies(&[before], after, consecution)
            }
            Op::Call { callee, args, results } => {
                self.call(id, before, *callee, args)?;
                self.comes_back(id, before, after, *callee, args, results)
            }
        }
    }

    /// The callee's entry admits the call.
    fn call(&mut self, id: EdgeId, before: Term, callee: ProcId, args: &[Term]) -> Result<(), Check> {
        let entry = self.entered(callee, args);
        self.implies(&[before], entry, |program| outside(program, id, callee))
    }

    /// What the callee's entry demands of a call.
    pub(crate) fn entered(&mut self, callee: ProcId, args: &[Term]) -> Term {
        let proc = self.program.proc(callee);
        let mut map = self.at_call(callee, args);
        map.extend(proc.params.iter().copied().zip(args.iter().copied()));
        // What a call leaves open is arbitrary; in a recursive call it is not the caller's.
        let open = self.fresh(proc.inputs().copied());
        map.extend(open);
        let entry = self.invariant(proc.entry);
        self.terms.substitute(entry, &map)
    }

    /// What the summary says about the callee's effect suffices after the return.
    fn comes_back(
        &mut self,
        id: EdgeId,
        before: Term,
        after: Term,
        callee: ProcId,
        args: &[Term],
        results: &[Var],
    ) -> Result<(), Check> {
        let (summary, new) = self.returned(callee, args, results);
        let after = self.terms.substitute(after, &new);
        self.implies(&[before, summary], after, |program| {
            format!("{} leaves the invariant when {} returns", describe(program, id), program.proc(callee).name)
        })
    }

    /// What the callee's summary says about a call, and the new values that it speaks about.
    pub(crate) fn returned(&mut self, callee: ProcId, args: &[Term], results: &[Var]) -> (Term, Map) {
        let proc = self.program.proc(callee);
        let mut new = self.fresh(self.program.globals.iter().chain(&proc.results).copied());
        let mut map = self.at_call(callee, args);
        map.extend(&new);
        let summary = self.summary(callee);
        let summary = self.terms.substitute(summary, &map);
        let given: Vec<(Var, Term)> = results.iter().zip(&proc.results).map(|(to, from)| (*to, new[from])).collect();
        // The callee's results are not in the caller's scope, unless it calls itself.
        new.retain(|var, _| !proc.results.contains(var));
        new.extend(given);
        (summary, new)
    }

    /// The old values of a callee are those at the call.
    fn at_call(&mut self, callee: ProcId, args: &[Term]) -> Map {
        let proc = self.program.proc(callee);
        let mut map = Map::default();
        for (param, arg) in proc.params.iter().zip(args) {
            map.extend(self.proof.old.get(param).map(|old| (*old, *arg)));
        }
        for global in &self.program.globals {
            let now = self.terms.var(*global);
            map.extend(self.proof.old.get(global).map(|old| (*old, now)));
        }
        map
    }

    /// Fresh variables that stand for arbitrary values.
    pub(crate) fn fresh(&mut self, vars: impl Iterator<Item = Var>) -> Map {
        let fresh = |var: Var| {
            let any = self.stand_in(var);
            (var, self.terms.var(any))
        };
        vars.map(fresh).collect()
    }

    /// The variable that stands for an arbitrary value of another. Each condition is a question
    /// of its own, so one serves them all.
    pub(crate) fn stand_in(&mut self, var: Var) -> Var {
        *self.any.entry((self.on, var)).or_insert_with(|| {
            let (name, sort) = (format!("any({})", self.terms.name(var)), self.terms.var_sort(var).clone());
            self.terms.declare(&name, sort)
        })
    }
}

/// That a call does not fit its callee.
pub(crate) fn outside(program: &Program, id: EdgeId, callee: ProcId) -> String {
    format!("{} enters {} outside its invariant", describe(program, id), program.proc(callee).name)
}

/// An edge in words: its procedure and, if known, its line.
pub(crate) fn describe(program: &Program, id: EdgeId) -> String {
    let edge = program.edge(id);
    let line = program.sources.position(edge.span).map_or(String::new(), |at| format!(" (line {})", at.line));
    format!("edge {} of {}{line}", id.index, program.proc(id.proc).name)
}
