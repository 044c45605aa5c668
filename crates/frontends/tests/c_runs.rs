//! C programs without inputs, run by the interpreter: line 1 says whether they reach an error.

use std::path::Path;
use std::sync::Arc;
use tamis_frontends::Input;
use tamis_frontends::c::{DataModel, Options, lower_as};
use tamis_ir::interpreter::End;
use tamis_ir::validate::validate;
use tamis_ir::{Choices, Interpreter, Sources};
use tamis_term::{Sort, Terms, Value};

/// Chooses zeros.
struct Zeros;

impl Choices for Zeros {
    fn branch(&mut self, _count: usize) -> usize {
        0
    }

    fn value(&mut self, sort: &Sort) -> Value {
        Value::default_of(sort)
    }
}

/// Whether the program ends without an error.
fn ends_well(file: &Path, text: &str, data_model: DataModel) -> bool {
    let name = file.display().to_string();
    let mut sources = Sources::new();
    let files = [sources.add(&name, text)];
    let options = Options { data_model, ..Options::default() };
    let mut terms = Terms::new();
    let input = Input { sources: Arc::new(sources), files: &files, ask: &[] };
    let lowered = lower_as(&mut terms, &input, &options);
    let program = lowered.unwrap_or_else(|refused| panic!("{name}: {:?}", refused.errors)).program;
    validate(&terms, &program).unwrap_or_else(|violation| panic!("{name}: {violation}"));
    let goals = program.property(program.default.expect("a question")).locs.clone();
    match Interpreter::new(&terms, &program).run(&mut Zeros, &goals, 1_000_000).end {
        End::Finished => true,
        End::Reached => false,
        end @ (End::Blocked | End::Limit) => panic!("{name}: the run is {end:?}"),
    }
}

#[test]
fn programs_run_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/c/runs");
    for file in tamis_testing::files(&folder, &[]) {
        let text = std::fs::read_to_string(&file).expect("a readable text");
        let expected = match text.lines().next() {
            Some("// expect: true") => true,
            Some("// expect: false") => false,
            line => panic!("{}: line 1 must say what to expect, not {line:?}", file.display()),
        };
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            assert_eq!(ends_well(&file, &text, model), expected, "{} under {model:?}", file.display());
        }
    }
}
