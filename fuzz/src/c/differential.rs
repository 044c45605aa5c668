//! The front end and the interpreter against the compiler: the same checksum, or there is a bug.
//!
//! Generated programs take no input and are free of errors, so a run of the lowered program must
//! end at main's exit, without a choice and without reaching an error.

use super::compiler::{self, Mode, Outcome};
use super::features::Features;
use super::shrink::shrink;
use super::tree::Node;
use super::{generate, mutate};
use fastrand::Rng;
use std::collections::BTreeMap;
use std::sync::Arc;
use tamis_frontends::Input;
use tamis_frontends::c::{self, DataModel};
use tamis_frontends::spec::Spec;
use tamis_ir::interpreter::Interpreter;
use tamis_ir::{Action, Loc, Program, Sources};
use tamis_term::{Sort, Terms, Value};

/// How many steps a run may take.
const STEPS: usize = 400_000;

/// How often a shrinking program is tried.
const QUESTIONS: u32 = 1_500;

/// How the front end reads a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How wide types are.
    pub model: DataModel,
    /// Whether it is asked about memory safety. There is nothing to find, but objects then live
    /// elsewhere, and every access to memory is checked.
    pub memory: bool,
}

impl From<DataModel> for Setting {
    fn from(model: DataModel) -> Setting {
        Setting { model, memory: false }
    }
}

/// What the front end and the interpreter make of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The final checksum.
    Checksum(u64),
    /// The front end refuses the program, or says that it does not model all of it.
    Refused(String),
    /// The run went wrong, or lowering did.
    Wrong(String),
}

/// What was seen on one program.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The program's seed.
    pub seed: u64,
    /// How wide types are.
    pub model: DataModel,
    /// What the compiled program says.
    pub compiled: Outcome,
    /// What the lowered program says.
    pub lowered: Answer,
    /// A small program of the same kind.
    pub small: Node,
    /// What the compiled small program says.
    pub expected: Outcome,
}

/// What a campaign saw.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Programs that were compared.
    pub programs: u64,
    /// Those with the same checksum on both sides.
    pub agreed: u64,
    /// Reasons for refusing a program: how often, and the first seed.
    pub refused: BTreeMap<String, (u64, u64)>,
    /// Programs that the compiler reads in two ways, with and without `const`: its mistakes.
    pub misread: u64,
    /// Programs that the compiler or the compiled program failed on: mistakes of the generator.
    pub broken: Vec<(u64, String)>,
    /// All others.
    pub disagreements: Vec<Disagreement>,
}

/// Compares the programs of some seeds. At most `most` disagreements are shrunk and kept.
///
/// # Errors
/// If the compiler cannot be used.
pub fn compare(
    seeds: impl Iterator<Item = u64>,
    features: Features,
    setting: impl Into<Setting>,
    most: usize,
    report: &mut Report,
) -> Result<(), String> {
    let setting = setting.into();
    let model = setting.model;
    let seeds: Vec<u64> = seeds.collect();
    for seeds in seeds.chunks(compiler::BATCH) {
        let programs: Vec<Node> = seeds.iter().map(|seed| generate(*seed, features)).collect();
        let outcomes = compiler::outcomes(&programs, model, Mode::Direct)?;
        for ((seed, program), compiled) in seeds.iter().zip(&programs).zip(outcomes) {
            report.programs += 1;
            let lowered = interpret(&program.print(""), setting);
            match (&compiled, &lowered) {
                (Ok(a), Answer::Checksum(b)) if a == b => report.agreed += 1,
                (Err(why), _) => report.broken.push((*seed, why.clone())),
                (Ok(_), Answer::Refused(why)) => {
                    report.refused.entry(why.clone()).or_insert((0, *seed)).0 += 1;
                }
                (Ok(_), Answer::Checksum(sum)) if is_misread(program, model, *sum) => report.misread += 1,
                (Ok(_), Answer::Checksum(_) | Answer::Wrong(_)) => {
                    let room = report.disagreements.len() < most;
                    let small = if room { smaller(program, setting, &lowered) } else { program.clone() };
                    let expected = compiled_alone(&small, model, Mode::Direct);
                    report.disagreements.push(Disagreement { seed: *seed, model, compiled, lowered, small, expected });
                }
            }
        }
    }
    Ok(())
}

/// Whether a program computes a checksum, which the compiler does not find, as soon as nothing is
/// constant. What is constant must decide nothing else.
fn is_misread(program: &Node, model: DataModel, sum: u64) -> bool {
    let text = program.print("");
    let asks = ["_Generic", "types_compatible", "constant_p"].iter().any(|word| text.contains(word));
    !asks && compiled_alone(program, model, Mode::Unfolded) == Ok(sum)
}

fn compiled_alone(program: &Node, model: DataModel, mode: Mode) -> Outcome {
    compiler::outcomes(std::slice::from_ref(program), model, mode)?.pop().unwrap_or(Err("no outcome".to_owned()))
}

