//! The programs of the thesis are in the corpus in a small size, so that every engine runs on
//! them in every test. The files are what the generators make; with `BLESS=1` they are
//! written anew.

use std::path::Path;
use tamis_bench::thesis::{bytecode, programs};

#[test]
fn the_corpus_has_the_programs_of_the_thesis() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus/remopla");
    for (name, about, text) in [
        ("bubble_sort", "Kiefer 2005, figure 6.1.", programs::bubble_sort(3, 2)),
        ("loop_invariant", "Kiefer 2005, figure 6.3.", programs::loop_invariant(3)),
        ("conciliated", "Kiefer 2005, figure 6.5.", programs::conciliated(1, 2)),
        ("irrelevant_procedure", "Kiefer 2005, figure 6.7.", programs::irrelevant_procedure(2)),
        ("primality", "Kiefer 2005, figure 6.11.", programs::primality(3, 2, 5)),
        ("primality_bytecode", "Kiefer 2005, figure 6.11, from bytecode.", bytecode::primality(3, 1, 4)),
        ("chain_of_pairs", "2^7 calls, one summary per procedure.", programs::chain(8)),
    ] {
        let file = folder.join(format!("thesis_{name}.rem"));
        let expected = format!("// expect: true\n// {about}\n{text}");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&file, &expected).expect("a writable corpus");
        }
        let found = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(found, expected, "{} is not what its generator makes", file.display());
    }
}
