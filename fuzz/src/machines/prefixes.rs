//! The laws of sliced path prefixes, on random paths of random machines: each prefix is weaker than
//! the path, each is contradictory, and its interpolants refute the path; where there is none, the
//! path is real.

use super::generate::machine;
use fastrand::Rng;
use std::sync::Arc;
use tamis_cegar::{Context, Path, State};
use tamis_ir::Sources;
use tamis_ir::passes::PLAIN;
use tamis_ir::passes::pipeline;
use tamis_ir::system::extract::{Extracted, Size, extract};
use tamis_refiners::interpolation::{PathRefiner, Sliced, Strategy};
use tamis_solver::interpolation::portfolio::{Config, Portfolio};
use tamis_solver::interpolation::{Interpolation, Interpolator, Parts, Validity, valid};
use tamis_solver::{Answer, Solvers};
use tamis_term::{Sort, Term, Terms, Value, Var};

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Paths that can be followed.
    pub real: u64,
    /// Paths that cannot.
    pub spurious: u64,
    /// Paths with several contradictory beginnings.
    pub several: u64,
    /// Beginnings whose interpolants were validated on the path.
    pub refuted: u64,
}

/// Examines some paths of the machine of a seed.
///
/// # Errors
/// Says which law does not hold.
pub fn examine(seed: u64, tally: &mut Seen) -> Result<(), String> {
    let mut rng = Rng::with_seed(seed);
    let mut ctx = Context::default();
    let machine = machine(&mut ctx.terms, seed);
    let program = machine.program(&mut ctx.terms, Arc::new(Sources::new()));
    let property = program.default.ok_or("the program has no property")?;
    let (program, _) = pipeline(&mut ctx.terms, &program, property, PLAIN);
    let size = if rng.bool() { Size::Single } else { Size::Large };
    let extracted = extract(&mut ctx.terms, &program, property, size)?;
    let interpolator = Box::new(Portfolio::new(Config::default(), Solvers::default()));
    let mut refiner = PathRefiner::new(&mut ctx, &program, &extracted, Strategy::Prefixes, interpolator);
    for _ in 0..3 {
        let length = rng.usize(1..=5);
        examine_path(&mut ctx, &mut rng, &mut refiner, &extracted, length, tally)?;
    }
    Ok(())
}

fn examine_path(
    ctx: &mut Context,
    rng: &mut Rng,
    refiner: &mut PathRefiner<'_>,
    extracted: &Extracted,
    length: usize,
    tally: &mut Seen,
) -> Result<(), String> {
    let anywhere = Path(vec![State::new(&mut ctx.terms, vec![]); length]);
    let mut formulas = refiner.formulas(ctx, &anywhere);
    formulas.pop();
    let Some(places) = places(&ctx.terms, extracted, &formulas)? else { return Ok(()) };
    let path = Path(places.iter().map(|place| state(&mut ctx.terms, rng, extracted, place.clone())).collect());
    let formulas = refiner.formulas(ctx, &path);
    let located = located(&mut ctx.terms, extracted, &places, &formulas);
    let contradictory = is_contradictory(&ctx.terms, &located)?;
    let prefixes = match refiner.sliced(ctx, &path).map_err(|stop| stop.to_string())? {
        Sliced::Real(_) if contradictory => return Err("a trace of a path that cannot be followed".into()),
        Sliced::Real(_) => {
            tally.real += 1;
            return Ok(());
        }
        Sliced::Prefixes(_) if !contradictory => return Err("a reason against a path that can be followed".into()),
        Sliced::Prefixes(found) if found.is_empty() => return Err("no reason against a path".into()),
        Sliced::Prefixes(found) => found,
    };
    tally.spurious += 1;
    tally.several += u64::from(prefixes.len() > 1);
    prefixes.into_iter().try_for_each(|prefix| examine_prefix(&mut ctx.terms, &located, prefix, tally))
}

