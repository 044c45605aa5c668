//! What a row of the table of engines has, and what can be asked about it.

use crate::options::{Options, Setting, Settings, listed};
use tamis_cegar::{Context, Outcome};
use tamis_ir::diagnostic::is_near;
use tamis_ir::{Program, PropertyId};
use tamis_term::Terms;
use tamis_witness::Verdict;

/// A row of the table of engines. The help, the check of options, the random comparison and the
/// test of the corpus are made from it.
#[derive(Debug)]
pub struct Engine {
    /// Its name on the command line.
    pub name: &'static str,
    /// Other names by which it is known: older ones, and those of the literature.
    pub aliases: &'static [&'static str],
    /// What it does, as a phrase.
    pub about: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// When to use it, as a phrase.
    pub when: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What it decides.
    pub decides: Decides,
    /// What else it can do.
    pub can: Can,
    /// Whether procedures are to be copied to their calls before it sees a program.
    pub expands: fn(&Terms, &Program) -> bool,
    /// Whether it may race another engine, whose options are then set instead of its own.
    pub races: fn(&Engine) -> bool,
    /// What can be chosen about it.
    pub options: &'static dyn Options,
    /// Answers the question.
    pub run: Run,
}

/// What an engine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Programs, with procedures and recursion.
    Programs,
    /// Programs whose procedures were copied to their calls.
    Expanded,
    /// Descriptions of transition systems; such a program is one, too.
    Systems,
}

impl Takes {
    /// Whether calls may be left.
    #[must_use]
    pub fn calls(self) -> bool {
        match self {
            Takes::Programs => true,
            Takes::Expanded | Takes::Systems => false,
        }
    }
}

/// What an engine decides, given the time and the memory. All find errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decides {
    /// Every question about finite values.
    Finite,
    /// Questions for which refinement comes to an end.
    Refinable,
    /// Whether there is an error up to a depth, and at all if no run goes deeper.
    Bounded,
    /// Nothing: it proves nothing, and may miss errors.
    Errors,
}

/// What some engines can do besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Can {
    /// It begins with a precision that is given, and has one in the end.
    pub precision: bool,
    /// It shows its rounds of refinement to the context's viewer.
    pub rounds: bool,
    /// Its traces are the shortest ones of the program that it sees.
    pub shortest: bool,
}

impl Can {
    /// Nothing of it.
    pub const NOTHING: Can = Can { precision: false, rounds: false, shortest: false };
}

/// How an engine is called: with settings of its own options, or of its racers'.
pub type Run = fn(&mut Context, &Program, PropertyId, &Settings) -> Outcome<Verdict>;

impl Engine {
    /// Whether this is a name of it.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// What of the settings of a race is for it.
    #[must_use]
    pub fn chosen(&self, settings: &Settings) -> Settings {
        settings.of(|name| self.is_called(name), self.options)
    }

    /// Those of a table that it may race; none if it answers itself.
    #[must_use]
    pub fn racers<'t>(&self, table: &'t [Engine]) -> Vec<&'t Engine> {
        table.iter().filter(|other| (self.races)(other)).collect()
    }

    /// Whether it, or one that it may race, can do something.
    #[must_use]
    pub fn can(&self, table: &[Engine], what: fn(&Can) -> bool) -> bool {
        what(&self.can) || self.racers(table).iter().any(|racer| what(&racer.can))
    }

    /// Those whose options are set: its racers, or itself.
    fn readers<'t>(&'t self, table: &'t [Engine]) -> Vec<&'t Engine> {
        let racers = self.racers(table);
        if racers.is_empty() { vec![self] } else { racers }
    }

    /// Whether it understands all settings. Those of a race are for every racer that has such an
    /// option, or for the one that they name.
    ///
    /// # Errors
    /// Says what is wrong with the first that it does not understand, and what there is instead.
    pub fn check(&self, table: &[Engine], settings: &Settings) -> Result<(), String> {
        settings.list.iter().try_for_each(|setting| self.understands(table, setting))
    }

    fn understands(&self, table: &[Engine], setting: &Setting) -> Result<(), String> {
        let Setting { engine, name, value } = setting;
        let mut readers = self.readers(table);
        if let Some(wanted) = engine {
            let racers = self.racers(table);
            if !racers.iter().any(|racer| racer.is_called(wanted)) {
                let racers: Vec<&str> = racers.iter().map(|racer| racer.name).collect();
                let why = if racers.is_empty() {
                    format!("the engine {} races nobody; write {name}={value}", self.name)
                } else {
                    format!("{wanted} does not race in {}; {}", self.name, meant(wanted, &racers, "those who do are"))
                };
                return Err(format!("{wanted}.{name}: {why}"));
            }
            readers.retain(|reader| reader.is_called(wanted));
        }
        let has = |reader: &&&Engine| reader.options.has(name);
        if !readers.iter().any(|reader| has(&reader)) {
            return Err(self.lacks(table, &readers, name));
        }
        readers.iter().filter(has).try_for_each(|reader| reader.options.check(name, value))
    }

    /// That none of the readers has an option, and what there is instead.
    fn lacks(&self, table: &[Engine], readers: &[&Engine], name: &str) -> String {
        let who = if let [only] = readers { only.name } else { self.name };
        let mut known: Vec<&str> = Vec::new();
        for row in readers.iter().flat_map(|reader| reader.options.rows()) {
            if !known.contains(&row.name) {
                known.push(row.name);
            }
        }
        if !known.is_empty() {
            return format!("the engine {who} has no option {name}; {}", meant(name, &known, "it has"));
        }
        let has = |engine: &&Engine| engine.readers(table).iter().any(|reader| reader.options.has(name));
        match listed(table.iter().filter(has).map(|engine| engine.name)).as_str() {
            "" => format!("the engine {who} has no options"),
            others => format!("the engine {who} has no options; {name} is for {others}"),
        }
    }
}

