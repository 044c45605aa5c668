//! What the bench says that the thesis prints is what stands in the table of printed results, where that is
//! present.

use tamis_bench::thesis::{EXPERIMENTS, Printed};

#[test]
fn the_printed_numbers_are_those_of_the_table() {
    let Some(file) = tamis_testing::tasks("tables/seed0_kiefer_moped.tsv") else { return };
    let text = std::fs::read_to_string(&file).expect("a table");
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<&str>>());
    assert_eq!(lines.next().expect("a title")[3..6], ["cegar_cycles", "max_preds_per_point", "time_s"]);
    let lines: Vec<Vec<&str>> = lines.collect();
    let mut used = vec![false; lines.len()];
    let rows = EXPERIMENTS.iter().flat_map(|experiment| experiment.rows.iter().map(|row| &row.printed));
    let all = rows.chain(EXPERIMENTS.iter().map(|experiment| &experiment.unabstracted));
    for Printed { line: (source, strategy), cells } in all.filter(|printed| !printed.line.0.is_empty()) {
        // A strategy's own line, or else the one that begins like it.
        let of_source = || lines.iter().enumerate().filter(|(_, line)| line[0] == *source);
        let exact = of_source().find(|(_, line)| line[2] == *strategy);
        let found = exact.or_else(|| of_source().find(|(_, line)| line[2].starts_with(strategy)));
        let (at, line) = found.unwrap_or_else(|| panic!("the table has no {strategy} of {source}"));
        assert_eq!(line[3..6], *cells, "{source}, {strategy}");
        used[at] = true;
    }
    let left: Vec<&Vec<&str>> = lines.iter().zip(used).filter(|(_, used)| !used).map(|(line, _)| line).collect();
    assert!(left.is_empty(), "nothing compares with these lines: {left:#?}");
}
