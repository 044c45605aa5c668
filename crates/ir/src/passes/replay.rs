//! Replays a translated trace on the program that a pass started from, because the values that
//! the steps write are only known by carrying them out.

use crate::evidence::{Action, Step, Trace};
use crate::interpreter::{Config, Interpreter};
use crate::program::{EdgeId, Loc, Program};
use rustc_hash::FxHashMap;
use tamis_term::{Terms, Value, Var};

/// A run of a program that is recorded as a trace.
///
/// A step that the program refuses is recorded as it is, like all that follow: the trace given
/// to the pass was no run, and whoever checks the result finds the same step refused.
#[derive(Debug)]
pub struct Replay<'p> {
    terms: &'p Terms,
    program: &'p Program,
    interpreter: Interpreter<'p>,
    /// Where the run is, as long as no step was refused.
    config: Option<Config>,
    trace: Trace,
}

impl<'p> Replay<'p> {
    /// Starts with the given values, and with default ones for variables not given.
    #[must_use]
    pub fn new(terms: &'p Terms, program: &'p Program, given: &[(Var, Value)]) -> Replay<'p> {
        let interpreter = Interpreter::new(terms, program);
        let vars = interpreter.start_vars();
        let values = complete(terms, &vars, given.iter().map(|(var, value)| (*var, value)));
        let config = interpreter.start(values.clone()).ok();
        let trace = Trace { start: vars.into_iter().zip(values).collect(), steps: Vec::new() };
        Replay { terms, program, interpreter, config, trace }
    }

    /// Does one step.
    pub fn step(&mut self, action: Action) {
        let done = self.config.as_mut().map(|config| self.interpreter.step(config, &action));
        let writes = if let Some(Ok(writes)) = done {
            writes
        } else {
            self.config = None;
            Vec::new()
        };
        self.trace.steps.push(Step { action, writes });
    }

    /// Takes an edge of the program with the given values for its inputs, and default ones for
    /// inputs not given.
    pub fn take<'v>(&mut self, edge: EdgeId, given: impl IntoIterator<Item = (Var, &'v Value)>) {
        let exists = self.program.procs.get(edge.proc.index()).is_some_and(|p| p.edges.len() > edge.index as usize);
        let vars = if exists { self.interpreter.inputs(edge) } else { Vec::new() };
        let inputs = complete(self.terms, &vars, given);
        self.step(Action::Take { edge, inputs });
    }

    /// Goes from one location to another by the first edge that can be taken wherever there
    /// are several. The caller knows that such a walk ends, and where.
    pub fn walk(&mut self, from: Loc, to: Loc) {
        if self.config.as_ref().is_none_or(|config| config.loc() != from) {
            self.config = None;
        }
        while let Some(config) = self.config.as_ref().filter(|config| config.loc() != to) {
            let edges = self.interpreter.out_edges(config.loc()).to_vec();
            match edges.into_iter().find(|edge| !self.interpreter.blocks(config, *edge)) {
                Some(edge) => self.take(edge, []),
                None => self.config = None,
            }
        }
    }

    /// The trace.
    #[must_use]
    pub fn finish(self) -> Trace {
        self.trace
    }
}

/// The values of `vars`: those given, and default ones for the rest.
fn complete<'v>(terms: &Terms, vars: &[Var], given: impl IntoIterator<Item = (Var, &'v Value)>) -> Vec<Value> {
    let given: FxHashMap<Var, &Value> = given.into_iter().collect();
    let value = |var: &Var| given.get(var).map_or_else(|| Value::default_of(terms.var_sort(*var)), |v| (*v).clone());
    vars.iter().map(value).collect()
}
