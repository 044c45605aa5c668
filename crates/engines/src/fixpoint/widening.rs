//! Method II: fixpoint iteration with abstraction by oracle-guided widening (Figure 2).
//!
//! ```text
//! φ0, old, n := start, false, 0
//! loop
//!     if φn ≤ old then stop with "success" if φn ≤ bound, else with "don't know"
//!     old := φn
//!     φn+1 := widen(oracle(n), φn ∨ F(φn)); n := n + 1
//! ```
//!
//! The figure applies `F` to the iterate that it computes, which is a misprint: it is the one before.

use super::abstraction::Iterates;
use super::evidence;
use super::formula::{Conj, Formula};
use super::operators::Operators;
use super::oracle::{Mentions, Oracle, Stability};
use super::prover::Prover;
use super::rounds;
use super::system::{CommandId, System};
use super::{Config, Direction, Guide};
use std::collections::BTreeMap;
use tamis_cegar::{Context, Outcome, Progress, Stop};
use tamis_ir::Trace;
use tamis_witness::{Reason, Resource, Verdict};

/// How Method II ends.
pub(super) enum End {
    /// With an invariant.
    Success(Formula),
    /// With a run into an error.
    Error(Trace),
    /// With a fixpoint that is not within the bound.
    DontKnow,
    /// Not within that many rounds.
    Rounds,
}

/// Method II with the configured oracle.
pub(super) fn run(ctx: &mut Context, system: &System<'_>, config: &Config) -> Outcome<Verdict> {
    let mut oracle: Box<dyn Oracle + '_> = match &config.oracle {
        Guide::Nothing | Guide::Search => Box::new(Mentions { schedule: Vec::new() }),
        Guide::Drop(names) => Box::new(mentions(ctx, system, std::slice::from_ref(names))?),
        Guide::Script(schedule) => Box::new(mentions(ctx, system, schedule)?),
        Guide::Stability => Box::new(Stability { system }),
    };
    let mut prover = Prover::new(ctx)?;
    let mut method = Widening::new(system, config);
    let rounds = ctx.budget.rounds.unwrap_or(u64::MAX);
    match method.iterate(ctx, &mut prover, &mut *oracle, rounds)? {
        End::Success(psi) => Ok(Verdict::Safe(evidence::proof(ctx, system, &psi, config.direction))),
        End::Error(trace) => Ok(Verdict::Unsafe(trace)),
        End::DontKnow => match error(ctx, &mut prover, system, config, rounds)? {
            Some(verdict) => Ok(verdict),
            None => Err(Stop::GaveUp(Reason::RefinementStuck)),
        },
        End::Rounds => match error(ctx, &mut prover, system, config, rounds)? {
            Some(verdict) => Ok(verdict),
            None => Err(Stop::GaveUp(Reason::OutOfBudget(Resource::Rounds))),
        },
    }
}

fn mentions(ctx: &Context, system: &System<'_>, schedule: &[Vec<String>]) -> Outcome<Mentions> {
    Mentions::named(&ctx.terms, system, schedule).map_err(|why| Stop::GaveUp(Reason::Unsupported(why)))
}

/// Looks for a real error among the iterates without widening, once the method does not know: as deep as
/// the iterates with it went, and as many rounds more as there may be.
pub(super) fn error(
    ctx: &mut Context,
    prover: &mut Prover,
    system: &System<'_>,
    config: &Config,
    rounds: u64,
) -> Outcome<Option<Verdict>> {
    let (start, meets) = match config.direction {
        Direction::Forward => (&system.init, &system.unsafe_states),
        Direction::Backward => (&system.unsafe_states, &system.init),
    };
    let mut operators = Operators::new(system, config.disjuncts);
    let mut iterates = Iterates::new(config.direction, start);
    let most = if rounds == u64::MAX { ctx.statistics.rounds.saturating_add(DEEPER) } else { rounds };
    for _ in 0..=most {
        if let Some(verdict) = iterates.error(ctx, prover, system, meets)? {
            return Ok(Some(verdict));
        }
        iterates.step(ctx, prover, &mut operators, system)?;
        if iterates.new.is_empty() {
            break;
        }
    }
    Ok(None)
}

