//! What options of `pushdown-cegar` bring on the programs of the thesis: smaller blocks, thin witness graphs,
//! the search that ends at the first error (section 8.1.1), and the lazy stop (section 8.3).

use super::experiments::{Experiment, Found};
use crate::measure::{Measured, Question, Settings, measure};
use tamis_refiners::bdd::Heuristic;

/// What is chosen instead of the usual.
pub const EFFECTS: [(&str, &str); 4] =
    [("blocks", "single"), ("witnesses", "thin"), ("search", "early"), ("stop", "lazily")];

/// A heuristic on a program, as usual and with each option changed.
#[derive(Debug)]
pub struct Effect {
    /// The experiment's name.
    pub experiment: &'static str,
    /// The heuristic.
    pub heuristic: Heuristic,
    /// With no option changed.
    pub usual: Measured,
    /// By option.
    pub changed: Vec<Measured>,
}

impl Experiment {
    /// Changes the options of its heuristics one by one.
    #[must_use]
    pub fn effects(&self, settings: &Settings, found: &Found) -> Vec<Effect> {
        let source = (self.source)();
        let usual = self.rows.iter().zip(&found.rows).filter(|(row, _)| row.options.is_empty());
        let effect = |heuristic: Heuristic, usual: &Measured| {
            let ask = |option| {
                let options = &[option];
                measure(settings, Question { options, ..Question::remopla(&source, "pushdown-cegar", heuristic) })
            };
            let changed = EFFECTS.into_iter().map(ask).collect();
            Effect { experiment: self.name, heuristic, usual: usual.clone(), changed }
        };
        usual.map(|(row, usual)| effect(row.heuristic, usual)).collect()
    }
}
