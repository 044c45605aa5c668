//! The Remopla front end, through one door: [`check`] compares the edges of a program, or
//! what is wrong with it, with what is expected. The programs under `remopla/programs` name
//! their labels after what should happen: `yes…` is reached, `no…` is not.

#[path = "remopla/arithmetic.rs"]
mod arithmetic;
#[path = "remopla/diagnostics.rs"]
mod diagnostics;
#[path = "remopla/edges.rs"]
mod edges;
#[path = "remopla/explore.rs"]
mod explore;
#[path = "remopla/printing.rs"]
mod printing;
#[path = "remopla/random.rs"]
mod random;
#[path = "remopla/robustness.rs"]
mod robustness;
#[path = "remopla/show.rs"]
mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tamis_frontends::{Lowered, remopla};
use tamis_ir::validate::validate;
use tamis_ir::{Diagnostic, Sources};
use tamis_term::Terms;
use tamis_testing::tasks;

fn lower(text: &str) -> (Terms, Arc<Sources>, Result<Lowered, Vec<Diagnostic>>) {
    let mut sources = Sources::new();
    let id = sources.add("test.rem", text);
    let sources = Arc::new(sources);
    let mut terms = Terms::new();
    let result = remopla::lower(&mut terms, Arc::clone(&sources), id);
    if let Ok(lowered) = &result {
        validate(&terms, &lowered.program).expect("a valid program");
    }
    (terms, sources, result)
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// Compares the edges of the program and the warnings, or the errors, with `expected`.
fn check(text: &str, expected: &str) {
    let (terms, sources, result) = lower(text);
    let found = match result {
        Ok(lowered) => {
            let warnings = show::diagnostics(&sources, &lowered.warnings);
            format!("{}{warnings}", show::program(&terms, &lowered.program))
        }
        Err(errors) => show::diagnostics(&sources, &errors),
    };
    assert_eq!(lines(&found), lines(expected), "found:\n{found}");
}

fn programs() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/remopla/programs");
    texts_in(&folder)
}

/// The `.rem` files of a folder, in order.
fn texts_in(folder: &Path) -> Vec<(PathBuf, String)> {
    let paths = tamis_testing::files(folder, &["rem"]).into_iter();
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn labels_say_whether_they_are_reached() {
    let programs = programs();
    assert!(programs.len() > 10);
    for (path, text) in programs {
        let (terms, sources, result) = lower(&text);
        let lowered =
            result.unwrap_or_else(|errors| panic!("{}\n{}", path.display(), show::diagnostics(&sources, &errors)));
        let reached = explore::reached(&terms, &lowered.program, 400_000, explore::all).expect("a small program");
        let mut count = 0;
        for property in lowered.program.errors.iter().filter(|property| !property.name.contains(':')) {
            let expected = match property.name.as_str() {
                name if name.starts_with("yes") => true,
                name if name.starts_with("no") => false,
                _ => continue,
            };
            count += 1;
            assert_eq!(reached.contains(property.name.as_str()), expected, "{} in {}", property.name, path.display());
        }
        assert!(count > 2, "{}", path.display());
    }
}

/// Where this machine has them.
#[test]
fn files_of_the_thesis_lower() {
    let Some(folder) = tasks("pushdown") else { return };
    for (path, text) in texts_in(&folder) {
        let (_, sources, result) = lower(&text);
        let lowered = result.unwrap_or_else(|errors| panic!("{}", show::diagnostics(&sources, &errors)));
        assert!(lowered.program.default.is_some(), "{}", path.display());
        assert!(lowered.warnings.is_empty(), "{}", path.display());
    }
}

/// Where this machine has them.
#[test]
fn files_of_moped_qleak_lower_or_name_what_is_not_supported() {
    let Some(folder) = tasks("bench/pds/remopla-mopedqleak") else { return };
    for (path, text) in texts_in(&folder) {
        match lower(&text).2 {
            Ok(_) => assert!(!text.contains("pchoice"), "{}", path.display()),
            Err(errors) => assert!(errors.iter().all(|e| e.message.contains("pchoice")), "{}", path.display()),
        }
    }
}
