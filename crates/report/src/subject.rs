//! Which program a witness is about: the SHA-256 of its text, and the settings that its meaning
//! depends on.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The setting that says what is asked about.
pub const SPEC: &str = "spec";

/// The program that a witness is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// What the user calls it; not compared.
    pub file: String,
    /// Of its text, in hexadecimal; see [`Fingerprint`].
    pub sha256: String,
    /// What its meaning depends on besides the text, by the options that say it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The option by which the user asked for the setting `spec`, if it was another; not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
}

impl Subject {
    /// The subject of that name and content.
    #[must_use]
    pub fn new(file: &str, content: &[u8]) -> Subject {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(content);
        fingerprint.subject(file)
    }

    /// Which setting differs from that of a file, as a phrase.
    pub(crate) fn difference(&self, file: &Subject) -> Option<String> {
        let mut names = file.settings.keys().chain(self.settings.keys());
        let name = names.find(|name| file.settings.get(*name) != self.settings.get(*name))?;
        let told = |one: &Subject, other: &Subject| match (one.option(name), other.option(name)) {
            (Some(option), _) => format!("with {option}"),
            (None, Some(option)) => format!("without {}", option.split(' ').next().unwrap_or(&option)),
            (None, None) => format!("without --{name}"),
        };
        Some(format!("it was made {}, and this check runs {}", told(file, self), told(self, file)))
    }

    /// The option that says a setting, as the user gave it.
    fn option(&self, name: &str) -> Option<String> {
        let value = self.settings.get(name)?;
        let asked = self.asked.clone().filter(|_| name == SPEC);
        Some(asked.unwrap_or_else(|| format!("--{name} {value}")))
    }
}

/// The SHA-256 of a program's text. That of one file is the one that `sha256sum` prints; that of
/// several is of their digests, one per line.
#[derive(Clone, Debug, Default)]
pub struct Fingerprint {
    digests: Vec<String>,
}

impl Fingerprint {
    /// Adds a file.
    pub fn add(&mut self, content: &[u8]) {
        self.digests.push(digest([content]));
    }

    /// Adds a text that may be preprocessed. Line markers do not count: they say where the
    /// text was compiled, and nothing about its meaning.
    pub fn add_marked(&mut self, text: &str) {
        let is_marker =
            |line: &&str| line.strip_prefix("# ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let lines = text.split_inclusive('\n').filter(|line| !is_marker(line));
        self.digests.push(digest(lines.map(str::as_bytes)));
    }

    /// The subject of that name.
    #[must_use]
    pub fn subject(mut self, file: &str) -> Subject {
        let sha256 = match self.digests.len() {
            1 => self.digests.remove(0),
            _ => digest(self.digests.iter().flat_map(|digest| [digest.as_bytes(), b"\n"])),
        };
        Subject { file: file.to_owned(), sha256, settings: BTreeMap::new(), asked: None }
    }
}

fn digest<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Sha256::new();
    parts.into_iter().for_each(|part| hash.update(part));
    let mut text = String::with_capacity(64);
    for byte in hash.finalize() {
        write!(text, "{byte:02x}").expect("strings take any text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_of_several_files_depends_on_their_order_and_not_on_line_markers() {
        let print = |texts: &[&str]| {
            let mut fingerprint = Fingerprint::default();
            for text in texts {
                fingerprint.add_marked(text);
            }
            fingerprint.subject("").sha256
        };
        assert_eq!(print(&["int x;\n"]), Subject::new("", b"int x;\n").sha256);
        assert_eq!(print(&["# 1 \"a.c\"\nint x;\n"]), print(&["int x;\n"]));
        assert_ne!(print(&["a", "b"]), print(&["b", "a"]));
    }

    #[test]
    fn a_digest_is_the_one_that_sha256sum_prints() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Subject::new("", b"").sha256, empty);
    }
}
