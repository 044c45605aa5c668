//! What must agree about a circuit:
//!
//! - values of states, bad conditions and constraints, as lowered and as the simulator computes them;
//! - the verdict with evidence that the simulator or the certificate checker accepts;
//! - the verdicts of the circuit's translations, which are read again.

use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{Options, answer};
use tamis_frontends::by_name;
use tamis_hardware::aiger::{Format, write};
use tamis_hardware::btor2::{Frame, Value as Word, read};
use tamis_hardware::{Shown, check};
use tamis_ir::{Op, Program, Sources};
use tamis_report::hardware::{aiger, btor2};
use tamis_report::translate;
use tamis_term::{BitVec, Sort, StopSignal, Terms, Value, Var};
use tamis_witness::{Reason, Verdict};

/// A circuit as the front end lowers it.
fn lower(language: &str, bytes: &[u8]) -> Result<(Terms, Program), String> {
    let (mut terms, mut sources) = (Terms::new(), Sources::new());
    let id = sources.add_bytes("circuit", bytes.to_vec());
    let frontend = by_name(language).ok_or("no such language")?;
    let lowered = frontend.lower_one(&mut terms, Arc::new(sources), id);
    Ok((terms, lowered.map_err(|refused| format!("refused: {:?}", refused.errors))?.program))
}

/// Compares everything about a BTOR2 circuit. `None` if exploring it took too many states.
///
/// # Errors
/// Says what differs.
pub fn compare(rng: &mut Rng, text: &str, states: u64) -> Result<Option<bool>, String> {
    let (mut terms, program) = lower("btor2", text.as_bytes())?;
    for _ in 0..8 {
        same_values(rng, &terms, &program, text)?;
    }
    let Some(safe) = verdict(terms.clone(), &program, text.as_bytes(), states)? else { return Ok(None) };
    let property = program.default.ok_or("nothing is asked")?;
    let circuit = translate::aiger::circuit(&mut terms, &program, property, &StopSignal::never())?;
    for format in [Format::Text, Format::Binary] {
        let bytes = write(&circuit, format);
        let (terms, program) = lower("aiger", &bytes)?;
        let again = verdict(terms, &program, &bytes, states)?;
        if again.is_some_and(|again| again != safe) {
            return Err(format!("the verdict was {safe}, and is another as AIGER"));
        }
    }
    let printed = translate::btor2::print(&mut terms, &program, property)?;
    let (terms, program) = lower("btor2", printed.as_bytes())?;
    let again = verdict(terms, &program, printed.as_bytes(), states)?;
    if again.is_some_and(|again| again != safe) {
        return Err(format!("the verdict was {safe}, and is another printed as\n{printed}"));
    }
    Ok(Some(safe))
}

/// The verdict on a circuit, if its evidence is accepted by the independent check.
fn verdict(terms: Terms, program: &Program, model: &[u8], states: u64) -> Result<Option<bool>, String> {
    let property = program.default.ok_or("nothing is asked")?;
    let budget = Budget { states: Some(states), ..Budget::default() };
    let mut ctx = Context { terms, budget, ..Context::default() };
    let engine = tamis_engines::by_name("explicit").ok_or("no such engine")?;
    let options = Options { engine, passes: Vec::new(), settings: tamis_engines::Settings::default() };
    let is_aiger = tamis_hardware::is_aiger(model);
    let (evidence, expected) = match answer(&mut ctx, &options, program, property)?.verdict {
        Verdict::Unknown(Reason::OutOfBudget(_)) => return Ok(None),
        Verdict::Unknown(reason) => return Err(format!("no answer: {reason}")),
        Verdict::Safe(_) if !is_aiger => return Ok(Some(true)),
        Verdict::Safe(proof) => {
            let stop = StopSignal::never();
            let made = aiger::certificate(&mut ctx.terms, program, property, &proof, model, "circuit", &stop);
            (write(&made?, Format::Binary), true)
        }
        Verdict::Unsafe(trace) if is_aiger => (aiger::witness(&ctx.terms, program, &trace)?.into_bytes(), false),
        Verdict::Unsafe(trace) => (btor2::witness(&ctx.terms, program, &trace)?.into_bytes(), false),
    };
    let shown = check(model, &evidence, &[], &|| false)
        .map_err(|failure| format!("{failure:?} about\n{}", String::from_utf8_lossy(&evidence)))?;
    if (shown == Shown::Safe) == expected { Ok(Some(expected)) } else { Err(format!("the evidence shows {shown:?}")) }
}

