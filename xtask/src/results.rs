//! What came of questions with known answers: rows, their file, and their sums.
//!
//! The file is a table of lines with tabs. A later run reads it back, tells what has changed, and
//! replaces the rows that it has made anew.

use crate::answer::Answer;
use crate::tools::Said;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// An answer against the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Rightly proved.
    Proved,
    /// Rightly called an error.
    Found,
    Unknown,
    Refused,
    /// The right answer is not known here.
    LeftOut,
    /// A wrong verdict that somebody has looked at, and that stays.
    Reviewed,
    Wrong,
    /// No answer at all.
    Broken,
}

/// All marks with their words, in the order in which they are told.
const MARKS: [(Mark, &str); 8] = [
    (Mark::Proved, "proved"),
    (Mark::Found, "error found"),
    (Mark::Unknown, "unknown"),
    (Mark::Refused, "refused"),
    (Mark::LeftOut, "left out"),
    (Mark::Reviewed, "reviewed"),
    (Mark::Wrong, "wrong"),
    (Mark::Broken, "broken"),
];

impl Mark {
    pub fn word(self) -> &'static str {
        MARKS.iter().find(|(mark, _)| *mark == self).map_or("", |(_, word)| word)
    }

    /// Whether a run fails because of it.
    pub fn is_bad(self) -> bool {
        matches!(self, Mark::Wrong | Mark::Broken)
    }
}

/// What came of a question about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub question: &'static str,
    pub mark: Mark,
    pub time: Duration,
    /// Why there is no verdict, or what was said in place of the right one.
    pub detail: String,
}

impl Row {
    /// An answer where the right one is known.
    pub fn judged(name: &str, question: &'static str, expected: Said, answer: Answer, time: Duration) -> Row {
        let (mark, detail) = match answer {
            Answer::Proved if expected == Said::Safe => (Mark::Proved, String::new()),
            Answer::Found(kind) if expected == Said::Unsafe => (Mark::Found, kind),
            Answer::Proved => (Mark::Wrong, "true".into()),
            Answer::Found(kind) => (Mark::Wrong, format!("false({kind})")),
            Answer::Unknown(why) => (Mark::Unknown, why),
            Answer::Refused(why) => (Mark::Refused, why),
            Answer::Broken(why) => (Mark::Broken, why),
        };
        Row { name: name.into(), question, mark, time, detail }
    }

    /// A question that is not asked.
    pub fn left_out(name: &str, question: &'static str, why: String) -> Row {
        Row { name: name.into(), question, mark: Mark::LeftOut, time: Duration::ZERO, detail: why }
    }

    fn line(&self) -> String {
        let (name, question, word, time) = (&self.name, self.question, self.mark.word(), self.time.as_secs_f64());
        format!("{name}\t{question}\t{word}\t{time:.2}\t{}", self.detail.replace(['\t', '\n'], " "))
    }
}

/// Tells at once what a run fails because of.
pub fn tell(row: &Row) {
    if row.mark.is_bad() {
        println!("{}: {}, {}: {}", row.mark.word().to_uppercase(), row.name, row.question, row.detail);
    }
}

/// The sums: for each question its marks, and for what is no verdict the reasons, most frequent
/// first, each with a program that has it.
pub fn sums(rows: &[Row]) -> String {
    let mut by_question: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_question.entry(row.question).or_default().push(row);
    }
    let mut text = String::new();
    for (question, rows) in by_question {
        let count = |mark| rows.iter().filter(|row| row.mark == mark).count();
        let counts = MARKS.map(|(mark, word)| (count(mark), word)).into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<String> = counts.map(|(count, word)| format!("{count} {word}")).collect();
        let _ = writeln!(text, "{question}: {} asked: {}", rows.len(), counts.join(", "));
        for mark in [Mark::LeftOut, Mark::Unknown, Mark::Refused, Mark::Broken] {
            for (why, count, example) in reasons(&rows, mark) {
                let _ = writeln!(text, "  {count:>5} {}: {why} ({example})", mark.word());
            }
        }
    }
    text
}

