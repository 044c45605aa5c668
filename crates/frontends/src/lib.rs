//! Front ends: from text to [`tamis_ir::Program`], one module per language.
//!
//! A language is one folder and one row of [`FRONTENDS`]. Files in order of reading: [`frontend`]
//! (what a row has), [`outside`] (what a language may do before its texts are read), this one (the
//! rows), then a module for each language, and what they share. [`spec`] reads property files, which
//! go with any language.

pub mod aiger;
pub mod boolean_program;
pub mod btor2;
pub mod c;
pub mod cursor;
pub mod frontend;
pub mod guarded;
mod lexing;
mod names;
pub mod outside;
pub mod pds;
pub mod remopla;
pub mod spec;
pub mod theta;

pub use frontend::{Compiled, Content, Flag, Frontend, Input, Lowered, Questions, Refused, Role};
use tamis_options::NONE;

/// All languages.
pub const FRONTENDS: &[Frontend] = &[
    Frontend {
        name: "remopla",
        extensions: &["rem", "remopla"],
        about: "Remopla, the language of the model checker Moped",
        programs: "Remopla programs",
        content: Content::Text,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, remopla::lower),
    },
    Frontend {
        name: "boolean-program",
        extensions: &["bp"],
        about: "Boolean programs as of SLAM's Bebop and of SATABS's Boppo",
        programs: "Boolean programs",
        content: Content::Text,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, boolean_program::lower),
    },
    Frontend {
        name: "pds",
        extensions: &["pds"],
        about: "Rules of symbolic pushdown systems, as of the model checker Moped",
        programs: "pushdown systems",
        content: Content::Text,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, pds::lower),
    },
    Frontend {
        name: "guarded",
        extensions: &["gc"],
        about: "Guarded commands over integers, as Ball, Podelski and Rajamani write programs",
        programs: "guarded commands",
        content: Content::Text,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, guarded::lower),
    },
    Frontend {
        name: "c",
        extensions: &["c", "i"],
        about: "C11 with GNU extensions, bit-precise",
        programs: "C programs",
        content: Content::Prepared(c::prepare),
        questions: Questions::Operations { on_request: c::on_request },
        options: c::OPTIONS,
        flags: c::FLAGS,
        compiled: Some(c::compiled),
        lower: c::lower,
    },
    Frontend {
        name: "theta-system",
        extensions: &["system"],
        about: "Symbolic transition systems of the framework Theta",
        programs: "systems of Theta",
        content: Content::Text,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, theta::lower_system),
    },
    Frontend {
        name: "theta-cfa",
        extensions: &["cfa", "theta"],
        about: "Control-flow automata of the framework Theta",
        programs: "automata of Theta",
        content: Content::Text,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, theta::lower_cfa),
    },
    Frontend {
        name: "aiger",
        extensions: &["aag", "aig"],
        about: "AIGER 1.9: circuits of latches and gates",
        programs: "AIGER circuits",
        content: Content::Bytes,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, aiger::lower),
    },
    Frontend {
        name: "btor2",
        extensions: &["btor2", "btor"],
        about: "BTOR2: circuits of words and arrays",
        programs: "BTOR2 circuits",
        content: Content::Text,
        questions: Questions::Reachability,
        options: NONE,
        flags: &[],
        compiled: None,
        lower: |terms, input, _| input.single(terms, btor2::lower),
    },
];

/// The language that reads files of this ending.
#[must_use]
pub fn by_extension(extension: &str) -> Option<&'static Frontend> {
    FRONTENDS.iter().find(|frontend| frontend.reads(extension))
}

/// The language of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Frontend> {
    FRONTENDS.iter().find(|frontend| frontend.name == name)
}
