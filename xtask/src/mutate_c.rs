//! `cargo xtask mutate-c`: damaged C programs for the front end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tamis_frontends::c::DataModel;
use tamis_fuzz::c::features::Features;
use tamis_fuzz::c::generate;
use tamis_fuzz::c::mutate::{Fate, damage, examine, peak_memory};

/// How many texts, and where they come from.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many texts
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    count: u64,
    /// The seed of the first text
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Damage the C files of this folder as well
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Where the text at hand is written before it is read, and bad ones are kept
    #[arg(long, value_name = "DIR", default_value = "target/mutate-c")]
    keep: PathBuf,
}

/// More memory than this for one text is too much.
const MEMORY: u64 = 3 << 30;

pub fn run(arguments: &Arguments) -> ExitCode {
    match campaign(arguments) {
        Ok(bad) => ExitCode::from(u8::from(bad > 0)),
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn campaign(arguments: &Arguments) -> Result<u64, String> {
    std::panic::set_hook(Box::new(|_| {}));
    fs::create_dir_all(&arguments.keep).map_err(|error| error.to_string())?;
    let mut texts: Vec<String> = (0..40).map(|seed| generate(seed, Features::ALL).print("")).collect();
    if let Some(folder) = &arguments.folder {
        collect(folder, &mut texts)?;
    }
    let (start, mut bad, mut lowered, mut slowest) = (Instant::now(), 0, 0, (Duration::ZERO, 0));
    for seed in arguments.seed..arguments.seed + arguments.count {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (text, other) = (&texts[rng.usize(0..texts.len())], &texts[rng.usize(0..texts.len())]);
        let text = damage(&mut rng, text, other);
        // Should the process be ended by this text, it is found here.
        write(&arguments.keep.join("current.c"), &text)?;
        let model = if rng.bool() { DataModel::Ilp32 } else { DataModel::Lp64 };
        let (fate, time) = examine(&text, model);
        slowest = slowest.max((time, seed));
        let greedy = peak_memory().filter(|peak| *peak > MEMORY);
        match (fate, greedy) {
            (Fate::Bad(why), _) => {
                bad += 1;
                println!("seed {seed}: {why}");
                write(&arguments.keep.join(format!("seed_{seed}.c")), &text)?;
            }
            (Fate::Lowered | Fate::Refused, Some(peak)) => {
                write(&arguments.keep.join(format!("seed_{seed}.c")), &text)?;
                return Err(format!("seed {seed}: {} MB of memory", peak >> 20));
            }
            (Fate::Lowered, None) => lowered += 1,
            (Fate::Refused, None) => {}
        }
    }
    println!(
        "{} texts in {:.0} s: {lowered} lowered, {bad} bad; the slowest took {:.2} s, seed {}",
        arguments.count,
        start.elapsed().as_secs_f64(),
        slowest.0.as_secs_f64(),
        slowest.1
    );
    Ok(bad)
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

/// The C files below a folder, the large ones left out.
fn collect(folder: &Path, texts: &mut Vec<String>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    for path in paths {
        let is_c = path.extension().is_some_and(|ending| ending == "c" || ending == "i");
        if path.is_dir() {
            collect(&path, texts)?;
        } else if is_c
            && let Ok(text) = fs::read_to_string(&path)
            && text.len() < 200_000
        {
            texts.push(text);
        }
    }
    Ok(())
}
