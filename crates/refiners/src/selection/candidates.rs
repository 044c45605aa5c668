//! Candidates from the program's branches, and what must be known at each location to know the branch
//! (`PredInfer`, Figure 2).
//!
//! The weakest precondition of an assignment is a substitution. That covers assignments through pointers,
//! too (section 2.1): memory is an array here, and what is read behind a write is the cases of the paper's
//! formula. What is chosen anew is known by nobody before, so predicates about it end there.
//!
//! In a loop there may be no end to preconditions, so each location gets a limited number of them *for each
//! branch*: what a branch brings then does not depend on the others, and more branches never eliminate less.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tamis_cegar::{Context, Outcome, Pieces};
use tamis_ir::{Edge, Loc, Op, Program};
use tamis_term::{Substitution, Term, Terms};

/// A choice that brings predicates with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What is chosen: a branch condition, or a predicate.
    pub condition: Term,
    /// Where the branch is.
    pub at: Loc,
    /// The predicates at each location.
    pub predicates: BTreeMap<Loc, Vec<Term>>,
}

/// The branches of main, each with at most that many predicates at a location. A condition with one way is
/// one, too: the other way led nowhere.
///
/// # Errors
/// If a limit is reached.
pub fn branches(ctx: &mut Context, program: &Program, limit: usize) -> Outcome<Vec<Candidate>> {
    let mut out: BTreeMap<Loc, Vec<&Edge>> = BTreeMap::new();
    let mut into: BTreeMap<Loc, Vec<&Edge>> = BTreeMap::new();
    for edge in &program.proc(program.main).edges {
        out.entry(edge.from).or_default().push(edge);
        into.entry(edge.to).or_default().push(edge);
    }
    let mut found = Vec::new();
    for (loc, edges) in &out {
        let mut seen = BTreeSet::new();
        for edge in edges {
            let Op::Assume(condition) = edge.op else { continue };
            // A branch and its other side are one predicate.
            for condition in Pieces::Whole.of(&ctx.terms, condition) {
                if seen.insert(condition) {
                    ctx.budget.check()?;
                    let predicates = infer(&mut ctx.terms, &into, *loc, condition, limit);
                    found.push(Candidate { condition, at: *loc, predicates });
                }
            }
        }
    }
    Ok(found)
}

/// `PredInfer` for one branch.
fn infer(
    terms: &mut Terms,
    into: &BTreeMap<Loc, Vec<&Edge>>,
    at: Loc,
    condition: Term,
    limit: usize,
) -> BTreeMap<Loc, Vec<Term>> {
    let mut found: BTreeMap<Loc, Vec<Term>> = BTreeMap::from([(at, vec![condition])]);
    let mut waiting = VecDeque::from([(at, condition)]);
    while let Some((to, predicate)) = waiting.pop_front() {
        for edge in into.get(&to).into_iter().flatten() {
            for before in precondition(terms, &edge.op, predicate) {
                let here = found.entry(edge.from).or_default();
                if here.len() < limit && !here.contains(&before) {
                    here.push(before);
                    waiting.push_back((edge.from, before));
                }
            }
        }
    }
    found.retain(|_, predicates| !predicates.is_empty());
    found
}

/// What must be known before an edge to know a predicate behind it: nothing, if it is known anyway, or if
/// nothing tells it.
fn precondition(terms: &mut Terms, op: &Op, predicate: Term) -> Vec<Term> {
    match op {
        Op::Assume(_) => vec![predicate],
        Op::Assign(pairs) => {
            let mut map = Substitution::default();
            map.extend(pairs.iter().copied());
            let before = terms.substitute(predicate, &map);
            Pieces::Whole.of(terms, before)
        }
        Op::Havoc(vars) => {
            let about = terms.free_vars(&[predicate]);
            if vars.iter().any(|var| about.contains(var)) { Vec::new() } else { vec![predicate] }
        }
        Op::Call { .. } => Vec::new(),
    }
}
