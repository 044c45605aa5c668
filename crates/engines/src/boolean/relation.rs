//! What c2bp asks its theorem prover about a move, the abstract relation: which truth values of predicates go together, found by
//! enumerating models with blocking (Lahiri, Nieuwenhuis, Oliveras, *SMT Techniques for Fast
//! Predicate Abstraction*, CAV 2006).
//!
//! Predicates that share no variables, not even through the facts, are independent: the relation
//! is the conjunction of those of such groups.
//!
//! If there are too many models, the relation says only which pairs exclude each other, and is made
//! stronger where a counterexample shows that more is needed.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_cegar::{Context, Outcome};
use tamis_solver::Answer;
use tamis_term::{Term, Terms, Var};

/// How many combinations of truth values of a group are enumerated.
const LIMIT: usize = 1 << 9;

/// A predicate as a Boolean variable, and what it means.
pub(super) type Literal = (Var, Term);

/// Which truth values of literals go together: the conjunction of its parts. It allows whatever
/// the facts and the meanings allow.
pub(super) struct Relation {
    pub parts: Vec<Part>,
    /// Whether it allows nothing else.
    pub exact: bool,
}

/// What is said about a group of literals.
pub(super) enum Part {
    /// What holds of literals of which none is chosen.
    Known(Term),
    /// The choices of truth values, each with the condition under which it can be made.
    Cases(Vec<(Term, Vec<(Var, bool)>)>),
    /// What holds of truth values that are chosen.
    Choice(Vec<Var>, Term),
}

/// Some or all solutions for a group.
struct Found {
    models: Vec<FxHashMap<Term, bool>>,
    all: bool,
}

/// The relation of literals that facts leave; those from `first` on are chosen.
pub(super) fn relation(ctx: &mut Context, facts: Term, literals: &[Literal], first: usize) -> Outcome<Relation> {
    let mut relation = Relation { parts: Vec::new(), exact: true };
    for group in groups(&ctx.terms, facts, literals) {
        ctx.budget.check()?;
        let members = literals_of(literals, &group.members);
        let split = group.members.iter().filter(|member| **member < first).count();
        let found = enumerate(ctx, &group.facts, &members)?;
        let part = if found.all {
            cases(&mut ctx.terms, &members[..split], &members[split..], &found.models)
        } else {
            relation.exact = false;
            let chosen = members[split..].iter().map(|(var, _)| *var).collect();
            Part::Choice(chosen, pairs(ctx, &group.facts, &members, &found.models)?)
        };
        relation.parts.push(part);
    }
    Ok(relation)
}

/// The models by what is chosen.
fn cases(terms: &mut Terms, known: &[Literal], chosen: &[Literal], models: &[FxHashMap<Term, bool>]) -> Part {
    let mut by_choice: BTreeMap<Vec<bool>, Vec<Term>> = BTreeMap::new();
    for model in models {
        let given: Vec<Term> = known.iter().map(|(var, term)| signed_var(terms, *var, model[term])).collect();
        let choice = chosen.iter().map(|(_, term)| model[term]).collect();
        by_choice.entry(choice).or_default().push(terms.and(&given));
    }
    if chosen.is_empty() {
        let all: Vec<Term> = by_choice.into_values().flatten().collect();
        return Part::Known(terms.or(&all));
    }
    let case = |(choice, given): (Vec<bool>, Vec<Term>)| {
        (terms.or(&given), chosen.iter().map(|(var, _)| *var).zip(choice).collect())
    };
    Part::Cases(by_choice.into_iter().map(case).collect())
}

/// Which two truth values exclude each other.
fn pairs(ctx: &mut Context, facts: &[Term], literals: &[Literal], models: &[FxHashMap<Term, bool>]) -> Outcome<Term> {
    let mut solver = ctx.solvers.fresh(&ctx.terms, facts)?;
    for fact in facts {
        solver.assert(&ctx.terms, *fact)?;
    }
    let mut clauses = Vec::new();
    for (at, (one, meaning)) in literals.iter().enumerate() {
        for (other, second) in &literals[..at] {
            for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
                if models.iter().any(|model| model[meaning] == x && model[second] == y) {
                    continue;
                }
                ctx.budget.check()?;
                let both = [signed(&mut ctx.terms, *meaning, x), signed(&mut ctx.terms, *second, y)];
                match solver.check(&ctx.terms, &both)? {
                    Answer::Sat(_) => {}
                    // What is not known to be excluded is possible.
                    Answer::Unknown(_) => {}
                    Answer::Unsat(_) => {
                        let not = [signed_var(&mut ctx.terms, *one, !x), signed_var(&mut ctx.terms, *other, !y)];
                        clauses.push(ctx.terms.or(&not));
                    }
                }
            }
        }
    }
    Ok(ctx.terms.and(&clauses))
}

