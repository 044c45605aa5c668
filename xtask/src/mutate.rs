//! Campaigns of damaged texts: what those of C and of systems share.

use fastrand::Rng;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
pub use tamis_fuzz::c::mutate::Fate;

/// How many texts, and where they come from.
#[derive(clap::Args)]
pub struct Common {
    /// How many texts
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    count: u64,
    /// The seed of the first text
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// Damage the files of this folder as well
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Where the text at hand is written before it is read, and bad ones are kept
    #[arg(long, value_name = "DIR", default_value = "target/mutate")]
    pub keep: PathBuf,
}

/// A damaged text, and the ending of its language.
pub struct Case {
    pub bytes: Vec<u8>,
    pub ending: String,
}

/// Makes texts and examines them, seed by seed. Should the process be ended by a text, it is
/// found in the folder.
pub fn campaign(
    common: &Common,
    make: impl Fn(&mut Rng) -> Case,
    mut examine: impl FnMut(&Case, &Path, &mut Rng) -> Result<(Fate, Duration), String>,
) -> ExitCode {
    let mut run = || -> Result<u64, String> {
        fs::create_dir_all(&common.keep).map_err(|error| error.to_string())?;
        let (start, mut bad, mut lowered, mut slowest) = (Instant::now(), 0, 0, (Duration::ZERO, 0));
        for seed in common.seed..common.seed + common.count {
            let mut rng = Rng::with_seed(seed);
            let case = make(&mut rng);
            let current = common.keep.join(format!("current.{}", case.ending));
            write(&current, &case.bytes)?;
            let kept = || write(&common.keep.join(format!("seed_{seed}.{}", case.ending)), &case.bytes);
            let (fate, time) =
                examine(&case, &current, &mut rng).or_else(|why| kept().and(Err(format!("seed {seed}: {why}"))))?;
            slowest = slowest.max((time, seed));
            match fate {
                Fate::Bad(why) => {
                    bad += 1;
                    println!("seed {seed}: {why}");
                    kept()?;
                }
                Fate::Lowered => lowered += 1,
                Fate::Refused => {}
            }
        }
        println!(
            "{} texts in {:.0} s: {lowered} lowered, {bad} bad; the slowest took {:.2} s, seed {}",
            common.count,
            start.elapsed().as_secs_f64(),
            slowest.0.as_secs_f64(),
            slowest.1
        );
        Ok(bad)
    };
    match run() {
        Ok(bad) => ExitCode::from(u8::from(bad > 0)),
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}

/// The files below a folder that have one of the endings, the large ones left out.
pub fn collect(folder: &Path, endings: &[&str]) -> Result<Vec<Case>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if path.is_dir() {
            found.extend(collect(&path, endings)?);
        } else if endings.contains(&ending)
            && let Ok(bytes) = fs::read(&path)
            && bytes.len() < 200_000
        {
            found.push(Case { bytes, ending: ending.to_owned() });
        }
    }
    Ok(found)
}
