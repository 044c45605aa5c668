//! Gates over bits as terms, with words where there are any: literals about neighbouring bits
//! of one word are one comparison with a constant.

use rustc_hash::FxHashMap;
use tamis_circuit::{Edge, Gate, GateId, Gates};
use tamis_term::pack::BitReader;
use tamis_term::{BitVec, Fun, Sort, Term, Terms, Value, Var};

/// A bit of a variable, by its position in the variable's word.
pub(in super::super) type Place = (Var, usize);

/// The terms of edges, whose inputs are bits of variables.
pub(in super::super) fn write(
    terms: &mut Terms,
    gates: &Gates,
    places: &FxHashMap<GateId, Place>,
    edges: &[Edge],
) -> Vec<Term> {
    let mut users: Vec<u32> = vec![0; gates.len()];
    let mut open: Vec<GateId> = edges.iter().map(|edge| edge.gate()).collect();
    while let Some(id) = open.pop() {
        users[id.index()] += 1;
        if users[id.index()] == 1 {
            gates.gate(id).for_each_input(|edge| open.push(edge.gate()));
        }
    }
    let mut writer = Writer { gates, places, users, done: FxHashMap::default() };
    edges.iter().map(|edge| writer.term(terms, *edge)).collect()
}

struct Writer<'a> {
    gates: &'a Gates,
    places: &'a FxHashMap<GateId, Place>,
    /// By gate: how many others it is an argument of.
    users: Vec<u32>,
    done: FxHashMap<Edge, Term>,
}

impl Writer<'_> {
    fn term(&mut self, terms: &mut Terms, root: Edge) -> Term {
        let mut open = vec![root];
        while let Some(edge) = open.last().copied() {
            if self.done.contains_key(&edge) {
                open.pop();
                continue;
            }
            let before = open.len();
            let below = self.below(edge);
            open.extend(below.iter().filter(|edge| !self.is_literal(**edge) && !self.done.contains_key(edge)));
            if open.len() == before {
                open.pop();
                let term = self.write(terms, edge, &below);
                self.done.insert(edge, term);
            }
        }
        self.done[&root]
    }

    fn is_literal(&self, edge: Edge) -> bool {
        self.places.contains_key(&edge.gate())
    }

    /// What an edge is made of. Conjunctions within conjunctions are one, as are disjunctions;
    /// complements move to the arguments.
    fn below(&self, edge: Edge) -> Vec<Edge> {
        let complement = |other: Edge| if edge.is_complement() { !other } else { other };
        let mut below = Vec::new();
        match self.gates.gate(edge.gate()) {
            Gate::False | Gate::Input => {}
            Gate::Mux(c, t, e) => below.extend([*c, complement(*t), complement(*e)]),
            Gate::Xor(a, b) => below.extend([complement(*a), *b]),
            Gate::Majority(a, b, c) => below.extend([*a, *b, *c].map(complement)),
            gate @ (Gate::And(..) | Gate::All(_)) => {
                let mut open = Vec::new();
                gate.for_each_input(|input| open.push(input));
                while let Some(input) = open.pop() {
                    match self.gates.gate(input.gate()) {
                        gate @ (Gate::And(..) | Gate::All(_))
                            if !input.is_complement() && self.users[input.gate().index()] == 1 =>
                        {
                            gate.for_each_input(|input| open.push(input));
                        }
                        Gate::False
                        | Gate::Input
                        | Gate::And(..)
                        | Gate::Xor(..)
                        | Gate::Mux(..)
                        | Gate::Majority(..)
                        | Gate::All(_) => below.push(complement(input)),
                    }
                }
            }
        }
        below
    }

    /// The term of an edge all of whose arguments have one, or are literals.
    fn write(&self, terms: &mut Terms, edge: Edge, below: &[Edge]) -> Term {
        let fun = match (self.gates.gate(edge.gate()), edge.is_complement()) {
            (Gate::False, value) => return terms.bool(value),
            (Gate::And(..) | Gate::All(_), false) => Fun::And,
            (Gate::And(..) | Gate::All(_), true) => Fun::Or,
            (Gate::Input, _) => return self.junction(terms, &Fun::And, &[edge]),
            (Gate::Mux(..), _) => Fun::Ite,
            (Gate::Xor(..), _) => Fun::Xor,
            (Gate::Majority(..), _) => {
                let [a, b, c] = [0, 1, 2].map(|at| self.argument(terms, below[at]));
                let (either, both) = (terms.or(&[b, c]), terms.and(&[b, c]));
                let first = terms.and(&[a, either]);
                return terms.or(&[first, both]);
            }
        };
        if matches!(fun, Fun::And | Fun::Or) {
            return self.junction(terms, &fun, below);
        }
        let args: Vec<Term> = below.iter().map(|edge| self.argument(terms, *edge)).collect();
        terms.app(fun, &args)
    }

    fn argument(&self, terms: &mut Terms, edge: Edge) -> Term {
        match self.done.get(&edge) {
            Some(term) => *term,
            None => self.junction(terms, &Fun::And, &[edge]),
        }
    }

    /// The conjunction or disjunction of edges, literals first, then words that are compared.
    fn junction(&self, terms: &mut Terms, fun: &Fun, edges: &[Edge]) -> Term {
        let mut literals: Vec<(Place, bool)> = Vec::new();
        let mut pairs: Vec<(Var, Place)> = Vec::new();
        let mut args = Vec::new();
        for edge in edges {
            match (self.places.get(&edge.gate()), self.pair(terms, *edge)) {
                (Some(place), _) => literals.push((*place, !edge.is_complement())),
                // A conjunction of equal bits, or a disjunction of different ones.
                (None, Some(pair)) if edge.is_complement() == (*fun == Fun::And) => pairs.push(pair),
                (None, _) => args.push(self.done[edge]),
            }
        }
        literals.sort_unstable();
        pairs.sort_unstable();
        let mut words = Vec::new();
        let mut rest = literals.as_slice();
        while let Some((place, _)) = rest.first() {
            let places: Vec<Place> = rest.iter().map(|(place, _)| *place).collect();
            let (count, word) = word_of(terms, *place, &places);
            let (run, after) = rest.split_at(count);
            let values: Vec<bool> = run.iter().map(|(_, value)| *value).collect();
            words.push(compare(terms, fun, &word, &values));
            rest = after;
        }
        let mut rest = pairs.as_slice();
        while let Some((other, place)) = rest.first().copied() {
            let together = rest.iter().take_while(|(with, _)| *with == other);
            let places: Vec<Place> = together.map(|(_, place)| *place).collect();
            let (count, word) = word_of(terms, place, &places);
            let (_, with) = word_of(terms, (other, place.1), &[]);
            words.push(match_words(terms, fun, &word, &with, count));
            rest = &rest[count..];
        }
        args.sort_unstable();
        words.extend(args);
        terms.app(fun.clone(), &words)
    }

    /// The bits of two variables that an edge compares, if they are in the same place.
    fn pair(&self, terms: &Terms, edge: Edge) -> Option<(Var, Place)> {
        let Gate::Xor(a, b) = self.gates.gate(edge.gate()) else { return None };
        let (a, b) = (self.places.get(&a.gate())?, self.places.get(&b.gate())?);
        let fits = a.1 == b.1 && a.0 != b.0 && terms.var_sort(a.0) == terms.var_sort(b.0);
        fits.then(|| (a.0.max(b.0), (a.0.min(b.0), a.1)))
    }
}

