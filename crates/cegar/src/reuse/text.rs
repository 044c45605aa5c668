//! Stored precisions as text: one thing per line, in an order that makes the difference of two files
//! small where the difference of two precisions is.
//!
//! ```text
//! tamis-precision 1
//! engine predicate
//! with integers=machine
//! track main::state
//!
//! at main: while (i < n) {
//!     (<= |main::i.int| |main::n.int|)
//!
//! at f #2: for (;;)
//!     (= |f::x| #x00000001)
//! ```
//!
//! The second place of `f` with that line is `f #2`; predicates below `everywhere` count at all
//! places. Lines that begin with `#` are remarks.

use super::{At, Place, Stored};
use std::fmt;

/// The first line.
const HEAD: &str = "tamis-precision 1";

/// Why a text is no precision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong with it, as a sentence.
    pub message: String,
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\nengine {}", self.engine)?;
        for (name, value) in &self.parts {
            writeln!(f, "with {name}={value}")?;
        }
        for name in &self.tracked {
            writeln!(f, "track {name}")?;
        }
        for place in &self.places {
            match &place.at {
                None => writeln!(f, "\neverywhere")?,
                Some(At { procedure, line, nth: 1 }) => writeln!(f, "\nat {procedure}: {line}")?,
                Some(At { procedure, line, nth }) => writeln!(f, "\nat {procedure} #{nth}: {line}")?,
            }
            for predicate in &place.predicates {
                writeln!(f, "    {predicate}")?;
            }
        }
        Ok(())
    }
}

impl Stored {
    /// Reads what [`Stored`] displays as.
    ///
    /// # Errors
    /// If the text is none: the first line that does not fit.
    pub fn read(text: &str) -> Result<Stored, Misread> {
        let mut stored = Stored::default();
        let mut lines = (1..).zip(text.lines());
        if lines.next().is_none_or(|(_, line)| line.trim_end() != HEAD) {
            return Err(Misread { line: 1, message: format!("a precision begins with the line {HEAD}") });
        }
        for (number, line) in lines {
            let misread = |message: &str| Misread { line: number, message: message.to_owned() };
            let rest = line.trim();
            if rest.is_empty() || rest.starts_with('#') {
                continue;
            }
            if line.starts_with([' ', '\t']) {
                let place = stored.places.last_mut();
                let place = place.ok_or_else(|| misread("no place is named above this predicate"))?;
                place.predicates.push(rest.to_owned());
                continue;
            }
            match rest.split_once(' ').unwrap_or((rest, "")) {
                ("engine", name) if !name.is_empty() => name.clone_into(&mut stored.engine),
                ("with", part) => {
                    let (name, value) =
                        part.split_once('=').ok_or_else(|| misread("a part is written as `name=value`"))?;
                    stored.parts.push((name.to_owned(), value.to_owned()));
                }
                ("track", name) if !name.is_empty() => stored.tracked.push(name.to_owned()),
                ("everywhere", "") => stored.places.push(Place { at: None, predicates: Vec::new() }),
                ("at", place) => {
                    let at = at(place).ok_or_else(|| misread("a place is written as `at procedure: line`"))?;
                    stored.places.push(Place { at: Some(at), predicates: Vec::new() });
                }
                _ => return Err(misread("engine, with, track, at, everywhere or an indented predicate is expected")),
            }
        }
        Ok(stored)
    }
}

fn at(text: &str) -> Option<At> {
    let (procedure, line) = text.split_once(':')?;
    let (procedure, nth) = match procedure.rsplit_once(" #") {
        Some((procedure, nth)) => (procedure, nth.parse().ok().filter(|nth| *nth > 0)?),
        None => (procedure, 1),
    };
    Some(At { procedure: procedure.trim().to_owned(), line: line.trim().to_owned(), nth })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Stored {
        let place = |procedure: &str, line: &str, nth| At { procedure: procedure.into(), line: line.into(), nth };
        Stored {
            engine: "predicate".into(),
            parts: vec![("integers".into(), "machine".into())],
            tracked: vec!["main::state".into()],
            places: vec![
                Place { at: None, predicates: vec!["(= x 1)".into()] },
                Place { at: Some(place("main", "while (a ? b : c) {", 1)), predicates: vec!["p".into(), "q".into()] },
                Place { at: Some(place("f", "", 12)), predicates: vec![] },
            ],
        }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Stored::read(&example().to_string()), Ok(example()));
    }

    #[test]
    fn a_line_that_does_not_fit_is_named() {
        let line = |text: &str| Stored::read(text).unwrap_err().line;
        assert_eq!(line(""), 1);
        assert_eq!(line("tamis-precision 2\n"), 1);
        assert_eq!(line("tamis-precision 1\n\n# remark\nhello\n"), 4);
        assert_eq!(line("tamis-precision 1\n    p\n"), 2);
        assert_eq!(line("tamis-precision 1\nat main\n"), 2);
        assert_eq!(line("tamis-precision 1\nat main #0: x\n"), 2);
        assert_eq!(line("tamis-precision 1\nengine\n"), 2);
        assert_eq!(line("tamis-precision 1\nwith integers\n"), 2);
    }
}
