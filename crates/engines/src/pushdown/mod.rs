//! Pushdown systems on decision diagrams: Moped's checker (Esparza, Schwoon, CAV 2001).
//!
//! Files in order of reading: `blocks` (edges to guarded assignments), `layout` and `order`
//! (which bits stand for which variable), `lower` (programs to symbolic pushdown systems),
//! `saturation` (post*), `walk` and `trace` (from an error back to a run of the program),
//! `proof`, `formula` and `readable` (from labels to a proof), [`backward`] (pre*), [`cegar`]
//! (abstraction refinement).

pub mod backward;
mod blocks;
pub mod cegar;
mod formula;
mod layout;
mod lower;
mod order;
mod proof;
mod readable;
mod saturation;
mod trace;
mod walk;

use formula::Names;
use layout::Trouble;
use lower::{Lowered, Relations};
use proof::{Certificate, Claims};
use readable::Readable;
use rustc_hash::FxHashMap;
use saturation::{Clock, End, Saturation, Trans, saturate};
use std::rc::Rc;
use std::time::Instant;
use tamis_bdd::{Bdd, Config, Full, Manager, on_large_stack};
use tamis_cegar::{Context, Outcome, Progress, Stop, Watch};
use tamis_ir::blocks::Size;
use tamis_ir::{ProcId, Program, PropertyId};
use tamis_pds::{Run, Sym};
use tamis_term::{Term, Terms};
use tamis_witness::{Reason, Resource, Verdict};
use trace::Problem;

/// What traces to look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traces {
    /// Shortest ones, unless finding them takes much longer than finding any.
    Shortest,
    /// Any.
    Any,
}

/// Labels with more nodes are not made readable.
const READABLE_NODES: usize = 200;

/// Forward saturation without abstraction.
///
/// # Errors
/// If time or memory run out, or the program has variables without finitely many bits.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, traces: Traces) -> Outcome<Verdict> {
    on_large_stack(|| forward(ctx, program, property, traces))
}

/// What the parts of a run share.
struct Session {
    manager: Rc<Manager>,
    watch: Watch,
}

impl Session {
    fn new(ctx: &Context) -> Session {
        let watch = ctx.budget.watch();
        let free = |limit: u64| limit.saturating_sub((ctx.budget.allocated)()) / ctx.budget.racers.max(1);
        let room = ctx.budget.memory.map(free);
        let manager = Rc::new(Manager::new(&Config::for_memory(room), watch.stop.clone()));
        Session { manager, watch }
    }

    /// What running out means for the verdict.
    fn full(&self, full: Full) -> Stop {
        Stop::GaveUp(match full {
            Full::Nodes => Reason::OutOfBudget(Resource::Memory),
            Full::Stopped => self.watch.reason().unwrap_or(Reason::Interrupted),
        })
    }

    fn halt(&self, halt: Halt) -> Stop {
        match halt {
            Halt::Full(full) => self.full(full),
            Halt::Limit(reason) => Stop::GaveUp(reason),
        }
    }

    fn trouble(&self, trouble: Trouble) -> Stop {
        match trouble {
            Trouble::Full(full) => self.full(full),
            Trouble::Unsupported(reason) => Stop::GaveUp(reason),
        }
    }

    fn problem(&self, problem: Problem) -> Stop {
        match problem {
            Problem::Trouble(trouble) => self.trouble(trouble),
            Problem::Stop(stop) => stop,
        }
    }
}

fn forward(ctx: &mut Context, program: &Program, property: PropertyId, traces: Traces) -> Outcome<Verdict> {
    let session = Session::new(ctx);
    let lowered =
        lower::lower(&mut ctx.terms, program, property, session.manager.clone(), Relations::Exact, Size::Large)
            .map_err(|t| session.trouble(t))?;
    let (saturation, end) = watched(ctx, &session, &lowered, Clock::Rounds, u64::MAX)?;
    let run = match end {
        End::Saturated => return Ok(Verdict::Safe(prove(ctx, program, &lowered, &saturation))),
        End::Reached(error) => shortest(ctx, &session, &lowered, traces, &saturation, error)?,
        End::GaveUp => return Err(Stop::Failed("saturation lost its patience".to_owned())),
    };
    let run = run.ok_or(Stop::GaveUp(Reason::OutOfBudget(Resource::Memory)))?;
    let trace = trace::from_run(&ctx.terms, program, &lowered, &run).map_err(|p| session.problem(p))?;
    Ok(Verdict::Unsafe(trace))
}

