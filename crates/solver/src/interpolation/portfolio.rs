//! Sources one after another: each has its own time, each result is validated, and the first
//! that is valid counts. No source answers everything (Dietsch et al., FSE 2017, compare them).

use super::{Interpolation, Interpolator, Parts, SOURCES, Sorts, Source, Validity, by_name, valid};
use crate::{Answer, Error, Solvers, StopSignal, Why};
use std::time::{Duration, Instant};
use tamis_term::{Sort, Terms};

/// How long a source may take, unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// For Booleans alone: bits are what there is to say.
const BOOLEAN: &[&str] = &["proof", "diagrams", "newton", "newton-forward", "diagrams-weakest", "diagrams-strongest"];
/// Elsewhere: what speaks about words and numbers first, because it generalises.
const WORDS: &[&str] = &["newton", "newton-forward", "horn", "diagrams", "proof"];

/// The same for large formulas, whose projections are larger still.
const LARGE_WORDS: &[&str] = &["proof", "newton", "newton-forward", "horn", "diagrams"];
const LITERALS: &str = "literals";
/// Formulas of more terms than this are large.
const LARGE: usize = 2000;

/// What a portfolio tries.
#[derive(Clone, Debug)]
pub struct Config {
    /// The sources, in this order; if there are none, those that suit the sorts.
    pub order: Vec<&'static Source>,
    /// Whether those that suit the sorts begin with `literals`: for programs, whose conditions say
    /// what matters.
    pub literals_first: bool,
    /// How long each may take, and its validation again.
    pub time: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config { order: Vec::new(), literals_first: false, time: PATIENCE }
    }
}

impl Config {
    /// The sources of these names, separated by commas, in this order.
    ///
    /// # Errors
    /// If there is no source of some name.
    pub fn named(names: &str) -> Result<Config, Error> {
        let source = |name: &str| by_name(name).ok_or_else(|| Error::Backend(unknown(name)));
        let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        Ok(Config { order: names.map(source).collect::<Result<_, _>>()?, ..Config::default() })
    }
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = SOURCES.iter().map(|source| source.name).collect();
    format!("there is no source of interpolants called {name}; there are {}", known.join(", "))
}

/// How often a source was asked, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The source's name.
    pub name: &'static str,
    /// How often it was asked.
    pub asked: usize,
    /// How often its result was valid.
    pub answered: usize,
    /// How often its result was wrong.
    pub refuted: usize,
    /// How long it took in all, validation included.
    pub time: Duration,
}

/// Tries sources in an order, and believes none.
#[derive(Debug)]
pub struct Portfolio {
    config: Config,
    solvers: Solvers,
    tallies: Vec<Tally>,
}

/// What came of a source.
enum Attempt {
    Success(Interpolation),
    /// Its result was wrong: why, in words.
    Refuted(String),
    Failure(Why),
}

impl Portfolio {
    /// A portfolio whose sources and validations ask these solvers.
    #[must_use]
    pub fn new(config: Config, solvers: Solvers) -> Portfolio {
        Portfolio { config, solvers, tallies: Vec::new() }
    }

    /// What came of the sources that were asked, in the order of first questions.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    fn order(&self, terms: &Terms, parts: &Parts) -> Vec<&'static Source> {
        if !self.config.order.is_empty() {
            return self.config.order.clone();
        }
        let vars = terms.free_vars(&parts.formulas);
        let sorts: Vec<&Sort> = vars.iter().map(|var| terms.var_sort(*var)).collect();
        let preferred = if sorts.iter().all(|sort| **sort == Sort::Bool) {
            BOOLEAN
        } else if parts.formulas.iter().any(|formula| terms.dag_size(*formula) > LARGE) {
            LARGE_WORDS
        } else {
            WORDS
        };
        let rank = |source: &&Source| {
            let place = preferred.iter().position(|name| *name == source.name);
            let first = self.config.literals_first && source.name == LITERALS;
            if first { 0 } else { 1 + place.unwrap_or(preferred.len()) }
        };
        let suits = |sorts_of: Sorts| sorts.iter().all(|sort| sorts_of.include(sort));
        let mut order: Vec<&Source> = SOURCES.iter().filter(|source| suits(source.sorts)).collect();
        order.sort_by_key(rank);
        order
    }

    /// The solvers for a while, until the caller's signal at the latest.
    fn for_a_while(&self) -> Solvers {
        let (stop, start, time) = (self.solvers.stop.clone(), Instant::now(), self.config.time);
        let stop = StopSignal::when(move || stop.is_set() || start.elapsed() >= time);
        Solvers { stop, ..self.solvers.clone() }
    }

    /// Asks one source, and validates what it says.
    fn attempt(&self, terms: &mut Terms, parts: &Parts, source: &Source) -> Result<Attempt, Error> {
        let found = (source.make)(&self.for_a_while()).interpolate(terms, parts)?;
        let mut solver = self.for_a_while().fresh(terms, &parts.formulas)?;
        Ok(match found {
            Interpolation::Unknown(why) => Attempt::Failure(why),
            Interpolation::Interpolants(found) => match valid(terms, parts, &found, solver.as_mut())? {
                Validity::Valid => Attempt::Success(Interpolation::Interpolants(found)),
                Validity::Invalid(objection) => Attempt::Refuted(objection),
                Validity::Undecided(why) => Attempt::Failure(why),
            },
            Interpolation::Satisfiable => match solver.check(terms, &parts.formulas)? {
                Answer::Sat(_) => Attempt::Success(Interpolation::Satisfiable),
                Answer::Unsat(_) => Attempt::Refuted("the parts contradict each other".to_owned()),
                Answer::Unknown(why) => Attempt::Failure(why),
            },
        })
    }

    fn tally(&mut self, name: &'static str) -> &mut Tally {
        let at = self.tallies.iter().position(|tally| tally.name == name).unwrap_or_else(|| {
            self.tallies.push(Tally { name, asked: 0, answered: 0, refuted: 0, time: Duration::ZERO });
            self.tallies.len() - 1
        });
        &mut self.tallies[at]
    }
}

impl Interpolator for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        parts.check(terms)?;
        let mut failures = Vec::new();
        let mut memory = false;
        for source in self.order(terms, parts) {
            if self.solvers.stop.is_set() {
                return Ok(Interpolation::Unknown(Why::Interrupted));
            }
            let start = Instant::now();
            let attempt = self.attempt(terms, parts, source);
            let tally = self.tally(source.name);
            tally.asked += 1;
            tally.time += start.elapsed();
            let failure = match attempt {
                Ok(Attempt::Success(found)) => {
                    tally.answered += 1;
                    return Ok(found);
                }
                Ok(Attempt::Refuted(objection)) => {
                    tally.refuted += 1;
                    objection
                }
                Ok(Attempt::Failure(why)) => {
                    memory |= why == Why::OutOfMemory;
                    why.to_string()
                }
                Err(error) => error.to_string(),
            };
            failures.push(format!("{}: {failure}", source.name));
        }
        if self.solvers.stop.is_set() {
            return Ok(Interpolation::Unknown(Why::Interrupted));
        }
        // With more of it, that source might have had an answer.
        if memory {
            return Ok(Interpolation::Unknown(Why::OutOfMemory));
        }
        Ok(Interpolation::Unknown(Why::GaveUp(format!("no source has interpolants ({})", failures.join("; ")))))
    }
}
