//! Boolean programs: SLAM's architecture (Ball, Rajamani, *The SLAM Project*, POPL 2002) on our
//! own pushdown engine, as section 8.5 of Kiefer's thesis (*Abstraction Refinement for Pushdown
//! Systems*, 2005) proposes, so that recursion over any values needs no bound. This is predicate
//! abstraction of whole programs: SLAM's c2bp, which makes the Boolean program, is `abstraction` with
//! `relation`; Bebop, which checks it, is called by `explore`; Newton, which analyses counterexamples
//! and finds new predicates, is `refiner` with `path` and `outline`.
//!
//! ```text
//!             (c2bp)                         (Bebop)
//! program ──abstraction──▶ Boolean program ──pushdown──▶ proof ──▶ invariants and summaries
//!    ▲                                          │
//!    └── predicates ◀── nested interpolants ◀── counterexample ──▶ trace
//!                             (Newton)
//! ```
//!
//! Files in order of reading: `entries` (loops begin elsewhere), `skeleton` (cut points and moves), `precision` (lists of predicates),
//! `names` (Boolean variables), `relation` (which truth values go together), `abstraction` (the
//! Boolean program), `explore` (its check), `proof` (the way back), `path` (counterexamples as formulas),
//! `refiner` (nested interpolants), `outline` (predicates where these would be too many), `reuse`
//! (precisions of other runs).

mod abstraction;
mod entries;
mod explore;
mod names;
mod outline;
mod path;
mod precision;
mod proof;
mod refiner;
mod relation;
mod reuse;
mod skeleton;

use crate::around::after;
use abstraction::{Abstraction, Boolean};
use entries::Apart;
use explore::Explorer;
use refiner::Nested;
use reuse::Reused;
use skeleton::Skeleton;
use std::time::Duration;
use tamis_cegar::{Context, Outcome, Stop, refine};
use tamis_ir::passes::EQUATIONS;
use tamis_ir::{Program, PropertyId};
use tamis_solver::interpolation::portfolio::{Config, Portfolio};
use tamis_witness::Verdict;

/// How long a source of interpolants may take for one counterexample.
const PATIENCE: Duration = Duration::from_secs(10);

/// Abstraction refinement with Boolean programs.
///
/// # Errors
/// If it gives up: time runs out, or a solver does not know.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Verdict> {
    after(&EQUATIONS, ctx, program, property, |ctx, program| last(ctx, program, property, false).0)
}

/// The Boolean program of the last round, of which the budget may limit the number, with the
/// property that it is asked about.
///
/// # Errors
/// If not even the first one could be made.
pub fn boolean_program(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<(Program, PropertyId)> {
    match last(ctx, program, property, true) {
        (_, Some(boolean)) => Ok((boolean.program, boolean.property)),
        (Err(stop), None) => Err(stop),
        (Ok(_), None) => Err(Stop::Failed("there was no round".into())),
    }
}

/// The verdict, and the last Boolean program, with what it means if it is to be read.
fn last(ctx: &mut Context, program: &Program, property: PropertyId, read: bool) -> (Outcome<Verdict>, Option<Boolean>) {
    let mut boolean = None;
    let verdict = ctx.watched(|ctx| {
        let apart = Apart::new(program, property);
        let skeleton = Skeleton::new(&mut ctx.terms, &apart, property);
        let config = Config { time: PATIENCE, ..Config::default() };
        let interpolator = Box::new(Portfolio::new(config, ctx.solvers.clone()));
        // SLAM: `refine` goes round from c2bp and Bebop, the explorer, to Newton, the refiner.
        let mut refiner = Nested { skeleton: &skeleton, interpolator };
        let mut explorer = Explorer {
            skeleton: &skeleton,
            abstraction: Abstraction::default(),
            last: None,
            read,
            outline: Vec::new(),
        };
        let mut reused = Reused::new(ctx, &skeleton);
        let mut lists = std::mem::take(&mut reused.given);
        let verdict = refine(ctx, &mut explorer, &mut refiner, &mut lists);
        reused.keep(ctx, &lists);
        boolean = explorer.last;
        Ok(match verdict? {
            Verdict::Safe(proof) => Verdict::Safe(apart.proof(&mut ctx.terms, proof)),
            Verdict::Unsafe(trace) => Verdict::Unsafe(apart.trace(trace)),
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
        })
    });
    (verdict, boolean)
}
