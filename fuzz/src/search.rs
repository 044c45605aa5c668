//! What the interpreter finds by trying everything, breadth first, within bounds.

use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use tamis_ir::{Action, Config, Interpreter, Program, PropertyId};
use tamis_term::value::values;
use tamis_term::{Terms, Value, Var};

/// How far to look.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many configurations to visit.
    pub configs: usize,
    /// How deep the call stack may grow.
    pub depth: usize,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// An error, by a run of this many steps; none is shorter, unless calls deeper than the
    /// bound were cut off before.
    Error {
        /// The steps.
        steps: usize,
        /// Whether it is certain that no run is shorter.
        shortest: bool,
    },
    /// Everything was visited: there is no error.
    Nothing,
    /// The bounds were reached first.
    Bounded,
}

/// Searches for an error of the property.
///
/// # Panics
/// If a variable's sort is infinite.
#[must_use]
pub fn search(terms: &Terms, program: &Program, property: PropertyId, bounds: Bounds) -> Found {
    let goals = &program.property(property).locs;
    let mut interpreter = Interpreter::new(terms, program);
    let mut seen: FxHashSet<Config> = FxHashSet::default();
    let mut queue: VecDeque<(Config, usize)> = VecDeque::new();
    for start in valuations(terms, &interpreter.start_vars()) {
        let config = interpreter.start(start).expect("values of the variables' sorts");
        if seen.insert(config.clone()) {
            queue.push_back((config, 0));
        }
    }
    let mut cut = false;
    while let Some((config, steps)) = queue.pop_front() {
        if goals.contains(&config.loc()) {
            return Found::Error { steps, shortest: !cut };
        }
        if seen.len() > bounds.configs {
            return Found::Bounded;
        }
        let actions = actions(terms, &mut interpreter, program, &config);
        for action in actions {
            let mut next = config.clone();
            if interpreter.step(&mut next, &action).is_err() {
                continue;
            }
            if next.depth() > bounds.depth {
                cut = true;
            } else if seen.insert(next.clone()) {
                queue.push_back((next, steps + 1));
            }
        }
    }
    if cut { Found::Bounded } else { Found::Nothing }
}

/// Every action that can be tried in a configuration.
fn actions(terms: &Terms, interpreter: &mut Interpreter<'_>, program: &Program, config: &Config) -> Vec<Action> {
    if config.loc() == program.proc(config.proc()).exit {
        return vec![Action::Return];
    }
    let edges = interpreter.out_edges(config.loc()).to_vec();
    let open = edges.into_iter().filter(|edge| !interpreter.blocks(config, *edge)).collect::<Vec<_>>();
    let choices = |edge| {
        valuations(terms, &interpreter.inputs(edge)).into_iter().map(move |inputs| Action::Take { edge, inputs })
    };
    open.into_iter().flat_map(choices).collect()
}

/// All valuations of the variables.
fn valuations(terms: &Terms, vars: &[Var]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for var in vars {
        let mut more = Vec::new();
        for value in values(terms.var_sort(*var)) {
            more.extend(
                all.iter().map(|chosen: &Vec<Value>| [chosen.as_slice(), std::slice::from_ref(&value)].concat()),
            );
        }
        all = more;
    }
    all
}
