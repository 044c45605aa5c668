//! Replaces calls by copies of the procedures that they call.
//!
//! A copy has its own variables, which become locals of the caller. Entering it assigns the
//! arguments to the copied parameters and leaves the other copies arbitrary, as a call does;
//! leaving it assigns the copied results to the variables that take them. Copies of error
//! locations are error locations.
//!
//! [`expand`] is a function of the program and the list of procedures alone: new locations are
//! numbered in a fixed order, and a variable of a copy is named after the caller, the callee and
//! the copy's first location. So a proof about the expanded program names that list
//! ([`Proof::inlined`]), and its checker expands the program himself and trusts nobody's copy.
//! Expanding by one list and then by another is the same as expanding by both in a row, which
//! is how the ways back of two inlinings compose.
//!
//! A recursive procedure may be named too, as often as one likes: each time, its calls in main are
//! replaced, and those in the copies are calls in main again. So [`unrolled`] gives main an explicit
//! stack of some depth; the calls that are left are those beyond it.

use super::replay::Replay;
use super::{Back, EdgeMap, Passed, no_edge};
use crate::evidence::{Action, Proof, Trace};
use crate::graph::{self, CallGraph, Flow};
use crate::program::{Edge, EdgeId, Loc, Op, ProcId, Procedure, Program, PropertyId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use tamis_term::{Sort, Term, Terms, Var};

/// How much to inline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most edges that a procedure may have to be copied.
    pub callee: usize,
    /// The most edges that all copies may have together.
    pub growth: usize,
}

/// What the pass uses.
pub const LIMITS: Limits = Limits { callee: 50, growth: 2000 };

/// What engines use that take no calls.
pub const ALL: Limits = Limits { callee: 1 << 18, growth: 1 << 18 };

/// The most edges that any expansion may have: a list that asks for more is refused.
const MOST: usize = 1 << 22;

/// Inlines what [`select`] picks within [`LIMITS`].
///
/// # Panics
/// If the program is not valid.
#[must_use]
pub fn inline(terms: &mut Terms, program: &Program, _property: PropertyId) -> Passed {
    let procs = select(program, LIMITS);
    let expansion = expand(terms, program, &procs).expect("the selected procedures are few and not recursive");
    expansion.passed(program)
}

/// Inlines all that [`select`] picks within [`ALL`].
///
/// # Panics
/// If the program is not valid.
#[must_use]
pub fn expand_all(terms: &mut Terms, program: &Program, _property: PropertyId) -> Passed {
    let procs = select(program, ALL);
    let expansion = expand(terms, program, &procs).expect("the selected procedures are not recursive");
    expansion.passed(program)
}

/// The procedures to inline within the limits: those that are called and not recursive, callees
/// before their callers.
#[must_use]
pub fn select(program: &Program, limits: Limits) -> Vec<ProcId> {
    let (calls, flow) = (CallGraph::new(program), Flow::new(program));
    let used = calls.reachable(program.main);
    // The sizes that procedures have after the inlining so far.
    let mut size: Vec<usize> = program.procs.iter().map(|proc| proc.edges.len()).collect();
    let (mut chosen, mut growth) = (Vec::new(), 0_usize);
    for proc in calls.bottom_up() {
        let sites = flow.calls_to(proc);
        // With every copy come an edge that enters and one that leaves it.
        let copy = size[proc.index()] + 2;
        let more = copy.saturating_mul(sites.len()).saturating_add(growth);
        let fits = size[proc.index()] <= limits.callee && more <= limits.growth;
        if used[proc.index()] && !sites.is_empty() && !calls.is_recursive(proc) && fits {
            chosen.push(proc);
            growth = more;
            for site in sites {
                size[site.proc.index()] += copy;
            }
        }
    }
    chosen
}

