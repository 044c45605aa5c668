//! What can be asked of `tamis bench`: a variant for each suite.

use crate::options::Limits;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Bench {
    #[command(subcommand)]
    pub suite: Suite,
}

#[derive(Debug, Subcommand)]
pub enum Suite {
    /// The experiments of Kiefer's thesis on abstraction refinement for pushdown systems (2005)
    ///
    /// Shows what each choice of interpolants needs on each program (rounds, the largest list of
    /// predicates, time), beside what the thesis prints, and compares the times with and without
    /// abstraction. Times are of passes and engine; the check of the proof is shown separately. Each
    /// run has the limits --time and --memory; one that is stopped counts as its limit, shown as >.
    ///
    /// The exit code is 0 if and only if every experiment with a band is within it and its proof was
    /// accepted, and 5 if not: rounds and predicates have bands, times have none. With --growth, the
    /// bands are on exponents of times instead.
    Thesis(Thesis),
    /// The experiments of a configurable CEGAR framework on transition systems (FORTE 2016)
    ///
    /// Runs the six configurations, each as the paper describes it and as it is by default, and the
    /// automatic choice, on the models of the paper's three tables (PLC code, Fischer's protocol,
    /// hardware), and shows verdicts, refinements, explored states and times beside what the paper
    /// prints. How fast the machine is, is measured first: printed times are scaled by it. The models are not part of Tamis: name the
    /// folder that holds them (with sts/plc-cern, sts/fischer, sts/hw).
    ///
    /// The exit code is 0 if and only if no verdict is wrong and the claims at the end hold.
    Configurable(Configurable),
    /// Which predicates to keep: the experiments of a paper on minimum predicates (CHARME 2003)
    ///
    /// Runs the engine `magic` with each of its ways of choosing predicates on programs of the SSL
    /// protocol and on device drivers, and shows rounds, predicates (expressions / predicates /
    /// branches), time and memory beside Figure 7 of the paper. The programs are not part of Tamis:
    /// name the folder that holds them (with c-svcomp/ssh-simplified and others). Each run has the
    /// limits --time and --memory.
    ///
    /// The exit code is 0 if and only if no verdict is wrong and the claims at the end hold.
    Minimise(Minimise),
    /// How the engines for C grow with the size of programs
    ///
    /// Generates programs of each family in several sizes, fits a line through the times
    /// (logarithms of times over logarithms of sizes, so that the slope is the exponent), and says
    /// whether it is what is claimed. Times are those of passes, engine and the check of the proof.
    /// Each run has the limits --time and --memory; a family ends at the first size that is not
    /// answered.
    ///
    /// The exit code is 0 if and only if every claim holds and every proof was accepted, and 5 if not.
    Programs(Programs),
    /// The families of TRACER's figures 5 to 9: what is bad for refinement, and what for learning
    ///
    /// Generates the programs of each figure in several sizes, and measures abstraction learning
    /// (`learn`, in large blocks and statement by statement), `predicate` and `blast` side by
    /// side. Growth is fitted as in the suite `programs`; only `learn` has claims.
    ///
    /// The exit code is 0 if and only if every claim holds and every proof was accepted, and 5 if not.
    Learning(Learning),
}

#[derive(Debug, Args)]
pub struct Learning {
    /// Only this figure; may be repeated
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(tamis_bench::learning::names()))]
    pub only: Vec<String>,

    /// Which sizes
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Sizes::All)]
    pub sizes: Sizes,

    #[command(flatten)]
    pub limits: Limits,

    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Programs {
    /// Measure how times grow (the only table of this suite)
    #[arg(long, required = true)]
    pub growth: bool,

    /// Only this family; may be repeated
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(tamis_bench::programs::names()))]
    pub only: Vec<String>,

    /// Which sizes
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = Sizes::All)]
    pub sizes: Sizes,

    /// Draw the curves into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Overwrite the plot if it exists
    #[arg(long, requires = "plot")]
    pub force: bool,

    #[command(flatten)]
    pub limits: Limits,

    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

/// How much of each family is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sizes {
    /// All of them
    All,
    /// The two smallest, once each: a quick look, which proves nothing about growth
    Small,
}

#[derive(Debug, Args)]
pub struct Minimise {
    /// The folder of the programs
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Only this program; may be repeated
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(tamis_bench::minimise::names()))]
    pub only: Vec<String>,

    #[command(flatten)]
    pub limits: Limits,

    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Configurable {
    /// The folder of the models
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// Only this model; may be repeated
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(tamis_bench::configurable::names()))]
    pub only: Vec<String>,

    #[command(flatten)]
    pub limits: Limits,

    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct Thesis {
    /// Only this experiment; may be repeated
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(tamis_bench::thesis::text::names()))]
    pub only: Vec<String>,

    /// Instead of the table: how rounds, predicates and times grow with the size of programs
    #[arg(long)]
    pub growth: bool,

    #[command(flatten)]
    pub limits: Limits,

    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}
