//! What can be chosen about a part of Tamis, by name: options of engines and of languages.
//!
//! A part is configured by a type of its own. Its [`Knobs`] say how each part of that is called,
//! what it can be and what it is if nobody chooses; to tables of parts all of them are [`Options`].
//! What was chosen are [`Settings`], which the part turns into its configuration.

use std::fmt::Debug;

/// That a setting does not fit the options, as a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub String);

/// An option of the parts that are configured by a `C`.
#[derive(Debug)]
pub struct Knob<C> {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it decides, as a phrase.
    pub about: &'static str,
    /// What it can be set to, as a phrase.
    pub values: fn() -> String,
    /// What it is set to.
    pub get: fn(&C) -> String,
    /// Sets it. Fails for what it cannot be set to.
    pub set: fn(&mut C, &str) -> Option<()>,
}

/// The options of a part that is configured by a `C`.
#[derive(Debug)]
pub struct Knobs<C: 'static> {
    /// The configuration of those who choose nothing.
    pub default: fn() -> C,
    /// The options.
    pub knobs: &'static [Knob<C>],
}

/// The options of a part about which nothing can be chosen.
pub const NONE: &Knobs<()> = &Knobs { default: || (), knobs: &[] };

impl<C> Knobs<C> {
    /// The configuration with these settings, of which later ones count more.
    ///
    /// # Errors
    /// There is no such option, or it cannot be set to that.
    pub fn configured(&self, settings: &Settings) -> Result<C, Unfit> {
        let mut configuration = (self.default)();
        for Setting { engine, name, value } in &settings.list {
            // Whoever races gives each racer its own settings, which name no engine.
            let other = |engine| format!("{engine}.{name} is for a race");
            let set = engine.as_ref().map_or_else(|| self.set(&mut configuration, name, value), |e| Err(other(e)));
            set.map_err(Unfit)?;
        }
        Ok(configuration)
    }

    fn set(&self, configuration: &mut C, name: &str, value: &str) -> Result<(), String> {
        let knob = self.knobs.iter().find(|knob| knob.name == name);
        let knob = knob.ok_or_else(|| format!("there is no option {name}"))?;
        let refused = || format!("{name} cannot be {value}; it can be {}", (knob.values)());
        (knob.set)(configuration, value).ok_or_else(refused)
    }
}

/// An option as it is told about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it decides, as a phrase.
    pub about: &'static str,
    /// What it can be set to, as a phrase.
    pub values: String,
    /// What it is if nobody chooses.
    pub default: String,
}

/// The options of a part, whatever type configures it.
pub trait Options: Debug + Sync {
    /// All of them, in the order of the help.
    fn rows(&self) -> Vec<Row>;

    /// Whether there is an option of this name.
    fn has(&self, name: &str) -> bool;

    /// Whether an option can be set to a value.
    ///
    /// # Errors
    /// Says what it can be, as a phrase.
    fn check(&self, name: &str, value: &str) -> Result<(), String>;
}

impl<C: Debug> Options for Knobs<C> {
    fn rows(&self) -> Vec<Row> {
        let default = (self.default)();
        let row = |knob: &Knob<C>| {
            let (values, default) = ((knob.values)(), (knob.get)(&default));
            Row { name: knob.name, about: knob.about, values, default }
        };
        self.knobs.iter().map(row).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.knobs.iter().any(|knob| knob.name == name)
    }

    fn check(&self, name: &str, value: &str) -> Result<(), String> {
        self.set(&mut (self.default)(), name, value)
    }
}

/// What was chosen about an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Whose option it is; if nobody is named, it is everybody's who has one of that name.
    pub engine: Option<String>,
    /// The option.
    pub name: String,
    /// What it is to be.
    pub value: String,
}

impl Setting {
    /// Reads `NAME=VALUE` or `ENGINE.NAME=VALUE`.
    #[must_use]
    pub fn read(text: &str) -> Option<Setting> {
        let (left, value) = text.split_once('=')?;
        let (engine, name) = match left.split_once('.') {
            Some((engine, name)) => (Some(engine.trim().to_owned()), name),
            None => (None, left),
        };
        Some(Setting { engine, name: name.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// What was chosen. Of two settings of an option, the later one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// In the order in which it was chosen.
    pub list: Vec<Setting>,
}

impl Settings {
    /// What of it is for one of those who race: settings of options that it has. Those that name
    /// it come behind those for everybody, and so count more.
    #[must_use]
    pub fn of(&self, is_named: impl Fn(&str) -> bool, options: &dyn Options) -> Settings {
        let known = || self.list.iter().filter(|setting| options.has(&setting.name));
        let shared = known().filter(|setting| setting.engine.is_none());
        let own = known().filter(|setting| setting.engine.as_deref().is_some_and(&is_named));
        Settings { list: shared.chain(own).map(|setting| Setting { engine: None, ..setting.clone() }).collect() }
    }

    /// What an option was set to, if it was.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().rev().find(|setting| setting.name == name).map(|setting| setting.value.as_str())
    }

    /// Sets an option, unless it was set before.
    pub fn default_to(&mut self, name: &str, value: impl Into<String>) {
        if self.get(name).is_none() {
            self.list.push(Setting { engine: None, name: name.to_owned(), value: value.into() });
        }
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Settings {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Settings {
        let setting = |(name, value): (N, V)| Setting { engine: None, name: name.into(), value: value.into() };
        Settings { list: pairs.into_iter().map(setting).collect() }
    }
}

/// The name of a value.
#[must_use]
pub fn named<T: PartialEq>(value: &T, choices: &[(&str, T)]) -> String {
    choices.iter().find(|(_, choice)| choice == value).map_or_else(String::new, |(name, _)| (*name).to_owned())
}

/// Sets a part to the value of a name. Fails if there is no such value.
pub fn choose<T: Clone>(part: &mut T, choices: &[(&str, T)], name: &str) -> Option<()> {
    let (_, value) = choices.iter().find(|(known, _)| *known == name)?;
    *part = value.clone();
    Some(())
}

/// Sets a part to a number that is not zero. Fails for other texts.
pub fn positive(part: &mut usize, number: &str) -> Option<()> {
    *part = number.parse().ok().filter(|number| *number > 0)?;
    Some(())
}

/// The names of a table's rows, as a phrase.
#[must_use]
pub fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// A [`Knob`] that sets a part of a configuration to one of few values, each of which has a name.
#[macro_export]
macro_rules! knob {
    ($name:literal, $about:literal, $($part:ident).+: $($word:literal => $value:expr),+) => {
        $crate::Knob {
            name: $name,
            about: $about,
            values: || $crate::listed([$($word),+]),
            get: |parts| $crate::named(&parts.$($part).+, &[$(($word, $value)),+]),
            set: |parts, name| $crate::choose(&mut parts.$($part).+, &[$(($word, $value)),+], name),
        }
    };
}
