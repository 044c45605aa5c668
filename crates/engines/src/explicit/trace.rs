//! From an error back to the start of the program: a shortest run.
//!
//! Each path edge knows how it was reached first; a return is expanded into the run of its
//! callee. Dead variables have no value in a path edge: they get a default, and the
//! interpreter fills in the rest. No recursion: calls may be nested as deep as memory lasts.

use super::Outlined;
use super::layout::Layout;
use super::table::{How, PathId, Table};
use std::collections::BTreeMap;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::{Action, EdgeId, Interpreter, Loc, Op, Program, Trace};
use tamis_term::{Terms, Value, Var};
use tamis_witness::{Reason, Resource};

/// Summaries can stand for runs of exponential length; a longer trace helps nobody.
const MAX_STEPS: u64 = 20_000_000;

pub(super) fn extract(
    ctx: &mut Context,
    program: &Program,
    layout: &Layout,
    table: &Table,
    error: PathId,
) -> Outcome<Trace> {
    if table.length(error) > MAX_STEPS {
        return Err(Stop::GaveUp(Reason::OutOfBudget(Resource::Memory)));
    }
    let walk = Walk { terms: &ctx.terms, program, layout, table };
    let (start, actions) = walk.back_from(error);
    Interpreter::new(&ctx.terms, program)
        .record(start, actions)
        .map_err(|(at, refusal)| Stop::refused(&format!("the trace stops at step {at}"), &refusal))
}

/// The run into an error without what happens in calls that returned: as long as its frames are.
pub(super) fn outline(layout: &Layout, table: &Table, error: PathId) -> Vec<Outlined> {
    let mut steps = Vec::new();
    let mut at = error;
    loop {
        let path = table.path(at);
        let entry = table.entry(path.entry);
        at = match path.how {
            How::Edge { from, edge } => {
                steps.push(Outlined::Take(EdgeId { proc: entry.proc, index: edge }));
                from
            }
            How::Return { caller, edge, .. } => {
                steps.push(Outlined::Skip(EdgeId { proc: entry.proc, index: edge }));
                caller
            }
            How::Start => {
                let Some(&(caller, edge)) = entry.callers.first().filter(|_| entry.length > 0) else {
                    steps.reverse();
                    return steps;
                };
                let proc = layout.owner[table.path(caller).loc.index()];
                steps.push(Outlined::Take(EdgeId { proc, index: edge }));
                caller
            }
        };
    }
}

struct Walk<'w> {
    terms: &'w Terms,
    program: &'w Program,
    layout: &'w Layout,
    table: &'w Table,
}

impl Walk<'_> {
    /// The values at the start and the actions that lead to `error`.
    fn back_from(&self, error: PathId) -> (Vec<Value>, Vec<Action>) {
        let mut actions = Vec::new();
        // The calls whose callees' runs are being expanded.
        let mut pending: Vec<(PathId, u32)> = Vec::new();
        let mut at = error;
        loop {
            let path = self.table.path(at);
            let proc = self.table.entry(path.entry).proc;
            match path.how {
                How::Edge { from, edge } => {
                    let edge = EdgeId { proc, index: edge };
                    let inputs = match &self.program.edge(edge).op {
                        Op::Havoc(vars) => self.values(at, vars.iter().copied()),
                        Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => Vec::new(),
                    };
                    actions.push(Action::Take { edge, inputs });
                    at = from;
                }
                How::Return { caller, edge, exit } => {
                    actions.push(Action::Return);
                    pending.push((caller, edge));
                    at = exit;
                }
                How::Start => {
                    // The program starts at the entries of length 0, also if they are called again.
                    let entry = self.table.entry(path.entry);
                    let stack = || entry.callers.first().copied().filter(|_| entry.length > 0);
                    let Some((caller, edge)) = pending.pop().or_else(stack) else {
                        let vars = Interpreter::new(self.terms, self.program).start_vars();
                        actions.reverse();
                        return (self.values(at, vars.into_iter()), actions);
                    };
                    let edge = EdgeId { proc: self.layout.owner[self.table.path(caller).loc.index()], index: edge };
                    let inputs = self.values(at, self.program.proc(proc).inputs().copied());
                    actions.push(Action::Take { edge, inputs });
                    at = caller;
                }
            }
        }
    }

    /// The values of variables in a path edge's state; a default for dead ones.
    fn values(&self, path: PathId, vars: impl Iterator<Item = Var>) -> Vec<Value> {
        let loc: Loc = self.table.path(path).loc;
        let proc = &self.layout.procs[self.layout.owner[loc.index()].index()];
        let mut values = Vec::new();
        self.layout.unpack(loc, self.table.state(path), &mut values);
        let live: BTreeMap<Var, &Value> =
            self.layout.places[loc.index()].iter().map(|slot| (proc.scope[*slot], &values[*slot])).collect();
        vars.map(|var| live.get(&var).map_or_else(|| Value::default_of(self.terms.var_sort(var)), |v| (*v).clone()))
            .collect()
    }
}
