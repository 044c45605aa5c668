//! AIGER witnesses (Biere, Heljanko, Wieringa, *AIGER 1.9 and Beyond*, 2011) and certificates (Yu,
//! Biere, Heljanko, *Progress in Certifying Hardware Model Checking Results*, CAV 2021).
//!
//! A certificate is the model with another bad signal: one that is also true wherever the
//! invariant of the proof is not.

use super::{Run, head, signals};
use rustc_hash::FxHashMap;
use tamis_circuit::{Edge, Encoder, Error, Gate, Gates, Meter};
use tamis_hardware::aiger::{Aiger, Latch, read};
use tamis_ir::{Program, Proof, PropertyId, Signals, Trace};
use tamis_term::{Sort, StopSignal, Term, Terms, Value, Var};

/// How much memory the circuit of an invariant may take.
const MAX_BYTES: usize = 1 << 30;
/// How many values of what an invariant should not speak about are tried, as a power of two.
const MAX_FOREIGN: usize = 8;

/// The latches of the file, without the helpers that the front end added.
fn latches<'a>(terms: &Terms, signals: &'a Signals) -> &'a [Var] {
    let count = signals.state.iter().position(|var| terms.name(*var).starts_with('$'));
    &signals.state[..count.unwrap_or(signals.state.len())]
}

/// The witness that a trace is.
///
/// # Errors
/// If the trace is no run of a circuit.
pub fn witness(terms: &Terms, program: &Program, trace: &Trace) -> Result<String, String> {
    let run = Run::new(program, trace)?;
    let count = latches(terms, signals(program)?).len();
    let line = |values: &[Value]| -> String {
        let bits = values.iter().map(|value| if *value == Value::Bool(true) { '1' } else { '0' });
        bits.chain(['\n']).collect()
    };
    let mut text = format!("1\nb{}\n{}", run.bad, line(&run.frames[0].state[..count]));
    for frame in &run.frames {
        text.push_str(&line(&frame.inputs));
    }
    Ok(text + ".\n")
}

/// The certificate that a proof is. `model` is the file that the program comes from, and `name`
/// what the user calls it.
///
/// # Errors
/// Says why there is none.
pub fn certificate(
    terms: &mut Terms,
    program: &Program,
    property: PropertyId,
    proof: &Proof,
    model: &[u8],
    name: &str,
    stop: &StopSignal,
) -> Result<Aiger, String> {
    let signals = signals(program)?;
    let model = read(model)?;
    let vars = latches(terms, signals).to_vec();
    if vars.len() != signals.state.len() {
        return Err("initial values that depend on inputs cannot be certified".into());
    }
    let falsity = terms.bool(false);
    let invariant = head(program).and_then(|head| proof.invariants.get(&head).copied()).unwrap_or(falsity);
    let invariant = over(terms, invariant, &vars)?;
    let asked: Vec<usize> = asked(program, property, signals);
    let old = model.bads.is_empty();
    let mut copy = Copy::new(&model.only(&asked));
    let holds = copy.term(terms, invariant, &vars, stop)?;
    let bads: Vec<u32> = copy.circuit.targets().to_vec();
    let safe = bads.iter().fold(holds, |safe, bad| copy.and(safe, bad ^ 1));
    let Copy { mut circuit, .. } = copy;
    (circuit.outputs, circuit.bads) = if old { (vec![safe ^ 1], vec![]) } else { (vec![], vec![safe ^ 1]) };
    let kind = if old { "o" } else { "b" };
    let numbers: Vec<String> = asked.iter().map(|bad| format!("{kind}{bad}")).collect();
    circuit.comments = vec![format!("WITNESS {} {name}", numbers.join(" "))];
    Ok(circuit)
}

/// The positions of the bad signals that a property is about.
#[must_use]
pub fn asked(program: &Program, property: PropertyId, signals: &Signals) -> Vec<usize> {
    let locs = &program.property(property).locs;
    let is_part = |bad: &PropertyId| program.property(*bad).locs.iter().any(|loc| locs.contains(loc));
    (0..signals.bads.len()).filter(|position| is_part(&signals.bads[*position])).collect()
}

/// The invariant about the latches alone: what else it mentions is irrelevant where a step begins,
/// so any value of it will do.
fn over(terms: &mut Terms, invariant: Term, vars: &[Var]) -> Result<Term, String> {
    let foreign: Vec<Var> = terms.free_vars(&[invariant]).into_iter().filter(|var| !vars.contains(var)).collect();
    if foreign.len() > MAX_FOREIGN || foreign.iter().any(|var| *terms.var_sort(*var) != Sort::Bool) {
        return Err("the invariant of the proof is not about latches alone".into());
    }
    let mut cases = Vec::new();
    for values in 0..1_u32 << foreign.len() {
        let mut map: FxHashMap<Var, Term> = FxHashMap::default();
        for (position, var) in foreign.iter().enumerate() {
            map.insert(*var, terms.bool(values >> position & 1 == 1));
        }
        cases.push(terms.substitute(invariant, &map));
    }
    Ok(terms.or(&cases))
}

/// A copy of a circuit in which inputs, latches and gates are numbered in this order, without gaps.
struct Copy {
    circuit: Aiger,
    next: u32,
}

