//! Bit-level interpolants from SAT proofs (`McMillan`, *Interpolation and SAT-Based Model
//! Checking*, CAV 2003; Pudlák, *Lower Bounds for Resolution and Cutting Plane Proofs and
//! Monotone Computations*, JSL 1997).
//!
//! One refutation serves all nodes of the tree: at each, a clause belongs to the subtree or to
//! the rest, and the rules of the system say what it contributes. So the interpolants fit
//! together (Vizel, Grumberg, *Interpolation-Sequence Based Model Checking*, FMCAD 2009;
//! Gurfinkel, Rollini, Sharygina, *Interpolation Properties and SAT-Based Model Checking*,
//! ATVA 2013).
//!
//! Files in order of reading: `clauses` (each part as clauses of its own), `search` (the SAT
//! solver, and what it learns), `refute` (which of that is needed, and why it follows),
//! `replay` (the same as a proof by resolution), `label` (what it says at each node).

mod clauses;
mod label;
mod refute;
mod replay;
mod search;

use super::{Interpolation, Interpolator, Parts, shape};
use crate::{Error, StopSignal, Why};
use clauses::Clauses;
use search::Found;
use std::time::{Duration, Instant};
use tamis_circuit::{Gates, Meter};
use tamis_term::{Term, Terms};

/// About how many bytes each of circuit, search and interpolants may take.
const MEMORY: usize = 1 << 30;

/// What a clause says about the two sides of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// The strongest interpolant that the proof gives; a conjunction of what each clause of
    /// the subtree says about shared bits.
    McMillan,
    /// Between the strongest and the weakest; both sides are treated alike.
    Pudlak,
}

/// Interpolants from one SAT proof.
#[derive(Debug)]
pub struct Proof {
    system: System,
    stop: StopSignal,
    effort: Effort,
}

/// How much work the last interpolation was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Clauses that the parts became.
    pub clauses: usize,
    /// How many of them the proof needs.
    pub core: usize,
    /// Clauses that the search learnt.
    pub learnt: usize,
    /// How many clauses the proof derives.
    pub derived: usize,
    /// Resolutions by which it does so.
    pub resolutions: usize,
    /// Literals that were propagated to find them.
    pub propagations: u64,
    /// How long that took.
    pub checking: Duration,
    /// Gates of all interpolants together.
    pub gates: usize,
}

impl Proof {
    /// A source that gives up when `stop` is set.
    #[must_use]
    pub fn new(system: System, stop: StopSignal) -> Proof {
        Proof { system, stop, effort: Effort::default() }
    }

    /// How much work the last interpolation was.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Interpolants, or none if the parts do not contradict each other.
    fn derive(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Option<Vec<Term>>, Why> {
        self.effort = Effort::default();
        let clauses = Clauses::of(terms, parts, &self.stop, MEMORY)?;
        let log = match search::search(&clauses, &self.stop, MEMORY / 4)? {
            Found::Model => return Ok(None),
            Found::Contradiction(log) => log,
        };
        let start = Instant::now();
        let refutation = refute::refute(&clauses, &log, &self.stop)?;
        let checking = start.elapsed();
        let proof = replay::replay(&clauses, &refutation)?;
        self.effort = Effort {
            clauses: clauses.len(),
            core: proof.leaves.len(),
            learnt: log.learnt(),
            derived: proof.steps.len(),
            resolutions: proof.resolutions(),
            propagations: refutation.propagations,
            checking,
            gates: 0,
        };
        let mut gates = Gates::new(Meter::new(self.stop.clone(), MEMORY));
        let labels = label::label(&clauses, &proof, parts, self.system, &mut gates)?;
        self.effort.gates = gates.cone_size(labels.interpolants.iter().copied())?;
        let written = shape::write(terms, &gates, &labels.places, &labels.interpolants);
        Ok(Some(shape::polish(terms, &self.stop, written)))
    }
}

impl Interpolator for Proof {
    fn name(&self) -> &'static str {
        match self.system {
            System::McMillan => "proof",
            System::Pudlak => "proof-symmetric",
        }
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        parts.check(terms)?;
        Ok(match self.derive(terms, parts) {
            Ok(Some(interpolants)) => Interpolation::Interpolants(interpolants),
            Ok(None) => Interpolation::Satisfiable,
            Err(why) => Interpolation::Unknown(why),
        })
    }
}
