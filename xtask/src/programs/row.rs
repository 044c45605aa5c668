//! What a run came to, as a line of JSON and back.

use crate::tools::Said;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::time::Duration;

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub task: String,
    /// `true`, `false`, or anything else if that is not known.
    pub expected: String,
    pub tool: String,
    pub said: Said,
    pub time: Duration,
    /// What else there is to say: why there is no verdict, how deep a bounded search went.
    pub detail: String,
}

impl Row {
    /// Whether the verdict contradicts what is expected.
    pub fn is_wrong(&self) -> bool {
        let known = matches!(self.expected.as_str(), "true" | "false");
        known && self.said != Said::Nothing && self.said.word() != self.expected
    }

    /// Whether there is a verdict that nothing contradicts.
    pub fn is_solved(&self) -> bool {
        self.said != Said::Nothing && !self.is_wrong()
    }

    /// The folder that the task is in.
    pub fn family(&self) -> String {
        Path::new(&self.task).parent().map(|place| place.display().to_string()).unwrap_or_default()
    }

    pub fn line(&self) -> String {
        json!({
            "task": self.task,
            "expected": self.expected,
            "tool": self.tool,
            "verdict": self.said.word(),
            "time_s": self.time.as_secs_f64(),
            "detail": self.detail,
            "wrong": self.is_wrong(),
        })
        .to_string()
    }

    /// The run of a line, if it is one.
    pub fn read(line: &str) -> Option<Row> {
        let value: Json = serde_json::from_str(line).ok()?;
        let word = |key: &str| value[key].as_str().map(str::to_owned);
        Some(Row {
            task: word("task")?,
            expected: word("expected")?,
            tool: word("tool")?,
            said: Said::from_word(&word("verdict")?),
            time: Duration::try_from_secs_f64(value["time_s"].as_f64()?).ok()?,
            detail: word("detail")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_back() {
        let row = Row {
            task: "a/b.c".into(),
            expected: "true".into(),
            tool: "cbmc".into(),
            said: Said::Unsafe,
            time: Duration::from_millis(1500),
            detail: "depth 4\n\"odd\"".into(),
        };
        assert_eq!(Row::read(&row.line()), Some(row.clone()));
        assert!(row.is_wrong() && !row.is_solved());
        assert_eq!(row.family(), "a");
        assert_eq!(Row::read("{\"task\": \"a\"}"), None);
        assert_eq!(Row::read("nothing"), None);
    }
}
