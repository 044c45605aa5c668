//! Cheap seeds of the questions about programs that meet what is asked about. Longer runs:
//! `cargo xtask questions --programs N`.

use tamis_fuzz::c::questions::compare::{Asking, Report, compare};
use tamis_testing::has;
use tamis_testing::tools::COMPILER;

fn report(seeds: std::ops::Range<u64>, asking: Asking) -> Option<Report> {
    if !has(&COMPILER) {
        return None;
    }
    let mut report = Report::default();
    compare(seeds, asking, &mut report).unwrap();
    Some(report)
}

#[test]
fn verdicts_are_what_compiled_programs_do_on_all_inputs() {
    let Some(report) = report(0..20, Asking { shrunk: 1, ..Asking::default() }) else { return };
    if let Some(wrong) = report.wrong.first() {
        panic!("seed {}, asked about {:?}: {}\n{}", wrong.seed, wrong.asked, wrong.what, wrong.small);
    }
    assert!(report.safe > 50 && report.violated > 20 && report.replayed > 0, "{report:?}");
    assert!(report.unknown * 5 < report.safe + report.violated, "most questions are answered: {report:?}");
}

/// What the front end gets is not what is compiled: errors are missed.
#[test]
fn wrong_verdicts_are_noticed() {
    for change in [
        |text: String| text.replace("reach_error();", "rests();"),
        |text: String| text.replace("assert(", "looks_at("),
        |text: String| text.replace("ERROR:", "OTHER:").replace("goto ERROR", "goto OTHER"),
    ] {
        let Some(report) = report(9..17, Asking { replay: 1000, shrunk: 0, change }) else { return };
        assert!(!report.wrong.is_empty(), "{report:?}");
    }
}
