//! Programs with the verdict that must come out, given to every engine of a table.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{Options, answer};
use tamis_engines::{Decides, Engine, Settings, Takes};
use tamis_frontends::spec::Spec;
use tamis_frontends::{Frontend, Input, Questions, by_extension};
use tamis_ir::graph::CallGraph;
use tamis_ir::passes::{PLAIN, PRUNE, SLICE};
use tamis_ir::{Program, PropertyId, Sources, validate};
use tamis_witness::{Reason, Verdict};

fn lower(ctx: &mut Context, file: &Path) -> Program {
    let bytes = std::fs::read(file).expect("a readable file");
    let line = heading(file);
    let ask: Vec<Spec> = named(&line).and_then(Spec::named).into_iter().collect();
    let mut sources = Sources::new();
    let id = sources.add_bytes(file.display().to_string(), bytes);
    let input = Input { sources: Arc::new(sources), files: &[id], ask: &ask };
    let lowered = (language(file).lower)(&mut ctx.terms, &input, &Settings::default());
    let program = lowered.unwrap_or_else(|refused| panic!("{}: {:?}", file.display(), refused.errors)).program;
    validate::validate(&ctx.terms, &program).unwrap_or_else(|violation| panic!("{}: {violation}", file.display()));
    program
}

/// The language of a file.
fn language(file: &Path) -> &'static Frontend {
    let extension = file.extension().and_then(|e| e.to_str()).expect("a file ending");
    by_extension(extension).expect("a known language")
}

/// The line that says what must come out.
fn heading(file: &Path) -> String {
    let bytes = std::fs::read(file).expect("a readable file");
    let text = String::from_utf8_lossy(&bytes);
    text.lines().find(|line| line.contains("expect:")).unwrap_or_default().to_owned()
}

/// What line 1 names: a label or another property.
fn named(heading: &str) -> Option<&str> {
    heading.split_whitespace().find_map(|word| word.strip_prefix("label=").or(word.strip_prefix("property=")))
}

/// The program's property of that name, or its default one.
fn property(program: &Program, name: Option<&str>) -> PropertyId {
    match name {
        Some(name) => program.find_property(name).unwrap_or_else(|| panic!("no property {name}")),
        None => program.default.expect("a default property"),
    }
}

/// What the verdict line says, or the reason for giving up.
pub fn run(file: &Path, name: Option<&str>, options: &Options, budget: Budget) -> Result<bool, Reason> {
    let mut ctx = Context { budget, ..Context::default() };
    let program = lower(&mut ctx, file);
    let property = property(&program, name);
    let answer = answer(&mut ctx, options, &program, property);
    let fails = |error| panic!("{} fails on {}: {error}", options.engine.name, file.display());
    match answer.unwrap_or_else(fails).verdict {
        Verdict::Safe(_) => Ok(true),
        Verdict::Unsafe(_) => Ok(false),
        Verdict::Unknown(reason) => Err(reason),
    }
}

/// Whether procedures that main calls recurse.
fn recurses(file: &Path) -> bool {
    let program = lower(&mut Context::default(), file);
    CallGraph::new(&program).recursion(program.main).is_some()
}

fn configurations(table: &'static [Engine]) -> Vec<Options> {
    let passes = [vec![], vec![&PRUNE, &SLICE], PLAIN.to_vec()];
    let all = |engine| passes.clone().map(|passes| Options { engine, passes, settings: Settings::default() });
    table.iter().flat_map(all).collect()
}

/// How long an engine tries what it need not decide: programs with wide words, and any program if
/// refinement need not end. What it decides later than that is not listed as decided either.
const WIDE: Duration = SOON;

/// How long the first engine may take where nobody decides in [`WIDE`], and each engine on what it is
/// known to decide soon.
const PATIENT: Duration = Duration::from_mins(1);

/// What may come of a run that need not decide the program.
fn is_undecided(result: &Result<bool, Reason>) -> bool {
    match result {
        Ok(_) => false,
        Err(Reason::OutOfBudget(_) | Reason::Unsupported(_) | Reason::SolverUnknown(_) | Reason::RefinementStuck) => {
            true
        }
        Err(Reason::Bounded(_) | Reason::Interrupted | Reason::EvidenceRejected(_)) => false,
    }
}

/// What an engine decides within this time, it must go on to decide.
const SOON: Duration = Duration::from_millis(300);

/// Engines, and files that they decide although they need not.
pub type Solved = BTreeSet<(String, String)>;

