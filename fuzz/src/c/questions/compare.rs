//! Each program is asked about each property alone, about what is usual, and about some together.

use super::oracle::{Meetings, Truth, meetings, truth};
use super::write::{PRELUDE, program};
use super::{EVENTS, Event};
use crate::c::shrink::shrink;
use crate::c::tree::Node;
use crate::replay::replay;
use fastrand::Rng;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{self, answer};
use tamis_engines::{Settings, by_name};
use tamis_frontends::Input;
use tamis_frontends::c::{self, DataModel};
use tamis_frontends::spec::Spec;
use tamis_ir::passes::PLAIN;
use tamis_ir::{Program, PropertyId, Sources, Trace};
use tamis_report::harness::{Case, Outcome};
use tamis_witness::{Reason, Verdict};

/// How long each question may take.
const TIME: Duration = Duration::from_secs(2);

/// How many programs are compiled together.
const BATCH: usize = 40;

/// How often a shrinking program is tried.
const TRIES: u32 = 600;

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The program's seed.
    pub seed: u64,
    /// What was asked.
    pub asked: Vec<Event>,
    /// What is wrong.
    pub what: String,
    /// A small program of the same kind.
    pub small: String,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Programs that were asked about.
    pub programs: u64,
    /// Right answers of each kind, and questions without an answer.
    pub safe: u64,
    /// See above.
    pub violated: u64,
    /// See above.
    pub unknown: u64,
    /// Traces that the compiled program was seen to take.
    pub replayed: u64,
    /// All others.
    pub wrong: Vec<Wrong>,
}

/// How programs are asked about.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// One of so many traces is replayed.
    pub replay: u64,
    /// So many programs with wrong answers are shrunk.
    pub shrunk: usize,
    /// What is done to the text that is asked about, and not to the one that is compiled: nothing,
    /// unless the comparison itself is tested.
    pub change: fn(String) -> String,
}

impl Default for Asking {
    fn default() -> Asking {
        Asking { replay: 20, shrunk: 3, change: |text| text }
    }
}

/// Asks about the programs of some seeds.
///
/// # Errors
/// If the compiler cannot be used, or the writer makes a mistake.
pub fn compare(seeds: impl Iterator<Item = u64>, asking: Asking, report: &mut Report) -> Result<(), String> {
    let seeds: Vec<u64> = seeds.collect();
    for seeds in seeds.chunks(BATCH) {
        let programs: Vec<Node> = seeds.iter().map(|seed| program(*seed)).collect();
        let met = meetings(&programs)?;
        for ((seed, program), runs) in seeds.iter().zip(&programs).zip(&met) {
            report.programs += 1;
            for asked in questions(*seed) {
                asking.examine(*seed, program, runs, &asked, report);
            }
        }
    }
    Ok(())
}

/// What is asked about the program of a seed.
fn questions(seed: u64) -> Vec<Vec<Event>> {
    let usual = EVENTS.iter().map(|row| row.0).filter(|event| *event != Event::Overflow).collect();
    let mut questions: Vec<Vec<Event>> = EVENTS.iter().map(|row| vec![row.0]).collect();
    questions.push(usual);
    let mut rng = Rng::with_seed(seed);
    questions.push(EVENTS.iter().map(|row| row.0).filter(|_| rng.bool()).collect());
    questions.retain(|asked| !asked.is_empty());
    questions
}

impl Asking {
    fn examine(self, seed: u64, program: &Node, runs: &[Meetings], asked: &[Event], report: &mut Report) {
        let what = match (self.ask(program, asked), truth(runs, asked)) {
            (Said::Safe, Truth::Safe | Truth::Open) => return report.safe += 1,
            (Said::Unsafe(found), Truth::Unsafe) => {
                report.violated += 1;
                match report.violated.is_multiple_of(self.replay).then(|| found.replayed()) {
                    None | Some(Ok(Outcome::NotReplayed(_))) => return,
                    Some(Ok(Outcome::Replayed(_))) => return report.replayed += 1,
                    Some(Ok(failed @ Outcome::Failed(_))) => failed.to_string(),
                    Some(Err(why)) => why,
                }
            }
            (Said::Unsafe(_), Truth::Open) => return report.violated += 1,
            (Said::Unknown, _) => return report.unknown += 1,
            (Said::Safe, Truth::Unsafe) => "called safe, and the compiled program is not".to_owned(),
            (Said::Unsafe(_), Truth::Safe) => "called unsafe, and the compiled program is safe".to_owned(),
            (Said::Wrong(what), _) => what,
        };
        let small = if report.wrong.len() < self.shrunk { self.smaller(program, asked) } else { program.clone() };
        let small = small.print("");
        report.wrong.push(Wrong { seed, asked: asked.to_vec(), what, small });
    }

    /// A small program on which the answer is still wrong.
    fn smaller(self, program: &Node, asked: &[Event]) -> Node {
        shrink(program, TRIES, |candidate| {
            let Ok(met) = meetings(std::slice::from_ref(candidate)) else { return false };
            match (self.ask(candidate, asked), truth(&met[0], asked)) {
                (Said::Safe, Truth::Unsafe) | (Said::Unsafe(_), Truth::Safe) | (Said::Wrong(_), _) => true,
                (Said::Safe | Said::Unsafe(_) | Said::Unknown, _) => false,
            }
        })
    }

    /// Asks the engine of those who name none.
    fn ask(self, program: &Node, asked: &[Event]) -> Said {
        let text = (self.change)(PRELUDE.to_owned() + &program.print(""));
        let (mut sources, mut ctx) = (Sources::new(), Context::default());
        ctx.budget = Budget { deadline: Some(Instant::now() + TIME), ..Budget::default() };
        let file = sources.add("program.c", text.clone());
        let ask: Vec<Spec> = asked.iter().map(|event| event.spec()).collect();
        let options = c::Options { data_model: DataModel::Lp64, ..c::Options::default() };
        let input = Input { sources: Arc::new(sources), files: &[file], ask: &ask };
        let program = match c::lower_as(&mut ctx.terms, &input, &options) {
            Ok(lowered) => lowered.program,
            Err(refused) => return Said::Wrong(format!("refused: {:?}", refused.errors.first())),
        };
        let (Some(property), Some(engine)) = (program.default, by_name("auto")) else {
            return Said::Wrong("nothing is asked".to_owned());
        };
        let options = driver::Options { engine, passes: PLAIN.to_vec(), settings: Settings::default() };
        match answer(&mut ctx, &options, &program, property).map(|answer| answer.verdict) {
            Ok(Verdict::Safe(_)) => Said::Safe,
            Ok(Verdict::Unsafe(trace)) => Said::Unsafe(Box::new(Found { text, ctx, program, property, trace })),
            Ok(Verdict::Unknown(Reason::EvidenceRejected(why))) => Said::Wrong(format!("evidence rejected: {why}")),
            Ok(Verdict::Unknown(_)) => Said::Unknown,
            Err(why) => Said::Wrong(why),
        }
    }
}

/// What the tool says.
enum Said {
    Safe,
    Unsafe(Box<Found>),
    Unknown,
    /// What must never be said.
    Wrong(String),
}

/// A trace, with what it is a trace of.
struct Found {
    text: String,
    ctx: Context,
    program: Program,
    property: PropertyId,
    trace: Trace,
}

impl Found {
    fn replayed(&self) -> Result<Outcome, String> {
        let Found { text, ctx, program, property, trace } = self;
        let case = Case { terms: &ctx.terms, program, property: *property, trace };
        replay(&case, &[("program.c", text)], DataModel::Lp64)
    }
}
