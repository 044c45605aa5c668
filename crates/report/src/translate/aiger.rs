//! Systems of finite sorts in AIGER: every bit is a latch or an input.

use super::functional::{Functional, Names, functional};
use crate::hardware::aiger::Blaster;
use rustc_hash::FxHashMap;
use tamis_circuit::{Edge, Encoder, Error, Gates, Meter};
use tamis_hardware::aiger::{Aiger, Latch};
use tamis_ir::{Program, PropertyId};
use tamis_term::{StopSignal, Term, Terms, Var};

/// How much memory the circuit may take.
const MAX_BYTES: usize = 1 << 30;
/// Arrays of more bits are not spelled out.
const MAX_ARRAY: u64 = 1 << 16;

/// The program as a circuit.
///
/// # Errors
/// Says why it is none, as a phrase.
pub fn circuit(terms: &mut Terms, program: &Program, property: PropertyId, stop: &StopSignal) -> Result<Aiger, String> {
    let system = super::system(terms, program, property)?;
    let system = functional(terms, &system);
    let encoder = Encoder::new(Gates::new(Meter::new(stop.clone(), MAX_BYTES)), MAX_ARRAY);
    let mut bits = Bits { encoder, circuit: Aiger::default() };
    let words = bits.encode(terms, &system)?;
    Ok(bits.finish(terms, &system, &words))
}

/// What the terms of a system are, as bits.
struct Words {
    state: Vec<Word>,
    inputs: Vec<Vec<Edge>>,
    constraint: Edge,
    bad: Edge,
}

/// A state variable's bits now, at the start and after a step.
struct Word {
    now: Vec<Edge>,
    init: Option<Vec<Edge>>,
    next: Vec<Edge>,
}

struct Bits {
    encoder: Encoder,
    circuit: Aiger,
}

impl Bits {
    fn word(&mut self, terms: &Terms, term: Term) -> Result<Vec<Edge>, String> {
        self.encoder.word(terms, term).map(<[Edge]>::to_vec).map_err(|error: Error| error.to_string())
    }

    fn var(&mut self, terms: &mut Terms, var: Var) -> Result<Vec<Edge>, String> {
        let term = terms.var(var);
        self.word(terms, term)
    }

    fn encode(&mut self, terms: &mut Terms, system: &Functional) -> Result<Words, String> {
        let mut state = Vec::new();
        for variable in &system.state {
            let now = self.var(terms, variable.var)?;
            let init = variable.init.map(|init| self.word(terms, init)).transpose()?;
            state.push(Word { now, init, next: Vec::new() });
        }
        let mut inputs = Vec::new();
        for input in &system.inputs {
            inputs.push(self.var(terms, *input)?);
        }
        for (variable, word) in system.state.iter().zip(&mut state) {
            word.next = self.word(terms, variable.next)?;
        }
        let (constraint, bad) = (self.word(terms, system.constraint)?[0], self.word(terms, system.bad)?[0]);
        Ok(Words { state, inputs, constraint, bad })
    }

    /// Numbers inputs, then latches, then gates.
    fn finish(mut self, terms: &Terms, system: &Functional, words: &Words) -> Aiger {
        let mut known: FxHashMap<usize, u32> = FxHashMap::default();
        let mut last = 0;
        let mut number = |known: &mut FxHashMap<usize, u32>, edge: Edge| {
            last += 2;
            known.insert(edge.gate().index(), last ^ u32::from(edge.is_complement()));
            last
        };
        let circuit = &mut self.circuit;
        let mut names = Names::default();
        for (var, word) in system.inputs.iter().zip(&words.inputs) {
            let name = names.of(terms, *var);
            for (bit, edge) in word.iter().enumerate() {
                circuit.symbols.push((format!("i{}", circuit.inputs.len()), bit_name(&name, bit, word.len())));
                circuit.inputs.push(number(&mut known, *edge));
            }
        }
        for (variable, word) in system.state.iter().zip(&words.state) {
            let name = names.of(terms, variable.var);
            for (bit, edge) in word.now.iter().enumerate() {
                let key = format!("l{}", circuit.latches.len());
                circuit.symbols.push((key, bit_name(&name, bit, word.now.len())));
                let literal = number(&mut known, *edge);
                let reset = word.init.as_ref().map_or(literal, |init| u32::from(init[bit] == Edge::TRUE));
                circuit.latches.push(Latch { literal, next: 0, reset });
            }
        }
        let mut next = last + 2;
        let mut gates: Vec<[u32; 3]> = Vec::new();
        let mut shared: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut and = |a: u32, b: u32| {
            let (high, low) = (a.max(b), a.min(b));
            match low {
                0 => 0,
                1 => high,
                _ if high == low => high,
                _ if high == low ^ 1 => 0,
                _ => *shared.entry((high, low)).or_insert_with(|| {
                    gates.push([next, high, low]);
                    next += 2;
                    next - 2
                }),
            }
        };
        let mut blaster = Blaster { gates: self.encoder.gates(), known };
        let next = words.state.iter().flat_map(|word| &word.next);
        for (latch, bit) in circuit.latches.iter_mut().zip(next) {
            latch.next = blaster.literal(*bit, &mut and);
        }
        circuit.bads.push(blaster.literal(words.bad, &mut and));
        if words.constraint != Edge::TRUE {
            circuit.constraints.push(blaster.literal(words.constraint, &mut and));
        }
        circuit.gates = gates;
        self.circuit
    }
}

/// The name of one of a variable's bits.
fn bit_name(name: &str, bit: usize, width: usize) -> String {
    if width == 1 { name.to_owned() } else { format!("{name}[{bit}]") }
}