/// How many rounds more than the method took an error is looked for.
const DEEPER: u64 = 16;

/// Method II, which remembers the images of disjuncts.
pub(super) struct Widening<'a, 's> {
    system: &'a System<'s>,
    direction: Direction,
    operators: Operators<'a>,
    images: BTreeMap<Conj, Vec<(CommandId, Conj)>>,
}

impl<'a, 's> Widening<'a, 's> {
    pub(super) fn new(system: &'a System<'s>, config: &Config) -> Widening<'a, 's> {
        Widening {
            system,
            direction: config.direction,
            operators: Operators::new(system, config.disjuncts),
            images: BTreeMap::new(),
        }
    }

    /// The loop of Figure 2.
    pub(super) fn iterate(
        &mut self,
        ctx: &mut Context,
        prover: &mut Prover,
        oracle: &mut dyn Oracle,
        rounds: u64,
    ) -> Outcome<End> {
        let (start, not_bound) = match self.direction {
            Direction::Forward => (&self.system.init, &self.system.unsafe_states),
            Direction::Backward => (&self.system.unsafe_states, &self.system.init),
        };
        let (mut phi, mut old, mut n) = (start.clone(), Formula::default(), 0_usize);
        // How disjuncts came about: the commands, the one applied first first.
        let mut ways: BTreeMap<Conj, Vec<CommandId>> =
            start.disjuncts.iter().map(|conj| (conj.clone(), Vec::new())).collect();
        loop {
            ctx.budget.check()?;
            // A widened disjunct may meet the complement of the bound although no run does.
            for conj in phi.disjuncts.difference(&old.disjuncts) {
                if prover.meets(ctx, conj, not_bound)? {
                    let mut commands = ways.get(conj).cloned().unwrap_or_default();
                    if self.direction == Direction::Backward {
                        commands.reverse();
                    }
                    if let Some(trace) = evidence::run_along(ctx, prover, self.system, &commands)? {
                        return Ok(End::Error(trace));
                    }
                }
            }
            if prover.is_below(ctx, &phi, &old)? {
                for conj in &phi.disjuncts {
                    if prover.meets(ctx, conj, not_bound)? {
                        return Ok(End::DontKnow);
                    }
                }
                return Ok(End::Success(phi));
            }
            if n as u64 >= rounds {
                return Ok(End::Rounds);
            }
            old.clone_from(&phi);
            let mut next = phi.clone();
            for conj in &phi.disjuncts {
                for (command, found) in self.image(ctx, prover, conj)? {
                    if next.join(found.clone()) && !ways.contains_key(&found) {
                        let way = ways.get(conj).into_iter().flatten().copied().chain([command]).collect();
                        ways.insert(found, way);
                    }
                }
            }
            phi = oracle.widen(ctx, prover, n, &old, next.clone())?;
            for conj in &phi.disjuncts {
                let from = next.disjuncts.iter().find(|from| conj.is_subset(from)).and_then(|from| ways.get(from));
                if let Some(way) = from.cloned() {
                    ways.entry(conj.clone()).or_insert(way);
                }
            }
            rounds::show(ctx, self.system, &next, Some(&phi), &phi.atoms(), &old.atoms());
            ctx.statistics.rounds += 1;
            ctx.statistics.states += phi.disjuncts.len() as u64;
            ctx.budget.check_states(ctx.statistics.states)?;
            ctx.statistics.predicates = ctx.statistics.predicates.max(phi.atoms().len() as u64);
            ctx.observer.tell(&Progress { statistics: ctx.statistics, ..Progress::default() });
            n += 1;
        }
    }

    /// `F` of one disjunct.
    fn image(&mut self, ctx: &mut Context, prover: &mut Prover, conj: &Conj) -> Outcome<Vec<(CommandId, Conj)>> {
        if let Some(known) = self.images.get(conj) {
            return Ok(known.clone());
        }
        let mut found: Vec<(CommandId, Conj)> = Vec::new();
        for command in self.system.ids() {
            let disjuncts = self.operators.apply(ctx, prover, self.direction, command, conj)?;
            found.extend(disjuncts.into_iter().map(|disjunct| (command, disjunct)));
        }
        self.images.insert(conj.clone(), found.clone());
        Ok(found)
    }
}