impl Copy {
    fn new(model: &Aiger) -> Copy {
        let mut map: FxHashMap<u32, u32> = FxHashMap::default();
        let mut circuit = Aiger::default();
        map.insert(0, 0);
        let mut next = 2;
        let mut number = |map: &mut FxHashMap<u32, u32>, literal: u32| {
            map.insert(literal / 2, next);
            next += 2;
            next - 2
        };
        for (position, input) in model.inputs.iter().enumerate() {
            circuit.inputs.push(number(&mut map, *input));
            circuit.symbols.push((format!("i{position}"), format!("= {input}")));
        }
        for (position, latch) in model.latches.iter().enumerate() {
            circuit.latches.push(Latch { literal: number(&mut map, latch.literal), next: 0, reset: 0 });
            circuit.symbols.push((format!("l{position}"), format!("= {}", latch.literal)));
        }
        let image = |map: &FxHashMap<u32, u32>, literal: &u32| map[&(literal / 2)] ^ (literal % 2);
        for [literal, left, right] in &model.gates {
            let (left, right) = (image(&map, left), image(&map, right));
            circuit.gates.push([number(&mut map, *literal), left.max(right), left.min(right)]);
        }
        for (copy, latch) in circuit.latches.iter_mut().zip(&model.latches) {
            (copy.next, copy.reset) = (image(&map, &latch.next), image(&map, &latch.reset));
        }
        let images = |list: &[u32]| list.iter().map(|literal| image(&map, literal)).collect();
        (circuit.outputs, circuit.bads) = (images(&model.outputs), images(&model.bads));
        circuit.constraints = images(&model.constraints);
        Copy { circuit, next }
    }

    fn and(&mut self, a: u32, b: u32) -> u32 {
        let (high, low) = (a.max(b), a.min(b));
        match low {
            0 => 0,
            1 => high,
            _ if high == low => high,
            _ if high == low ^ 1 => 0,
            _ => {
                self.circuit.gates.push([self.next, high, low]);
                self.next += 2;
                self.next - 2
            }
        }
    }

    /// The literal of a formula about latches.
    fn term(&mut self, terms: &Terms, formula: Term, vars: &[Var], stop: &StopSignal) -> Result<u32, String> {
        let mut encoder = Encoder::new(Gates::new(Meter::new(stop.clone(), MAX_BYTES)), 1 << 16);
        let root = encoder.truth(terms, formula).map_err(|error: Error| error.to_string())?;
        let mut known: FxHashMap<usize, u32> = FxHashMap::default();
        for (var, latch) in vars.iter().zip(&self.circuit.latches) {
            if let Some([edge]) = encoder.var_word(*var) {
                known.insert(edge.gate().index(), latch.literal ^ u32::from(edge.is_complement()));
            }
        }
        Ok(Blaster { gates: encoder.gates(), known }.literal(root, &mut |a, b| self.and(a, b)))
    }
}

/// Gates of this workspace as and-gates. Others use it for whole systems.
pub(crate) struct Blaster<'a> {
    /// The gates.
    pub gates: &'a Gates,
    /// The literals of gates, the inputs among them at first.
    pub known: FxHashMap<usize, u32>,
}

impl Blaster<'_> {
    /// The literal of an edge; `and` makes a gate.
    pub(crate) fn literal(&mut self, root: Edge, and: &mut dyn FnMut(u32, u32) -> u32) -> u32 {
        self.known.insert(Edge::FALSE.gate().index(), u32::from(Edge::FALSE.is_complement()));
        let mut open = vec![root.gate()];
        while let Some(gate) = open.last().copied() {
            if self.known.contains_key(&gate.index()) {
                open.pop();
                continue;
            }
            let before = open.len();
            let known = &self.known;
            self.gates.gate(gate).for_each_input(|edge| {
                if !known.contains_key(&edge.gate().index()) {
                    open.push(edge.gate());
                }
            });
            if open.len() == before {
                open.pop();
                let literal = self.gate(self.gates.gate(gate), and);
                self.known.insert(gate.index(), literal);
            }
        }
        self.read(root)
    }

    fn read(&self, edge: Edge) -> u32 {
        self.known[&edge.gate().index()] ^ u32::from(edge.is_complement())
    }

    fn gate(&self, gate: &Gate, and: &mut dyn FnMut(u32, u32) -> u32) -> u32 {
        let or = |a: u32, b: u32, and: &mut dyn FnMut(u32, u32) -> u32| and(a ^ 1, b ^ 1) ^ 1;
        match gate {
            // An input that nobody named is one that the formula does not depend on.
            Gate::False | Gate::Input => 0,
            Gate::And(a, b) => and(self.read(*a), self.read(*b)),
            Gate::Xor(a, b) => {
                let (a, b) = (self.read(*a), self.read(*b));
                let (left, right) = (and(a, b ^ 1), and(a ^ 1, b));
                or(left, right, and)
            }
            Gate::Mux(condition, then, otherwise) => {
                let (c, t, e) = (self.read(*condition), self.read(*then), self.read(*otherwise));
                let (left, right) = (and(c, t), and(c ^ 1, e));
                or(left, right, and)
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.read(*a), self.read(*b), self.read(*c));
                let (both, either) = (and(a, b), or(a, b, and));
                let third = and(c, either);
                or(both, third, and)
            }
            Gate::All(parts) => parts.iter().fold(1, |all, part| and(all, self.read(*part))),
        }
    }
}
