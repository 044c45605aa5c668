//! What can be chosen about languages: flags of the command line, made from the table of languages.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use std::path::PathBuf;
use tamis_frontends::{FRONTENDS, Flag, Frontend, Role};
use tamis_options::Settings;

/// What the user chose about languages, of which only those of the program's language count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    /// By the name of the language.
    by_language: Vec<(&'static str, Settings)>,
}

impl Chosen {
    /// What was chosen about a language.
    pub fn about(&self, frontend: &Frontend) -> Settings {
        let found = self.by_language.iter().find(|(name, _)| *name == frontend.name);
        found.map(|(_, settings)| settings.clone()).unwrap_or_default()
    }

    /// The same, for one who knows better than the defaults.
    pub fn about_mut(&mut self, frontend: &Frontend) -> &mut Settings {
        let at = self.by_language.iter().position(|(name, _)| *name == frontend.name).unwrap_or_else(|| {
            self.by_language.push((frontend.name, Settings::default()));
            self.by_language.len() - 1
        });
        &mut self.by_language[at].1
    }

    /// The files that options name.
    pub fn files(&self) -> Vec<PathBuf> {
        let names_file =
            |frontend: &Frontend, option: &str| frontend.flag(option).is_some_and(|f| f.role == Role::File);
        let of = |frontend: &'static Frontend| {
            let list = self.about(frontend).list.into_iter();
            list.filter(|setting| names_file(frontend, &setting.name)).map(|setting| PathBuf::from(setting.value))
        };
        FRONTENDS.iter().flat_map(of).collect()
    }

    /// Options that were chosen although the program is in another language, as a warning.
    pub fn idle(&self, table: &[Frontend], frontend: &Frontend) -> Option<String> {
        let mut others = self.by_language.iter().filter(|(name, _)| *name != frontend.name);
        let (language, setting) = others.find_map(|(name, all)| Some((name, all.list.first()?)))?;
        let other = table.iter().find(|other| other.name == *language)?;
        Some(format!("{} is about {}, and has no meaning here", written(other, &setting.name), other.programs))
    }
}

/// How an option is written.
fn written(frontend: &Frontend, option: &str) -> String {
    match frontend.flag(option).and_then(|flag| flag.short) {
        Some(letter) => format!("-{letter}"),
        None => format!("--{option}"),
    }
}

/// The values of an option with what each chooses; whatever the case, it is found.
fn choice(choices: &'static [(&'static str, &'static str)]) -> ValueParser {
    let values = choices.iter().map(|(name, about)| PossibleValue::new(*name).help(*about));
    PossibleValuesParser::new(values).map(|given| given.to_lowercase()).into()
}

/// The flags of a language.
fn flags(frontend: &'static Frontend) -> impl Iterator<Item = Arg> {
    frontend.options.rows().into_iter().map(move |row| {
        let flag = frontend.flag(row.name);
        let about = flag.map_or_else(|| format!("{}: {}", row.about, row.values), |_| row.about.to_owned());
        let default = if row.default.is_empty() { String::new() } else { format!(" [default: {}]", row.default) };
        let arg = Arg::new(row.name).help(about + &default).help_heading(frontend.programs);
        let arg = match flag.and_then(|flag| flag.short) {
            Some(letter) => arg.short(letter),
            None => arg.long(row.name),
        };
        let many = flag.is_some_and(|flag| flag.role == Role::Text);
        let arg = arg.action(if many { ArgAction::Append } else { ArgAction::Set });
        let arg = arg.value_name(flag.map_or("VALUE", |flag| flag.value));
        match flag {
            Some(Flag { choices, .. }) if !choices.is_empty() => arg.ignore_case(true).value_parser(choice(choices)),
            Some(_) | None => arg.value_parser(checked(frontend, row.name)),
        }
    })
}

/// Whatever the language takes.
fn checked(frontend: &'static Frontend, option: &'static str) -> ValueParser {
    let check = move |value: &str| frontend.options.check(option, value).map(|()| value.to_owned());
    ValueParser::from(check)
}

/// Adds the flags of a table's languages.
pub fn augment(command: Command, table: &'static [Frontend]) -> Command {
    command.args(table.iter().flat_map(flags))
}

/// What was given of them.
pub fn given(matches: &ArgMatches, table: &'static [Frontend]) -> Chosen {
    let of = |frontend: &'static Frontend| {
        let rows = frontend.options.rows().into_iter();
        let values = rows.flat_map(|row| {
            let values = matches.get_many::<String>(row.name).into_iter().flatten();
            values.map(move |value| (row.name, value.clone()))
        });
        (frontend.name, values.collect::<Settings>())
    };
    let all = table.iter().map(of).filter(|(_, settings)| !settings.list.is_empty());
    Chosen { by_language: all.collect() }
}

/// The names of a table's languages, with what each is.
pub fn names(table: &'static [Frontend]) -> PossibleValuesParser {
    PossibleValuesParser::new(table.iter().map(|frontend| PossibleValue::new(frontend.name).help(frontend.about)))
}

impl Args for Chosen {
    fn augment_args(command: Command) -> Command {
        augment(command, FRONTENDS)
    }

    fn augment_args_for_update(command: Command) -> Command {
        augment(command, FRONTENDS)
    }
}

impl FromArgMatches for Chosen {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Chosen, clap::Error> {
        Ok(given(matches, FRONTENDS))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = given(matches, FRONTENDS);
        Ok(())
    }
}
