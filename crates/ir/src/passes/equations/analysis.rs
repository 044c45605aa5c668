//! The equations at every location, by a work list: what holds on the first visit, less and less
//! of it as further visits do not confirm it.
//!
//! A procedure has a column for every variable that is tracked, and before them one for the value
//! that each global and parameter had at its entry. What holds at the exit therefore relates what
//! a call returns to what it was given. Entries are looked at once for all calls.

use super::columns::{Moved, difference, unit};
use super::linear::{Columns, form};
use super::relevance::{equations, tracked};
use super::rows::{Row, Rows};
use crate::graph::Flow;
use crate::program::{EdgeId, Loc, Op, ProcId, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Term, Terms, Var};

/// How many columns a procedure may have.
const MOST: usize = 48;
/// How much work there may be: visits times the square of columns.
const FUEL: usize = 6_000_000;

/// What columns stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    /// The globals and parameters whose values at entry have the first columns.
    pub(super) old: Vec<Var>,
    /// The variables whose values have the other ones.
    pub(super) vars: Vec<Var>,
    /// The columns of current values.
    columns: Columns,
}

impl Space {
    fn new(old: Vec<Var>, vars: Vec<Var>) -> Space {
        let columns = vars.iter().copied().zip(old.len()..).collect();
        Space { old, vars, columns }
    }

    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        self.old.len() + self.vars.len()
    }

    fn column(&self, var: Var) -> Option<usize> {
        self.columns.get(&var).copied()
    }

    fn old_column(&self, var: Var) -> Option<usize> {
        self.old.iter().position(|old| *old == var)
    }
}

/// What holds after a call, of what was given to it too: rows over the arguments that are no linear
/// forms, and then the caller's columns.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) args: Vec<Term>,
    pub(super) rows: Rows,
}

/// The equations of words of one width.
#[derive(Debug)]
pub(super) struct Analysis<'p> {
    pub(super) width: u32,
    program: &'p Program,
    flow: &'p Flow,
    /// By procedure.
    pub(super) spaces: Vec<Space>,
    /// By location, where control comes.
    pub(super) states: Vec<Option<Rows>>,
    /// By call that returns.
    pub(super) given: BTreeMap<EdgeId, Given>,
    work: BTreeSet<Loc>,
    fuel: usize,
}

