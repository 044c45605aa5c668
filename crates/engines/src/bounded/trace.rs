//! The way back: what was unrolled, and the run that a model is.
//!
//! Every place that was visited is a stop; the ways that leave it say which edge they take and
//! which inputs stand for what is chosen there. With values for the inputs there is one run, and
//! the interpreter follows it.

use rustc_hash::FxHashMap;
use tamis_cegar::Outcome;
use tamis_ir::{Action, EdgeId, Interpreter, Loc, Op, Program, Refusal, Step, Trace};
use tamis_term::{Terms, Value, Var};

/// A place that was visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stop(u32);

/// What leads on from a stop.
pub(super) struct Way {
    /// The edge, or nothing if a procedure returns.
    pub(super) edge: Option<EdgeId>,
    /// The input that says that this way is taken and none after it.
    pub(super) selector: Option<Var>,
    /// For variables that get a value, the input that it is.
    pub(super) chosen: Vec<(Var, Var)>,
}

/// All that was unrolled.
#[derive(Default)]
pub(super) struct History {
    /// By stop: the ways that leave it, and where they lead.
    ways: Vec<Vec<(Way, Stop)>>,
    /// The inputs that the start values are.
    pub(super) start: Vec<(Var, Var)>,
}

impl History {
    /// One more stop.
    pub(super) fn stop(&mut self) -> Stop {
        self.ways.push(Vec::new());
        Stop(u32::try_from(self.ways.len() - 1).expect("fewer than 2^32 places"))
    }

    /// How many stops there are.
    pub(super) fn len(&self) -> usize {
        self.ways.len()
    }

    /// One more way from a stop; the order of ways counts.
    pub(super) fn lead(&mut self, from: Stop, way: Way, to: Stop) {
        self.ways[from.0 as usize].push((way, to));
    }

    /// The run from the first stop to a goal with these inputs.
    pub(super) fn trace(
        &self,
        terms: &Terms,
        program: &Program,
        goals: &[Loc],
        value: &dyn Fn(Var) -> Value,
    ) -> Outcome<Trace> {
        let mut interpreter = Interpreter::new(terms, program);
        let lookup = |chosen: &[(Var, Var)], vars: Vec<Var>| -> Vec<Value> {
            let inputs: FxHashMap<Var, Var> = chosen.iter().copied().collect();
            let find = |var: &Var| {
                inputs.get(var).map_or_else(|| Value::default_of(terms.var_sort(*var)), |input| value(*input))
            };
            vars.iter().map(find).collect()
        };
        let vars = interpreter.start_vars();
        let start = lookup(&self.start, vars.clone());
        let refused = |why: Refusal| tamis_cegar::Stop::refused("a model is no run", &why);
        let mut config = interpreter.start(start.clone()).map_err(refused)?;
        let (mut at, mut steps) = (Stop(0), Vec::new());
        while !goals.contains(&config.loc()) {
            let ways = &self.ways[at.0 as usize];
            let taken = ways.iter().find(|(way, _)| match (way.selector, way.edge) {
                (Some(selector), _) => value(selector).as_bool(),
                (None, None) => true,
                (None, Some(edge)) => match program.edge(edge).op {
                    Op::Assume(_) => !interpreter.blocks(&config, edge),
                    Op::Assign(_) | Op::Havoc(_) | Op::Call { .. } => true,
                },
            });
            let (way, to) = taken.ok_or_else(|| tamis_cegar::Stop::Failed("a model leads nowhere".into()))?;
            let action = match way.edge {
                None => Action::Return,
                Some(edge) => Action::Take { edge, inputs: lookup(&way.chosen, interpreter.inputs(edge)) },
            };
            let writes = interpreter.step(&mut config, &action).map_err(refused)?;
            steps.push(Step { action, writes });
            at = *to;
        }
        Ok(Trace { start: vars.into_iter().zip(start).collect(), steps })
    }
}