/// What came of the corpus.
#[derive(Debug, Default)]
pub struct Judged {
    /// What is wrong with answers.
    pub wrong: Vec<String>,
    /// What was decided soon.
    pub soon: Solved,
}

/// Judges the answers of the engines about the files, as many at a time as there are cores.
pub fn judge(table: &'static [Engine], corpus: &[PathBuf], solved: &Solved) -> Judged {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut all = Judged::default();
        while let Some(file) = corpus.get(next.fetch_add(1, Ordering::Relaxed)) {
            all = joined(all, judge_file(table, file, solved));
        }
        all
    };
    let mut judged = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..available_parallelism().map_or(1, usize::from)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no engine panics")).fold(Judged::default(), joined)
    });
    judged.wrong.sort();
    judged
}

fn joined(mut all: Judged, more: Judged) -> Judged {
    all.wrong.extend(more.wrong);
    all.soon.extend(more.soon);
    all
}

/// Judges the answers of the engines about a file. The first engine is the one that decides where the
/// others are not patient enough.
fn judge_file(table: &'static [Engine], file: &Path, solved: &Solved) -> Judged {
    let Judged { mut wrong, mut soon } = Judged::default();
    let first = table.iter().find(|engine| engine.takes == Takes::Expanded).map(|engine| engine.name);
    let line = heading(file);
    let words: Vec<&str> = line.split_once("expect:").map_or(vec![], |(_, rest)| rest.split_whitespace().collect());
    let expected = match words.first() {
        Some(&"true") => Some(true),
        Some(&"false") => Some(false),
        // What the error depends on is not modelled.
        Some(&"unknown") => None,
        _ => panic!("{}: a line must say `expect:` true, false or unknown", file.display()),
    };
    let name = named(&line);
    // Words of 32 bits, as where operations of machines go wrong, and numbers without bounds are too
    // much for some engines, but not for all.
    let machine = matches!(language(file).questions, Questions::Operations { .. });
    let wide = machine || file.components().any(|part| part.as_os_str() == "numbers");
    let mut decided = expected.is_none();
    let recursive = recurses(file);
    for options in configurations(table) {
        // Those that refine abstractions need not end, and machine words are for those of them that
        // whoever names no engine gets.
        let Engine { takes, decides, .. } = *options.engine;
        let refines = decides == Decides::Refinable;
        let for_words = takes != Takes::Systems && (table[0].races)(options.engine);
        // Those that copy procedures to their calls mostly do so until time is up.
        let copies = !takes.calls() && first != Some(options.engine.name);
        if (wide || refines) && options.passes.len() != 2 || machine && refines && !for_words || recursive && copies {
            continue;
        }
        let limited = wide || refines;
        let entry = (options.engine.name.to_owned(), place(file));
        let must = limited && solved.contains(&entry);
        let budget = match (limited, must) {
            (true, true) => Budget::default().with_time(PATIENT),
            (true, false) => Budget::default().with_time(WIDE),
            (false, _) => Budget::default(),
        };
        let start = Instant::now();
        let result = run(file, name, &options, budget);
        // Guessing and a bound may miss an error, but never find one that is not there.
        let guessed = match (decides, &result) {
            (Decides::Errors | Decides::Bounded, Err(Reason::Bounded(_))) => true,
            // All paths end without an error, but nobody finds a proof.
            (Decides::Bounded, Err(Reason::Unsupported(_) | Reason::SolverUnknown(_))) => expected != Some(false),
            _ => false,
        };
        let undecided = limited && !must && is_undecided(&result);
        let right = result.as_ref().ok().copied() == expected;
        decided |= right;
        if limited && right && result.is_ok() && start.elapsed() < SOON {
            soon.insert(entry);
        }
        if !right && (must || !guessed && !undecided) {
            let passes: Vec<_> = options.passes.iter().map(|pass| pass.name).collect();
            wrong.push(format!("{} with {} {passes:?}: {result:?}", file.display(), options.engine.name));
        }
    }
    // What is slow on a busy machine gets a second chance.
    let patient = configurations(table).into_iter().next();
    if let Some(options) = patient.filter(|_| !decided) {
        decided = run(file, name, &options, Budget::default().with_time(PATIENT)).ok() == expected;
    }
    if !decided {
        wrong.push(format!("{}: no engine decides", file.display()));
    }
    Judged { wrong, soon }
}

/// A file as the list of what is decided names it.
fn place(file: &Path) -> String {
    let words: Vec<String> = file.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    let at = words.iter().rposition(|word| word == "corpus").map_or(0, |at| at + 1);
    words[at..].join("/")
}
