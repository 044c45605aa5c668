//! Running a BTOR2 witness, as `btorsim -c` does.

use super::eval::{Frame, zero};
use super::read::{Circuit, Kind};
use super::value::Value;
use crate::{Failure, Shown};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// What a witness assigns in one frame: by position, words and elements of arrays, in order.
type Assigned<'a> = BTreeMap<usize, Vec<(Option<&'a str>, &'a str)>>;

#[derive(Default)]
struct Given<'a> {
    states: Assigned<'a>,
    inputs: Assigned<'a>,
}

/// Runs a witness.
///
/// # Errors
/// Says what is wrong with it.
pub fn run(circuit: &Circuit, witness: &str, stop: &dyn Fn() -> bool) -> Result<Shown, Failure> {
    let (bad, frames) = parse(witness)?;
    if bad >= circuit.bads.len() {
        return Err(Failure::Rejected(format!("the circuit has no bad condition {bad}")));
    }
    let mut state = initial(circuit, &frames[0])?;
    let mut reached = false;
    for (number, given) in frames.iter().enumerate() {
        let inputs = circuit.inputs.iter().enumerate().map(|(position, node)| {
            assigned(&given.inputs, position, circuit.nodes[*node].kind)
                .map(|found| found.unwrap_or_else(|| zero(circuit.nodes[*node].kind)))
        });
        let inputs = inputs.collect::<Result<Vec<Value>, Failure>>()?;
        let frame = Frame::new(circuit, &state, &inputs);
        if let Some(wrong) = frame.broken() {
            return Err(Failure::Rejected(format!("constraint {wrong} does not hold in step {number}")));
        }
        reached = frame.bads()[bad];
        if let Some(given) = frames.get(number + 1) {
            state = following(circuit, &frame, given, number + 1)?;
        }
        if stop() {
            return Err(Failure::Stopped);
        }
    }
    if !reached {
        return Err(Failure::Rejected(format!("bad condition {bad} is not true in the last step")));
    }
    Ok(Shown::Unsafe { bad, frames: frames.len() })
}

/// The state at the start: what the witness says where there is no initial value, which may depend
/// on such states.
fn initial(circuit: &Circuit, given: &Given<'_>) -> Result<Vec<Value>, Failure> {
    let mut state: Vec<Value> = circuit.states.iter().map(|state| zero(circuit.nodes[state.node].kind)).collect();
    let inputs: Vec<Value> = circuit.inputs.iter().map(|node| zero(circuit.nodes[*node].kind)).collect();
    for (position, (value, line)) in state.iter_mut().zip(&circuit.states).enumerate() {
        if let Some(given) = assigned(&given.states, position, circuit.nodes[line.node].kind)? {
            *value = given;
        }
    }
    let claimed = state.clone();
    for position in 0..state.len() {
        // An initial value reads only states that come before in the file.
        if circuit.states[position].init.is_some()
            && let Some(value) = Frame::new(circuit, &state, &inputs).initial(position)
        {
            if given.states.contains_key(&position) && claimed[position] != value {
                return Err(Failure::Rejected(format!("state {position} does not start like that")));
            }
            state[position] = value;
        }
    }
    Ok(state)
}

/// The state after a step: what the witness says where there is no next value.
fn following(circuit: &Circuit, frame: &Frame<'_>, given: &Given<'_>, number: usize) -> Result<Vec<Value>, Failure> {
    let mut state = Vec::new();
    for (position, next) in frame.next().into_iter().enumerate() {
        let kind = circuit.nodes[circuit.states[position].node].kind;
        let claimed = assigned(&given.states, position, kind)?;
        state.push(match (next, claimed) {
            (Some(next), Some(claimed)) if next != claimed => {
                return Err(Failure::Rejected(format!("state {position} has another value in step {number}")));
            }
            (Some(next), _) => next,
            (None, claimed) => claimed.unwrap_or_else(|| zero(kind)),
        });
    }
    Ok(state)
}

/// The value that a witness assigns, if it does.
fn assigned(assigned: &Assigned<'_>, position: usize, kind: Kind) -> Result<Option<Value>, Failure> {
    let Some(list) = assigned.get(&position) else { return Ok(None) };
    let bits = |text: &str, width: u32| {
        let proper = text.len() == width as usize && text.bytes().all(|byte| matches!(byte, b'0' | b'1' | b'x'));
        let wrong = || Failure::Malformed(format!("{text} should be {width} bits"));
        let zeros = text.replace('x', "0");
        if proper { BigUint::parse_bytes(zeros.as_bytes(), 2).ok_or_else(wrong) } else { Err(wrong()) }
    };
    let mut value = zero(kind);
    for (index, text) in list {
        value = match (kind, index) {
            (Kind::Word(width), None) => Value::Word(bits(text, width)?),
            (Kind::Array(_, element), Some("*")) => {
                Value::Array { otherwise: bits(text, element)?, cells: BTreeMap::new() }
            }
            (Kind::Array(width, element), Some(index)) => value.with(bits(index, width)?, bits(text, element)?),
            (Kind::Word(_), Some(_)) | (Kind::Array(..), None) => {
                return Err(Failure::Malformed(format!("the assignment {text} is of another sort")));
            }
        };
    }
    Ok(Some(value))
}

/// The bad condition and the frames of a witness.
fn parse(witness: &str) -> Result<(usize, Vec<Given<'_>>), Failure> {
    let wrong = |line: &str| Failure::Malformed(format!("the line {line:?} is not expected"));
    let mut lines = witness.lines().filter(|line| !line.trim().is_empty() && !line.starts_with(';'));
    if lines.next() != Some("sat") {
        return Err(Failure::Malformed("the first line of a witness is sat".into()));
    }
    let property = lines.next().unwrap_or_default();
    let bad =
        property.strip_prefix('b').and_then(|number| number.trim().parse().ok()).ok_or_else(|| wrong(property))?;
    let mut frames: Vec<Given<'_>> = Vec::new();
    let mut of_inputs = false;
    for line in lines.by_ref() {
        if line == "." {
            if frames.is_empty() {
                return Err(Failure::Malformed("there is no frame".into()));
            }
            return Ok((bad, frames));
        }
        if let Some(number) = line.strip_prefix(['#', '@']) {
            let number: usize = number.trim().parse().map_err(|_| wrong(line))?;
            of_inputs = line.starts_with('@');
            if number == frames.len() {
                frames.push(Given::default());
            } else if number + 1 != frames.len() || !of_inputs {
                return Err(wrong(line));
            }
            continue;
        }
        let frame = frames.last_mut().ok_or_else(|| wrong(line))?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let position: usize = words.first().and_then(|word| word.parse().ok()).ok_or_else(|| wrong(line))?;
        let index = words.get(1).and_then(|word| word.strip_prefix('[')?.strip_suffix(']'));
        let value = *words.get(1 + usize::from(index.is_some())).ok_or_else(|| wrong(line))?;
        let assigned = if of_inputs { &mut frame.inputs } else { &mut frame.states };
        let list = assigned.entry(position).or_default();
        if index.is_none() && !list.is_empty() {
            return Err(Failure::Malformed(format!("the line {line:?} assigns a second time")));
        }
        list.push((index, value));
    }
    Err(Failure::Malformed("the last line of a witness is a point".into()))
}
