//! All engines against the bounded search and against each other, evidence included.

use crate::search::{Bounds, Found, search};
use std::time::Duration;
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{Options, answer};
use tamis_engines::{Decides, Engine, Settings, Takes};
use tamis_ir::graph::CallGraph;
use tamis_ir::passes::{PLAIN, Pass};
use tamis_ir::{Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::{Reason, Verdict};

/// How deep the bounded engine looks: random programs have their errors near the start.
const DEPTH: &str = "8";

/// What to compare.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The engines, each with the passes to apply first.
    pub engines: Vec<Options>,
    /// How far the interpreter looks.
    pub bounds: Bounds,
    /// How many states an engine may store.
    pub states: u64,
}

/// How long stacks of copied procedures may grow. What is not decided then is passed over.
const MOMENT: Duration = Duration::from_millis(200);

/// How long an engine may take: some questions about products and divisions are very hard. What is
/// not decided then is passed over, too.
const PATIENCE: Duration = Duration::from_secs(20);

/// How often abstraction to Boolean programs is refined.
const ROUNDS: u64 = 10;

/// What comparing showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs that an engine proved safe.
    pub safe: u64,
    /// Programs for which an engine found an error.
    pub violated: u64,
    /// Programs about which no engine knew an answer.
    pub unknown: u64,
    /// Programs that the bounded search decided.
    pub searched: u64,
}

/// A verdict in a word, to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Safe,
    Violated,
}

/// Runs everything on a program. `verdicts` is handed each accepted verdict and how it came
/// about.
///
/// # Errors
/// Names the first disagreement.
pub fn compare(
    terms: &Terms,
    program: &Program,
    property: PropertyId,
    setup: &Setup,
    tally: &mut Tally,
    mut verdicts: impl FnMut(&mut Terms, &Options, &Verdict) -> Result<(), String>,
) -> Result<(), String> {
    let found = search(terms, program, property, setup.bounds);
    let mut known: Option<(Word, &'static str)> = match found {
        Found::Error { .. } => Some((Word::Violated, "the interpreter")),
        Found::Nothing => Some((Word::Safe, "the interpreter")),
        Found::Bounded => None,
    };
    tally.searched += u64::from(known.is_some());
    let mut said = None;
    let recursive = CallGraph::new(program).recursion(program.main).is_some();
    let first = setup.engines.iter().position(|options| !options.engine.takes.calls());
    for (at, options) in setup.engines.iter().enumerate() {
        let Engine { name, takes, decides, can, .. } = *options.engine;
        // Who copies procedures to their calls does so until time is up where recursion has no
        // bound: one of them is enough, for a moment.
        let copies = recursive && !takes.calls();
        if copies && first != Some(at) {
            continue;
        }
        // Refinement over words ends, but not soon.
        let rounds = (decides == Decides::Refinable).then_some(ROUNDS);
        let budget = Budget { states: Some(setup.states), rounds, ..Budget::default() };
        let budget = budget.with_time(if copies { MOMENT } else { PATIENCE });
        let mut ctx = Context { terms: terms.clone(), budget, ..Context::default() };
        let verdict = answer(&mut ctx, options, program, property).map_err(|e| format!("{name} fails: {e}"))?.verdict;
        let word = match &verdict {
            Verdict::Safe(_) => Word::Safe,
            Verdict::Unsafe(trace) => {
                let shortest = can.shortest && options.passes.is_empty();
                if let Found::Error { steps, shortest: true } = found
                    && (trace.steps.len() < steps || shortest && trace.steps.len() > steps)
                {
                    return Err(format!("{name} finds an error after {} steps, not {steps}", trace.steps.len()));
                }
                Word::Violated
            }
            Verdict::Unknown(Reason::OutOfBudget(_)) => continue,
            // Who abstracts words may find no predicates, and some know no recursion.
            Verdict::Unknown(Reason::RefinementStuck | Reason::SolverUnknown(_) | Reason::Unsupported(_))
                if decides == Decides::Refinable =>
            {
                continue;
            }
            // Who only guesses may find nothing.
            Verdict::Unknown(Reason::Bounded(_)) if decides == Decides::Errors => continue,
            // Who looks at all paths up to a depth finds all errors that are nearer.
            Verdict::Unknown(Reason::Bounded(depth)) if decides == Decides::Bounded => match found {
                Found::Error { steps, .. } if steps as u64 <= *depth => {
                    return Err(format!("{name} finds no error up to depth {depth}: one is {steps} steps away"));
                }
                Found::Error { .. } | Found::Nothing | Found::Bounded => continue,
            },
            // All paths end without an error, but there is no proof.
            Verdict::Unknown(Reason::Unsupported(_) | Reason::SolverUnknown(_)) if decides == Decides::Bounded => {
                match found {
                    Found::Error { .. } => return Err(format!("{name} says that all paths end without an error")),
                    Found::Nothing | Found::Bounded => continue,
                }
            }
            Verdict::Unknown(reason) => return Err(format!("{name} has no answer: {reason}")),
        };
        match known {
            Some((other, who)) if other != word => return Err(format!("{name} says {word:?}, {who} says {other:?}")),
            Some(_) => {}
            None => known = Some((word, name)),
        }
        said = Some(word);
        verdicts(&mut ctx.terms, options, &verdict)?;
    }
    match said {
        Some(Word::Safe) => tally.safe += 1,
        Some(Word::Violated) => tally.violated += 1,
        None => tally.unknown += 1,
    }
    Ok(())
}

/// The setup that compares every engine of a table, with and without passes.
#[must_use]
pub fn everything(table: &'static [Engine]) -> Setup {
    // Those for transition systems alone are compared in `machines`.
    let engines = || table.iter().filter(|engine| engine.takes != Takes::Systems);
    let options = |passes: &[&'static Pass]| {
        let passes = passes.to_vec();
        move |engine| Options { engine, passes: passes.clone(), settings: settings(engine) }
    };
    let plain = engines().map(options(&[]));
    // Guessing is not worth a second time.
    let passed = engines().filter(|engine| engine.decides != Decides::Errors).map(options(PLAIN));
    Setup { engines: plain.chain(passed).collect(), bounds: Bounds { configs: 4_000, depth: 5 }, states: 200_000 }
}

/// What random programs ask for: no deep search.
fn settings(engine: &Engine) -> Settings {
    let bound = (engine.decides == Decides::Bounded).then_some(("bound", DEPTH));
    engine.chosen(&bound.into_iter().collect::<Settings>())
}