/// The procedures to inline so that main has a stack of that depth: those that [`select`] picks, and
/// then all recursive ones so many times. Nothing if main is recursive, or if the copies would have
/// more edges than that.
///
/// # Panics
/// If the program is not valid.
pub fn unrolled(terms: &mut Terms, program: &Program, depth: usize, most: usize) -> Option<Vec<ProcId>> {
    let calls = CallGraph::new(program);
    let used = calls.reachable(program.main);
    let recursive: Vec<ProcId> = calls.bottom_up().filter(|id| used[id.index()] && calls.is_recursive(*id)).collect();
    let mut list = select(program, ALL);
    let flat = expand(terms, program, &list).ok()?.program;
    if recursive.contains(&program.main) {
        return None;
    }
    let callees = |id: ProcId| flat.proc(id).edges.iter().filter_map(graph::callee);
    let mut open = vec![0_usize; program.procs.len()];
    callees(program.main).for_each(|callee| open[callee.index()] += 1);
    let mut size = flat.proc(program.main).edges.len();
    for _ in 0..depth {
        for id in &recursive {
            let copies = std::mem::take(&mut open[id.index()]);
            size = size.saturating_add(copies.saturating_mul(flat.proc(*id).edges.len() + 2));
            callees(*id).for_each(|callee| open[callee.index()] = open[callee.index()].saturating_add(copies));
        }
        list.extend(&recursive);
        if size > most {
            return None;
        }
    }
    Some(list)
}

/// A program in which calls were replaced.
#[derive(Debug)]
pub struct Expansion {
    /// The program.
    pub program: Program,
    origins: EdgeMap<Origin>,
    procs: Vec<ProcId>,
}

impl Expansion {
    /// The expanded program with the way back to the one that was expanded.
    #[must_use]
    pub fn passed(self, original: &Program) -> Passed {
        let back = Inlined { original: original.clone(), origins: self.origins, procs: self.procs };
        (self.program, Box::new(back))
    }
}

/// What an edge of an expanded program does in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Takes an edge.
    Take(EdgeId),
    /// Returns from a procedure.
    Return,
    /// Nothing: the rest of a call follows.
    Silent,
}

/// Replaces every call of the procedures by a copy of their bodies, one procedure after the
/// other in the order of the list; of recursive ones, every call in main.
///
/// # Errors
/// If a procedure does not exist or is a recursive main, or the result would be huge; as a phrase.
///
/// # Panics
/// If the program is not valid.
pub fn expand(terms: &mut Terms, program: &Program, procs: &[ProcId]) -> Result<Expansion, String> {
    let calls = CallGraph::new(program);
    let mut expander = Expander::new(terms, program);
    for id in procs {
        let Some(proc) = program.procs.get(id.index()) else {
            return Err(format!("there is no procedure {} to inline", id.index()));
        };
        let within = calls.is_recursive(*id).then_some(program.main);
        if within == Some(*id) {
            return Err(format!("{} is recursive and cannot be inlined", proc.name));
        }
        expander.replace_calls(*id, within)?;
    }
    Ok(Expansion { program: expander.program, origins: EdgeMap(expander.origins), procs: procs.to_vec() })
}

struct Expander<'t> {
    terms: &'t mut Terms,
    program: Program,
    origins: Vec<Vec<Origin>>,
    /// The calls of each procedure.
    calls: Vec<Vec<EdgeId>>,
    /// The variables of the program.
    used: FxHashSet<Var>,
    /// The properties that name a location.
    named: FxHashMap<Loc, Vec<PropertyId>>,
    /// The number of edges of the program.
    size: usize,
}

/// A body and what its edges do in the original.
struct Body {
    proc: Procedure,
    origins: Vec<Origin>,
}

