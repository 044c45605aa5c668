//! What can be asked for. The tables of languages and engines give the possible values.

use crate::bench::options::Bench;
use crate::languages::{self, Chosen};
use crate::quantity::{bytes, duration};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;
use tamis_engines::{ENGINES, Engine, Setting, Settings, by_name};
use tamis_frontends::FRONTENDS;
use tamis_ir::passes::{PASSES, Pass};
use tamis_refiners::bdd::{HEURISTICS, Row};
use tamis_report::style::Colour;

const EXIT_CODES: &str = "\
Exit codes:
  0   safe (check: the evidence is accepted)
  10  unsafe
  5   unknown (check: the evidence is rejected or cannot be replayed, or the check was stopped)
  1   the command line is wrong
  2   the input is wrong: unreadable, malformed, no such property
  6   an internal error
  7   --replay: the compiled program does not run into the error
  130 interrupted twice";

/// A CEGAR model checker: safe with a proof, unsafe with a trace that runs, or unknown with the reason.
#[derive(Debug, Parser)]
#[command(name = "tamis", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub color: When,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find out whether an error can be reached
    ///
    /// The last line on standard output is the verdict: true, false(KIND), or unknown(REASON).
    /// Everything else goes to standard error. KIND is unreach-call where an error is reached; in
    /// C also no-overflow, valid-deref, valid-free, valid-memtrack, valid-memcleanup.
    #[command(after_help = EXIT_CODES)]
    Verify(Box<Verify>),
    /// Check the evidence in a witness file, independently of all engines
    ///
    /// The last line on standard output is the verdict that the evidence establishes (true or
    /// false(KIND), exit code 0), rejected(WHY) or unknown(WHY) (exit code 5). A witness that
    /// cannot be read, is about another program or property, or was made with other options that
    /// change what the program means, is an input error (2). With --replay, a trace of a C program
    /// that the compiled program contradicts is rejected(WHY) with exit code 7, and one that cannot
    /// be replayed unknown(WHY).
    #[command(after_help = EXIT_CODES)]
    Check(Check),
    /// List the engines: what each is, where it comes from, when to use it
    Engines(Engines),
    /// Write the program in another notation
    Translate(Translate),
    /// Run published experiments again
    Bench(Bench),
}

/// The names of interpolants, with what each chooses.
fn interpolants() -> impl TypedValueParser<Value = &'static Row> {
    let values = HEURISTICS.iter().map(|row| PossibleValue::new(row.name).help(row.about));
    PossibleValuesParser::new(values).try_map(|name| tamis_refiners::bdd::by_name(&name).ok_or("no such interpolants"))
}

/// The program.
#[derive(Debug, Args)]
pub struct Input {
    /// The program, or a task as in SV-COMP (.yml); - reads standard input and needs --language
    ///
    /// A C program may have several files, which are linked. A task file names the program, its
    /// property file and its data model; options on the command line go before.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The language, whatever the file's ending says
    #[arg(long, value_name = "NAME", value_parser = languages::names(FRONTENDS))]
    pub language: Option<String>,

    #[command(flatten)]
    pub chosen: Chosen,
}

impl Input {
    /// What the user calls the program.
    pub fn name(&self) -> String {
        self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// The property.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Question {
    /// The property to check; --list-properties of verify shows them
    #[arg(long, value_name = "NAME")]
    pub property: Option<String>,

    /// Ask whether this label can be reached
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,

    /// A property file as in SV-COMP; of a task file's, the one to ask for
    #[arg(long, value_name = "FILE.prp")]
    pub spec: Option<PathBuf>,
}

/// What a run may use.
#[derive(Clone, Copy, Debug, Args)]
pub struct Limits {
    /// How long to try: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub time: Duration,

    /// How much memory to use: 512K, 50M, 4G
    ///
    /// It counts what is allocated for the work. The command itself (about 15 MB) comes on top, and
    /// up to 64 MB, or an eighth of the limit, may be allocated before a run is ended.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = bytes)]
    pub memory: u64,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("kept").args(["witness", "hardware_witness", "report", "harness", "precision_out"]).multiple(true)))]
pub struct Verify {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub question: Question,

    /// Show what can be asked about the program, and stop
    #[arg(long)]
    pub list_properties: bool,