/// How much more work than finding an error a shortest run to it may take.
const WORTH: u64 = 8;

/// What is always worth the while.
const CHEAP: u64 = 20_000;

/// A shortest run to an error if that is not too much work, else the one that was found.
fn shortest(
    ctx: &mut Context,
    session: &Session,
    lowered: &Lowered,
    traces: Traces,
    found: &Saturation,
    error: Sym,
) -> Outcome<Option<Run>> {
    let full = |full| session.full(full);
    if traces == Traces::Shortest {
        let patience = found.work.saturating_mul(WORTH).saturating_add(CHEAP);
        match watched(ctx, session, lowered, Clock::Steps, patience) {
            Ok((saturation, End::Reached(error))) => {
                return walk::back_from(&lowered.system, &saturation, error).map_err(full);
            }
            Ok((_, End::Saturated)) => return Err(Stop::Failed("two saturations disagree".to_owned())),
            Ok((_, End::GaveUp)) | Err(Stop::GaveUp(Reason::OutOfBudget(Resource::Memory))) => {}
            Err(stop) => return Err(stop),
        }
    }
    walk::back_from(&lowered.system, found, error).map_err(full)
}

fn watched(
    ctx: &mut Context,
    session: &Session,
    lowered: &Lowered,
    clock: Clock,
    patience: u64,
) -> Outcome<(Saturation, End)> {
    let start = Instant::now();
    let mut count = 0_u64;
    let result = saturate::<Halt>(&lowered.system, clock, patience, |waiting| {
        count += 1;
        ctx.statistics.nodes = session.manager.peak() as u64;
        ctx.statistics.states += 1;
        if count.is_multiple_of(64) {
            ctx.budget.check()?;
            let (statistics, frontier) = (ctx.statistics, waiting as u64);
            ctx.observer.tell(&Progress { statistics, frontier, counterexample: None });
        }
        Ok(())
    });
    ctx.statistics.saturation += start.elapsed();
    result.map_err(|halt| session.halt(halt))
}

/// Why a saturation did not end.
enum Halt {
    Full(Full),
    Limit(Reason),
}

impl From<Full> for Halt {
    fn from(full: Full) -> Halt {
        Halt::Full(full)
    }
}

impl From<Reason> for Halt {
    fn from(reason: Reason) -> Halt {
        Halt::Limit(reason)
    }
}

fn prove(ctx: &mut Context, program: &Program, lowered: &Lowered, saturation: &Saturation) -> tamis_ir::Proof {
    let certificate = Certificate::new(&mut ctx.terms, program, lowered);
    let at = program.procs().map(|(id, _)| certificate.names_at(&mut ctx.terms, id)).collect();
    let effects = program.procs().map(|(id, _)| certificate.names_of_effect(&mut ctx.terms, id)).collect();
    let memo = program.procs().map(|_| FxHashMap::default()).collect();
    let readable = Readable::new(READABLE_NODES);
    let mut claims = Labels { lowered, saturation, at, effects, memo, readable };
    certificate.prove(&mut ctx.terms, &mut claims)
}

/// The labels themselves are what holds.
struct Labels<'l> {
    lowered: &'l Lowered,
    saturation: &'l Saturation,
    /// By procedure.
    at: Vec<Names>,
    effects: Vec<Names>,
    memo: Vec<FxHashMap<Bdd, Term>>,
    readable: Readable,
}

impl Claims for Labels<'_> {
    fn is_reached(&self, sym: Sym) -> bool {
        !self.saturation.track(Trans::At(sym)).label.is_false()
    }

    fn at(&mut self, terms: &mut Terms, sym: Sym, proc: ProcId) -> Term {
        let label = &self.saturation.track(Trans::At(sym)).label;
        let m = &self.lowered.layout.manager;
        self.readable.formula(m, terms, &self.at[proc.index()], label, &mut self.memo[proc.index()])
    }

    fn effect(&mut self, terms: &mut Terms, proc: ProcId) -> Option<Term> {
        let label = &self.saturation.track(Trans::Effect(proc)).label;
        let m = &self.lowered.layout.manager;
        let (names, memo) = (&self.effects[proc.index()], &mut FxHashMap::default());
        (!label.is_false()).then(|| self.readable.formula(m, terms, names, label, memo))
    }
}
