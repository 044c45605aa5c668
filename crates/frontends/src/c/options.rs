//! What can be chosen about C, and how it is written on the command line.

use super::DataModel;
use crate::{Compiled, Flag, Role};
use std::path::PathBuf;
use tamis_options::{Knob, Knobs, Settings, knob};

/// What the user can choose about C.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How wide the basic types are.
    pub data_model: DataModel,
    /// What signed arithmetic does beyond the range of its type.
    pub overflow: Overflow,
    /// What is done about functions that are called but defined nowhere.
    pub undefined: Undefined,
    /// What reads of `volatile` objects give.
    pub volatile: Volatile,
    /// Where included files are looked for.
    pub include: Vec<String>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,
    /// A file that tells how each text is compiled.
    pub compile_commands: Option<PathBuf>,
}

/// What signed arithmetic does beyond the range of its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// It wraps around, except in programs for TRACER: there no arithmetic leaves its range.
    #[default]
    Usual,
    /// It wraps around.
    Wrap,
    /// It is an error.
    Trap,
    /// It does not happen.
    Assume,
}

/// What is done about functions that are called but defined nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// They return anything; what they do to memory is not modelled.
    #[default]
    Havoc,
    /// They are errors in the input.
    Refuse,
}

/// What reads of `volatile` objects give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Volatile {
    /// What was written last or anything else: no verdict depends on who writes to them.
    #[default]
    Either,
    /// What was written last.
    Memory,
    /// Anything.
    Input,
}

/// What can be chosen.
pub const OPTIONS: &Knobs<Options> = &Knobs {
    default: Options::default,
    knobs: &[
        knob!("data-model", "How wide the basic types are; lp64 unless a task file says otherwise", data_model:
            "ilp32" => DataModel::Ilp32, "lp64" => DataModel::Lp64),
        knob!("overflow", "What signed arithmetic does beyond the range of its type", overflow:
            "usual" => Overflow::Usual, "wrap" => Overflow::Wrap, "trap" => Overflow::Trap, "assume" => Overflow::Assume),
        knob!("undefined", "What is done about functions that are called but defined nowhere", undefined:
            "havoc" => Undefined::Havoc, "refuse" => Undefined::Refuse),
        knob!("volatile", "What reads of volatile variables give", volatile:
            "either" => Volatile::Either, "memory" => Volatile::Memory, "input" => Volatile::Input),
        Knob {
            name: "include",
            about: "Look for included files in this folder; may be repeated",
            values: || "a folder".into(),
            get: |options| options.include.join(" "),
            set: |options, folder| {
                options.include.push(folder.to_owned());
                Some(())
            },
        },
        Knob {
            name: "define",
            about: "Define a macro; may be repeated",
            values: || "the name of a macro, perhaps with its value".into(),
            get: |options| options.define.join(" "),
            set: |options, define| {
                options.define.push(define.to_owned());
                Some(())
            },
        },
        Knob {
            name: "compile-commands",
            about: "Take folders and macros of each file from a `compile_commands.json`",
            values: || "a file".into(),
            get: |options| options.compile_commands.iter().map(|path| path.display().to_string()).collect(),
            set: |options, file| {
                options.compile_commands = Some(file.into());
                Some(())
            },
        },
    ],
};

/// How that is written on the command line.
pub const FLAGS: &[Flag] = &[
    Flag {
        choices: &[
            ("ilp32", "int, long and pointers have 32 bits"),
            ("lp64", "int has 32 bits, long and pointers have 64"),
        ],
        ..flag("data-model", "MODEL", Role::Meaning)
    },
    Flag {
        choices: &[
            ("usual", "it wraps around; in programs for TRACER, neither signed nor unsigned arithmetic does"),
            ("wrap", "it wraps around"),
            ("trap", "it is an error"),
            ("assume", "it does not happen, unless that is what is asked about"),
        ],
        ..flag("overflow", "WHAT", Role::Meaning)
    },
    Flag {
        choices: &[
            ("havoc", "they return anything, and may do anything to the memory that they know, as an approximation"),
            ("refuse", "they are errors in the input"),
        ],
        ..flag("undefined", "WHAT", Role::Meaning)
    },
    Flag {
        choices: &[
            ("either", "what was written last, or anything; where that makes a difference, nothing is decided"),
            ("memory", "what was written last: nobody else writes"),
            ("input", "anything, at every read"),
        ],
        ..flag("volatile", "WHAT", Role::Meaning)
    },
    Flag { short: Some('I'), ..flag("include", "DIR", Role::Text) },
    Flag { short: Some('D'), ..flag("define", "NAME[=VALUE]", Role::Text) },
    flag("compile-commands", "FILE", Role::File),
];

const fn flag(option: &'static str, value: &'static str, role: Role) -> Flag {
    Flag { option, short: None, value, choices: &[], role }
}

/// How a compiler is told what was chosen.
#[must_use]
pub fn compiled(settings: &Settings) -> Compiled {
    // What cannot be chosen was refused before the program was read.
    let options = OPTIONS.configured(settings).unwrap_or_default();
    let folders = options.include.iter().map(|folder| format!("-I{folder}"));
    let macros = options.define.iter().map(|define| format!("-D{define}"));
    Compiled { flags: folders.chain(macros).collect(), narrow: options.data_model == DataModel::Ilp32 }
}