    /// The engine; `tamis engines` tells about them
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name, value_parser = engine_names())]
    pub engine: String,

    /// What to do to the program first: a list such as prune,slice, or none
    #[arg(long, value_name = "LIST", default_value = "prune,slice", value_parser = Passes::parse, long_help = Passes::help())]
    pub passes: Passes,

    /// Which interpolants become predicates, another way to write --with interpolants=NAME; see
    /// docs/pushdown.md
    #[arg(long, value_name = "NAME", value_parser = interpolants())]
    pub interpolants: Option<&'static Row>,

    /// Set options of the engine: a list such as order=breadth,pieces=atoms
    ///
    /// `tamis engines NAME` lists those of an engine. Of engines that race others, NAME=VALUE is for
    /// all racers that have such an option, and ENGINE.NAME=VALUE for one of them.
    #[arg(long, value_name = "LIST", default_value = "", value_parser = settings, hide_default_value = true)]
    pub with: Settings,

    /// Who answers questions about formulas: auto, bits, diagrams, z3, or a command
    ///
    /// A command is that of any solver that speaks SMT-LIB 2 on its standard streams, as in
    /// --solver "cvc5 --incremental". auto is bits where all values are finite, and z3 elsewhere.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub solver: String,

    /// Write every question to the solvers into this folder, as files that any solver can replay
    #[arg(long, value_name = "DIR")]
    pub smt_log: Option<PathBuf>,

    #[command(flatten)]
    pub limits: Limits,

    /// How many states an engine may store one by one (explicit, auto)
    #[arg(long, value_name = "N")]
    pub states: Option<u64>,

    /// Write the evidence to this file, for `tamis check`
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,

    /// Write the evidence as hardware tools read it; of AIGER and BTOR2 circuits
    ///
    /// For an error the witness of AIGER or of BTOR2, for a proof about an AIGER circuit the
    /// certificate that Certifaiger checks: in binary if the file is called .aig, else in text.
    #[arg(long, value_name = "FILE")]
    pub hardware_witness: Option<PathBuf>,

    /// Write pictures of the rounds of refinement into this folder; open its index.html
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,

    /// Write a C file that makes the compiled program run into the error that was found
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,

    #[command(flatten)]
    pub replay: Replay,

    /// Begin with the precision in this file, as --precision-out wrote it
    ///
    /// It may be of an earlier version of the program: what does not fit is passed over.
    #[arg(long, value_name = "FILE")]
    pub precision_in: Option<PathBuf>,

    /// Write down what told abstract states apart, for --precision-in of a later run
    #[arg(long, value_name = "FILE")]
    pub precision_out: Option<PathBuf>,

    /// Overwrite the witness, the harness, the precision and the files of the report if they exist
    #[arg(long, requires = "kept")]
    pub force: bool,

    /// How much of a trace to show
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t = Show::Short)]
    pub trace: Show,

    /// How much of a proof to show
    #[arg(long, value_enum, value_name = "DETAIL", default_value_t = Show::Short)]
    pub proof: Show,

    #[command(flatten)]
    pub voice: Voice,
}

/// How results are told.
#[derive(Clone, Copy, Debug, Args)]
pub struct Voice {
    /// Print one JSON object on standard output instead of the result's lines
    ///
    /// Its keys: verdict (true, false(KIND), unknown), reason (of unknown), property, file,
    /// engine, rounds, predicates, states, nodes (of decision diagrams, at the peak), `time_s`, phases
    /// (`abstraction_s`, `saturation_s`, `refinement_s`), `memory_mb` (resident, at the peak), evidence
    /// (accepted, `time_s`), replay (result, detail; with --replay), trace or proof, version. On an error, verdict is "error", reason is "input" or "internal", and
    /// diagnostics is a list of objects with severity, message, hint, file, line, column.
    #[arg(long)]
    pub json: bool,

    /// Print nothing but the result and errors
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    pub input: Input,

    /// The witness file, as written by `tamis verify --witness`; about circuits also a witness of
    /// AIGER or BTOR2, or an AIGER certificate, of any tool
    pub witness: PathBuf,

    #[command(flatten)]
    pub question: Question,

    #[command(flatten)]
    pub replay: Replay,

    #[command(flatten)]
    pub limits: Limits,

    #[command(flatten)]
    pub voice: Voice,
}

/// Whether a compiler has a say.
#[derive(Clone, Copy, Debug, Args)]
pub struct Replay {
    /// Compile the program with the inputs of the trace, and see it run into the error
    ///
    /// The compiler is the one that the variable CC names, or cc. If the compiled program does
    /// something else, the verdict is not given, and the exit code is 7. See docs/c.md on what can
    /// be replayed.
    #[arg(long)]
    pub replay: bool,
}

#[derive(Debug, Args)]
pub struct Engines {
    /// Only this engine
    #[arg(value_parser = engine_names())]
    pub name: Option<String>,

