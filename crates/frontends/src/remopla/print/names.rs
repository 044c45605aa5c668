//! Names that are legal in the text, distinct, and as close to the program's as that allows.

use crate::remopla::parse::is_name;
use rustc_hash::{FxHashMap, FxHashSet};

/// Hands out names of one scope.
#[derive(Debug, Default)]
pub struct Namer {
    used: FxHashSet<String>,
    /// The next number to try behind a name.
    next: FxHashMap<String, u32>,
}

impl Namer {
    /// A new name like `wish` that neither this scope nor `outer` uses.
    pub fn fresh(&mut self, wish: &str, outer: Option<&Namer>) -> String {
        let base = legal(wish);
        let taken = |namer: &Namer, name: &str| {
            namer.used.contains(name) || outer.is_some_and(|outer| outer.used.contains(name))
        };
        let mut name = base.clone();
        while taken(self, &name) {
            let number = self.next.entry(base.clone()).or_insert(1);
            *number += 1;
            name = format!("{base}_{number}");
        }
        self.used.insert(name.clone());
        name
    }
}

/// The word with every other character replaced, and never a keyword.
fn legal(word: &str) -> String {
    let letters: String = word.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let trimmed = letters.trim_matches('_');
    let mut name = if trimmed.is_empty() { "x".to_owned() } else { trimmed.to_owned() };
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    // `pchoice` starts a statement of a dialect.
    if !is_name(&name) || name == "pchoice" {
        name.push('_');
    }
    name
}
