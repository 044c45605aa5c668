//! `cargo xtask c`: random C programs, compiled and lowered. A disagreement ends as a small file.

use clap::ValueEnum;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use tamis_frontends::c::DataModel;
use tamis_fuzz::c::compiler::{self, Mode};
use tamis_fuzz::c::differential::{self, Disagreement, Report, Setting};
use tamis_fuzz::c::features::Features;
use tamis_fuzz::c::generate;
use tamis_fuzz::c::tree::Node;

/// Which programs, and what to do with them.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Arguments {
    /// How many programs
    #[arg(long, value_name = "N", default_value_t = 1)]
    programs: u64,
    /// The seed of the first program
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// How wide types are
    #[arg(long, value_enum, default_value_t = Model::Both)]
    model: Model,
    /// Which parts of C occur: a list like `plain,unions` or `all,-heap`
    #[arg(long, value_name = "LIST", value_parser = Features::parse, default_value = "all")]
    features: Features,
    /// Where to write small disagreeing programs
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Shrink and show at most this many disagreements
    #[arg(long, value_name = "N", default_value_t = 5)]
    show: usize,
    /// Check the generator itself: compile without and with optimisation and sanitizers
    #[arg(long)]
    sanitize: bool,
    /// Print the programs, and do nothing else
    #[arg(long)]
    print: bool,
    /// Ask the front end about memory safety
    #[arg(long)]
    memory: bool,
    /// Shrink a refused program for each reason as well
    #[arg(long)]
    refusals: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Model {
    Ilp32,
    Lp64,
    Both,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let seeds = arguments.seed..arguments.seed + arguments.programs;
    if arguments.print {
        seeds.for_each(|seed| print!("{}", generate(seed, arguments.features).print("")));
        return ExitCode::SUCCESS;
    }
    // A panic of the front end is a result here, not a message.
    std::panic::set_hook(Box::new(|_| {}));
    let models: &[DataModel] = match arguments.model {
        Model::Ilp32 => &[DataModel::Ilp32],
        Model::Lp64 => &[DataModel::Lp64],
        Model::Both => &[DataModel::Ilp32, DataModel::Lp64],
    };
    let mut good = true;
    for model in models {
        if !compiler::is_available(*model) {
            println!("{}: no compiler here", name(*model));
            continue;
        }
        let result = if arguments.sanitize { sanitized(arguments, *model) } else { compared(arguments, *model) };
        good &= result.unwrap_or_else(|error| {
            println!("{}: {error}", name(*model));
            false
        });
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ilp32",
        DataModel::Lp64 => "lp64",
    }
}

/// The seeds, a few hundred at a time.
fn portions(arguments: &Arguments) -> impl Iterator<Item = std::ops::Range<u64>> {
    let (start, end) = (arguments.seed, arguments.seed + arguments.programs);
    (start..end).step_by(400).map(move |from| from..(from + 400).min(end))
}

/// Whether the generator keeps its promises.
fn sanitized(arguments: &Arguments, model: DataModel) -> Result<bool, String> {
    let (start, mut bad) = (Instant::now(), 0);
    for seeds in portions(arguments) {
        let programs: Vec<Node> = seeds.clone().map(|seed| generate(seed, arguments.features)).collect();
        let direct = compiler::outcomes(&programs, model, Mode::Direct)?;
        let watched = compiler::outcomes(&programs, model, Mode::Sanitized)?;
        for ((seed, direct), watched) in seeds.clone().zip(direct).zip(watched) {
            if direct.is_err() || direct != watched {
                bad += 1;
                println!("{} seed {seed}: {direct:?}, optimised and watched {watched:?}", name(model));
                if bad <= arguments.show && direct.is_ok() {
                    let small = differential::smaller_mistake(&generate(seed, arguments.features), model);
                    println!("{}", program_of(&small));
                }
            }
        }
        eprintln!("{:>6.0} s  {} up to seed {}", start.elapsed().as_secs_f64(), name(model), seeds.end);
    }
    println!("{}: {} programs, {bad} of them not well defined", name(model), arguments.programs);
    Ok(bad == 0)
}

fn compared(arguments: &Arguments, model: DataModel) -> Result<bool, String> {
    let (start, mut report) = (Instant::now(), Report::default());
    let setting = Setting { model, memory: arguments.memory };
    for seeds in portions(arguments) {
        differential::compare(seeds, arguments.features, setting, arguments.show, &mut report)?;
        eprintln!("{:>6.0} s  {} {}", start.elapsed().as_secs_f64(), name(model), summary(&report));
    }
    println!("{}: {}", name(model), summary(&report));
    let mut refused: Vec<_> = report.refused.iter().collect();
    refused.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (why, (count, seed)) in refused {
        println!("  refused {count} times, first seed {seed}: {why}");
        if arguments.refusals {
            let answer = differential::Answer::Refused(why.clone());
            let small = differential::smaller(&generate(*seed, arguments.features), setting, &answer);
            println!("{}", program_of(&small));
        }
    }
    for (seed, why) in &report.broken {
        println!("  the generator's mistake, seed {seed}: {why}");
    }
    for disagreement in report.disagreements.iter().take(arguments.show) {
        show(disagreement);
        if let Some(folder) = &arguments.keep {
            keep(folder, disagreement)?;
        }
    }
    for disagreement in report.disagreements.iter().skip(arguments.show) {
        println!("  seed {}: {:?}, lowered {:?}", disagreement.seed, disagreement.compiled, disagreement.lowered);
    }
    Ok(report.disagreements.is_empty() && report.broken.is_empty())
}

fn summary(report: &Report) -> String {
    let refused: u64 = report.refused.values().map(|(count, _)| *count).sum();
    format!(
        "{} programs: {} agree, {} disagree, {refused} refused, {} misread by the compiler",
        report.programs,
        report.agreed,
        report.disagreements.len(),
        report.misread
    )
}

fn show(disagreement: &Disagreement) {
    let Disagreement { seed, model, compiled, lowered, small, expected } = disagreement;
    println!("seed {seed}, {}: compiled {compiled:?}, lowered {lowered:?}", name(*model));
    println!("shrunk, compiled {expected:?}:\n{}", program_of(small));
}

/// The text without what all programs begin with.
fn program_of(small: &Node) -> String {
    let text = small.print("");
    text.split_once("strlen(const char *);\n").map_or(text.clone(), |(_, rest)| rest.to_owned())
}

/// Writes the small program with what it must print on line 1.
fn keep(folder: &Path, disagreement: &Disagreement) -> Result<(), String> {
    let Ok(expected) = &disagreement.expected else { return Ok(()) };
    let model = name(disagreement.model);
    let mut text = String::new();
    let _ = writeln!(text, "// {model} checksum: {expected}");
    text.push_str(&disagreement.small.print(""));
    let file = folder.join(format!("seed_{}_{model}.c", disagreement.seed));
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    std::fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
}
