//! Safety certificates of the hardware model checking competition (Yu, Biere, Heljanko, *Progress
//! in Certifying Hardware Model Checking Results*, CAV 2021; the check of Certifaiger).
//!
//! A certificate is a circuit W whose inputs and latches are mapped to the model's by symbols like
//! `l0 = 4`. With K the shared latches, R resets, F transitions, C constraints, P properties, and
//! primes for W, each of these is a question to a SAT solver:
//!
//! ```text
//! Reset       R{K} ∧ C ⟹ R'{K} ∧ C'
//! Transition  F{K} ∧ C0 ∧ C1 ∧ C0' ⟹ F'{K} ∧ C1'
//! Property    C ∧ C' ∧ P' ⟹ P
//! Base        R' ∧ C' ⟹ P'
//! Step        P0' ∧ F' ∧ C0' ∧ C1' ⟹ P1'
//! ```

#![allow(clippy::many_single_char_names, reason = "the letters of the paper")]

use crate::Failure;
use crate::aiger::{Aiger, Latch};
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};
use rustc_hash::FxHashMap;

/// Checks that a certificate shows that no bad signal of the model is reached.
///
/// # Errors
/// Says which condition does not hold.
pub fn check(model: &Aiger, witness: &Aiger, stop: &(dyn Fn() -> bool + Sync)) -> Result<(), Failure> {
    stratified(model).map_err(|()| Failure::Model("a reset depends on itself".into()))?;
    stratified(witness).map_err(|()| Failure::Rejected("a reset of the certificate depends on itself".into()))?;
    let shared = Shared::new(model, witness)?;
    let conditions: [Condition; 5] =
        [("reset", reset), ("transition", transition), ("property", property), ("base", base), ("step", step)];
    for (name, condition) in conditions {
        let mut question = Question::new(model, witness, &shared, stop);
        condition(&mut question);
        if question.has_model()? {
            return Err(Failure::Rejected(format!("the condition {name} does not hold")));
        }
    }
    Ok(())
}

/// A condition: its name, and what asks for a case in which it does not hold.
type Condition = (&'static str, fn(&mut Question<'_>));

/// Which of the certificate's variables are the model's.
struct Shared {
    /// From the certificate's variables to the model's literals.
    map: FxHashMap<u32, u32>,
    /// Pairs of latches: the model's and the certificate's.
    latches: Vec<(Latch, Latch)>,
}

impl Shared {
    fn new(model: &Aiger, witness: &Aiger) -> Result<Shared, Failure> {
        let mut shared = Shared { map: FxHashMap::default(), latches: Vec::new() };
        for (key, name) in &witness.symbols {
            let Some(literal) = name.strip_prefix("= ") else { continue };
            let wrong = || Failure::Malformed(format!("the symbol {key} {name} maps nothing"));
            let literal: u32 = literal.trim().parse().map_err(|_| wrong())?;
            let position: usize = key.get(1..).and_then(|number| number.parse().ok()).ok_or_else(wrong)?;
            match key.as_bytes()[0] {
                b'i' if model.inputs.contains(&literal) => {
                    let own = *witness.inputs.get(position).ok_or_else(wrong)?;
                    shared.map.insert(own / 2, literal);
                }
                b'l' => {
                    let own = *witness.latches.get(position).ok_or_else(wrong)?;
                    let latch = model.latches.iter().find(|latch| latch.literal == literal).ok_or_else(wrong)?;
                    shared.map.insert(own.literal / 2, literal);
                    shared.latches.push((*latch, own));
                }
                _ => return Err(wrong()),
            }
        }
        Ok(shared)
    }
}

/// That no reset depends on itself.
fn stratified(circuit: &Aiger) -> Result<(), ()> {
    // A latch waits until its reset is known, a gate until both of its operands are.
    let mut known: FxHashMap<u32, bool> = FxHashMap::default();
    known.insert(0, true);
    known.extend(circuit.inputs.iter().map(|input| (input / 2, true)));
    let free = circuit.latches.iter().filter(|latch| latch.reset == latch.literal || latch.reset < 2);
    known.extend(free.map(|latch| (latch.literal / 2, true)));
    loop {
        let before = known.len();
        for [literal, left, right] in &circuit.gates {
            if known.contains_key(&(left / 2)) && known.contains_key(&(right / 2)) {
                known.insert(literal / 2, true);
            }
        }
        for latch in &circuit.latches {
            if known.contains_key(&(latch.reset / 2)) {
                known.insert(latch.literal / 2, true);
            }
        }
        if circuit.latches.iter().all(|latch| known.contains_key(&(latch.literal / 2))) {
            return Ok(());
        }
        if known.len() == before {
            return Err(());
        }
    }
}

struct Stop<'a>(&'a (dyn Fn() -> bool + Sync));

impl Callbacks for Stop<'_> {
    fn stop(&self) -> bool {
        (self.0)()
    }
}

/// The values of one circuit in one step, by variable.
type Frame = FxHashMap<u32, Lit>;

/// The negation of a condition, as clauses.
struct Question<'a> {
    model: &'a Aiger,
    witness: &'a Aiger,
    shared: &'a Shared,
    solver: Solver<Stop<'a>>,
    truth: Lit,
}

impl<'a> Question<'a> {
    fn new(
        model: &'a Aiger,
        witness: &'a Aiger,
        shared: &'a Shared,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Question<'a> {
        let mut solver = Solver::new(SolverOpts::default(), Stop(stop));
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        Question { model, witness, shared, solver, truth }
    }

    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, mut literals: Vec<Lit>) {
        self.solver.add_clause_reuse(&mut literals);
    }

