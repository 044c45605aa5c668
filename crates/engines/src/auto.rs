//! What a user gets who names no engine: small programs state by state, which gives shortest
//! traces and the same answer every time; larger ones by the race. Descriptions of systems have a race of
//! their own, between an invariant and an error on bits. Where inputs are so wide, or
//! memory is so vast, that they cannot be enumerated, some are guessed first; then abstractions are
//! refined, and beside that errors are looked for by symbolic execution.

use crate::portfolio::{self, Racer};
use crate::{Engine, Settings, by_name, configurable, explicit, greybox};
use std::time::{Duration, Instant};
use tamis_cegar::{Context, Outcome, Stop};
use tamis_ir::analysis::Liveness;
use tamis_ir::graph::CallGraph;
use tamis_ir::passes::inline;
use tamis_ir::{Op, ProcId, Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::{Reason, Resource, Verdict};

/// A program with no more states than this is small: they are explored in a moment.
const SMALL: u64 = 200_000;

/// A description of a system with no more states than this is explored before others are asked.
const TINY: u64 = 10_000;

/// Values of more bits than this are wide. Inputs that are wide are guessed first.
const WIDE: u64 = 24;

/// A variable of more bits than this is memory, of which a run uses only a part.
const VAST: u64 = 1 << 12;

/// How long inputs are guessed at first, at most; otherwise a tenth of the time that is left. What
/// can be guessed at all is mostly guessed by then.
const GUESSING: Duration = Duration::from_millis(200);

/// Explores the states if they are few, and races if not.
///
/// # Errors
/// If no engine has a verdict.
pub fn run(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    if has_endless_values(&ctx.terms, program) {
        return configurable::choose::run(ctx, program, property, settings);
    }
    if let Some(first) = known_engine(ctx, program) {
        let others = racers(program).iter().filter(|racer| racer.name != first);
        let others = others.map(|racer| Racer { after: ALONE, ..*racer });
        let racers: Vec<Racer> = std::iter::once(Racer::new(first, Duration::ZERO)).chain(others).collect();
        return portfolio::staggered(ctx, &racers, program, property, settings);
    }
    if program.notes.signals.is_some() {
        return system(ctx, program, property, settings);
    }
    if has_wide_inputs(&ctx.terms, program) {
        if let Some(found) = guess(ctx, program, property)? {
            return Ok(found);
        }
        let first = portfolio::staggered(ctx, racers(program), program, property, settings);
        return rest_of_the_time(ctx, first, program, property, settings);
    }
    explored(ctx, SMALL, program, property, |ctx| {
        portfolio::staggered(ctx, &NARROW_RACERS, program, property, settings)
    })
}

/// What is asked about the description of a system.
fn system(ctx: &mut Context, program: &Program, property: PropertyId, settings: &Settings) -> Outcome<Verdict> {
    let race = |ctx: &mut Context| portfolio::staggered(ctx, &SYSTEM_RACERS, program, property, settings);
    if has_wide_inputs(&ctx.terms, program) {
        return race(ctx);
    }
    explored(ctx, TINY, program, property, race)
}

/// Explores the states if there are at most so many; if not, does something else.
fn explored(
    ctx: &mut Context,
    most: u64,
    program: &Program,
    property: PropertyId,
    or_else: impl FnOnce(&mut Context) -> Outcome<Verdict>,
) -> Outcome<Verdict> {
    let allowed = ctx.budget.states;
    ctx.budget.states = Some(allowed.map_or(most, |states| states.min(most)));
    let first = explicit::run(ctx, program, property);
    ctx.budget.states = allowed;
    let is_large = |states: u64| states > most;
    match first {
        Err(Stop::GaveUp(Reason::OutOfBudget(Resource::States))) if allowed.is_none_or(is_large) => {
            ctx.statistics = tamis_cegar::Statistics::default();
            or_else(ctx)
        }
        // Too many bits for one state, say.
        Err(Stop::GaveUp(Reason::Unsupported(_))) => or_else(ctx),
        answer => answer,
    }
}

/// How long each of those who race has a start.
const ALONE: Duration = Duration::from_millis(300);

/// Guessing goes on for a while beside the others.
const GUESSER: Racer<'_> = Racer { most: Duration::from_secs(5), ..Racer::new("greybox", ALONE) };

/// Who races on a program whose values are too many to enumerate. Most programs in which no error
/// was guessed have none, and predicates prove that soon. What Boolean programs are good at, they
/// prove soon, too.
const PROGRAM_RACERS: [Racer<'_>; 5] = [
    Racer::new("predicate", Duration::ZERO),
    Racer::new("value-analysis", ALONE),
    Racer::new("bounded", ALONE),
    GUESSER,
    Racer { most: Duration::from_secs(12), ..Racer::new("boolean", ALONE) },
];

/// The same where procedures recurse. What ends, symbolic execution often follows to the end at once.
const RECURSIVE_RACERS: [Racer<'_>; 3] =
    [Racer::new("bounded", Duration::ZERO), Racer::new("boolean", Duration::from_millis(100)), GUESSER];

fn racers(program: &Program) -> &'static [Racer<'static>] {
    if has_calls(program) { &RECURSIVE_RACERS } else { &PROGRAM_RACERS }
}

/// If all gave up before the time is over: what Boolean programs find, which had some of it only.
fn rest_of_the_time(
    ctx: &mut Context,
    first: Outcome<Verdict>,
    program: &Program,
    property: PropertyId,
    settings: &Settings,
) -> Outcome<Verdict> {
    let (Ok(Verdict::Unknown(_)) | Err(Stop::GaveUp(_))) = first else { return first };
    if has_calls(program) || ctx.budget.check().is_err() {
        return first;
    }
    match portfolio::race(ctx, &["boolean"], program, property, settings) {
        Ok(verdict @ (Verdict::Safe(_) | Verdict::Unsafe(_))) => Ok(verdict),
        Err(Stop::Failed(error)) => Err(Stop::Failed(error)),
        Err(Stop::GaveUp(why @ (Reason::OutOfBudget(_) | Reason::Interrupted))) => Err(Stop::GaveUp(why)),
        Ok(Verdict::Unknown(_)) | Err(Stop::GaveUp(_)) => first,
    }
}

/// The engine whose precision is given, if it is one that can take the program.
fn known_engine(ctx: &Context, program: &Program) -> Option<&'static str> {
    let given = ctx.reuse.given.as_ref()?;
    let engine = by_name(&given.engine).filter(|engine| engine.can.precision)?;
    let fits = engine.takes.calls() || !has_calls(program);
    fits.then_some(engine.name)
}

