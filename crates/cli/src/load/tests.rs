//! A row is all that it takes to register a language: one that exists only here is in the help, is
//! chosen by the ending of a file, has its options checked, and its programs are run by all engines.

use super::*;
use crate::languages::{Chosen, augment, given, names};
use crate::options::Limits;
use crate::output::{Ending, Exit};
use crate::supervise::{Outcome, supervise};
use clap::{Arg, Command};
use std::time::Duration;
use tamis_cegar::Context;
use tamis_engines::driver::{self, answer};
use tamis_engines::{ENGINES, Takes};
use tamis_frontends::outside::Unprepared;
use tamis_frontends::{Content as Holds, Input as Texts, Refused};
use tamis_ir::passes::PLAIN;
use tamis_ir::{Op, Property};
use tamis_options::{Knob, Knobs};
use tamis_term::{Sort, Value};
use tamis_witness::Verdict;

/// What can be chosen about the language of the test.
#[derive(Clone, Copy, Debug)]
struct Config {
    /// What is added in each round.
    step: u64,
}

const OPTIONS: &Knobs<Config> = &Knobs {
    default: || Config { step: 1 },
    knobs: &[Knob {
        name: "step",
        about: "what each round adds",
        values: || "a number up to 15".into(),
        get: |config| config.step.to_string(),
        set: |config, number| {
            config.step = number.parse().ok().filter(|step| *step < 16)?;
            Some(())
        },
    }],
};

static TABLE: [Frontend; 2] = [
    Frontend {
        name: "count",
        extensions: &["count"],
        about: "a counter of four bits, and the number that it must not reach",
        programs: "counters",
        content: Holds::Text,
        questions: Questions::Reachability,
        options: OPTIONS,
        flags: &[],
        compiled: None,
        lower,
    },
    Frontend {
        name: "upside-down",
        extensions: &["tnuoc"],
        about: "the same, read from behind",
        programs: "upside-down counters",
        content: Holds::Prepared(|outside, files, _| {
            let mut turn = |path: &PathBuf| {
                let original = outside.read(path)?;
                let text = original.text.chars().rev().collect();
                let text = tamis_frontends::outside::Text { name: "turned".into(), text };
                Ok::<_, Unprepared>(tamis_frontends::outside::Prepared { text, originals: vec![original] })
            };
            files.iter().map(&mut turn).collect()
        }),
        questions: Questions::Reachability,
        options: tamis_options::NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| lower(terms, input, &Settings::default()),
    },
];

/// `x := 0; loop { x := x + step }`, with an error where `x` is the number.
fn lower(terms: &mut Terms, input: &Texts<'_>, settings: &Settings) -> Result<Lowered, Refused> {
    let Config { step } = OPTIONS.configured(settings).map_err(|unfit| input.refused(unfit.0))?;
    let [file] = *input.files else { return Err(input.refused("one file is enough")) };
    let text = input.sources.get(file).map_or("", |source| &source.text);
    let bad: u64 = text.trim().parse().map_err(|_| input.refused("this is no number"))?;
    let span = Span { source: file, start: 0, end: 1 };
    let mut program = Program::new(Arc::clone(&input.sources));
    let main = program.add_proc("main", span);
    let x = terms.declare("main::x", Sort::BitVec(4));
    program.procs[0].locals = vec![x];
    let entry = program.procs[0].entry;
    let [head, error] = [0, 1].map(|_| program.add_loc(span));
    let [zero, step, bad] = [0, step, bad].map(|number| terms.constant(Value::bv(4, number)));
    let value = terms.var(x);
    let (next, reached) = (terms.bvadd(value, step), terms.eq(value, bad));
    program.add_edge(main, entry, head, Op::Assign(vec![(x, zero)]), span);
    program.add_edge(main, head, head, Op::Assign(vec![(x, next)]), span);
    program.add_edge(main, head, error, Op::Assume(reached), span);
    program.default = Some(program.add_property(Property::new("reached", "the number is reached", vec![error])));
    Ok(Lowered { program, warnings: Vec::new() })
}

/// The command line as far as languages make it.
fn command() -> Command {
    let command = Command::new("test").arg(Arg::new("language").long("language").value_parser(names(&TABLE)));
    augment(command, &TABLE)
}

fn parse(words: &[&str]) -> Result<Chosen, String> {
    let matches = command().try_get_matches_from(["test"].iter().chain(words)).map_err(|error| error.to_string())?;
    Ok(given(&matches, &TABLE))
}

/// What all engines say about a file, which must be the same.
fn verdict(file: PathBuf, chosen: Chosen) -> Result<bool, String> {
    let limits = Limits { time: Duration::from_mins(5), memory: 4 << 30 };
    let outcome = supervise(limits, true, &Arc::default(), move |job| {
        let input = Input { files: vec![file], language: None, chosen };
        let mut said = BTreeSet::new();
        for engine in ENGINES.iter().filter(|engine| engine.takes != Takes::Systems) {
            let mut loaded = load_from(&TABLE, job, &input, None, Colour::Plain)?;
            let mut ctx = Context { terms: std::mem::take(&mut loaded.terms), ..Context::default() };
            let options = driver::Options { engine, passes: PLAIN.to_vec(), settings: Settings::default() };
            let property = loaded.program.default.expect("there is one");
            match answer(&mut ctx, &options, &loaded.program, property).map_err(Trouble::Internal)?.verdict {
                Verdict::Safe(_) => said.extend([true]),
                Verdict::Unsafe(_) => said.extend([false]),
                // What only finds errors does not prove anything.
                Verdict::Unknown(_) => {}
            }
        }
        Ok(Ending { out: format!("{said:?}"), err: String::new(), exit: Exit::Safe })
    });
    let Outcome::Done(result) = outcome else { panic!("it has the time") };
    match *result {
        Ok(ending) => Ok(ending.out == "{true}" || {
            assert_eq!(ending.out, "{false}");
            false
        }),
        Err(trouble) => Err(trouble.text(Colour::Plain)),
    }
}

#[test]
fn a_language_is_a_row() {
    let help = command().render_long_help().to_string();
    for part in ["counters:", "--step <VALUE>", "what each round adds: a number up to 15 [default: 1]", "from behind"] {
        assert!(help.contains(part), "{part} in {help}");
    }
    assert!(parse(&["--step", "16"]).unwrap_err().contains("step cannot be 16; it can be a number up to 15"));
    assert!(parse(&["--stop", "1"]).unwrap_err().contains("--step"));
    let even = parse(&["--step", "2"]).unwrap();
    assert_eq!(even.about(&TABLE[0]), Settings::from_iter([("step", "2")]));
    let idle = even.idle(&TABLE, &TABLE[1]);
    assert_eq!(idle.as_deref(), Some("--step is about counters, and has no meaning here"));

    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name)
    };
    assert_eq!(verdict(file("a.count", "13"), Chosen::default()), Ok(false));
    assert_eq!(verdict(file("a.count", "13"), even), Ok(true));
    assert_eq!(verdict(file("b.tnuoc", "31"), Chosen::default()), Ok(false));
    assert!(verdict(file("c.count", "many"), Chosen::default()).unwrap_err().contains("this is no number"));
    let unknown = verdict(file("d.counter", "1"), Chosen::default()).unwrap_err();
    assert!(unknown.contains("known are .count (count), .tnuoc (upside-down)"), "{unknown}");
}