    /// Print a JSON list
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Translate {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub question: Question,

    /// The notation
    #[arg(long, value_enum)]
    pub to: Notation,

    /// With smt2: after how many steps of the system the error is reached, 0 if not said
    #[arg(long, value_name = "STEPS")]
    pub bound: Option<u16>,

    /// With bp: after how many refinements the abstraction is written; the last one if not said
    #[arg(long, value_name = "NUMBER")]
    pub rounds: Option<u64>,

    /// Where to write it, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Overwrite the output file if it exists
    #[arg(long, requires = "output")]
    pub force: bool,

    #[command(flatten)]
    pub limits: Limits,

    /// Print no warnings
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Notation {
    /// A graph for Graphviz
    Dot,
    /// The language of the model checker Moped
    Remopla,
    /// The Boolean program to which the engine `boolean` abstracts it, in the language of SLAM
    Bp,
    /// The property as Horn clauses, in the form of CHC-COMP: sat means that it holds
    Chc,
    /// A circuit of words, for programs without unbounded numbers
    Btor2,
    /// A circuit of gates, for programs of finite sorts; in binary if the output is called .aig
    Aiger,
    /// The property about a transition system, in the notation VMT
    Vmt,
    /// The same as SMT-LIB: sat means that the error is reached after --bound steps
    Smt2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Show {
    /// Everything
    Full,
    /// What fits a screen
    Short,
    /// Nothing
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    Auto,
    Always,
    Never,
}

impl When {
    /// Whether standard error, where all colours go, gets them.
    pub fn resolve(self) -> Colour {
        let wanted = || {
            let unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            std::io::stderr().is_terminal() && unset("NO_COLOR") && !dumb
        };
        match self {
            When::Always => Colour::Ansi,
            When::Never => Colour::Plain,
            When::Auto => {
                if wanted() {
                    Colour::Ansi
                } else {
                    Colour::Plain
                }
            }
        }
    }
}

/// The passes that the program goes through before the engine, in the order of the table.
#[derive(Clone, Debug)]
pub struct Passes(pub Vec<&'static Pass>);

impl Passes {
    /// What the option is for, with the table of passes.
    fn help() -> String {
        let head = "What to do to the program first: a list such as prune,slice, or none\n\nWhatever the order \
                    of the list, passes come in this one:";
        PASSES.iter().fold(head.to_owned(), |text, pass| format!("{text}\n- {}: {}", pass.name, pass.about))
    }

    fn parse(text: &str) -> Result<Passes, String> {
        let mut names: Vec<&str> = text.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let all = names.len();
        names.retain(|name| *name != "none");
        if !names.is_empty() && names.len() < all {
            return Err(format!("none stands alone; leave it out, or leave out {}", names.join(", ")));
        }
        if let Some(unknown) = names.iter().find(|name| PASSES.iter().all(|pass| pass.name != **name)) {
            let known: Vec<&str> = PASSES.iter().map(|pass| pass.name).collect();
            return Err(format!("there is no pass {unknown}; known are {}, none", known.join(", ")));
        }
        Ok(Passes(PASSES.iter().filter(|pass| names.contains(&pass.name)).collect()))
    }
}

/// Reads a list of settings, of which the engine says later whether it understands them.
fn settings(text: &str) -> Result<Settings, String> {
    let settings = text.split(',').map(str::trim).filter(|setting| !setting.is_empty());
    let read = |text: &str| Setting::read(text).ok_or_else(|| format!("{text} is not NAME=VALUE"));
    Ok(Settings { list: settings.map(read).collect::<Result<_, _>>()? })
}

impl Verify {
    /// What was chosen about the engine.
    pub fn settings(&self) -> Settings {
        let interpolants = self.interpolants.map(|row| ("interpolants", row.name));
        let mut settings = self.with.clone();
        settings.list.extend(interpolants.into_iter().collect::<Settings>().list);
        settings
    }
}

/// The engine of that name, which the parser has accepted.
pub fn engine(name: &str) -> &'static Engine {
    by_name(name).unwrap_or(&ENGINES[0])
}

fn engine_names() -> PossibleValuesParser {
    let value = |engine: &Engine| PossibleValue::new(engine.name).aliases(engine.aliases);
    PossibleValuesParser::new(ENGINES.iter().map(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn passes_are_named_and_ordered() {
        let names = |text: &str| Passes::parse(text).map(|passes| passes.0.iter().map(|p| p.name).collect::<Vec<_>>());
        assert_eq!(names("slice, prune"), Ok(vec!["prune", "slice"]));
        assert_eq!(names("none"), Ok(vec![]));
        assert!(names("fold").is_err() && names("none,slice").is_err() && names("prune,none").is_err());
    }
}
