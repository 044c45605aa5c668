//! What `tamis verify --json` answers, as every task reads it.

use serde_json::Value as Json;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;
use tamis_fuzz::c::compiler::limited;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A proof, which was checked.
    Proved,
    /// An error of this kind, whose trace was checked.
    Found(String),
    /// Why there is no verdict.
    Unknown(String),
    /// What is wrong with the input.
    Refused(String),
    /// The command did not answer as it should.
    Broken(String),
}

/// Runs the command, which must have `--json` among its arguments.
pub fn answer(command: &mut Command, room: &Path, limit: Duration) -> Answer {
    match limited(command, room, limit) {
        Ok(output) => match serde_json::from_slice(&output.stdout) {
            Ok(json) => read(&json),
            Err(_) => Answer::Broken(last_words(&output)),
        },
        Err(why) => Answer::Broken(why),
    }
}

fn read(json: &Json) -> Answer {
    let word = |key: &str| json[key].as_str().unwrap_or_default();
    let (verdict, kind) = word("verdict").split_once('(').unwrap_or((word("verdict"), ""));
    let accepted = json["evidence"]["accepted"].as_bool() == Some(true);
    match verdict {
        "true" | "false" if !accepted => Answer::Broken("a verdict without accepted evidence".into()),
        "true" => Answer::Proved,
        "false" => Answer::Found(kind.trim_end_matches(')').into()),
        "unknown" => Answer::Unknown(word("reason").into()),
        "error" if word("reason") == "input" => Answer::Refused(first_error(json)),
        _ => Answer::Broken(first_error(json)),
    }
}

/// What is wrong with the input, as the report says first.
fn first_error(json: &Json) -> String {
    let all = json["diagnostics"].as_array().map_or(&[][..], Vec::as_slice);
    let error = all.iter().find(|one| one["severity"] == "error").or(all.first());
    error.and_then(|one| one["message"].as_str()).or(json["reason"].as_str()).unwrap_or("no message").to_owned()
}

/// How a process ended, and the last line on standard error.
pub fn last_words(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    format!("{}: {}", output.status, text.lines().last().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &Answer) {
        assert_eq!(&read(&serde_json::from_str(text).unwrap()), expected, "{text}");
    }

    #[test]
    fn answers_are_read() {
        check(r#"{"verdict": "true", "evidence": {"accepted": true}}"#, &Answer::Proved);
        check(
            r#"{"verdict": "false(no-overflow)", "evidence": {"accepted": true}}"#,
            &Answer::Found("no-overflow".into()),
        );
        check(r#"{"verdict": "unknown", "reason": "out of time"}"#, &Answer::Unknown("out of time".into()));
    }

    #[test]
    fn a_verdict_needs_evidence() {
        let broken = Answer::Broken("a verdict without accepted evidence".into());
        check(r#"{"verdict": "true"}"#, &broken);
        check(r#"{"verdict": "false(unreach-call)", "evidence": {"accepted": false}}"#, &broken);
    }

    #[test]
    fn a_refusal_tells_its_first_error() {
        let diagnostics = r#"[{"severity": "warning", "message": "w"}, {"severity": "error", "message": "e"}]"#;
        let of =
            |reason: &str| format!(r#"{{"verdict": "error", "reason": "{reason}", "diagnostics": {diagnostics}}}"#);
        check(&of("input"), &Answer::Refused("e".into()));
        check(&of("internal"), &Answer::Broken("e".into()));
    }
}
