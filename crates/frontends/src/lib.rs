//! Front ends: from text to [`tamis_ir::Program`], one module per language.
//!
//! A language is one folder and one row of [`FRONTENDS`]. [`spec`] reads property files,
//! which go with any language.

pub mod aiger;
pub mod boolean_program;
pub mod btor2;
pub mod c;
pub mod cursor;
mod lexing;
mod names;
pub mod pds;
pub mod remopla;
pub mod spec;
pub mod theta;

use std::sync::Arc;
use tamis_ir::{Diagnostic, Program, SourceId, Sources, Span};
use tamis_term::Terms;

/// What a front end made of a text.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What the user should know although the program can be used.
    pub warnings: Vec<Diagnostic>,
}

/// What a front end reads.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// All texts.
    pub sources: Arc<Sources>,
    /// Those that make up the program: at least one.
    pub files: &'a [SourceId],
    /// What the user chose about languages.
    pub options: &'a Options,
}

/// What the user can choose about languages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// About C.
    pub c: c::Options,
}

/// What is wrong with a text.
#[derive(Debug)]
pub struct Refused {
    /// The texts that the errors point into.
    pub sources: Arc<Sources>,
    /// At least one error, in the order of the text.
    pub errors: Vec<Diagnostic>,
}

/// How a front end is called.
pub type Lower = fn(&mut Terms, &Input<'_>) -> Result<Lowered, Refused>;

/// What can be asked about the programs of a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Questions {
    /// Whether a place is reached: a label, a failing assertion.
    Reachability,
    /// Also whether an operation goes wrong. It is asked before lowering, in [`c::Options::ask`].
    Operations,
}

/// What the files of a language hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text in UTF-8.
    Text,
    /// Any bytes.
    Bytes,
}

/// A row of the table of languages.
#[derive(Debug)]
pub struct Frontend {
    /// The language's name on the command line.
    pub name: &'static str,
    /// File endings, without the dot.
    pub extensions: &'static [&'static str],
    /// What the language is, as a phrase.
    pub about: &'static str,
    /// What its files hold.
    pub content: Content,
    /// What can be asked about its programs.
    pub questions: Questions,
    /// Lowers a program, or says what is wrong with it.
    pub lower: Lower,
}

impl Frontend {
    /// Lowers a program of one text with the usual options.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn lower_one(&self, terms: &mut Terms, sources: Arc<Sources>, file: SourceId) -> Result<Lowered, Refused> {
        (self.lower)(terms, &Input { sources, files: &[file], options: &Options::default() })
    }
}

/// All languages.
pub const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "remopla",
        extensions: &["rem", "remopla"],
        about: "Remopla, the language of the model checker Moped",
        content: Content::Text,
        questions: Questions::Reachability,
        lower: |terms, input| single(terms, input, remopla::lower),
    },
    Frontend {
        name: "boolean-program",
        extensions: &["bp"],
        about: "Boolean programs as of SLAM's Bebop and of SATABS's Boppo",
        content: Content::Text,
        questions: Questions::Reachability,
        lower: |terms, input| single(terms, input, boolean_program::lower),
    },
    Frontend {
        name: "pds",
        extensions: &["pds"],
        about: "Rules of symbolic pushdown systems, as of the model checker Moped",
        content: Content::Text,
        questions: Questions::Reachability,
        lower: |terms, input| single(terms, input, pds::lower),
    },
    Frontend {
        name: "c",
        extensions: &["c", "i"],
        about: "C11 with GNU extensions, bit-precise",
        content: Content::Text,
        questions: Questions::Operations,
        lower: c::lower,
    },
    Frontend {
        name: "theta-system",
        extensions: &["system"],
        about: "Symbolic transition systems of the framework Theta",
        content: Content::Text,
        questions: Questions::Reachability,
        lower: |terms, input| single(terms, input, theta::lower_system),
    },
    Frontend {
        name: "theta-cfa",
        extensions: &["cfa", "theta"],
        about: "Control-flow automata of the framework Theta",
        content: Content::Text,
        questions: Questions::Reachability,
        lower: |terms, input| single(terms, input, theta::lower_cfa),
    },
    Frontend {
        name: "aiger",
        extensions: &["aag", "aig"],
        about: "AIGER 1.9: circuits of latches and gates",
        content: Content::Bytes,
        questions: Questions::Reachability,
        lower: |terms, input| single(terms, input, aiger::lower),
    },
    Frontend {
        name: "btor2",
        extensions: &["btor2", "btor"],
        about: "BTOR2: circuits of words and arrays",
        content: Content::Text,
        questions: Questions::Reachability,
        lower: |terms, input| single(terms, input, btor2::lower),
    },
];

/// How a front end is called whose programs are one text.
type LowerText = fn(&mut Terms, Arc<Sources>, SourceId) -> Result<Lowered, Vec<Diagnostic>>;

/// Lowers a program of such a language.
fn single(terms: &mut Terms, input: &Input<'_>, lower: LowerText) -> Result<Lowered, Refused> {
    let refused = |errors| Refused { sources: Arc::clone(&input.sources), errors };
    match input.files {
        [file] => lower(terms, Arc::clone(&input.sources), *file).map_err(refused),
        files => {
            let span = Span { source: files.get(1).copied().unwrap_or_default(), start: 0, end: 0 };
            let error = Diagnostic::error(span, "a program of this language is one file").hint("name only one");
            Err(refused(vec![error]))
        }
    }
}

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