/// A clause that excludes truth values of the literals, if the facts do (Das, Dill, *Successive
/// Approximation of Abstract Transition Relations*, LICS 2001).
pub(super) fn excluded(
    ctx: &mut Context,
    facts: Term,
    literals: &[Literal],
    value: &dyn Fn(Var) -> bool,
) -> Outcome<Option<Term>> {
    let mut solver = ctx.solvers.fresh(&ctx.terms, &[facts])?;
    solver.assert(&ctx.terms, facts)?;
    let mut names: FxHashMap<Term, Term> = FxHashMap::default();
    let mut core = Vec::new();
    for (var, meaning) in literals {
        let said = signed(&mut ctx.terms, *meaning, value(*var));
        let not = signed_var(&mut ctx.terms, *var, !value(*var));
        if names.insert(said, not).is_none() {
            core.push(said);
        }
    }
    let mut tried = 0;
    let mut found = false;
    loop {
        let question: Vec<Term> = if found {
            core.iter().copied().enumerate().filter(|(at, _)| *at != tried).map(|(_, term)| term).collect()
        } else {
            core.clone()
        };
        match solver.check(&ctx.terms, &question)? {
            Answer::Unsat(smaller) => {
                core = smaller.assumptions().to_vec();
                found = true;
            }
            Answer::Sat(_) if !found => return Ok(None),
            Answer::Unknown(why) if !found => return Err(why.into()),
            Answer::Sat(_) | Answer::Unknown(_) => tried += 1,
        }
        if tried >= core.len() {
            let clause: Vec<Term> = core.iter().map(|said| names[said]).collect();
            return Ok(Some(ctx.terms.or(&clause)));
        }
    }
}

fn literals_of(literals: &[Literal], members: &[usize]) -> Vec<Literal> {
    members.iter().map(|member| literals[*member]).collect()
}

/// Facts and literals that share variables.
#[derive(Default)]
struct Group {
    facts: Vec<Term>,
    members: Vec<usize>,
}

/// All groups, that of the facts without literals included.
fn groups(terms: &Terms, facts: Term, literals: &[Literal]) -> Vec<Group> {
    let facts = terms.conjuncts(&[facts]);
    let all: Vec<Term> = facts.iter().copied().chain(literals.iter().map(|(_, meaning)| *meaning)).collect();
    let mut leader: Vec<usize> = (0..all.len()).collect();
    let mut owner: FxHashMap<Var, usize> = FxHashMap::default();
    for (at, term) in all.iter().enumerate() {
        for var in terms.free_vars(&[*term]) {
            let other = *owner.entry(var).or_insert(at);
            let (a, b) = (lead(&mut leader, at), lead(&mut leader, other));
            leader[a.max(b)] = a.min(b);
        }
    }
    let mut found: BTreeMap<usize, Group> = BTreeMap::new();
    for at in 0..all.len() {
        let group = found.entry(lead(&mut leader, at)).or_default();
        match at.checked_sub(facts.len()) {
            None => group.facts.push(facts[at]),
            Some(member) => group.members.push(member),
        }
    }
    found.into_values().collect()
}

fn lead(leader: &mut [usize], mut at: usize) -> usize {
    while leader[at] != at {
        leader[at] = leader[leader[at]];
        at = leader[at];
    }
    at
}

/// All combinations of truth values, or some if these are many.
fn enumerate(ctx: &mut Context, facts: &[Term], literals: &[Literal]) -> Outcome<Found> {
    let meanings: BTreeSet<Term> = literals.iter().map(|(_, meaning)| *meaning).collect();
    let mut solver = ctx.solvers.fresh(&ctx.terms, facts)?;
    for fact in facts {
        solver.assert(&ctx.terms, *fact)?;
    }
    let mut models: Vec<FxHashMap<Term, bool>> = Vec::new();
    loop {
        ctx.budget.check()?;
        let values: FxHashMap<Term, bool> = match solver.check(&ctx.terms, &[])? {
            Answer::Unsat(_) => break,
            Answer::Unknown(why) => return Err(why.into()),
            Answer::Sat(model) => {
                meanings.iter().map(|term| (*term, model.eval(&ctx.terms, *term).as_bool())).collect()
            }
        };
        let others: Vec<Term> = meanings.iter().map(|term| signed(&mut ctx.terms, *term, !values[term])).collect();
        let others = ctx.terms.or(&others);
        solver.assert(&ctx.terms, others)?;
        models.push(values);
        if models.len() > LIMIT {
            return Ok(Found { models, all: false });
        }
    }
    Ok(Found { models, all: true })
}

fn signed_var(terms: &mut Terms, var: Var, value: bool) -> Term {
    let term = terms.var(var);
    signed(terms, term, value)
}

fn signed(terms: &mut Terms, term: Term, value: bool) -> Term {
    if value { term } else { terms.not(term) }
}
