//! Cheap seeds of the comparison with a compiler, and the programs that once showed a mistake.
//! Longer runs: `cargo xtask c --programs N` and `cargo xtask mutate-c --count N`.

use std::path::Path;
use tamis_frontends::c::DataModel;
use tamis_fuzz::c::compiler::{self, Mode};
use tamis_fuzz::c::differential::{Answer, Report, compare, interpret};
use tamis_fuzz::c::features::{Features, PARTS};
use tamis_fuzz::c::mutate::{Fate, damage, examine};
use tamis_fuzz::c::{generate, occurring};
use tamis_testing::tools::{COMPILER, LIBRARY_32, SANITIZERS};
use tamis_testing::{files, has};

fn agree(model: DataModel, features: Features, seeds: std::ops::Range<u64>) {
    if !has(if model == DataModel::Lp64 { &COMPILER } else { &LIBRARY_32 }) {
        return;
    }
    let (count, mut report) = (seeds.end - seeds.start, Report::default());
    compare(seeds, features, model, 1, &mut report).unwrap();
    if let Some(first) = report.disagreements.first() {
        let (compiled, lowered) = (&first.expected, &first.lowered);
        panic!("seed {}: compiled {compiled:?}, lowered {lowered:?}\n{}", first.seed, first.small.print(""));
    }
    assert_eq!(report.broken, vec![], "the generator makes no mistakes");
    assert!(report.agreed * 10 > count * 8, "most programs are read: {:?}", report.refused);
}

#[test]
fn lowered_programs_compute_what_compiled_ones_do() {
    agree(DataModel::Lp64, Features::ALL, 0..60);
    agree(DataModel::Ilp32, Features::ALL, 60..100);
    agree(DataModel::Lp64, Features::SCALAR, 0..20);
}

#[test]
fn generated_programs_are_well_defined() {
    if !has(&SANITIZERS) {
        return;
    }
    let programs: Vec<_> = (0..5).map(|seed| generate(seed, Features::ALL)).collect();
    let direct = compiler::outcomes(&programs, DataModel::Lp64, Mode::Direct).unwrap();
    assert!(direct.iter().all(Result::is_ok), "{direct:?}");
    assert_eq!(compiler::outcomes(&programs, DataModel::Lp64, Mode::Sanitized).unwrap(), direct);
}

#[test]
fn generated_programs_repeat_exactly() {
    assert_eq!(generate(3, Features::ALL), generate(3, Features::ALL));
    assert_ne!(generate(3, Features::ALL), generate(4, Features::ALL));
}

/// So that a long run means something, each part of C is in at least one of twenty programs.
#[test]
fn every_part_of_c_occurs() {
    const PROGRAMS: u64 = 600;
    let told: Vec<Features> = (0..PROGRAMS).map(|seed| occurring(seed, Features::ALL)).collect();
    for (part, name) in PARTS {
        let count = told.iter().filter(|told| told.has(*part)).count() as u64;
        assert!(count * 20 >= PROGRAMS, "{name}: in {count} of {PROGRAMS} programs");
    }
}

/// Line 1 says `// MODEL checksum: NUMBER`: what the compiled program printed.
#[test]
fn kept_programs_compute_what_the_compiler_said() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/c/differential");
    for file in files(&folder, &[]) {
        let text = std::fs::read_to_string(&file).unwrap();
        let words: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
        let ["//", model, "checksum:", number] = words.as_slice() else { panic!("{}: line 1", file.display()) };
        let model = if *model == "lp64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        assert_eq!(interpret(&text, model), Answer::Checksum(number.parse().unwrap()), "{}", file.display());
    }
}

#[test]
fn damaged_programs_are_answered() {
    let texts: Vec<String> = (0..8).map(|seed| generate(seed, Features::ALL).print("")).collect();
    let mut rng = fastrand::Rng::with_seed(42);
    for at in 0..300 {
        let text = damage(&mut rng, &texts[at % 8], &texts[(at + 3) % 8]);
        if let (Fate::Bad(why), _) = examine(&text, DataModel::Lp64) {
            panic!("text {at}: {why}");
        }
    }
}