/// Which of the names may be meant; or else all of them.
fn meant(name: &str, known: &[&str], all: &str) -> String {
    match known.iter().copied().filter(|known| is_near(name, known)).collect::<Vec<_>>()[..] {
        [] => format!("{all} {}", known.join(", ")),
        ref near => format!("is {} meant?", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ENGINES, by_name};

    fn said(engine: &str, setting: &str) -> Result<(), String> {
        let list = vec![Setting::read(setting).expect("a setting")];
        by_name(engine).expect("registered").check(ENGINES, &Settings { list })
    }

    #[test]
    fn a_setting_is_for_racers_that_have_the_option() {
        for (engine, setting) in [
            ("auto", "order=breadth"),
            ("auto", "bound=3"),
            ("auto", "bounded.bound=0"),
            ("auto", "predicate.track=main::x+y.z"),
            ("auto", "interpolants=weakest"),
            ("portfolio", "pushdown-cegar.interpolants=both"),
            ("configurable", "combined-craig.pieces=atoms"),
            ("predicate", "pieces=atoms"),
            ("auto", "explicit-values.pieces=atoms"),
            ("explicit-values", "pieces=atoms"),
        ] {
            assert_eq!(said(engine, setting), Ok(()), "{engine} {setting}");
        }
    }

    #[test]
    fn what_nobody_understands_is_told_with_what_there_is() {
        for (engine, setting, why) in [
            ("auto", "bound=0", "bound cannot be 0; it can be a number"),
            ("auto", "oder=breadth", "the engine auto has no option oder; is order meant?"),
            ("bounded", "blocks=single", "the engine bounded has no option blocks; it has bound"),
            ("auto", "bounded.blocks=single", "the engine bounded has no option blocks; it has bound"),
            ("auto", "predicat.order=depth", "predicat.order: predicat does not race in auto; is predicate meant?"),
            (
                "portfolio",
                "explicit.states=1",
                "explicit.states: explicit does not race in portfolio; those who do are pushdown, pushdown-backward, pushdown-cegar",
            ),
            (
                "predicate",
                "predicate.order=depth",
                "predicate.order: the engine predicate races nobody; write order=depth",
            ),
            (
                "explicit",
                "interpolants=skip",
                "the engine explicit has no options; interpolants is for auto, pushdown-cegar, portfolio",
            ),
            ("explicit", "nothing=1", "the engine explicit has no options"),
        ] {
            assert_eq!(said(engine, setting), Err(why.into()), "{engine} {setting}");
        }
    }

    #[test]
    fn defaults_are_values() {
        for engine in ENGINES {
            for row in engine.options.rows() {
                assert_eq!(engine.options.check(row.name, &row.default), Ok(()), "{} {row:?}", engine.name);
            }
        }
    }

    #[test]
    fn names_are_of_one_engine() {
        let names: Vec<&str> =
            ENGINES.iter().flat_map(|engine| engine.aliases.iter().copied().chain([engine.name])).collect();
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len(), "{names:?}");
    }

    #[test]
    fn what_names_an_engine_counts_more() {
        let list = ["predicate.order=breadth", "order=depth", "interpolants=skip", "bounded.bound=1", "bound=2"];
        let settings = Settings { list: list.iter().filter_map(|text| Setting::read(text)).collect() };
        let of = |engine: &str| by_name(engine).expect("registered").chosen(&settings);
        assert_eq!(of("predicate"), Settings::from_iter([("order", "depth"), ("bound", "2"), ("order", "breadth")]));
        assert_eq!(of("bounded"), Settings::from_iter([("bound", "2"), ("bound", "1")]));
        assert_eq!(of("explicit"), Settings::default());
    }
}
