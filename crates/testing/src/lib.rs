//! What tests need and not every machine has, through one door: no test passes in silence without
//! having tested anything.
//!
//! A test that lacks something is skipped, and a line on standard error says so. If the variable
//! `TAMIS_TEST_TOOLS` is `all`, it fails where a tool is missing. The tasks of others, which lie
//! beside the workspace, are never required.
//!
//! Files in order of reading: [`tools`] (what there is to ask for), this one (asking).
//!
//! ```no_run
//! use tamis_testing::{find, has, tools};
//!
//! # fn test() {
//! if !has(&tools::COMPILER) {
//!     return;
//! }
//! let Some(z3) = find(&tools::Z3) else { return };
//! # }
//! ```

pub mod tools;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tools::Tool;

/// Says `all` where a missing tool fails a test.
const REQUIRED: &str = "TAMIS_TEST_TOOLS";

/// The program of a tool. If it is missing, the reader has been told, and the test ends.
///
/// # Panics
/// If it is missing and required.
#[must_use]
#[track_caller]
pub fn find(tool: &Tool) -> Option<PathBuf> {
    let found = tool.program();
    if needs(tool, found.is_some()) { found } else { None }
}

/// Whether a tool is here. If it is missing, the reader has been told, and the test ends.
///
/// # Panics
/// If it is missing and required.
#[must_use]
#[track_caller]
pub fn has(tool: &Tool) -> bool {
    needs(tool, tool.program().is_some())
}

/// The same for a test that has looked for the tool itself.
///
/// # Panics
/// If it is missing and required.
#[must_use]
#[track_caller]
pub fn needs(tool: &Tool, found: bool) -> bool {
    if !found {
        let Tool { what, how, .. } = tool;
        assert!(!is_required(), "{what} is missing, and {REQUIRED}=all requires it: {how}");
        skip(what, how);
    }
    found
}

/// Tasks of others: a file or folder in the `shared` beside the workspace. If it is missing, the
/// reader has been told, and the test ends.
#[must_use]
#[track_caller]
pub fn tasks(path: &str) -> Option<PathBuf> {
    let found = tasks_at_hand(path);
    if found.is_none() {
        skip(&format!("../shared/{path}"), "tasks of others, which are no part of the workspace");
    }
    found
}

/// The same for a test that has tasks of its own, and runs without these, too.
#[must_use]
pub fn tasks_at_hand(path: &str) -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    Some(shared.join(path)).filter(|path| path.exists())
}

/// The files below a folder with one of these endings, or all where none is named, in order.
///
/// # Panics
/// If there are none: a test of nothing passes.
#[must_use]
pub fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if endings.is_empty() || endings.iter().any(|e| path.extension().is_some_and(|found| found == *e)) {
                files.push(path);
            }
        }
    }
    assert!(!files.is_empty(), "{} has no files {endings:?}", folder.display());
    files.sort();
    files
}

fn is_required() -> bool {
    match std::env::var(REQUIRED).as_deref() {
        Ok("all") => true,
        Ok("") | Err(_) => false,
        Ok(other) => panic!("{REQUIRED} is `all` or nothing, not `{other}`"),
    }
}

