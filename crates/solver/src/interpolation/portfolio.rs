//! Sources one after another: each has its own time, each result is validated, and the first
//! that is valid counts. No source answers everything (Dietsch et al., FSE 2017, compare them).
//!
//! Nor is any the best for every refutation. Where the order is learned within a run
//! ([`Choice::Learned`]), a second source is asked now and then, and who says less goes first from
//! then on; and a source goes back behind the next one if counterexamples grow by one step, round
//! after round: its interpolants exclude one round of a loop at a time. No clock decides that.

use super::{Interpolation, Interpolator, Parts, SOURCES, Sorts, Source, Validity, by_name, valid};
use crate::{Answer, Error, Solvers, StopSignal, Why};
use std::time::{Duration, Instant};
use tamis_term::walk::post_order;
use tamis_term::{Sort, Term, Terms};

/// How long a source may take, unless told otherwise.
const PATIENCE: Duration = Duration::from_secs(10);

/// For Booleans alone: bits are what there is to say.
const BOOLEAN: &[&str] = &["proof", "diagrams", "newton", "newton-forward", "diagrams-weakest", "diagrams-strongest"];
/// Elsewhere: what speaks about words and numbers first, because it generalises.
const WORDS: &[&str] = &["newton", "newton-forward", "horn", "diagrams", "proof"];

/// The same where second opinions are had: what says little first, which Spacer's solutions do, and
/// what is made of literals that the parts suggest.
const GENERAL_WORDS: &[&str] = &["horn", "literals", "newton", "newton-forward", "diagrams", "proof"];

/// The same for large formulas, whose projections are larger still.
const LARGE_WORDS: &[&str] = &["proof", "newton", "newton-forward", "horn", "diagrams"];
const LITERALS: &str = "literals";
/// Formulas of more terms than this are large.
const LARGE: usize = 2000;

/// Counterexamples that grew by one step so often in a row are rounds of a loop.
const ROUNDS: usize = 4;

/// How the order of the sources comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It is the same for all questions about the same sorts.
    Fixed,
    /// It is learned within the run.
    Learned,
}

/// What a portfolio tries.
#[derive(Clone, Debug)]
pub struct Config {
    /// The sources, in this order; if there are none, those that suit the sorts.
    pub order: Vec<&'static Source>,
    /// Whether those that suit the sorts begin with `literals`: for programs, whose conditions say
    /// what matters.
    pub literals_first: bool,
    /// How the order goes on from there.
    pub choice: Choice,
    /// How long each may take, and its validation again.
    pub time: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config { order: Vec::new(), literals_first: false, choice: Choice::Fixed, time: PATIENCE }
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
    /// How often others were better, or it did not get on: who has least goes first.
    pub demerits: usize,
}

/// Tries sources in an order, and believes none.
#[derive(Debug)]
pub struct Portfolio {
    config: Config,
    solvers: Solvers,
    tallies: Vec<Tally>,
    /// How many questions there were.
    questions: usize,
    /// How long the last counterexample was, and how often in a row it grew by one.
    length: usize,
    grown: usize,
    /// Whose answer counted last.
    last: Option<&'static str>,
}

/// What came of a source.
enum Attempt {
    Success(Interpolation),
    /// Its result was wrong: why, in words.
    Refuted(String),
    Failure(Why),
}

/// Interpolants that are valid, of one source.
struct Opinion {
    source: &'static str,
    /// How many different terms they are made of: what is short, and the same at many places, says
    /// more about other paths.
    size: usize,
    found: Vec<Term>,
}

impl Portfolio {
    /// A portfolio whose sources and validations ask these solvers.
    #[must_use]
    pub fn new(config: Config, solvers: Solvers) -> Portfolio {
        Portfolio { config, solvers, tallies: Vec::new(), questions: 0, length: 0, grown: 0, last: None }
    }

