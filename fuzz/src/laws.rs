//! The laws of abstraction refinement on random systems: every heuristic, both kinds of
//! witness graphs, every round audited, every verdict compared with explicit saturation and
//! its evidence checked.

use crate::{generate, systems};
use tamis_cegar::{Budget, Context, Stop};
use tamis_engines::driver::{Options, answer};
use tamis_engines::pushdown::cegar::{Config, Search, StopRule, Witnesses, run};
use tamis_engines::{Settings, by_name, pushdown};
use tamis_ir::blocks::Size;
use tamis_ir::{Program, PropertyId};
use tamis_refiners::bdd::{Fault, HEURISTICS, Heuristic};
use tamis_term::Terms;
use tamis_witness::{Check, Reason, StopSignal, Verdict, check};

/// Rounds beyond which a refinement is given up. Random relations have no structure, so a
/// few systems need very many predicates.
const MAX_ROUNDS: u64 = 150;

/// What was tally.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Systems.
    pub systems: u64,
    /// Systems that are safe.
    pub safe: u64,
    /// Refinements that ran to their end.
    pub runs: u64,
    /// Refinements that were given up.
    pub given_up: u64,
    /// Rounds in all.
    pub rounds: u64,
}

/// Random targets per system, for the comparison of directions.
const TARGETS: usize = 3;

/// The system of a seed: mostly bare relations, sometimes a program.
#[must_use]
pub fn subject(terms: &mut Terms, seed: u64) -> Program {
    if seed.is_multiple_of(4) { generate::program(terms, seed) } else { systems::system(terms, seed, TARGETS) }
}

/// All that must hold of one system.
///
/// # Errors
/// Names what does not.
pub fn examine(seed: u64, tally: &mut Seen) -> Result<(), String> {
    let mut terms = Terms::new();
    let program = subject(&mut terms, seed);
    tamis_ir::validate::validate(&terms, &program).map_err(|why| format!("the system is malformed: {why}"))?;
    let property = program.default.ok_or("the system has no property")?;
    let Some(safe) = verdict(&terms, &program, property, "explicit")? else { return Ok(()) };
    tally.systems += 1;
    tally.safe += u64::from(safe);
    for config in configurations() {
        refined(&terms, &program, property, &config, safe, tally).map_err(|what| format!("{what} ({config:?})"))?;
    }
    found(&terms, &program, property, safe)?;
    for target in 0..program.errors.len() {
        directions(&terms, &program, PropertyId::new(target))?;
    }
    Ok(())
}

/// A trace that is not looked for among the shortest runs too.
fn found(terms: &Terms, program: &Program, property: PropertyId, safe: bool) -> Result<(), String> {
    let mut ctx = Context { terms: terms.clone(), ..Context::default() };
    let verdict = pushdown::run(&mut ctx, program, property, pushdown::Traces::Any).map_err(|stop| stop.to_string())?;
    match (&verdict, check(&mut ctx.terms, program, property, &verdict, &StopSignal::never())) {
        (Verdict::Safe(_), Check::Accepted) if safe => Ok(()),
        (Verdict::Unsafe(_), Check::Accepted) if !safe => Ok(()),
        (_, check) => Err(format!("any trace: {verdict:?}, {check:?}")),
    }
}

/// post*, pre* and explicit saturation agree.
fn directions(terms: &Terms, program: &Program, property: PropertyId) -> Result<(), String> {
    let words: Vec<Option<bool>> = ["explicit", "pushdown", "pushdown-backward"]
        .into_iter()
        .map(|engine| verdict(terms, program, property, engine))
        .collect::<Result<_, _>>()?;
    if words[1] != words[2] || words[0].is_some() && words[0] != words[1] {
        return Err(format!("explicit, post* and pre* say {words:?} about {}", program.property(property).name));
    }
    Ok(())
}

/// Whether the property holds, according to an engine.
fn verdict(terms: &Terms, program: &Program, property: PropertyId, engine: &str) -> Result<Option<bool>, String> {
    let engine = by_name(engine).ok_or("no such engine")?;
    let mut ctx = Context { terms: terms.clone(), ..Context::default() };
    ctx.budget.states = Some(200_000);
    let options = Options { engine, passes: Vec::new(), settings: Settings::default() };
    match answer(&mut ctx, &options, program, property)?.verdict {
        Verdict::Safe(_) => Ok(Some(true)),
        Verdict::Unsafe(_) => Ok(Some(false)),
        Verdict::Unknown(Reason::OutOfBudget(_)) => Ok(None),
        Verdict::Unknown(reason) => Err(format!("{} has no answer: {reason}", engine.name)),
    }
}

/// Every heuristic with both kinds of witness graphs, and some with the lazy stop, or with small blocks and
/// the search that ends early.
fn configurations() -> impl Iterator<Item = Config> {
    let audited = |heuristic: Heuristic| Config { audit: true, ..Config::new(heuristic) };
    let thick = HEURISTICS.iter().map(move |row| audited(row.heuristic));
    let thin =
        HEURISTICS.iter().map(move |row| Config { witnesses: Witnesses::Thin, hard_bits: 3, ..audited(row.heuristic) });
    let lazy = [Heuristic::Weakest, Heuristic::Combined].into_iter();
    let early = [Heuristic::Both, Heuristic::Combined].into_iter();
    let early =
        early.map(move |heuristic| Config { search: Search::Early, blocks: Size::Single, ..audited(heuristic) });
    let lazy = lazy.map(move |heuristic| Config { stop: StopRule::Lazily, ..audited(heuristic) });
    thick.chain(thin).chain(lazy).chain(early)
}

fn refined(
    terms: &Terms,
    program: &Program,
    property: PropertyId,
    config: &Config,
    safe: bool,
    tally: &mut Seen,
) -> Result<(), String> {
    let budget = Budget { rounds: Some(MAX_ROUNDS), ..Budget::default() };
    let mut ctx = Context { terms: terms.clone(), budget, ..Context::default() };
    let verdict = match run(&mut ctx, program, property, config) {
        Ok(verdict) => verdict,
        Err(Stop::GaveUp(Reason::OutOfBudget(_))) => {
            tally.given_up += 1;
            return Ok(());
        }
        Err(stop) => return Err(stop.to_string()),
    };
    tally.runs += 1;
    tally.rounds += ctx.statistics.rounds;
    let said = match &verdict {
        Verdict::Safe(_) => true,
        Verdict::Unsafe(_) => false,
        Verdict::Unknown(reason) => return Err(format!("no answer: {reason}")),
    };
    if said != safe {
        return Err(format!("refinement says safe = {said}, explicit saturation says {safe}"));
    }
    match check(&mut ctx.terms, program, property, &verdict, &StopSignal::never()) {
        Check::Accepted => Ok(()),
        Check::Rejected(why) => Err(format!("the evidence is rejected: {why}")),
        Check::Undecided(why) => Err(format!("the evidence is not decided: {why}")),
    }
}

/// Whether an audit notices a mistake on the system of a seed.
#[must_use]
pub fn notices(seed: u64, fault: Fault) -> bool {
    let mut terms = Terms::new();
    let program = subject(&mut terms, seed);
    let Some(property) = program.default else { return false };
    [Heuristic::Weakest, Heuristic::Combined].into_iter().any(|heuristic| {
        let budget = Budget { rounds: Some(MAX_ROUNDS), ..Budget::default() };
        let mut ctx = Context { terms: terms.clone(), budget, ..Context::default() };
        let config = Config { audit: true, fault: Some(fault), ..Config::new(heuristic) };
        matches!(run(&mut ctx, &program, property, &config), Err(Stop::Failed(_)))
    })
}
