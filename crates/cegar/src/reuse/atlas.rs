//! The places and variables of an engine, by names that survive edits.
//!
//! A place is called by its procedure and the line of the source there: where lines are inserted
//! elsewhere that stays the same. Where it does not, what was stored about the place counts at all
//! places of the procedure; and if that is gone, everywhere.
//!
//! Passes copy procedures to their calls, and number the copies by locations. A variable of a copy is
//! called as in the procedure, with a number if there are several: `f::x`, `f::x#2`.

use super::{At, Place, Stored};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tamis_ir::{Loc, Program};
use tamis_term::{Sort, Term, Terms, Var};

/// A place at which an engine tells states apart.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The procedure whose code it is in.
    pub procedure: String,
    /// The location.
    pub loc: Loc,
}

/// The places and variables of an engine.
#[derive(Clone, Debug)]
pub struct Atlas {
    places: Vec<At>,
    /// For variables, those of the names in files.
    said: FxHashMap<Var, Term>,
    /// And back.
    meant: FxHashMap<Var, Term>,
}

/// A precision in terms of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Variables whose values tell states apart.
    pub tracked: Vec<Var>,
    /// Predicates with the numbers of their places, or for everywhere.
    pub predicates: Vec<(Option<usize>, Term)>,
}

impl Atlas {
    /// The atlas of these places and variables.
    pub fn new(terms: &mut Terms, program: &Program, spots: &[Spot], vars: &[Var]) -> Atlas {
        let mut same: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut places = Vec::new();
        for spot in spots {
            let line = program.sources.line(program.locs[spot.loc.index()].span).unwrap_or_default().trim();
            let nth = same.entry((&spot.procedure, line)).or_default();
            *nth += 1;
            places.push(At { procedure: spot.procedure.clone(), line: line.to_owned(), nth: *nth });
        }
        let mut atlas = Atlas { places, said: FxHashMap::default(), meant: FxHashMap::default() };
        let mut copies: BTreeMap<String, usize> = BTreeMap::new();
        for var in vars.iter().copied().collect::<BTreeSet<Var>>() {
            let mut name = without_copies(terms.name(var));
            let copy = copies.entry(name.clone()).or_default();
            *copy += 1;
            if *copy > 1 {
                name = format!("{name}#{copy}");
            }
            let sort = terms.var_sort(var).clone();
            let named = terms.find_var(&name).unwrap_or_else(|| terms.declare(&name, sort.clone()));
            // A name that means something of another sort is of no use.
            if *terms.var_sort(named) == sort {
                atlas.said.insert(var, terms.var(named));
                atlas.meant.insert(named, terms.var(var));
            }
        }
        atlas
    }

    /// What a stored precision means here: the parts of it that mean anything.
    pub fn known(&self, terms: &mut Terms, stored: &Stored) -> Known {
        let mut known = Known::default();
        for name in &stored.tracked {
            let named = terms.find_var(name).and_then(|named| self.meant.get(&named));
            known.tracked.extend(named.and_then(|term| terms.free_vars(&[*term]).first().copied()));
        }
        let mut seen = BTreeSet::new();
        for place in &stored.places {
            let numbers = self.numbers(place.at.as_ref());
            for text in &place.predicates {
                let Some(predicate) = self.meaning(terms, text) else { continue };
                let fresh = |number: &&Option<usize>| seen.insert((**number, predicate));
                known.predicates.extend(numbers.iter().filter(fresh).map(|number| (*number, predicate)));
            }
        }
        known
    }

    /// A precision in words that survive edits.
    pub fn stored(&self, terms: &mut Terms, known: &Known) -> Stored {
        let name = |var: &Var| terms.free_vars(&[*self.said.get(var)?]).first().map(|var| terms.name(*var).to_owned());
        let tracked = known.tracked.iter().filter_map(name).collect();
        let mut lists: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
        for (number, predicate) in &known.predicates {
            if let Some(text) = self.words(terms, *predicate) {
                lists.entry(*number).or_default().push(text);
            }
        }
        let at = |number: Option<usize>| number.and_then(|number| self.places.get(number)).cloned();
        let places = lists.into_iter().map(|(number, predicates)| Place { at: at(number), predicates });
        Stored { tracked, places: places.collect(), ..Stored::default() }
    }

