//! Breadth-first search over all states of a machine, by evaluation alone: it shares nothing with
//! engines, extraction or solvers.

use super::generate::LIMIT;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use tamis_ir::Machine;
use tamis_term::{Sort, Term, Terms, Value, Var};

/// Whether a bad condition becomes true, and after how many steps at the earliest.
#[must_use]
pub fn first_bad(terms: &Terms, machine: &Machine) -> Option<u64> {
    let states = all(terms, &machine.state);
    // Inputs, next values of the relation, and next values of variables that nothing is said about.
    let chosen: Vec<Var> = machine.inputs.iter().copied().chain(machine.next.iter().map(|(_, next)| *next)).collect();
    let free: Vec<Var> = machine.state.iter().copied().filter(|var| is_free(machine, *var)).collect();
    let choices = all(terms, &[chosen.as_slice(), &free].concat());
    let mut seen: FxHashSet<Vec<Value>> = FxHashSet::default();
    let mut waiting = VecDeque::new();
    for values in &states {
        let state = bind(&machine.state, values);
        let fits = |(var, term): &(Var, Term)| eval(terms, *term, &state) == state[var];
        let start = machine.init.iter().all(fits) && eval(terms, machine.start, &state).as_bool();
        if start && seen.insert(values.clone()) {
            waiting.push_back((values.clone(), 0));
        }
    }
    while let Some((values, depth)) = waiting.pop_front() {
        for choice in &choices {
            let mut known = bind(&machine.state, &values);
            known.extend(bind(&chosen, choice));
            let arbitrary = bind(&free, &choice[chosen.len()..]);
            if !eval(terms, machine.constraint, &known).as_bool() {
                continue;
            }
            if machine.bads.iter().any(|bad| eval(terms, bad.condition, &known).as_bool()) {
                return Some(depth);
            }
            if !eval(terms, machine.relation, &known).as_bool() {
                continue;
            }
            let next = |var: &Var| arbitrary.get(var).cloned().unwrap_or_else(|| next(terms, machine, *var, &known));
            let after: Vec<Value> = machine.state.iter().map(next).collect();
            // Beyond the bounds there is neither a bad state nor a way back.
            if seen.insert(after.clone()) {
                waiting.push_back((after, depth + 1));
            }
        }
    }
    None
}

/// Whether nothing is said about a variable's next value.
fn is_free(machine: &Machine, var: Var) -> bool {
    machine.update.iter().all(|(updated, _)| *updated != var) && machine.next.iter().all(|(now, _)| *now != var)
}

/// The next value of a variable that something is said about.
fn next(terms: &Terms, machine: &Machine, var: Var, known: &FxHashMap<Var, Value>) -> Value {
    let update = machine.update.iter().find(|(updated, _)| *updated == var);
    let related = machine.next.iter().find(|(now, _)| *now == var);
    match (update, related) {
        (Some((_, term)), _) => eval(terms, *term, known),
        (None, Some((_, next))) => known[next].clone(),
        (None, None) => unreachable!("it is free"),
    }
}

fn eval(terms: &Terms, term: Term, known: &FxHashMap<Var, Value>) -> Value {
    terms.eval(term, |var| known[&var].clone())
}

fn bind(vars: &[Var], values: &[Value]) -> FxHashMap<Var, Value> {
    vars.iter().copied().zip(values.iter().cloned()).collect()
}

/// All combinations of values.
fn all(terms: &Terms, vars: &[Var]) -> Vec<Vec<Value>> {
    let mut found = vec![Vec::new()];
    for var in vars {
        let values: Vec<Value> = match terms.var_sort(*var) {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::BitVec(width) => (0..1 << width).map(|value| Value::bv(*width, value)).collect(),
            Sort::Int | Sort::Real | Sort::Array(_) => (0..=LIMIT).map(Value::int).collect(),
        };
        found = found
            .iter()
            .flat_map(|row| values.iter().map(|value| [row.as_slice(), std::slice::from_ref(value)].concat()))
            .collect();
    }
    found
}
