//! The numbers that `tamis bench configurable` prints beside its own are those of the paper's tables,
//! which lie beside the workspace.

use std::collections::BTreeMap;
use std::path::Path;
use tamis_bench::configurable::models;

/// The short names of the configurations in the tables.
const SHORT: [(&str, &str); 6] = [
    ("pred_craig", "predicate-craig"),
    ("pred_seq", "predicate-sequence"),
    ("comb_craig", "combined-craig"),
    ("comb_seq", "combined-sequence"),
    ("expl_craig", "explicit-craig"),
    ("expl_seq", "explicit-sequence"),
];

/// The rows of a table, each by column.
fn rows(file: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(file).expect("a table");
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let title: Vec<String> = lines.next().expect("a title").collect();
    lines.map(|line| title.iter().cloned().zip(line).collect()).collect()
}

/// A model's name in `printed.tsv`.
fn name(row: &BTreeMap<String, String>) -> String {
    match row.get("components") {
        Some(components) => format!("fischer-{components}-{}", row["verdict"]),
        None => row["model"].clone(),
    }
}

#[test]
fn the_printed_numbers_are_those_of_the_paper() {
    let models = models();
    let mut compared = 0;
    for table in ["seed4_table1_plc.tsv", "seed4_table2_fischer.tsv", "seed4_table3_hw.tsv"] {
        let Some(file) = tamis_testing::tasks(&format!("tables/{table}")) else { return };
        for row in rows(&file) {
            let name = name(&row);
            let model = models.iter().find(|model| model.name == name);
            let model = model.unwrap_or_else(|| panic!("{name} is missing"));
            for (short, configuration) in SHORT {
                let Some(time) = row.get(&format!("{short}_T")) else { continue };
                let cell = |column: &str| match row[&format!("{short}_{column}")].as_str() {
                    "NA_ocr" => "?".to_owned(),
                    other => other.to_owned(),
                };
                let printed = model.printed.iter().find(|cell| cell.configuration == configuration);
                let printed = printed.map(|cell| [cell.time, cell.refinements, cell.states].map(str::to_owned));
                let time = if time == "NA_ocr" { "?" } else { time };
                assert_eq!(printed, Some([time.to_owned(), cell("R"), cell("S")]), "{name}, {configuration}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 10 * 6 + 4 * 4 + 8 * 4);
}