    /// What came of the sources that were asked, in the order of first questions.
    #[must_use]
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Who is asked, in this order: as configured, or as it suits the sorts; then who was better so far.
    fn order(&self, terms: &Terms, parts: &Parts) -> Vec<&'static Source> {
        let mut order = self.config.order.clone();
        if order.is_empty() {
            order = self.suitable(terms, parts);
        }
        if self.config.choice == Choice::Learned {
            let demerits =
                |name| self.tallies.iter().find(|tally| tally.name == name).map_or(0, |tally| tally.demerits);
            order.sort_by_key(|source| demerits(source.name));
        }
        order
    }

    /// The sources that suit the sorts, the most promising one first.
    fn suitable(&self, terms: &Terms, parts: &Parts) -> Vec<&'static Source> {
        let vars = terms.free_vars(&parts.formulas);
        let sorts: Vec<&Sort> = vars.iter().map(|var| terms.var_sort(*var)).collect();
        let preferred = if sorts.iter().all(|sort| **sort == Sort::Bool) {
            BOOLEAN
        } else if parts.formulas.iter().any(|formula| terms.dag_size(*formula) > LARGE) {
            LARGE_WORDS
        } else if self.config.choice == Choice::Learned {
            GENERAL_WORDS
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

    /// How many answers are compared: two at the first questions, then at ever fewer.
    fn opinions(&self, terms: &Terms, parts: &Parts) -> usize {
        let learns = self.config.choice == Choice::Learned && self.questions.is_power_of_two();
        if learns && post_order(terms, &parts.formulas).len() <= LARGE { 2 } else { 1 }
    }

    /// Puts a source behind the best of the others that may be asked.
    fn falls_back(&mut self, name: &'static str, order: &[&'static Source]) {
        let demerits = |portfolio: &mut Portfolio, name| portfolio.tally(name).demerits;
        let others = order.iter().map(|source| source.name).filter(|other| *other != name);
        if let Some(best) = others.map(|other| demerits(self, other)).min() {
            let own = self.tally(name);
            own.demerits = own.demerits.max(best + 1);
        }
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
            self.tallies.push(Tally { name, asked: 0, answered: 0, refuted: 0, time: Duration::ZERO, demerits: 0 });
            self.tallies.len() - 1
        });
        &mut self.tallies[at]
    }
}

impl Interpolator for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn begin_round(&mut self, length: usize) {
        self.grown = if length == self.length + 1 { self.grown + 1 } else { 0 };
        self.length = length;
    }

    fn interpolate(&mut self, terms: &mut Terms, parts: &Parts) -> Result<Interpolation, Error> {
        parts.check(terms)?;
        self.questions += 1;
        let order = self.order(terms, parts);
        if self.grown >= ROUNDS
            && let Some(last) = self.last
        {
            self.falls_back(last, &order);
            self.grown = 0;
        }
        let order = self.order(terms, parts);
        let (mut failures, mut memory) = (Vec::new(), false);
        let opinions = self.opinions(terms, parts);
        let mut best: Option<Opinion> = None;
        // One that fails counts as an opinion, too, if there is an answer already.
        for (asked, source) in (1..).zip(&order) {
            if self.solvers.stop.is_set() {
                return Ok(Interpolation::Unknown(Why::Interrupted));
            }
            let start = Instant::now();
            let attempt = self.attempt(terms, parts, source);
            let tally = self.tally(source.name);
            tally.asked += 1;
            tally.time += start.elapsed();
            let failure = match attempt {
                Ok(Attempt::Success(Interpolation::Interpolants(found))) => {
                    tally.answered += 1;
                    let own = Opinion { source: source.name, size: post_order(terms, &found).len(), found };
                    best = Some(match best {
                        Some(first) if first.size <= own.size => {
                            self.falls_back(own.source, &order);
                            first
                        }
                        Some(first) => {
                            self.falls_back(first.source, &order);
                            own
                        }
                        None => own,
                    });
                    None
                }
                Ok(Attempt::Success(other)) => {
                    tally.answered += 1;
                    return Ok(other);
                }
                Ok(Attempt::Refuted(objection)) => {
                    tally.refuted += 1;
                    Some(objection)
                }
                Ok(Attempt::Failure(why)) => {
                    memory |= why == Why::OutOfMemory;
                    Some(why.to_string())
                }
                Err(error) => Some(error.to_string()),
            };
            if let Some(failure) = failure {
                failures.push(format!("{}: {failure}", source.name));
                self.falls_back(source.name, &order);
            }
            if asked >= opinions && best.is_some() {
                break;
            }
        }
        if let Some(Opinion { source, found, .. }) = best {
            self.last = Some(source);
            return Ok(Interpolation::Interpolants(found));
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