    fn facts(&mut self, facts: &[Lit]) {
        for fact in facts {
            self.clause(vec![*fact]);
        }
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let gate = self.fresh();
        self.clause(vec![!gate, a]);
        self.clause(vec![!gate, b]);
        self.clause(vec![gate, !a, !b]);
        gate
    }

    fn all(&mut self, parts: &[Lit]) -> Lit {
        parts.iter().fold(self.truth, |all, part| self.and(all, *part))
    }

    fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        let (both, neither) = (self.and(a, b), self.and(!a, !b));
        !self.and(!both, !neither)
    }

    /// The gates of a circuit over inputs and latches that are given or new.
    fn circuit(&mut self, circuit: &Aiger, given: impl Fn(u32) -> Option<Lit>) -> Frame {
        let mut frame = Frame::default();
        frame.insert(0, !self.truth);
        let latches = circuit.latches.iter().map(|latch| latch.literal);
        for literal in circuit.inputs.iter().copied().chain(latches) {
            let value = given(literal / 2).unwrap_or_else(|| self.fresh());
            frame.insert(literal / 2, value);
        }
        for [literal, left, right] in &circuit.gates {
            let gate = self.and(value(&frame, *left), value(&frame, *right));
            frame.insert(literal / 2, gate);
        }
        frame
    }

    fn model_frame(&mut self) -> Frame {
        self.circuit(self.model, |_| None)
    }

    /// The certificate beside the model, with the shared variables in common.
    fn witness_frame(&mut self, model: &Frame) -> Frame {
        let shared = self.shared;
        self.circuit(self.witness, |var| shared.map.get(&var).map(|literal| value(model, *literal)))
    }

    fn constraints(&mut self, circuit: &Aiger, frame: &Frame) -> Lit {
        let parts: Vec<Lit> = circuit.constraints.iter().map(|literal| value(frame, *literal)).collect();
        self.all(&parts)
    }

    /// That no bad signal is true.
    fn safe(&mut self, circuit: &Aiger, frame: &Frame) -> Lit {
        let parts: Vec<Lit> = circuit.targets().iter().map(|literal| !value(frame, *literal)).collect();
        self.all(&parts)
    }

    fn resets(&mut self, latches: impl Iterator<Item = Latch>, frame: &Frame) -> Lit {
        let mut parts = Vec::new();
        for latch in latches {
            parts.push(self.equal(value(frame, latch.literal), value(frame, latch.reset)));
        }
        self.all(&parts)
    }

    /// That latches have in one frame what they are to have next in the other.
    fn steps(&mut self, latches: impl Iterator<Item = Latch>, before: &Frame, after: &Frame) -> Lit {
        let mut parts = Vec::new();
        for latch in latches {
            parts.push(self.equal(value(after, latch.literal), value(before, latch.next)));
        }
        self.all(&parts)
    }

    fn has_model(&mut self) -> Result<bool, Failure> {
        let answer = self.solver.solve_limited(&[]);
        if answer == lbool::TRUE {
            return Ok(true);
        }
        if answer == lbool::FALSE { Ok(false) } else { Err(Failure::Stopped) }
    }
}

fn value(frame: &Frame, literal: u32) -> Lit {
    let var = frame[&(literal / 2)];
    if literal % 2 == 1 { !var } else { var }
}

fn reset(q: &mut Question<'_>) {
    let m = q.model_frame();
    let w = q.witness_frame(&m);
    let (r, c) = (q.resets(q.shared.latches.iter().map(|pair| pair.0), &m), q.constraints(q.model, &m));
    let (r_w, c_w) = (q.resets(q.shared.latches.iter().map(|pair| pair.1), &w), q.constraints(q.witness, &w));
    let conclusion = q.and(r_w, c_w);
    q.facts(&[r, c, !conclusion]);
}

fn transition(q: &mut Question<'_>) {
    let (m0, m1) = (q.model_frame(), q.model_frame());
    let (w0, w1) = (q.witness_frame(&m0), q.witness_frame(&m1));
    let f = q.steps(q.shared.latches.iter().map(|pair| pair.0), &m0, &m1);
    let f_w = q.steps(q.shared.latches.iter().map(|pair| pair.1), &w0, &w1);
    let (c0, c1) = (q.constraints(q.model, &m0), q.constraints(q.model, &m1));
    let (c0_w, c1_w) = (q.constraints(q.witness, &w0), q.constraints(q.witness, &w1));
    let conclusion = q.and(f_w, c1_w);
    q.facts(&[f, c0, c1, c0_w, !conclusion]);
}

fn property(q: &mut Question<'_>) {
    let m = q.model_frame();
    let w = q.witness_frame(&m);
    let (c, c_w) = (q.constraints(q.model, &m), q.constraints(q.witness, &w));
    let (p, p_w) = (q.safe(q.model, &m), q.safe(q.witness, &w));
    q.facts(&[c, c_w, p_w, !p]);
}

fn base(q: &mut Question<'_>) {
    let w = q.circuit(q.witness, |_| None);
    let (r, c) = (q.resets(q.witness.latches.iter().copied(), &w), q.constraints(q.witness, &w));
    let p = q.safe(q.witness, &w);
    q.facts(&[r, c, !p]);
}

fn step(q: &mut Question<'_>) {
    let (w0, w1) = (q.circuit(q.witness, |_| None), q.circuit(q.witness, |_| None));
    let f = q.steps(q.witness.latches.iter().copied(), &w0, &w1);
    let (c0, c1) = (q.constraints(q.witness, &w0), q.constraints(q.witness, &w1));
    let (p0, p1) = (q.safe(q.witness, &w0), q.safe(q.witness, &w1));
    q.facts(&[f, c0, c1, p0, !p1]);
}
