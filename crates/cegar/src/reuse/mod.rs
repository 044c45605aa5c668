//! Precisions that outlive a run (Beyer, Löwe, Novikov, Stahlbauer, Wendler, *Precision Reuse for
//! Efficient Regression Verification*, FSE 2013): what told abstract states apart is written down,
//! and a later run on the same program, or on one that was edited a little, begins with it.
//!
//! A precision is advice: what of it does not fit the program is passed over, and no verdict depends
//! on it.
//!
//! Files in order of reading: this one (what is stored), `text` (the file), [`atlas`] (places and
//! variables by names that survive edits).

pub mod atlas;
mod text;

pub use atlas::{Atlas, Known, Spot};
pub use text::Misread;

use std::sync::Arc;
use tamis_term::Terms;

/// A precision in words that do not depend on how a program is represented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// The engine that found it.
    pub engine: String,
    /// Parts of the engine that turned out to suit the program: names and values.
    pub parts: Vec<(String, String)>,
    /// The names of variables whose values tell states apart.
    pub tracked: Vec<String>,
    /// Predicates, by where they count.
    pub places: Vec<Place>,
}

/// Predicates that count at the same place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The place; everywhere, if there is none.
    pub at: Option<At>,
    /// The predicates, in SMT-LIB.
    pub predicates: Vec<String>,
}

/// A place of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The procedure.
    pub procedure: String,
    /// The line of the source, without the space around it.
    pub line: String,
    /// Which of the places of the procedure that have the same line, counted from one.
    pub nth: usize,
}

/// What a run takes over from others and leaves to them.
#[derive(Clone, Debug, Default)]
pub struct Reuse {
    /// A precision to begin with.
    pub given: Option<Arc<Stored>>,
    /// Whether anything of it fitted the program, if it was looked at.
    pub fits: Option<bool>,
    /// Whether the precision at the end is wanted.
    pub wanted: bool,
    /// The precision at the end, if the engine has one.
    pub found: Option<Stored>,
}

impl Reuse {
    /// Whether there is anything to take over or to leave.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.wanted || self.given.is_some()
    }

    /// What the precision to begin with means to an engine.
    pub fn known(&mut self, terms: &mut Terms, atlas: &Atlas) -> Known {
        let Some(given) = &self.given else { return Known::default() };
        let known = atlas.known(terms, given);
        let fits = !known.tracked.is_empty() || !known.predicates.is_empty();
        self.fits = Some(fits || self.fits == Some(true));
        known
    }

    /// Keeps the precision at the end of a run, in the words of an atlas.
    pub fn keep(&mut self, stored: Stored) {
        if self.wanted {
            self.found = Some(stored);
        }
    }
}
