//! Random C programs run into an error exactly if their checksum is the right one: the interpreter
//! finds the run, and the compiled program takes it too.

use std::sync::Arc;
use tamis_frontends::Input;
use tamis_frontends::c::{self, DataModel};
use tamis_fuzz::c::differential::{Answer, interpret};
use tamis_fuzz::c::features::Features;
use tamis_fuzz::c::generate;
use tamis_fuzz::replay::replay;
use tamis_ir::interpreter::{Choices, End, Interpreter};
use tamis_ir::{Program, Sources, Trace};
use tamis_report::harness::{Case, Outcome};
use tamis_term::{Sort, Terms, Value};
use tamis_testing::has;
use tamis_testing::tools::{COMPILER, COMPILER_32};

/// The checksum is an input, too, so that the trace has one.
const MAIN: &str = "
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
void reach_error(void) {}
int main(void) {
  unsigned long long expected = __VERIFIER_nondet_ulonglong();
  p_main();
  if (p_checksum == expected)
    reach_error();
  return 0;
}
";

/// Chooses this number for every input of 64 bits.
struct Number(u64);

impl Choices for Number {
    fn branch(&mut self, _: usize) -> usize {
        0
    }

    fn value(&mut self, sort: &Sort) -> Value {
        match sort {
            Sort::BitVec(64) => Value::bv(64, self.0),
            Sort::Bool | Sort::BitVec(_) | Sort::Int | Sort::Real | Sort::Array(_) => Value::default_of(sort),
        }
    }
}

fn lower(text: &str, model: DataModel) -> (Terms, Program) {
    let (mut terms, mut sources) = (Terms::new(), Sources::new());
    let file = sources.add("program.c", text);
    let options = c::Options { data_model: model, ..c::Options::default() };
    let input = Input { sources: Arc::new(sources), files: &[file], ask: &[] };
    let program =
        c::lower_as(&mut terms, &input, &options).expect("the generator writes what the front end reads").program;
    (terms, program)
}

fn run(terms: &Terms, program: &Program, checksum: u64) -> Trace {
    let property = program.property(program.default.expect("an error function"));
    let run = Interpreter::new(terms, program).run(&mut Number(checksum), &property.locs, 1_000_000);
    assert_eq!(run.end, End::Reached);
    run.trace
}

/// Replays the run of a seed's program in the compiled program, or in another one.
fn check(seed: u64, model: DataModel, change: impl Fn(&str) -> String) -> Option<Outcome> {
    let tree = generate(seed, Features::ALL);
    let Answer::Checksum(checksum) = interpret(&tree.print(""), model) else { return None };
    let text = tree.print("p_") + MAIN;
    let (terms, program) = lower(&text, model);
    let trace = run(&terms, &program, checksum);
    let property = program.default.expect("what is asked by default");
    let case = Case { terms: &terms, program: &program, property, trace: &trace };
    Some(replay(&case, &[("program.c", &change(&text))], model).expect("a temporary folder"))
}

#[test]
fn compiled_programs_take_the_runs_that_are_found() {
    if !has(&COMPILER) {
        return;
    }
    let mut replayed = 0;
    for (seed, model) in [(1, DataModel::Lp64), (2, DataModel::Lp64), (3, DataModel::Lp64), (4, DataModel::Lp64)] {
        match check(seed, model, str::to_owned) {
            Some(Outcome::Replayed(_)) => replayed += 1,
            Some(other) => panic!("seed {seed}: {other}"),
            None => {}
        }
    }
    assert!(replayed > 1, "most programs are read");
}

#[test]
fn another_program_does_not_take_them() {
    if !has(&COMPILER) {
        return;
    }
    let changed = |text: &str| text.replace("p_main();", "p_main(); p_checksum++;");
    let outcomes: Vec<Outcome> = (1..4).filter_map(|seed| check(seed, DataModel::Lp64, changed)).collect();
    assert!(!outcomes.is_empty());
    for outcome in outcomes {
        assert_eq!(outcome, Outcome::Failed("it ends with exit code 0".into()));
    }
}

#[test]
fn runs_of_32_bits_need_no_library_of_the_system() {
    if !has(&COMPILER_32) {
        return;
    }
    let outcomes: Vec<Outcome> = (1..4).filter_map(|seed| check(seed, DataModel::Ilp32, str::to_owned)).collect();
    assert!(!outcomes.is_empty());
    for outcome in outcomes {
        assert!(matches!(outcome, Outcome::Replayed(_)), "{outcome}");
    }
}
