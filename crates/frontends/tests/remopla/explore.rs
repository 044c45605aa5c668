//! Explicit exploration of small programs: which locations can be reached?
//!
//! A value that was never chosen is chosen where it is first read, so that helpers and
//! variables that do not matter cost nothing. Of endless sorts some values are tried.

use std::collections::{BTreeSet, HashSet};
use tamis_ir::{Edge, Loc, Op, ProcId, Program};
use tamis_term::{Sort, Term, Terms, Value, Var};

/// Calls nest no deeper; what is beyond is not explored.
const DEPTH: usize = 4;

/// The values that are tried where any is possible.
pub type Values = fn(&Sort) -> Vec<Value>;

/// All of a finite sort.
pub fn all(sort: &Sort) -> Vec<Value> {
    tamis_term::value::values(sort).collect()
}

type Store = Vec<(Var, Value)>;

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    proc: ProcId,
    loc: Loc,
    globals: Store,
    locals: Store,
    /// Where to return to: the caller, its edge, its variables.
    stack: Vec<(ProcId, usize, Store)>,
}

impl State {
    fn get(&self, var: Var) -> Option<&Value> {
        let found = self.globals.iter().chain(&self.locals).find(|(other, _)| *other == var);
        found.map(|(_, value)| value)
    }

    fn set(&mut self, program: &Program, var: Var, value: Option<Value>) {
        let store = if program.globals.contains(&var) { &mut self.globals } else { &mut self.locals };
        store.retain(|(other, _)| *other != var);
        store.extend(value.map(|value| (var, value)));
        store.sort();
    }
}

/// The locations that some run reaches, or `None` if there are more than `limit` states.
pub fn reachable(terms: &Terms, program: &Program, limit: usize, values: Values) -> Option<BTreeSet<Loc>> {
    let main = program.proc(program.main);
    let start = State { proc: program.main, loc: main.entry, globals: vec![], locals: vec![], stack: vec![] };
    let mut seen: HashSet<State> = HashSet::from([start.clone()]);
    let mut work = vec![start];
    let mut found = BTreeSet::new();
    while let Some(state) = work.pop() {
        found.insert(state.loc);
        for next in successors(terms, program, &state, values) {
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(found)
}

fn successors(terms: &Terms, program: &Program, state: &State, values: Values) -> Vec<State> {
    let procedure = program.proc(state.proc);
    if state.loc == procedure.exit {
        return give_back(program, state);
    }
    let edges = procedure.edges.iter().enumerate().filter(|(_, edge)| edge.from == state.loc);
    edges.flat_map(|(index, edge)| take(terms, program, state, (index, edge), values)).collect()
}

fn give_back(program: &Program, state: &State) -> Vec<State> {
    let mut next = state.clone();
    let Some((proc, index, locals)) = next.stack.pop() else { return vec![] };
    let edge = &program.proc(proc).edges[index];
    let Op::Call { callee, results, .. } = &edge.op else { unreachable!("a call") };
    (next.proc, next.loc, next.locals) = (proc, edge.to, locals);
    for (from, to) in program.proc(*callee).results.iter().zip(results) {
        next.set(program, *to, state.get(*from).cloned());
    }
    vec![next]
}

/// The state with values for all variables that the terms read, in every way.
fn complete(terms: &Terms, program: &Program, state: &State, roots: &[Term], values: Values) -> Vec<State> {
    let mut states = vec![state.clone()];
    for var in terms.free_vars(roots) {
        if state.get(var).is_none() {
            let choose = |state: State| {
                values(terms.var_sort(var)).into_iter().map(move |value| {
                    let mut state = state.clone();
                    state.set(program, var, Some(value));
                    state
                })
            };
            states = states.into_iter().flat_map(choose).collect();
        }
    }
    states
}

fn eval(terms: &Terms, state: &State, term: Term) -> Value {
    terms.eval(term, |var| state.get(var).expect("a chosen value").clone())
}

fn take(terms: &Terms, program: &Program, state: &State, (index, edge): (usize, &Edge), values: Values) -> Vec<State> {
    let roots: Vec<Term> = match &edge.op {
        Op::Assume(condition) => vec![*condition],
        Op::Assign(pairs) => pairs.iter().map(|(_, value)| *value).collect(),
        Op::Havoc(_) => vec![],
        Op::Call { args, .. } => args.clone(),
    };
    let mut result = Vec::new();
    for state in complete(terms, program, state, &roots, values) {
        let mut next = state.clone();
        next.loc = edge.to;
        match &edge.op {
            Op::Assume(condition) => {
                if !eval(terms, &state, *condition).as_bool() {
                    continue;
                }
            }
            Op::Assign(pairs) => {
                for (var, value) in pairs {
                    next.set(program, *var, Some(eval(terms, &state, *value)));
                }
            }
            Op::Havoc(vars) => vars.iter().for_each(|var| next.set(program, *var, None)),
            Op::Call { callee, args, .. } => {
                if state.stack.len() >= DEPTH {
                    continue;
                }
                next.stack.push((state.proc, index, state.locals.clone()));
                (next.proc, next.loc, next.locals) = (*callee, program.proc(*callee).entry, vec![]);
                for (param, arg) in program.proc(*callee).params.iter().zip(args) {
                    next.set(program, *param, Some(eval(terms, &state, *arg)));
                }
            }
        }
        result.push(next);
    }
    result
}

/// The names of the properties that can be reached.
pub fn reached<'p>(terms: &Terms, program: &'p Program, limit: usize, values: Values) -> Option<BTreeSet<&'p str>> {
    let locs = reachable(terms, program, limit, values)?;
    let reached = program.errors.iter().filter(|property| property.locs.iter().any(|loc| locs.contains(loc)));
    Some(reached.map(|property| property.name.as_str()).collect())
}
