//! Every program of the corpus with every engine, with and without passes: verdict and
//! evidence. The first line with `expect:` says what must come out: line 1 of a program where the
//! language has comments there, a line of the comment at the end of an AIGER file.
//!
//! Where the tasks of others are beside the workspace (`../shared`), they are run as well.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tamis_cegar::{Budget, Context};
use tamis_engines::driver::{Options, answer};
use tamis_engines::{ENGINES, Takes};
use tamis_frontends::spec::Spec;
use tamis_frontends::{Input, Options as Languages, by_extension, c};
use tamis_ir::graph::CallGraph;
use tamis_ir::passes::{PLAIN, PRUNE, SLICE};
use tamis_ir::{Program, PropertyId, Sources, validate};
use tamis_testing::{files, tasks};
use tamis_witness::{Reason, Verdict};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lower(ctx: &mut Context, file: &Path) -> Program {
    let bytes = std::fs::read(file).expect("a readable file");
    let line = heading(file);
    let ask = named(&line).and_then(Spec::named).into_iter().collect();
    let options = Languages { c: c::Options { ask, ..c::Options::default() } };
    let mut sources = Sources::new();
    let id = sources.add_bytes(file.display().to_string(), bytes);
    let extension = file.extension().and_then(|e| e.to_str()).expect("a file ending");
    let sources = Arc::new(sources);
    let input = Input { sources, files: &[id], options: &options };
    let lowered = (by_extension(extension).expect("a known language").lower)(&mut ctx.terms, &input);
    let program = lowered.unwrap_or_else(|refused| panic!("{}: {:?}", file.display(), refused.errors)).program;
    validate::validate(&ctx.terms, &program).unwrap_or_else(|violation| panic!("{}: {violation}", file.display()));
    program
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
fn run(file: &Path, name: Option<&str>, options: &Options, budget: Budget) -> Result<bool, Reason> {
    let mut ctx = Context { budget, ..Context::default() };
    let program = lower(&mut ctx, file);
    let property = property(&program, name);
    match answer(&mut ctx, options, &program, property).expect("no engine fails").verdict {
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

fn configurations() -> Vec<Options> {
    let passes = [vec![], vec![&PRUNE, &SLICE], PLAIN.to_vec()];
    ENGINES
        .iter()
        .flat_map(|engine| {
            passes.clone().map(|passes| Options { engine, passes, settings: tamis_engines::Settings::default() })
        })
        .collect()
}

/// How long each engine tries a program with wide words, and each configuration any program.
const WIDE: Duration = Duration::from_secs(2);

/// How long the engine of those who name none may take where nobody decides in [`WIDE`].
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

#[test]
fn the_corpus_gets_its_verdicts() {
    let mut wrong = Vec::new();
    let mut corpus = files(&root().join("tests/corpus"), &[]);
    // These are run by the interpreter, and compared with a compiler, elsewhere.
    let elsewhere = ["differential", "runs"];
    corpus.retain(|file| !file.components().any(|part| elsewhere.iter().any(|name| part.as_os_str() == *name)));
    for file in &corpus {
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
        // Words of 32 bits, and numbers without bounds, are too much for some engines, but not for all.
        let is_c = file.extension().is_some_and(|ending| ending == "c");
        let wide = is_c || file.components().any(|part| part.as_os_str() == "numbers");
        let mut decided = expected.is_none();
        let recursive = recurses(file);
        for options in configurations() {
            // Those that find predicates need not end, and C is for some of them.
            let engine = options.engine.name;
            let refines = options.engine.takes == Takes::Systems || engine == "boolean";
            let for_c = ["boolean", "predicate", "explicit-values"].contains(&engine);
            // Those that copy procedures to their calls mostly do so until time is up.
            let copies = options.engine.takes == Takes::Systems && engine != "predicate";
            if (wide || refines) && options.passes.len() != 2 || is_c && refines && !for_c || recursive && copies {
                continue;
            }
            let limited = wide || refines;
            let budget = if limited { Budget::default().with_time(WIDE) } else { Budget::default() };
            let result = run(file, name, &options, budget);
            // Guessing and a bound may miss an error, but never find one that is not there.
            let guessed = match (options.engine.name, &result) {
                ("runs" | "bounded", Err(Reason::Bounded(_))) => true,
                // All paths end without an error, but nobody finds a proof.
                ("bounded", Err(Reason::Unsupported(_) | Reason::SolverUnknown(_))) => expected != Some(false),
                _ => false,
            };
            let undecided = limited && is_undecided(&result);
            let right = result.as_ref().ok().copied() == expected;
            decided |= right;
            if !right && !guessed && !undecided {
                let passes: Vec<_> = options.passes.iter().map(|pass| pass.name).collect();
                wrong.push(format!("{} with {} {passes:?}: {result:?}", file.display(), options.engine.name));
            }
        }
        // What is slow on a busy machine gets a second chance.
        let patient = configurations().into_iter().find(|options| options.engine.name == "auto");
        if let Some(options) = patient.filter(|_| !decided) {
            decided = run(file, name, &options, Budget::default().with_time(PATIENT)).ok() == expected;
        }
        if !decided {
            wrong.push(format!("{}: no engine decides", file.display()));
        }
    }
    assert!(corpus.len() >= 30, "the corpus is there: {}", corpus.len());
    assert!(wrong.is_empty(), "expected another verdict (see the line `expect:` of each file):\n{}", wrong.join("\n"));
}

/// What `explicit` may use on the tasks of others in a test.
fn modest() -> Budget {
    Budget { states: Some(3_000_000), ..Budget::default() }.with_time(Duration::from_mins(1))
}

/// Runs tasks of others; those beyond the budget are listed, a wrong verdict fails.
fn others(tasks: &[(PathBuf, bool, Option<&str>)]) {
    let options = Options {
        engine: tamis_engines::by_name("explicit").expect("registered"),
        passes: vec![&PRUNE, &SLICE],
        settings: tamis_engines::Settings::default(),
    };
    let mut wrong = Vec::new();
    for (file, expected, name) in tasks {
        match run(file, *name, &options, modest()) {
            Ok(verdict) if verdict == *expected => {}
            Err(Reason::OutOfBudget(what)) => println!("{}: out of {what:?}", file.display()),
            result => wrong.push(format!("{}: {result:?}", file.display())),
        }
    }
    assert!(wrong.is_empty(), "expected another verdict:\n{}", wrong.join("\n"));
}

#[test]
fn pushdown_programs_of_others_get_their_verdicts() {
    let Some(folder) = tasks("pushdown") else { return };
    let unsafe_ones = ["ex52bad.rem", "fig63bad.rem"];
    let tasks: Vec<_> = files(&folder, &["rem"])
        .into_iter()
        .map(|file| {
            let expected = !unsafe_ones.iter().any(|name| file.ends_with(name));
            (file, expected, None)
        })
        .collect();
    others(&tasks);
}

#[test]
fn boolean_programs_of_others_get_their_verdicts() {
    let Some(bench) = tasks("bench") else { return };
    let index = std::fs::read_to_string(bench.join("index.tsv")).expect("an index of the tasks");
    let mut tasks = Vec::new();
    for line in index.lines().filter(|line| line.starts_with("pds/boppo")) {
        let cells: Vec<&str> = line.split('\t').collect();
        let words: Vec<&str> = cells[7].split_whitespace().collect();
        let label = words.iter().position(|word| *word == "-l").map(|at| words[at + 1]);
        tasks.push((bench.join(cells[0]), cells[2] == "true", label));
    }
    assert_eq!(tasks.len(), 23, "the tasks with a known verdict");
    others(&tasks);
}