/// A program of more edges than this is too large to copy procedures to their calls.
const LARGE: usize = 100_000;

/// Whether procedures are to be copied to their calls before [`run`] sees the program: where
/// abstractions will be refined, of transition systems.
#[must_use]
pub fn wants_expansion(terms: &Terms, program: &Program) -> bool {
    if has_endless_values(terms, program) {
        return true;
    }
    let calls = CallGraph::new(program);
    let used = calls.reachable(program.main);
    let recursive = calls.recursion(program.main).is_some();
    let copied: Vec<ProcId> = inline::select(program, inline::ALL);
    let all = program.procs().all(|(id, _)| !used[id.index()] || id == program.main || copied.contains(&id));
    has_wide_values(terms, program) && !recursive && all && program.edges().count() < LARGE
}

fn has_calls(program: &Program) -> bool {
    program.proc(program.main).edges.iter().any(|edge| matches!(edge.op, Op::Call { .. }))
}

/// Who races on a description of a system: an invariant of clauses against an error after some steps.
/// What is large in words and arrays may be small for predicates, or for decision diagrams, which join in
/// late, or at once where values are no bits.
const SYSTEM_RACERS: [Racer<'_>; 4] = [
    Racer::new("ic3", Duration::ZERO),
    Racer { share: 2, ..Racer::new("bmc", Duration::from_millis(50)) },
    Racer { share: 2, ..Racer::new("predicate-sequence", Duration::from_secs(8)) },
    Racer { share: 2, ..Racer::new("pushdown", Duration::from_secs(30)) },
];

/// Who races on a program of finite values and narrow inputs. Symbolic execution finds errors that
/// take arithmetic, which is hard for decision diagrams; where paths are many it fills the memory, so
/// it gives up while there is enough for the others. Predicates see through long loops of counters, and
/// where few states lead to the error, the search back from it is through at once.
const NARROW_RACERS: [Racer<'_>; 5] = [
    Racer::new("pushdown-cegar", Duration::ZERO),
    Racer::new("pushdown", Duration::ZERO),
    portfolio::BACKWARD,
    Racer { share: 2, ..Racer::new("bounded", Duration::from_secs(1)) },
    Racer::new("predicate", ALONE),
];

/// Whether an engine may race on some program. Besides, the one whose precision is given does.
#[must_use]
pub fn races(engine: &Engine) -> bool {
    let staggered = [&PROGRAM_RACERS[..], &RECURSIVE_RACERS, &NARROW_RACERS, &SYSTEM_RACERS];
    let mut names = staggered.into_iter().flatten().map(|racer| racer.name);
    names.any(|name| name == engine.name) || configurable::choose::races(engine)
}

/// Whether values are not finite: then states can be neither enumerated nor written as diagrams.
fn has_endless_values(terms: &Terms, program: &Program) -> bool {
    program.vars().any(|var| !terms.var_sort(var).is_finite())
}

fn has_wide_values(terms: &Terms, program: &Program) -> bool {
    program.vars().any(|var| terms.var_sort(var).bits().is_none_or(|bits| bits > WIDE))
}

fn has_wide_inputs(terms: &Terms, program: &Program) -> bool {
    let bits = |var| terms.var_sort(var).bits();
    if program.vars().any(|var| bits(var).is_none_or(|bits| bits > VAST)) {
        return true;
    }
    let liveness = Liveness::new(terms, program);
    program.edges().any(|(_, edge)| match &edge.op {
        // What is not read is no input. A sort without a number of bits is infinite.
        Op::Havoc(vars) => {
            let read = liveness.live(edge.to).filter(|var| vars.contains(var));
            read.map(bits).sum::<Option<u64>>().is_none_or(|sum| sum > WIDE)
        }
        Op::Assume(_) | Op::Assign(_) | Op::Call { .. } => false,
    })
}

/// Guesses inputs for a short while.
fn guess(ctx: &mut Context, program: &Program, property: PropertyId) -> Outcome<Option<Verdict>> {
    let deadline = ctx.budget.deadline;
    let tenth = deadline.map(|end| end.saturating_duration_since(Instant::now()) / 10);
    ctx.budget.deadline = Instant::now().checked_add(tenth.map_or(GUESSING, |time| time.min(GUESSING)));
    let outcome = greybox::run(ctx, program, property);
    ctx.budget.deadline = deadline;
    match outcome {
        Ok(verdict) => Ok(Some(verdict)),
        Err(Stop::Failed(error)) => Err(Stop::Failed(error)),
        Err(Stop::GaveUp(_)) => {
            ctx.statistics = tamis_cegar::Statistics::default();
            ctx.budget.check()?;
            Ok(None)
        }
    }
}
