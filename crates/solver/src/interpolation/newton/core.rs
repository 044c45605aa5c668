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
        formulas.push(specialise(terms, solvers, part, kept, &mut cases)?);
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

/// Conjuncts of a part, the disjunctions among them without the disjuncts that the part excludes.
fn specialise(
    terms: &mut Terms,
    solvers: &Solvers,
    part: &[Term],
    conjuncts: Vec<Term>,
    cases: &mut usize,
) -> Result<Vec<Term>, Error> {
    let mut open: Vec<Term> = Vec::new();
    for conjunct in &conjuncts {
        let ways = disjuncts(terms, *conjunct);
        if part.len() > 1 && ways.len() <= *cases {
            *cases -= ways.len();
            open.extend(ways);
        }
    }
    if open.is_empty() {
        return Ok(conjuncts);
    }
    let excluded = excluded(terms, solvers, part, open)?;
    let mut specialised = Vec::new();
    for conjunct in conjuncts {
        let ways = disjuncts(terms, conjunct);
        let kept: Vec<Term> = ways.iter().copied().filter(|way| !excluded.contains(way)).collect();
        specialised.push(if kept.len() == ways.len() { conjunct } else { terms.or(&kept) });
    }
    Ok(specialised)
}

/// The disjuncts of a disjunction.
fn disjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    match terms.node(formula) {
        Node::App(Fun::Or, args) => args.to_vec(),
        Node::App(..) | Node::Var(_) | Node::Const(_) => Vec::new(),
    }
}

/// Which of the ways a part excludes.
fn excluded(terms: &Terms, solvers: &Solvers, part: &[Term], ways: Vec<Term>) -> Result<FxHashSet<Term>, Error> {
    let mut solver = solvers.fresh(terms, part)?;
    part.iter().try_for_each(|fact| solver.assert(terms, *fact))?;
    let (mut open, mut excluded) = (ways, FxHashSet::default());
    while let Some(way) = open.pop() {
        match solver.check(terms, &[way])? {
            Answer::Unsat(_) => _ = excluded.insert(way),
            // The model allows others too.
            Answer::Sat(model) => open.retain(|other| !model.eval(terms, *other).as_bool()),
            Answer::Unknown(_) => {}
        }
    }
    Ok(excluded)
}