/// A random value of a sort, as terms and as the simulator have it.
fn random(rng: &mut Rng, sort: &Sort) -> (Value, Word) {
    let word = |rng: &mut Rng, width: u32| rng.u64(..1 << width);
    match sort {
        Sort::Bool => {
            let bit = rng.bool();
            (Value::Bool(bit), Word::Word(u32::from(bit).into()))
        }
        Sort::BitVec(width) => {
            let bits = word(rng, *width);
            (Value::bv(*width, bits), Word::Word(bits.into()))
        }
        Sort::Array(array) => {
            let (Sort::BitVec(index), Sort::BitVec(element)) = (&array.index, &array.element) else {
                unreachable!("arrays of BTOR2 are of words")
            };
            let mut value = tamis_term::ArrayValue::constant(array.clone(), Value::bv(*element, 0));
            let mut cells = BTreeMap::new();
            for at in 0..1_u64 << index {
                let bits = word(rng, *element);
                value = value.store(Value::bv(*index, at), Value::bv(*element, bits));
                if bits > 0 {
                    cells.insert(at.into(), bits.into());
                }
            }
            (Value::Array(value.into()), Word::Array { otherwise: 0_u32.into(), cells })
        }
        Sort::Int | Sort::Real => unreachable!("BTOR2 has no numbers"),
    }
}

/// Whether the values are the same. Arrays may differ in which elements they list.
fn same(value: &Value, word: &Word) -> bool {
    let bits = |value: &Value| match value {
        Value::Bool(bit) => BitVec::new(1, u64::from(*bit)).to_big(),
        Value::BitVec(bits) => bits.to_big(),
        Value::Int(_) | Value::Real(_) | Value::Array(_) => 0_u32.into(),
    };
    match (value, word) {
        (Value::Array(array), Word::Array { otherwise, cells }) => (0..2_u64).all(|at| {
            let index = Value::bv(1, at);
            bits(array.select(&index)) == *cells.get(&at.into()).unwrap_or(otherwise)
        }),
        (value, Word::Word(word)) => bits(value) == *word,
        (_, Word::Array { .. }) => false,
    }
}

/// Compares one step from a random state with random inputs.
fn same_values(rng: &mut Rng, terms: &Terms, program: &Program, text: &str) -> Result<(), String> {
    let signals = program.notes.signals.as_ref().ok_or("it is no system")?;
    let mut values: BTreeMap<Var, Value> = BTreeMap::new();
    let mut choose = |vars: &[Var]| -> Vec<Word> {
        let pairs = vars.iter().map(|var| (*var, random(rng, terms.var_sort(*var))));
        let (ours, theirs): (Vec<_>, Vec<_>) = pairs.map(|(var, (value, word))| ((var, value), word)).unzip();
        values.extend(ours);
        theirs
    };
    let (state, inputs) = (choose(&signals.state), choose(&signals.inputs));
    let circuit = read(text)?;
    let frame = Frame::new(&circuit, &state, &inputs);
    let value = |var: Var| values.get(&var).cloned().unwrap_or_else(|| Value::default_of(terms.var_sort(var)));
    let head = program.locs.iter().position(|loc| loc.label.as_deref() == Some("step"));
    for (edge, next) in program.edges().map(|(_, edge)| edge).filter_map(|edge| match &edge.op {
        Op::Assign(pairs) if Some(edge.to.index()) == head => Some((edge, pairs)),
        Op::Assign(_) | Op::Assume(_) | Op::Havoc(_) | Op::Call { .. } => None,
    }) {
        for (position, expected) in frame.next().into_iter().enumerate() {
            let found = next.iter().find(|(var, _)| *var == signals.state[position]);
            if let (Some(expected), Some((var, term))) = (expected, found) {
                let found = terms.eval(*term, value);
                if !same(&found, &expected) {
                    let name = terms.name(*var);
                    return Err(format!("{name} becomes {found}, not {expected:?}, at {:?}", edge.span));
                }
            }
        }
    }
    for (position, expected) in frame.bads().into_iter().enumerate() {
        let loc = program.property(signals.bads[position]).locs[0];
        let conditions = program.edges().filter(|(_, edge)| edge.to == loc).map(|(_, edge)| &edge.op);
        for condition in conditions {
            let Op::Assume(condition) = condition else { return Err("a bad condition is none".into()) };
            if terms.eval(*condition, value).as_bool() != expected {
                return Err(format!("bad condition {position} should be {expected}"));
            }
        }
    }
    Ok(())
}