fn examine_prefix(terms: &mut Terms, path: &[Term], prefix: Vec<Term>, tally: &mut Seen) -> Result<(), String> {
    if !is_contradictory(terms, &prefix)? {
        return Err("a prefix that is not contradictory".into());
    }
    for (at, (strong, weak)) in path.iter().zip(&prefix).enumerate() {
        let not = terms.not(*weak);
        if !is_contradictory(terms, &[*strong, not])? {
            return Err(format!("formula {at} of a prefix does not follow from that of the path"));
        }
    }
    // A formula that is false at sight mentions nothing any more that interpolants could speak about.
    if path.iter().any(|formula| terms.is_false(*formula)) {
        return Ok(());
    }
    let parts = Parts::chain(prefix);
    let found = Portfolio::new(Config::default(), Solvers::default()).interpolate(terms, &parts);
    let Interpolation::Interpolants(mut found) = found.map_err(|error| error.to_string())? else { return Ok(()) };
    // Behind the prefix there is nothing left.
    let falsity = terms.bool(false);
    found.resize(path.len() - 1, falsity);
    let mut solver = Solvers::default().fresh(terms, path).map_err(|error| error.to_string())?;
    match valid(terms, &Parts::chain(path.to_vec()), &found, &mut *solver).map_err(|error| error.to_string())? {
        Validity::Valid => tally.refuted += 1,
        Validity::Invalid(why) => return Err(format!("interpolants of a prefix do not refute the path: {why}")),
        Validity::Undecided(_) => {}
    }
    Ok(())
}

fn is_contradictory(terms: &Terms, formulas: &[Term]) -> Result<bool, String> {
    let mut solver = Solvers::default().fresh(terms, formulas).map_err(|error| error.to_string())?;
    match solver.check(terms, formulas).map_err(|error| error.to_string())? {
        Answer::Sat(_) => Ok(false),
        Answer::Unsat(_) => Ok(true),
        Answer::Unknown(why) => Err(why.to_string()),
    }
}

/// The copy of a variable at a state of a path.
fn copy(terms: &Terms, var: Var, at: usize) -> Option<Var> {
    terms.find_var(&format!("{}@{at}", terms.name(var)))
}

/// Where control is on some way of that length, if there is one; nothing where there is one place.
fn places(terms: &Terms, extracted: &Extracted, formulas: &[Term]) -> Result<Option<Vec<Option<Value>>>, String> {
    let mut solver = Solvers::default().fresh(terms, formulas).map_err(|error| error.to_string())?;
    let model = match solver.check(terms, formulas).map_err(|error| error.to_string())? {
        Answer::Sat(model) => model,
        Answer::Unsat(_) => return Ok(None),
        Answer::Unknown(why) => return Err(why.to_string()),
    };
    let value = |at: usize| Some(model.value(terms, copy(terms, extracted.control?, at)?));
    Ok(Some((0..formulas.len()).map(value).collect()))
}

/// A state at a place, with a value of some variable that may be wrong.
fn state(terms: &mut Terms, rng: &mut Rng, extracted: &Extracted, place: Option<Value>) -> State {
    let mut literals = Vec::new();
    if let Some((control, place)) = extracted.control.zip(place) {
        let (control, place) = (terms.var(control), terms.constant(place));
        literals.push(terms.eq(control, place));
    }
    let others: Vec<Var> =
        extracted.system.state.iter().map(|(now, _)| *now).filter(|var| Some(*var) != extracted.control).collect();
    if let Some(var) = rng.choice(&others).filter(|_| rng.bool()) {
        let value = match terms.var_sort(*var) {
            Sort::Bool => Value::Bool(rng.bool()),
            Sort::BitVec(width) => Value::bv(*width, rng.u64(0..1 << (*width).min(3))),
            Sort::Int => Value::int(rng.i64(0..=super::generate::LIMIT)),
            Sort::Real | Sort::Array(_) => Value::default_of(terms.var_sort(*var)),
        };
        let (own, value) = (terms.var(*var), terms.constant(value));
        literals.push(terms.eq(own, value));
    }
    State::new(terms, literals)
}

/// The formulas of a path, where each also says at which place it begins: that is how abstract
/// states split by interpolants are used.
fn located(terms: &mut Terms, extracted: &Extracted, places: &[Option<Value>], formulas: &[Term]) -> Vec<Term> {
    let mut located = Vec::new();
    for (at, formula) in formulas.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| Some((before, places[before].clone()?)));
        let place = before.and_then(|(before, place)| Some((copy(terms, extracted.control?, before)?, place)));
        let fact = place.map(|(control, place)| {
            let (control, place) = (terms.var(control), terms.constant(place));
            terms.eq(control, place)
        });
        let parts: Vec<Term> = fact.into_iter().chain([*formula]).collect();
        located.push(terms.and(&parts));
    }
    located
}
