//! `cargo xtask mutate-c`: damaged C programs for the front end.

use crate::mutate::{Case, Common, Fate, campaign, collect};
use std::process::ExitCode;
use tamis_frontends::c::DataModel;
use tamis_fuzz::c::features::Features;
use tamis_fuzz::c::generate;
use tamis_fuzz::c::mutate::{damage, examine, peak_memory};

/// How many texts, and where they come from.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    common: Common,
}

/// More memory than this for one text is too much.
const MEMORY: u64 = 3 << 30;

pub fn run(arguments: &Arguments) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let mut texts: Vec<String> = (0..40).map(|seed| generate(seed, Features::ALL).print("")).collect();
    if let Some(folder) = &arguments.common.folder {
        match collect(folder, &["c", "i"]) {
            Ok(found) => texts.extend(found.into_iter().filter_map(|case| String::from_utf8(case.bytes).ok())),
            Err(error) => {
                println!("{error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let make = |rng: &mut fastrand::Rng| {
        let (text, other) = (&texts[rng.usize(0..texts.len())], &texts[rng.usize(0..texts.len())]);
        Case { bytes: damage(rng, text, other).into_bytes(), ending: "c".to_owned() }
    };
    campaign(&arguments.common, make, |case, _, rng| {
        let model = if rng.bool() { DataModel::Ilp32 } else { DataModel::Lp64 };
        let (fate, time) = examine(&String::from_utf8_lossy(&case.bytes), model);
        match peak_memory().filter(|peak| *peak > MEMORY) {
            Some(peak) if !matches!(fate, Fate::Bad(_)) => Err(format!("{} MB of memory", peak >> 20)),
            _ => Ok((fate, time)),
        }
    })
}
