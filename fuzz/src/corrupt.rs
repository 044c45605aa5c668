//! Evidence that is wrong for certain: the check must refuse all of it.

use fastrand::Rng;
use std::collections::BTreeSet;
use tamis_ir::graph::Flow;
use tamis_ir::{Action, EdgeId, Loc, Op, Program, Proof, PropertyId, Trace};
use tamis_term::{Terms, Value};

/// Corrupted variants of a valid trace, each with what was done to it.
///
/// A variable that a step writes has exactly one value; a run that leaves its path or ends
/// early is at the wrong place. (Other start values may well give another valid run, so they
/// are not touched.)
#[must_use]
pub fn traces(rng: &mut Rng, program: &Program, property: PropertyId, trace: &Trace) -> Vec<(&'static str, Trace)> {
    let mut wrong = Vec::new();
    let writing: Vec<usize> = (0..trace.steps.len()).filter(|at| !trace.steps[*at].writes.is_empty()).collect();
    if let Some(at) = rng.choice(writing) {
        let mut bad = trace.clone();
        let writes = &mut bad.steps[at].writes;
        let which = rng.usize(0..writes.len());
        if let Some(other) = another(&writes[which].1) {
            writes[which].1 = other;
            wrong.push(("a wrong value", bad));
        }
    }
    if !trace.steps.is_empty() {
        let at = rng.usize(0..trace.steps.len());
        let target = |step: usize| match trace.steps.get(step).map(|step| &step.action) {
            Some(Action::Take { edge, .. }) => Some(program.edge(*edge)),
            Some(Action::Return) | None => None,
        };
        if let (Action::Take { edge, .. }, Some(here)) = (&trace.steps[at].action, target(at)) {
            // Another branch that leads elsewhere than to where the run goes on.
            let goes_on = |to| match target(at + 1) {
                Some(next) => next.from == to,
                None => at + 1 < trace.steps.len() || program.property(property).locs.contains(&to),
            };
            let flips = (0..).zip(&program.proc(edge.proc).edges).filter(|(_, other)| {
                other.from == here.from && !matches!(other.op, Op::Call { .. }) && !goes_on(other.to)
            });
            let flips: Vec<u32> = flips.map(|(index, _)| index).collect();
            if !matches!(here.op, Op::Call { .. })
                && let Some(index) = rng.choice(flips)
            {
                let mut bad = trace.clone();
                bad.steps[at].action = Action::Take { edge: EdgeId { index, ..*edge }, inputs: Vec::new() };
                wrong.push(("a flipped branch", bad));
            }
        }
        let mut bad = trace.clone();
        bad.steps.pop();
        wrong.push(("a missing last step", bad));
    }
    wrong
}

/// Another value of the same sort, if there is one at hand.
fn another(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(bit) => Some(Value::Bool(!bit)),
        Value::BitVec(bits) => Some(Value::BitVec(bits.not())),
        Value::Int(_) | Value::Real(_) | Value::Array(_) => None,
    }
}

/// Corrupted variants of an exact proof, whose invariants are the reachable states, each with
/// what was done to it.
///
/// No proof can do with less than the reachable states, or with an error location that can be
/// reached; and where an edge leads into an error, its condition must contradict the invariant.
#[must_use]
pub fn proofs(
    rng: &mut Rng,
    terms: &mut Terms,
    program: &Program,
    property: PropertyId,
    proof: &Proof,
) -> Vec<(&'static str, Proof)> {
    let mut wrong = Vec::new();
    let (always, never) = (terms.bool(true), terms.bool(false));
    if let Some(loc) = rng.choice(proof.invariants.keys()) {
        let mut bad = proof.clone();
        bad.invariants.remove(loc);
        wrong.push(("a missing invariant", bad));
    }
    if let Some(proc) = rng.choice(proof.summaries.keys()) {
        let mut bad = proof.clone();
        bad.summaries.insert(*proc, never);
        wrong.push(("a missing summary", bad));
    }
    for loc in &program.property(property).locs {
        let mut bad = proof.clone();
        bad.invariants.insert(*loc, always);
        wrong.push(("an error inside the invariant", bad));
    }
    let errors = &program.property(property).locs;
    for (_, edge) in program.edges().filter(|(_, edge)| errors.contains(&edge.to)) {
        let Op::Assume(condition) = edge.op else { continue };
        let possible = satisfiable(terms, condition);
        if possible && proof.invariants.contains_key(&edge.from) {
            let mut bad = proof.clone();
            bad.invariants.insert(edge.from, always);
            wrong.push(("a dropped conjunct", bad));
        }
    }
    wrong
}

/// The same proof with silence at some locations, never on a whole loop: it is as good.
#[must_use]
pub fn silenced(rng: &mut Rng, program: &Program, property: PropertyId, proof: &Proof) -> Proof {
    let flow = Flow::new(program);
    let errors = &program.property(property).locs;
    let mut silent = proof.clone();
    let mut candidates: Vec<Loc> = proof.invariants.keys().copied().collect();
    rng.shuffle(&mut candidates);
    for loc in candidates {
        if rng.bool() && flow.entry_of(loc).is_none() && !errors.contains(&loc) {
            silent.passed.insert(loc);
            if closes_a_loop(program, &flow, &silent, loc) {
                silent.passed.remove(&loc);
            } else {
                silent.invariants.remove(&loc);
            }
        }
    }
    silent
}

/// Whether a silent location can be reached from itself through silence.
fn closes_a_loop(program: &Program, flow: &Flow, proof: &Proof, start: Loc) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![start];
    while let Some(loc) = work.pop() {
        for to in flow.out_edges(loc).iter().map(|id| program.edge(*id).to) {
            if to == start {
                return true;
            }
            if proof.passed.contains(&to) && seen.insert(to) {
                work.push(to);
            }
        }
    }
    false
}

/// Whether a condition over few bits can be true.
fn satisfiable(terms: &Terms, condition: tamis_term::Term) -> bool {
    let vars: Vec<_> = terms.free_vars(&[condition]).into_iter().collect();
    let mut rng = Rng::with_seed(0);
    (0..200).any(|_| {
        let chosen: Vec<Value> =
            vars.iter().map(|var| crate::generate::random_value(&mut rng, terms.var_sort(*var))).collect();
        let value = |var| chosen[vars.iter().position(|v| *v == var).expect("a free variable")].clone();
        terms.eval(condition, value).as_bool()
    })
}
