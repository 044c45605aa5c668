//! Wrong verdicts that stay, each with a reason from the standard or GCC's manual: the test relies
//! on what only GCC promises. The question may be `both`: whether it can fail, and whether it ends.

use super::wrapper::Way;

/// The list, which is short on purpose.
const LIST: &str = include_str!("reviewed.tsv");

/// Whether this verdict was looked at, and why it stays.
pub fn reason(name: &str, question: &str) -> Option<&'static str> {
    listed(LIST, name, question)
}

fn listed<'a>(list: &'a str, name: &str, question: &str) -> Option<&'a str> {
    let row = |line: &'a str| {
        let (listed, rest) = line.split_once('\t')?;
        let (about, reason) = rest.split_once('\t')?;
        let is_about = about == question || about == "both" && Way::ALL.iter().any(|way| way.word() == question);
        (listed == name && is_about).then_some(reason)
    };
    list.lines().skip(1).find_map(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_about_its_questions() {
        let list = "name\tquestion\treason\na\tabort\tone\nb\tboth\ttwo\n";
        for (name, question, reason) in [
            ("a", "abort", Some("one")),
            ("a", "end", None),
            ("b", "end", Some("two")),
            ("b", "valid-deref", None),
            ("c", "abort", None),
        ] {
            assert_eq!(listed(list, name, question), reason, "{name}, {question}");
        }
    }

    #[test]
    fn the_list_is_short_and_gives_reasons() {
        let rows: Vec<Vec<&str>> = LIST.lines().skip(1).map(|line| line.split('\t').collect()).collect();
        assert!(rows.len() <= 10);
        assert!(rows.iter().all(|row| row.len() == 3 && row[2].len() > 20), "{rows:?}");
    }
}
