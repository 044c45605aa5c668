//! Every configuration of the configurable framework against breadth-first search, each with parts
//! exchanged at random.

use super::generate::machine;
use super::search::first_bad;
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{Options, answer};
use tamis_engines::{ENGINES, Engine, Settings};
use tamis_ir::passes::PLAIN;
use tamis_ir::{Sources, validate};
use tamis_term::Terms;
use tamis_witness::{Reason, Verdict};

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Systems without a reachable bad state.
    pub safe: u64,
    /// Systems with one.
    pub bad: u64,
    /// Runs that agreed with the search.
    pub agreed: u64,
    /// Refinements.
    pub rounds: u64,
    /// Runs that gave up, by reason.
    pub unknown: BTreeMap<String, u64>,
}

/// How long a run may take before it counts as unknown.
const PATIENCE: Duration = Duration::from_secs(10);

/// The values that an option is tried with.
fn values(name: &str) -> &'static [&'static str] {
    match name {
        "order" => &["depth", "breadth", "distance"],
        "equations" => &["assumed", "ignored"],
        "prune" => &["lazily", "fully"],
        "counterexamples" => &["1", "2", "5"],
        "refine" => &["craig", "sequence", "backward", "prefixes"],
        "accuracy" => &["boolean", "cartesian"],
        "precision" => &["state", "location", "procedure", "global"],
        "pieces" => &["whole", "conjuncts", "atoms"],
        "start" => &["empty", "property"],
        "bound" => &["2", "50"],
        "drop" | "ctg" | "lift" | "reuse" | "equal" => &["yes", "no"],
        "sources" => &["newton", "newton-forward", "diagrams+newton", "proof+newton"],
        _ => &[],
    }
}

/// Compares all configurations on the system of a seed, each as it is and with parts exchanged.
///
/// # Errors
/// Says which one is wrong.
pub fn examine(seed: u64, tally: &mut Seen) -> Result<(), String> {
    let mut terms = Terms::new();
    let machine = machine(&mut terms, seed);
    let expected = first_bad(&terms, &machine);
    *(if expected.is_some() { &mut tally.bad } else { &mut tally.safe }) += 1;
    let program = machine.program(&mut terms, Arc::new(Sources::new()));
    validate::validate(&terms, &program).map_err(|violation| format!("the program is malformed: {violation}"))?;
    let property = program.default.ok_or("the program has no property")?;
    let mut rng = Rng::with_seed(seed);
    for engine in ENGINES.iter().filter(|engine| !engine.takes.calls() && engine.racers(ENGINES).is_empty()) {
        for exchanged in [false, true] {
            let settings = if exchanged { exchange(&mut rng, engine) } else { Settings::default() };
            let passes = if rng.bool() { PLAIN.to_vec() } else { Vec::new() };
            let options = Options { engine, passes, settings };
            let budget = Budget::default().with_time(PATIENCE);
            let mut ctx = Context { terms: terms.clone(), budget, ..Context::default() };
            let what = |problem: String| format!("{} {:?}: {problem}", engine.name, options.settings);
            let found = answer(&mut ctx, &options, &program, property).map_err(what)?;
            tally.rounds += ctx.statistics.rounds;
            match (found.verdict, expected) {
                (Verdict::Safe(_), None) | (Verdict::Unsafe(_), Some(_)) => tally.agreed += 1,
                (Verdict::Unknown(reason @ Reason::EvidenceRejected(_)), _) => return Err(what(reason.to_string())),
                (Verdict::Unknown(reason), _) => *tally.unknown.entry(reason.to_string()).or_default() += 1,
                (Verdict::Safe(_), Some(depth)) => return Err(what(format!("safe, but bad after {depth} steps"))),
                (Verdict::Unsafe(_), None) => return Err(what("unsafe, but no bad state can be reached".into())),
            }
        }
    }
    Ok(())
}

/// Some options at random, which go with the configuration.
fn exchange(rng: &mut Rng, engine: &Engine) -> Settings {
    let mut chosen = Vec::new();
    let rows = engine.options.rows();
    for row in &rows {
        if let Some(value) = rng.choice(values(row.name)).filter(|_| rng.u8(..3) == 0) {
            chosen.push((row.name, *value));
        }
    }
    // A core tells which variables matter, and no more.
    let learns_variables = rows.iter().any(|row| row.name == "learn" && row.default != "predicates");
    if learns_variables && rng.u8(..3) == 0 {
        chosen.push(("refine", "core"));
    }
    let settings = chosen.into_iter().collect();
    debug_assert_eq!(engine.check(ENGINES, &settings), Ok(()));
    settings
}