impl<'t> Expander<'t> {
    fn new(terms: &'t mut Terms, program: &Program) -> Expander<'t> {
        let mut calls = vec![Vec::new(); program.procs.len()];
        let mut origins = vec![Vec::new(); program.procs.len()];
        for (id, edge) in program.edges() {
            origins[id.proc.index()].push(Origin::Take(id));
            if let Some(callee) = graph::callee(edge) {
                calls[callee.index()].push(id);
            }
        }
        let mut named: FxHashMap<Loc, Vec<PropertyId>> = FxHashMap::default();
        for (number, property) in program.errors.iter().enumerate() {
            for loc in &property.locs {
                named.entry(*loc).or_default().push(PropertyId::new(number));
            }
        }
        let own = program.procs.iter().flat_map(Procedure::vars);
        let used = program.globals.iter().copied().chain(own).collect();
        let size = program.procs.iter().map(|proc| proc.edges.len()).sum();
        Expander { terms, program: program.clone(), origins, calls, used, named, size }
    }

    /// Replaces the calls of a procedure, or those within one.
    fn replace_calls(&mut self, callee: ProcId, within: Option<ProcId>) -> Result<(), String> {
        let body = Body { proc: self.program.proc(callee).clone(), origins: self.origins[callee.index()].clone() };
        let all = std::mem::take(&mut self.calls[callee.index()]);
        let (mut sites, others): (Vec<EdgeId>, Vec<EdgeId>) =
            all.into_iter().partition(|site| within.is_none_or(|proc| site.proc == proc));
        self.calls[callee.index()] = others;
        // Copies append their calls as they come; the order must not depend on that.
        sites.sort_unstable();
        let more = sites.len().saturating_mul(body.proc.edges.len() + 2);
        self.size = self.size.saturating_add(more);
        if self.size > MOST {
            return Err(format!("inlining {} makes a program of more than {MOST} edges", body.proc.name));
        }
        for site in sites {
            self.replace_call(site, &body);
        }
        Ok(())
    }

    fn replace_call(&mut self, site: EdgeId, body: &Body) {
        let call = self.program.edge(site).clone();
        let Op::Call { args, results, .. } = &call.op else { unreachable!("the index lists calls only") };
        let first = Loc::new(self.program.locs.len());
        let locs = self.copy_locations(&body.proc);
        let vars = self.copy_variables(site.proc, &body.proc, first);
        let copied = |var: &Var| vars[var];

        let params: Vec<(Var, Term)> = body.proc.params.iter().map(copied).zip(args.iter().copied()).collect();
        let inputs: Vec<Var> = body.proc.inputs().map(copied).collect();
        self.enter(site, &call, locs[&body.proc.entry], params, inputs);

        let renamed = self.rename(&body.proc, &vars);
        for (edge, origin) in body.proc.edges.iter().zip(&body.origins) {
            let edge = Edge {
                from: locs[&edge.from],
                to: locs[&edge.to],
                op: copy_op(&edge.op, &vars, &renamed),
                span: edge.span,
            };
            self.append(site.proc, edge, *origin);
        }

        let values = body.proc.results.iter().map(|var| self.terms.var(vars[var]));
        let pairs: Vec<(Var, Term)> = results.iter().copied().zip(values).collect();
        let op = if pairs.is_empty() { Op::Assume(self.terms.bool(true)) } else { Op::Assign(pairs) };
        self.append(site.proc, Edge { from: locs[&body.proc.exit], to: call.to, op, span: call.span }, Origin::Return);
    }

    /// Puts the edges that enter a copy in the place of the call. The last of them is the call
    /// in the original, because it has the same inputs.
    fn enter(&mut self, site: EdgeId, call: &Edge, entry: Loc, params: Vec<(Var, Term)>, inputs: Vec<Var>) {
        let origin = self.origins[site.proc.index()][site.index as usize];
        let (op, then) = match (params.is_empty(), inputs.is_empty()) {
            (true, true) => (Op::Assume(self.terms.bool(true)), None),
            (false, true) => (Op::Assign(params), None),
            (true, false) => (Op::Havoc(inputs), None),
            (false, false) => (Op::Assign(params), Some(Op::Havoc(inputs))),
        };
        let (to, silent) = match then {
            None => (entry, origin),
            Some(op) => {
                let middle = self.program.add_loc(call.span);
                self.append(site.proc, Edge { from: middle, to: entry, op, span: call.span }, origin);
                (middle, Origin::Silent)
            }
        };
        self.program.procs[site.proc.index()].edges[site.index as usize] = Edge { to, op, ..call.clone() };
        self.origins[site.proc.index()][site.index as usize] = silent;
    }

    fn append(&mut self, proc: ProcId, edge: Edge, origin: Origin) {
        let callee = graph::callee(&edge);
        let id = self.program.add_edge(proc, edge.from, edge.to, edge.op, edge.span);
        self.origins[proc.index()].push(origin);
        if let Some(callee) = callee {
            self.calls[callee.index()].push(id);
        }
    }

    /// New locations for those of a body, in the order in which it names them.
    fn copy_locations(&mut self, body: &Procedure) -> FxHashMap<Loc, Loc> {
        let mut copies = FxHashMap::default();
        let name: Arc<str> = body.name.as_str().into();
        let ends = body.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        for old in [body.entry, body.exit].into_iter().chain(ends) {
            if copies.contains_key(&old) {
                continue;
            }
            let new = Loc::new(self.program.locs.len());
            let mut location = self.program.locs[old.index()].clone();
            // What was copied into the body before belongs to another one.
            location.body.get_or_insert_with(|| name.clone());
            self.program.locs.push(location);
            copies.insert(old, new);
            if let Some(properties) = self.named.get(&old).cloned() {
                for property in &properties {
                    self.program.errors[property.index()].locs.push(new);
                }
                self.named.insert(new, properties);
            }
        }
        copies
    }

    /// New locals of the caller for the variables of a body.
    fn copy_variables(&mut self, caller: ProcId, body: &Procedure, first: Loc) -> FxHashMap<Var, Var> {
        let prefix = format!("{}::", body.name);
        let mut copies = FxHashMap::default();
        for var in body.vars() {
            let name = self.terms.name(var);
            let own = name.strip_prefix(&prefix).unwrap_or(name);
            let name = format!("{}::{}@{}::{own}", self.program.proc(caller).name, body.name, first.index());
            let sort = self.terms.var_sort(var).clone();
            let copy = self.variable(name, sort);
            self.program.procs[caller.index()].locals.push(copy);
            copies.insert(var, copy);
        }
        copies
    }

    /// The variable of that name, declared by an earlier expansion or now; primed, if the name
    /// is taken by a variable of another sort or of the program.
    fn variable(&mut self, mut name: String, sort: Sort) -> Var {
        let var = loop {
            match self.terms.find_var(&name) {
                None => break self.terms.declare(&name, sort),
                Some(var) if *self.terms.var_sort(var) == sort && !self.used.contains(&var) => break var,
                Some(_) => name.push('\''),
            }
        };
        self.used.insert(var);
        var
    }

    /// The terms of a body with its variables renamed.
    fn rename(&mut self, body: &Procedure, vars: &FxHashMap<Var, Var>) -> FxHashMap<Term, Term> {
        let roots: Vec<Term> = body.edges.iter().flat_map(|edge| edge.op.terms()).collect();
        let map: FxHashMap<Var, Term> = body.vars().map(|var| (var, self.terms.var(vars[&var]))).collect();
        let renamed = self.terms.substitute_all(&roots, &map);
        roots.into_iter().zip(renamed).collect()
    }
}

/// An operation of a body, with its variables and terms renamed.
fn copy_op(op: &Op, vars: &FxHashMap<Var, Var>, renamed: &FxHashMap<Term, Term>) -> Op {
    let var = |var: &Var| vars.get(var).copied().unwrap_or(*var);
    match op {
        Op::Assume(condition) => Op::Assume(renamed[condition]),
        Op::Assign(pairs) => Op::Assign(pairs.iter().map(|(target, value)| (var(target), renamed[value])).collect()),
        Op::Havoc(vars) => Op::Havoc(vars.iter().map(var).collect()),
        Op::Call { callee, args, results } => Op::Call {
            callee: *callee,
            args: args.iter().map(|arg| renamed[arg]).collect(),
            results: results.iter().map(var).collect(),
        },
    }
}

/// The way back from an expanded program.
struct Inlined {
    original: Program,
    origins: EdgeMap<Origin>,
    procs: Vec<ProcId>,
}

impl Inlined {
    /// How many inputs an edge of the original has. Those of its copies begin with the same
    /// ones: variables of further copies come after them.
    fn inputs(&self, edge: EdgeId) -> usize {
        match &self.original.edge(edge).op {
            Op::Assume(_) | Op::Assign(_) => 0,
            Op::Havoc(vars) => vars.len(),
            Op::Call { callee, .. } => self.original.proc(*callee).inputs().count(),
        }
    }
}

impl Back for Inlined {
    fn trace(&self, terms: &Terms, trace: Trace) -> Trace {
        let mut replay = Replay::new(terms, &self.original, &trace.start);
        for step in trace.steps {
            replay.step(match step.action {
                Action::Return => Action::Return,
                Action::Take { edge, mut inputs } => match self.origins.get(edge) {
                    Some(Origin::Silent) => continue,
                    Some(Origin::Return) => Action::Return,
                    None => Action::Take { edge: no_edge(edge), inputs },
                    Some(Origin::Take(old)) => {
                        inputs.truncate(self.inputs(*old));
                        Action::Take { edge: *old, inputs }
                    }
                },
            });
        }
        replay.finish()
    }

    fn proof(&self, _terms: &mut Terms, mut proof: Proof) -> Proof {
        proof.inlined.splice(0..0, self.procs.iter().copied());
        proof
    }
}