/// Tells what this test lacks, and how many tests of this process have been skipped. For what no
/// package brings, and is never required.
#[track_caller]
pub fn skip(what: &str, how: &str) {
    static SKIPPED: Mutex<BTreeMap<String, BTreeSet<String>>> = Mutex::new(BTreeMap::new());
    let mut skipped = SKIPPED.lock().unwrap_or_else(PoisonError::into_inner);
    let test = this_test(Location::caller());
    if skipped.entry(test.clone()).or_default().insert(what.to_owned()) {
        let line = format!("SKIPPED {test}: {what} ({how}); {} skipped so far\n", skipped.len());
        // `eprintln!` is captured where a test passes. Whoever closed the stream need not be told.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

/// The name of the running test. Threads have the names of their tests, unless there is only one
/// thread: then it is the place that asks.
fn this_test(place: &Location) -> String {
    match std::thread::current().name() {
        Some("main") | None => format!("{}:{}", place.file(), place.line()),
        Some(name) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Output};

    const NOTHING: Tool = Tool { what: "what nobody has", how: "apt-get install nothing", find: || None };

    #[test]
    #[ignore = "other tests run it in a process of its own"]
    fn lacks_a_tool() {
        for _ in 0..2 {
            assert_eq!(find(&NOTHING), None);
            assert!(!has(&NOTHING) && !needs(&tools::COMPILER, false));
        }
    }

    #[test]
    #[ignore = "other tests run it in a process of its own"]
    fn lacks_tasks() {
        assert_eq!(tasks("nowhere"), None);
    }

    /// Runs ignored tests, and says whether they pass and what they print.
    fn run(names: &[&str], required: Option<&str>) -> (bool, String) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact"]).args(names.iter().map(|name| format!("tests::{name}")));
        command.env_remove(REQUIRED).envs(required.map(|value| (REQUIRED, value)));
        let Output { status, stdout, stderr } = command.output().unwrap();
        (status.success(), String::from_utf8([stderr, stdout].concat()).unwrap())
    }

    #[test]
    fn what_is_missing_is_told_once_although_the_test_passes() {
        for unset in [None, Some("")] {
            let (passes, said) = run(&["lacks_a_tool"], unset);
            let told =
                ["what nobody has (apt-get install nothing); 1", "a C compiler (apt-get install gcc libc6-dev); 1"];
            let told = told.map(|what| format!("SKIPPED tests::lacks_a_tool: {what} skipped so far\n"));
            assert!(passes && said.starts_with(&told.concat()), "{said}");
            assert_eq!(said.matches("SKIPPED").count(), 2, "{said}");
        }
    }

    #[test]
    fn what_is_missing_and_required_fails_the_test() {
        let (passes, said) = run(&["lacks_a_tool"], Some("all"));
        let why = "what nobody has is missing, and TAMIS_TEST_TOOLS=all requires it: apt-get install nothing";
        assert!(!passes && said.contains(why) && !said.contains("SKIPPED"), "{said}");
        let (passes, said) = run(&["lacks_a_tool"], Some("al"));
        assert!(!passes && said.contains("TAMIS_TEST_TOOLS is `all` or nothing, not `al`"), "{said}");
    }

    #[test]
    fn tasks_of_others_are_never_required() {
        let (passes, said) = run(&["lacks_tasks"], Some("all"));
        assert!(passes && said.contains("SKIPPED tests::lacks_tasks: ../shared/nowhere (tasks of others"), "{said}");
    }

    #[test]
    fn skipped_tests_are_counted() {
        let (passes, said) = run(&["lacks_a_tool", "lacks_tasks"], None);
        assert!(passes && said.contains("; 2 skipped so far\n") && !said.contains("; 3 skipped"), "{said}");
    }

    #[test]
    fn files_are_found_in_folders_and_in_order() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = ["src/lib.rs", "src/tools.rs"].map(|name| folder.join(name));
        let tests = [folder.join("tests/layers.rs")];
        assert_eq!(files(folder, &["rs"]), [&sources[..], &tests].concat());
        assert_eq!(files(folder, &[]), [&[folder.join("Cargo.toml")], &sources[..], &tests].concat());
    }

    #[test]
    #[should_panic = "src has no files [\"txt\"]"]
    fn a_folder_without_files_is_refused() {
        let _ = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &["txt"]);
    }

    #[test]
    fn what_is_there_is_found() {
        assert!(needs(&NOTHING, true));
        assert_eq!(tasks_at_hand("../main/no such file"), None);
        let shell = Tool { what: "a shell", how: "", find: || tools::in_path("sh") };
        assert!(find(&shell).is_some_and(|path| path.is_absolute() && path.exists()) && has(&shell));
    }
}
