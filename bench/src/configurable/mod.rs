//! The experiments of Hajdu, Tóth, Vörös and Majzik (*A Configurable CEGAR Framework with
//! Interpolation-Based Refinements*, FORTE 2016, tables 1 to 3), run again on the same models,
//! beside what the paper prints.
//!
//! The models are other people's work and not part of this project: the reader of this table gives
//! the folder that they are in. `printed.tsv` has the paper's numbers: `-` is a run that ran out of
//! time there, `?` what the scan lost, and an empty cell a run that was not made.
//!
//! Each cell of the paper is run twice: as the paper describes the configuration
//! ([`Variant::Paper`]: the same explicit variables, and interpolants as they are found), and as
//! the engine is by default ([`Variant::Default`]).
//!
//! Files: [`measure`](mod@measure) (one run), [`machine`] (how fast this one is), [`judge`] (what
//! must hold of all), [`section_5`] (what the paper says about its tables), [`text`] and [`json`]
//! (how it is told).

pub mod json;
pub mod judge;
pub mod machine;
pub mod measure;
pub mod section_5;
pub mod text;

pub use measure::{Measured, measure};

use tamis_engines::Settings;

/// How a configuration is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// As the paper describes it.
    Paper,
    /// As it is if nobody chooses.
    Default,
}

impl Variant {
    /// Its name in the tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Variant::Paper => "paper",
            Variant::Default => "ours",
        }
    }

    /// The settings of a configuration on a model. In the paper's combined configurations, the
    /// location variable is explicit in PLC code (section 5.1), the lock in Fischer's protocol (5.2).
    #[must_use]
    pub fn settings(self, model: &Model, configuration: &str) -> Settings {
        let mut chosen = Vec::new();
        if self == Variant::Paper {
            chosen.extend([("minimise", "nothing"), ("choice", "fixed")]);
            if configuration.starts_with("combined") {
                chosen.push(("track", if model.table == "plc" { "loc" } else { "lock+lock_b0+lock_b1" }));
            }
        }
        chosen.into_iter().collect()
    }
}

/// A model and what the paper prints about it.
#[derive(Clone, Debug)]
pub struct Model {
    /// Which table it is in: `plc`, `fischer`, `hardware`.
    pub table: &'static str,
    /// Its name in the paper.
    pub name: &'static str,
    /// Where it is in the folder of models.
    pub file: &'static str,
    /// Whether no bad state can be reached. (The signs of the printed hardware table are the wrong
    /// way round for files whose output is the bad signal.)
    pub safe: bool,
    /// What is printed, by configuration.
    pub printed: Vec<Printed>,
}

/// A cell of a printed table, as it is printed.
#[derive(Clone, Copy, Debug)]
pub struct Printed {
    /// The configuration.
    pub configuration: &'static str,
    /// Seconds.
    pub time: &'static str,
    /// Refinements.
    pub refinements: &'static str,
    /// Explored abstract states.
    pub states: &'static str,
}

impl Printed {
    /// Whether the paper has a verdict there: a time, or what was counted where the scan lost it.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        [self.time, self.refinements, self.states].iter().any(|cell| number(cell).is_some())
    }

    /// Whether the paper made the run.
    #[must_use]
    pub fn was_run(&self) -> bool {
        !self.time.is_empty()
    }
}

/// A printed number, if there is one.
#[must_use]
pub fn number(cell: &str) -> Option<f64> {
    cell.parse().ok()
}

const PRINTED: &str = include_str!("printed.tsv");

/// All models of the three tables.
#[must_use]
pub fn models() -> Vec<Model> {
    let mut models: Vec<Model> = Vec::new();
    for line in PRINTED.lines().skip(1) {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let [table, name, file, verdict, configuration, time, refinements, states] = cells[..] else { continue };
        let printed = Printed { configuration, time, refinements, states };
        match models.last_mut() {
            Some(model) if model.file == file => model.printed.push(printed),
            Some(_) | None => {
                models.push(Model { table, name, file, safe: verdict == "safe", printed: vec![printed] });
            }
        }
    }
    models
}

/// The names of the models.
#[must_use]
pub fn names() -> Vec<&'static str> {
    models().iter().map(|model| model.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_engines::by_name;

    #[test]
    fn the_tables_are_complete() {
        let models = models();
        assert_eq!(models.len(), 22);
        let count = |table: &str| models.iter().filter(|model| model.table == table).count();
        assert_eq!([count("plc"), count("fischer"), count("hardware")], [10, 4, 8]);
        for model in &models {
            assert_eq!(model.printed.len(), 6, "{}", model.name);
            assert!(model.printed.iter().all(|cell| by_name(cell.configuration).is_some()));
        }
    }

    #[test]
    fn what_was_printed_is_told_from_what_was_not() {
        let cell = |time, refinements| Printed { configuration: "", time, refinements, states: "?" };
        let told = [("1.5", "2"), ("?", "2"), ("?", "?"), ("-", "-"), ("", "")].map(|(time, refinements)| {
            let cell = cell(time, refinements);
            (cell.is_answered(), cell.was_run())
        });
        assert_eq!(told, [(true, true), (true, true), (false, true), (false, true), (false, false)]);
    }
}
