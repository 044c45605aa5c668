//! What is declared, and what is mentioned.

use super::ast::{File, Name};
use crate::cursor::MAX_ERRORS;
use rustc_hash::FxHashMap;
use tamis_ir::Diagnostic;

/// A control state, by number.
pub(super) type State = usize;

/// A stack symbol, by number.
pub(super) type Symbol = usize;

/// A control state and the symbol on top of the stack.
pub(super) type Head = (State, Symbol);

/// What is declared, and what is mentioned.
pub(super) struct Names<'s> {
    pub states: Vec<&'s str>,
    pub symbols: Vec<&'s str>,
    pub state_numbers: FxHashMap<&'s str, State>,
    pub symbol_numbers: FxHashMap<&'s str, Symbol>,
    pub globals: FxHashMap<&'s str, usize>,
    /// By symbol: the number of the declaration of its variables.
    pub groups: Vec<Option<usize>>,
}

impl<'s> Names<'s> {
    pub fn new(file: &File<'s>) -> Result<Names<'s>, Vec<Diagnostic>> {
        let mut names = Names {
            states: Vec::new(),
            symbols: Vec::new(),
            state_numbers: FxHashMap::default(),
            symbol_numbers: FxHashMap::default(),
            globals: FxHashMap::default(),
            groups: Vec::new(),
        };
        names.mention(&file.state, &file.stack);
        for rule in &file.rules {
            names.mention(&rule.from[0], &rule.from[1..]);
            names.mention(&rule.state, &rule.word);
        }
        let mut errors = Vec::new();
        for (at, name) in file.globals.iter().enumerate() {
            if names.globals.insert(name.text, at).is_some() {
                errors.push(twice(name));
            }
        }
        for (group, locals) in file.locals.iter().enumerate() {
            let mut own: Vec<&str> = Vec::new();
            for name in &locals.vars {
                if own.contains(&name.text) || names.globals.contains_key(name.text) {
                    errors.push(twice(name));
                }
                own.push(name.text);
            }
            for symbol in &locals.symbols {
                let Some(number) = names.symbol_numbers.get(symbol.text).copied() else {
                    let error =
                        Diagnostic::error(symbol.span, format!("no rule mentions the symbol `{}`", symbol.text));
                    errors.push(error.hint("remove it"));
                    continue;
                };
                if names.groups[number].replace(group).is_some_and(|before| before != group) {
                    let error = format!("`{}` has variables already", symbol.text);
                    errors.push(Diagnostic::error(symbol.span, error).hint("declare all of them together"));
                }
            }
        }
        errors.sort_by_key(|error| error.span);
        errors.truncate(MAX_ERRORS);
        if errors.is_empty() { Ok(names) } else { Err(errors) }
    }

    fn mention(&mut self, state: &Name<'s>, symbols: &[Name<'s>]) {
        if !self.state_numbers.contains_key(state.text) {
            self.state_numbers.insert(state.text, self.states.len());
            self.states.push(state.text);
        }
        for symbol in symbols {
            if !self.symbol_numbers.contains_key(symbol.text) {
                self.symbol_numbers.insert(symbol.text, self.symbols.len());
                self.symbols.push(symbol.text);
                self.groups.push(None);
            }
        }
    }

    pub fn head(&self, state: &Name<'_>, symbol: &Name<'_>) -> Head {
        (self.state_numbers[state.text], self.symbol_numbers[symbol.text])
    }

    /// The control states in which rules take a symbol away.
    pub fn returns(&self, file: &File<'s>) -> Vec<State> {
        let pops = file.rules.iter().filter(|rule| rule.word.is_empty());
        let mut states: Vec<State> = pops.map(|rule| self.state_numbers[rule.state.text]).collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    /// What a head is called.
    pub fn called(&self, (state, symbol): Head) -> String {
        let symbol = self.symbols[symbol];
        if self.states.len() > 1 { format!("{}:{symbol}", self.states[state]) } else { symbol.to_owned() }
    }
}

fn twice(name: &Name<'_>) -> Diagnostic {
    Diagnostic::error(name.span, format!("`{}` is declared twice", name.text)).hint("rename one of them")
}
