//! Methods I and III: abstract fixpoint iteration with iterative abstraction refinement (Figures 1 and 3).
//!
//! ```text
//! φ0 := start; n := 0
//! loop
//!     Pn := atoms(φn)
//!     ψ := lfp(Fn#, start)
//!     if ψ ≤ bound then stop with "success"
//!     φn+1 := φn ∨ F(φn); n := n + 1
//! ```
//!
//! Method III iterates `post#` and refines by the dual of `pre` from safe. Of that sequence only the atoms
//! count, and those of `¬pre(¬φ)` are the complements of those of `pre`: so it is the sequence of Method I
//! backward, with every atom negated.
//!
//! No disjunct of `φ` is ever dropped because another one says less: its atoms are predicates.

use super::evidence;
use super::formula::{Conj, Formula};
use super::lattice::Abstraction;
use super::operators::Operators;
use super::prover::Prover;
use super::rounds;
use super::system::{CommandId, System};
use super::{Config, Direction, Method};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;
use tamis_cegar::{Context, Outcome, Stop};
use tamis_term::Term;
use tamis_witness::{Reason, Resource, Verdict};

/// How a disjunct came about: the command that was applied last, and to what.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub command: CommandId,
    pub rest: Option<Rc<Origin>>,
}

impl Origin {
    /// The commands, the one that was applied last first.
    pub(super) fn commands(of: Option<&Rc<Origin>>) -> Vec<CommandId> {
        std::iter::successors(of, |origin| origin.rest.as_ref()).map(|origin| origin.command).collect()
    }
}

/// The concrete iterates `φ0, φ1, …`, of which only what is new is looked at again.
pub(super) struct Iterates {
    direction: Direction,
    /// All disjuncts so far.
    pub phi: Formula,
    /// Those of the last step, with where they come from.
    pub new: BTreeMap<Conj, Option<Rc<Origin>>>,
}

impl Iterates {
    pub(super) fn new(direction: Direction, start: &Formula) -> Iterates {
        let new = start.disjuncts.iter().map(|conj| (conj.clone(), None)).collect();
        Iterates { direction, phi: start.clone(), new }
    }

    /// `φn+1 := φn ∨ F(φn)`
    pub(super) fn step(
        &mut self,
        ctx: &mut Context,
        prover: &mut Prover,
        operators: &mut Operators<'_>,
        system: &System<'_>,
    ) -> Outcome<()> {
        let mut next: BTreeMap<Conj, Option<Rc<Origin>>> = BTreeMap::new();
        for (conj, origin) in &self.new {
            for command in system.ids() {
                for found in operators.apply(ctx, prover, self.direction, command, conj)? {
                    if !self.phi.disjuncts.contains(&found) {
                        next.entry(found).or_insert_with(|| Some(Rc::new(Origin { command, rest: origin.clone() })));
                    }
                }
            }
        }
        self.phi.disjuncts.extend(next.keys().cloned());
        self.new = next;
        Ok(())
    }

    /// The verdict if a disjunct of the last step is a run into an error.
    pub(super) fn error(
        &self,
        ctx: &mut Context,
        prover: &mut Prover,
        system: &System<'_>,
        complement: &Formula,
    ) -> Outcome<Option<Verdict>> {
        for (conj, origin) in &self.new {
            if prover.meets(ctx, conj, complement)? {
                let mut commands = Origin::commands(origin.as_ref());
                if self.direction == Direction::Forward {
                    commands.reverse();
                }
                if let Some(trace) = evidence::run_along(ctx, prover, system, &commands)? {
                    return Ok(Some(Verdict::Unsafe(trace)));
                }
            }
        }
        Ok(None)
    }
}

/// Method I or III.
pub(super) fn run(ctx: &mut Context, system: &System<'_>, config: &Config) -> Outcome<Verdict> {
    let mut prover = Prover::new(ctx)?;
    let mut operators = Operators::new(system, config.disjuncts);
    // ⟨F, start⟩ of the fixpoint, and of the refinement.
    let (direction, refinement) = match config.method {
        Method::Dual => (Direction::Forward, Direction::Backward),
        Method::Abstraction | Method::Widening => (config.direction, config.direction),
    };
    let ends = |direction: Direction| match direction {
        Direction::Forward => (&system.init, &system.unsafe_states),
        Direction::Backward => (&system.unsafe_states, &system.init),
    };
    let (start, not_bound) = ends(direction);
    let (from, meets) = ends(refinement);
    let mut iterates = Iterates::new(refinement, from);
    let mut known: BTreeSet<Term> = BTreeSet::new();
    loop {
        ctx.budget.check()?;
        let predicates = predicates(ctx, &iterates.phi, config.method);
        ctx.statistics.predicates = predicates.len() as u64;
        let begin = Instant::now();
        let psi = Abstraction { system, predicates: &predicates, direction }.lfp(ctx, &mut prover, start)?;
        ctx.statistics.abstraction += begin.elapsed();
        rounds::show(ctx, system, &psi, None, &predicates, &known);
        let mut is_bounded = true;
        for conj in &psi.disjuncts {
            is_bounded = is_bounded && !prover.meets(ctx, conj, not_bound)?;
        }
        if is_bounded {
            return Ok(Verdict::Safe(evidence::proof(ctx, system, &psi, direction)));
        }
        if let Some(verdict) = iterates.error(ctx, &mut prover, system, meets)? {
            return Ok(verdict);
        }
        if ctx.budget.rounds.is_some_and(|limit| ctx.statistics.rounds >= limit) {
            return Err(Stop::GaveUp(Reason::OutOfBudget(Resource::Rounds)));
        }
        let begin = Instant::now();
        iterates.step(ctx, &mut prover, &mut operators, system)?;
        ctx.statistics.refinement += begin.elapsed();
        ctx.statistics.rounds += 1;
        if iterates.new.is_empty() {
            // There is nothing more to learn: what is left is lost where choices were projected.
            return Err(Stop::GaveUp(Reason::RefinementStuck));
        }
        known = predicates;
    }
}

/// `atoms(φ)`, or their complements. What is false is no predicate: no state satisfies it.
fn predicates(ctx: &mut Context, phi: &Formula, method: Method) -> BTreeSet<Term> {
    let atoms = phi.atoms().into_iter();
    let chosen: Vec<Term> = match method {
        Method::Dual => atoms.map(|atom| ctx.terms.not(atom)).collect(),
        Method::Abstraction | Method::Widening => atoms.collect(),
    };
    chosen.into_iter().filter(|atom| ctx.terms.value(*atom).is_none()).collect()
}
