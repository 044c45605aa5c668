//! Running an AIGER witness, as `aigsim -w` does: `x` stands for 0.

use super::Aiger;
use crate::{Failure, Shown};

/// Runs a witness.
///
/// # Errors
/// Says what is wrong with it.
pub fn run(circuit: &Aiger, witness: &str, stop: &dyn Fn() -> bool) -> Result<Shown, Failure> {
    let malformed = |what: &str| Failure::Malformed(what.to_owned());
    let rejected = |what: String| Err(Failure::Rejected(what));
    let circuit = &circuit.dense();
    let mut lines = witness.lines().filter(|line| !line.starts_with('c'));
    if lines.next() != Some("1") {
        return Err(malformed("the first line of a witness is 1"));
    }
    let property = lines.next().unwrap_or_default();
    let number = property.strip_prefix('b').and_then(|number| number.parse::<usize>().ok());
    let bad = number.ok_or_else(|| malformed("the second line names one bad signal, like b0"))?;
    let Some(target) = circuit.targets().get(bad).copied() else {
        return rejected(format!("the circuit has no bad signal {bad}"));
    };
    let mut state = bits(lines.next(), circuit.latches.len())?;
    let mut values = vec![false; circuit.max_var() as usize + 1];
    let mut frames = 0;
    let mut reached = false;
    loop {
        let line = lines.next().ok_or_else(|| malformed("the last line of a witness is a point"))?;
        if line == "." {
            break;
        }
        let inputs = bits(Some(line), circuit.inputs.len())?;
        evaluate(circuit, &state, &inputs, &mut values);
        let value = |literal: u32| values[literal as usize / 2] != (literal % 2 == 1);
        if frames == 0
            && let Some(wrong) = circuit.latches.iter().position(|latch| value(latch.literal) != value(latch.reset))
        {
            return rejected(format!("latch {wrong} does not start like that"));
        }
        if let Some(wrong) = circuit.constraints.iter().position(|constraint| !value(*constraint)) {
            return rejected(format!("constraint {wrong} does not hold in step {frames}"));
        }
        reached = value(target);
        state = circuit.latches.iter().map(|latch| value(latch.next)).collect();
        frames += 1;
        if stop() {
            return Err(Failure::Stopped);
        }
    }
    if lines.any(|line| !line.is_empty()) {
        return Err(malformed("there is more behind the end of the witness"));
    }
    if !reached {
        return rejected(format!("bad signal {bad} is not true in the last step"));
    }
    Ok(Shown::Unsafe { bad, frames })
}

fn bits(line: Option<&str>, count: usize) -> Result<Vec<bool>, Failure> {
    let line = line.ok_or_else(|| Failure::Malformed("it ends too early".into()))?;
    if line.len() != count || !line.bytes().all(|byte| matches!(byte, b'0' | b'1' | b'x')) {
        return Err(Failure::Malformed(format!("the line {line:?} should have {count} characters 0, 1 or x")));
    }
    Ok(line.bytes().map(|byte| byte == b'1').collect())
}

fn evaluate(circuit: &Aiger, state: &[bool], inputs: &[bool], values: &mut [bool]) {
    values[0] = false;
    for (literal, value) in circuit.inputs.iter().zip(inputs) {
        values[*literal as usize / 2] = *value;
    }
    for (latch, value) in circuit.latches.iter().zip(state) {
        values[latch.literal as usize / 2] = *value;
    }
    for [literal, left, right] in &circuit.gates {
        let value = |literal: &u32| values[*literal as usize / 2] != (literal % 2 == 1);
        values[*literal as usize / 2] = value(left) && value(right);
    }
}