/// A small program with the same kind of answer, which the sanitizers find nothing wrong with.
#[must_use]
pub fn smaller(program: &Node, setting: impl Into<Setting>, lowered: &Answer) -> Node {
    let setting = setting.into();
    let model = setting.model;
    shrink(program, QUESTIONS, |candidate| {
        let answer = interpret(&candidate.print(""), setting);
        if kind(&answer) != kind(lowered) {
            return false;
        }
        let compiled = compiled_alone(candidate, model, Mode::Direct);
        match (&compiled, &answer) {
            (Err(_), _) => false,
            (Ok(a), Answer::Checksum(b)) if a == b => false,
            (Ok(_), Answer::Checksum(sum)) if is_misread(candidate, model, *sum) => false,
            (Ok(_), Answer::Checksum(_) | Answer::Refused(_) | Answer::Wrong(_)) => {
                compiled_alone(candidate, model, Mode::Sanitized) == compiled
            }
        }
    })
}

/// A small program on which the compiler disagrees with itself as on the given one: a mistake of
/// the generator.
#[must_use]
pub fn smaller_mistake(program: &Node, model: DataModel) -> Node {
    shrink(program, QUESTIONS, |candidate| {
        let direct = compiled_alone(candidate, model, Mode::Direct);
        direct.is_ok() && compiled_alone(candidate, model, Mode::Sanitized) != direct
    })
}

/// The answer without its numbers.
fn kind(answer: &Answer) -> String {
    match answer {
        Answer::Checksum(_) => String::new(),
        Answer::Refused(why) | Answer::Wrong(why) => why.chars().filter(|c| !c.is_ascii_digit()).collect(),
    }
}

/// Lowers a program and runs it to its end.
#[must_use]
pub fn interpret(text: &str, setting: impl Into<Setting>) -> Answer {
    let Setting { model, memory } = setting.into();
    let ask = if memory { vec![Spec::ValidDeref, Spec::ValidFree] } else { Vec::new() };
    let lowered = mutate::quietly(|| {
        let mut sources = Sources::new();
        let file = sources.add("program.c", text);
        let options = c::Options { data_model: model, volatile: c::Volatile::Memory, ..c::Options::default() };
        let input = Input { sources: Arc::new(sources), files: &[file], ask: &ask };
        let mut terms = Terms::new();
        let program = c::lower_as(&mut terms, &input, &options).map_err(|refused| {
            refused.errors.first().map_or("refused without a reason".to_owned(), |error| error.message.clone())
        });
        (terms, program)
    });
    match lowered {
        Err(panic) => Answer::Wrong(format!("the front end panics: {panic}")),
        Ok((_, Err(message))) => Answer::Refused(message),
        Ok((terms, Ok(lowered))) => run(&terms, &lowered.program),
    }
}

/// Runs a program that has nothing to choose. Values that it must not depend on are random.
fn run(terms: &Terms, program: &Program) -> Answer {
    let wrong = |what: &str| Answer::Wrong(what.to_owned());
    let Some(checksum) = program.globals.iter().copied().find(|var| terms.name(*var) == "checksum") else {
        return wrong("no global is called checksum");
    };
    let mut interpreter = Interpreter::new(terms, program);
    let mut rng = Rng::with_seed(0);
    let mut choose =
        |vars: &[_]| -> Vec<Value> { vars.iter().map(|var| any(&mut rng, terms.var_sort(*var))).collect() };
    let start = choose(&interpreter.start_vars());
    let Ok(mut config) = interpreter.start(start) else { return wrong("the run does not start") };
    for _ in 0..STEPS {
        if let Some(what) = error_at(program, config.loc()) {
            return Answer::Wrong(format!("it reaches an error: {what}"));
        }
        let action = if config.loc() == program.proc(config.proc()).exit {
            if config.depth() == 0 {
                let value = interpreter.value(&config, checksum).and_then(|value| value.as_bv().to_u64());
                return value.map_or_else(|| wrong("the checksum has no value"), Answer::Checksum);
            }
            Action::Return
        } else {
            let mut open = interpreter.out_edges(config.loc()).to_vec();
            open.retain(|edge| !interpreter.blocks(&config, *edge));
            let [edge] = open.as_slice() else {
                return wrong(if open.is_empty() { "it blocks" } else { "it has a choice" });
            };
            if let Some(what) = program.notes.approximations.get(edge) {
                return Answer::Refused(format!("approximated: {what}"));
            }
            Action::Take { edge: *edge, inputs: choose(&interpreter.inputs(*edge)) }
        };
        if let Err(refusal) = interpreter.step(&mut config, &action) {
            return Answer::Wrong(format!("a step is refused: {refusal}"));
        }
    }
    wrong("it does not end")
}

/// What is violated at a location.
fn error_at(program: &Program, loc: Loc) -> Option<&str> {
    program.errors.iter().find(|property| property.locs.contains(&loc)).map(|property| property.about.as_str())
}

/// Any value; arrays are zero.
fn any(rng: &mut Rng, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.bool()),
        Sort::BitVec(width) => Value::bv(*width, rng.u64(..)),
        Sort::Int | Sort::Real | Sort::Array(_) => Value::default_of(sort),
    }
}
