//! From a circuit to a machine: latches are state, gates are shared terms.

use super::circuit::{Circuit, Definition, Kind, Latch, Literal, Placed};
use super::read::Fault;
use crate::names::sane;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tamis_ir::Span;
use tamis_ir::system::machine::{Bad, Machine};
use tamis_term::{Sort, Term, Terms, Var};

/// The machine that the circuit is.
pub(super) fn machine(
    terms: &mut Terms,
    circuit: &Circuit,
    span: Span,
    place: impl Fn(&Placed) -> Span,
) -> Result<Machine, Fault> {
    let state = (0..circuit.latches.len()).map(|at| declare(terms, circuit, Kind::Latch, at)).collect();
    let inputs = (0..circuit.inputs.len()).map(|at| declare(terms, circuit, Kind::Input, at)).collect();
    let mut lowering = Lowering { circuit, state, inputs, gates: FxHashMap::default() };
    lowering.build_gates(terms)?;
    let (init, first) = lowering.resets(terms)?;
    let pairs = circuit.latches.iter().zip(&lowering.state);
    let mut update: Vec<(Var, Term)> =
        pairs.map(|(latch, var)| (*var, lowering.term(terms, latch.next.literal))).collect();
    let mut constraints: Vec<Term> = circuit.constraints.iter().map(|c| lowering.term(terms, c.literal)).collect();
    let (mut init, mut state) = (init, lowering.state.clone());
    if !first.is_empty() {
        first_step(terms, &first, &mut state, &mut init, &mut update, &mut constraints);
    }
    let (prefix, kind, bads) = match circuit.bads.as_slice() {
        [] => ("o", Kind::Output, &circuit.outputs),
        _ => ("b", Kind::Bad, &circuit.bads),
    };
    let bads = bads.iter().enumerate().map(|(position, bad)| {
        let name = format!("{prefix}{position}");
        let about = match circuit.symbol(kind, position) {
            "" => format!("the signal {name} is true"),
            symbol => format!("the signal {} is true", sane(symbol, &name)),
        };
        Bad { name, about, condition: lowering.term(terms, bad.literal), span: place(bad) }
    });
    let bads = bads.collect();
    let (truth, constraint) = (terms.bool(true), terms.and(&constraints));
    let inputs = lowering.inputs;
    Ok(Machine { state, inputs, init, start: truth, constraint, update, next: vec![], relation: truth, bads, span })
}

fn declare(terms: &mut Terms, circuit: &Circuit, kind: Kind, position: usize) -> Var {
    let symbol = circuit.symbol(kind, position);
    if kind == Kind::Latch {
        terms.declare(&sane(symbol, &format!("l{position}")), Sort::Bool)
    } else {
        terms.declare(&format!("main::{}", sane(symbol, &format!("i{position}"))), Sort::Bool)
    }
}

/// Keeps the inputs of the first step, on which initial values depend: they are chosen at the
/// start and must be what is chosen in the first step.
fn first_step(
    terms: &mut Terms,
    first: &BTreeMap<Var, Var>,
    state: &mut Vec<Var>,
    init: &mut Vec<(Var, Term)>,
    update: &mut Vec<(Var, Term)>,
    constraints: &mut Vec<Term>,
) {
    let initial = terms.declare("$first", Sort::Bool);
    let (truth, falsity) = (terms.bool(true), terms.bool(false));
    state.push(initial);
    init.push((initial, truth));
    update.push((initial, falsity));
    let initial = terms.var(initial);
    for (input, kept) in first {
        state.push(*kept);
        // What is kept matters in the first step only: it then has one value, which is less to explore.
        update.push((*kept, falsity));
        let (input, kept) = (terms.var(*input), terms.var(*kept));
        let same = terms.eq(input, kept);
        constraints.push(terms.implies(initial, same));
    }
}

/// Initial values, and for each input that they depend on the variable that stands for its value
/// in the first step.
type Resets = (Vec<(Var, Term)>, BTreeMap<Var, Var>);

struct Lowering<'a> {
    circuit: &'a Circuit,
    state: Vec<Var>,
    inputs: Vec<Var>,
    /// The terms of gates, by variable.
    gates: FxHashMap<u32, Term>,
}

