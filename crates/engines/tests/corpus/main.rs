//! Every program of the corpus with every engine, with and without passes: verdict and
//! evidence. The first line with `expect:` says what must come out: line 1 of a program where the
//! language has comments there, a line of the comment at the end of an AIGER file.
//!
//! Files: `judge` (what must come out), `registry` (an engine of the test's own among them), this one.
//!
//! Where the tasks of others are beside the workspace (`../shared`), they are run as well.

mod judge;
mod registry;

use judge::{Judged, Solved, judge, run};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tamis_cegar::Budget;
use tamis_engines::driver::Options;
use tamis_engines::{ENGINES, Settings, by_name};
use tamis_ir::passes::{PRUNE, SLICE};
use tamis_testing::{files, tasks};
use tamis_witness::Reason;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_corpus_gets_its_verdicts() {
    let mut corpus = files(&root().join("tests/corpus"), &[]);
    // These are run by the interpreter, and compared with a compiler, elsewhere.
    let elsewhere = ["differential", "runs"];
    corpus.retain(|file| !file.components().any(|part| elsewhere.iter().any(|name| part.as_os_str() == *name)));
    assert!(corpus.len() >= 30, "the corpus is there: {}", corpus.len());
    let Judged { wrong, soon } = judge(ENGINES, &corpus, &solved());
    if std::env::var_os(BLESS).is_some() {
        let lines: Vec<String> = soon.iter().map(|(engine, file)| format!("{engine}\t{file}\n")).collect();
        std::fs::write(root().join(SOLVED), lines.concat()).expect("a writable file");
    }
    let help = format!(
        "expected another verdict (see the line `expect:` of each file, and {SOLVED}: what an engine decided before, it \
         must go on to decide; {BLESS}=1 writes that file anew)"
    );
    assert!(wrong.is_empty(), "{help}:\n{}", wrong.join("\n"));
}

/// What engines decide although they need not end: a line for each engine and file.
const SOLVED: &str = "tests/solved.tsv";

/// Set to write [`SOLVED`] anew.
const BLESS: &str = "TAMIS_BLESS_SOLVED";

fn solved() -> Solved {
    let text = std::fs::read_to_string(root().join(SOLVED)).expect("a list of what is decided");
    let entry = |line: &str| line.split_once('\t').map(|(engine, file)| (engine.to_owned(), file.to_owned()));
    text.lines().filter_map(entry).collect()
}

/// What `explicit` may use on the tasks of others in a test.
fn modest() -> Budget {
    Budget { states: Some(3_000_000), ..Budget::default() }.with_time(Duration::from_mins(1))
}

/// Runs tasks of others; those beyond the budget are listed, a wrong verdict fails.
fn others(tasks: &[(PathBuf, bool, Option<&str>)]) {
    let options = Options {
        engine: by_name("explicit").expect("registered"),
        passes: vec![&PRUNE, &SLICE],
        settings: Settings::default(),
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
