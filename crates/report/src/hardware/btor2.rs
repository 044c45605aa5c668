//! BTOR2 witnesses (Niemetz, Preiner, Wolf, Biere, *Btor2, `BtorMC` and Boolector 3.0*, CAV 2018).

use super::{Run, head, signals};
use std::collections::BTreeSet;
use std::fmt::Write;
use tamis_ir::{Op, Program, Trace};
use tamis_term::{BitVec, Node, Term, Terms, Value, Var};

/// The witness that a trace is: states are listed where the file does not say their value.
///
/// # Errors
/// If the trace is no run of a circuit.
pub fn witness(terms: &Terms, program: &Program, trace: &Trace) -> Result<String, String> {
    let (run, signals) = (Run::new(program, trace)?, signals(program)?);
    let (initialised, free) = described(terms, program, &signals.inputs);
    let mut text = format!("sat\nb{}\n", run.bad);
    for (number, frame) in run.frames.iter().enumerate() {
        let is_open = |var: &Var| if number == 0 { !initialised.contains(var) } else { free.contains(var) };
        let open: Vec<(usize, Var)> =
            (0..).zip(signals.state.iter().copied()).filter(|(_, var)| is_open(var)).collect();
        if number == 0 || !open.is_empty() {
            writeln!(text, "#{number}").unwrap_or_default();
        }
        for (position, var) in open {
            let name = format!("{}#{number}", terms.name(var));
            assignment(&mut text, position, &frame.state[position], &name);
        }
        writeln!(text, "@{number}").unwrap_or_default();
        for (position, (var, value)) in signals.inputs.iter().zip(&frame.inputs).enumerate() {
            let name = format!("{}@{number}", terms.name(*var).trim_start_matches("main::"));
            assignment(&mut text, position, value, &name);
        }
    }
    Ok(text + ".\n")
}

/// The state variables with an initial value, and those that are arbitrary after every step.
fn described(terms: &Terms, program: &Program, inputs: &[Var]) -> (BTreeSet<Var>, BTreeSet<Var>) {
    let (main, head) = (program.proc(program.main), head(program));
    let is_chosen = |value: Term| match terms.node(value) {
        Node::Var(var) => main.locals.contains(var) && !inputs.contains(var),
        Node::App(..) | Node::Const(_) => false,
    };
    let mut found = (BTreeSet::new(), BTreeSet::new());
    for edge in &main.edges {
        match &edge.op {
            Op::Assign(pairs) if edge.from == main.entry => found.0.extend(pairs.iter().map(|(var, _)| *var)),
            Op::Assign(pairs) if Some(edge.to) == head => {
                found.1.extend(pairs.iter().filter(|(_, value)| is_chosen(*value)).map(|(var, _)| *var));
            }
            Op::Assign(_) | Op::Havoc(_) | Op::Assume(_) | Op::Call { .. } => {}
        }
    }
    found
}

/// The lines that assign one value.
fn assignment(text: &mut String, position: usize, value: &Value, name: &str) {
    let mut put = |value: &Value, index: &str| writeln!(text, "{position} {index}{} {name}", bits(value)).unwrap_or(());
    match value {
        Value::Array(array) => {
            put(array.default(), "[*] ");
            array.cells().for_each(|(index, element)| put(element, &format!("[{}] ", bits(index))));
        }
        Value::Bool(_) | Value::BitVec(_) | Value::Int(_) | Value::Real(_) => put(value, ""),
    }
}

/// A word in binary, the highest bit first.
fn bits(value: &Value) -> String {
    let word = |bits: &BitVec| (0..bits.width()).rev().map(|at| if bits.bit(at) { '1' } else { '0' }).collect();
    match value {
        Value::Bool(value) => u8::from(*value).to_string(),
        Value::BitVec(bits) => word(bits),
        Value::Int(_) | Value::Real(_) | Value::Array(_) => String::new(),
    }
}
