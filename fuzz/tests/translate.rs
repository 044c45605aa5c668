//! Random programs as Horn clauses and as bounded questions: the answers of the command `z3` are those
//! of the interpreter.

use std::path::Path;
use std::process::Command;
use tamis_fuzz::generate::program;
use tamis_fuzz::search::{Bounds, Found, search};
use tamis_report::translate::{chc, smt2};
use tamis_term::Terms;
use tamis_testing::find;
use tamis_testing::tools::Z3;

/// What Z3 says within some seconds.
fn answer(z3: &Path, text: &str) -> String {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("text.smt2");
    std::fs::write(&file, text).unwrap();
    // The slicing of Z3 4.8 is not sound.
    let output = Command::new(z3).args(["-T:5", "fp.xform.slice=false"]).arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!said.contains("(error"), "{said}\n{text}");
    said.lines().next().unwrap_or_default().to_owned()
}

/// The random programs whose answer the interpreter knows, with whether there is an error.
fn programs(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, Terms, tamis_ir::Program, bool)> {
    seeds.filter_map(|seed| {
        let mut terms = Terms::new();
        let program = program(&mut terms, seed);
        let found = search(&terms, &program, program.default?, Bounds { configs: 5_000, depth: 4 });
        let error = match found {
            Found::Error { .. } => true,
            Found::Nothing => false,
            Found::Bounded => return None,
        };
        Some((seed, terms, program, error))
    })
}

#[test]
fn z3_agrees_with_the_interpreter_about_horn_clauses() {
    let Some(z3) = find(&Z3) else { return };
    let (mut safe, mut reached) = (0, 0);
    for (seed, mut terms, program, error) in programs(0..250) {
        let text = chc::render(&mut terms, &program, program.default.unwrap());
        let said = answer(&z3, &text);
        match said.as_str() {
            "sat" => safe += 1,
            "unsat" => reached += 1,
            _ => continue,
        }
        assert_eq!(said == "unsat", error, "seed {seed}\n{text}");
    }
    assert!(safe > 20 && reached > 20, "{safe} and {reached} answers");
}

#[test]
fn z3_agrees_with_the_interpreter_about_bounded_questions() {
    let Some(z3) = find(&Z3) else { return };
    let mut systems = 0;
    for (seed, mut terms, program, error) in programs(0..120) {
        let mut ask = |bound| smt2::render(&mut terms, &program, program.default.unwrap(), bound);
        if ask(0).is_err() {
            continue;
        }
        let answers: Vec<String> = (0..12).map(|bound| answer(&z3, &ask(bound).unwrap())).collect();
        let reached = answers.iter().any(|said| said == "sat");
        assert!(error || !reached, "seed {seed}: there is no error");
        assert!(reached || !error || answers.iter().any(|said| said != "unsat"), "seed {seed}: the error is not found");
        systems += 1;
    }
    assert!(systems > 20, "only {systems} systems");
}
