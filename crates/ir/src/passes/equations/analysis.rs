//! The equations at every location, by a work list: what holds on the first visit, less and less
//! of it as further visits do not confirm it.
//!
//! A procedure has a column for every variable that is tracked, and before them one for the value
//! that each global and parameter had at its entry. What holds at the exit therefore relates what
//! a call returns to what it was given. Entries are looked at once for all calls.

use super::linear::{Columns, form};
use super::rows::{Row, Rows};
use crate::graph::Flow;
use crate::program::{EdgeId, Loc, Op, ProcId, Program};
use std::collections::{BTreeMap, BTreeSet};
use tamis_term::{Fun, Node, Sort, Term, Terms, Var};

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
        let unit = |column: usize| unit(length, column);
        for global in &self.program.globals {
            if let (Some(here), Some(there)) = (space.column(*global), inner.column(*global)) {
                entry.insert(difference(&unit(here), &unit(outer + there)));
            }
        }
        for (param, arg) in self.program.proc(callee).params.iter().zip(args) {
            let form = form(terms, *arg, self.width, &space.columns, outer + 1);
            if let (Some(there), Some(form)) = (inner.column(*param), form) {
                entry.insert(difference(&unit(outer + there), &lift(&form)));
            }
        }
        for (old, var) in inner.old.iter().enumerate() {
            if let Some(now) = inner.column(*var) {
                entry.insert(difference(&unit(outer + old), &unit(outer + now)));
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
        let unit = |column: usize| unit(moved.length(), column);
        for (column, form) in &linear {
            after.insert(difference(&unit(*column), &moved.before(form)));
        }
        for (position, (column, _)) in other.iter().enumerate() {
            after.insert(difference(&unit(*column), &unit(moved.kept + position)));
        }
        for (column, global) in &globals {
            if let Some(old) = inner.old_column(*global) {
                after.insert(difference(&unit(old), &moved.before(&super::analysis::unit(space.len() + 1, *column))));
            }
        }
        // A result may go to a global: then that is its value.
        let targeted: BTreeSet<usize> = targets.iter().map(|(column, _)| *column).collect();
        let untargeted = globals.iter().filter(|(column, _)| !targeted.contains(column));
        for (column, from) in targets.iter().chain(untargeted) {
            if let Some(there) = inner.column(*from) {
                after.insert(difference(&moved.unit(*column), &unit(there)));
            }
        }
        let args = other.into_iter().map(|(_, arg)| arg).collect();
        Some(Given { args, rows: after.without_first(moved.kept) })
    }
}

/// Columns for what variables were before they are written, ahead of the others.
struct Moved {
    width: u32,
    /// By column: where the value before is.
    places: Vec<usize>,
    /// The first column that stays.
    kept: usize,
    /// Columns that stay ahead of the space's.
    more: usize,
    columns: usize,
}

impl Moved {
    fn new(width: u32, space: &Space, written: &[usize], more: usize) -> Moved {
        let kept = written.len();
        let mut places: Vec<usize> = (kept + more..).take(space.len()).collect();
        for (place, column) in written.iter().enumerate() {
            places[*column] = place;
        }
        Moved { width, places, kept, more, columns: space.len() }
    }

    /// Puts further columns ahead.
    fn shift(&mut self, by: usize) {
        self.places.iter_mut().for_each(|place| *place += by);
        self.kept += by;
    }

    fn length(&self) -> usize {
        self.kept + self.more + self.columns + 1
    }

    /// A form over the values before.
    fn before(&self, row: &Row) -> Row {
        let mut lifted = vec![0; self.length()];
        for (place, entry) in self.places.iter().zip(row) {
            lifted[*place] = *entry;
        }
        lifted[self.length() - 1] = row[self.columns];
        lifted
    }

    /// The value of a column afterwards.
    fn unit(&self, column: usize) -> Row {
        unit(self.length(), self.kept + self.more + column)
    }

    /// What is known of the values before.
    fn after(&self, rows: &Rows) -> Rows {
        let mut after = Rows::new(self.width, self.length() - 1);
        for row in rows.iter() {
            after.insert(self.before(row));
        }
        after
    }
}

fn unit(length: usize, column: usize) -> Row {
    let mut row = vec![0; length];
    row[column] = 1;
    row
}

fn difference(one: &Row, other: &Row) -> Row {
    one.iter().zip(other).map(|(one, other)| one.wrapping_sub(*other)).collect()
}

/// The equations of words of a width that a condition says, besides others.
fn equations(terms: &Terms, condition: Term, width: u32) -> Vec<[Term; 2]> {
    let (mut stack, mut found) = (vec![condition], Vec::new());
    while let Some(term) = stack.pop() {
        match terms.node(term) {
            Node::App(Fun::And, args) => stack.extend(args),
            Node::App(Fun::Eq, args) if *terms.sort(args[0]) == Sort::BitVec(width) => found.push([args[0], args[1]]),
            Node::App(..) | Node::Var(_) | Node::Const(_) => {}
        }
    }
    found
}

/// The groups of variables that each step of the program may relate.
pub(super) fn related(terms: &Terms, program: &Program, width: u32) -> Vec<Vec<Var>> {
    let words = words(terms, program, width);
    let columns: Columns = words.iter().map(|var| (*var, 0)).collect();
    let linear = |term: Term| {
        let is_linear = form(terms, term, width, &columns, 2).is_some();
        if is_linear { terms.free_vars(&[term]).into_iter().collect() } else { Vec::new() }
    };
    let mut groups = Vec::new();
    for (_, edge) in program.edges() {
        let pairs: Vec<(Var, Vec<Var>)> = match &edge.op {
            Op::Assign(pairs) => pairs.iter().map(|(var, value)| (*var, linear(*value))).collect(),
            Op::Call { callee, args, results } => {
                let proc = program.proc(*callee);
                let args = proc.params.iter().zip(args).map(|(param, arg)| (*param, linear(*arg)));
                args.chain(proc.results.iter().zip(results).map(|(from, to)| (*to, vec![*from]))).collect()
            }
            Op::Assume(_) | Op::Havoc(_) => Vec::new(),
        };
        for (var, vars) in pairs {
            if words.contains(&var) && !vars.is_empty() {
                groups.push(std::iter::once(var).chain(vars).collect());
            }
        }
    }
    groups
}

/// The groups of variables that equations in conditions relate.
pub(super) fn guarded(terms: &Terms, program: &Program, width: u32) -> Vec<Vec<Var>> {
    let conditions = program.edges().filter_map(|(_, edge)| match &edge.op {
        Op::Assume(condition) => Some(*condition),
        Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => None,
    });
    let equations = conditions.flat_map(|condition| equations(terms, condition, width));
    equations.map(|sides| terms.free_vars(&sides).into_iter().collect()).collect()
}

/// The variables of that many bits.
fn words(terms: &Terms, program: &Program, width: u32) -> BTreeSet<Var> {
    let vars = program.globals.iter().copied().chain(program.procs.iter().flat_map(crate::Procedure::vars));
    vars.filter(|var| *terms.var_sort(*var) == Sort::BitVec(width)).collect()
}

/// The variables that are worth a column: those that linear forms of others are assigned to, and
/// those others.
fn tracked(terms: &Terms, program: &Program, width: u32) -> BTreeSet<Var> {
    related(terms, program, width).into_iter().flatten().collect()
}
