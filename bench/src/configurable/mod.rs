//! The experiments of Hajdu, Tóth, Vörös and Majzik (*A Configurable CEGAR Framework with
//! Interpolation-Based Refinements*, FORTE 2016, tables 1 to 3), run again on the same models,
//! beside what the paper prints.
//!
//! The models are other people's work and not part of this project: the reader of this table gives
//! the folder that they are in. `printed.tsv` has the paper's numbers: `-` is a run that ran out of
//! time there, `?` what the scan lost, and an empty cell a run that was not made.
//!
//! Files: [`measure`](mod@measure) (one run), [`judge`] (what must hold of all), [`text`] and
//! [`json`] (how it is told).

pub mod json;
pub mod judge;
pub mod measure;
pub mod text;

pub use measure::{Measured, measure};

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
}
