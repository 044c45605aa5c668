//! A trace of a system's program as frames: the state at the beginning of each step, and the inputs.

use super::{head, signals};
use std::collections::BTreeMap;
use tamis_ir::{Action, Program, Trace};
use tamis_term::{Value, Var};

/// A run into a bad state.
#[derive(Clone, Debug)]
pub struct Run {
    /// The position of the bad condition that is true in the last frame.
    pub bad: usize,
    /// The frames, at least one.
    pub frames: Vec<Frame>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The values of the state variables, in the order of the description.
    pub state: Vec<Value>,
    /// The values of the inputs, in the order of the description.
    pub inputs: Vec<Value>,
}

impl Run {
    /// The frames of a trace.
    ///
    /// # Errors
    /// If the program is no circuit, or the trace none of it.
    pub fn new(program: &Program, trace: &Trace) -> Result<Run, String> {
        let signals = signals(program)?;
        let no_run = || "the trace is no run of the circuit".to_owned();
        let head = head(program).ok_or_else(no_run)?;
        let mut values: BTreeMap<Var, &Value> = trace.start.iter().map(|(var, value)| (*var, value)).collect();
        let read = |values: &BTreeMap<Var, &Value>, vars: &[Var]| -> Result<Vec<Value>, String> {
            vars.iter().map(|var| values.get(var).map(|value| (*value).clone()).ok_or_else(no_run)).collect()
        };
        let mut frames: Vec<Frame> = Vec::new();
        for step in &trace.steps {
            values.extend(step.writes.iter().map(|(var, value)| (*var, value)));
            let Action::Take { edge, .. } = &step.action else { return Err(no_run()) };
            if program.edge(*edge).to == head {
                // Inputs are chosen behind the head, so they are still those of the step before.
                if let Some(last) = frames.last_mut() {
                    last.inputs = read(&values, &signals.inputs)?;
                }
                frames.push(Frame { state: read(&values, &signals.state)?, inputs: Vec::new() });
            }
        }
        frames.last_mut().ok_or_else(no_run)?.inputs = read(&values, &signals.inputs)?;
        let last = trace.last(program);
        let bad = signals.bads.iter().position(|bad| program.property(*bad).locs.contains(&last)).ok_or_else(no_run)?;
        Ok(Run { bad, frames })
    }
}
