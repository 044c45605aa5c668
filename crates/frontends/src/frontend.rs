//! What a row of the table of languages has, and what a language is handed.

use crate::outside::Prepare;
use crate::spec::Spec;
use std::sync::Arc;
use tamis_ir::{Diagnostic, Program, SourceId, Sources, Span};
use tamis_options::{Options, Settings};
use tamis_term::Terms;

/// A row of the table of languages. The command line, its help and the check of options are made
/// from it. How values and places are shown is what [`Lowered`] programs say themselves, in their
/// notes and spans.
#[derive(Debug)]
pub struct Frontend {
    /// The language's name on the command line.
    pub name: &'static str,
    /// File endings, without the dot.
    pub extensions: &'static [&'static str],
    /// What the language is, as a phrase.
    pub about: &'static str,
    /// What its programs are called.
    pub programs: &'static str,
    /// What its files hold.
    pub content: Content,
    /// What can be asked about its programs.
    pub questions: Questions,
    /// What can be chosen about it.
    pub options: &'static dyn Options,
    /// How some of that is written on the command line; the rest is `--NAME VALUE`.
    pub flags: &'static [Flag],
    /// How a C compiler is told to compile its programs, if it can.
    pub compiled: Option<fn(&Settings) -> Compiled>,
    /// Lowers a program, or says what is wrong with it.
    pub lower: Lower,
}

/// How a front end is called: with settings of its own options.
pub type Lower = fn(&mut Terms, &Input<'_>, &Settings) -> Result<Lowered, Refused>;

/// What the files of a language hold.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Text in UTF-8.
    Text,
    /// Any bytes.
    Bytes,
    /// Text in UTF-8 from which the text that is read has to be made first. Its line markers say
    /// where it comes from, and nothing about its meaning.
    Prepared(Prepare),
}

/// What can be asked about the programs of a language.
#[derive(Clone, Copy, Debug)]
pub enum Questions {
    /// Whether a place is reached: a label, a failing assertion.
    Reachability,
    /// Also whether an operation goes wrong. It is asked before lowering, in [`Input::ask`].
    Operations {
        /// What is looked for only if it is asked for, with what it means to violate it.
        on_request: fn() -> Vec<(&'static str, &'static str)>,
    },
}

/// How an option is written on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The option.
    pub option: &'static str,
    /// Its letter, which stands instead of its name.
    pub short: Option<char>,
    /// What stands for its value in the help.
    pub value: &'static str,
    /// Its values with what each chooses, if there are few.
    pub choices: &'static [(&'static str, &'static str)],
    /// What it is for.
    pub role: Role,
}

/// What an option is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The meaning of a program depends on it besides the text, so a witness names its value.
    Meaning,
    /// It is read while the text is prepared. It may be given several times.
    Text,
    /// It names a file that is read while the text is prepared.
    File,
}

/// How a C compiler is told to compile a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compiled {
    /// Flags: folders and macros.
    pub flags: Vec<String>,
    /// Whether `int`, `long` and pointers have 32 bits.
    pub narrow: bool,
}

/// What a front end reads.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// All texts.
    pub sources: Arc<Sources>,
    /// Those that make up the program: at least one.
    pub files: &'a [SourceId],
    /// What is asked: exactly these properties, or, if there are none, what a careful programmer
    /// would ask for.
    pub ask: &'a [Spec],
}

/// What a front end made of a text.
#[derive(Debug)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// What the user should know although the program can be used.
    pub warnings: Vec<Diagnostic>,
}

/// What is wrong with a text.
#[derive(Debug)]
pub struct Refused {
    /// The texts that the errors point into.
    pub sources: Arc<Sources>,
    /// At least one error, in the order of the text.
    pub errors: Vec<Diagnostic>,
}

impl Frontend {
    /// Whether it reads files of this ending.
    #[must_use]
    pub fn reads(&self, ending: &str) -> bool {
        self.extensions.iter().any(|extension| extension.eq_ignore_ascii_case(ending))
    }

    /// How an option is written.
    #[must_use]
    pub fn flag(&self, option: &str) -> Option<&'static Flag> {
        self.flags.iter().find(|flag| flag.option == option)
    }

    /// Lowers a program of one text with the usual options.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn lower_one(&self, terms: &mut Terms, sources: Arc<Sources>, file: SourceId) -> Result<Lowered, Refused> {
        (self.lower)(terms, &Input { sources, files: &[file], ask: &[] }, &Settings::default())
    }
}

impl Input<'_> {
    /// That the program is refused as a whole.
    #[must_use]
    pub fn refused(&self, why: impl Into<String>) -> Refused {
        Refused { sources: Arc::clone(&self.sources), errors: vec![Diagnostic::error(Span::default(), why)] }
    }

    /// Lowers a program that is one text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn single(&self, terms: &mut Terms, lower: LowerText) -> Result<Lowered, Refused> {
        let refused = |errors| Refused { sources: Arc::clone(&self.sources), errors };
        match self.files {
            [file] => lower(terms, Arc::clone(&self.sources), *file).map_err(refused),
            files => {
                let span = Span { source: files.get(1).copied().unwrap_or_default(), start: 0, end: 0 };
                let error = Diagnostic::error(span, "a program of this language is one file").hint("name only one");
                Err(refused(vec![error]))
            }
        }
    }
}

/// How a front end without options is called whose programs are one text.
pub type LowerText = fn(&mut Terms, Arc<Sources>, SourceId) -> Result<Lowered, Vec<Diagnostic>>;
