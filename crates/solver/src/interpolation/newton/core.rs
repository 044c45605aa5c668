//! What matters: the conjuncts of an unsatisfiable core, made smaller by leaving out one after
//! another, and of their disjunctions only what the part itself allows.

use super::super::Parts;
use super::project::conjuncts;
use crate::{Answer, Error, Solver, Solvers, Why};
use rustc_hash::FxHashSet;
use tamis_term::{Fun, Node, Term, Terms};

/// How many conjuncts are tried to be left out.
const TRIALS: usize = 64;
/// How many disjuncts are tried to be excluded.
const CASES: usize = 64;

/// What matters of the parts.
pub(super) enum Relevant {
    /// By node: conjuncts that contradict each other.
    Formulas(Vec<Vec<Term>>),
    /// They do not.
    Satisfiable,
    Unknown(Why),
}

/// The conjuncts that matter.
pub(super) fn relevant(terms: &mut Terms, parts: &Parts, solvers: &Solvers) -> Result<Relevant, Error> {
    let all: Vec<Vec<Term>> = parts.formulas.iter().map(|formula| conjuncts(terms, vec![*formula])).collect();
    let mut seen = FxHashSet::default();
    let assumptions: Vec<Term> = all.iter().flatten().copied().filter(|term| seen.insert(*term)).collect();
    let mut solver = solvers.fresh(terms, &parts.formulas)?;
    let core = match solver.check(terms, &assumptions)? {
        Answer::Sat(_) => return Ok(Relevant::Satisfiable),
        Answer::Unknown(why) => return Ok(Relevant::Unknown(why)),
        Answer::Unsat(core) => core.assumptions().to_vec(),
    };
    let core: FxHashSet<Term> = shrink(terms, solver.as_mut(), core)?.into_iter().collect();
    let mut formulas = Vec::new();
    let mut cases = CASES;
    for part in &all {
        let kept: Vec<Term> = part.iter().copied().filter(|term| core.contains(term)).collect();
        let mut solver = solvers.fresh(terms, part)?;
        let kept = kept.into_iter().map(|term| specialise(terms, solver.as_mut(), part, term, &mut cases));
        formulas.push(kept.collect::<Result<Vec<Term>, Error>>()?);
    }
    Ok(Relevant::Formulas(formulas))
}

/// Leaves out one conjunct after another, as long as the rest is contradictory. The largest go
/// first: small ones are easier to project.
fn shrink(terms: &Terms, solver: &mut dyn Solver, mut core: Vec<Term>) -> Result<Vec<Term>, Error> {
    let mut candidates = core.clone();
    candidates.sort_by_cached_key(|term| std::cmp::Reverse(terms.dag_size(*term)));
    for candidate in candidates.into_iter().take(TRIALS) {
        let rest: Vec<Term> = core.iter().copied().filter(|term| *term != candidate).collect();
        if rest.len() == core.len() {
            continue;
        }
        match solver.check(terms, &rest)? {
            Answer::Unsat(smaller) => core = smaller.assumptions().to_vec(),
            Answer::Sat(_) => {}
            // It is only about size.
            Answer::Unknown(_) => break,
        }
    }
    Ok(core)
}

/// A disjunction without the disjuncts that the other conjuncts of its part exclude.
fn specialise(
    terms: &mut Terms,
    solver: &mut dyn Solver,
    part: &[Term],
    formula: Term,
    cases: &mut usize,
) -> Result<Term, Error> {
    let Node::App(Fun::Or, args) = terms.node(formula) else { return Ok(formula) };
    let args = args.clone();
    let others: Vec<Term> = part.iter().copied().filter(|other| *other != formula).collect();
    if others.is_empty() || args.len() > *cases {
        return Ok(formula);
    }
    *cases -= args.len();
    let mut kept = Vec::new();
    for arg in &args {
        let question: Vec<Term> = others.iter().copied().chain([*arg]).collect();
        match solver.check(terms, &question)? {
            Answer::Unsat(_) => {}
            Answer::Sat(_) | Answer::Unknown(_) => kept.push(*arg),
        }
    }
    Ok(terms.or(&kept))
}
