//! A search for an oracle: schedules of widenings, shorter ones first. Each widening of a schedule drops
//! what mentions some variables; the last one goes on.
//!
//! This is what Method I backward makes unnecessary, and the tests of the theorems need it.

use super::Config;
use super::evidence;
use super::oracle::Mentions;
use super::prover::Prover;
use super::system::System;
use super::widening::{End, Widening, error};
use std::collections::{BTreeSet, VecDeque};
use tamis_cegar::{Context, Outcome, Stop};
use tamis_term::Var;
use tamis_witness::{Reason, Resource, Verdict};

/// Of so many variables, all sets are tried; of more, only those of one variable, none and all.
const FEW: usize = 4;

/// How long a schedule may be.
const LENGTH: usize = 3;

/// How many rounds a schedule is followed.
const ROUNDS: u64 = 12;

/// Method II with each schedule in turn.
pub(super) fn run(ctx: &mut Context, system: &System<'_>, config: &Config) -> Outcome<Verdict> {
    let mut prover = Prover::new(ctx)?;
    let mut method = Widening::new(system, config);
    let choices = choices(&ctx.terms, system);
    let rounds = ctx.budget.rounds.unwrap_or(ROUNDS).min(ROUNDS);
    let mut waiting: VecDeque<Vec<BTreeSet<Var>>> = VecDeque::from([Vec::new()]);
    while let Some(schedule) = waiting.pop_front() {
        if schedule.len() < LENGTH {
            waiting.extend(choices.iter().map(|choice| [schedule.as_slice(), std::slice::from_ref(choice)].concat()));
        }
        if let [.., a, b] = schedule.as_slice()
            && a == b
        {
            // The shorter schedule goes on in the same way.
            continue;
        }
        match method.iterate(ctx, &mut prover, &mut Mentions { schedule }, rounds)? {
            End::Success(psi) => return Ok(Verdict::Safe(evidence::proof(ctx, system, &psi, config.direction))),
            End::Error(trace) => return Ok(Verdict::Unsafe(trace)),
            End::DontKnow | End::Rounds => {}
        }
    }
    match error(ctx, &mut prover, system, config, rounds)? {
        Some(verdict) => Ok(verdict),
        None => Err(Stop::GaveUp(Reason::OutOfBudget(Resource::Rounds))),
    }
}

/// The sets of variables that a widening may drop.
fn choices(terms: &tamis_term::Terms, system: &System<'_>) -> Vec<BTreeSet<Var>> {
    let commands = system.commands.iter().chain(&system.starts).chain(&system.ends);
    let used: BTreeSet<Var> = commands.flat_map(|command| terms.free_vars(&[command.guard])).collect();
    let vars: Vec<Var> = system.vars.iter().copied().filter(|var| used.contains(var)).collect();
    let mut found = vec![BTreeSet::new()];
    if vars.len() <= FEW {
        for var in vars {
            let with: Vec<BTreeSet<Var>> =
                found.iter().map(|set: &BTreeSet<Var>| set.iter().copied().chain([var]).collect()).collect();
            found.extend(with);
        }
    } else {
        found.extend(vars.iter().map(|var| BTreeSet::from([*var])));
        found.push(vars.into_iter().collect());
    }
    found
}