/// A word of a variable, and the lowest of its bits that is looked at.
struct Word {
    term: Term,
    low: u32,
}

/// The word that a bit is in, and how many of the places, which are sorted and begin with that
/// bit, are neighbouring bits of it.
fn word_of(terms: &mut Terms, (var, first): Place, places: &[Place]) -> (usize, Word) {
    let (mut term, mut at) = (terms.var(var), first);
    let mut sort = terms.var_sort(var).clone();
    while let Sort::Array(array) = sort {
        let width = array.element.bits().and_then(|bits| usize::try_from(bits).ok()).expect("bits of a finite sort");
        let cell = u64::try_from(at / width).expect("a cell's number is that of a bit");
        let index = BitReader::new(&[cell]).read(&array.index);
        let index = terms.constant(index);
        term = terms.select(term, index);
        at %= width;
        sort = array.element.clone();
    }
    let width = sort.bits().and_then(|bits| usize::try_from(bits).ok()).unwrap_or(1);
    let run = places.iter().zip(at..width).enumerate();
    let run = run.take_while(|(k, (place, _))| **place == (var, first + k)).count();
    (run, Word { term, low: u32::try_from(at).expect("widths have 32 bits") })
}

/// The conjunction or disjunction of literals about neighbouring bits, the lowest first.
fn compare(terms: &mut Terms, fun: &Fun, word: &Word, values: &[bool]) -> Term {
    if *terms.sort(word.term) == Sort::Bool {
        return if values[0] { word.term } else { terms.not(word.term) };
    }
    let count = u32::try_from(values.len()).expect("widths have 32 bits");
    let part = terms.extract(word.term, word.low + count - 1, word.low);
    // One bit is compared with one, so that it and its complement are seen to be that.
    let flip = if count == 1 { !values[0] } else { *fun == Fun::Or };
    let ones = values.iter().enumerate().filter(|(_, value)| **value != flip);
    let mut number = BitVec::zero(count);
    for (at, _) in ones {
        let bit = BitVec::new(count, 1).shl(&BitVec::new(count, at as u64));
        number = number.or(&bit);
    }
    let number = terms.constant(Value::BitVec(number));
    let same = terms.eq(part, number);
    if flip { terms.not(same) } else { same }
}

/// That so many bits of two words are equal, in a conjunction; that they are not, in a
/// disjunction.
fn match_words(terms: &mut Terms, fun: &Fun, one: &Word, other: &Word, count: usize) -> Term {
    let count = u32::try_from(count).expect("widths have 32 bits");
    let [one, other] = [one, other].map(|word| match terms.sort(word.term) {
        Sort::BitVec(_) => terms.extract(word.term, word.low + count - 1, word.low),
        Sort::Bool | Sort::Int | Sort::Real | Sort::Array(_) => word.term,
    });
    let same = terms.eq(one, other);
    if *fun == Fun::And { same } else { terms.not(same) }
}
