//! What all runs together say: a table by family and tool, and pairs of tools.

use super::row::Row;
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many tasks of each family each tool solved, and how many verdicts are wrong.
pub fn families(rows: &[Row], tools: &[String]) -> String {
    let mut text = String::new();
    let mut line = |name: &str, cells: &[String]| {
        let _ = write!(text, "{name:<34}");
        for (cell, tool) in cells.iter().zip([&"tasks".to_owned()].into_iter().chain(tools)) {
            let _ = write!(text, "{cell:>width$}", width = tool.len().max(6) + 2);
        }
        text.push('\n');
    };
    line("family", &[&["tasks".to_owned()], tools].concat());
    let mut places: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        places.entry(row.family()).or_default().push(row);
    }
    let count = |rows: &[&Row], is: fn(&Row) -> bool| {
        let of = |tool: &String| rows.iter().filter(|row| &row.tool == tool && is(row)).count().to_string();
        tools.iter().map(of).collect::<Vec<_>>()
    };
    let tasks = |rows: &[&Row]| rows.iter().filter(|row| Some(&row.tool) == tools.first()).count().to_string();
    let all: Vec<&Row> = rows.iter().collect();
    for (place, rows) in places.iter().map(|(place, rows)| (place.as_str(), rows)).chain([("solved in all", &all)]) {
        line(place, &[vec![tasks(rows)], count(rows, Row::is_solved)].concat());
    }
    line("wrong", &[vec![String::new()], count(&all, Row::is_wrong)].concat());
    text
}

/// Two tools on the same tasks: solved by each, by both, and the median of the ratios of their
/// times on those.
pub fn pair(rows: &[Row], first: &str, second: &str) -> String {
    let solved = |tool: &str| {
        let solved = rows.iter().filter(|row| row.tool == tool && row.is_solved());
        solved.map(|row| (row.task.as_str(), row.time.as_secs_f64())).collect::<BTreeMap<_, _>>()
    };
    let (one, other) = (solved(first), solved(second));
    let ratio = |(task, time): (&&str, &f64)| other.get(task).map(|second| time / second.max(1e-3));
    let ratios: Vec<f64> = one.iter().filter_map(ratio).collect();
    let both = ratios.len();
    let (by_one, by_other) = (one.len(), other.len());
    let only = (by_one - both, by_other - both);
    let ratio = median(ratios).map_or("-".into(), |ratio| format!("{ratio:.2}"));
    format!(
        "{first} and {second}: solved {by_one} and {by_other}, both {both}, only one of them {} and {}; median ratio of times on both: {ratio}\n",
        only.0, only.1
    )
}

/// The number in the middle.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    let upper = numbers.get(middle)?;
    Some(if numbers.len() % 2 == 1 { *upper } else { f64::midpoint(numbers[middle - 1], *upper) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::Said;
    use std::time::Duration;

    fn row(task: &str, tool: &str, said: Said, seconds: u64) -> Row {
        Row {
            task: task.into(),
            expected: "true".into(),
            tool: tool.into(),
            said,
            time: Duration::from_secs(seconds),
            detail: String::new(),
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    #[test]
    fn pairs_count_what_both_solve() {
        let rows = [
            row("f/a.c", "tamis auto", Said::Safe, 1),
            row("f/a.c", "cbmc", Said::Safe, 2),
            row("f/b.c", "tamis auto", Said::Safe, 9),
            row("f/b.c", "cbmc", Said::Unsafe, 1),
            row("g/c.c", "tamis auto", Said::Nothing, 60),
            row("g/c.c", "cbmc", Said::Safe, 1),
        ];
        let said = pair(&rows, "tamis auto", "cbmc");
        assert!(said.contains("solved 2 and 2, both 1, only one of them 1 and 1;"), "{said}");
        assert!(said.contains("on both: 0.50"), "{said}");
        let table = families(&rows, &["tamis auto".into(), "cbmc".into()]);
        let cells = |name: &str| {
            let line = table.lines().find(|line| line.starts_with(name)).unwrap_or_default();
            line[name.len()..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(cells("f "), ["2", "2", "1"], "{table}");
        assert_eq!(cells("solved in all"), ["3", "2", "2"], "{table}");
        assert_eq!(cells("wrong"), ["0", "1"], "{table}");
    }
}