    /// The numbers of the places that a stored one stands for.
    fn numbers(&self, at: Option<&At>) -> Vec<Option<usize>> {
        let Some(at) = at else { return vec![None] };
        let all = |fits: &dyn Fn(&At) -> bool| -> Vec<Option<usize>> {
            self.places.iter().enumerate().filter(|(_, place)| fits(place)).map(|(number, _)| Some(number)).collect()
        };
        let same = |place: &At| place.procedure == at.procedure && place.line == at.line;
        let attempts = [all(&|place| place == at), all(&same), all(&|place| place.procedure == at.procedure)];
        attempts.into_iter().find(|numbers| !numbers.is_empty()).unwrap_or_else(|| vec![None])
    }

    /// The predicate that a text is, if it speaks about variables that are known.
    fn meaning(&self, terms: &mut Terms, text: &str) -> Option<Term> {
        let named = terms.read(text).ok().filter(|term| *terms.sort(*term) == Sort::Bool)?;
        let known = terms.free_vars(&[named]).iter().all(|var| self.meant.contains_key(var));
        known.then(|| terms.substitute(named, &self.meant))
    }

    fn words(&self, terms: &mut Terms, predicate: Term) -> Option<String> {
        let known = terms.free_vars(&[predicate]).iter().all(|var| self.said.contains_key(var));
        known.then(|| terms.substitute(predicate, &self.said)).map(|named| terms.smtlib(named).to_string())
    }
}

/// The name that a variable of a copied procedure has in the procedure.
fn without_copies(name: &str) -> String {
    let is_copy = |part: &&str| {
        part.rsplit_once('@')
            .is_some_and(|(_, number)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut parts: Vec<&str> = name.split("::").collect();
    let Some(last) = parts.iter().rposition(is_copy) else { return name.to_owned() };
    parts[last] = parts[last].rsplit_once('@').map_or(parts[last], |(procedure, _)| procedure);
    parts[last..].join("::")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_ir::{Sources, Span};

    /// A program with a place on each line of the text, all in `main`.
    fn spots(text: &str) -> (Program, Vec<Spot>) {
        let mut sources = Sources::new();
        let source = sources.add("a.c", text);
        let mut program = Program::new(sources.into());
        let mut start = 0;
        let mut spots = Vec::new();
        for line in text.lines() {
            let end = start + u32::try_from(line.len()).expect("short");
            let loc = program.add_loc(Span { source, start, end });
            spots.push(Spot { procedure: "main".into(), loc });
            start = end + 1;
        }
        (program, spots)
    }

    #[test]
    fn names_lose_their_copies() {
        assert_eq!(without_copies("main::x"), "main::x");
        assert_eq!(without_copies("main::f@12::x!1"), "f::x!1");
        assert_eq!(without_copies("main::f@12::g@7::x.int"), "g::x.int");
        assert_eq!(without_copies("a@b::x"), "a@b::x");
    }

    #[test]
    fn a_precision_survives_an_edit() {
        let mut terms = Terms::new();
        let vars = [3, 9].map(|at| terms.declare(&format!("main::f@{at}::x"), Sort::Int));
        let (program, places) = spots("while (a)\nwhile (a)\nx = 1;\n");
        let atlas = Atlas::new(&mut terms, &program, &places, &vars);
        let [first, second] = vars.map(|var| terms.var(var));
        let [less, equal] = [terms.le(first, second), terms.eq(first, second)];
        let known = Known { tracked: vec![vars[1]], predicates: vec![(None, less), (Some(1), less), (Some(2), equal)] };
        let text = Stored { engine: "predicate".into(), ..atlas.stored(&mut terms, &known) }.to_string();
        assert!(text.contains("at main #2: while (a)") && text.contains("|f::x#2|"), "{text}");
        let stored =
            Stored::read(&(text + "\nat g: gone\n    (<= |f::x| 7)\n    (<= |f::y| 7)\n    ((\n")).expect("written");
        assert_eq!(atlas.known(&mut terms, &stored).predicates[..3], known.predicates);

        // Other numbers of copies, a line more in front, another line changed.
        let mut terms = Terms::new();
        let vars = [5, 14].map(|at| terms.declare(&format!("main::f@{at}::x"), Sort::Int));
        let (program, places) = spots("y = 2;\nwhile (a)\nwhile (a)\nx = 5;\n");
        let atlas = Atlas::new(&mut terms, &program, &places, &vars);
        let [first, second] = vars.map(|var| terms.var(var));
        let [less, equal, seven] = [terms.le(first, second), terms.eq(first, second), terms.int(7)];
        let gone = terms.le(first, seven);
        let mut expected = vec![(None, less), (Some(2), less)];
        expected.extend((0..4).map(|place| (Some(place), equal)));
        expected.push((None, gone));
        assert_eq!(atlas.known(&mut terms, &stored), Known { tracked: vec![vars[1]], predicates: expected });
    }
}