/// The reasons of a mark, how often each was given, and where first.
fn reasons<'a>(rows: &[&'a Row], mark: Mark) -> Vec<(String, usize, &'a str)> {
    let mut reasons: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.mark == mark) {
        reasons.entry(without_places(&row.detail)).or_default().push(&row.name);
    }
    let first = |names: &[&'a str]| names.iter().min().copied().unwrap_or_default();
    let mut reasons: Vec<_> = reasons.into_iter().map(|(why, names)| (why, names.len(), first(&names))).collect();
    reasons.sort_by_key(|(_, count, _)| std::cmp::Reverse(*count));
    reasons
}

/// A reason that may be shared: the first of several, without the line that it is about.
fn without_places(detail: &str) -> String {
    let first = detail.split("; ").next().unwrap_or(detail);
    match first.rsplit_once(", line ") {
        Some((reason, _)) => reason.to_owned(),
        None => first.to_owned(),
    }
}

/// Writes rows to a file, which keeps the rows of an earlier run that were not made again.
/// Returns what has changed since then.
///
/// # Errors
/// If the file cannot be read or written.
pub fn keep(path: &Path, rows: &[Row]) -> Result<String, String> {
    let trouble = |why: std::io::Error| format!("{}: {why}", path.display());
    let before = if path.exists() { fs::read_to_string(path).map_err(trouble)? } else { String::new() };
    let (table, changes) = merged(&before, rows);
    fs::write(path, table).map_err(trouble)?;
    Ok(changes)
}

/// The table of old and new rows, and how the new ones differ.
fn merged(before: &str, rows: &[Row]) -> (String, String) {
    let mut table: BTreeMap<(String, String), String> = BTreeMap::new();
    for line in before.lines().skip(1) {
        let mut cells = line.split('\t').map(str::to_owned);
        if let (Some(name), Some(question)) = (cells.next(), cells.next()) {
            table.insert((name, question), line.to_owned());
        }
    }
    let mut changes = String::new();
    for row in rows {
        let old = table.insert((row.name.clone(), row.question.to_owned()), row.line());
        let old = old.as_deref().and_then(|line| line.split('\t').nth(2));
        if let Some(old) = old.filter(|old| *old != row.mark.word()) {
            let _ = writeln!(changes, "{}, {}: {old} before, {} now", row.name, row.question, row.mark.word());
        }
    }
    let lines: Vec<&str> =
        ["name\tquestion\tmark\ttime\tdetail"].into_iter().chain(table.values().map(String::as_str)).collect();
    (lines.join("\n") + "\n", changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, expected: Said, answer: Answer) -> Row {
        Row::judged(name, "end", expected, answer, Duration::from_secs(1))
    }

    #[test]
    fn verdicts_are_judged() {
        let found = || Answer::Found("unreach-call".into());
        assert_eq!(row("a", Said::Safe, Answer::Proved).mark, Mark::Proved);
        assert_eq!(row("a", Said::Unsafe, found()).mark, Mark::Found);
        assert_eq!(row("a", Said::Unsafe, Answer::Proved).mark, Mark::Wrong);
        assert_eq!(row("a", Said::Safe, found()).mark, Mark::Wrong);
        assert_eq!(row("a", Said::Safe, Answer::Unknown("out of time".into())).mark, Mark::Unknown);
    }

    #[test]
    fn a_file_tells_what_has_changed_and_keeps_the_rest() {
        let late = || Answer::Unknown("out of time".into());
        let (table, changes) = merged("", &[row("a", Said::Safe, late()), row("b", Said::Safe, late())]);
        assert_eq!(changes, "");
        let (table, changes) = merged(&table, &[row("b", Said::Safe, Answer::Proved)]);
        assert_eq!(changes, "b, end: unknown before, proved now\n");
        assert!(table.contains("\na\tend\tunknown\t1.00\tout of time\nb\tend\tproved\t1.00\t\n"), "{table}");
    }

    #[test]
    fn reasons_are_summed_without_their_lines() {
        let why = |line: u32| Answer::Unknown(format!("unsupported: `va_arg`, line {line}; try less"));
        let rows = [row("b", Said::Safe, why(3)), row("a", Said::Safe, why(7)), row("c", Said::Safe, Answer::Proved)];
        let text = sums(&rows);
        assert!(text.starts_with("end: 3 asked: 1 proved, 2 unknown\n"), "{text}");
        assert!(text.contains("2 unknown: unsupported: `va_arg` (a)"), "{text}");
    }
}
