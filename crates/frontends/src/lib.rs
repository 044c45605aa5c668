//! Front ends: from text to [`tamis_ir::Program`], one module per language.
//!
//! A language is one folder and one row of [`FRONTENDS`]. [`spec`] reads property files,
//! which go with any language.

pub mod boolean_program;
pub mod cursor;
pub mod remopla;
pub mod spec;

use std::sync::Arc;
use tamis_ir::{Diagnostic, Program, SourceId, Sources};
use tamis_term::Terms;

/// What a front end made of a text.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What the user should know although the program can be used.
    pub warnings: Vec<Diagnostic>,
}

/// How a front end is called.
pub type Lower = fn(&mut Terms, Arc<Sources>, SourceId) -> Result<Lowered, Vec<Diagnostic>>;

/// A row of the table of languages.
#[derive(Debug)]
pub struct Frontend {
    /// The language's name on the command line.
    pub name: &'static str,
    /// File endings, without the dot.
    pub extensions: &'static [&'static str],
    /// What the language is, as a phrase.
    pub about: &'static str,
    /// Lowers one text of the table, or says what is wrong with it (at least one error).
    pub lower: Lower,
}

/// All languages.
pub const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "remopla",
        extensions: &["rem", "remopla"],
        about: "Remopla, the language of the model checker Moped",
        lower: remopla::lower,
    },
    Frontend {
        name: "boolean-program",
        extensions: &["bp"],
        about: "Boolean programs as of SLAM's Bebop and of SATABS's Boppo",
        lower: boolean_program::lower,
    },
];

/// The language that reads files of this ending.
#[must_use]
pub fn by_extension(extension: &str) -> Option<&'static Frontend> {
    FRONTENDS.iter().find(|frontend| frontend.extensions.iter().any(|e| e.eq_ignore_ascii_case(extension)))
}

/// The language of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Frontend> {
    FRONTENDS.iter().find(|frontend| frontend.name == name)
}