impl<'p> Analysis<'p> {
    /// The equations, unless there are too many variables.
    pub(super) fn new(terms: &Terms, program: &'p Program, flow: &'p Flow, width: u32) -> Option<Analysis<'p>> {
        let tracked = tracked(terms, program, width);
        let is_tracked = |var: &Var| tracked.contains(var);
        let spaces: Vec<Space> = program
            .procs()
            .map(|(id, proc)| {
                let globals = || program.globals.iter().copied().filter(is_tracked);
                let is_called = !flow.calls_to(id).is_empty();
                let params = proc.params.iter().copied().filter(is_tracked);
                let old = if is_called { globals().chain(params).collect() } else { Vec::new() };
                Space::new(old, globals().chain(proc.vars().filter(is_tracked)).collect())
            })
            .collect();
        if tracked.is_empty() || spaces.iter().any(|space| space.len() > MOST) {
            return None;
        }
        let states = vec![None; program.locs.len()];
        let (given, work) = (BTreeMap::new(), BTreeSet::new());
        let mut analysis = Analysis { width, program, flow, spaces, states, given, work, fuel: FUEL };
        let start = Rows::new(width, analysis.spaces[program.main.index()].len());
        analysis.arrive(program.proc(program.main).entry, start);
        while let Some(loc) = analysis.work.pop_first() {
            analysis.leave(terms, loc)?;
        }
        Some(analysis)
    }

    /// Control comes to a location.
    fn arrive(&mut self, loc: Loc, rows: Rows) {
        let state = &mut self.states[loc.index()];
        match state {
            None => *state = Some(rows),
            Some(known) if known.iter().all(|row| rows.implies(row)) => return,
            Some(known) => *known = known.join(&rows),
        }
        self.work.insert(loc);
    }

    /// Gives up when the fuel is used up.
    fn leave(&mut self, terms: &Terms, loc: Loc) -> Option<()> {
        let flow = self.flow;
        for id in flow.out_edges(loc) {
            self.take(terms, *id)?;
        }
        if let Some(proc) = flow.exit_of(loc) {
            for call in flow.calls_to(proc) {
                self.take(terms, *call)?;
            }
        }
        Some(())
    }

    fn take(&mut self, terms: &Terms, id: EdgeId) -> Option<()> {
        let program = self.program;
        let edge = program.edge(id);
        let space = &self.spaces[id.proc.index()];
        self.fuel = self.fuel.checked_sub((space.len() + 8).pow(2))?;
        let Some(rows) = &self.states[edge.from.index()] else { return Some(()) };
        let after = match &edge.op {
            Op::Assume(condition) => self.assume(terms, space, rows, *condition),
            Op::Assign(pairs) => self.assign(terms, space, rows, pairs),
            Op::Havoc(vars) => self.forget(space, rows, vars),
            Op::Call { callee, args, results } => {
                let before = rows.clone();
                let entry = self.enter(terms, space, rows, *callee, args);
                let given = self.give_back(terms, space, rows, *callee, args, results);
                self.arrive(program.proc(*callee).entry, entry);
                let Some(given) = given else { return Some(()) };
                if given.rows.is_contradictory() {
                    // As where a condition contradicts what is known.
                    self.given.remove(&id);
                    let written: Vec<Var> = results.iter().chain(&program.globals).copied().collect();
                    self.forget(&self.spaces[id.proc.index()], &before, &written)
                } else {
                    let after = given.rows.without_first(given.args.len());
                    self.given.insert(id, given);
                    after
                }
            }
        };
        self.arrive(edge.to, after);
        Some(())
    }

    /// What the equations in a condition add.
    fn assume(&self, terms: &Terms, space: &Space, rows: &Rows, condition: Term) -> Rows {
        let mut after = rows.clone();
        for [left, right] in equations(terms, condition, self.width) {
            let form = |term| form(terms, term, self.width, &space.columns, space.len() + 1);
            if let (Some(left), Some(right)) = (form(left), form(right)) {
                after.insert(difference(&left, &right));
            }
        }
        // That control does not come here is for others to prove.
        if after.is_contradictory() { rows.clone() } else { after }
    }

    fn forget(&self, space: &Space, rows: &Rows, vars: &[Var]) -> Rows {
        let written: Vec<usize> = vars.iter().filter_map(|var| space.column(*var)).collect();
        if written.is_empty() {
            return rows.clone();
        }
        Moved::new(self.width, space, &written, 0).after(rows).without_first(written.len())
    }

    fn assign(&self, terms: &Terms, space: &Space, rows: &Rows, pairs: &[(Var, Term)]) -> Rows {
        let written: Vec<(usize, Term)> =
            pairs.iter().filter_map(|(var, value)| Some((space.column(*var)?, *value))).collect();
        let columns: Vec<usize> = written.iter().map(|(column, _)| *column).collect();
        let moved = Moved::new(self.width, space, &columns, 0);
        let mut after = moved.after(rows);
        for (column, value) in written {
            if let Some(form) = form(terms, value, self.width, &space.columns, space.len() + 1) {
                after.insert(difference(&moved.unit(column), &moved.before(&form)));
            }
        }
        after.without_first(columns.len())
    }

    /// What holds at the entry of a callee.
    fn enter(&self, terms: &Terms, space: &Space, rows: &Rows, callee: ProcId, args: &[Term]) -> Rows {
        let inner = &self.spaces[callee.index()];
        // The caller's columns, to be forgotten, and the callee's.
        let (outer, length) = (space.len(), space.len() + inner.len() + 1);
        let mut entry = Rows::new(self.width, length - 1);
        let lift = |row: &Row| {
            let mut lifted = vec![0; length];
            lifted[..outer].copy_from_slice(&row[..outer]);
            lifted[length - 1] = row[outer];
            lifted
        };
        for row in rows.iter() {
            entry.insert(lift(row));
        }
        let at = |column: usize| unit(length, column);
        for global in &self.program.globals {
            if let (Some(here), Some(there)) = (space.column(*global), inner.column(*global)) {
                entry.insert(difference(&at(here), &at(outer + there)));
            }
        }
        for (param, arg) in self.program.proc(callee).params.iter().zip(args) {
            let form = form(terms, *arg, self.width, &space.columns, outer + 1);
            if let (Some(there), Some(form)) = (inner.column(*param), form) {
                entry.insert(difference(&at(outer + there), &lift(&form)));
            }
        }
        for (old, var) in inner.old.iter().enumerate() {
            if let Some(now) = inner.column(*var) {
                entry.insert(difference(&at(outer + old), &at(outer + now)));
            }
        }
        entry.without_first(outer)
    }

    /// What holds after a call, if the callee returns.
    fn give_back(
        &self,
        terms: &Terms,
        space: &Space,
        rows: &Rows,
        callee: ProcId,
        args: &[Term],
        results: &[Var],
    ) -> Option<Given> {
        let (inner, proc) = (&self.spaces[callee.index()], self.program.proc(callee));
        let exit = self.states[proc.exit.index()].as_ref()?;
        let globals: Vec<(usize, Var)> =
            self.program.globals.iter().filter_map(|global| Some((space.column(*global)?, *global))).collect();
        let targets: Vec<(usize, Var)> =
            results.iter().zip(&proc.results).filter_map(|(to, from)| Some((space.column(*to)?, *from))).collect();
        let mut written: Vec<usize> = globals.iter().chain(&targets).map(|(column, _)| *column).collect();
        written.sort_unstable();
        written.dedup();
        let params: Vec<(usize, Term)> =
            proc.params.iter().zip(args).filter_map(|(param, arg)| Some((inner.old_column(*param)?, *arg))).collect();
        let (mut linear, mut other) = (Vec::new(), Vec::new());
        for (column, arg) in params {
            match form(terms, arg, self.width, &space.columns, space.len() + 1) {
                Some(form) => linear.push((column, form)),
                None => other.push((column, arg)),
            }
        }
        // To be forgotten: the callee's columns, and the caller's before the call.
        let mut moved = Moved::new(self.width, space, &written, other.len());
        let first = inner.len();
        moved.shift(first);
        let mut after = moved.after(rows);
        for row in exit.iter() {
            let mut lifted = vec![0; moved.length()];
            lifted[..first].copy_from_slice(&row[..first]);
            lifted[moved.length() - 1] = row[first];
            after.insert(lifted);
        }
        let at = |column: usize| unit(moved.length(), column);
        for (column, form) in &linear {
            after.insert(difference(&at(*column), &moved.before(form)));
        }
        for (position, (column, _)) in other.iter().enumerate() {
            after.insert(difference(&at(*column), &at(moved.kept + position)));
        }
        for (column, global) in &globals {
            if let Some(old) = inner.old_column(*global) {
                after.insert(difference(&at(old), &moved.before(&unit(space.len() + 1, *column))));
            }
        }
        // A result may go to a global: then that is its value.
        let targeted: BTreeSet<usize> = targets.iter().map(|(column, _)| *column).collect();
        let untargeted = globals.iter().filter(|(column, _)| !targeted.contains(column));
        for (column, from) in targets.iter().chain(untargeted) {
            if let Some(there) = inner.column(*from) {
                after.insert(difference(&moved.unit(*column), &at(there)));
            }
        }
        let args = other.into_iter().map(|(_, arg)| arg).collect();
        Some(Given { args, rows: after.without_first(moved.kept) })
    }
}
