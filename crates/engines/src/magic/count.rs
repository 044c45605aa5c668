//! How many predicates expressions are, as MAGIC counts: those that exclude each other, such as `x == 1`,
//! `x < 1` and `x > 1`, are the values of one.

use std::collections::BTreeSet;
use tamis_cegar::{Context, Outcome};
use tamis_solver::Answer;
use tamis_term::Term;

/// The number of groups of expressions that exclude each other, each put into the first group that it fits.
pub(super) fn count(ctx: &mut Context, expressions: &BTreeSet<Term>) -> Outcome<usize> {
    let mut groups: Vec<Vec<Term>> = Vec::new();
    for expression in expressions {
        let mut fitting = None;
        for (number, group) in groups.iter().enumerate() {
            let mut excluded = true;
            for other in group {
                excluded = excluded && exclude(ctx, *expression, *other)?;
            }
            if excluded {
                fitting = Some(number);
                break;
            }
        }
        match fitting {
            Some(number) => groups[number].push(*expression),
            None => groups.push(vec![*expression]),
        }
    }
    Ok(groups.len())
}

/// Whether two expressions are never true together. What is not known is no exclusion.
fn exclude(ctx: &mut Context, one: Term, other: Term) -> Outcome<bool> {
    let mut solver = ctx.solvers.fresh(&ctx.terms, &[one, other])?;
    Ok(match solver.check(&ctx.terms, &[one, other])? {
        Answer::Unsat(_) => true,
        Answer::Sat(_) | Answer::Unknown(_) => false,
    })
}