impl Lowering<'_> {
    fn build_gates(&mut self, terms: &mut Terms) -> Result<(), Fault> {
        let mut defined: Vec<u32> = self.circuit.definitions.keys().copied().collect();
        defined.sort_unstable();
        for var in order(&defined, |var| self.circuit.operands(var))? {
            if let [left, right] = self.circuit.operands(var)[..] {
                let (left, right) = (self.term(terms, left.literal), self.term(terms, right.literal));
                let gate = terms.and(&[left, right]);
                self.gates.insert(var, gate);
            }
        }
        Ok(())
    }

    fn term(&self, terms: &mut Terms, literal: Literal) -> Term {
        let var = match self.circuit.definitions.get(&literal.var()) {
            Some(Definition::Input(position)) => terms.var(self.inputs[*position]),
            Some(Definition::Latch(position)) => terms.var(self.state[*position]),
            Some(Definition::Gate(_)) => self.gates[&literal.var()],
            None => terms.bool(false),
        };
        negate(terms, var, literal)
    }

    /// The initial values. Those that depend on other latches are expanded.
    fn resets(&self, terms: &mut Terms) -> Result<Resets, Fault> {
        let circuit = self.circuit;
        let operands = |var: u32| match circuit.definitions.get(&var) {
            Some(Definition::Latch(position)) => own_reset(&circuit.latches[*position]).into_iter().collect(),
            Some(Definition::Gate(_) | Definition::Input(_)) | None => circuit.operands(var),
        };
        let roots: Vec<u32> = circuit.latches.iter().map(|latch| latch.literal.var()).collect();
        let mut first = BTreeMap::new();
        let mut known: FxHashMap<u32, Term> = FxHashMap::default();
        known.insert(0, terms.bool(false));
        for var in order(&roots, operands)? {
            let value = |terms: &mut Terms, known: &FxHashMap<u32, Term>, literal: Literal| {
                negate(terms, known[&literal.var()], literal)
            };
            let term = match (circuit.definitions.get(&var), operands(var).as_slice()) {
                (Some(Definition::Latch(position)), []) => terms.var(self.state[*position]),
                (Some(Definition::Input(position)), _) => {
                    let input = self.inputs[*position];
                    let name = format!("$first.{}", terms.name(input).trim_start_matches("main::"));
                    let kept = *first.entry(input).or_insert_with(|| terms.declare(&name, Sort::Bool));
                    terms.var(kept)
                }
                (_, [left, right]) => {
                    let (left, right) = (value(terms, &known, left.literal), value(terms, &known, right.literal));
                    terms.and(&[left, right])
                }
                (_, [only, ..]) => value(terms, &known, only.literal),
                (Some(Definition::Gate(_)) | None, []) => terms.bool(false),
            };
            known.insert(var, term);
        }
        let set = circuit.latches.iter().zip(&self.state).filter(|(latch, _)| own_reset(latch).is_some());
        Ok((set.map(|(latch, var)| (*var, known[&latch.literal.var()])).collect(), first))
    }
}

fn negate(terms: &mut Terms, term: Term, literal: Literal) -> Term {
    if literal.is_negated() { terms.not(term) } else { term }
}

/// The literal that a latch starts with, unless it starts arbitrary.
fn own_reset(latch: &Latch) -> Option<Placed> {
    (latch.reset.literal != latch.literal).then_some(latch.reset)
}

/// Variables so that each comes after those that it reads.
fn order(roots: &[u32], operands: impl Fn(u32) -> Vec<Placed>) -> Result<Vec<u32>, Fault> {
    /// Whether a variable's operands are being visited, or all done.
    #[derive(PartialEq)]
    enum Mark {
        Open,
        Done,
    }
    let mut marks: FxHashMap<u32, Mark> = FxHashMap::default();
    let mut found = Vec::new();
    for root in roots {
        let mut stack = vec![*root];
        while let Some(var) = stack.last().copied() {
            if marks.get(&var) == Some(&Mark::Done) {
                stack.pop();
                continue;
            }
            let first_visit = marks.insert(var, Mark::Open).is_none();
            let before = stack.len();
            for operand in operands(var).iter().filter(|operand| !operand.literal.is_constant()) {
                match marks.get(&operand.literal.var()) {
                    Some(Mark::Done) => {}
                    Some(Mark::Open) if first_visit => {
                        let message = format!("the literal {} depends on itself", operand.literal.0);
                        return Err(Fault::new(operand.at, operand.at, message));
                    }
                    Some(Mark::Open) | None => stack.push(operand.literal.var()),
                }
            }
            if stack.len() == before {
                marks.insert(var, Mark::Done);
                found.push(var);
                stack.pop();
            }
        }
    }
    Ok(found)
}
