//! The check of a trace: the interpreter replays it, value by value, into an error. Nothing
//! that decides where it goes may come from what the front end could not model.

use crate::check::Check;
use crate::taint;
use tamis_ir::{Interpreter, Program, PropertyId, Refusal, Trace};
use tamis_solver::StopSignal;
use tamis_term::Terms;

/// How many steps are replayed between two looks at the stop signal.
const POLL: usize = 1 << 12;

pub(crate) fn check(
    terms: &Terms,
    program: &Program,
    property: PropertyId,
    trace: &Trace,
    stop: &StopSignal,
) -> Result<(), Check> {
    let reject = |at: usize, why: String| Err(Check::Rejected(format!("at step {at} of the trace, {why}")));
    let mut interpreter = Interpreter::new(terms, program);
    let vars: Vec<_> = trace.start.iter().map(|(var, _)| *var).collect();
    if vars != interpreter.start_vars() {
        return reject(0, "the start values are not those of the globals and of main's variables".into());
    }
    let values = trace.start.iter().map(|(_, value)| value.clone()).collect();
    let mut config = match interpreter.start(values) {
        Ok(config) => config,
        Err(refusal) => return reject(0, refusal.to_string()),
    };
    for (at, step) in (1..).zip(&trace.steps) {
        if at % POLL == 0 && stop.is_set() {
            return Err(Check::Undecided("interrupted".into()));
        }
        let writes = match interpreter.step(&mut config, &step.action) {
            Ok(writes) => writes,
            Err(refusal @ Refusal::TooLong) => return Err(Check::Undecided(refusal.to_string())),
            Err(refusal) => return reject(at, refusal.to_string()),
        };
        if writes != step.writes {
            let wrong = writes.iter().zip(&step.writes).find(|(real, told)| real != told);
            let what =
                wrong.map_or("the list of written variables".into(), |((var, _), _)| terms.name(*var).to_owned());
            return reject(at, format!("the value of {what} is wrong"));
        }
    }
    if !program.property(property).locs.contains(&config.loc()) {
        return reject(trace.steps.len(), "the run does not end at an error".into());
    }
    match taint::dependence(terms, program, trace) {
        Some(what) => Err(Check::Rejected(format!("it depends on what is not modelled: {what}"))),
        None => Ok(()),
    }
}
