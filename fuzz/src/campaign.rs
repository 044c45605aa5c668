//! A campaign: one program per seed, everything compared, the first failure shrunk.

use crate::compare::{Setup, Tally, compare};
use crate::round_trip::round_trip;
use crate::{corrupt, generate, shrink};
use fastrand::Rng;
use tamis_ir::{Program, PropertyId, validate};
use tamis_term::Terms;
use tamis_witness::{Check, StopSignal, Verdict, check};

/// A disagreement.
#[derive(Debug)]
pub struct Failure {
    /// The seed of the program.
    pub seed: u64,
    /// What is wrong.
    pub what: String,
    /// The arena of `shrunk`.
    pub terms: Terms,
    /// A small program with the same kind of disagreement.
    pub shrunk: Program,
    /// What is wrong with it.
    pub shrunk_what: String,
}

/// What a campaign did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Programs.
    pub programs: u64,
    /// Verdicts and how they were reached.
    pub tally: Tally,
    /// Pieces of corrupted evidence that were refused.
    pub refused: u64,
}

/// Runs the programs of the seeds until one fails or `go_on` says no.
///
/// # Errors
/// Returns the first failure, shrunk.
pub fn campaign(
    seeds: impl Iterator<Item = u64>,
    setup: &Setup,
    mut go_on: impl FnMut(&Counts) -> bool,
) -> Result<Counts, Box<Failure>> {
    let mut counts = Counts::default();
    for seed in seeds {
        if !go_on(&counts) {
            break;
        }
        let mut terms = Terms::new();
        let program = generate::program(&mut terms, seed);
        if let Err(what) = examine(&terms, &program, seed, setup, &mut counts) {
            return Err(Box::new(shrunk(seed, what, terms, &program, setup)));
        }
    }
    Ok(counts)
}

/// Everything that must hold for one program.
///
/// # Errors
/// Names what does not.
pub fn examine(terms: &Terms, program: &Program, seed: u64, setup: &Setup, counts: &mut Counts) -> Result<(), String> {
    validate::validate(terms, program).map_err(|violation| format!("the program is malformed: {violation}"))?;
    let property = program.default.ok_or("the program has no property")?;
    counts.programs += 1;
    let refused = &mut counts.refused;
    compare(terms, program, property, setup, &mut counts.tally, |terms, options, verdict| {
        // Only an exact proof is known to break; passes may have made it larger.
        let exact = options.engine.name == "explicit" && options.passes.is_empty();
        *refused += refuse(terms, program, property, seed, verdict, exact)?;
        Ok(())
    })?;
    round_trip(terms, program, setup.states).map_err(|what| format!("printed as Remopla: {what}"))?;
    Ok(())
}

/// Corrupts evidence in every known way; all of it must be refused.
fn refuse(
    terms: &mut Terms,
    program: &Program,
    property: PropertyId,
    seed: u64,
    verdict: &Verdict,
    exact: bool,
) -> Result<u64, String> {
    let mut rng = Rng::with_seed(seed);
    let wrong: Vec<(&str, Verdict)> = match verdict {
        Verdict::Unsafe(trace) => {
            let all = corrupt::traces(&mut rng, program, property, trace);
            all.into_iter().map(|(what, trace)| (what, Verdict::Unsafe(trace))).collect()
        }
        Verdict::Safe(proof) if exact => {
            let silent = corrupt::silenced(&mut rng, program, property, proof);
            let checked = check(terms, program, property, &Verdict::Safe(silent.clone()), &StopSignal::never());
            if checked != Check::Accepted {
                return Err(format!("a proof that passes over locations is refused: {checked:?}"));
            }
            let mut all = corrupt::proofs(&mut rng, terms, program, property, proof);
            all.extend(corrupt::proofs(&mut rng, terms, program, property, &silent));
            all.into_iter().map(|(what, proof)| (what, Verdict::Safe(proof))).collect()
        }
        Verdict::Safe(_) | Verdict::Unknown(_) => Vec::new(),
    };
    for (what, bad) in &wrong {
        if let check @ (Check::Accepted | Check::Undecided(_)) =
            check(terms, program, property, bad, &StopSignal::never())
        {
            return Err(format!("evidence with {what} is not refused: {check:?}"));
        }
    }
    Ok(wrong.len() as u64)
}

fn shrunk(seed: u64, what: String, mut terms: Terms, program: &Program, setup: &Setup) -> Failure {
    // The kind of failure is what comes before the first detail: it must stay the same.
    let kind = |what: &str| what.split([':', '0']).next().unwrap_or_default().to_owned();
    let wanted = kind(&what);
    let fails = |terms: &Terms, program: &Program| {
        let again = examine(terms, program, seed, setup, &mut Counts::default());
        again.is_err_and(|what| kind(&what) == wanted)
    };
    let small = shrink::shrink(&mut terms, program, fails);
    let again = examine(&terms, &small, seed, setup, &mut Counts::default());
    Failure { seed, what, terms, shrunk: small, shrunk_what: again.err().unwrap_or_default() }
}
