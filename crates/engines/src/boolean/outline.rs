//! Predicates for a counterexample whose calls return so often that it is only told in outline.
//!
//! If a run were written out, its interpolants would say what a call must keep for the error not to
//! be reached. Here it is guessed instead: what is asked behind a call, about values that it may
//! change, is tracked through it, from its entry to its exit and in all that it calls. Any
//! predicates are sound; if these do not help, the outline comes back, and the whole run is examined.

use super::path::Step;
use super::precision::Reasons;
use super::refiner::solved;
use super::skeleton::{Call, Map, Move, MoveId, Skeleton};
use std::collections::BTreeSet;
use tamis_cegar::Pieces;
use tamis_ir::{Loc, Op, ProcId};
use tamis_term::{Term, Terms, Var};

/// How many questions are tracked through a call: those that are asked next.
const QUESTIONS: usize = 4;

/// Predicates for the places that the outline passes and for what it leaves out.
pub(super) fn reasons(terms: &mut Terms, skeleton: &Skeleton<'_>, steps: &[Step]) -> Reasons {
    let mut reasons = Reasons::new();
    // What will be asked, in words of the place that the walk has come back to; the next question last.
    let mut asked: Vec<Term> = Vec::new();
    for step in steps.iter().rev() {
        match *step {
            Step::Return => {}
            Step::Move(MoveId(number)) => match skeleton.moves[number] {
                Move::Arc { proc, cut, arc } => {
                    let (block, arc) = skeleton.arc(proc, cut, arc);
                    let chosen: BTreeSet<Var> = block.inputs().collect();
                    let after: Map = arc.values.pairs().into_iter().collect();
                    asked = terms.substitute_all(&asked, &after);
                    asked.extend(Pieces::Atoms.of(terms, arc.guard));
                    asked.retain(|question| terms.free_vars(&[*question]).iter().all(|var| !chosen.contains(var)));
                }
                Move::Call(edge) => {
                    let call = skeleton.call(edge);
                    let params = &skeleton.program.proc(call.callee).params;
                    let given: Map = params.iter().copied().zip(call.args.iter().copied()).collect();
                    asked = terms.substitute_all(&asked, &given);
                }
            },
            Step::Skip(MoveId(number)) => {
                if let Move::Call(edge) = skeleton.moves[number] {
                    let call = skeleton.call(edge);
                    let left = left(skeleton, &call);
                    let (about, others) = asked.into_iter().partition::<Vec<Term>, _>(|question| {
                        terms.free_vars(&[*question]).iter().any(|var| left.contains(var))
                    });
                    for question in about.iter().rev().take(QUESTIONS) {
                        through(terms, skeleton, edge.proc, &call, *question, &mut reasons);
                    }
                    // Globals were there before, and may be what matters.
                    let results: BTreeSet<Var> = call.results.iter().copied().collect();
                    asked = others;
                    asked.extend(
                        about
                            .into_iter()
                            .filter(|question| terms.free_vars(&[*question]).iter().all(|var| !results.contains(var))),
                    );
                }
            }
        }
    }
    reasons
}

/// What a call may change.
fn left(skeleton: &Skeleton<'_>, call: &Call<'_>) -> BTreeSet<Var> {
    let globals = skeleton.program.globals.iter().filter(|global| skeleton.touches(call.callee, **global));
    globals.chain(call.results).copied().collect()
}

/// Tracks a question through a call, as far as the callee knows what it is about.
fn through(
    terms: &mut Terms,
    skeleton: &Skeleton<'_>,
    from: ProcId,
    call: &Call<'_>,
    question: Term,
    reasons: &mut Reasons,
) {
    let mut put = |terms: &mut Terms, proc: ProcId, loc: Loc, question: Term| {
        let words = skeleton.words(terms, proc, loc);
        let said = terms.substitute(question, &words);
        if terms.value(said).is_none() {
            reasons.push((loc, solved(terms, said)));
        }
    };
    put(terms, from, call.edge.to, question);
    let globals: BTreeSet<Var> = skeleton.program.globals.iter().copied().collect();
    let is_global =
        |terms: &Terms, question: Term| terms.free_vars(&[question]).iter().all(|var| globals.contains(var));
    if is_global(terms, question) {
        put(terms, from, call.edge.from, question);
        for proc in called(skeleton, call.callee) {
            let touched = terms.free_vars(&[question]).iter().any(|var| skeleton.touches(proc, *var));
            let procedure = skeleton.program.proc(proc);
            let cuts = if touched { skeleton.part(proc).cuts.locs.clone() } else { Vec::new() };
            for loc in cuts.into_iter().chain([procedure.entry, procedure.exit]).collect::<BTreeSet<Loc>>() {
                put(terms, proc, loc, question);
            }
        }
        return;
    }
    let callee = skeleton.program.proc(call.callee);
    let names: Vec<(Var, Var)> = call.results.iter().copied().zip(callee.results.iter().copied()).collect();
    let returned: Map = names.iter().map(|(target, result)| (*target, terms.var(*result))).collect();
    let said = terms.substitute(question, &returned);
    let known = terms.free_vars(&[said]).iter().all(|var| globals.contains(var) || callee.results.contains(var));
    if known {
        put(terms, call.callee, callee.exit, said);
    }
}

/// A procedure and all that it may call.
fn called(skeleton: &Skeleton<'_>, first: ProcId) -> BTreeSet<ProcId> {
    let mut found = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(proc) = open.pop() {
        for edge in &skeleton.program.proc(proc).edges {
            if let Op::Call { callee, .. } = edge.op
                && found.insert(callee)
            {
                open.push(callee);
            }
        }
    }
    found
}
